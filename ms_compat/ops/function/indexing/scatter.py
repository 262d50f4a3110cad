"""Writing elements by index tensors: functions that return a new tensor (`tensor_scatter_*`, `scatter`), and those
that change a Parameter in place (`scatter_*`, `scatter_nd_*`), which are the same computation followed by
a write (`update/results.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_dtype, check_same_dtype, check_shape, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, is_integral
from ms_compat._core.dtype import int32
from ms_compat._core.errors import check_one_of, check_type
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, dim_of, tensor
from ms_compat.ops.function.elementwise.arithmetic import _truncate_divide
from ms_compat.ops.function.indexing.bounds import check_coordinates, check_index
from ms_compat.ops.function.indexing.gather import scatter_product
from ms_compat.ops.function.shape.create import cast as cast_tensor
from ms_compat.ops.function.shape.diagonals import take_diagonal
from ms_compat.ops.function.update.results import check_convertible, written, written_without_gradient

_WAYS = {
    "update": "set",
    "none": "set",
    "add": "add",
    "sub": "add",
    "mul": "multiply",
    "div": "divide",
    "max": "max",
    "min": "min",
}


def _apply(where, way: str, values):
    values = -values if way == "sub" else values
    if way in ("mul", "div"):
        x = where.array
        numbers = jnp.arange(x.size).reshape(x.shape).at[where.index].get(mode="fill", fill_value=x.size)
        places, factors = numbers.reshape(-1), jnp.broadcast_to(values, numbers.shape).reshape(-1)
        if way == "mul":
            return scatter_product(x.reshape(-1), places, factors).reshape(x.shape)
        divisor = scatter_product(jnp.ones(x.size, x.dtype), places, factors).reshape(x.shape)
        return _truncate_divide(x, divisor) if is_integral(x.dtype) else x / divisor
    return getattr(where, _WAYS[way])(values, mode="drop")


@op(static=("way",))
def _scatter_nd(input_x, indices, updates, way):
    check_dtype("TensorScatter", "indices", indices, np.int32, np.int64)
    check_same_dtype("TensorScatter", updates=updates, input_x=input_x)
    depth = indices.shape[-1]
    expected = indices.shape[:-1] + input_x.shape[depth:]
    check_shape("TensorScatter", "updates", updates, expected)
    return _apply(input_x.at[tuple([indices[..., i] for i in range(depth)])], way, updates)


def _check_positions(api: str, x: Any, indices: Any, error: type) -> None:
    """Check coordinates to write to: a matrix of them or more dimensions, within the shape of `x`."""
    if isinstance(indices, Tensor) and indices.ndim == 1:
        raise ValueError(f"For '{api}', the 'indices' must have at least 2 dimensions, but got {indices.shape}.")
    check_coordinates(api, x, indices, error)


def _tensor_scatter(way: str) -> Callable:
    name = f"tensor_scatter_{way}"

    def function(input_x, indices, updates):
        error = ValueError if way == "update" else RuntimeError
        _check_positions(f"TensorScatter{way.capitalize()}", input_x, indices, error)
        return _scatter_nd(input_x, indices, updates, way)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"A copy with the slices at coordinates changed by `{way}`.\n\nArgs:\n    input_x: a Tensor.\n"
        "    indices: an integer Tensor of at least 2 dimensions with coordinates in the last.\n"
        "    updates: a Tensor of the same dtype, of shape indices.shape[:-1] + input_x.shape[indices.shape[-1]:].\n"
    )
    return function


tensor_scatter_update, tensor_scatter_add, tensor_scatter_sub, tensor_scatter_mul = (
    _tensor_scatter(way) for way in ("update", "add", "sub", "mul")
)
table_faces(__name__, "tensor_scatter_mul", "ops Tensor.scatter_mul")
table_faces(__name__, "tensor_scatter_sub", "ops Tensor.scatter_sub")
table_faces(__name__, "tensor_scatter_update tensor_scatter_add", "ops")
tensor_scatter_div, tensor_scatter_max, tensor_scatter_min = (_tensor_scatter(way) for way in ("div", "max", "min"))
table_faces(__name__, "tensor_scatter_div", "ops Tensor.scatter_div")
table_faces(__name__, "tensor_scatter_max", "ops Tensor.scatter_max")
table_faces(__name__, "tensor_scatter_min", "ops Tensor.scatter_min")


@op(static=("shape",), tensors="updates")
def _scatter_zeros(indices, updates, shape):
    depth = indices.shape[-1]
    zeros = jnp.zeros(shape, updates.dtype)
    return zeros.at[tuple([indices[..., i] for i in range(depth)])].add(updates, mode="drop")


@faces("ops", primitive="ScatterNd()(indices, updates, shape)")
def scatter_nd(indices, updates, shape):
    """Zeros of a shape with updates added at coordinates.

    Args:
        indices: an integer Tensor of at least 2 dimensions with coordinates in the last.
        updates: a Tensor.
        shape: a tuple of ints.

    Raises:
        ValueError: the indices have another number of dimensions.
        RuntimeError: a coordinate is out of range (eagerly, on a CPU).
    """
    shape = tuple([int(n) for n in (shape.asnumpy() if isinstance(shape, Tensor) else shape)])
    _check_positions("ScatterNd", _Shaped(shape), indices, RuntimeError)
    return _scatter_zeros(indices, updates, shape)


class _Shaped:
    """Something with a shape, for checks before a tensor exists."""

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape


@op(static=("axis", "way"))
def _scatter_elements(input, axis, index, src, way):
    if input.dtype != src.dtype:
        src = cast(src, input.dtype)
    src = jnp.broadcast_to(src, index.shape) if src.ndim == 0 else src[tuple([np.s_[:n] for n in index.shape])]
    grid = list(jnp.meshgrid(*[jnp.arange(n) for n in index.shape], indexing="ij", sparse=True))
    size = input.shape[axis]
    grid[axis] = jnp.where(index < 0, index + size, index)
    return _apply(input.at[tuple(grid)], way, src)


def _same_dtype(api: str, name: str, value: Any, other_name: str, other: Any) -> None:
    """TypeError unless both are Tensors of one dtype."""
    if not isinstance(value, Tensor) or not isinstance(other, Tensor) or value.dtype != other.dtype:
        got = [str(v.dtype) if isinstance(v, Tensor) else type(v).__name__ for v in (value, other)]
        raise TypeError(f"For '{api}', '{name}' and '{other_name}' must be Tensors of one dtype, but got {got}.")


@faces("ops", primitive="TensorScatterElements(axis=0, reduction='none')(data, indices, updates)")
def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """A copy with the elements at indices along an axis replaced, or added to with reduction "add".

    Args:
        input_x: a Tensor.
        indices: an integer Tensor of the same rank.
        updates: a Tensor shaped like `indices`.
        axis: an int.
        reduction: "none" or "add".

    Raises:
        ValueError: another reduction.
        RuntimeError: an index is out of range (eagerly, on a CPU).

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(ops.tensor_scatter_elements(x, Tensor([2, 0]), Tensor([9.0, 8.0])))
    [8. 2. 9.]
    """
    check_one_of("tensor_scatter_elements", "reduction", reduction, ("none", "add"))
    _same_dtype("tensor_scatter_elements", "input_x", input_x, "updates", updates)
    check_tensors("tensor_scatter_elements", indices=indices)
    at = dim_of("tensor_scatter_elements", axis, len(input_x.shape))
    size = input_x.shape[at]
    if (
        updates.shape
        and updates.shape != indices.shape
        and any(n > m for n, m in zip(indices.shape, updates.shape, strict=False))
    ):
        raise RuntimeError(
            f"For 'TensorScatterElements', 'updates' must have the shape {indices.shape}, but got {updates.shape}."
        )
    check_index("TensorScatterElements", indices, size, -size, "indices")
    return _scatter_elements(input_x, at, indices, updates, reduction)


@faces("ops")
def scatter(input, axis, index, src):
    """A copy in which `src` replaces the elements at indices along an axis.

    Args:
        input: a Tensor.
        axis: an int.
        index: an integer Tensor of the same rank.
        src: a Tensor at least as large as `index`, or a number.
    """
    check_type("scatter", "src", src, (Tensor, bool, int, float, complex, np.generic))
    src = src if isinstance(src, Tensor) else Tensor(src, input.dtype)
    return tensor_scatter_elements(input, index, src, axis)


@op
def _masked_scatter(x, mask, source):
    check_dtype("masked_scatter", "mask", mask, np.dtype(bool), np.dtype(np.uint8))
    if source.dtype != x.dtype:
        raise TypeError(
            f"For 'masked_scatter', the 'source' must be of type {x.dtype.name}, but got {source.dtype.name}."
        )
    size = jnp.broadcast_shapes(x.shape, mask.shape)
    chosen = jnp.broadcast_to(mask != 0, size)
    place = jnp.cumsum(chosen.ravel()) - 1
    taken = source.ravel()[jnp.clip(place, 0, max(source.size - 1, 0))].reshape(size)
    return jnp.where(chosen, taken, x)


@faces("Tensor Tensor.masked_scatter_", primitive="MaskedScatter()(input, mask, source)")
def masked_scatter(input, mask, source):
    """A copy in which elements of `source`, in order, replace those where a mask is true.

    Args:
        input: a Tensor.
        mask: a Bool Tensor that broadcasts with it.
        source: a Tensor of the same dtype with at least as many elements as the mask has trues.

    Raises:
        TypeError: another dtype.
        ValueError: too few elements (checked where the mask's values are known).
    """
    out = _masked_scatter(input, mask, source)
    if not isinstance(mask._v, Tracer):
        count = int((np.broadcast_to(mask.asnumpy(), out.shape) != 0).sum())
        if count > source.size:
            raise ValueError(f"For 'masked_scatter', the 'source' must have {count} elements, but got {source.size}.")
    return out


@faces("Tensor.scatter_add_ mint.scatter_add")
def scatter_add_elements(input, dim, index, src):
    """A copy with the elements of `src` added at indices along a dimension (`mint.scatter_add`).

    Args:
        input (Tensor): any shape.
        dim (int): the dimension.
        index (Tensor): integers, where each element of `src` goes.
        src (Tensor): what is added.

    >>> from ms_compat import Tensor, mint
    >>> x = Tensor([1.0, 2.0])
    >>> print(mint.scatter_add(x, 0, Tensor([0, 0]), Tensor([5.0, 6.0])), x.scatter_add_(0, Tensor([1]), Tensor([1.0])))
    [12.  2.] [1. 3.]
    """
    return tensor_scatter_elements(input, index, src, dim, "add")


@op(static=("way",))
def _scatter_rows(input_x, indices, updates, way):
    expected = indices.shape + input_x.shape[1:]
    if updates.ndim and updates.shape != expected:
        raise ValueError(f"For 'Scatter', the shape of 'updates' must be {expected}, but got {updates.shape}.")
    return _apply(input_x.at[indices], way, cast(updates, input_x.dtype))


@op(static=("nd",))
def _replacing(input_x, indices, updates, new, nd):
    """The new value with the gradients of MindSpore's rule: all of the result's go to `input_x`, those at the indices
    to the updates, too."""
    places = tuple([indices[..., i] for i in range(indices.shape[-1])]) if nd else indices
    return _by_rule(input_x, places, cast(updates, input_x.dtype), new)


@jax.custom_jvp
def _by_rule(x, places, updates, new):
    return new


@_by_rule.defjvp
def _by_rule_jvp(primals, tangents):
    x, places, _, _ = primals
    return _by_rule(*primals), tangents[0] + jnp.zeros_like(x).at[places].add(tangents[2], mode="drop")


def _in_place(way: str, nd: bool) -> Callable:
    name = f"scatter_nd_{way}" if nd else f"scatter_{way}"

    def function(input_x, indices, updates, use_locking=False):
        check_tensors(name, input_x=input_x)
        if nd:
            _check_positions(name, input_x, indices, ValueError if way == "update" else RuntimeError)
        else:
            check_index(name, indices, input_x.shape[0], 0, "indices")
        check_type(name, "updates", updates, (Tensor, bool, int, float, np.generic))
        if not isinstance(updates, Tensor):
            if isinstance(updates, float) and is_integral(input_x.dtype.np_dtype):
                raise TypeError(f"For '{name}', a float cannot be converted to the Parameter's {input_x.dtype}.")
            raise ValueError(f"For '{name}', the 'updates' must be a Tensor with a slice for each index.")
        check_convertible(name, input_x, updates)
        if updates.dtype is not input_x.dtype:
            updates = cast_tensor(updates, input_x.dtype)
        new = (_scatter_nd if nd else _scatter_rows)(input_x, indices, updates, way)
        if way in (("update",) if nd else ("update", "max", "min")):
            return written(input_x, _replacing(input_x, indices, updates, new, nd))
        return written_without_gradient(name, input_x, new)

    function.__name__ = function.__qualname__ = name
    what = "coordinates in the last dimension of `indices`" if nd else "indices of the first axis"
    function.__doc__ = (
        f"Change a Parameter in place by `{way}` at {what}.\n\nArgs:\n    input_x: a Parameter.\n"
        "    indices: an integer Tensor.\n    updates: a Tensor.\n    use_locking: without effect in JAX.\n\n"
        "Returns:\n    The new value.\n"
    )
    return function


scatter_update, scatter_add, scatter_sub, scatter_mul = (_in_place(w, False) for w in ("update", "add", "sub", "mul"))
table_faces(__name__, "scatter_update scatter_add scatter_mul", "ops")
scatter_div, scatter_max, scatter_min = (_in_place(w, False) for w in ("div", "max", "min"))
table_faces(__name__, "scatter_div scatter_max scatter_min", "ops")
scatter_nd_update, scatter_nd_add, scatter_nd_sub = (_in_place(w, True) for w in ("update", "add", "sub"))
table_faces(__name__, "scatter_nd_update scatter_nd_add scatter_nd_sub", "ops")
scatter_nd_mul, scatter_nd_div = (_in_place(w, True) for w in ("mul", "div"))
table_faces(__name__, "scatter_nd_mul scatter_nd_div", "ops")
scatter_nd_max, scatter_nd_min = (_in_place(w, True) for w in ("max", "min"))
table_faces(__name__, "scatter_nd_max scatter_nd_min", "ops")


@op(static=("axis", "way"))
def _index_way(x, indices, y, axis, way):
    where = x.at[(np.s_[:],) * axis + (indices,)]
    if way == "add" and y.shape != (expected := (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])):
        raise ValueError(f"For 'IndexAdd', the shape of 'y' must be {expected}, but got {y.shape}.")
    return _apply(where, way, cast(y, x.dtype))


@faces("Tensor.index_add Tensor.index_add_ mint.index_add")
@op(static=("dim",))
def index_add_ext(input, dim, index, source, alpha=1):
    """A copy with `alpha * source` added at indices along a dimension.

    Args:
        input (Tensor): any shape.
        dim (int): the dimension.
        index (Tensor): integers, one dimension.
        source (Tensor): what is added, as many slices as `index` has elements.
        alpha: a number.

    >>> from ms_compat import Tensor, mint
    >>> x = Tensor([1.0, 2.0])
    >>> print(mint.index_add(x, 0, Tensor([1]), Tensor([5.0])), x.index_add(0, Tensor([0]), Tensor([5.0]), alpha=2))
    [1. 7.] [11.  2.]
    """
    at = dim_of("index_add", dim, input.ndim, "dim")
    return input.at[(np.s_[:],) * at + (index,)].add(cast(alpha, input.dtype) * source, mode="drop")


@faces("ops")
def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Add slices to a Parameter or a Tensor at indices along an axis, in place.

    Args:
        x: a Parameter or a Tensor.
        indices: a 1-d Int32 Tensor.
        y: the slices.
        axis: an int.
        use_lock: without effect in JAX.
        check_index_bound: whether an index out of range is an error.

    Raises:
        TypeError: the indices are not Int32.
    """
    check_tensors("IndexAdd", x=x, indices=indices)
    check_dtype("IndexAdd", "indices", indices, int32)
    at = dim_of("IndexAdd", axis, len(x.shape))
    if check_index_bound:
        check_index("IndexAdd", indices, x.shape[at], 0, "indices")
    return written(x, _index_way(x, indices, y, at, "add"))


@faces("Tensor.index_fill_")
def index_fill_ext(input, dim, index, value):
    """As `index_fill`, with indices of any integer type."""
    check_tensors("index_fill", input=input, index=index)
    at = dim_of("index_fill", dim, len(input.shape), "dim")
    check_index("index_fill", index, input.shape[at], -input.shape[at])
    return _index_way(input, index, value, at, "update")


@faces("ops Tensor")
def index_fill(x, axis, index, value):
    """A copy with the slices at indices along an axis filled with a value.

    Args:
        x: a Tensor.
        axis: an int.
        index: an Int32 Tensor.
        value: a number or a 0-d Tensor.

    Raises:
        TypeError: the index is not Int32.
    """
    check_tensors("index_fill", index=index)
    check_dtype("index_fill", "index", index, int32)
    return index_fill_ext(x, axis, index, value)


@op(static=("accumulate",), name="index_put", tensors="values")
def _index_put(input, indices, values, accumulate):
    return _apply(input.at[tuple(indices)], "add" if accumulate else "update", cast(values, input.dtype))


@faces("Tensor Tensor.index_put_")
def index_put(input, indices, values, accumulate=False):
    """A copy with the elements at `input[indices]` replaced, or added to.

    Args:
        input: a Tensor.
        indices: a tuple or list of integer Tensors, one a dimension from the first on.
        values: a Tensor that broadcasts to the elements.
        accumulate: whether to add.

    Raises:
        TypeError: the indices are not a tuple of integer Tensors.
        ValueError: an index is out of range (eagerly, on a CPU).
    """
    check_type("index_put", "indices", indices, (tuple, list))
    for index, size in zip(indices, input.shape, strict=False):
        check_index("index_put", index, size, -size, "indices", ValueError)
    return _index_put(input, tuple(indices), values, bool(accumulate))


def _rows(x, indices, error=ValueError) -> Tensor:
    if not isinstance(indices, (int, tuple)) or isinstance(indices, bool):
        raise TypeError(f"For 'InplaceUpdate', 'indices' must be an int or a tuple, but got {type(indices).__name__}.")
    size = x.shape[0] if x.shape else 0
    for row in (indices,) if isinstance(indices, int) else indices:
        if not -size <= row < size:
            raise error(f"For 'InplaceUpdate', 'indices' must be in [{-size}, {size}), but got {row}.")
    return Tensor(np.atleast_1d(np.array(indices, np.int64)))


@faces("ops Tensor", primitive="InplaceUpdate(indices)(x, v)")
def inplace_update(x, v, indices):
    """A copy with the rows at `indices` (an int, a tuple, or a Tensor of one dimension) replaced by `v`."""
    _same_dtype("InplaceUpdate", "x", x, "v", v)
    if len(v.shape) != len(x.shape):
        raise ValueError(f"For 'InplaceUpdate', 'x' and 'v' must have one rank, but got {x.shape} and {v.shape}.")
    if isinstance(indices, Tensor):
        if indices.ndim != 1:
            raise RuntimeError(f"For 'InplaceUpdate', 'indices' must be of one dimension, but got {indices.shape}.")
        if not isinstance(indices._v, Tracer):
            _rows(x, tuple(indices.asnumpy().tolist()), RuntimeError)
        return _scatter_rows(x, indices, v, "update")
    return _scatter_rows(x, _rows(x, indices, RuntimeError), v, "update")


@faces("ops", primitive="InplaceAdd(indices)(x, v)")
def inplace_add(x, v, indices):
    """A copy with `v` added to the rows at `indices` (an int or a tuple)."""
    _same_dtype("InplaceAdd", "x", x, "v", v)
    return _scatter_rows(x, _rows(x, indices), v, "add")


@faces("ops", primitive="InplaceSub(indices)(x, v)")
def inplace_sub(x, v, indices):
    """A copy with `v` subtracted from the rows at `indices` (an int or a tuple)."""
    _same_dtype("InplaceSub", "x", x, "v", v)
    return _scatter_rows(x, _rows(x, indices), v, "sub")


def _fits(api: str, src: Any, shape: tuple[int, ...]) -> None:
    """ValueError unless the part that replaces another has its shape."""
    if src.shape != shape:
        raise ValueError(
            f"For '{api}', the 'src' must have the shape {shape} of what it replaces, but got {src.shape}."
        )


@faces("ops Tensor")
@op(static=("axis", "index"))
def select_scatter(input, src, axis, index):
    """A copy with the slice at `index` along an axis replaced.

    Raises:
        ValueError: `index` is out of range, or `src` has another shape than the slice.
    """
    tensor("select_scatter", input), tensor("select_scatter", src, "src")
    at = axis_of("select_scatter", axis, input.ndim)
    if not -input.shape[at] <= index < input.shape[at]:
        size = input.shape[at]
        raise ValueError(f"For 'select_scatter', the 'index' must be in [{-size}, {size}), but got {index}.")
    _fits("select_scatter", src, input.shape[:at] + input.shape[at + 1 :])
    return input.at[(np.s_[:],) * at + (index,)].set(src)


@faces("ops Tensor")
@op(static=("axis", "start", "end", "step"), tensors="input src")
def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    """A copy with the slice [start:end:step] along an axis replaced; ValueError unless `src` has the slice's shape."""
    at = axis_of("slice_scatter", axis, input.ndim)
    taken = len(range(*slice(start, end, step).indices(input.shape[at])))
    _fits("slice_scatter", src, (*input.shape[:at], taken, *input.shape[at + 1 :]))
    return input.at[(np.s_[:],) * at + (np.s_[start:end:step],)].set(src)


@faces("ops Tensor")
@op(static=("offset", "dim1", "dim2"), tensors="src")
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy with a diagonal replaced; ValueError unless `src` has the diagonal's shape."""
    x = tensor("diagonal_scatter", input)
    places = take_diagonal(jnp.arange(x.size).reshape(x.shape), offset, dim1, dim2)
    _fits("diagonal_scatter", src, places.shape)
    flat = places.reshape(-1)
    return x.reshape(-1).at[flat].set(src.reshape(-1)).reshape(x.shape)


@op(static=("wrap",), name="fill_diagonal")
def _filled_diagonal(x, value, wrap):
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise ValueError(f"For 'FillDiagonal', all sizes of 3 and more dimensions must be equal, but got {x.shape}.")
    step = sum(math.prod(x.shape[at + 1 :]) for at in range(x.ndim))
    end = x.size if wrap or x.ndim > 2 else min(x.size, x.shape[1] * x.shape[1])
    return x.reshape(-1).at[: end : step or 1].set(cast(value, x.dtype)).reshape(x.shape)


@faces("Tensor Tensor.fill_diagonal_", primitive="FillDiagonal(fill_value, wrap=False)(input_x)")
def fill_diagonal(input, fill_value, wrap=False):
    """A copy with one value on the main diagonal.

    Args:
        input: a Tensor of 2 dimensions, or of more that have one size.
        fill_value: a number.
        wrap: whether the diagonal of a tall matrix starts again below, one row after its end.

    Raises:
        ValueError: fewer dimensions, or different sizes.
    """
    check_tensors("FillDiagonal", input=input)
    if len(input.shape) < 2:
        raise ValueError(f"For 'FillDiagonal', the input must have 2 dimensions or more, but got {input.shape}.")
    return _filled_diagonal(input, fill_value, wrap)
