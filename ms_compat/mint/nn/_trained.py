"""`mint.nn` layers with state: convolutions, `Embedding`, `PReLU`, `Dropout`, `MaxUnpool2d`.

Weights have PyTorch's names, shapes and initial distributions: uniform in +-1/sqrt(fan in) for convolutions, standard
normal for `Embedding`.
"""

from __future__ import annotations

import math
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_positive_int, check_type
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import HeUniform, Normal, Uniform
from ms_compat.mint.nn import functional as F
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer._initial import initial

_PAD_MODES = ("zeros", "reflect", "replicate", "circular")


def _each(api: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    """An int for each spatial axis."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,) * count
    if not isinstance(value, (tuple, list)) or len(value) != count:
        raise ValueError(f"For '{api}', the '{name}' must be an int or a tuple of {count} ints, but got {value!r}.")
    return tuple(value)


class _Conv(Cell):
    """Base of the convolutions. Subclasses in libraries call `conv2d` themselves, with `_reversed_padding`."""

    _function: Any = None
    _axes = 2
    transposed = False

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros", dtype=None,
    ):  # fmt: skip
        super().__init__()
        api, count = type(self).__name__, self._axes
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        check_positive_int(api, "groups", groups)
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(
                    f"For '{api}', the '{name}' must be divisible by 'groups' {groups}, but got {channels}."
                )
        self.kernel_size = _each(api, "kernel_size", kernel_size, count)
        self.stride = _each(api, "stride", stride, count)
        self.dilation = _each(api, "dilation", dilation, count)
        if isinstance(padding, str):
            check_choice(api, "padding", padding, ("same", "valid"))
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError(f"For '{api}', padding 'same' needs a stride of 1, but got {self.stride}.")
            self.padding: Any = padding
        else:
            self.padding = _each(api, "padding", padding, count)
        check_choice(api, "padding_mode", padding_mode, _PAD_MODES)
        self.padding_mode = padding_mode
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (first, second // groups, *self.kernel_size)
        kind = dtype or mstype.float32
        self.weight = Parameter(initial(HeUniform(math.sqrt(5)), shape, kind), name="weight")
        self.bias = None
        if bias:
            bound = 1 / math.sqrt(math.prod(shape[1:]))
            self.bias = Parameter(initial(Uniform(bound), (out_channels,), kind), name="bias")
        self.output_padding = (0,) * count
        self._reversed_padding = self._sides()

    def _sides(self) -> tuple[int, ...]:
        """The padding of `F.pad`, from the last axis on: (before, after) pairs."""
        if self.padding == "valid":
            return (0,) * (2 * self._axes)
        if self.padding == "same":
            total = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
        else:
            total = [2 * p for p in self.padding]
        return tuple([side for t in reversed(total) for side in (t // 2, t - t // 2)])

    def construct(self, input):
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._reversed_padding, self.padding_mode), 0
        return type(self)._function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """The padding at the far ends of a transposed convolution's result that gives it `output_size`."""
        if output_size is None:
            return self.output_padding
        axes, wanted = input.shape[-num_spatial_dims:], tuple(output_size)[-num_spatial_dims:]
        dilation = (1,) * num_spatial_dims if dilation is None else dilation
        per_axis = zip(axes, stride, padding, dilation, kernel_size, strict=True)
        least = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in per_axis]
        extra = tuple([n - m for n, m in zip(wanted, least, strict=True)])
        if any(e < 0 or e >= s for e, s in zip(extra, stride, strict=True)):
            raise ValueError(
                f"For '{type(self).__name__}', the 'output_size' must be from {tuple(least)} on within a stride of "
                f"{stride}, but got {output_size}."
            )
        return extra

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}, groups={self.groups}, "
            f"bias={self.bias is not None}"
        )


@faces("mint.nn")
class Conv2d(_Conv):
    """2-D convolution of [N, C, H, W] with PyTorch's defaults: no padding, and a bias.

    Args:
        in_channels, out_channels (int): channels.
        kernel_size, stride, dilation (Union[int, tuple]): per axis.
        padding (Union[int, tuple, str]): on both sides of each axis, or "same" or "valid".
        groups (int): groups of channels that do not mix.
        bias (bool): whether to add a bias.
        padding_mode (str): "zeros", "reflect", "replicate" or "circular".
        dtype: of the parameters; Float32 by default.

    Raises:
        ValueError: a wrong value.

    >>> import numpy as np
    >>> import ms_compat as ms
    >>> ms.mint.nn.Conv2d(3, 8, 3)(ms.Tensor(np.ones((1, 3, 8, 8)), ms.float32)).shape
    (1, 8, 6, 6)
    """

    _function = conv2d = staticmethod(F.conv2d)


@faces("mint.nn")
class Conv1d(_Conv):
    """1-D convolution of [N, C, L]; arguments as of `Conv2d`."""

    _function = conv1d = staticmethod(F.conv1d)
    _axes = 1


@faces("mint.nn")
class Conv3d(_Conv):
    """3-D convolution of [N, C, D, H, W]; arguments as of `Conv2d`."""

    _function = conv3d = staticmethod(F.conv3d)
    _axes = 3


@faces("mint.nn")
class ConvTranspose2d(_Conv):
    """2-D transposed convolution of [N, C, H, W]; arguments as of `Conv2d`, and `output_padding`.

    Inputs:
        input (Tensor): [N, C, H, W].
        output_size (tuple): H and W of the result, in place of `output_padding`.
    """

    transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True,
        dilation=1, padding_mode="zeros", dtype=None,
    ):  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f"For 'ConvTranspose2d', the 'padding_mode' must be 'zeros', but got {padding_mode!r}.")
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype
        )
        self.output_padding = _each("ConvTranspose2d", "output_padding", output_padding, 2)

    def construct(self, input, output_size=None):
        stride, padding, dilation = self.stride, self.padding, self.dilation
        extra = self._output_padding(input, output_size, stride, padding, self.kernel_size, 2, dilation)
        return F.conv_transpose2d(input, self.weight, self.bias, stride, padding, extra, self.groups, dilation)


class EmbeddingExt(Cell):
    """Rows of a trainable table, which starts as standard normal numbers.

    Args:
        num_embeddings (int): number of rows.
        embedding_dim (int): length of a row.
        padding_idx (int): the row that starts as zeros and gets no gradient.
        max_norm (float): rows used are scaled down to this norm.
        norm_type (float): the p of that norm.
        scale_grad_by_freq (bool): divide a row's gradient by how often it is used.
        sparse (bool): as in MindSpore only False.
        _weight (Tensor): the initial table.
        _freeze (bool): the table is not trained.
        dtype: of the table.

    Raises:
        ValueError: `padding_idx` is out of range, `sparse` is True, or `_weight` has another shape.

    >>> import ms_compat as ms
    >>> ms.mint.nn.Embedding(4, 2)(ms.Tensor([[0, 3]])).shape
    (1, 2, 2)
    """

    def __init__(
        self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
        sparse=False, _weight=None, _freeze=False, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim, self.max_norm = num_embeddings, embedding_dim, max_norm
        self.norm_type, self.scale_grad_by_freq = norm_type, scale_grad_by_freq
        self.dtype = dtype or mstype.float32
        if sparse:
            raise ValueError("For 'EmbeddingExt', the 'sparse' must be False: gradients are dense.")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(
                f"For 'EmbeddingExt', the 'padding_idx' must be in range of [{-num_embeddings}, {num_embeddings}), but "
                f"got {padding_idx}."
            )
        self.padding_idx = padding_idx
        value = initial(Normal(1.0) if _weight is None else _weight, (num_embeddings, embedding_dim), self.dtype)
        if padding_idx is not None and _weight is None:
            value = Tensor(value.init_data()._v.at[padding_idx].set(0))
        self.weight = Parameter(value, name="weight", requires_grad=not _freeze)

    def construct(self, input):
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

    def extend_repr(self):
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, norm_type={self.norm_type}, "
            f"scale_grad_by_freq={self.scale_grad_by_freq}, dtype={self.dtype}"
        )


class PReLUExt(Cell):
    """x where x > 0, weight * x elsewhere.

    Args:
        num_parameters (int): number of slopes: one per channel, or 1.
        init (float): their initial value.
        dtype: of the slopes.
    """

    def __init__(self, num_parameters=1, init=0.25, dtype=None):
        super().__init__()
        check_type("PReLU", "num_parameters", num_parameters, int)
        self.weight = Parameter(initial(init, (num_parameters,), dtype or mstype.float32), name="weight")

    def construct(self, input):
        return F.prelu(input, self.weight)


class DropoutExt(Cell):
    """Sets elements to zero at random in training and scales the others by 1 / (1 - p).

    Args:
        p (float): probability to drop one.
        inplace (bool): write into the input.
    """

    _function = staticmethod(F.dropout)

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p, self.inplace = p, inplace

    def construct(self, input):
        if not self.training or self.p == 0:
            return input
        return type(self)._function(input, self.p, self.training, self.inplace)


class Dropout2dExt(DropoutExt):
    """Sets whole channels to zero at random in training; arguments as of `Dropout`."""

    _function = staticmethod(F.dropout2d)


@faces("mint.nn")
class Identity(Cell):
    """The input itself; any arguments are taken."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, input):
        return input


@faces("mint.nn")
class MaxUnpool2d(Cell):
    """Puts pooled values back to where they stood, zeros elsewhere.

    Args:
        kernel_size (Union[int, tuple]): of the pooling.
        stride (Union[int, tuple]): of the pooling; the kernel's size by default.
        padding (Union[int, tuple]): of the pooling.

    Inputs:
        input (Tensor): pooled values.
        indices (Tensor): their flat positions.
        output_size (tuple): the size before pooling.
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride or kernel_size, padding

    def construct(self, input, indices, output_size=None):
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


Embedding, PReLU, Dropout, Dropout2d = EmbeddingExt, PReLUExt, DropoutExt, Dropout2dExt

table_faces(__name__, "Dropout Dropout2d Embedding PReLU", "mint.nn")
