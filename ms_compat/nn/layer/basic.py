"""Dense layers, shape layers and other small ones."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import (
    check_bool,
    check_int,
    check_number,
    check_positive_int,
    check_type,
    type_error,
    value_error,
)
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.common.initializer import HeUniform, Uniform
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer._initial import initial
from ms_compat.nn.layer.activation import get_activation
from ms_compat.ops.function.elementwise.slopes import magnitude
from ms_compat.ops.function.image import interpolate as resizing
from ms_compat.ops.function.nn import conv as products
from ms_compat.ops.function.nn import embedding as indexing
from ms_compat.ops.function.nn.checks import last_size, same_dtype_as_weight
from ms_compat.ops.function.shape import flattening, join, pixel_shuffle, views


@op(name="Dense")
def _dense(x, weight, bias):
    same_dtype_as_weight("Dense", x, weight)
    last_size("Dense", x, "in_channels", weight.shape[1])
    if bias is None or bias.dtype == x.dtype:
        return products.dense.fn(x, weight, bias)
    return products.dense.fn(x, weight, None) + bias  # the product alone is in low precision


def _check_init(api: str, name: str, init: Any, wanted: tuple[int, ...]) -> None:
    if isinstance(init, Tensor) and init.shape != wanted:
        raise ValueError(f"For '{api}', {name} shape error: it must be {wanted}, but got {init.shape}.")


@faces("nn nn.layer")
class Dense(Cell):
    """A fully connected layer: activation(x @ weight.T + bias).

    Args:
        in_channels (int): size of the input's last axis.
        out_channels (int): size of the result's last axis.
        weight_init, bias_init: initializer, its name, number or Tensor; uniform in +-1/sqrt(in_channels) by default.
        has_bias (bool): whether to add a bias.
        activation (Union[str, Cell, Primitive]): applied to the result.
        dtype: of the parameters.

    Inputs:
        x (Tensor): [*, in_channels] in the parameters' dtype.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or an initial Tensor of a wrong shape.

    >>> import ms_compat as ms
    >>> net = ms.nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    >>> print(net(ms.Tensor([[1.0, 2.0, 3.0]])))
    [[6. 6.]]
    """

    def __init__(
        self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, activation=None,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.in_channels = check_positive_int("Dense", "in_channels", in_channels)
        self.out_channels = check_positive_int("Dense", "out_channels", out_channels)
        self.has_bias = check_bool("Dense", "has_bias", has_bias)
        _check_init("Dense", "weight_init", weight_init, (out_channels, in_channels))
        _check_init("Dense", "bias_init", bias_init, (out_channels,))
        if weight_init is None:
            weight_init = HeUniform(math.sqrt(5))
        self.weight = Parameter(initial(weight_init, (out_channels, in_channels), dtype), name="weight")
        self.bias: Any = None  # or a Parameter; scripts read `has_bias`, which type checkers cannot follow
        if has_bias:
            if bias_init is None:
                bias_init = Uniform(scale=1 / math.sqrt(in_channels))
            self.bias = Parameter(initial(bias_init, (out_channels,), dtype), name="bias")
        self.activation = get_activation(activation, "Dense") if isinstance(activation, str) else activation
        if activation is not None and (isinstance(activation, type) or not callable(self.activation)):
            raise type_error("Dense", "activation", "str or Cell or Primitive", activation)

    def construct(self, x):
        x = _dense(x, self.weight, self.bias)
        return x if self.activation is None else self.activation(x)

    def extend_repr(self):
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation is not None:
            text += f", activation={self.activation}"
        return text


@faces("nn nn.layer mint.nn")
class Linear(Dense):
    """`Dense` with PyTorch's argument names.

    Args:
        in_features (int): size of the input's last axis.
        out_features (int): size of the result's last axis.
        bias (bool): whether to add a bias.
        weight_init, bias_init: as for `Dense`.
        dtype: of the parameters; Float32 by default.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.Linear(3, 2, weight_init="ones", bias_init="zeros")(Tensor([[1.0, 2.0, 3.0]])))
    [[6. 6.]]
    """

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__(in_features, out_features, weight_init, bias_init, bias, dtype=dtype or mstype.float32)
        self.in_features = in_features
        self.out_features = out_features

    def extend_repr(self):
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


@faces("nn nn.layer")
class BiDense(Cell):
    """x1 @ weight[o] @ x2 + bias[o] for every output o.

    Args:
        in1_channels, in2_channels (int): sizes of the inputs' last axes.
        out_channels (int): number of outputs.
        weight_init, bias_init: initializers; uniform in +-1/sqrt(in1_channels) by default.
        has_bias (bool): whether to add a bias.
        dtype: of the parameters.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.BiDense(2, 2, 1, weight_init="ones", bias_init="zeros")
    >>> print(net(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
    [[21.]]
    """

    def __init__(
        self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None, has_bias=True,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.in1_channels = check_positive_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = check_positive_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = check_positive_int("BiDense", "out_channels", out_channels)
        self.has_bias = check_bool("BiDense", "has_bias", has_bias)
        sizes = (out_channels, in1_channels, in2_channels)
        _check_init("BiDense", "weight_init", weight_init, sizes)
        _check_init("BiDense", "bias_init", bias_init, (out_channels,))
        bound = 1 / math.sqrt(in1_channels)
        weight_init = Uniform(bound) if weight_init is None else weight_init
        self.weight = Parameter(initial(weight_init, sizes, dtype), name="weight")
        self.bias: Any = None
        if has_bias:
            bias_init = Uniform(bound) if bias_init is None else bias_init
            self.bias = Parameter(initial(bias_init, (out_channels,), dtype), name="bias")

    def construct(self, input1, input2):
        return products.bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self):
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}"
        )
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


@faces("nn nn.layer")
class Identity(Cell):
    """Its input. Arguments of the constructor are accepted and not used, as in MindSpore.

    >>> from ms_compat import nn
    >>> nn.Identity()(3)
    3
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, input):
        return input


def _flatten(x, start_dim, end_dim):
    check_type("Flatten", "x", x, Tensor)
    if isinstance(start_dim, bool) or not isinstance(start_dim, int) or not isinstance(end_dim, int):
        raise TypeError(
            f"For 'Flatten', 'start_dim' and 'end_dim' must be ints, but got {start_dim!r} and {end_dim!r}."
        )
    rank = max(len(x.shape), 1)
    if not -rank <= start_dim < rank or not -rank <= end_dim < rank:
        raise ValueError(
            f"For 'Flatten', 'start_dim' or 'end_dim' out of range: got {start_dim} and {end_dim} for shape {x.shape}."
        )
    return flattening.flatten(x, start_dim=start_dim, end_dim=end_dim)


def _unflatten(x, axis, unflattened_size):
    if isinstance(unflattened_size, tuple) and unflattened_size and isinstance(unflattened_size[0], tuple):
        unflattened_size = tuple([size for _, size in unflattened_size])
    rank = x.ndim
    if not -rank <= axis < rank:
        raise ValueError(f"For 'Unflatten', the 'axis' must be in [{-rank}, {rank}), but got {axis}.")
    at = axis % rank
    return views.reshape(x, (*x.shape[:at], *unflattened_size, *x.shape[at + 1 :]))


def _check_unflatten(axis, unflattened_size):
    check_type("Unflatten", "unflattened_size", unflattened_size, (tuple, list))
    return check_int("Unflatten", "axis", axis), tuple(unflattened_size)


def _one_hot(indices, axis, depth, on_value, off_value, dtype):
    kind = dtype.np_dtype.type
    return indexing.one_hot(indices, depth, Tensor(kind(on_value)), Tensor(kind(off_value)), axis)


def _l1(weights, scale):
    return _l1_penalty(weights, scale)


@op(static=("scale",), name="L1Regularizer")
def _l1_penalty(weights, scale):
    return jnp.asarray(scale, weights.dtype) * jnp.sum(magnitude(weights))


def _check_scale(scale):
    check_number("L1Regularizer", "scale", scale)
    if scale <= 0 or not math.isfinite(scale):
        raise ValueError(f"For 'L1Regularizer', the 'scale' must be finite and > 0, but got {scale}.")
    return (float(scale),)


def _check_roll(shift, axis):
    for name, value in (("shift", shift), ("axis", axis)):
        check_type("Roll", name, value, (int, tuple, list))
    counts = [len(value) if isinstance(value, (tuple, list)) else 1 for value in (shift, axis)]
    if counts[0] != counts[1]:
        raise value_error("Roll", "shift", f"as long as the axes {axis}", shift)
    return tuple([tuple(value) if isinstance(value, list) else value for value in (shift, axis)])


_UPSAMPLE = {
    "size": None, "scale_factor": None, "mode": "nearest", "align_corners": None, "recompute_scale_factor": None
}  # fmt: skip
_ONE_HOT = {"axis": -1, "depth": 1, "on_value": 1.0, "off_value": 0.0, "dtype": mstype.float32}
# name: (operation, input, settings, check, text)
_TABLE: dict[str, tuple] = {
    "Flatten": (_flatten, "x", {"start_dim": 1, "end_dim": -1}, None, "The axes from `start_dim` to `end_dim` as one"),
    "Unflatten": (_unflatten, "input_x", {"axis": REQUIRED, "unflattened_size": REQUIRED}, _check_unflatten,
                  "One axis as several"),
    "Upsample": (resizing.interpolate, "x", _UPSAMPLE, None, "Spatial axes resized; see `ops.interpolate`"),
    "PixelShuffle": (pixel_shuffle.pixel_shuffle, "input", {"upscale_factor": REQUIRED}, None,
                     "Channels moved into space: [*, C r ** 2, H, W] to [*, C, H r, W r]"),
    "PixelUnshuffle": (pixel_shuffle.pixel_unshuffle, "input", {"downscale_factor": REQUIRED}, None,
                       "Space moved into channels: [*, C, H r, W r] to [*, C r ** 2, H, W]"),
    "ChannelShuffle": (pixel_shuffle.channel_shuffle, "x", {"groups": REQUIRED}, None,
                       "Channels of groups interleaved"),
    "Roll": (join.roll, "input_x", {"shift": REQUIRED, "axis": REQUIRED}, _check_roll,
                    "Elements moved along axes, around the end"),
    "OneHot": (_one_hot, "indices", _ONE_HOT, None, "`on_value` where the index says, `off_value` elsewhere"),
    "L1Regularizer": (_l1, "weights", {"scale": REQUIRED}, _check_scale, "scale * sum(|weights|)"),
}  # fmt: skip
# name: (what the docstring says of the settings and the input, the rest of the docstring)
_HELP: dict[str, tuple[dict[str, str], str]] = {
    "Flatten": (
        {"start_dim": "(int): the first axis", "end_dim": "(int): the last axis", "x": "any shape and dtype"},
        """
        The first axis, usually the batch, stays by default.

        Raises:
            TypeError: `x` is not a Tensor, or an axis is not an int.
            ValueError: an axis is out of range.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> nn.Flatten()(Tensor(np.ones((2, 3, 4), np.float32))).shape
        (2, 12)
        """,
    ),
    "Unflatten": (
        {
            "axis": "(int): the axis",
            "unflattened_size": "(Union[tuple, list]): its new sizes, or pairs of a name and a size; one may be -1",
            "input_x": "any shape and dtype",
        },
        """
        Raises:
            TypeError: an argument has another type.
            ValueError: `axis` is out of range, or the sizes do not fit.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> nn.Unflatten(1, (2, -1))(Tensor(np.ones((5, 6), np.float32))).shape
        (5, 2, 3)
        """,
    ),
    "Upsample": (
        {
            "size": "(Union[int, tuple]): the new sizes, or None",
            "scale_factor": "(Union[float, tuple]): their ratio to the old ones, if `size` is None",
            "mode": '(str): "nearest", "linear", "bilinear", "bicubic", "trilinear", "area" or "nearest-exact"',
            "align_corners": "(bool): whether the corners' centres stay at their places; for linear and cubic modes",
            "recompute_scale_factor": "(bool): compute the ratio anew from the rounded sizes",
            "x": "[N, C, L], [N, C, H, W] or [N, C, D, H, W]",
        },
        """
        Raises:
            ValueError: neither `size` nor `scale_factor`, or an unknown `mode`.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.Upsample(scale_factor=2.0, recompute_scale_factor=True)(Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2. 2.]]]
        """,
    ),
    "PixelShuffle": (
        {"upscale_factor": "(int): r", "input": "[*, C r ** 2, H, W]"},
        """
        Raises:
            TypeError: `upscale_factor` is not an int.
            ValueError: the channels are not divisible by r ** 2.

        Source: Shi et al., arXiv:1609.05158.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.PixelShuffle(2)(Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]])))
        [[[[1. 2.]
           [3. 4.]]]]
        """,
    ),
    "PixelUnshuffle": (
        {"downscale_factor": "(int): r", "input": "[*, C, H r, W r]"},
        """
        Raises:
            TypeError: `downscale_factor` is not an int.
            ValueError: the last two sizes are not divisible by r.

        >>> from ms_compat import Tensor, nn
        >>> nn.PixelUnshuffle(2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).shape
        (1, 4, 1, 1)
        """,
    ),
    "ChannelShuffle": (
        {"groups": "(int): number of groups", "x": "[N, C, *]"},
        """
        Raises:
            ValueError: the channels are not divisible by `groups`.

        Source: Zhang et al., arXiv:1707.01083.

        >>> from ms_compat import Tensor, nn
        >>> x = Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]])
        >>> print(nn.ChannelShuffle(2)(x).flatten())
        [1. 3. 2. 4.]
        """,
    ),
    "Roll": (
        {
            "shift": "(Union[int, tuple, list]): by how many places, one number for each axis",
            "axis": "(Union[int, tuple, list]): the axes",
            "input_x": "any shape",
        },
        """
        Raises:
            TypeError: an argument has another type.
            ValueError: the numbers of shifts and axes differ, or an axis is out of range.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.Roll(1, 0)(Tensor([1.0, 2.0, 3.0])))
        [3. 1. 2.]
        """,
    ),
    "OneHot": (
        {
            "axis": "(int): where the new axis goes, -1 for the end",
            "depth": "(int): its size",
            "on_value": "(float): the value at the index",
            "off_value": "(float): the other values",
            "dtype": "(mindspore.dtype): dtype of the result",
            "indices": "any shape, Int32 or Int64; an index out of range has no `on_value`",
        },
        """
        Raises:
            TypeError: `depth` is not an int, or the indices have another dtype.
            ValueError: `axis` is out of range.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.OneHot(depth=3)(Tensor([0, 2])))
        [[1. 0. 0.]
         [0. 0. 1.]]
        """,
    ),
    "L1Regularizer": (
        {"scale": "(Union[int, float]): the factor, finite and > 0", "weights": "any shape"},
        """
        Raises:
            TypeError: `scale` is not a number.
            ValueError: `scale` is not finite or not positive.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.L1Regularizer(0.5)(Tensor([1.0, -3.0])))
        2.0
        """,
    ),
}
for _name, (_operation, _input, _settings, _check, _text) in _TABLE.items():
    _about, _more = _HELP[_name]
    globals()[_name] = table_cell(
        _name, __name__, _operation, (_input,), _settings, _text, _check, about=_about, more=_more
    )


class _Triangle(Cell):
    _keep: Any = None

    def construct(self, x, k=0):
        return type(self)._keep(x, k)


@faces("nn nn.layer")
class Tril(_Triangle):
    """The lower triangle of the last two axes, up to diagonal k; zeros above it.

    Inputs:
        x (Tensor): [*, N, M].
        k (int): the diagonal, 0 by default.

    Raises:
        ValueError: `x` has fewer than 2 dimensions.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.Tril()(Tensor([[1, 2], [3, 4]])))
    [[1 0]
     [3 4]]
    """

    _keep = join.tril


@faces("nn nn.layer")
class Triu(_Triangle):
    """The upper triangle of the last two axes, from diagonal k on; zeros below it.

    Inputs:
        x (Tensor): [*, N, M].
        k (int): the diagonal, 0 by default.

    Raises:
        ValueError: `x` has fewer than 2 dimensions.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.Triu()(Tensor([[1, 2], [3, 4]])))
    [[1 2]
     [0 4]]
    """

    _keep = join.triu
