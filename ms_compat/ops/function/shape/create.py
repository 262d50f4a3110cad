"""New tensors from shapes, ranges and other tensors' shapes, and casts."""

from __future__ import annotations

import builtins
import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above, check_choice, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast as to_dtype
from ms_compat._core.dispatch.operands import number_kind
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.index.views import share, twin
from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat.ops.function.axes import integer, sizes_of
from ms_compat.ops.function.elementwise.arithmetic import pow
from ms_compat.ops.function.shape.diagonals import offset32

_FLOAT32 = np.dtype(np.float32)
_INT64 = np.dtype(np.int64)
_NARROW = {np.dtype(t) for t in (np.int8, np.uint8, np.int16, np.uint16)}


def np_dtype(api: str, dtype, default=_FLOAT32) -> np.dtype:
    """The numpy dtype of a `dtype` argument; TypeError for what is not a mindspore dtype."""
    if dtype is None and default is not None:
        return default
    if not isinstance(dtype, mstype.Type) or dtype.np_dtype is None:
        raise TypeError(f"For '{api}', the 'dtype' must be a mindspore dtype, but got {dtype!r}.")
    return dtype.np_dtype


@faces("ops", primitive="Zeros()(shape, type)")
@op(static=("size", "dtype"))
def zeros(size, dtype=None):
    """A tensor of zeros.

    Args:
        size: an int or a tuple or list of ints.
        dtype: a mindspore dtype; by default Float32.

    Raises:
        TypeError: `size` or `dtype` has another type.
        ValueError: a size is negative.

    >>> from ms_compat import ops
    >>> print(ops.zeros((2, 2)))
    [[0. 0.]
     [0. 0.]]
    """
    return jnp.zeros(sizes_of("Zeros", size, "size"), np_dtype("Zeros", dtype))


@faces("ops", primitive="Ones()(shape, type)")
@op(static=("shape", "dtype"))
def ones(shape, dtype=None):
    """A tensor of ones.

    Args:
        shape: an int, or a tuple or list of ints.
        dtype: a mindspore dtype; by default Float32.

    >>> from ms_compat import int32, ops
    >>> print(ops.ones((2, 2), int32))
    [[1 1]
     [1 1]]
    """
    return jnp.ones(sizes_of("Ones", shape), np_dtype("Ones", dtype))


@faces("mint")
def empty(*size, dtype=None, device=None):
    """A tensor with unspecified contents (zeros here).

    Args:
        size: ints, or one tuple or list of them.
        dtype: a mindspore dtype; by default Float32.
        device: accepted; JAX places arrays by itself.

    >>> from ms_compat import mint
    >>> print(mint.empty((2, 3)).shape)
    (2, 3)
    """
    no_effect("empty", "JAX places arrays by itself", device=device)
    return zeros(size[0] if len(size) == 1 else size, dtype)


@op(static=("size", "dtype", "api"))
def _full(size, fill_value, dtype, api):
    return jnp.full(sizes_of(api, size, "size"), to_dtype(fill_value, dtype), dtype)


@faces("ops")
def full(size, fill_value, *, dtype=None):
    """A tensor of one value. Without a dtype it is Int64, whatever the value, as in MindSpore.

    Args:
        size: a tuple or list of ints.
        fill_value: a number.
        dtype: a mindspore dtype.

    Raises:
        TypeError: `size` is not a sequence of ints.

    >>> from ms_compat import float32, ops
    >>> print(ops.full((2, 2), 7, dtype=float32))
    [[7. 7.]
     [7. 7.]]
    """
    out = np_dtype("full", dtype, _INT64)
    if isinstance(fill_value, Tensor):  # a cast of its own, which has a gradient
        return cast(_full(size, fill_value, fill_value._v.dtype, "full"), dtype or mstype.int64)
    return _full(size, fill_value, out, "full")


@faces("ops", primitive="Fill()(type, shape, value)")
def fill(type, shape, value):
    """A tensor of one value.

    Args:
        type: a mindspore dtype.
        shape: a tuple or list of ints.
        value: a number.

    >>> from ms_compat import float32, ops
    >>> print(ops.fill(float32, (2, 2), 7))
    [[7. 7.]
     [7. 7.]]
    """
    return _full(shape, value, np_dtype("fill", type, None), "fill")


@op(static=("dtype",))
def _fill_like(x, value, dtype):
    return jnp.full(x.shape, to_dtype(value, dtype), dtype)


def _like_dtype(api: str, x, dtype) -> np.dtype:
    check_type(api, "input", x, Tensor)
    return x.dtype.np_dtype if dtype is None else np_dtype(api, dtype)


@faces("ops mint", primitive="ZerosLike()(x)")
def zeros_like(input, *, dtype=None):
    """Zeros in the shape of a tensor, in its dtype or another.

    Args:
        input (Tensor): has the shape.
        dtype: a mindspore dtype; by default the tensor's.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.zeros_like(Tensor([1, 2])))
    [0 0]
    """
    return _fill_like(input, 0, _like_dtype("zeros_like", input, dtype))


@faces("ops mint", primitive="OnesLike()(x)")
def ones_like(input, *, dtype=None):
    """Ones in the shape of a tensor, in its dtype or another.

    Args:
        input (Tensor): has the shape.
        dtype: a mindspore dtype; by default the tensor's.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.ones_like(Tensor([5, 6])))
    [1 1]
    """
    return _fill_like(input, 1, _like_dtype("ones_like", input, dtype))


@faces("ops mint")
def full_like(input, fill_value, *, dtype=None):
    """One value in the shape of a tensor, in its dtype or another.

    Args:
        input (Tensor): has the shape.
        fill_value: a number.
        dtype: a mindspore dtype; by default the tensor's.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.full_like(Tensor([1, 2]), 7))
    [7 7]
    """
    return _fill_like(input, fill_value, _like_dtype("full_like", input, dtype))


@faces("ops Tensor", primitive="Fills()(x, value)")
def fills(x, value):
    """One value in the shape and dtype of a tensor."""
    return _fill_like(x, value, _like_dtype("fills", x, None))


@faces("mint")
def empty_like(input, *, dtype=None, device=None):
    """A tensor with another's shape and unspecified contents (zeros here).

    Args:
        input (Tensor): has the shape.
        dtype: a mindspore dtype; by default the tensor's.
        device: accepted; JAX places arrays by itself.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.empty_like(Tensor([[1, 2]])).shape)
    (1, 2)
    """
    no_effect("empty_like", "JAX places arrays by itself", device=device)
    return zeros_like(input, dtype=dtype)


def _number(api: str, value):
    if isinstance(value, Tensor):
        value = value.item()
    if is_symbolic_size(value):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"For '{api}', the arguments must be numbers, but got {value!r:.80}.")
    return value


@op(static=("count", "dtype"))
def _count(count, dtype):
    return jnp.arange(count, dtype=dtype)


@op(static=("count", "dtype"))
def _range(start, count, step, dtype):
    if dtype.kind in "iu":
        return (jnp.arange(count, dtype=np.int64) * step + start).astype(dtype)
    return (jnp.arange(count, dtype=np.float64) * step + start).astype(dtype)


@faces("ops mint")
def arange(start=0, end=None, step=1, *, dtype=None):
    """Numbers from `start` up to (without) `end` in steps; Int64 if all are ints, else Float32.

    Args:
        start: a number; with it alone it is the end, and 0 the start.
        end: a number.
        step: a number, not 0.
        dtype: a mindspore dtype.

    Raises:
        ValueError: `step` is 0 or points away from the end.

    >>> from ms_compat import ops
    >>> print(ops.arange(1, 4))
    [1 2 3]
    """
    if end is None:
        start, end = 0, start
    if not start.__class__ is end.__class__ is step.__class__ is int:
        start, end, step = (_number("arange", v) for v in (start, end, step))
    if step == 0:
        raise ValueError("For 'arange', the 'step' must not be 0.")
    if (end - start) * step < 0:
        raise ValueError(f"For 'arange', a 'step' of {step} does not lead from {start} to {end}.")
    whole = not isinstance(start + end + step, (float, np.floating))
    kind = np_dtype("arange", dtype, _INT64 if whole else _FLOAT32)
    count = -((start - end) // step) if whole else math.ceil((end - start) / step)
    if whole and start == 0 and step == 1 and kind == _INT64:
        return _count(count, kind)
    return _range(start, count if is_symbolic_size(count) else int(count), step, kind)


@op(name="arange")
def _on_a_line(numbers, start, step):
    line = start + step * jnp.arange(numbers.size, dtype=numbers.dtype)
    return lax.stop_gradient(numbers) + (line - lax.stop_gradient(line)).astype(numbers.dtype)


def differentiable_range(numbers: Tensor, start: Tensor | float, step: Tensor | float) -> Tensor:
    """The numbers that a function like `arange` gave, with gradients by `start` and `step` where these are Tensors.

    `ops.arange` and `ops.range` have none, as in MindSpore.
    """
    slopes = [v for v in (start, step) if isinstance(v, Tensor) and v.is_floating_point()]
    if not slopes or not numbers.is_floating_point():
        return numbers
    return _on_a_line(numbers, start, step)


@faces("ops ops.tensor_range")
def range(start, end, step, maxlen=1000000):
    """As `arange`, of three numbers or 0-d Tensors of one kind; integers give Int64.

    Args:
        start, end, step: numbers or 0-d Tensors of one kind.
        maxlen (int): the largest allowed length.

    >>> from ms_compat import ops
    >>> print(ops.range(0, 6, 2))
    [0 2 4]
    """
    if start.__class__ is end.__class__ is step.__class__ is int:
        return arange(start, end, step)
    kinds = {v.dtype.np_dtype.kind if isinstance(v, Tensor) else "if"[isinstance(v, float)] for v in (start, end, step)}
    if len(kinds) > 1:
        raise TypeError(f"For 'Range', the dtypes of the inputs must be one, but got {start}, {end} and {step}.")
    first = next((v for v in (start, end, step) if isinstance(v, Tensor)), None)
    return arange(start, end, step, dtype=None if first is None or kinds == {"i"} else first.dtype)


@op(static=("steps", "dtype"))
def _linspace(start, end, steps, dtype):
    return jnp.linspace(to_dtype(start, dtype), to_dtype(end, dtype), steps, dtype=dtype)


@faces("ops mint", primitive="LinSpace()(start, stop, num)")
def linspace(start, end, steps, *, dtype=None):
    """`steps` numbers evenly spread from `start` to `end`, both included.

    Args:
        start: a number or a Tensor.
        end: likewise.
        steps: a positive int.
        dtype: a mindspore dtype; by default the Tensors' dtype, or Float32.

    Raises:
        ValueError: `steps` is not positive.

    >>> from ms_compat import ops
    >>> print(ops.linspace(0, 1, 5))
    [0.   0.25 0.5  0.75 1.  ]
    """
    if steps.__class__ is not int and not is_symbolic_size(steps):
        steps = int(_number("linspace", steps))
    check_above("linspace", "steps", steps, 0)
    kind = _FLOAT32
    if start.__class__ is not float and isinstance(start, Tensor) and start.dtype.np_dtype.kind == "f":
        kind = start.dtype.np_dtype
    return _linspace(start, end, steps, kind if dtype is None else np_dtype("linspace", dtype, kind))


@faces("ops")
def logspace(start, end, steps, base=10, *, dtype=mstype.float32):
    """`base` to the power of `steps` numbers evenly spread from `start` to `end`."""
    if isinstance(base, bool) or not isinstance(base, int) or base < 0:
        raise ValueError(f"For 'LogSpace', the 'base' must be an int of at least 0, but got {base!r}.")
    if dtype not in (mstype.float16, mstype.float32, mstype.float64):
        raise TypeError(f"For 'LogSpace', the 'dtype' must be Float16, Float32 or Float64, but got {dtype}.")
    return pow(Tensor(base, dtype), linspace(start, end, steps, dtype=dtype))


@faces("ops mint", primitive="Eye()(n, m, t)")
@op(static=("n", "m", "dtype"))
def eye(n, m=None, dtype=None):
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n: number of rows.
        m: number of columns; by default `n`.
        dtype: a mindspore dtype; by default Float32.

    Raises:
        ValueError: a size is negative.

    >>> from ms_compat import ops
    >>> print(ops.eye(2, 3))
    [[1. 0. 0.]
     [0. 1. 0.]]
    """
    rows, columns = sizes_of("eye", (n, n if m is None else m))
    return jnp.eye(rows, columns, offset32(0), dtype=np_dtype("eye", dtype))


@faces("ops")
@op(static=("row", "col", "offset", "dtype"))
def tril_indices(row, col, offset=0, dtype=None):
    """The row and column numbers of a lower triangle, as a tensor of two rows."""
    return jnp.asarray(np.stack(np.tril_indices(row, offset, col)), np_dtype("tril_indices", dtype, np.dtype(np.int64)))


@faces("ops")
@op(static=("row", "col", "offset", "dtype"))
def triu_indices(row, col, offset=0, dtype=None):
    """The row and column numbers of an upper triangle, as a tensor of two rows."""
    return jnp.asarray(np.stack(np.triu_indices(row, offset, col)), np_dtype("triu_indices", dtype, np.dtype(np.int64)))


@op(static=("maxlen",), takes={"lengths": "integer"})
def _sequence_mask(lengths, maxlen):
    return jnp.arange(maxlen) < lengths[..., None]


@faces("ops")
def sequence_mask(lengths, maxlen=None):
    """True in the first `lengths` places of a new last dimension.

    Args:
        lengths: an integer Tensor.
        maxlen: the new dimension's size; by default the largest length.
    """
    return _sequence_mask(lengths, integer("sequence_mask", "maxlen", maxlen or int(lengths.asnumpy().max())))


# -- casts -----------------------------------------------------------------------------------------------------------
@op(static=("dtype",), name="Cast")
def _cast(input, dtype):
    target = dtype
    if target in _NARROW and number_kind(input) is None and input.dtype.kind in "fV":
        return to_dtype(to_dtype(input, np.dtype(np.int32)), target)  # wraps around as C does; XLA would saturate
    return to_dtype(input, target)


def shared(x: Tensor) -> Tensor:
    """Another Tensor of the same storage; in a trace, of the same value."""
    if scopes.tracing:
        return _cast(x, x.dtype.np_dtype)
    return twin(x)


def another(x: Tensor) -> Tensor:
    """Another object for a Tensor; in a trace, the Tensor itself."""
    return x if scopes.tracing else twin(x)


def whole_view(x: Tensor) -> Tensor:
    """A view of the whole Tensor, which does not follow it into a new storage; in a trace, a copy."""
    out = identity_cast(x, x.dtype)
    if not scopes.tracing:
        share(out, x)
    return out


@faces("Tensor")
def value(self):
    """The tensor itself; of a Parameter, and in compiled code, a copy.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).value())
    [1 2]
    """
    return identity_cast(self, self.dtype) if scopes.tracing or self._is_parameter else self


@faces("ops", primitive="Cast()(input_x, dtype)")
def cast(input, dtype):
    """The elements in another dtype; in PYNATIVE_MODE, a Tensor that has the dtype is returned itself.

    Args:
        input: a Tensor or a number.
        dtype: a mindspore dtype.

    Raises:
        TypeError: `dtype` is not a mindspore dtype.

    >>> from ms_compat import Tensor, ops
    >>> import ms_compat as ms
    >>> print(ops.cast(Tensor([1.9, -1.9]), ms.int32))
    [ 1 -1]
    """
    target = np_dtype("Cast", dtype, None)
    if isinstance(input, Tensor):
        if input.init is None and input._v.dtype == target and not scopes.tracing:
            return input
        return _cast(input, target)
    if isinstance(input, (bool, int, float, complex)) or is_symbolic_size(input):
        return _cast(Tensor(input), target)
    raise TypeError(f"For 'Cast', the 'input' must be a Tensor or a number, but got {type(input).__name__}.")


def identity_cast(x, dtype):
    """As `cast`, in a tensor with its own storage."""
    return _cast(x, np_dtype("Cast", dtype, None))


@faces("ops Tensor")
def type_as(input, other):
    """`input` in the dtype of `other`.

    Args:
        input (Tensor): any shape.
        other (Tensor): has the dtype.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.7])
    >>> print(ops.type_as(x, Tensor([1])), x.type_as(Tensor([1])).dtype)
    [1] Int64
    """
    check_tensors("type_as", other=other)
    return cast(input, other.dtype)


@faces("ops ops.scalar_to_array")
def scalar_to_tensor(input_x, dtype=mstype.float32):
    """A number as a 0-d tensor.

    Raises:
        TypeError: `input_x` is not a number.

    Args:
        input_x: a number.
        dtype: a mindspore dtype.

    >>> from ms_compat import int32, ops
    >>> print(ops.scalar_to_tensor(3), ops.scalar_to_tensor(3, int32).dtype)
    3.0 Int32
    """
    if isinstance(input_x, Tensor) or not isinstance(input_x, (bool, int, float)):
        raise TypeError(f"For 'scalar_to_tensor', the 'input_x' must be a number, but got {type(input_x).__name__}.")
    return Tensor(input_x, dtype)


@faces("ops", primitive="ScalarCast()(input_x, input_y)")
def scalar_cast(input_x, input_y):
    """A Python number converted to the Python type of a mindspore dtype."""
    kinds = {mstype.int64: int, mstype.float64: float, mstype.bool_: bool}
    if isinstance(input_x, Tensor) or not isinstance(input_x, (bool, int, float)):
        raise TypeError(f"For 'ScalarCast', the input must be a number, but got {type(input_x).__name__}.")
    if input_y not in kinds:
        raise ValueError(f"For 'ScalarCast', the dtype must be Int64, Float64 or Bool, but got {input_y}.")
    return kinds[input_y](input_x)


@faces("ops", primitive="TupleToArray()(input_x)")
def tuple_to_array(input_x):
    """A tuple of numbers with one type as a 1-d tensor: ints give Int32, floats Float32.

    Raises:
        TypeError: the elements have different types or no numbers.

    Args:
        input_x (tuple): ints, or floats.

    Raises:
        TypeError: it is not a tuple, or its elements have several types.

    >>> from ms_compat import ops
    >>> print(ops.tuple_to_array((1, 2, 3)))
    [1 2 3]
    """
    if isinstance(input_x, builtins.range):
        input_x = tuple(input_x)
    if not isinstance(input_x, tuple) or len({type(v) for v in input_x}) > 1:
        raise TypeError(
            f"For 'TupleToArray', the input must be a tuple of numbers that have one type, but got {input_x!r:.60}."
        )
    return Tensor(np.array(input_x, np.int32 if input_x and isinstance(input_x[0], int) else np.float32))


@faces("Tensor")
def move_to(self, to, blocking=True):
    """The tensor's values in another tensor of the same storage; JAX chooses the device, so `to` is only checked."""
    check_choice("Tensor.move_to", "to", to, ("CPU", "GPU", "Ascend"))
    no_effect("Tensor.move_to", "JAX waits when somebody reads", blocking=blocking is not True)
    return whole_view(self)
