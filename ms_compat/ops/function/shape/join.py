"""Putting tensors together, repeating, padding and rearranging them; unlike the operations of `shape.py` these copy."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_choice, check_dtype, check_rank_at_least, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, is_integral, number_kind, promote_args, strong
from ms_compat._core.errors import check_one_of, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import array_of_size, has_symbolic_size, is_positive
from ms_compat._core.promotion import promote
from ms_compat._core.settings.memory_limits import check_results
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.axes import axes_of, axis_of, dim_of, integer, shape_of, tensor
from ms_compat.ops.function.indexing.gather import take_flat
from ms_compat.ops.function.shape.diagonals import offset32, put_on_diagonal, take_diagonal
from ms_compat.ops.function.shape.views import broadcast_to, reshape


def _sequence(api: str, xs: Any) -> tuple:
    if not isinstance(xs, (tuple, list)):
        what = "one Tensor; write (a, b)" if hasattr(xs, "dtype") else type(xs).__name__
        raise TypeError(f"For '{api}', 'tensors' must be a tuple or list of Tensors, but got {what}.")
    if not xs:
        raise ValueError(f"For '{api}', the input must hold at least one Tensor, but it is empty.")
    return tuple([tensor(api, x) for x in xs])


@op(static=("axis", "dtype"), name="Concat")
def _concat(tensors, axis, dtype=None):
    xs = _sequence("Concat", tensors)
    at = axis_of("Concat", axis, xs[0].ndim)
    rest = [tuple([n for i, n in enumerate(x.shape) if i != at]) for x in xs]
    if any(x.ndim != xs[0].ndim or r != rest[0] for x, r in zip(xs, rest, strict=True)):
        raise ValueError(f"For 'Concat', shapes must agree but for axis {axis}, but got {[x.shape for x in xs]}.")
    if dtype is not None:
        xs = tuple([cast(x, dtype) for x in xs])
    if any(x.dtype != xs[0].dtype for x in xs):
        raise RuntimeError(f"For 'Concat', the dtypes must be the same, but got {[x.dtype.name for x in xs]}.")
    return jnp.concatenate(xs, axis=at)


@faces("ops ops.cat", primitive="Concat(axis=0)(tensors)")
def concat(tensors, axis=0):
    """Tensors joined along an existing axis; in compiled code MindSpore combines several dtypes.

    Args:
        tensors: a tuple or list of Tensors.
        axis: an int.

    Raises:
        TypeError: `tensors` is not a sequence of Tensors; in compiled code, MindSpore does not combine the dtypes.
        ValueError: it is empty, or shapes differ beside the axis.
        RuntimeError: the dtypes differ, in PYNATIVE_MODE.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.concat((Tensor([1]), Tensor([2, 3]))))
    [1 2 3]
    """
    dtype = _combined_dtype(tensors) if scopes.as_compiled() else None
    return _concat(tensors, axis) if dtype is None else _concat(tensors, axis, dtype)


def _combined_dtype(tensors: Any) -> np.dtype | None:
    """The dtype in which compiled code joins Tensors of several dtypes; None where they have one."""
    if not isinstance(tensors, (tuple, list)) or not all(isinstance(x, Tensor) for x in tensors):
        return None
    dtypes = dict.fromkeys(x.dtype.np_dtype for x in tensors)
    return functools.reduce(promote, dtypes) if len(dtypes) > 1 else None


@faces("ops", primitive="Pack(axis=0)(tensors); Stack(axis=0)(tensors)")
@op(static=("axis",))
def stack(tensors, axis=0):
    """Tensors of one dtype and shape joined along a new axis.

    Args:
        tensors: a tuple or list of Tensors.
        axis: an int.

    Raises:
        TypeError: the dtypes differ.
        ValueError: the shapes differ, or the axis is out of range.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.stack([Tensor([1, 2]), Tensor([3, 4])], axis=1))
    [[1 3]
     [2 4]]
    """
    xs = [tensors] if isinstance(tensors, jax.Array) else _sequence("Stack", tensors)
    if any(x.shape != xs[0].shape for x in xs):
        raise ValueError(f"For 'Stack', all shapes must be the same, but got {[x.shape for x in xs]}.")
    if any(x.dtype != xs[0].dtype for x in xs):
        raise TypeError(f"For 'Stack', all dtypes must be the same, but got {[x.dtype.name for x in xs]}.")
    return jnp.stack(xs, axis=axis_of("Stack", axis, xs[0].ndim + 1))


def _at_least(x: Any, ndim: int) -> Any:
    return x.reshape((1,) * (ndim - x.ndim) + tuple(x.shape)) if x.ndim < ndim else x


def _atleast(ndim: int, inputs: Any) -> Any:
    if not isinstance(inputs, (tuple, list)):
        if not isinstance(inputs, Tensor):
            raise TypeError(f"For 'atleast_{ndim}d', the inputs must be Tensors, but got {type(inputs).__name__}.")
        return inputs if len(inputs.shape) >= ndim else with_dimensions(inputs, ndim)
    return tuple([_atleast(ndim, x) for x in inputs])


def with_dimensions(x: Tensor, ndim: int) -> Tensor:
    """The Tensor with at least so many dimensions; a view in PYNATIVE_MODE, and one of at least 3 itself."""
    shape = tuple(x.shape)
    if len(shape) >= ndim:
        return x if ndim == 3 else reshape(x, shape)
    if ndim == 3:
        return reshape(x, (*shape, 1) if len(shape) == 2 else (1, *(shape or (1,)), 1))
    return reshape(x, (1,) * (ndim - len(shape)) + shape)


@faces("ops")
def atleast_1d(inputs):
    """The tensor or tensors with at least one dimension."""
    return _atleast(1, inputs)


@faces("ops")
def atleast_2d(inputs):
    """The tensor or tensors with at least two dimensions."""
    return _atleast(2, inputs)


@faces("ops")
def atleast_3d(inputs):
    """The tensor or tensors with at least three dimensions."""
    return _atleast(3, inputs)


def _tensors_of(api: str, tensors: Any, when_empty: type[Exception] = TypeError) -> tuple:
    """The Tensors of a tuple or list; for none MindSpore raises errors of different classes."""
    check_type(api, "tensors", tensors, (tuple, list))
    for x in tensors:
        check_tensors(api, tensors=x)
    if not tensors:
        raise when_empty(f"For '{api}', the 'tensors' must hold at least one Tensor.")
    return tuple(tensors)


@faces("ops mint")
def hstack(tensors):
    """Joined along the second axis; 1-d tensors along the first."""
    xs = atleast_1d(_tensors_of("hstack", tensors, ValueError))
    return concat(xs, 0 if len(xs[0].shape) == 1 else 1)


@faces("ops")
def vstack(inputs):
    """Joined along the first axis; 1-d tensors become rows.

    Args:
        inputs: a tuple or list of Tensors.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.vstack((Tensor([1, 2]), Tensor([3, 4]))))
    [[1 2]
     [3 4]]
    """
    return concat(atleast_2d(_tensors_of("vstack", inputs)), 0)


@faces("ops")
def row_stack(tensors):
    """As `vstack`."""
    return vstack(tensors)


@faces("ops mint")
def dstack(tensors):
    """Joined along the third axis."""
    return concat(atleast_3d(_tensors_of("dstack", tensors)), 2)


@faces("ops")
def column_stack(tensors):
    """Joined along the second axis; 1-d tensors become columns."""
    xs = _tensors_of("column_stack", tensors, ValueError)
    return concat(tuple([x if len(x.shape) > 1 else reshape(x, (-1, 1)) for x in xs]), 1)


@op
def _block_diag(xs):
    return jax.scipy.linalg.block_diag(*xs)


@faces("ops")
def block_diag(*inputs):
    """A matrix with the inputs as blocks on its diagonal."""
    for x in inputs:
        check_tensors("block_diag", inputs=x)
    return _block_diag(inputs)


@faces("ops mint", primitive="Tile()(input, dims)")
@op(static=("dims",))
def tile(input, dims):
    """The tensor repeated along each dimension.

    Args:
        input: a Tensor.
        dims: how often, a tuple of ints; shorter tuples count from the last dimension.

    Raises:
        TypeError: `dims` is not a sequence of ints.
        ValueError: an element is negative.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.tile(Tensor([1, 2]), (2, 2)))
    [[1 2 1 2]
     [1 2 1 2]]
    """
    x = tensor("tile", input)
    times = shape_of("tile", dims, "dims")
    if any(n < 0 for n in times):
        raise ValueError(f"For 'tile', 'dims' must not be negative, but got {times}.")
    return jnp.tile(x, times)


@op(static=("repeats", "axis"))
def _repeat(input, repeats, axis):
    if isinstance(repeats, tuple):
        return jnp.repeat(input, np.asarray(repeats), axis=axis)
    x, axis = (input.reshape(-1), 0) if axis is None else (input, axis % input.ndim)  # JAX's takes no open size
    before, length, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
    apart = jnp.broadcast_to(x.reshape((*before, length, 1, *after)), (*before, length, repeats, *after))
    return apart.reshape((*before, length * repeats, *after))


@faces("ops")
def repeat_interleave(input, repeats, axis=None):
    """Each element repeated.

    Args:
        input: a Tensor.
        repeats: how often: an int, or one int for each element of the axis.
        axis: None (of the flat tensor) or an int.

    Raises:
        ValueError: `repeats` is negative or of another length.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.repeat_interleave(Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    check_tensors("repeat_interleave", input=input)
    counts = repeats.asnumpy().tolist() if isinstance(repeats, Tensor) else repeats
    counts = tuple(counts) if isinstance(counts, (tuple, list)) else integer("repeat_interleave", "repeats", counts)
    many = counts if isinstance(counts, tuple) else (counts,)
    if any(c < 0 for c in many):
        raise ValueError(f"For 'repeat_interleave', 'repeats' must not be negative, but got {counts}.")
    size = input.size if axis is None else input.shape[dim_of("repeat_interleave", axis, len(input.shape))]
    if len(many) not in (1, size):
        raise ValueError(f"For 'repeat_interleave', 'repeats' must have 1 or {size} elements, but got {len(many)}.")
    return _repeat(input, counts, axis)


@faces("ops")
def repeat_elements(x, rep, axis=0):
    """Each slice along an axis `rep` times in a row.

    Raises:
        ValueError: `rep` is not positive, or `x` has more than seven dimensions.

    Args:
        x (Tensor): at least one dimension.
        rep (int): how often, at least 1.
        axis (int): the dimension.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.repeat_elements(Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    check_tensors("repeat_elements", x=x)
    if len(x.shape) > 7:
        raise ValueError(f"For 'repeat_elements', 'x' must have at most 7 dimensions, but got {len(x.shape)}.")
    if isinstance(rep, int) and rep <= 0:
        raise ValueError(f"For 'repeat_elements', the 'rep' must be greater than 0, but got {rep}.")
    return repeat_interleave(x, rep, axis)


@faces("ops ops.reverse Tensor Tensor.reverse mint", primitive="ReverseV2(axis)(x)")
@op(static=("dims",))
def flip(input, dims):
    """The order of elements reversed along dimensions.

    Args:
        input: a Tensor.
        dims: a tuple or list of ints.

    Raises:
        TypeError: `dims` is not a sequence.
        ValueError: a dimension is out of range, or occurs twice.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2, 3])
    >>> print(ops.flip(x, (0,)), x.flip((0,)))
    [3 2 1] [3 2 1]
    """
    x = tensor("flip", input)
    if not isinstance(dims, tuple):
        raise TypeError(f"For 'flip', the 'dims' must be a tuple or list of int, but got {type(dims).__name__}.")
    check_rank_at_least("flip", "input", x, 1)
    if len({d % x.ndim for d in dims}) != len(dims):
        raise ValueError(f"For 'flip', each dimension in 'dims' must occur once, but got {dims}.")
    return jnp.flip(x, axes_of("flip", dims, x.ndim, "dims")) if dims else x


@faces("ops Tensor")
def fliplr(input):
    """The second dimension reversed."""
    return flip(input, (1,))


@faces("ops Tensor")
def flipud(input):
    """The first dimension reversed."""
    if getattr(input, "shape", None) == ():
        raise ValueError("For 'flipud', the input must have at least 1 dimension.")
    return flip(input, (0,))


@faces("ops Tensor mint", primitive="Roll(shifts, dims=None)(x)")
@op(static=("shifts", "dims"))
def roll(input, shifts, dims=None):
    """The elements shifted along dimensions, those pushed out come back at the other end.

    Args:
        input: a Tensor.
        shifts: an int or a tuple of ints.
        dims: None (of the flat tensor), or as many ints.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1, 2, 3])
    >>> print(ops.roll(x, 1), x.roll(1, 0))
    [3 1 2] [3 1 2]
    """
    for shift in shifts if isinstance(shifts, tuple) else (shifts,):
        integer("roll", "shifts", shift)
    return jnp.roll(tensor("roll", input), shifts, axis=dims)


@faces("ops Tensor")
def rot90(input, k, dims):
    """Rotated by `k` quarter turns from the first of two dimensions to the second; by whole turns `input` itself.

    Raises:
        RuntimeError: the dimensions are the same.
        ValueError: a dimension is out of range.
    """
    check_tensors("rot90", input=input)
    rank = len(input.shape)
    if rank == 1 or len(dims) == 2 and dims[0] == dims[1]:
        raise RuntimeError(f"For 'rot90', the dimensions must be different, but got {dims}.")
    at = tuple([dim_of("rot90", dim, rank, "dims") for dim in dims])
    return input if len(at) == 2 and integer("rot90", "k", k) % 4 == 0 else _rot90(input, k, at)


@op(static=("k", "dims"), name="rot90")
def _rot90(input, k, dims):
    return jnp.rot90(tensor("rot90", input), k, axes=dims)


def _pads(api: str, padding, ndim: int) -> list[tuple[int, int]]:
    flat = shape_of(api, padding, "padding")
    if len(flat) % 2 or len(flat) > 2 * ndim:
        raise ValueError(
            f"For '{api}', the length of 'padding' must be even and at most {2 * ndim}, but got {len(flat)}."
        )
    pads = [(0, 0)] * ndim
    for i in range(len(flat) // 2):
        pads[ndim - 1 - i] = (flat[2 * i], flat[2 * i + 1])
    return pads


_MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


@op(static=("padding", "mode", "value"), name="pad")
def _pad(input_x, padding, mode, value):
    x = tensor("pad", input_x)
    pads = _pads("pad", padding, x.ndim)
    if any(min(p) < 0 and not is_positive(n + sum(p)) for p, n in zip(pads, x.shape, strict=True)):
        raise ValueError(f"For 'pad', the padding {padding} leaves no element where the shape is {x.shape}.")
    if mode == "constant":
        fill = jnp.asarray(0 if value is None else value, x.dtype)
        return jax.lax.pad(x, fill, [(before, after, 0) for before, after in pads])
    check_choice("pad", "mode", mode, ("constant", *_MODES))
    if value is not None:
        raise ValueError(f"For 'pad', 'value' belongs to mode 'constant', but got it with mode {mode!r}.")
    cut = tuple([np.s_[max(-a, 0) : n - max(-b, 0)] for (a, b), n in zip(pads, x.shape, strict=True)])
    grow = [(max(a, 0), max(b, 0)) for a, b in pads]
    limit = {"reflect": 1, "circular": 0}.get(mode)
    if limit is not None and not all(_fits(max(p), n - limit) for p, n in zip(grow, x.shape, strict=True) if any(p)):
        raise ValueError(f"For 'pad', mode {mode!r} cannot pad {padding} around the shape {x.shape}.")
    if mode == "circular" and has_symbolic_size(x.shape):
        return _repeated(x[cut], grow)
    return jnp.pad(x[cut], grow, mode=_MODES[mode])


def _fits(padding: int, room: Any) -> bool:
    return is_positive(room - padding + 1)


def _repeated(x: Any, pads: list[tuple[int, int]]) -> Any:
    """Padding with the elements of the other end; `jnp.pad` needs to know how often they are repeated."""
    for axis, (before, after) in enumerate(pads):
        size = x.shape[axis]
        if before or after:
            at = (jnp.arange(size + before + after) - before) % array_of_size(size)
            x = jnp.take(x, at, axis, mode="clip")
    return x


@faces("ops")
def pad(input_x, padding, mode="constant", value=None):
    """Elements added around the tensor; negative paddings cut, and without any the tensor is given as it is.

    Args:
        input_x: a Tensor.
        padding: pairs (before, after) of ints, from the last dimension on.
        mode: "constant", "reflect", "replicate" or "circular".
        value: the added value in mode "constant"; by default 0.

    Raises:
        ValueError: an odd or too long padding, an unknown mode, a value with another mode, a reflection that is
            larger than the tensor, or a cut that leaves nothing.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.pad(Tensor([1.0, 2.0]), (1, 2)))
    [0. 1. 2. 0. 0.]
    """
    if isinstance(padding, (tuple, list)) and not padding and isinstance(input_x, Tensor):
        return input_x
    return _pad(input_x, padding, mode, value)


@faces(primitive="Pad(paddings: tuple)(input_x)")
@op(static=("paddings",), name="Pad")
def pad_primitive(input_x, paddings):
    """Zeros added around the tensor: `paddings` has one pair (before, after) a dimension."""
    x = tensor("Pad", input_x)
    if len(paddings) != x.ndim:
        raise ValueError(f"For 'Pad', 'paddings' must have one pair for each of {x.ndim} dimensions: {paddings}.")
    return jnp.pad(x, paddings)


@faces("ops", primitive="MirrorPad(mode='REFLECT')(input_x, paddings)")
@op(static=("paddings", "mode"))
def mirror_pad(input_x, paddings, mode):
    """Mirrored elements added around the tensor, in mode "REFLECT" (without the edge) or "SYMMETRIC"."""
    check_choice("MirrorPad", "mode", mode, ("REFLECT", "SYMMETRIC"))
    x = tensor("MirrorPad", input_x)
    room = [n - 1 if mode == "REFLECT" else n for n in x.shape]
    if len(paddings) != x.ndim or not all(
        p >= 0 and _fits(p, n) for pair, n in zip(paddings, room, strict=True) for p in pair
    ):
        raise ValueError(
            f"For 'MirrorPad' in mode {mode}, 'paddings' must have one pair of at most {room} a dimension, but got "
            f"{paddings}."
        )
    return jnp.pad(x, paddings, mode=mode.lower())


def _matrix(api: str, x) -> jax.Array:
    x = tensor(api, x)
    check_rank_at_least(api, "input", x, 2)
    return x


@faces("ops Tensor mint", primitive="Tril(diagonal=0)(x)")
@op(static=("diagonal",))
def tril(input, diagonal=0):
    """The lower triangle of the last two dimensions, zeros elsewhere.

    Args:
        input: a Tensor of at least two dimensions.
        diagonal: the last diagonal that is kept.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.tril(x), x.tril(-1))
    [[1 0]
     [3 4]] [[0 0]
     [3 0]]
    """
    return jnp.tril(_matrix("tril", input), offset32(diagonal))


@faces("ops Tensor mint", primitive="Triu(diagonal=0)(x)")
@op(static=("diagonal",))
def triu(input, diagonal=0):
    """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`.

    Args:
        input (Tensor): at least two dimensions.
        diagonal (int): the first diagonal that is kept.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(ops.triu(x), x.triu(1))
    [[1 2]
     [0 4]] [[0 2]
     [0 0]]
    """
    return jnp.triu(_matrix("triu", input), offset32(diagonal))


@faces("ops", primitive="MatrixBandPart()(x, lower, upper)")
@op
def matrix_band_part(x, lower, upper):
    """The diagonals from `lower` below to `upper` above the main one, zeros elsewhere; -1 keeps all."""
    x = _matrix("matrix_band_part", x)
    for name, value in (("lower", lower), ("upper", upper)):
        if jnp.asarray(value).dtype.kind not in "iu":
            raise TypeError(f"For 'MatrixBandPart', the '{name}' must be an integer, but got {value}.")
        if jnp.ndim(value):
            raise ValueError(f"For 'MatrixBandPart', the '{name}' must have no dimensions, but got {jnp.ndim(value)}.")
    lower, upper = (jnp.clip(value, -1, np.iinfo(np.int32).max).astype(np.int32) for value in (lower, upper))
    rows, columns = (jnp.arange(size, dtype=np.int32) for size in x.shape[-2:])
    rows = rows[:, None]
    keep = ((lower < 0) | (rows - columns <= lower)) & ((upper < 0) | (columns - rows <= upper))
    return jnp.where(keep, x, jnp.zeros((), x.dtype))


@faces("ops", primitive="Diag()(x)")
@op
def diag(input):
    """A tensor with the input on its diagonal: shape (n,) gives (n, n), shape s gives s + s.

    Args:
        input: a Tensor of at least one dimension.
    """
    x = tensor("diag", input)
    check_rank_at_least("diag", "input", x, 1)
    return put_on_diagonal(x.reshape(-1), 0).reshape(x.shape + x.shape)


@faces("mint.diag")
@op(static=("diagonal",), name="diag")
def diag_ext(input, diagonal=0):
    """A matrix of a vector, or the diagonal of a matrix (`mint.diag`)."""
    x = tensor("diag", input)
    if x.ndim not in (1, 2):
        return jnp.diag(x, diagonal)  # which refuses it
    return put_on_diagonal(x, diagonal) if x.ndim == 1 else take_diagonal(x, diagonal, 0, 1)


@faces("ops Tensor")
@op(static=("offset",))
def diagflat(input, offset=0):
    """A matrix with the flat input on a diagonal."""
    return jnp.diagflat(tensor("diagflat", input), offset)


@faces("ops")
@op(static=("offset", "dim1", "dim2"))
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """The last dimension as a diagonal of two new dimensions.

    Args:
        input: a Tensor.
        offset: 0 for the main diagonal, above it if positive.
        dim1: the first new dimension's position.
        dim2: the second one's position.
    """
    x = tensor("diag_embed", input)
    return jnp.moveaxis(put_on_diagonal(x, offset), (-2, -1), (dim1, dim2))


@faces("ops")
def meshgrid(*inputs, indexing="xy"):
    """Coordinate matrices of coordinate vectors; views of them in PYNATIVE_MODE.

    Args:
        inputs: 1-d or 0-d Tensors (or one tuple or list of them).
        indexing: "xy" exchanges the first two dimensions, "ij" does not.

    Raises:
        ValueError: an input has more dimensions, or another `indexing`.

    >>> from ms_compat import Tensor, ops
    >>> rows, columns = ops.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]), indexing="ij")
    >>> print(rows, columns)
    [[1 1 1]
     [2 2 2]] [[3 4 5]
     [3 4 5]]
    """
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = tuple(inputs[0])
    check_one_of("meshgrid", "indexing", indexing, ("xy", "ij"))
    for x in inputs:
        check_type("meshgrid", "inputs", x, Tensor)
    inputs = tuple([x if x.shape else reshape(x, (1,)) for x in inputs])
    if any(len(x.shape) != 1 for x in inputs):
        raise ValueError(
            f"For 'meshgrid', every input must be 1-d or 0-d, but got the shapes {[x.shape for x in inputs]}."
        )
    if len({x.dtype for x in inputs}) > 1:
        raise ValueError(f"For 'meshgrid', every input must have one dtype, but got {[str(x.dtype) for x in inputs]}.")
    places = list(range(len(inputs)))
    if indexing == "xy" and len(inputs) > 1:
        places[:2] = 1, 0
    sizes = [1] * len(inputs)
    for x, place in zip(inputs, places, strict=True):
        sizes[place] = x.size
    columns = [
        reshape(x, tuple([-1 if at == place else 1 for at in range(len(inputs))]))
        for x, place in zip(inputs, places, strict=True)
    ]
    return tuple([broadcast_to(column, tuple(sizes)) for column in columns])


@op(name="cartesian_prod")
def _cartesian(inputs):
    return jnp.stack([g.reshape(-1) for g in jnp.meshgrid(*inputs, indexing="ij")], axis=-1)


@faces("ops")
def cartesian_prod(*inputs):
    """The Cartesian product of the 1-d inputs, one combination a row."""
    return _cartesian(inputs)


@faces("ops")
def combinations(input, r=2, with_replacement=False):
    """All combinations of `r` elements of a 1-d tensor, one a row.

    Args:
        input: a 1-d Tensor.
        r: an int.
        with_replacement: whether an element may occur again.
    """
    check_tensors("combinations", input=input)
    length = input.shape[0]
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    count = math.comb(length + r - 1, r) if with_replacement and length else math.comb(length, r)
    check_results("combinations", jax.ShapeDtypeStruct((count, r), np.int64))  # before they are made, one by one
    rows = np.array(list(choose(range(length), r)), np.int64).reshape(-1, r)
    return take_flat(input, Tensor(rows))


@faces("ops")
@op(static=("N",), tensors="x")
def vander(x, N=None):
    """The Vandermonde matrix of a 1-d tensor, powers falling."""
    return jnp.vander(x, N)


@faces("ops ops.select", primitive="Select()(condition, x, y)")
@op
def where(condition, input, other):
    """`input` where the condition is true, `other` elsewhere; shapes broadcast.

    Args:
        condition: a Bool Tensor.
        input: a Tensor or a number.
        other: a Tensor or a number.

    Raises:
        TypeError: the condition is not Bool.
        ValueError: the shapes do not broadcast.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.where(Tensor([True, False]), Tensor([1, 2]), Tensor([8, 9])))
    [1 9]
    """
    check_dtype("where", "condition", tensor("where", condition, "condition"), bool)
    a, b = promote_args("where", input, other)
    if scopes.as_compiled() and {number_kind(input), number_kind(other)} <= {"int", "bool"} and a.dtype == np.int64:
        a, b = a.astype(np.int32), b.astype(np.int32)  # as MindSpore's compiler makes Tensors of two ints
    try:
        jnp.broadcast_shapes(condition.shape, a.shape, b.shape)
    except ValueError:
        shapes = [condition.shape, a.shape, b.shape]
        raise ValueError(f"For 'where', the shapes must broadcast to each other, but got {shapes}.") from None
    return jnp.where(condition, a, b)


@faces("ops Tensor Tensor.masked_fill_", primitive="MaskedFill()(input_x, mask, value)")
@op
def masked_fill(input_x, mask, value):
    """The elements where the mask is true replaced by `value`; shapes broadcast.

    Args:
        input_x: a Tensor.
        mask: a Bool Tensor.
        value: a number or a 0-d Tensor; cast to the tensor's dtype.

    Raises:
        TypeError: the mask is not Bool, or a float would go into an integer tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(ops.masked_fill(x, x > 1, 0.0), x.masked_fill(x > 2, 7.0), x.masked_fill_(x < 2, 5.0))
    [1. 0. 0.] [1. 2. 7.] [5. 2. 3.]
    """
    x = tensor("masked_fill", input_x)
    check_dtype("MaskedFill", "mask", tensor("masked_fill", mask, "mask"), bool)
    value = strong(value)
    if is_integral(x.dtype) and not is_integral(value.dtype):
        raise TypeError(f"For 'MaskedFill', a value of {value.dtype.name} does not fit into {x.dtype.name}.")
    return jnp.where(mask, cast(value, x.dtype), x)
