"""Coordinates of grids, and windows of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import array, to_dtype


def _window(name: str):
    """One of NumPy's windows as a function of its length."""

    def function(M):
        if isinstance(M, bool) or not isinstance(M, int):
            raise TypeError(f"For 'numpy.{name}', the number of points must be an int, but got {M!r:.60}.")
        return Tensor(getattr(np, name)(M).astype(np.float32))

    function.__name__, function.__doc__ = name, f"The {name} window of {'M'} points."
    return function


@faces("numpy")
def indices(dimensions, dtype=mstype.int32, sparse=False):
    """The coordinates of a grid, one tensor a dimension, as a list."""
    return [Tensor(g, to_dtype(dtype)) for g in np.indices(dimensions, sparse=sparse)]


def _whole_slice(part: slice) -> bool:
    return all(v is None or isinstance(v, int) for v in (part.start, part.stop, part.step))


class _Grid:
    """`mgrid[0:2, 0:3]` and `ogrid[...]`."""

    def __init__(self, grid: Any):
        self._grid = grid

    def __getitem__(self, key: Any) -> Any:
        out = self._grid[key]
        if isinstance(out, (list, tuple)):
            parts = key if isinstance(key, tuple) else (key,)
            # an open mesh has a dtype an axis, a full one has one for all
            whole = [_whole_slice(part) and self._grid is np.ogrid for part in parts]
            return [array(g.tolist(), mstype.int32 if w else None) for g, w in zip(out, whole, strict=True)]
        return array(out.tolist())


mgrid, ogrid = _Grid(np.mgrid), _Grid(np.ogrid)
bartlett, blackman, hamming, hanning = (_window(_name) for _name in ("bartlett", "blackman", "hamming", "hanning"))
table_faces(__name__, "mgrid ogrid bartlett blackman hamming hanning", "numpy")
