"""Operations that write their result into their first input, under their functional names: `ops.zero_(x)`.

All go through `alias.write`, so that views of the tensor, and the tensor it is a view of, see the change. What draws
random numbers is in `random_func.py`.
"""

from __future__ import annotations

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_any_given, check_dtype
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, tensor
from ms_compat.ops.function.elementwise import activation, arithmetic, math
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.shape import create


def _put_back(api: str, x: Tensor, out: Tensor) -> Tensor:
    if out.shape != x.shape:
        raise ValueError(f"For '{api}', the result must have the input's shape {x.shape}, but has {out.shape}.")
    rank = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}
    if rank[out.dtype.np_dtype.kind] > rank[x.dtype.np_dtype.kind]:
        raise TypeError(f"For '{api}', a result of {out.dtype} cannot be stored in a tensor of {x.dtype}.")
    return shared_storage.write(x, out if out.dtype is x.dtype else create.cast(out, x.dtype))


@faces("ops")
def clamp_(input, min=None, max=None):
    """The elements limited to [min, max], in place; returns the tensor.

    Args:
        input: a Tensor.
        min, max: numbers, Tensors, or None for no limit; not both None.

    Raises:
        ValueError: both are None.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(ops.clamp_(x, 1.5, 2.5), x)
    [1.5 2.  2.5] [1.5 2.  2.5]
    """
    check_any_given("clamp_", min=min, max=max)
    return _put_back("clamp_", input, arithmetic.clamp(input, min, max))


@faces("ops")
def erfinv_(input):
    """The inverse error function, in place; returns the tensor."""
    return _put_back("erfinv_", input, math.erfinv(input))


@faces("ops")
def tanh_(input):
    """The hyperbolic tangent, in place; returns the tensor."""
    return _put_back("tanh_", input, activation.tanh(input))


@faces("ops")
def inplace_sigmoid(input):
    """1 / (1 + exp(-x)), in place; returns the tensor."""
    return _put_back("inplace_sigmoid", input, activation.sigmoid(input))


@faces("ops")
def zero_(input):
    """All elements 0, in place; returns the tensor."""
    return shared_storage.write(input, create.zeros_like(input))


@faces("mint")
def addr_(input, vec1, vec2, beta=1, alpha=1):
    """beta * input + alpha * outer(vec1, vec2), in place; returns the tensor."""
    return _put_back("addr_", input, basic.addr(input, vec1, vec2, beta=beta, alpha=alpha))


@op(static=("accumulate",), name="put_")
def _put(input, index, source, accumulate):
    x, index, source = tensor("put_", input), tensor("put_", index, "index"), tensor("put_", source, "source")
    check_dtype("put_", "index", index, "int64", "int32")
    check_dtype("put_", "source", source, x.dtype)
    if index.size != source.size:
        raise ValueError(
            f"For 'put_', the 'index' and the 'source' must have as many elements, but got {index.size} and "
            f"{source.size}."
        )
    at = x.reshape(-1).at[index.reshape(-1)]
    values = source.reshape(-1)
    return (at.add(values) if accumulate else at.set(values)).reshape(x.shape)


@faces("ops Tensor")
def put_(input, index, source, accumulate=False):
    """Elements of the flat tensor replaced, in place; returns the tensor.

    Args:
        input: a Tensor.
        index: flat places, Int64; negative ones count from the end.
        source: as many values, with `input`'s type.
        accumulate: adds the values instead, all of them for a place that occurs more than once.

    Raises:
        TypeError: another type.
        ValueError: another number of values.
    """
    check_bool("put_", "accumulate", accumulate)
    return shared_storage.write(input, _put(input, index, source, accumulate))


@op(static=("dim",), name="index_copy_")
def _index_copied(input, dim, index, tensor):
    at = axis_of("index_copy_", dim, input.ndim, "dim")
    if index.ndim > 1 or index.dtype.kind not in "iu":
        raise TypeError(f"For 'index_copy_', the 'index' must be a 1-d Tensor of ints, but got shape {index.shape}.")
    check_dtype("index_copy_", "tensor", tensor, input.dtype)
    index = index.reshape(-1)
    wanted = (*input.shape[:at], index.shape[0], *input.shape[at + 1 :])
    if tensor.shape != wanted and input.ndim:
        raise ValueError(f"For 'index_copy_', the 'tensor' must have shape {wanted}, but got {tensor.shape}.")
    if not input.ndim:
        return tensor.reshape(())
    return input.at[(slice(None),) * at + (index,)].set(tensor)


@faces("Tensor")
def index_copy_(input, dim, index, tensor):
    """Replace slices along a dimension by another tensor's, in place; returns the tensor.

    Args:
        input: a Tensor.
        dim: an int.
        index: which slices, a 1-d Tensor of ints.
        tensor: their values, with `input`'s type.

    Raises:
        TypeError: another type.
        ValueError: `dim` is out of range, or another shape.
    """
    return shared_storage.write(input, _index_copied(input, dim, index, tensor))


@faces(primitive="CopyWithSlice()(x, y)")
def copy_with_slice(x, y):
    """The values of `y` written into `x`, which may be a view; returns `x` (the primitive CopyWithSlice).

    Raises:
        RuntimeError: other shapes or types.
    """
    if not isinstance(x, Tensor) or not isinstance(y, Tensor):
        raise TypeError(f"For 'CopyWithSlice', two Tensors are needed, but got {type(x).__name__}, {type(y).__name__}.")
    if x.shape != y.shape or x.dtype is not y.dtype:
        raise RuntimeError(
            f"For 'CopyWithSlice', both must be of one shape and type, but got {x.dtype} {x.shape} and {y.dtype} "
            f"{y.shape}."
        )
    return shared_storage.write(x, create.identity_cast(y, y.dtype))


@faces("Tensor")
def set_(self, source=None):
    """The values, shape and type of another tensor, in place; without one the tensor becomes empty.

    What shared storage with the tensor no longer does.
    """
    if source is not None:
        check_type("Tensor.set_", "source", source, Tensor)
    shared_storage.leave(self)
    new = create.zeros((0,), self.dtype) if source is None else create.identity_cast(source, source.dtype)
    shared_storage.write(self, new)
    return self


@faces("Tensor")
def to_(self, device=None, non_blocking=False):
    """The tensor itself: JAX chooses its device, so `device` is only checked.

    Raises:
        ValueError: `device` is neither 'Ascend', 'GPU' nor 'CPU' (a number of the device may follow).
    """
    if device is not None and (not isinstance(device, str) or device.split(":")[0] not in ("Ascend", "GPU", "CPU")):
        raise ValueError(f"For 'Tensor.to_', the 'device' must be one of 'Ascend', 'GPU' or 'CPU', but got {device!r}.")
    no_effect("Tensor.to_", "JAX waits when somebody reads", non_blocking=non_blocking)
    return self


@faces("ops")
def mixed_precision_cast(dst_dtype, x):
    """Floating Tensors in another type; whatever else there is, stays. Tuples and lists become tuples.

    Args:
        dst_dtype: a mindspore dtype.
        x: a Tensor, anything else, or a tuple or list of them.

    Raises:
        TypeError: `dst_dtype` is not a dtype.

    >>> import ms_compat as ms
    >>> cast = ms.ops.mixed_precision_cast(ms.float16, (ms.Tensor([1.5]), ms.Tensor([1]), 2.5))
    >>> cast[0].dtype, cast[1].dtype, cast[2]
    (mindspore.float16, mindspore.int64, 2.5)
    """
    if not isinstance(dst_dtype, mstype.Type):
        raise TypeError(f"For 'mixed_precision_cast', the 'dst_dtype' must be a dtype, but got {dst_dtype!r:.80}.")
    if isinstance(x, (tuple, list)):
        return tuple([mixed_precision_cast(dst_dtype, item) for item in x])
    if isinstance(x, Tensor) and x.dtype in mstype.float_type:
        return create.cast(x, dst_dtype)
    return x
