"""Internals of MindSpore's `ops` that scripts import: helpers of attention, indexing, and calling primitives."""

from __future__ import annotations

from typing import Any

from ms_compat import ops
from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_type
from ms_compat._core.tensor import Tensor
from ms_compat.mint.nn import functional as F
from ms_compat.ops.primitive import Primitive
from ms_compat.parallel.shard import reshard


def _run_op(obj: Any, op_name: str, args: tuple) -> Any:
    """Call a primitive; its name is for MindSpore's messages."""
    return obj(*args)


class TensorToScalar(Primitive):
    """`TensorToScalar()(x)`: the only element of a Tensor, as a number."""

    def __init__(self) -> None:
        super().__init__("TensorToScalar")

    def __call__(self, x: Tensor) -> Any:
        return x.item()


class ControlDepend(Primitive):
    """`ControlDepend()(first, second)` of MindSpore 1.0 put two operations in order; here they are in Python's.

    Args:
        depend_mode (int): 0 or 1, what was put in order when an input is a Parameter.

    Returns:
        At the call, the two inputs, to be given to `ops.depend`.
    """

    def __init__(self, depend_mode: int = 0):
        super().__init__("ControlDepend")
        check_choice("ControlDepend", "depend_mode", depend_mode, (0, 1))
        self.depend_mode = depend_mode

    def __call__(self, src: Any, dst: Any) -> tuple:
        return src, dst


control_depend = ControlDepend()


def _tensor_getitem(x: Any, index: Any) -> Tensor:
    """`x[index]`."""
    return x[index]


def _tensor_setitem(x: Any, index: Any, value: Any) -> Tensor:
    """`x[index] = value`; returns x."""
    x[index] = value
    return x


_tensor_getitem_origin = _tensor_getitem


def _tensor_setitem_origin(x: Any, index: Any, value: Any) -> tuple[Tensor]:
    """`x[index] = value`; returns x in a tuple."""
    return (_tensor_setitem(x, index, value),)


def _inner_pad(x: Tensor, padding: Any, value: Any = None) -> Tensor:
    """Pad the last axes with a constant."""
    return F.pad(x, tuple(padding), "constant", 0.0 if value is None else value)


def _inner_dropout(x: Tensor, p: float, training: bool) -> Tensor:
    """Drop elements with probability `p` in training."""
    return F.dropout(x, p, training)


def _in_projection(q: Tensor, k: Tensor, v: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, b_q: Any = None,
                   b_k: Any = None, b_v: Any = None) -> tuple:  # fmt: skip
    """Queries, keys and values times their weights."""
    rows = ((q, w_q, b_q), (k, w_k, b_k), (v, w_v, b_v))
    return tuple([ops.dense(x, w, b) for x, w, b in rows])


def _in_projection_packed(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Any, k_is_v: bool, q_is_k: bool) -> tuple:
    """As `_in_projection`, with the weights one below the other; the flags say what the Tensors say already."""
    biases = (None,) * 3 if b is None else ops.chunk(b, 3)
    return _in_projection(q, k, v, *ops.chunk(w, 3), *biases)


class Reshard(Primitive):
    """`Reshard(in_layout, out_layout, in_strategy)(x)`: a Tensor in another layout, as `mindspore.reshard` gives it.

    Args:
        in_layout (tuple[Layout]): of the input; JAX knows the sharding already.
        out_layout (tuple[Layout]): of the result.
        in_strategy (tuple): the input's pieces, which `in_layout` says already.

    Raises:
        TypeError: an argument of a wrong type.

    >>> import ms_compat as ms
    >>> layout = ms.parallel.Layout((1,), ("dp",))("dp", "None")
    >>> print(ms.ops.Reshard((layout,), (layout,), ((1, 1),))(ms.Tensor([[1, 2]])))
    [[1 2]]
    """

    def __init__(self, in_layout: Any, out_layout: Any, in_strategy: Any):
        super().__init__("Reshard")
        for name, value in (("in_strategy", in_strategy), ("in_layout", in_layout), ("out_layout", out_layout)):
            check_type("Reshard", name, value, tuple)
        self.out_layout = out_layout
        self.in_strategy = in_strategy

    def __call__(self, tensor: Tensor) -> Tensor:
        return reshard(tensor, self.out_layout[0])


class _Vmap:
    """`_Vmap()(fn, in_axes, out_axes)` is `mindspore.vmap(fn, in_axes, out_axes)`."""

    def __call__(self, fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Any:
        return ops.vmap(fn, in_axes, out_axes)


def str_to_enum(op_name: str, arg_name: str, value: str) -> str:
    """The text itself: what MindSpore's primitives number, they take as text here."""
    return value


def _nd_transpose(a: Tensor) -> Tensor:
    """The last two dimensions exchanged.

    Raises:
        ValueError: there are less than two.
    """
    if a.ndim < 2:
        raise ValueError(f"For '_nd_transpose', the input must have 2 dimensions or more, but got {a.ndim}.")
    return ops.swapaxes(a, -1, -2)


def matrix_set_diag(input_x: Tensor, diagonal: Tensor, k: Any = 0, alignment: str = "RIGHT_LEFT") -> Tensor:
    """`ops.matrix_set_diag`; `k` is the number of a diagonal, or the lowest and the highest one.

    Raises:
        ValueError: `k` is neither.
    """
    if not isinstance(k, (int, list, tuple)):
        raise ValueError(f"For 'matrix_set_diag', the 'k' must be an int or a pair, but got {k!r:.60}.")
    return ops.matrix_set_diag(input_x, diagonal, k, alignment)
