"""`mindspore.mindrecord`: writing and reading MindRecord files; `dataset.MindDataset` reads them into pipelines."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

FAILED, SUCCESS = -1, 0

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
