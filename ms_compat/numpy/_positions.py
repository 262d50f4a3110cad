"""`mindspore.numpy`'s positions: triangles, diagonals, meshes, flat and multi-dimensional indices, choices by index."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import array, tensor
from ms_compat.ops.function import arithmetic, create, gather, shape


def _many(found) -> tuple[Tensor, ...]:
    return tuple([Tensor(at.astype(np.int32)) for at in found])


def _triangle(name: str):
    corner = getattr(np, name)

    def indices(n, k=0, m=None):
        if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in (n, k)):
            raise TypeError(f"For 'numpy.{name}', the 'n' and 'k' must be numbers, but got {n!r} and {k!r}.")
        return _many(corner(n, k, m))

    def of(arr, k=0):
        if len(arr.shape) != 2:
            raise ValueError(f"For 'numpy.{name}_from', the 'arr' must have 2 dimensions, but got shape {arr.shape}.")
        return indices(arr.shape[0], k, arr.shape[1])

    indices.__name__, of.__name__ = name, f"{name}_from"
    indices.__doc__ = f"The rows and columns of NumPy's `{name}` of an n x m matrix, Int32."
    of.__doc__ = f"As `{name}`, of a matrix's shape."
    return indices, of


tril_indices, tril_indices_from = _triangle("tril_indices")
triu_indices, triu_indices_from = _triangle("triu_indices")


def diag_indices(n, ndim=2):
    """The positions of the main diagonal of an array of n elements a dimension, Int32."""
    if n < 0:
        raise ValueError(f"For 'numpy.diag_indices', the 'n' must not be negative, but got {n}.")
    return _many(np.diag_indices(n, ndim))


def ix_(*args):
    """1-d tensors shaped so that they index a mesh; Bool ones by where they are true."""
    out = []
    for at, x in enumerate(map(tensor, args)):
        if len(x.shape) != 1:
            raise ValueError(f"For 'numpy.ix_', the arguments must be 1-d, but got shape {x.shape}.")
        if x.dtype is mstype.bool_:
            x = Tensor(np.nonzero(x.asnumpy())[0])
        out.append(shape.reshape(x, tuple([-1 if i == at else 1 for i in range(len(args))])))
    return tuple(out)


def _folded(api: str, index: Tensor, size: int, mode: str) -> Tensor:
    if mode == "raise":
        raise NotImplementedError(f"For '{api}', the mode 'raise' is not implemented.")
    if mode not in ("clip", "wrap"):
        raise ValueError(f"For '{api}', the 'mode' must be 'clip' or 'wrap', but got {mode!r}.")
    return arithmetic.floor_mod(index, size) if mode == "wrap" else arithmetic.clamp(index, 0, size - 1)


def ravel_multi_index(multi_index, dims, mode="clip", order="C"):
    """The flat positions of coordinates, in Float32 as in MindSpore; modes "clip" and "wrap"."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'numpy.ravel_multi_index', the 'order' must be 'C' or 'F', but got {order!r}.")
    index = multi_index if isinstance(multi_index, (tuple, list)) else list(tensor(multi_index))
    rows = [_folded("numpy.ravel_multi_index", array(i), n, mode) for i, n in zip(index, dims, strict=True)]
    steps = np.cumprod([1, *(dims[:0:-1] if order == "C" else dims[:-1])])
    steps = steps[::-1] if order == "C" else steps
    out = None
    for row, step in zip(rows, steps.tolist(), strict=True):
        term = arithmetic.mul(create.cast(row, mstype.float32), step)
        out = term if out is None else arithmetic.add(out, term)
    return out


def unravel_index(indices, shape, order="C"):
    """The coordinates of flat positions, one tensor a dimension, in the positions' dtype."""
    indices = tensor(indices)
    return tuple([Tensor(c, indices.dtype) for c in np.unravel_index(indices.asnumpy(), shape, order)])


def choose(a, choices, mode="clip"):
    """Elements of the choices (a tensor, or a sequence of tensors and numbers) that `a` numbers.

    Args:
        a: positions among the choices; an integer tensor.
        choices: all of one shape with `a` after broadcasting.
        mode: "clip" or "wrap" for positions outside.
    """
    return pick(tensor(a), choices, mode, tensor)


def pick(index: Tensor, choices, mode: str, convert) -> Tensor:
    """`choose` for a way to convert the choices."""
    from ms_compat.numpy._functions import _common

    rows = _common([convert(c) for c in choices]) if isinstance(choices, (tuple, list)) else list(convert(choices))
    size = np.broadcast_shapes(index.shape, *[row.shape for row in rows])
    flat = [shape.reshape(shape.broadcast_to(row, size), (1, -1)) for row in rows]
    at = shape.reshape(shape.broadcast_to(_folded("choose", index, len(rows), mode), size), (1, -1))
    from ms_compat.ops.function.join import concat

    return shape.reshape(gather.gather_d(concat(flat, 0), 0, create.cast(at, mstype.int64)), size)
