"""Convolutions, bias and dense products, through `lax.conv_general_dilated` and `lax.dot_general`.

MindSpore's pad modes become pairs of paddings per spatial axis (`paddings`): "valid" none, "same" so that the
output has ceil(input / stride) positions with the odd one behind, "pad" as given. The transposed convolution is the
linear transpose of the convolution itself (`jax.linear_transpose`), the same program that JAX's gradient runs, so
nothing is derived twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core.checks import check_rank, check_tensors
from ms_compat._core.convolution import lowering
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import extreme_size, has_symbolic_size, is_positive, is_symbolic_size
from ms_compat._core.settings import tensor_float
from ms_compat.ops.function.nn.checks import (
    channelwise,
    floating,
    integer,
    last_size,
    numeric,
    sizes,
    tensor,
    wide_on_cpu,
)

_PAD_MODES = ("valid", "same", "pad")
_LAYOUT = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW"), 3: ("NCDHW", "OIDHW", "NCDHW")}
Pairs = tuple[tuple[int, int], ...]


def paddings(size: tuple, kernel: tuple, stride: tuple, dilation: tuple, pad_mode: str, pads: Pairs) -> Pairs:
    """The padding before and after each spatial axis.

    Args:
        size: input sizes of the spatial axes.
        kernel: kernel sizes.
        stride: steps.
        dilation: distances between kernel elements.
        pad_mode: "valid", "same" or "pad".
        pads: what "pad" uses.

    >>> paddings((5,), (2,), (2,), (1,), "same", ())
    ((0, 1),)
    """
    if pad_mode == "pad":
        return pads
    if pad_mode == "valid":
        return ((0, 0),) * len(size)
    out = []
    for n, k, s, d in zip(size, kernel, stride, dilation, strict=True):
        total = (-(-n // s) - 1) * s + d * (k - 1) + 1 - n
        if is_symbolic_size(n) and k == 1:
            out.append((0, total))  # an open size is cut to what is used: then all "same" layers have equal sizes
            continue
        total = extreme_size("max", total, 0) if is_symbolic_size(total) else max(total, 0)
        out.append((total // 2, total - total // 2))
    return tuple(out)


def padded_openly(x: Any, pads: Pairs, reach: Sequence[int], fill: Any) -> Any:
    """`x`, channels first, padded by numbers that are open and at most `reach`; negative ones cut."""
    wide = lax.pad(x, jnp.asarray(fill, x.dtype), [(0, 0, 0)] * 2 + [(most, most, 0) for most in reach])
    begin = [most - before for most, (before, _) in zip(reach, pads, strict=True)]
    end = [most + n + after for most, n, (_, after) in zip(reach, x.shape[2:], pads, strict=True)]
    return lax.slice(wide, (0, 0, *begin), (*x.shape[:2], *end))


def pad_pairs(api: str, pad_mode: Any, padding: Any, count: int, argument: str = "padding") -> Pairs:
    """Pairs from MindSpore's `padding`: an int, one int per axis, or (for "pad") a before and an after per axis.

    Raises:
        TypeError: no ints.
        ValueError: an unknown mode, a wrong length, a negative value, or padding that the mode does not use.
    """
    check_one_of(api, "pad_mode", pad_mode, _PAD_MODES)
    given = padding
    if isinstance(padding, int) and not isinstance(padding, bool):
        padding = (padding,) * count
    if not isinstance(padding, (tuple, list)):
        raise type_error(api, argument, "int or tuple of ints", padding)
    values = tuple(integer(api, argument, p, 0) for p in padding)
    if pad_mode != "pad":
        if any(values):
            raise ValueError(
                f"For '{api}', the '{argument}' must be 0 when 'pad_mode' is {pad_mode!r}, but got {given}. Pass "
                f"pad_mode=\"pad\" to pad by '{argument}'."
            )
        return ((0, 0),) * count
    if len(values) == count:
        return tuple((p, p) for p in values)
    if len(values) == 2 * count:
        return tuple(zip(values[::2], values[1::2], strict=True))
    raise value_error(api, argument, f"int or tuple of {count} or {2 * count} ints", padding)


def convolve(x: Any, w: Any, stride: tuple, pads: Pairs, dilation: tuple, groups: int) -> Any:
    """The convolution itself, in channels-first layout; the result has the dtype of `x`.

    Padding beyond the kernel's reach is written out: in the gradient it would be a negative padding on one side and a
    positive one on the other, for which XLA's CPU kernels read outside of the input.
    """
    lowering.use()
    reach = [(k - 1) * d for k, d in zip(w.shape[2:], dilation, strict=True)]
    if has_symbolic_size(pads):
        x, pads = padded_openly(x, pads, reach, 0), ((0, 0),) * len(pads)
    if any(max(pair) > most for pair, most in zip(pads, reach, strict=True)):
        beyond = [(max(a - most, 0), max(b - most, 0)) for (a, b), most in zip(pads, reach, strict=True)]
        x = jnp.pad(x, ((0, 0), (0, 0), *beyond))
        pads = tuple([(min(a, most), min(b, most)) for (a, b), most in zip(pads, reach, strict=True)])
    out = lax.conv_general_dilated(
        wide_on_cpu(x),
        wide_on_cpu(w.astype(x.dtype)),
        stride,
        pads,
        rhs_dilation=dilation,
        dimension_numbers=_LAYOUT[len(stride)],
        feature_group_count=groups,
        precision=tensor_float.of_convolutions(),
    )
    return out.astype(x.dtype)


def check_channels(api: str, x: Any, w: Any, groups: int, error: type[Exception]) -> None:
    """Checks that an input [N, C, *] has the channels that a weight takes."""
    if x.shape[1] != w.shape[1] * groups:
        order = {3: "NCL", 4: "NCHW", 5: "NCDHW"}[len(x.shape)]
        raise error(
            f"For '{api}', a weight of shape {w.shape} with groups={groups} takes {w.shape[1] * groups} channels, but "
            f"the input has {x.shape[1]} (shape {x.shape}); {order} is expected."
        )


def checked(api: str, x: Any, w: Any, stride: tuple, pads: Pairs, dilation: tuple, groups: int) -> Any:
    """`convolve` after the checks of ranks, channels and sizes."""
    count = len(stride)
    floating(api, "input", x), floating(api, "weight", w)
    for name, value in (("input", x), ("weight", w)):
        check_rank(api, name, value, count + 2)
    if x.shape[1] % groups or w.shape[0] % groups:
        raise ValueError(
            f"For '{api}', the input channels {x.shape[1]} and output channels {w.shape[0]} must be divisible "
            f"by 'groups' {groups}."
        )
    check_channels(api, x, w, groups, ValueError if count == 3 else RuntimeError)
    for n, k, d, (before, after) in zip(x.shape[2:], w.shape[2:], dilation, pads, strict=True):
        if not is_positive(n + before + after - d * (k - 1)):
            raise ValueError(
                f"For '{api}', the kernel {w.shape[2:]} is larger than the padded input of shape {x.shape}. Take "
                "a smaller 'kernel_size', or pad more."
            )
    return convolve(x, w, stride, pads, dilation, groups)


def _conv(api: str, count: int, x, w, bias, stride, pad_mode, padding, dilation, groups) -> Any:
    tensor(api, "input", x), tensor(api, "weight", w)
    stride = sizes(api, "stride", stride, count, keep=True)
    dilation = sizes(api, "dilation", dilation, count, keep=True)
    integer(api, "groups", groups, 1)
    if isinstance(padding, (tuple, list)) and len(padding) != count:
        raise value_error(api, "padding", f"int or tuple of {count} ints", padding)
    pads = pad_pairs(api, pad_mode, padding, count)
    if bias is not None and (tensor(api, "bias", bias).ndim != 1 or bias.shape[0] != w.shape[0]):
        raise ValueError(f"For '{api}', the 'bias' must have shape ({w.shape[0]},), but got {bias.shape}.")
    pads = paddings(x.shape[2:], w.shape[2:], stride, dilation, pad_mode, pads)
    out = checked(api, x, w, stride, pads, dilation, groups)
    return out if bias is None else out + channelwise(bias.astype(out.dtype), out.ndim)


_STATIC = ("stride", "pad_mode", "padding", "dilation", "groups")


@faces("ops")
@op(static=_STATIC)
def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """1-D convolution (cross-correlation) of [N, C, L] with [O, C / groups, K]; see `conv2d`."""
    return _conv("conv1d", 1, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@faces("ops")
@op(static=_STATIC)
def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """2-D convolution (cross-correlation).

    Args:
        input (Tensor): [N, C, H, W], floating type.
        weight (Tensor): [O, C / groups, KH, KW].
        bias (Tensor): [O] or None.
        stride (Union[int, tuple]): step per axis.
        pad_mode (str): "valid", "same" (ceil(H / stride) positions; the odd padding behind) or "pad".
        padding (Union[int, tuple]): for "pad", zeros on both sides of each axis.
        dilation (Union[int, tuple]): distance of kernel elements per axis.
        groups (int): groups of channels that are convolved separately.

    Returns:
        Tensor [N, O, H', W'] with `input`'s type.

    Raises:
        TypeError: an argument of a wrong type, integers as data.
        ValueError: sizes that do not fit, or out of range.
        RuntimeError: the channels of `input` and `weight` do not fit.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.nn.conv import conv2d
    >>> import numpy as np
    >>> x, w = Tensor(np.ones((1, 3, 8, 8), np.float32)), Tensor(np.ones((4, 3, 3, 3), np.float32))
    >>> conv2d(x, w, pad_mode="same").shape
    (1, 4, 8, 8)
    """
    return _conv("conv2d", 2, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@faces("ops")
@op(static=_STATIC)
def conv3d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """3-D convolution (cross-correlation) of [N, C, D, H, W] with [O, C / groups, KD, KH, KW]; see `conv2d`."""
    return _conv("conv3d", 3, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@op(static=("pads", "stride", "dilation", "groups"))
def conv_pads(x, w, stride, pads, dilation, groups):
    """A convolution with explicit (before, after) pairs per axis; the layers and primitives call it."""
    return checked(f"Conv{len(stride)}D", x, w, stride, pads, dilation, groups)


@op(static=("size", "stride", "pads", "dilation", "groups"))
def conv_input_grad(grad, weight, size, stride, pads, dilation, groups):
    """The gradient of a convolution with respect to its input, also known as transposed convolution.

    Args:
        grad (Tensor): [N, O, *], shaped like the convolution's output.
        weight (Tensor): [O, C / groups, *], as for the convolution.
        size (tuple): spatial sizes of the convolution's input, so of this result.
        stride (tuple): of the convolution.
        pads (tuple): its (before, after) per axis.
        dilation (tuple): of the convolution.
        groups (int): of the convolution.

    Returns:
        Tensor [N, C, *size] with `grad`'s type.

    Raises:
        TypeError: the data is not floating.
        ValueError: `grad` does not have the shape of that convolution's output.
    """
    floating("conv_transpose", "x", grad), floating("conv_transpose", "weight", weight)
    if grad.shape[1] != weight.shape[0]:
        raise ValueError(
            f"For 'conv_transpose', a weight of shape {weight.shape} takes {weight.shape[0]} channels, but the input "
            f"has {grad.shape[1]} (shape {grad.shape})."
        )
    shape = (grad.shape[0], weight.shape[1] * groups, *size)
    g, w = wide_on_cpu(grad), wide_on_cpu(weight.astype(grad.dtype))
    transposed = jax.linear_transpose(
        lambda x: convolve(x, w, stride, pads, dilation, groups), jax.ShapeDtypeStruct(shape, g.dtype)
    )
    expected = jax.eval_shape(
        lambda x: convolve(x, w, stride, pads, dilation, groups), jax.ShapeDtypeStruct(shape, g.dtype)
    )
    if expected.shape != g.shape:
        raise ValueError(
            f"For 'conv_transpose', an output of {shape} belongs to an input of {expected.shape}, but got {g.shape}."
        )
    return transposed(g)[0].astype(grad.dtype)


def transposed_size(size, kernel, stride, dilation, pads, output_padding) -> tuple[int, ...]:
    """Spatial sizes of a transposed convolution's result.

    >>> transposed_size((3,), (3,), (2,), (1,), ((1, 1),), (1,))
    (6,)
    """
    return tuple(
        (n - 1) * s - a - b + d * (k - 1) + 1 + extra
        for n, k, s, d, (a, b), extra in zip(size, kernel, stride, dilation, pads, output_padding, strict=True)
    )


def conv_transpose(api: str, count: int, input, weight, bias, stride, padding, output_padding, groups, dilation):
    """Transposed convolution in PyTorch's terms; `weight` is [C, O / groups, *]."""
    stride, dilation = (sizes(api, n, v, count) for n, v in (("stride", stride), ("dilation", dilation)))
    pads = tuple((p, p) for p in sizes(api, "padding", padding, count, 0))
    extra = sizes(api, "output_padding", output_padding, count, 0)
    size = transposed_size(input.shape[2:], weight.shape[2:], stride, dilation, pads, extra)
    out = conv_input_grad(input, weight, size, stride, pads, dilation, groups)
    return out if bias is None else bias_add(out, bias)


@faces("ops mint.nn.functional")
def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """2-D transposed convolution.

    Args:
        input (Tensor): [N, C, H, W].
        weight (Tensor): [C, O / groups, KH, KW].
        bias (Tensor): [O] or None.
        stride (Union[int, tuple]): step per axis.
        padding (Union[int, tuple]): what the matching convolution pads on both sides.
        output_padding (Union[int, tuple]): positions added at the end.
        groups (int): groups of channels.
        dilation (Union[int, tuple]): distance of kernel elements.

    Returns:
        Tensor [N, O, (H - 1) * stride - 2 * padding + dilation * (KH - 1) + 1 + output_padding, ...].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: sizes that do not fit.
    """
    return conv_transpose("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@faces("ops")
def conv3d_transpose(
    inputs, weight, pad_mode="valid", padding=0, stride=1, dilation=1, group=1, output_padding=0
):  # fmt: skip
    """3-D transposed convolution: the gradient of a convolution with respect to its input.

    Args:
        inputs (Tensor): [N, C, D, H, W].
        weight (Tensor): [C, O / group, KD, KH, KW].
        pad_mode (str): "same" (size * stride), "valid" or "pad".
        padding (Union[int, tuple]): for "pad": head, tail, top, bottom, left, right.
        stride (Union[int, tuple]): step per axis.
        dilation (Union[int, tuple]): distance of kernel elements.
        group (int): groups of channels.
        output_padding (Union[int, tuple]): positions added at the end, for "pad".

    Returns:
        Tensor [N, O, D', H', W'].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: sizes that do not fit, or out of range.
    """
    api = "conv3d_transpose"
    check_tensors(api, inputs=inputs, weight=weight)
    if len(inputs.shape) != 5 or len(weight.shape) != 5:
        raise ValueError(
            f"For '{api}', 'inputs' and 'weight' must have 5 dimensions, but got {inputs.shape} and {weight.shape}."
        )
    kernel = tuple(weight.shape[2:])
    stride, dilation = (sizes(api, n, v, 3) for n, v in (("stride", stride), ("dilation", dilation)))
    mode = check_one_of(api, "pad_mode", str(pad_mode).lower(), ("valid", "same", "pad"))
    pads = pad_pairs(api, mode, padding, 3, "padding")
    extra = sizes(api, "output_padding", output_padding, 3, 0)
    if mode != "pad" and any(extra):
        raise value_error(api, "output_padding", "0 unless the 'pad_mode' is 'pad'", output_padding)
    if mode == "same":
        size = tuple(n * s for n, s in zip(inputs.shape[2:], stride, strict=True))
    else:
        size = transposed_size(inputs.shape[2:], kernel, stride, dilation, pads, extra)
    pads = paddings(size, kernel, stride, dilation, mode, pads)
    return conv_input_grad(inputs, weight, size, stride, pads, dilation, group)


@faces("mint")
@op(static=("pad",))
def conv_tbc(input, weight, bias, pad=0):
    """1-D convolution of a sequence [T, N, C] with [K, C, O]: [T + 2 * pad - K + 1, N, O].

    Args:
        input (Tensor): [T, N, C], floating type.
        weight (Tensor): [K, C, O].
        bias (Tensor): [O].
        pad (int): zeros before and after the sequence.

    Raises:
        TypeError: data that is not floating, `pad` is not an int.
        ValueError: shapes that do not fit.
    """
    x, w = floating("conv_tbc", "input", input), floating("conv_tbc", "weight", weight)
    if x.ndim != 3 or w.ndim != 3 or x.shape[2] != w.shape[1] or bias.shape != w.shape[2:]:
        raise ValueError(
            f"For 'conv_tbc', the shapes must be (T, N, C), (K, C, O) and (O,), but got {x.shape}, {w.shape} and "
            f"{bias.shape}."
        )
    count = integer("conv_tbc", "pad", pad, 0)
    out = convolve(
        wide_on_cpu(x).transpose(1, 2, 0), wide_on_cpu(w).transpose(2, 1, 0), (1,), ((count, count),), (1,), 1
    )
    return (out.transpose(2, 0, 1) + bias.astype(out.dtype)).astype(x.dtype)


@faces("ops", primitive="BiasAdd(data_format='NCHW')(input_x, bias)")
@op(static=("data_format",))
def bias_add(input_x, bias, data_format="NCHW"):
    """Adds a vector along the channels: axis 1, or the last for "NHWC".

    Args:
        input_x (Tensor): 2 to 5 dimensions.
        bias (Tensor): one dimension, as long as the channels.
        data_format (str): "NCHW", "NCDHW" or "NHWC".

    Returns:
        Tensor of the shape and type of `input_x`.

    Raises:
        TypeError: integers and floats mixed.
        ValueError: ranks or lengths that do not fit.
    """
    x, b = tensor("bias_add", "input_x", input_x), tensor("bias_add", "bias", bias)
    check_one_of("bias_add", "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    if (x.dtype.kind in "iub") != (b.dtype.kind in "iub"):
        raise TypeError(
            f"For 'bias_add', 'input_x' and 'bias' must have the same type, but got {x.dtype} and {b.dtype}."
        )
    axis = x.ndim - 1 if data_format == "NHWC" else 1
    if not 2 <= x.ndim <= 5 or b.ndim != 1 or b.shape[0] != x.shape[axis]:
        raise ValueError(
            f"For 'bias_add', 'bias' must be a vector of the {axis}th size of 'input_x' (2 to 5 dimensions), "
            f"but got {b.shape} "
            f"and {x.shape}."
        )
    return x + channelwise(b.astype(x.dtype), x.ndim, axis)


@faces("ops mint.nn.functional.linear", primitive="Dense()(input, weight, bias=None)")
@op(alike=("input", "weight", "bias"))
def dense(input, weight, bias=None):
    """input @ weight.T + bias.

    Args:
        input (Tensor): [*, C].
        weight (Tensor): [O, C] or [C].
        bias (Tensor): [O], a scalar, or None.

    Returns:
        Tensor [*, O] with `input`'s type.

    Raises:
        TypeError: an argument is not a Tensor of numbers, or the types differ.
        ValueError: the last sizes differ.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.dense(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([1.0])))
    [[12.]]
    """
    x, w = tensor("dense", "input", input), tensor("dense", "weight", weight)
    if x.dtype == bool:
        raise TypeError("For 'dense', the 'input' must be a Tensor of numbers, but got bool.")
    if x.ndim == 0 or w.ndim not in (1, 2) or x.shape[-1] != w.shape[-1]:
        raise ValueError(
            f"For 'dense', the last sizes of 'input' and 'weight' must agree, but got {x.shape} and {w.shape}."
        )
    left, right = wide_on_cpu(x), wide_on_cpu(w.astype(x.dtype))
    out = lax.dot_general(left, right, (((x.ndim - 1,), (w.ndim - 1,)), ((), ())))
    if bias is not None:
        out = out + tensor("dense", "bias", bias).astype(out.dtype)
    return out.astype(x.dtype)


@faces("ops")
@op
def bidense(input1, input2, weight, bias=None):
    """x1 @ weight[o] @ x2 for every output o, plus bias.

    Args:
        input1 (Tensor): [*, C1].
        input2 (Tensor): [*, C2].
        weight (Tensor): [O, C1, C2].
        bias (Tensor): [O] or None.

    Returns:
        Tensor [*, O].
    """
    parts = [wide_on_cpu(numeric("bidense", "input", v)) for v in (input1, weight, input2)]
    last_size("BiDense", input1, "in1_channels", weight.shape[1], "input1")
    last_size("BiDense", input2, "in2_channels", weight.shape[2], "input2")
    out = jnp.einsum("...i,oij,...j->...o", *parts)
    out = out.astype(input1.dtype)
    return out if bias is None else out + bias.astype(out.dtype)
