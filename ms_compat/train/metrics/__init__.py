"""Metrics of `Model`, found by what the files that write them declare (`_core/faces.py`)."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat.train.metrics.auc import auc as auc  # here, or the name would be its file once that is imported

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
