"""In-place changes of Parameters, and the small functions that ask or pass on: shape, rank, depend, stop_gradient."""

from __future__ import annotations

import jax
import numpy as np

from ms_compat._core.checks import check_same_shape
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, no_init, wrap
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor, Sparse
from ms_compat._core.trace import concurrency, scopes, write_barrier
from ms_compat.ops.function.shape.create import full_like, identity_cast, shared
from ms_compat.ops.function.update.results import check_convertible, written

_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}  # of dtypes: a number gives way to one as high as its own


def _checked(api: str, variable, value) -> Tensor:
    check_type(api, "variable", variable, Tensor)
    value = check_type(api, "value", value, (Tensor, bool, int, float, np.generic))
    if not isinstance(value, Tensor):
        number, want = Tensor(value), variable.dtype.np_dtype
        gives_way = _KINDS[want.kind] > 0 and _KINDS[want.kind] >= _KINDS[number.dtype.np_dtype.kind]
        value = wrap(cast(number._v, want)) if gives_way else number
    if value.has_init:
        value = no_init.filled_now(value)
    new, old = value._v, variable._v
    if new is not None and old is not None and new.dtype == old.dtype and new.shape == old.shape:
        return value
    if api == "Assign" or {tuple(value.shape), tuple(variable.shape)} != {(), (1,)}:  # one element fits another
        check_same_shape(api, value=value, variable=variable)
    check_convertible(api, variable, value)
    return value


@op(name="Assign")
def _assigned(variable, value):
    return cast(value, variable.dtype)


@op(name="AssignAdd")
def _added(variable, value):
    return variable + cast(value, variable.dtype).reshape(variable.shape)


@op(name="AssignSub")
def _subtracted(variable, value):
    return variable - cast(value, variable.dtype).reshape(variable.shape)


@faces("ops", primitive="Assign()(variable, value)")
def assign(variable, value):
    """Replace a Parameter's value in place.

    Args:
        variable: a Parameter.
        value: a Tensor of the same shape; its dtype is converted if that loses no kind.

    Returns:
        A Tensor of the new value.

    Raises:
        TypeError: the dtype would lose its kind (float into int).
        ValueError: another shape.

    >>> from ms_compat import Parameter, Tensor, ops
    >>> p = Parameter(Tensor([1.0]), name="p")
    >>> print(ops.assign(p, Tensor([3.0])))
    [3.]
    """
    value = _checked("Assign", variable, value)
    new = value if not scopes.tracing and value.dtype is variable.dtype else _assigned(variable, value)
    if not variable._is_parameter:  # it keeps its record, as a Parameter does
        new = wrap(write_barrier.rebound(variable._v, new._v) if scopes.current_scope() is not None else new._v)
        new._node = variable._node
    shared_storage.write(variable, new)
    return shared(variable)


@faces("ops", primitive="AssignAdd()(variable, value)")
def assign_add(variable, value):
    """Add to a Parameter in place; arguments as for `assign`. The sum that is returned has a gradient.

    Args:
        variable (Parameter): is changed.
        value: a Tensor or number of the same dtype.

    >>> from ms_compat import Parameter, Tensor, ops
    >>> count = Parameter(Tensor([1.0, 2.0]))
    >>> print(ops.assign_add(count, Tensor([10.0, 10.0])), count.asnumpy())
    [11. 12.] [11. 12.]
    """
    return written(variable, _added(variable, _checked("AssignAdd", variable, value)))


@faces("ops", primitive="AssignSub()(variable, value)")
def assign_sub(variable, value):
    """Subtract from a Parameter in place; arguments as for `assign`. The difference that is returned has a gradient."""
    return written(variable, _subtracted(variable, _checked("AssignSub", variable, value)))


@op(name="StopGradient")
def _stopped(value):
    return jax.lax.stop_gradient(value)


@faces("ops", primitive="StopGradient()(x)")
def stop_gradient(value):
    """The value, as a constant for differentiation.

    Args:
        value: a Tensor or sparse tensor, or a tuple or list of them; anything else is returned as it is.

    >>> from ms_compat import Tensor, ops
    >>> from ms_compat import grad
    >>> print(grad(lambda x: x * ops.stop_gradient(x))(Tensor([3.0])))
    [3.]
    """
    if isinstance(value, (tuple, list)):
        return type(value)([stop_gradient(v) for v in value])
    if isinstance(value, Sparse):
        return value._with_values(stop_gradient(value.values))
    if not isinstance(value, Tensor):
        return value
    if scopes.tracing:
        return _stopped(value)
    out = wrap(concurrency.held_value(value))
    shared_storage.link(value, out, shared_storage.Stopped)
    return out


@faces("ops")
def stop_gradient_(input):
    """Make a Tensor a constant for differentiation, in place: what is computed from it later has no gradient in it.

    Args:
        input: a Tensor that is not a view.

    Returns:
        `input` itself.

    Raises:
        TypeError: `input` is not a Tensor.
        RuntimeError: `input` is a view of another Tensor (in PYNATIVE_MODE).

    >>> from ms_compat import Tensor, grad, ops
    >>> def f(x):
    ...     y = x * 3
    ...     ops.stop_gradient_(y)
    ...     return x * y
    >>> print(grad(f)(Tensor(2.0)))
    6.0
    """
    check_type("stop_gradient_", "input", input, Tensor)
    if shared_storage.is_view(input):
        raise RuntimeError("For 'stop_gradient_', the 'input' must not be a view of another Tensor. Pass a copy of it.")
    constant = _stopped(input) if scopes.tracing else wrap(concurrency.held_value(input))
    return shared_storage.write(input, constant)


@faces("ops")
def identity(x):
    """The argument itself.

    Args:
        x: a Tensor, or anything else.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.identity(Tensor([1, 2])))
    [1 2]
    """
    return x


@faces(primitive="Identity()(x)")
def identity_copy(x):
    """The value, in a tensor of its own (the primitive `Identity`)."""
    return identity_cast(_tensor("Identity", x), x.dtype)


@faces("ops", primitive="Depend()(value, expr)")
def depend(value, expr):
    """The value; `expr` has been computed before, since JAX keeps what has an effect in order.

    Args:
        value: returned as it is.
        expr: what was computed before.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.depend(Tensor([1.0]), Tensor([2.0])))
    [1.]
    """
    if hasattr(value, "depending_on"):  # an overflow status reports on what it depends on (ops/_float_status.py)
        return value.depending_on(expr)
    return value


def load(value, u=None):
    """The value of a Parameter as a Tensor."""
    return shared(value)


def _tensor(api: str, x) -> Tensor:
    check_type(api, "input", x, Tensor)
    return x


@faces("ops ops.shape_", primitive="Shape()(input_x)")
def shape(input_x):
    """The shape of a tensor, a COOTensor or a CSRTensor, as a tuple of ints.

    Args:
        input_x: a Tensor, COOTensor or CSRTensor.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.shape(Tensor([[1, 2, 3]])))
    (1, 3)
    """
    return input_x.shape if isinstance(input_x, (COOTensor, CSRTensor)) else _tensor("shape", input_x).shape


@faces("ops", primitive="TensorShape()(input_x)")
def dyn_shape(input_x):
    """The sizes of a tensor's dimensions, as a 1-d Int64 Tensor."""
    return Tensor(np.array(_tensor("dyn_shape", input_x).shape, np.int64))


@faces("ops Tensor.dim Tensor.ndimension", primitive="Rank()(input_x)")
def rank(input_x):
    """The number of a tensor's dimensions.

    Args:
        input_x (Tensor): any shape.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2]])
    >>> print(ops.rank(x), x.dim(), x.ndimension())
    2 2 2
    """
    return len(_tensor("rank", input_x).shape)


@faces("ops", primitive="Size()(input_x)")
def size(input_x):
    """The number of a tensor's elements.

    Args:
        input_x (Tensor): any shape.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.size(Tensor([[1, 2, 3]])))
    3
    """
    return _tensor("size", input_x).size


@faces("ops Tensor.nelement Tensor")
def numel(input):
    """The number of a tensor's elements.

    Args:
        input (Tensor): any shape.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1, 2, 3]])
    >>> print(ops.numel(x), x.numel(), x.nelement())
    3 3 3
    """
    return size(input)


@faces("ops", primitive="DType()(input_x)")
def dtype(x):
    """The mindspore dtype of a tensor, a COOTensor or a CSRTensor.

    Args:
        x: a Tensor, COOTensor or CSRTensor.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.dtype(Tensor([1.0])))
    Float32
    """
    return x.dtype if isinstance(x, (COOTensor, CSRTensor)) else _tensor("dtype", x).dtype


@faces("ops")
def is_tensor(obj) -> bool:
    """Whether an object is a Tensor.

    Args:
        obj: anything.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.is_tensor(Tensor(1)), ops.is_tensor(1))
    True False
    """
    return isinstance(obj, Tensor)


@faces("ops")
def deepcopy(input_x):
    """A copy that shares nothing with the tensor."""
    return identity_copy(input_x)


@faces("ops", primitive="Eps()(x)")
def eps(x):
    """The distance from 1 to the next number of a tensor's dtype, in the tensor's shape."""
    if not isinstance(x, Tensor) or x.dtype.np_dtype.kind != "f":
        raise TypeError(f"For 'Eps', the input must be a Tensor of floats, but got {x!r:.60}.")
    info = jax.numpy.finfo(x.dtype.np_dtype)
    return full_like(x, float(info.eps))
