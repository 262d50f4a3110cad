"""`mindspore.mindrecord`: writing and reading MindRecord files; `dataset.MindDataset` reads them into pipelines."""

from ms_compat._names.absent import unsupported_getattr as _unsupported_getattr
from ms_compat.mindrecord.converters import Cifar10ToMR as Cifar10ToMR
from ms_compat.mindrecord.converters import Cifar100ToMR as Cifar100ToMR
from ms_compat.mindrecord.converters import CsvToMR as CsvToMR
from ms_compat.mindrecord.converters import ImageNetToMR as ImageNetToMR
from ms_compat.mindrecord.converters import MnistToMR as MnistToMR
from ms_compat.mindrecord.converters import TFRecordToMR as TFRecordToMR
from ms_compat.mindrecord.exceptions import MindRecordException as MindRecordException
from ms_compat.mindrecord.exceptions import MRMAddSchemaError as MRMAddSchemaError
from ms_compat.mindrecord.exceptions import MRMDefineIndexError as MRMDefineIndexError
from ms_compat.mindrecord.exceptions import MRMInvalidSchemaError as MRMInvalidSchemaError
from ms_compat.mindrecord.exceptions import ParamTypeError as ParamTypeError
from ms_compat.mindrecord.exceptions import ParamValueError as ParamValueError
from ms_compat.mindrecord.reader import FileReader as FileReader
from ms_compat.mindrecord.writer import FileWriter as FileWriter

FAILED, SUCCESS = -1, 0

__getattr__ = _unsupported_getattr(__name__)
