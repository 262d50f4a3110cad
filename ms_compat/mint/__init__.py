"""`mindspore.mint`: the torch-like names and defaults over the operations of `mindspore.ops`.

`mindspore.ops` declares a function it shares with `mint` (`@faces("ops mint")`, `_core/faces.py`); functions that
differ in more than the name (`dim` for `axis`, sample variance, Int64 positions) are in `_adapters.py`.
"""

from __future__ import annotations

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(
    globals(), _unsupported_getattr(__name__), modules="distributed linalg nn optim special"
)
