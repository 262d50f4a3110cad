"""`mindspore.dataset.audio`: transforms for waveforms and spectrograms, on numpy."""

from ms_compat._core import faces as _faces
from ms_compat.dataset._support import placeholders as _placeholders

__getattr__, __dir__ = _faces.lazy_names(globals(), _placeholders.getattr_of(__name__))
