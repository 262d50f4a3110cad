"""`mindspore.nn.probability.bnn_layers`: layers whose weights are normal distributions."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
