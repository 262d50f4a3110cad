"""`mindspore.numpy`'s functions over places and shapes, with NumPy's parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import distinct, tensor, to_dtype
from ms_compat.ops.function.axes import dim_of
from ms_compat.ops.function.indexing import sort
from ms_compat.ops.function.reduction import cumulative, reduce
from ms_compat.ops.function.shape import create, join
from ms_compat.ops.function.shape import views as shape


@faces("numpy")
def argwhere(a):
    """The positions of nonzero elements, one a row."""
    return sort.argwhere(tensor(a))


@faces("numpy")
def broadcast_to(array, shape):
    """The tensor repeated to another shape.

    Args:
        array (Tensor): any shape.
        shape: an int or a tuple of ints.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.broadcast_to(Tensor([1, 2]), (2, 2)))
    [[1 2]
     [1 2]]
    """
    from ms_compat.ops.function.shape.views import broadcast_to as to_shape

    return to_shape(tensor(array), shape).copy()


@faces("numpy")
def diagflat(v, k=0):
    """A matrix with the elements on a diagonal."""
    return join.diagflat(tensor(v), k)


@faces("numpy")
def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonal over two axes, as the last axis."""
    return shape.diagonal(tensor(a), offset, axis1, axis2)


@faces("numpy")
def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    """The sum of the diagonal over two axes, of elements cast to `dtype`; of Bool whether one is True."""
    a = tensor(a)
    a = a if dtype is None else create.cast(a, to_dtype(dtype))
    if a.dtype is mstype.bool_:
        return reduce.any(shape.diagonal(a, offset, axis1, axis2), -1)
    if len(a.shape) == 2 and (offset, axis1, axis2) == (0, 0, 1):
        out = a.trace()
    else:
        out = reduce.sum(shape.diagonal(a, offset, axis1, axis2), -1)
    return out if dtype is None else create.cast(out, a.dtype)


def _beside(a: Tensor, value, axis: int) -> Tensor | None:
    """The values that `diff` puts before or after the tensor, as a tensor of its rank."""
    if value is None:
        return None
    value = tensor(value)
    size = list(a.shape)
    size[axis] = value.shape[axis] if len(value.shape) == len(a.shape) else 1
    return create.cast(shape.broadcast_to(value, tuple(size)), a.dtype)


@faces("numpy")
def diff(a, n=1, axis=-1, prepend=None, append=None):
    """The n-th differences of neighbours along an axis, with values put in front and behind."""
    a = tensor(a)
    if not a.shape:
        raise TypeError("For 'numpy.diff', the tensor must have at least 1 dimension.")
    if n == 0:
        return a
    if isinstance(axis, int) and -len(a.shape) <= axis < len(a.shape):
        parts = [_beside(a, prepend, axis), a, _beside(a, append, axis)]
        found = [part for part in parts if part is not None]
        a = join.concat(found, axis) if len(found) > 1 else a
        if isinstance(n, int) and n >= a.shape[axis]:
            raise ValueError(f"For 'numpy.diff', the 'n' must be below the size {a.shape[axis]}, but got {n}.")
    return cumulative.diff(a, n, axis)


@faces("numpy")
def expand_dims(a, axis):
    """The tensor with new dimensions of size 1.

    Args:
        a (Tensor): any shape.
        axis: an int or a tuple of ints, where the new dimensions are.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.expand_dims(Tensor([1, 2]), 0).shape)
    (1, 2)
    """
    return shape.expand_dims(tensor(a), axis)


@faces("numpy")
def fliplr(m):
    """The columns in reverse order."""
    return join.fliplr(tensor(m))


@faces("numpy")
def flipud(m):
    """The rows in reverse order."""
    return join.flipud(tensor(m))


@faces("numpy")
def moveaxis(a, source, destination):
    """Dimensions moved to other places; the others keep their order."""
    a = tensor(a)
    return shape.moveaxis(a, distinct(source, len(a.shape)), distinct(destination, len(a.shape)))


@faces("numpy")
def ravel(x):
    """The elements as a vector."""
    return shape.ravel(tensor(x))


@faces("numpy")
def roll(a, shift, axis=None):
    """Roll elements along axes (the flat tensor for None); elements that leave the end come in at the front.

    By whole turns the tensor is returned itself; without an axis, another one of its storage.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.roll(Tensor([1, 2, 3]), 1))
    [3 1 2]
    """
    a = tensor(a)
    if isinstance(axis, int) and isinstance(shift, (tuple, list)):
        axis = (axis,) * len(shift)
    elif isinstance(axis, (tuple, list)) and isinstance(shift, int):
        shift = (shift,) * len(axis)
    if axis is None and isinstance(shift, (tuple, list)):
        shift = int(np.sum(shift))
    if _is_whole_turn(a, shift, axis):
        return create.whole_view(a) if axis is None else a
    return join.roll(a, shift, axis)


def _is_whole_turn(a: Tensor, shift: Any, axis: Any) -> bool:
    """Whether every element comes back to its place."""
    shifts = shift if isinstance(shift, tuple) else (shift,)
    axes = axis if isinstance(axis, tuple) else (axis,) * (axis is not None)
    if not all(isinstance(n, int) for n in (*shifts, *axes)):
        return False
    sizes = [a.shape[dim_of("roll", n, len(a.shape))] for n in axes] or [a.size]
    return len(sizes) == len(shifts) and all(not size or n % size == 0 for n, size in zip(shifts, sizes, strict=True))


@faces("numpy")
def squeeze(a, axis=None):
    """The tensor without dimensions of size 1.

    Args:
        a (Tensor): any shape.
        axis: an int or a tuple of ints; all of size 1 by default.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.squeeze(Tensor([[1], [2]])))
    [1 2]
    """
    return shape.squeeze(tensor(a), axis)


@faces("numpy")
def swapaxes(x, axis1, axis2):
    """Two dimensions exchanged.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.swapaxes(Tensor([[1, 2], [3, 4]]), 0, 1))
    [[1 3]
     [2 4]]
    """
    return shape.swapaxes(tensor(x), axis1, axis2)
