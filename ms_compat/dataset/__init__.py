"""`mindspore.dataset`: pipelines over arrays, Python objects and image files, on numpy.

No jax runs where rows are made: an iterator makes Tensors only at its end. A pipeline is a tree of nodes (see
`_base.dataset`). Rows come in MindSpore's order; random transforms draw their own numbers (see `_support.randomness`).
"""

from ms_compat._core import faces as _faces
from ms_compat.dataset import _methods as _pipeline
from ms_compat.dataset import audio as audio
from ms_compat.dataset import callback as callback
from ms_compat.dataset import config as config
from ms_compat.dataset import debug as debug
from ms_compat.dataset import text as text
from ms_compat.dataset import transforms as transforms
from ms_compat.dataset import vision as vision
from ms_compat.dataset._support import placeholders as _placeholders

_pipeline.attach()
__getattr__, __dir__ = _faces.lazy_names(
    globals(), _placeholders.getattr_of(__name__), modules="text transforms vision"
)
