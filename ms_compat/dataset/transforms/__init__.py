"""`mindspore.dataset.transforms`: transforms for any data."""

from ms_compat._core import faces as _faces
from ms_compat.dataset._support import absent as _absent

__getattr__, __dir__ = _faces.lazy_names(globals(), _absent.getattr_of(__name__))
