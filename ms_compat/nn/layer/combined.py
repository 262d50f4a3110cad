"""Wrappers of layers: with a normalisation and an activation, and over time."""

from __future__ import annotations

from typing import Any

from ms_compat import ops
from ms_compat._core.errors import check_bool, check_int, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer import LeakyReLU, get_activation
from ms_compat.nn.layer.basic import Dense
from ms_compat.nn.layer.conv import Conv2d
from ms_compat.nn.layer.normalization import BatchNorm1d, BatchNorm2d
from ms_compat.ops.primitive import Primitive


class _Combined(Cell):
    """A layer, then a BatchNorm if requested, then an activation."""

    def _finish(self, has_bn, batch_norm, activation, alpha, after_fake) -> None:
        api = type(self).__name__
        self.has_bn = check_bool(api, "has_bn", has_bn)
        self.after_fake = check_bool(api, "after_fake", after_fake)
        if has_bn:
            self.batchnorm = batch_norm()
        if activation == "leakyrelu":
            activation = LeakyReLU(alpha)
        elif isinstance(activation, str):
            activation = get_activation(activation, api)
        elif activation is not None and not isinstance(activation, (Cell, Primitive)):
            raise type_error(api, "activation", "str or Cell or Primitive", activation)
        self.has_act = activation is not None
        if self.has_act:
            self.activation = activation

    def _rest(self, x: Any) -> Any:
        if self.has_bn:
            x = self.batchnorm(x)
        return self.activation(x) if self.has_act else x


@faces("nn nn.layer")
class Conv2dBnAct(_Combined):
    """`Conv2d`, then `BatchNorm2d`, then an activation; the last two as requested.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init: as for `Conv2d`; weights are "normal" by default.
        has_bn (bool): whether there is a BatchNorm.
        momentum, eps (float): as for `BatchNorm2d`.
        activation (Union[str, Cell, Primitive]): the activation.
        alpha (float): slope of "leakyrelu".
        after_fake (bool): kept; it concerned quantisation.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation="relu")
    >>> net(Tensor(np.ones((1, 3, 8, 8), np.float32))).shape
    (1, 4, 8, 8)
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init="normal", bias_init="zeros", has_bn=False, momentum=0.997, eps=1e-5,
        activation=None, alpha=0.2, after_fake=True,
    ):  # fmt: skip
        super().__init__()
        self.conv = Conv2d(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init,
        )  # fmt: skip
        self._finish(has_bn, lambda: BatchNorm2d(out_channels, eps, momentum), activation, alpha, after_fake)

    def construct(self, x):
        return self._rest(self.conv(x))


@faces("nn nn.layer")
class DenseBnAct(_Combined):
    """`Dense`, then `BatchNorm1d`, then an activation; the last two as requested.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: as for `Dense`; weights are "normal" by default.
        has_bn (bool): whether there is a BatchNorm.
        momentum, eps (float): as for `BatchNorm1d`.
        activation (Union[str, Cell, Primitive]): the activation.
        alpha (float): slope of "leakyrelu".
        after_fake (bool): kept; it concerned quantisation.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.DenseBnAct(2, 1, weight_init="ones", bias_init="zeros", activation="relu")
    >>> print(net(Tensor([[1.0, 2.0]])))
    [[3.]]
    """

    def __init__(
        self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True, has_bn=False,
        momentum=0.9, eps=1e-5, activation=None, alpha=0.2, after_fake=True,
    ):  # fmt: skip
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._finish(has_bn, lambda: BatchNorm1d(out_channels, eps, momentum), activation, alpha, after_fake)

    def construct(self, x):
        return self._rest(self.dense(x))


@faces("nn nn.layer")
class TimeDistributed(Cell):
    """A layer applied to every time step.

    Args:
        layer (Union[Cell, Primitive]): the layer.
        time_axis (int): the axis of the steps.
        reshape_with_axis (int): the axis that the steps are merged into, so that the layer is called once; without it
            the layer is called step by step.

    Raises:
        TypeError: `layer` is not a Cell or Primitive.

    >>> import ms_compat as ms
    >>> ms.nn.TimeDistributed(ms.nn.Dense(3, 4), time_axis=1)(ms.ops.ones((2, 5, 3))).shape
    (2, 5, 4)
    """

    def __init__(self, layer, time_axis, reshape_with_axis=None):
        check_type("TimeDistributed", "layer", layer, (Cell, Primitive))
        super().__init__()
        check_int("TimeDistributed", "time_axis", time_axis)
        if reshape_with_axis is not None:
            check_int("TimeDistributed", "reshape_with_axis", reshape_with_axis)
        self.layer = layer
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs):
        rank = inputs.ndim
        axes = (self.time_axis,) if self.reshape_with_axis is None else (self.time_axis, self.reshape_with_axis)
        if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) != len(axes):
            raise ValueError(
                f"For 'TimeDistributed', 'time_axis' and 'reshape_with_axis' must be different axes of the input, but "
                f"got {axes} for shape {inputs.shape}."
            )
        time = self.time_axis % rank
        if self.reshape_with_axis is None:
            steps = ops.unbind(inputs, time)
            return ops.stack([self.layer(step) for step in steps], time)
        other = self.reshape_with_axis % rank
        other -= other > time  # among the axes without the time axis
        x = ops.moveaxis(inputs, time, other)
        shape = x.shape
        out = self.layer(x.reshape(*shape[:other], shape[other] * shape[other + 1], *shape[other + 2 :]))
        out = out.reshape(*out.shape[:other], shape[other], -1, *out.shape[other + 1 :])
        return ops.moveaxis(out, other, time)
