"""`mindspore.numpy` functions that are more than an operation with converted arguments."""

from __future__ import annotations

import logging
import math as python_math
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_any_given
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import array, asarray, distinct, flag, tensor, to_dtype
from ms_compat.ops.function.axes import dim_of
from ms_compat.ops.function.elementwise import arithmetic, compare, math
from ms_compat.ops.function.indexing import sort
from ms_compat.ops.function.linalg import norms
from ms_compat.ops.function.reduction import cumulative, reduce
from ms_compat.ops.function.shape import create, join
from ms_compat.ops.function.shape import views as shape

_LOG = logging.getLogger(__name__)


def _host(x: Any) -> Any:
    return x.asnumpy() if isinstance(x, Tensor) else x


def _cast(x: Tensor, dtype: Any) -> Tensor:
    return x if dtype is None else create.cast(x, to_dtype(dtype))


def _sizes(size: Any) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else tuple(size)


@faces("numpy numpy.empty")
def zeros(shape, dtype=mstype.float32):
    """A tensor of zeros; `empty` gives one, too.

    Args:
        shape: an int, or a tuple or list of ints.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import numpy
    >>> print(numpy.zeros((2, 2)))
    [[0. 0.]
     [0. 0.]]
    """
    return create.zeros(_sizes(shape), to_dtype(dtype))


@faces("numpy")
def ones(shape, dtype=mstype.float32):
    """A tensor of ones.

    Args:
        shape: an int, or a tuple or list of ints.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import numpy
    >>> print(numpy.ones((2, 2)))
    [[1. 1.]
     [1. 1.]]
    """
    return create.ones(_sizes(shape), to_dtype(dtype))


empty = zeros


@faces("numpy")
def full(shape, fill_value, dtype=None):
    """One value, in its own dtype (Int32, Float32) unless another is given; a tensor of values broadcasts.

    Args:
        shape: an int, or a tuple or list of ints.
        fill_value: a number, or a Tensor or list that broadcasts.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import numpy
    >>> print(numpy.full((2, 2), 7))
    [[7 7]
     [7 7]]
    """
    value = array(fill_value, dtype)
    if value.shape:
        from ms_compat.ops.function.shape.views import broadcast_to

        return create.identity_cast(broadcast_to(value, _sizes(shape)), value.dtype)
    return create.full(_sizes(shape), value.item(), dtype=value.dtype)


def _like(a, dtype, shape) -> tuple[tuple[int, ...], mstype.Type]:
    a = tensor(a)
    return a.shape if shape is None else _sizes(shape), to_dtype(dtype) or a.dtype


@faces("numpy")
def empty_like(prototype, dtype=None, shape=None):
    """Zeros in the shape and dtype of another tensor."""
    return create.zeros(*_like(prototype, dtype, shape))


@faces("numpy")
def zeros_like(a, dtype=None, shape=None):
    """Zeros in the shape and dtype of another tensor.

    Args:
        a: a Tensor, or what one can be made of.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.
        shape: an int or a tuple of ints; by default the tensor's.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.zeros_like(Tensor([1, 2])))
    [0 0]
    """
    return create.zeros(*_like(a, dtype, shape))


@faces("numpy")
def ones_like(a, dtype=None, shape=None):
    """Ones in the shape and dtype of another tensor.

    Args:
        a: a Tensor, or what one can be made of.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.
        shape: an int or a tuple of ints; by default the tensor's.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.ones_like(Tensor([5, 6])))
    [1 1]
    """
    return create.ones(*_like(a, dtype, shape))


@faces("numpy")
def full_like(a, fill_value, dtype=None, shape=None):
    """One value in the shape and dtype of another tensor.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.full_like(Tensor([1, 2]), 7))
    [7 7]
    """
    size, kind = _like(a, dtype, shape)
    if isinstance(fill_value, (list, tuple, Tensor)):  # in the dtype of the values, as MindSpore does
        return full(size, fill_value, to_dtype(dtype))
    return create.full(size, fill_value, dtype=kind)


def _of_ones(api: str, dtype: Any) -> np.dtype:
    found = to_dtype(dtype)
    if found is None:
        raise TypeError(f"For 'numpy.{api}', the 'dtype' must be a type, but got None.")
    return found.np_dtype


@faces("numpy")
def eye(N, M=None, k=0, dtype=mstype.float32):
    """Ones on a diagonal.

    Args:
        N (int): the number of rows.
        M (int): the number of columns; by default `N`.
        k (int): the diagonal.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import numpy
    >>> print(numpy.eye(2, 3, 1))
    [[0. 1. 0.]
     [0. 0. 1.]]
    """
    return Tensor(np.eye(N, M, k, _of_ones("eye", dtype)))


@faces("numpy")
def identity(n, dtype=mstype.float32):
    """Ones on the main diagonal of a square matrix."""
    return eye(n, dtype=dtype)


@faces("numpy")
def tri(N, M=None, k=0, dtype=mstype.float32):
    """Ones on and below a diagonal."""
    if isinstance(N, float) or isinstance(M, float):
        raise TypeError(f"For 'numpy.tri', the sizes must be ints, but got {N!r} and {M!r}.")
    return Tensor(np.tri(N, M, k, _of_ones("tri", dtype)))


@faces("numpy")
def sum(a, axis=None, dtype=None, keepdims=False, initial=None):
    """The sum over axes; of integers in Int64.

    Args:
        a: a Tensor, or what one can be made of.
        axis: an int or a tuple of ints; all axes by default.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.
        keepdims (bool): whether the axes stay, with size 1.
        initial: a number that is added.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), axis=0))
    [4. 6.]
    """
    flag("sum", keepdims=keepdims)
    out = reduce.sum(tensor(a), axis, keepdims, dtype=to_dtype(dtype))
    return out if initial is None else arithmetic.add(out, initial)


@faces("numpy")
def mean(a, axis=None, keepdims=False, dtype=None):
    """The mean over axes, in the tensor's dtype.

    Args:
        a: a Tensor, or what one can be made of.
        axis: an int or a tuple of ints; all axes by default.
        keepdims (bool): whether the axes stay, with size 1.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), axis=0))
    [2. 3.]
    """
    flag("mean", keepdims=keepdims)
    a = tensor(a)
    return _cast(reduce.mean(a, distinct(axis, len(a.shape)), keepdims), dtype)


def _extreme(api, fn, a, axis, keepdims, initial, where):
    flag(api, keepdims=keepdims)
    if initial is not None and not isinstance(initial, (int, float)):
        raise TypeError(f"For 'numpy.{api}', the 'initial' must be a number, but got {initial!r:.60}.")
    a = tensor(a)
    axis = distinct(axis, len(a.shape))
    return fn(a, axis, keepdims, initial=initial, where=None if where is True else where)


@faces("numpy numpy.max")
def amax(a, axis=None, keepdims=False, initial=None, where=True):
    """The maximum over axes.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.amax(Tensor([[1.0, 3.0], [4.0, 2.0]]), axis=1))
    [3. 4.]
    """
    return _extreme("amax", reduce.amax, a, axis, keepdims, initial, where)


@faces("numpy numpy.min")
def amin(a, axis=None, keepdims=False, initial=None, where=True):
    """The minimum over axes.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.amin(Tensor([[1.0, 3.0], [4.0, 2.0]]), axis=1))
    [1. 2.]
    """
    return _extreme("amin", reduce.amin, a, axis, keepdims, initial, where)


max, min = amax, amin


@faces("numpy")
def argmax(a, axis=None):
    """The Int64 position of the first maximum."""
    return reduce.argmax(tensor(a), axis)


@faces("numpy")
def argmin(a, axis=None):
    """The Int32 position of the first minimum."""
    return reduce.argmin(tensor(a), axis)


@faces("numpy")
def ptp(x, axis=None, keepdims=False):
    """Maximum minus minimum."""
    return tensor(x).ptp(axis, keepdims)


def _along_axis(x, axis, weights):
    """Weights of the places on one axis, in the shape of `x`."""
    if not isinstance(axis, int) or len(weights.shape) != 1:
        rule = f"the shape {x.shape}, or one axis and 'axis' be an int"
        raise TypeError(f"For 'numpy.average', the 'weights' must have {rule}, but got {weights.shape} and {axis}.")
    if weights.shape[0] != x.shape[axis]:
        rule = f"{x.shape[axis]} elements"
        raise ValueError(f"For 'numpy.average', the 'weights' must have {rule}, but got {weights.shape[0]}.")
    sizes = [1] * len(x.shape)
    sizes[axis] = weights.shape[0]
    return shape.broadcast_to(shape.reshape(weights, tuple(sizes)), x.shape)


@faces("numpy")
def average(x, axis=None, weights=None, returned=False):
    """The weighted mean over axes.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.average(Tensor([1.0, 3.0]), weights=Tensor([3.0, 1.0])))
    1.5
    """
    x = tensor(x)
    if weights is None:
        out = reduce.mean(x, axis)
        total = create.full_like(out, x.size / (out.size or 1))
    else:
        weights = tensor(weights)
        if weights.shape != x.shape:
            weights = _along_axis(x, axis, weights)
        kind = arithmetic.mul(x, weights).dtype
        total = reduce.sum(weights, axis)
        out = create.cast(arithmetic.div(reduce.sum(arithmetic.mul(x, weights), axis), total), kind)
    return (out, total) if returned else out


@faces("numpy")
def cumsum(a, axis=None, dtype=None):
    """Running sum along an axis, or of the flat tensor."""
    kind, a = to_dtype(dtype), tensor(a)
    if a.dtype is mstype.bool_:
        a = create.cast(a, mstype.int32)
    if kind is mstype.bool_:
        return create.cast(a.cumsum(axis), kind)
    return a.cumsum(axis, kind)


@faces("numpy")
def cumprod(a, axis=None, dtype=None):
    """Running product along an axis, or of the flat tensor."""
    a = tensor(a)
    kind = a.dtype.np_dtype
    if dtype is None and kind.kind in "iub" and kind.itemsize < 4:
        dtype = mstype.uint32 if kind.kind == "u" else mstype.int32
    a, first = shape.reshape(a, (-1,)) if axis is None else a, to_dtype(dtype) if kind.kind in "iub" else None
    return _cast(cumulative.cumprod(a, axis or 0, first), dtype or a.dtype)  # floats are multiplied as they are


@faces("numpy")
def concatenate(arrays, axis=0):
    """Tensors joined along an axis, in the dtype they have in common.

    A sequence's only Tensor is returned itself. A Tensor counts as its rows; they are joined in a view of it.

    Args:
        arrays: a tuple or list of Tensors, or one Tensor.
        axis (int): the axis; None joins the flat tensors.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.concatenate((Tensor([1, 2]), Tensor([3]))))
    [1 2 3]
    """
    if isinstance(arrays, Tensor) and len(arrays.shape) > 1 and axis in (0, None):
        return shape.reshape(arrays, (-1, *arrays.shape[2:]) if axis == 0 else (-1,))
    xs = _common([tensor(x) for x in arrays])
    if axis is None:
        return join.concat([shape.ravel(x) for x in xs], 0)
    if len(xs) == 1 and not isinstance(arrays, Tensor):
        dim_of("concatenate", axis, len(xs[0].shape))
        return xs[0]
    return join.concat(xs, axis)


def _common(xs: list[Tensor]) -> list[Tensor]:
    from ms_compat._core.promotion import promote

    kind = xs[0].dtype.np_dtype
    for x in xs[1:]:
        kind = promote(kind, x.dtype.np_dtype)
    return [x if x.dtype.np_dtype == kind else create.cast(x, mstype.np_dtype_to_ms(kind)) for x in xs]


@faces("numpy")
def append(arr, values, axis=None):
    """`values` joined behind `arr`; both flat without an axis."""
    return concatenate((arr, values), axis)


@faces("numpy")
def stack(arrays, axis=0):
    """Tensors joined along a new axis, or a Tensor with its first axis moved there; an axis beyond the last wraps.

    Args:
        arrays: a tuple or list of Tensors with one shape.
        axis (int): the new axis.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.stack((Tensor([1, 2]), Tensor([3, 4])), 1))
    [[1 3]
     [2 4]]
    """
    if isinstance(arrays, Tensor):
        return shape.movedim(arrays, 0, axis % arrays.ndim)
    tensors = _common([tensor(x) for x in arrays])
    if len(tensors) == 1:
        return shape.expand_dims(tensors[0], axis % (tensors[0].ndim + 1))
    return join.stack(tensors, axis % (tensors[0].ndim + 1) if tensors else axis)


@faces("numpy")
def hstack(tup):
    """Joined along the second axis, 1-d tensors along the first; a Tensor is returned itself.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.hstack((Tensor([1, 2]), Tensor([3, 4]))))
    [1 2 3 4]
    """
    if isinstance(tup, Tensor):
        return tup
    if not len(tup):
        raise ValueError("For 'numpy.hstack', there must be at least one tensor, but got none.")
    return join.hstack([tensor(x) for x in tup])


@faces("numpy")
def vstack(tup):
    """Joined along the first axis; a Tensor is returned itself.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.vstack((Tensor([1, 2]), Tensor([3, 4]))))
    [[1 2]
     [3 4]]
    """
    return tup if isinstance(tup, Tensor) else join.vstack([tensor(x) for x in tup])


@faces("numpy")
def dstack(tup):
    """Joined along the third axis; a Tensor is returned itself."""
    return tup if isinstance(tup, Tensor) else join.dstack([tensor(x) for x in tup])


@faces("numpy")
def column_stack(tup):
    """1-d tensors as the columns of a matrix; a Tensor is returned itself."""
    return tup if isinstance(tup, Tensor) else join.column_stack([tensor(x) for x in tup])


@faces("numpy")
def split(x, indices_or_sections, axis=0):
    """Equal pieces, or pieces cut at indices; ValueError if the axis cannot be divided evenly.

    >>> from ms_compat import Tensor, numpy
    >>> print([part.tolist() for part in numpy.split(Tensor([1, 2, 3, 4]), 2)])
    [[1, 2], [3, 4]]
    """
    x = tensor(x)
    if isinstance(indices_or_sections, int):
        return shape.split_equal(x, axis, indices_or_sections)
    pieces = list(shape.tensor_split(x, tuple(indices_or_sections), axis))
    if any(0 in piece.shape for piece in pieces):
        raise ValueError(f"For 'numpy.split', no piece may be empty, but got {indices_or_sections} for {x.shape}.")
    return pieces


@faces("numpy")
def repeat(a, repeats, axis=None):
    """Each element repeated.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.repeat(Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    return join.repeat_interleave(tensor(a), repeats, axis)


@faces("numpy")
def tile(a, reps):
    """The tensor repeated along each dimension.

    Args:
        a (Tensor): any shape.
        reps: an int or a tuple of ints, how often for each dimension.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.tile(Tensor([1, 2]), 2))
    [1 2 1 2]
    """
    return join.tile(tensor(a), _sizes(reps))


@faces("numpy")
def reshape(x, new_shape):
    """The elements in another shape.

    Args:
        x (Tensor): any shape.
        new_shape: an int or a tuple of ints; one may be -1.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.reshape(Tensor([1, 2, 3, 4]), (2, 2)))
    [[1 2]
     [3 4]]
    """
    return shape.reshape(tensor(x), _sizes(new_shape))


@faces("numpy")
def transpose(a, axes=None):
    """The dimensions reversed, or in another order.

    Args:
        a (Tensor): any shape.
        axes: all axes in their new order.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.transpose(Tensor([[1, 2], [3, 4]])))
    [[1 3]
     [2 4]]
    """
    a = tensor(a)
    return shape.transpose(a, tuple(range(len(a.shape)))[::-1] if axes is None else axes)


@faces("numpy")
def rollaxis(x, axis, start=0):
    """One axis moved to stand before another."""
    x = tensor(x)
    rank = len(x.shape)
    if not -rank <= axis < rank or not -rank <= start <= rank:
        raise ValueError(f"For 'rollaxis', the axes must fit the shape {x.shape}, but got {axis} and {start}.")
    axis, start = axis % rank, start + rank if start < 0 else start
    end = start - 1 if axis < start else start
    return shape.swapaxes(x, axis, axis) if end == axis else shape.movedim(x, axis, end)


@faces("numpy")
def flip(m, axis=None):
    """The order of elements reversed along axes (all of them for None); without axes, a view of the Tensor.

    Args:
        m (Tensor): any shape.
        axis: an int or a tuple of ints; all axes by default.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.flip(Tensor([1, 2, 3])))
    [3 2 1]
    """
    m = tensor(m)
    axes = tuple(range(len(m.shape))) if axis is None else _sizes(axis)
    return join.flip(m, axes) if axes else create.whole_view(m)


@faces("numpy")
def rot90(a, k=1, axes=(0, 1)):
    """Rotated by quarter turns."""
    a = tensor(a)
    if not isinstance(k, int):
        raise TypeError(f"For 'numpy.rot90', the 'k' must be an int, but got {k!r:.60}.")
    return join.rot90(a, k, distinct(axes, len(a.shape)))


@faces("numpy")
def diag(v, k=0):
    """A matrix of a vector, or the diagonal of a matrix.

    Args:
        v (Tensor): one or two dimensions.
        k (int): the diagonal.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.diag(Tensor([1, 2])))
    [[1 0]
     [0 2]]
    """
    return join.diag_ext(tensor(v), k)


@faces("numpy")
def meshgrid(*xi, sparse=False, indexing="xy"):
    """Coordinate matrices of coordinate vectors, as a list.

    >>> from ms_compat import Tensor, numpy
    >>> columns, rows = numpy.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]))
    >>> print(columns.shape)
    (3, 2)
    """
    flag("meshgrid", sparse=sparse)
    if indexing not in ("xy", "ij"):
        raise TypeError(f"For 'numpy.meshgrid', the 'indexing' must be 'xy' or 'ij', but got {indexing!r:.60}.")
    xs = [shape.reshape(tensor(x), (-1,)) for x in xi]
    if not sparse:
        return [create.identity_cast(x, x.dtype) for x in join.meshgrid(*xs, indexing=indexing)]
    order = list(range(len(xs)))
    if indexing == "xy" and len(xs) > 1:
        order[0], order[1] = 1, 0
    return [
        shape.reshape(x, tuple([-1 if i == at else 1 for i in range(len(xs))])) for x, at in zip(xs, order, strict=True)
    ]


@faces("numpy")
def broadcast_arrays(*args):
    """The arguments broadcast against each other, as a list."""
    xs = [tensor(x) for x in args]
    size = jnp.broadcast_shapes(*[x.shape for x in xs])
    return [shape.broadcast_to(x, size).copy() for x in xs]


@faces("numpy")
def where(condition, x=None, y=None):
    """Chooses by a condition; with the condition alone the coordinates where it is true.

    Args:
        condition (Tensor): Bool.
        x, y: a Tensor or number; shapes broadcast.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.where(Tensor([True, False]), Tensor([1, 2]), Tensor([8, 9])))
    [1 9]
    """
    condition = tensor(condition)
    if condition.dtype is not mstype.bool_:
        condition = create.cast(condition, mstype.bool_)
    if x is None and y is None:
        return sort.nonzero(condition, as_tuple=True)
    return join.where(condition, *[z if z is None else tensor(z) for z in (x, y)])


@faces("numpy")
def clip(x, xmin, xmax, dtype=None):
    """The elements limited to a range (MindSpore leaves `dtype` out, too).

    The result has the tensor's dtype, joined with the dtypes of bounds that are Tensors or sequences.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.clip(Tensor([1.0, 5.0, 9.0]), 2.0, 6.0))
    [2. 5. 6.]
    """
    if dtype is not None:
        _LOG.debug("For 'numpy.clip', the 'dtype' is without effect, as in MindSpore.")
    check_any_given("numpy.clip", xmin=xmin, xmax=xmax)
    x = tensor(x)
    low, high = (tensor(limit) if isinstance(limit, (list, tuple)) else limit for limit in (xmin, xmax))
    joined = result_type(x, *[limit for limit in (low, high) if isinstance(limit, Tensor)])
    numbers = create.cast(x, mstype.int32) if x.dtype is mstype.bool_ else x
    for bound, limit in ((arithmetic.maximum, low), (arithmetic.minimum, high)):  # at a bound half of the gradient
        numbers = numbers if limit is None else bound(numbers, limit)
    return create.cast(numbers, joined)


@faces("numpy numpy.round")
def around(a, decimals=0):
    """The nearest number with some digits after the point.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.around(Tensor([0.5, 1.5])))
    [0. 2.]
    """
    return math.round(tensor(a), decimals=decimals)


round = around


@faces("numpy")
def take(a, indices, axis=None, mode="clip"):
    """Elements of the flat tensor, or slices along an axis, at indices."""
    return tensor(a).take(tensor(indices), axis, mode)


@faces("numpy")
def unique(x, return_inverse=False):
    """The different elements in order of first occurrence, with the inverse on demand."""
    values, index = sort.unique(shape.ravel(tensor(x)))
    return (values, index) if return_inverse else values


@faces("numpy")
def size(a, axis=None):
    """The number of elements, or of those along an axis."""
    a = tensor(a)
    if isinstance(axis, int) and not -len(a.shape) <= axis < len(a.shape):
        raise ValueError(f"For 'numpy.size', the 'axis' must fit the shape {a.shape}, but got {axis}.")
    return a.size if axis is None else a.shape[axis]


@faces("numpy")
def count_nonzero(x, axis=None, keepdims=False):
    """How many elements are not 0 (Int32)."""
    return reduce.count_nonzero(tensor(x), axis, keepdims)


@faces("numpy")
def searchsorted(a, v, side="left", sorter=None):
    """The insertion points of values in a sorted tensor (Int32)."""
    sorter = None if sorter is None else tensor(sorter)
    return sort.searchsorted(tensor(a), tensor(v), out_int32=True, side=side, sorter=sorter)


@faces("numpy")
def array_equal(a1, a2, equal_nan=False):
    """Whether two tensors have one shape and equal elements, as a 0-d Bool Tensor."""
    flag("array_equal", equal_nan=equal_nan)
    a1, a2 = tensor(a1), tensor(a2)
    same = a1.shape == a2.shape and np.array_equal(a1.asnumpy(), a2.asnumpy(), equal_nan=equal_nan)
    return Tensor(bool(same))


@faces("numpy")
def isin(element, test_elements, invert=False):
    """Where the elements occur in a second tensor.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.isin(Tensor([1, 2, 3]), Tensor([2])))
    [False  True False]
    """
    out = compare.isin(tensor(element), tensor(test_elements))
    return compare.logical_not(out) if invert else out


@faces("numpy")
def in1d(ar1, ar2, invert=False):
    """As `isin`, of the flat tensor."""
    return isin(shape.ravel(tensor(ar1)), ar2, invert)


@faces("numpy")
def isscalar(element) -> bool:
    """Whether an object is a Python number or string."""
    return isinstance(element, (int, float, bool, str, np.generic))


@faces("numpy")
def asfarray(a, dtype=mstype.float32):
    """A floating tensor; Float32 if another dtype is requested."""
    kind = to_dtype(dtype)
    out = asarray(a, kind if kind is None or kind in mstype.float_type else mstype.float32)
    return create.another(out) if out is a else out


@faces("numpy")
def copy(a):
    """A new tensor with the same values.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.copy(Tensor([1, 2])))
    [1 2]
    """
    return array(a)


@faces("numpy")
def norm(x, ord=None, axis=None, keepdims=False):
    """A norm of vectors or matrices.

    Args:
        x: a Tensor, or what one can be made of.
        ord: a number, "fro" or "nuc".
        axis: an int, or a tuple of two ints for matrices.
        keepdims (bool): whether the axes stay, with size 1.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.norm(Tensor([3.0, 4.0])))
    5.0
    """
    x = tensor(x)
    if x.dtype is mstype.float16:
        x = create.cast(x, mstype.float32)
    if isinstance(axis, (tuple, list)) and len(axis) > 2:
        raise ValueError(f"For 'numpy.norm', the 'axis' must be one or two axes, but got {axis}.")
    axes = distinct(axis, len(x.shape))
    if norms.rank_of(x, axes) == 1 and isinstance(ord, str):
        raise ValueError(f"For 'numpy.norm', the 'ord' must be a number for vectors, but got '{ord}'.")
    rank = norms.rank_of(x, axes)
    if ord in (np.inf, -np.inf) or rank == 2 and ord in (1, -1):
        return norms.extreme_norm(x, ord, axes, keepdims)
    if ord == 0 and rank == 1 and x.dtype not in mstype.float_type + mstype.complex_type:
        x = create.cast(x, mstype.float32)
    return norms.norm(x, 2.0 if rank == 1 and ord == 2 else norms.by_value(ord), axes, keepdims)  # 2.0: NaN at zeros


@faces("numpy")
def result_type(*arrays_and_dtypes):
    """The dtype that tensors, dtypes and numbers have in common."""
    given = [tensor(x) if isinstance(x, (int, float, list)) else x for x in arrays_and_dtypes]
    kinds = [x.dtype.np_dtype if isinstance(x, Tensor) else _kind(x) for x in given]
    out = kinds[0]
    for kind in kinds[1:]:
        out = _joined(out, kind)
    return mstype.np_dtype_to_ms(out)


def _kind(x: Any) -> np.dtype:
    kind = to_dtype(x)
    if kind is None:
        raise TypeError(f"A dtype is needed, but got {x!r:.60}.")
    return kind.np_dtype


def _joined(one: np.dtype, other: np.dtype) -> np.dtype:
    """What two dtypes have in common, also where MindSpore's operations refuse them (UInt16 and Int32)."""
    from ms_compat._core.promotion import promote

    if "u" in (one.kind, other.kind) and "V" not in (one.kind, other.kind):
        if {one.kind, other.kind} <= set("iu"):
            return np.promote_types(one, other)
        if "f" in (one.kind, other.kind):
            return one if one.kind == "f" else other
    return promote(one, other)


@faces("numpy")
def promote_types(type1, type2):
    """The dtype that two dtypes have in common."""
    return mstype.np_dtype_to_ms(_joined(_kind(type1), _kind(type2)))


PINF = inf = python_math.inf
pi, e, nan, NINF = python_math.pi, python_math.e, python_math.nan, -inf
table_faces(__name__, "pi e inf nan PINF NINF", "numpy")
