"""Primitives of networks: activations, convolutions, pools, norms, losses, embeddings, resizing, random numbers.

A row's `fn` takes the call's inputs and then the constructor's parameters. The constructors of convolutions and
pools check their arguments when the primitive is made, as MindSpore's do (`_ConvBase`, `_PoolBase`).
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice, check_rank, check_tensors
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise import activation as act
from ms_compat.ops.function.image import interpolate as resizing
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.loss import losses
from ms_compat.ops.function.nn import conv, dropout, normalization
from ms_compat.ops.function.nn.checks import integer, sizes
from ms_compat.ops.function.pooling import adaptive, windows
from ms_compat.ops.function.random import draws as rnd
from ms_compat.ops.function.shape import views as shape
from ms_compat.ops.function.update.results import replace_as_variable
from ms_compat.ops.primitive import REQUIRED, Primitive, Row, make_primitives


def _spatial(value: Any, name: str, argument: str, count: int, least: int = 1) -> tuple[int, ...]:
    if not isinstance(value, (int, tuple)) or isinstance(value, bool):
        raise type_error(name, argument, "int or tuple of ints", value)
    return sizes(name, argument, value, count, least)


# -- convolutions ----------------------------------------------------------------------------------------------------
class _ConvBase(Primitive):
    _dims = 2
    _transposed = False

    def _setup(self, name, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format) -> None:
        Primitive.__init__(self, name)
        count = self._dims
        integer(name, "out_channel", out_channel, 1), integer(name, "mode", mode), integer(name, "group", group, 1)
        if mode != 1:
            raise value_error(name, "mode", "1", mode)
        self.kernel_size = _spatial(kernel_size, name, "kernel_size", count)
        self.stride = _spatial(stride, name, "stride", count)
        self.dilation = _spatial(dilation, name, "dilation", count)
        if not isinstance(pad_mode, str) or pad_mode.lower() not in ("valid", "same", "pad"):
            raise value_error(name, "pad_mode", "one of ['valid', 'same', 'pad']", pad_mode)
        self.pad_mode = pad_mode.lower()
        if isinstance(pad, (tuple, list)) and len(pad) == count and count == 2:
            raise value_error(name, "pad", "int or tuple of 4 ints", pad)
        self.pads = conv.pad_pairs(name, self.pad_mode, pad, count, "pad")
        formats = ("NCHW", "NHWC") if count == 2 else ("NCDHW",)
        self.data_format = self.format = check_choice(name, "data_format", data_format, formats)
        if data_format == "NHWC":
            raise value_error(name, "data_format", "NCHW on this backend", data_format)
        self.out_channel = out_channel
        self.mode = mode
        self.group = group
        self.pad = pad

    def _check(self, w: Any, channels_at: int = 0) -> None:
        if w.ndim == self._dims + 2 and tuple(w.shape[2:]) != self.kernel_size:
            raise RuntimeError(
                f"For '{self.name}', the kernel of 'weight' must be {self.kernel_size}, but got shape {w.shape}."
            )
        if w.ndim == self._dims + 2 and w.shape[channels_at] != self.out_channel:
            raise RuntimeError(
                f"For '{self.name}', the first size of 'weight' must be 'out_channel' {self.out_channel}, but "
                f"got shape {w.shape}."
            )

    def _pads(self, size: tuple) -> Any:
        return conv.paddings(size, self.kernel_size, self.stride, self.dilation, self.pad_mode, self.pads)


class Conv2D(_ConvBase):
    """2-D convolution; `ops.conv2d` as a primitive.

    Args:
        out_channel (int): output channels.
        kernel_size (Union[int, tuple]): size of the kernel.
        mode (int): 1.
        pad_mode (str): "valid", "same" or "pad".
        pad (Union[int, tuple]): for "pad": top, bottom, left, right.
        stride (Union[int, tuple]): step.
        dilation (Union[int, tuple]): distance of kernel elements.
        group (int): groups of channels.
        data_format (str): "NCHW".
    """

    def __init__(self, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1,
                 data_format="NCHW"):  # fmt: skip
        self._setup("Conv2D", out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)

    def __call__(self, x, weight):
        self._check(weight)
        return conv.conv_pads(x, weight, self.stride, self._pads(x.shape[2:]), self.dilation, self.group)


class Conv3D(_ConvBase):
    """3-D convolution; arguments as `Conv2D`, with `pad` as head, tail, top, bottom, left, right."""

    _dims = 3

    def __init__(self, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1,
                 data_format="NCDHW"):  # fmt: skip
        self._setup("Conv3D", out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)

    __call__ = Conv2D.__call__


class Conv2DTranspose(_ConvBase):
    """The gradient of `Conv2D` with respect to its input, whose shape is the call's third argument."""

    def __init__(self, out_channel, kernel_size, pad_mode="valid", pad=0, pad_list=None, mode=1, stride=1, dilation=1,
                 group=1, data_format="NCHW"):  # fmt: skip
        if pad_list is not None:
            pad = tuple(pad_list)
        self._setup(
            type(self).__name__, out_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format
        )

    def __call__(self, out_backprop, filter, input_sizes):
        size = tuple(int(n) for n in input_sizes)[2:]
        kernel = tuple(filter.shape[2:])  # it counts, whatever `kernel_size` says
        pads = conv.paddings(size, kernel, self.stride, self.dilation, self.pad_mode, self.pads)
        return conv.conv_input_grad(out_backprop, filter, size, self.stride, pads, self.dilation, self.group)


class Conv2DBackpropInput(Conv2DTranspose):
    """Same as `Conv2DTranspose`."""


class Conv3DTranspose(_ConvBase):
    """3-D transposed convolution; computes the size of its result.

    Args:
        in_channel (int): input channels.
        out_channel (int): output channels.
        kernel_size (Union[int, tuple]): size of the kernel.
        mode, pad_mode, pad, stride, dilation, group: as for `Conv3D`.
        output_padding (Union[int, tuple]): positions added at the end.
        data_format (str): "NCDHW".
    """

    _dims = 3

    def __init__(self, in_channel, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1,
                 group=1, output_padding=0, data_format="NCDHW"):  # fmt: skip
        self._setup(
            "Conv3DTranspose", in_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format
        )
        integer("Conv3DTranspose", "out_channel", out_channel, 1)
        self.output_padding = _spatial(output_padding, "Conv3DTranspose", "output_padding", 3, 0)

    def __call__(self, dout, weight):
        self._check(weight)
        if self.pad_mode == "same":
            size = tuple(n * s for n, s in zip(dout.shape[2:], self.stride, strict=True))
        else:
            how = (self.stride, self.dilation, self.pads, self.output_padding)
            size = conv.transposed_size(dout.shape[2:], self.kernel_size, *how)
        return conv.conv_input_grad(dout, weight, size, self.stride, self._pads(size), self.dilation, self.group)


# -- pools -----------------------------------------------------------------------------------------------------------
class _PoolBase(Primitive):
    _kind = "max"
    _dims = 2
    _modes: tuple[str, ...] = ("VALID", "SAME")

    def _setup(self, name, kernel_size, strides, pad_mode, data_format) -> None:
        Primitive.__init__(self, name)
        self.kernel_size = _spatial(kernel_size, name, "kernel_size", self._dims)
        self.strides = _spatial(strides, name, "strides", self._dims)
        check_type(name, "pad_mode", pad_mode, str)
        if pad_mode.upper() not in self._modes:
            raise value_error(name, "pad_mode", f"one of {list(self._modes)}", pad_mode)
        self.pad_mode = pad_mode.upper()
        self.format = self.data_format = check_choice(name, "data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
        if data_format == "NHWC":
            raise value_error(name, "data_format", "NCHW on this backend", data_format)

    def __call__(self, x):
        return windows.pool_mode(x, self._kind, self.kernel_size, self.strides, self.pad_mode.lower())


class MaxPool(_PoolBase):
    """Maxima over windows of [N, C, H, W].

    Args:
        kernel_size (Union[int, tuple]): window.
        strides (Union[int, tuple]): step.
        pad_mode (str): "valid" or "same", in any case.
        data_format (str): "NCHW".
    """

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        self._setup("MaxPool", kernel_size, strides, pad_mode, data_format)


class AvgPool(_PoolBase):
    """Averages over windows of [N, C, H, W]; arguments as `MaxPool`."""

    _kind = "avg"

    def __init__(self, kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"):
        self._setup("AvgPool", kernel_size, strides, pad_mode, data_format)


class MaxPoolWithArgmax(_PoolBase):
    """Maxima over windows and their flat positions (Int32); arguments as `MaxPool`."""

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        self._setup("MaxPoolWithArgmax", kernel_size, strides, pad_mode, data_format)

    def __call__(self, x):
        return windows.max_pool_argmax(x, self.kernel_size, self.strides, self.pad_mode.lower(), by_sample=True)


class MaxPoolWithArgmaxV2(Primitive):
    """Maxima over windows and their flat positions, with padding and dilation."""

    def __init__(self, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64):
        super().__init__("MaxPoolWithArgmaxV2")
        self.kernel_size = _spatial(kernel_size, self.name, "kernel_size", 2)
        self.strides = self.kernel_size if strides is None else _spatial(strides, self.name, "strides", 2)
        self.pads = tuple((p, p) for p in _spatial(pads, self.name, "pads", 2, 0))
        self.dilation = _spatial(dilation, self.name, "dilation", 2)
        self.ceil_mode = ceil_mode
        self.argmax_type = argmax_type

    def __call__(self, x):
        how = (self.kernel_size, self.strides, "pad", self.pads, self.dilation, self.ceil_mode, self.argmax_type)
        return windows.max_pool_argmax(x, *how)


class MaxPool3D(_PoolBase):
    """Maxima over windows of [N, C, D, H, W]; `pad_list` is for the mode "pad": an int, 3 ints or 6 (before, after)."""

    _dims = 3
    _modes = ("VALID", "SAME", "PAD")

    def __init__(self, kernel_size=1, strides=1, pad_mode="VALID", pad_list=0, ceil_mode=None, data_format="NCDHW"):
        self._setup(type(self).__name__, kernel_size, strides, pad_mode, data_format)
        self.pads = conv.pad_pairs(self.name, self.pad_mode.lower(), pad_list, 3, "pad_list")
        self.ceil_mode = bool(ceil_mode)
        self.include_pad, self.divisor = False, 0

    def __call__(self, x):
        how = (
            self.kernel_size,
            self.strides,
            self.pad_mode.lower(),
            self.pads,
            self.ceil_mode,
            self.include_pad,
            self.divisor,
        )
        return windows.pool_mode(x, self._kind, *how)


class AvgPool3D(MaxPool3D):
    """Averages over windows of [N, C, D, H, W]."""

    _kind = "avg"

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", pad=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=0, data_format="NCDHW"):  # fmt: skip
        super().__init__(kernel_size, strides, pad_mode, pad, ceil_mode, data_format)
        self.include_pad, self.divisor = count_include_pad, divisor_override


# -- the table -------------------------------------------------------------------------------------------------------
def _batch_norm(input_x, scale, bias, mean, variance, is_training, epsilon, momentum, data_format):
    if not 0 < epsilon <= 1:
        raise value_error("BatchNorm", "epsilon", "in (0, 1]", epsilon)
    if data_format == "NHWC" and len(input_x.shape) == 4:
        first = shape.transpose(input_x, (0, 3, 1, 2))
        out, *rest = _batch_norm(first, scale, bias, mean, variance, is_training, epsilon, momentum, "NCHW")
        return (shape.transpose(out, (0, 2, 3, 1)), *rest)
    check_choice("BatchNorm", "data_format", data_format, ("NCHW", "NHWC"))
    if is_training:
        out, new_mean, new_variance = normalization.batch_norm_train(
            input_x, scale, bias, mean, variance, momentum, epsilon
        )
        _, batch_mean, batch_variance = normalization.batch_norm_train(
            input_x, scale, bias, None, None, momentum, epsilon
        )
        replace_as_variable(mean, new_mean)
        replace_as_variable(variance, new_variance)
        return out, batch_mean, batch_variance, batch_mean, batch_variance
    out = normalization.batch_norm_infer(input_x, scale, bias, mean, variance, epsilon)
    return out, mean, variance, mean, variance


def _drop(x, keep_prob, seed0=0, seed1=0):
    return rnd.draw(dropout.drop_with_mask, "Dropout", seed0 << 16 ^ seed1, x, keep_prob, 0)


def _drop_channels(axes):
    return lambda x, keep_prob: dropout.drop_with_mask(x, keep_prob, axes)


def _drop_volumes(x, keep_prob):
    check_rank("Dropout3D", "input", x, 5)
    return dropout.drop_with_mask(x, keep_prob, 2)


def _sparse_cross_entropy(logits, labels, is_grad):
    if is_grad:
        return losses.sparse_softmax_cross_entropy_grad(logits, labels)
    return losses.sparse_softmax_cross_entropy(logits, labels)


def _adaptive_max_pool2d(x, output_size):
    return adaptive.adaptive_max_pool2d(x, tuple([None if n == -1 else n for n in output_size]), True)


def _glu(x, axis):
    check_tensors("GLU", x=x)
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise IndexError(f"For 'GLU', the 'axis' must be in range [{-rank}, {rank}), but got {axis}.")
    if x.shape[axis] % 2:
        raise RuntimeError(f"For 'GLU', the size along the axis must be even, but got {x.shape[axis]}.")
    return act.glu(x, axis)


def _nll(logits, labels, weight, reduction, ignore_index):
    check_tensors("NLLLoss", logits=logits, weight=weight)
    if weight.shape != logits.shape[-1:]:
        raise RuntimeError(f"For 'NLLLoss', 'weight' must have a number per class, but got {weight.shape}.")
    if isinstance(labels, Tensor) and labels.dtype.np_dtype.kind in "iu":
        check_index("NLLLoss", labels, logits.shape[-1], 0, "labels", ValueError, ignore_index)
    return losses.nll_loss(logits, labels, weight, ignore_index, reduction), losses.label_weight(
        weight, labels, ignore_index
    )


def _resize(method):
    return lambda x, size, align_corners, half_pixel_centers: resizing.resize(
        x, tuple(size), method, align_corners, half_pixel_centers
    )


def _uniform_int(shape, low, high, seed, seed2):
    return rnd.uniform(shape, low, high, seed or seed2, mstype.int32)


_SEEDS = {"seed": 0, "seed2": 0}
_RESIZE = {"align_corners": False, "half_pixel_centers": False}
_TABLE = {
    "GeLU": Row(lambda x: act.gelu(x, "tanh")),
    "Gelu": Row(lambda x: act.gelu(x, "tanh")),
    "Softmax": Row(lambda x, axis: act.softmax(x, axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis),
                   ("input",), {"axis": -1}),
    "GLU": Row(_glu, ("x",), {"axis": -1}),
    "BatchNorm": Row(_batch_norm, ("input_x", "scale", "bias", "mean", "variance"),
                     {"is_training": False, "epsilon": 1e-5, "momentum": 0.1, "data_format": "NCHW"}),
    "SparseSoftmaxCrossEntropyWithLogits": Row(_sparse_cross_entropy, ("logits", "labels"), {"is_grad": False}),
    "NLLLoss": Row(_nll, ("logits", "labels", "weight"), {"reduction": "mean", "ignore_index": -100}),
    "Dropout": Row(_drop, ("x",), {"keep_prob": 0.5, "Seed0": 0, "Seed1": 0}),
    "Dropout2D": Row(_drop_channels(2), ("x",), {"keep_prob": 0.5}),
    "Dropout3D": Row(_drop_volumes, ("x",), {"keep_prob": 0.5}),
    "AdaptiveMaxPool2D": Row(_adaptive_max_pool2d, ("input",),
                             {"output_size": REQUIRED}),
    "ResizeBilinearV2": Row(_resize("linear"), ("image", "size"), _RESIZE),
    "ResizeNearestNeighborV2": Row(_resize("nearest"), ("image", "size"), _RESIZE),
    "ResizeBicubic": Row(_resize("cubic"), ("image", "size"), _RESIZE),
    "ResizeNearestNeighbor": Row(lambda x, size, align_corners, half_pixel_centers:
                                 resizing.resize(x, tuple(size), "nearest", align_corners, half_pixel_centers),
                                 ("input_x",), {"size": REQUIRED, **_RESIZE}),
    "StandardNormal": Row(lambda shape, seed, seed2: rnd.standard_normal(shape, seed or seed2), ("shape",), _SEEDS),
    "StandardLaplace": Row(lambda shape, seed, seed2: rnd.standard_laplace(shape, seed or seed2), ("shape",), _SEEDS),
    "UniformReal": Row(lambda shape, seed, seed2: rnd.uniform(shape, 0.0, 1.0, seed or seed2), ("shape",), _SEEDS),
    "UniformInt": Row(_uniform_int, ("shape", "minval", "maxval"), _SEEDS),
    "Gamma": Row(lambda shape, a, b, seed, seed2: rnd.gamma(shape, a, b, seed or seed2),
                 ("shape", "alpha", "beta"), _SEEDS),
    "RandomGamma": Row(lambda shape, a, seed, seed2: rnd.random_gamma(shape, a, seed or seed2),
                       ("shape", "alpha"), _SEEDS),
    "Poisson": Row(lambda shape, mean, seed, seed2: rnd.poisson(shape, mean, seed or seed2), ("shape", "mean"), _SEEDS),
    "RandomPoisson": Row(lambda shape, rate, seed, seed2, dtype: rnd.random_poisson(shape, rate, seed or seed2, dtype),
                         ("shape", "rate"), {**_SEEDS, "dtype": mstype.int64}),
    "Multinomial": Row(lambda x, n, seed, seed2, dtype: rnd.multinomial(x, n, True, seed or seed2).astype(dtype),
                       ("x", "num_samples"), {**_SEEDS, "dtype": mstype.int32}),
    "RandomCategorical": Row(lambda logits, count, seed, dtype: rnd.random_categorical(logits, count, seed, dtype),
                             ("logits", "num_sample", ("seed", 0)), {"dtype": mstype.int64}),
    "RandomShuffle": Row(lambda x, seed, seed2: rnd.shuffle(x, seed or seed2), ("x",), _SEEDS),
    "TruncatedNormal": Row(lambda shape, dtype, seed, seed2: rnd.truncated_normal(shape, seed or seed2, dtype),
                           ("shape",), {"dtype": mstype.float32, **_SEEDS}),
    "Bernoulli": Row(lambda x, p, seed, offset: rnd.bernoulli(x, p, max(seed, 0)), ("x", "p"),
                     {"seed": -1, "offset": 0}),
    "Randperm": Row(lambda n, length, pad, dtype: rnd.padded_permutation(n, length, pad, dtype), ("n",),
                    {"max_length": 1, "pad": -1, "dtype": mstype.int32}),
    "RandpermV2": Row(lambda n, seed, offset, dtype: rnd.randperm(n, seed, offset, dtype), ("n",),
                      {"seed": 0, "offset": 0, "dtype": mstype.int64}),
    "RandomChoiceWithMask": Row(lambda x, count, seed, seed2: rnd.choice_with_mask(x, count, seed or seed2),
                                ("input_x",), {"count": 256, **_SEEDS}),
}  # fmt: skip

_CLASSES = make_primitives(_TABLE, __name__)
globals().update(_CLASSES)
__all__ = [
    *_CLASSES, "Conv2D", "Conv3D", "Conv2DTranspose", "Conv2DBackpropInput", "Conv3DTranspose", "MaxPool", "AvgPool",
    "MaxPoolWithArgmax", "MaxPoolWithArgmaxV2", "MaxPool3D", "AvgPool3D",
]  # fmt: skip
table_faces(__name__, __all__, "ops")
