"""`mindspore.numpy`: NumPy's names over the operations of `mindspore.ops`.

An operation declares a name here with the way in which its arguments become Tensors (`@faces("ops numpy:unary")`, a
function of `_array.py`); other functions are in the files of this folder.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as _dtype
from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

float16, float32, float64 = _dtype.float16, _dtype.float32, _dtype.float64
int8, int16, int32, int64 = _dtype.int8, _dtype.int16, _dtype.int32, _dtype.int64
uint8, uint16, uint32, uint64 = _dtype.uint8, _dtype.uint16, _dtype.uint32, _dtype.uint64
bool_, int_, float_ = _dtype.bool_, _dtype.int32, _dtype.float32


def _make(name: str, face: _faces.Face) -> Any:
    from ms_compat.numpy import _array, _docstrings, _tensors_only

    function = _faces.load(face)
    if face.kind:
        made = getattr(_array, face.kind)(function)
        tensors = _tensors_only.tensor_arguments(name, made)
        made.__doc__ = _docstrings.described(name, face.kind, made, function, tensors)
        function = made
    return _tensors_only.checked(name, function)


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__), _make)
