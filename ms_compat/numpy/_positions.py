"""`mindspore.numpy`'s positions: triangles, diagonals, meshes, flat and multi-dimensional indices, choices by index."""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_at_least, check_choice, check_rank
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import array, tensor
from ms_compat.numpy._functions import _common
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.indexing import gather
from ms_compat.ops.function.shape import create, join
from ms_compat.ops.function.shape import views as shape


def _many(found) -> tuple[Tensor, ...]:
    return tuple([Tensor(at.astype(np.int32)) for at in found])


def _triangle(name: str):
    corner = getattr(np, name)

    def indices(n, k=0, m=None):
        if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in (n, k)):
            raise TypeError(f"For 'numpy.{name}', the 'n' and 'k' must be numbers, but got {n!r} and {k!r}.")
        # an edge between two rows or columns moves to the next whole triangle
        return _many(corner(math.ceil(n), math.floor(k), None if m is None else math.ceil(m)))

    def indices_from(arr, k=0):
        arr = tensor(arr)
        check_rank(f"numpy.{name}_from", "arr", arr, 2)
        return indices(arr.shape[0], k, arr.shape[1])

    indices.__name__, indices_from.__name__ = name, f"{name}_from"
    indices.__doc__ = f"The rows and columns of NumPy's `{name}` of an n x m matrix, Int32."
    indices_from.__doc__ = f"As `{name}`, of a matrix's shape."
    return indices, indices_from


tril_indices, tril_indices_from = _triangle("tril_indices")
table_faces(__name__, "tril_indices tril_indices_from", "numpy")
triu_indices, triu_indices_from = _triangle("triu_indices")
table_faces(__name__, "triu_indices triu_indices_from", "numpy")


@faces("numpy")
def diag_indices(n, ndim=2):
    """The main diagonal's positions in an array with n elements a dimension, Int32."""
    if isinstance(n, float):
        raise TypeError(f"For 'numpy.diag_indices', the 'n' must be an int, but got {n!r}.")
    check_at_least("numpy.diag_indices", "n", n, 1)
    return _many(np.diag_indices(n, ndim))


@faces("numpy")
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
    check_choice(api, "mode", mode, ("clip", "wrap"))
    return arithmetic.floor_mod(index, size) if mode == "wrap" else arithmetic.clamp(index, 0, size - 1)


@faces("numpy")
def ravel_multi_index(multi_index, dims, mode="clip", order="C"):
    """The flat positions of coordinates, in Float32 as in MindSpore; modes "clip" and "wrap"."""
    check_choice("numpy.ravel_multi_index", "order", order, ("C", "F"))
    index = multi_index if isinstance(multi_index, (tuple, list)) else list(tensor(multi_index))
    rows = [_folded("numpy.ravel_multi_index", array(i), n, mode) for i, n in zip(index, dims, strict=True)]
    steps = np.cumprod([1, *(dims[:0:-1] if order == "C" else dims[:-1])])
    steps = steps[::-1] if order == "C" else steps
    out = None
    for row, step in zip(rows, steps.tolist(), strict=True):
        term = arithmetic.mul(create.cast(row, mstype.float32), step)
        out = term if out is None else arithmetic.add(out, term)
    return out


@faces("numpy")
def unravel_index(indices, shape, order="C"):
    """The coordinates of flat positions, one tensor a dimension, in the positions' dtype."""
    check_choice("numpy.unravel_index", "order", order, ("C", "F"))
    indices = tensor(indices)
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    total = int(np.prod(sizes))
    flat = indices.asnumpy()
    # MindSpore clips positions to the ends: -1 counts as the last
    flat = np.clip(np.where(flat < 0, flat + total, flat), 0, total - 1).astype(np.int64)
    found = [Tensor(c, indices.dtype) for c in np.unravel_index(flat, sizes, order)]
    if isinstance(shape, int) and not indices.shape:
        return found[0].reshape(1)
    return tuple(found)


@faces("numpy")
def choose(a, choices, mode="clip"):
    """Elements of the choices (a tensor, or a sequence of tensors and numbers) that `a` numbers.

    Args:
        a: positions among the choices; an integer tensor.
        choices: all of one shape with `a` after broadcasting.
        mode: "clip" or "wrap" for positions outside.
    """
    index = tensor(a)
    if index.dtype not in mstype.int_type + mstype.uint_type:
        raise ValueError(f"For 'numpy.choose', the 'a' must be integers, but got {index.dtype}.")
    return pick(index, choices, mode, tensor)


def pick(index: Tensor, choices, mode: str, convert) -> Tensor:
    """`choose` for a way to convert the choices."""
    rows = _common([convert(c) for c in choices]) if isinstance(choices, (tuple, list)) else list(convert(choices))
    size = jnp.broadcast_shapes(index.shape, *[row.shape for row in rows])
    flat = [shape.reshape(shape.broadcast_to(row, size), (1, -1)) for row in rows]
    at = shape.reshape(shape.broadcast_to(_folded("choose", index, len(rows), mode), size), (1, -1))
    return shape.reshape(gather.gather_d(join.concat(flat, 0), 0, create.cast(at, mstype.int64)), size)


@faces("numpy")
def select(condlist, choicelist, default=0):
    """Elements of the first choice whose condition is not 0, else `default`, in the choices' dtype."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise ValueError(
            f"For 'numpy.select', there must be as many choices as conditions, but got {len(choicelist)} for "
            f"{len(condlist)}."
        )
    choices = _common([tensor(c) for c in choicelist])
    out = create.cast(tensor(default), choices[0].dtype)
    for condition, choice in zip([tensor(c) for c in condlist][::-1], choices[::-1], strict=True):
        out = join.where(create.cast(condition, mstype.bool_), choice, out)
    return out


@faces("numpy")
def take_along_axis(arr, indices, axis):
    """Elements at indices along an axis, of the flat tensor for None; other dimensions broadcast.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.take_along_axis(Tensor([[1, 2], [3, 4]]), Tensor([[1], [0]]), 1))
    [[2]
     [3]]
    """
    arr, indices = tensor(arr), tensor(indices)
    if axis is None:
        arr, axis = shape.ravel(arr), 0
    if len(arr.shape) == len(indices.shape) and -len(arr.shape) <= axis < len(arr.shape):
        at = axis % len(arr.shape)
        pairs = list(zip(arr.shape, indices.shape, strict=True))
        if all(at == k or 1 in pair or len(set(pair)) == 1 for k, pair in enumerate(pairs)):
            sizes = [max(pair) for pair in pairs]
            arr = shape.broadcast_to(arr, (*sizes[:at], arr.shape[at], *sizes[at + 1 :]))
            indices = shape.broadcast_to(indices, (*sizes[:at], indices.shape[at], *sizes[at + 1 :]))
    return gather.gather_d(arr, axis, indices)
