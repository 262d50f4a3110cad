"""`mindspore.mint.nn`: layers with PyTorch's names and defaults, found by what their files declare (`_core/faces.py`).

Those that are one function with settings are rows of the table in `_layers.py`.
"""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
