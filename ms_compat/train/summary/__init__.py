"""`mindspore.train.summary`: values of a training, recorded for TensorBoard."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.train.summary.record import SummaryRecord as SummaryRecord

__getattr__ = unsupported_getattr(__name__)
