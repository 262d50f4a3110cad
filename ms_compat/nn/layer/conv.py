"""Convolution layers and their transposes.

A call is one operation: the padding of the mode, the checks, the convolution and the bias are traced together. The 1-D
layers keep MindSpore's weight shape [O, C / group, 1, K] and are lifted to two dimensions inside it. Default weights
are uniform in +-1/sqrt(fan_in), He's initialisation with slope sqrt(5).
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice, check_length
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import (
    check_bool,
    check_non_negative_int,
    check_one_of,
    check_positive_int,
    value_error,
)
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import HeUniform, Uniform
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer._initial import initial
from ms_compat.ops.function.nn import conv as ops
from ms_compat.ops.function.nn.checks import channels_first, channelwise, same_dtype_as_weight

_FORMATS = {2: ("NCHW", "NHWC", "NCDHW"), 3: ("NCDHW",)}


def _check_input(api: str, x: Any, weight: Any, rank: int, channels: int) -> None:
    same_dtype_as_weight(api, x, weight)
    # as in MindSpore, whose kernels for two dimensions refuse the channels
    channels_first(api, x, (rank,), "in_channels", channels, ValueError if weight.ndim == 5 else RuntimeError)


@op(static=("stride", "pad_mode", "pads", "dilation", "group", "lift"), name="Conv")
def _conv(x, weight, bias, stride, pad_mode, pads, dilation, group, lift):
    api = f"Conv{len(stride) - lift}d"
    _check_input(api, x, weight, len(stride) + 2 - lift, weight.shape[1] * group)
    if lift:
        x = x[:, :, None, :]
    given = ops.paddings(x.shape[2:], weight.shape[2:], stride, dilation, pad_mode, pads)
    out = ops.checked(api, x, weight, stride, given, dilation, group)
    if bias is not None:
        out = out + channelwise(bias.astype(out.dtype), out.ndim)
    return out[:, :, 0, :] if lift else out


@op(static=("stride", "pad_mode", "pads", "extra", "dilation", "group", "lift"), name="ConvTranspose")
def _conv_transpose(x, weight, bias, stride, pad_mode, pads, extra, dilation, group, lift):
    api = f"Conv{len(stride) - lift}dTranspose"
    _check_input(api, x, weight, len(stride) + 2 - lift, weight.shape[0])
    if lift:
        x = x[:, :, None, :]
    reach = tuple((k - 1) * d + 1 for k, d in zip(weight.shape[2:], dilation, strict=True))
    # MindSpore's 2-D layer puts zeros where output_padding needs more positions; the 3-D one computes them
    behind = extra if len(stride) == 2 else (0,) * len(stride)
    if pad_mode == "pad":
        more = [e - b for e, b in zip(extra, behind, strict=True)]
        size = ops.transposed_size(x.shape[2:], weight.shape[2:], stride, dilation, pads, more)
    else:
        if any(extra):
            raise ValueError(f"For '{api}', 'output_padding' needs pad_mode 'pad', but got {extra} and '{pad_mode}'.")
        room = [max(r - s, 0) if pad_mode == "valid" else 0 for r, s in zip(reach, stride, strict=True)]
        size = tuple(n * s + r for n, s, r in zip(x.shape[2:], stride, room, strict=True))
    given = ops.paddings(size, weight.shape[2:], stride, dilation, pad_mode, pads)
    out = ops.conv_input_grad.fn(x, weight, size, stride, given, dilation, group)
    if bias is not None:
        out = out + channelwise(bias.astype(out.dtype), out.ndim)
    if any(behind):
        out = jnp.pad(out, ((0, 0), (0, 0), *[(0, n) for n in behind]))
    return out[:, :, 0, :] if lift else out


def _per_axis(api: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """An int for each spatial axis; MindSpore's errors."""
    if isinstance(value, tuple):
        if len(value) != count:
            raise (ValueError if count == 3 else TypeError)(
                f"For '{api}', the '{name}' must be an int or a tuple of {count} ints, but got {value}."
            )
    else:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For '{api}', the '{name}' must be an int or a tuple of {count} ints, but got {value!r}.")
        value = (value,) * count
    for item in value:
        check_positive_int(api, f"{name} item", item)
    return value


def _checked_padding(api: str, padding: Any, count: int) -> Any:
    """An int, or a tuple of `count`."""
    if not isinstance(padding, tuple):
        return check_non_negative_int(api, "padding", padding)
    for item in padding:
        check_non_negative_int(api, "padding item", item)
    return check_length(api, "padding", padding, count)


def _lifted(api: str, weight_init: Any) -> Any:
    """The initial weight of a 1-D convolution, which is computed as one of images with a height of 1."""
    if not isinstance(weight_init, Tensor):
        return weight_init
    if weight_init.ndim != 3:
        raise ValueError(
            f"For '{api}', a Tensor as 'weight_init' must have 3 dimensions, but got shape {weight_init.shape}."
        )
    return Tensor(weight_init.asnumpy()[:, :, None])


class _Conv(Cell):
    """What the six layers share: arguments, weights, printing."""

    _axes = 2
    _lift = False
    _transposed = False

    def _set_up(
        self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
        bias_init, data_format, dtype, output_padding=0,
    ) -> None:  # fmt: skip
        api = type(self).__name__
        count = self._axes
        self.in_channels = check_positive_int(api, "in_channels", in_channels)
        self.out_channels = check_positive_int(api, "out_channels", out_channels)
        if self._lift:
            for name, value in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
                check_positive_int(api, name, value)
            check_non_negative_int(api, "padding", padding)
            kernel_size, stride, dilation = (1, kernel_size), (1, stride), (1, dilation)
            padding = (0, 0, padding, padding)
            weight_init = _lifted(api, weight_init)
        self.kernel_size = _per_axis(api, "kernel_size", kernel_size, count)
        self.stride = _per_axis(api, "stride", stride, count)
        self.dilation = _per_axis(api, "dilation", dilation, count)
        if count == 3 and isinstance(pad_mode, str):
            pad_mode = pad_mode.lower()
        if count == 3 and self._transposed and self.dilation[0] != 1:
            raise value_error(api, "dilation", "1 along the depth", dilation)
        self.pad_mode = check_one_of(api, "pad_mode", pad_mode, ("valid", "same", "pad"))
        self.padding = _checked_padding(api, padding, 2 * count)
        self.group = check_positive_int(api, "group", group)
        if in_channels % group or out_channels % group:
            raise ValueError(
                f"For '{api}', the argument 'group' should be divisible by 'in_channels' and 'out_channels', but got "
                f"group:{group}, in_channels:{in_channels}, out_channels:{out_channels}."
            )
        self.has_bias = check_bool(api, "has_bias", has_bias)
        self.data_format = check_choice(api, "data_format", data_format, _FORMATS[count])
        if data_format == "NHWC":
            raise value_error(api, "data_format", "'NCHW' (MindSpore has 'NHWC' on GPU alone)", data_format)
        extra = output_padding if isinstance(output_padding, tuple) else (output_padding,) * count
        for item in extra:
            check_non_negative_int(api, "output_padding", item)
        self.output_padding = output_padding
        pads = ops.pad_pairs(api, pad_mode, padding, count)
        self._make_parameters(weight_init, bias_init, dtype)
        if self._transposed:
            self._settings: tuple = (self.stride, pad_mode, pads, extra, self.dilation, group, self._lift)
        else:
            self._settings = (self.stride, pad_mode, pads, self.dilation, group, self._lift)

    def _make_parameters(self, weight_init, bias_init, dtype) -> None:
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.bias_init = bias_init
        first, second = self.out_channels, self.in_channels
        if self._transposed:
            first, second = second, first
        shape = (first, second // self.group, *self.kernel_size)
        self.weight = Parameter(initial(self.weight_init, shape, dtype), name="weight")
        if self.has_bias:
            if bias_init is None:
                bound = 1 / math.sqrt(math.prod(shape[1:]))
                self.bias_init = Uniform(bound)
            self.bias: Any = Parameter(initial(self.bias_init, (self.out_channels,), dtype), name="bias")
        else:
            self.bias = None

    def construct(self, x):
        return _conv(x, self.weight, self.bias, *self._settings)

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, "
            f"format={self.data_format}"
        )


class _ConvTranspose(_Conv):
    _transposed = True

    def construct(self, x):
        return _conv_transpose(x, self.weight, self.bias, *self._settings)


@faces("nn nn.layer")
class Conv1d(_Conv):
    """1-D convolution (cross-correlation) of [N, C, L]; the weight is [out_channels, in_channels / group, 1,
    kernel_size].

    By default `pad_mode` is "same" and no bias is added, unlike in PyTorch.

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size (int): length of the window.
        stride (int): step.
        pad_mode (str): "same" (ceil(L / stride) positions), "valid" (no padding) or "pad" (`padding`).
        padding (int): for "pad": on both sides.
        dilation (int): distance of the kernel's elements.
        group (int): groups of channels that do not mix.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: initializer, its name, number or Tensor; uniform in +-1/sqrt(fan_in) by default. A
            Tensor as `weight_init` is [out_channels, in_channels / group, kernel_size].
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, in_channels, L] in the parameters' dtype.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; padding without pad_mode "pad".

    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv1d(1, 1, 2, pad_mode="valid", weight_init="ones")
    >>> print(net(Tensor([[[1.0, 2.0, 3.0]]])))
    [[[3. 5.]]]
    """

    _lift = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype,
        )  # fmt: skip


@faces("nn nn.layer")
class Conv2d(_Conv):
    """2-D convolution (cross-correlation) of [N, C, H, W].

    By default `pad_mode` is "same" and no bias is added, unlike in PyTorch.

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size (Union[int, tuple]): of the window, per axis.
        stride (Union[int, tuple]): step per axis.
        pad_mode (str): "same" (ceil(size / stride) positions), "valid" (no padding) or "pad" (`padding`).
        padding (Union[int, tuple]): for "pad": on all sides, or (top, bottom, left, right).
        dilation (Union[int, tuple]): distance of the kernel's elements.
        group (int): groups of channels that do not mix.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: initializer, its name, number or Tensor; uniform in +-1/sqrt(fan_in) by default.
        data_format (str): "NCHW".
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, in_channels, H, W] in the parameters' dtype.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value; padding without pad_mode "pad".

    >>> import numpy as np
    >>> import ms_compat as ms
    >>> net = ms.nn.Conv2d(3, 8, 3, stride=2)
    >>> net(ms.Tensor(np.ones((1, 3, 32, 32)), ms.float32)).shape
    (1, 8, 16, 16)
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init=None, bias_init=None, data_format="NCHW", dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip


@faces("nn nn.layer")
class Conv3d(_Conv):
    """3-D convolution (cross-correlation) of [N, C, D, H, W].

    By default `pad_mode` is "same" and no bias is added, unlike in PyTorch.

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size (Union[int, tuple]): the window, of three ints.
        stride (Union[int, tuple]): step per axis.
        pad_mode (str): "same" (ceil(size / stride) positions), "valid" (no padding) or "pad" (`padding`).
        padding (Union[int, tuple]): for "pad": on all sides, or six ints (front, back, top, bottom, left, right).
        dilation (Union[int, tuple]): distance of the kernel's elements.
        group (int): groups of channels that do not mix.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: initializer, its name, number or Tensor; uniform in +-1/sqrt(fan_in) by default.
        data_format (str): "NCDHW".
        dtype: of the parameters.

    Inputs:
        x (Tensor): [N, in_channels, D, H, W] in the parameters' dtype.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; padding without pad_mode "pad".

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv3d(1, 2, 2, pad_mode="valid")
    >>> net(Tensor(np.ones((1, 1, 4, 4, 4), np.float32))).shape
    (1, 2, 3, 3, 3)
    """

    _axes = 3

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init=None, bias_init=None, data_format="NCDHW", dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype,
        )  # fmt: skip


@faces("nn nn.layer")
class Conv1dTranspose(_ConvTranspose):
    """1-D transposed convolution of [N, C, L], the gradient of `Conv1d` with respect to its input.

    The weight is [in_channels, out_channels / group, 1, kernel_size].

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size, stride, dilation (int): the convolution's.
        pad_mode (str): "same" (L * stride), "valid" or "pad".
        padding (int): for "pad": what the convolution pads.
        group (int): groups of channels.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: as for `Conv1d`. A Tensor as `weight_init` is [in_channels, out_channels / group,
            kernel_size].
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv1dTranspose(1, 1, 2, stride=2, weight_init="ones")
    >>> print(net(Tensor([[[1.0, 2.0]]])))
    [[[1. 1. 2. 2.]]]
    """

    _lift = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype,
        )  # fmt: skip


@faces("nn nn.layer")
class Conv2dTranspose(_ConvTranspose):
    """2-D transposed convolution of [N, C, H, W], the gradient of `Conv2d` with respect to its input.

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size, stride, dilation (Union[int, tuple]): the convolution's.
        pad_mode (str): "same" (size * stride), "valid" or "pad".
        padding (Union[int, tuple]): for "pad": what the convolution pads.
        output_padding (Union[int, tuple]): for "pad": positions added at the end.
        group (int): groups of channels.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: as for `Conv2d`.
        dtype: of the parameters.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv2dTranspose(1, 1, 2, stride=2, weight_init="ones")
    >>> print(net(Tensor([[[[1.0, 2.0]]]])))
    [[[[1. 1. 2. 2.]
       [1. 1. 2. 2.]]]]
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, output_padding=0,
        dilation=1,
        group=1, has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, "NCHW", dtype, output_padding,
        )  # fmt: skip


@faces("nn nn.layer")
class Conv3dTranspose(_ConvTranspose):
    """3-D transposed convolution of [N, C, D, H, W], the gradient of `Conv3d` with respect to its input.

    Args:
        in_channels (int): C.
        out_channels (int): channels of the result.
        kernel_size, stride, dilation (Union[int, tuple]): the convolution's; the dilation of the depth is 1.
        pad_mode (str): "same" (size * stride), "valid" or "pad".
        padding (Union[int, tuple]): for "pad": what the convolution pads.
        group (int): groups of channels.
        output_padding (Union[int, tuple]): for "pad": positions added at the end.
        has_bias (bool): whether to add a bias.
        weight_init, bias_init: as for `Conv3d`.
        data_format (str): "NCDHW".
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> net = nn.Conv3dTranspose(1, 2, 2, stride=2)
    >>> net(Tensor(np.ones((1, 1, 2, 2, 2), np.float32))).shape
    (1, 2, 4, 4, 4)
    """

    _axes = 3

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
        output_padding=0, has_bias=False, weight_init=None, bias_init=None, data_format="NCDHW", dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self._set_up(
            in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
            bias_init, data_format, dtype, output_padding,
        )  # fmt: skip
