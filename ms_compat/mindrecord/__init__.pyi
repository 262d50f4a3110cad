# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

FAILED: Any
SUCCESS: Any
from . import converters as converters
from . import encryption as encryption
from . import exceptions as exceptions
from . import pages as pages
from . import pickles as pickles
from . import reader as reader
from . import writer as writer
from ms_compat.mindrecord.converters import Cifar100ToMR as Cifar100ToMR
from ms_compat.mindrecord.converters import Cifar10ToMR as Cifar10ToMR
from ms_compat.mindrecord.converters import CsvToMR as CsvToMR
from ms_compat.mindrecord.converters import ImageNetToMR as ImageNetToMR
from ms_compat.mindrecord.converters import MnistToMR as MnistToMR
from ms_compat.mindrecord.converters import TFRecordToMR as TFRecordToMR
from ms_compat.mindrecord.encryption import set_dec_mode as set_dec_mode
from ms_compat.mindrecord.encryption import set_enc_key as set_enc_key
from ms_compat.mindrecord.encryption import set_enc_mode as set_enc_mode
from ms_compat.mindrecord.exceptions import MRMAddSchemaError as MRMAddSchemaError
from ms_compat.mindrecord.exceptions import MRMBuildSchemaError as MRMBuildSchemaError
from ms_compat.mindrecord.exceptions import MRMDefineCategoryError as MRMDefineCategoryError
from ms_compat.mindrecord.exceptions import MRMDefineIndexError as MRMDefineIndexError
from ms_compat.mindrecord.exceptions import MRMGetMetaError as MRMGetMetaError
from ms_compat.mindrecord.exceptions import MRMInvalidSchemaError as MRMInvalidSchemaError
from ms_compat.mindrecord.exceptions import MindRecordException as MindRecordException
from ms_compat.mindrecord.exceptions import ParamTypeError as ParamTypeError
from ms_compat.mindrecord.exceptions import ParamValueError as ParamValueError
from ms_compat.mindrecord.pages import MindPage as MindPage
from ms_compat.mindrecord.reader import FileReader as FileReader
from ms_compat.mindrecord.writer import FileWriter as FileWriter
