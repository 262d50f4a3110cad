"""Internals of MindSpore's `nn` and `common` that scripts import: helpers of initializers, layers and optimizers."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat.amp.loss_scaler import _each
from ms_compat.common import _draws
from ms_compat.common import initializer as init
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer import activation
from ms_compat.nn.layer.transformer import _attend, _mix
from ms_compat.nn.loss.loss import LossBase
from ms_compat.ops.composite import MultitypeFuncGraph
from ms_compat.ops.function.nn.dropout import dropout
from ms_compat.ops.function.rnn.layers import KINDS, recurrent_step

_INITIALIZER_ALIAS = init._ALIAS
_activation = {name: getattr(activation, found) for name, found in activation._BY_NAME.items()}


def _assignment(arr: Any, num: Any) -> Any:
    """Write numbers into an array in place; returns it (a 0-d array is replaced, as there is nothing to write into).

    >>> import numpy as np
    >>> _assignment(np.zeros(2), np.ones(2))
    array([1., 1.])
    """
    if np.ndim(arr) == 0:
        return np.asarray(num).reshape(())[()]
    arr[...] = np.asarray(num).reshape(arr.shape) if np.ndim(num) else num
    return arr


def _init_random_uniform(a: float, b: float, shape: Any) -> np.ndarray:
    """Numbers between `a` and `b`, in float32; `np.random.seed` repeats them."""
    return _draws.uniform(_draws.next_seed(), tuple(shape), a, b)


def _init_random_normal(mean: float, sigma: float, shape: Any) -> np.ndarray:
    """Normally distributed numbers, in float32; `np.random.seed` repeats them."""
    return _draws.normal(_draws.next_seed(), tuple(shape), mean, sigma)


def _calculate_in_and_out(arr: Any) -> tuple[int, int]:
    """The numbers of inputs and outputs that a weight joins.

    Raises:
        ValueError: it has less than two dimensions.
    """
    if len(arr.shape) < 2:
        raise ValueError(f"The weight must have more than 1 dimension, but got {len(arr.shape)}.")
    return init._calculate_fan_in_and_fan_out(tuple(arr.shape))


class _Loss(LossBase):
    """The earlier name of `LossBase`."""


def opt_init_args_register(fn: Callable) -> Callable:
    """Decorator of an optimizer's `__init__`: keeps its arguments as `init_args`, and two of them apart.

    The parameters become `init_params`, the learning rate `init_learning_rate` (None for a schedule). As MindSpore's,
    it hides the names of the arguments from `inspect.signature`, by which packages sort what they pass.
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if "params" in given:
            object.__setattr__(self, "init_params", {"params": given.pop("params")})
        if "optimizer" in given:
            object.__setattr__(self, "init_params", dict(getattr(given.pop("optimizer"), "init_params", {})))
        if "learning_rate" in given:
            rate = given.pop("learning_rate")
            rate = rate.asnumpy().tolist() if isinstance(rate, Tensor) else rate
            object.__setattr__(self, "init_learning_rate", None if isinstance(rate, Cell) else rate)
        object.__setattr__(self, "init_args", given)
        fn(self, *args, **kwargs)

    del initialize.__wrapped__
    return initialize


grad_scale = MultitypeFuncGraph("grad_scale")


@grad_scale.register("Tensor", "Tensor")
def _unscaled(scale: Any, grad: Any) -> Tensor:
    return (grad * (1 / scale.astype(mstype.float32)).astype(grad.dtype)).astype(grad.dtype)


shard_grad_scale = MultitypeFuncGraph("shard_grad_scale")


@shard_grad_scale.register("Tensor", "Tensor", "Tensor")
def _unscaled_sum(scale: Any, grad: Any, accu_grad: Any) -> Tensor:
    from ms_compat.ops import assign

    new = _unscaled(scale, accu_grad)
    assign(accu_grad, accu_grad * 0)
    return new


def _grad_scale_map(scale_value: Any, inputs: Any) -> Any:
    """Nested gradients times a scale, each in its own type."""
    return _each(lambda grad: grad * scale_value.astype(grad.dtype), inputs)


def _grad_unscale_map(scale_value: Any, inputs: Any) -> Any:
    """Nested gradients divided by a scale, each in its own type."""
    return _each(lambda grad: _unscaled(scale_value, grad), inputs)


class _VirtualDatasetCell(Cell):
    """Marks where data enters a distributed network on MindSpore; calls the network.

    Args:
        backbone (Cell): the network.
    """

    def __init__(self, backbone: Cell):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        return self._backbone(*inputs)


class _MicroBatch(Cell):
    """One of a batch's equal parts: `_MicroBatch(4)(i, *inputs)` gives the i-th quarter of each input.

    Args:
        micro_size (int): the number of parts.
    """

    def __init__(self, micro_size: int):
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: Any, *inputs: Any) -> tuple:
        parts = []
        for x in inputs:
            size, rest = divmod(x.shape[0], self.micro_size)
            if rest:
                raise ValueError(f"A batch of {x.shape[0]} does not split into {self.micro_size} equal parts.")
            parts.append(x[size * i : size * (i + 1)])
        return tuple(parts)


class _VirtualDataset:
    """The mark itself: `_VirtualDataset()(*data)` returns the data."""

    def __call__(self, *data: Any) -> Any:
        return data if len(data) > 1 else data[0]


def _deconv_output_length(is_valid: bool, is_same: bool, is_pad: bool, input_length: int, filter_size: int,
                          stride_size: int, dilation_size: int, padding: int) -> int:  # fmt: skip
    """The length that a transposed convolution makes of `input_length`."""
    span = filter_size + (filter_size - 1) * (dilation_size - 1)
    if is_same:
        return input_length * stride_size
    if is_valid:
        return input_length * stride_size + max(span - stride_size, 0)
    return input_length * stride_size - stride_size + span - padding if is_pad else 0


def _check_input_3d(input_shape: tuple, prim_name: str) -> None:
    """
    Raises:
        ValueError: the shape does not have three dimensions.
    """
    if len(input_shape) != 3:
        raise ValueError(f"For '{prim_name}', the dimension of input must be 3d, but got {len(input_shape)}.")


def _step(kind: str) -> Callable:
    def step(inputs: Any, hidden: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
        states = hidden if isinstance(hidden, tuple) else (hidden,)
        out = recurrent_step(inputs, states, w_ih, w_hh, b_ih, b_hh, f"{kind}Cell", kind)
        return out if KINDS[kind].states > 1 or not isinstance(out, tuple) else out[0]

    return step


def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
    dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, attn_mask=None,
    use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None,
    static_v=None, average_attn_weights=True, is_causal=False, k_is_v=False, q_is_k=False, dtype=mstype.float32,
):  # fmt: skip
    """What `nn.MultiheadAttention` computes, with the weights as arguments.

    Args:
        query, key, value (Tensor): [L, N, E], [S, N, K], [S, N, V], or all without N.
        embed_dim_to_check (int): E.
        num_heads (int): number of heads.
        in_proj_weight (Tensor): [3E, E]; or `q_proj_weight`, `k_proj_weight` and `v_proj_weight` if
            `use_separate_proj_weight`.
        in_proj_bias, bias_k, bias_v, add_zero_attn, out_proj_weight, out_proj_bias: as the layer's.
        dropout_p (float): probability to drop a weight if `training`.
        key_padding_mask, attn_mask, average_attn_weights: as for the layer.
        static_k, static_v (Tensor): not taken.
        is_causal, k_is_v, q_is_k, dtype: say what the other arguments say already.

    Returns:
        Tuple of the result and the attention weights.

    Raises:
        ValueError: `embed_dim_to_check` is not the query's width or not a multiple of `num_heads`.
    """
    if static_k is not None or static_v is not None:
        raise ValueError("For 'multi_head_attention_forward', 'static_k' and 'static_v' must be None.")
    width = query.shape[-1]
    if width != embed_dim_to_check or width % num_heads:
        raise ValueError(
            f"For 'multi_head_attention_forward', the width must be {embed_dim_to_check} and a multiple of "
            f"{num_heads}, but got {width}."
        )
    batched = query.ndim == 3
    if not batched:
        query, key, value = (x.expand_dims(1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
    weights = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else [in_proj_weight]
    masks = (key_padding_mask, attn_mask)
    attention, v = _attend(query, key, value, weights, in_proj_bias, bias_k, bias_v, *masks, num_heads, add_zero_attn)
    if dropout_p and training:
        attention = dropout(attention, dropout_p)
    out = _mix(attention, v, out_proj_weight, out_proj_bias)
    shown = attention.mean(1) if average_attn_weights else attention
    return (out, shown) if batched else (out.squeeze(1), shown.squeeze(0))


_lstm_cell, _gru_cell, _rnn_tanh_cell, _rnn_relu_cell = (
    _step(kind) for kind in ("LSTM", "GRU", "RNN_TANH", "RNN_RELU")
)


class _CustomVjp(Cell):
    """A function as a Cell whose gradient is another function, set by `defbwd`."""

    def __init__(self, fwd: Callable) -> None:
        super().__init__()
        self.fwd = fwd
        self.bwd: Callable | None = None

    def construct(self, *args: Any) -> Any:
        return self.fwd(*args)

    def defbwd(self, bwd: Callable) -> None:
        """Let `bwd(*inputs, out, dout)` return the gradients of the inputs, as a tuple."""
        self.bwd = bwd

    def bprop(self, *args: Any) -> Any:
        if self.bwd is None:
            raise TypeError("For 'custom_vjp', a gradient is needed, but 'defbwd' has not set a backward function.")
        return self.bwd(*args)


def custom_vjp(fn: Callable | None = None) -> Any:
    """A decorator that makes a Cell of a function; `defbwd` of the Cell takes the backward function.

    >>> import ms_compat as ms
    >>> from ms_compat._inner.nn import custom_vjp
    >>> @custom_vjp
    ... def doubled(x):
    ...     return x * 2
    >>> doubled.defbwd(lambda x, out, dout: (dout * 5,))
    >>> print(ms.grad(doubled)(ms.Tensor([1.0])))
    [5.]
    """
    return _CustomVjp if fn is None else _CustomVjp(fn)
