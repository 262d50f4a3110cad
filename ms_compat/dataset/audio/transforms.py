"""`mindspore.dataset.audio.transforms`: the transforms' path inside MindSpore."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
