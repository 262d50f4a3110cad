"""Pooling layers.

Pad modes "valid" and "same" go through one operation for all ranks (`pool_mode`); inputs without batch axis, and the
1-D layers, are lifted inside it. Pad mode "pad" of the maximum has MindSpore's further options: dilation, indices,
partial windows.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core.checks import INT_OR_SEQUENCE, check_choice, check_length
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import (
    check_bool,
    check_non_negative_int,
    check_one_of,
    check_positive_int,
    check_type,
    type_error,
    value_error,
)
from ms_compat._core.faces import faces
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.pooling import adaptive
from ms_compat.ops.function.pooling import windows as ops


def _batched(x: Any, axes: int, lift: bool) -> tuple[Any, int]:
    """The input with a batch axis and at least two spatial ones, and which rank it had."""
    rank = x.ndim
    if lift:
        x = x[..., None, :]
    return (x[None] if x.ndim == axes + 1 else x), rank


def _unbatched(out: Any, rank: int, axes: int, lift: bool) -> Any:
    if lift:
        out = out.reshape(*out.shape[:-2], out.shape[-1])
    return out[0] if rank == axes - lift + 1 else out


@op(static=("kind", "kernel", "stride", "pad_mode", "pads", "ceil_mode", "include_pad", "divisor", "lift"), name="Pool")
def _pool(x, kind, kernel, stride, pad_mode, pads, ceil_mode, include_pad, divisor, lift):
    axes = len(kernel)
    x, rank = _batched(x, axes, lift)
    out = ops.pool_mode.fn(x, kind, kernel, stride, pad_mode, pads, ceil_mode, include_pad, divisor)
    return _unbatched(out, rank, axes, lift)


@op(static=("kernel", "stride", "padding", "dilation", "return_indices", "ceil_mode", "lift"), name="MaxPool")
def _max_pool_padded(x, kernel, stride, padding, dilation, return_indices, ceil_mode, lift):
    axes = len(kernel)
    x, rank = _batched(x, axes, lift)
    if axes == 2:
        out = ops.max_pool2d.fn(x, kernel, stride, padding, dilation, return_indices, ceil_mode)
    else:
        out = ops.max_pool3d.fn(x, kernel, stride, padding, dilation, ceil_mode, return_indices)
    if return_indices:
        return tuple([_unbatched(o, rank, axes, lift) for o in out])
    return _unbatched(out, rank, axes, lift)


class _Pool(Cell):
    """What the six window layers share."""

    _axes = 2
    _lift = False

    def _set_up(self, kernel_size, stride, pad_mode, data_format="NCHW") -> None:
        api = type(self).__name__
        for name, value in (("kernel_size", kernel_size), ("stride", stride)):
            if self._lift:
                check_positive_int(api, name, value)
            elif isinstance(value, bool) or not isinstance(value, (int, tuple)):
                raise type_error(api, name, "int or tuple of ints", value)
        self.kernel_size = self._sizes("kernel_size", kernel_size)
        self.stride = self._sizes("stride", stride)
        check_type(api, "pad_mode", pad_mode, str)
        self.pad_mode = check_one_of(api, "pad_mode", pad_mode.upper(), ("VALID", "SAME", "PAD"))
        if check_choice(api, "data_format", data_format, ("NCHW", "NHWC")) == "NHWC":
            raise value_error(api, "data_format", "'NCHW' (MindSpore has 'NHWC' on GPU alone)", data_format)

    def _pads(self, padding: Any) -> tuple[int, ...]:
        """What pad mode "pad" adds on both sides of each axis."""
        api, count = type(self).__name__, self._axes - self._lift
        items = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,)
        check_length(api, "padding", items, 1, count)
        for item in items:
            check_non_negative_int(api, "padding", item)
        return (0, *items) if self._lift else self._expand(items)

    def _sizes(self, name: str, value: Any) -> Any:
        """The value as it prints: lifted for the 1-D layers, checked for the others."""
        if self._lift:
            return (1, value)
        items = value if isinstance(value, tuple) else (value,)
        if len(items) not in (1, self._axes) or any(
            isinstance(i, bool) or not isinstance(i, int) or i < 1 for i in items
        ):
            raise ValueError(
                f"For '{type(self).__name__}', the '{name}' must be an positive int number or a tuple of "
                f"{self._axes} of "
                f"them, but got {value}"
            )
        return value

    def _expand(self, value: Any) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value * self._axes if len(value) == 1 else value
        return (value,) * self._axes

    def _refuse(self, changed: bool, names: str, pad_mode: str) -> None:
        if changed and self.pad_mode != "PAD":
            raise ValueError(
                f"For {type(self).__name__}, the parameter {names} can not be set to non-default value when "
                "pad_mode is not "
                f"'pad', but got pad_mode:{pad_mode}."
            )

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class _MaxPool(_Pool):
    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False,
    ):  # fmt: skip
        super().__init__()
        self._build(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode)

    def _build(self, kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode, data_format="NCHW"):
        api = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, data_format)
        self.return_indices = return_indices
        if self.pad_mode == "PAD":
            check_bool(api, "return_indices", return_indices)
            check_bool(api, "ceil_mode", ceil_mode)
        if self.pad_mode == "PAD" or self._axes == 3:  # MindSpore's others do not look at it
            INT_OR_SEQUENCE(api, "padding", padding)
        self._refuse(
            padding != 0 or dilation != 1 or return_indices or ceil_mode,
            "'padding', 'dilation', 'return_indices', 'ceil_mode'",
            pad_mode,
        )
        kernel, steps = self._expand(self.kernel_size), self._expand(self.stride)
        if self.pad_mode == "PAD":
            if self._lift:
                dilation = (1, *_one(dilation))
            self._run = _max_pool_padded
            self._settings: tuple = (
                kernel, steps, self._pads(padding), self._expand(dilation), return_indices, ceil_mode, self._lift,
            )  # fmt: skip
        else:
            self._run = _pool
            self._settings = ("max", kernel, steps, self.pad_mode.lower(), (), False, False, 0, self._lift)

    def construct(self, x):
        return self._run(x, *self._settings)


def _one(value: Any) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


@faces("nn nn.layer")
class MaxPool1d(_MaxPool):
    """Maxima over windows of [N, C, L] or [C, L].

    Args:
        kernel_size (int): window, >= 1.
        stride (int): step, >= 1; 1 by default.
        pad_mode (str): "valid", "same" or "pad".
        padding (Union[int, tuple, list]): for "pad": on both sides, at most half of the window.
        dilation (Union[int, tuple]): for "pad": distance of a window's elements.
        return_indices (bool): for "pad": also return the maxima's positions, Int64.
        ceil_mode (bool): for "pad": count a last, partial window.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; a further option without pad_mode "pad".

    >>> from ms_compat import Tensor, nn
    >>> print(nn.MaxPool1d(2, stride=2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
    [[[3. 7.]]]
    """

    _lift = True


@faces("nn nn.layer")
class MaxPool2d(_MaxPool):
    """Maxima over windows of [N, C, H, W] or [C, H, W].

    Differs from PyTorch's: `stride` is 1 by default.

    Args:
        kernel_size (Union[int, tuple]): window.
        stride (Union[int, tuple]): step.
        pad_mode (str): "valid", "same" or "pad".
        padding (Union[int, tuple]): for "pad": on both sides, at most half of the window.
        dilation (Union[int, tuple]): for "pad": distance of a window's elements.
        return_indices (bool): for "pad": also return the flat positions, Int64.
        ceil_mode (bool): for "pad": count a last, partial window.
        data_format (str): "NCHW".

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value; a further option without pad_mode "pad".

    >>> import ms_compat as ms
    >>> print(ms.nn.MaxPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
    [[[[4.]]]]
    """

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False,
        data_format="NCHW",
    ):  # fmt: skip
        Cell.__init__(self)
        self._build(kernel_size, stride, pad_mode, padding, dilation, return_indices, ceil_mode, data_format)


@faces("nn nn.layer")
class MaxPool3d(_MaxPool):
    """Maxima over windows of [N, C, D, H, W] or [C, D, H, W].

    Args:
        kernel_size (Union[int, tuple]): window, of three ints.
        stride (Union[int, tuple]): step, 1 by default.
        pad_mode (str): "valid", "same" or "pad".
        padding (Union[int, tuple, list]): for "pad": on both sides, at most half of the window.
        dilation (Union[int, tuple]): for "pad": distance of a window's elements.
        return_indices (bool): for "pad": also return the maxima's flat positions.
        ceil_mode (bool): for "pad": count a last, partial window.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; a further option without pad_mode "pad".

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    >>> nn.MaxPool3d(2)(x).item()
    7.0
    """

    _axes = 3


class _AvgPool(_Pool):
    def _build(
        self, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override=None,
        data_format="NCHW",
    ):  # fmt: skip
        api = type(self).__name__
        self._set_up(kernel_size, stride, pad_mode, data_format)
        INT_OR_SEQUENCE(api, "padding", padding)
        # MindSpore has two operations: one of two axes that knows nothing but pad modes, and one of three
        further = bool(padding != 0 or ceil_mode or not count_include_pad or divisor_override is not None)
        if further or self.pad_mode == "PAD" or self._axes == 3:
            further = True
            check_bool(api, "ceil_mode", ceil_mode)
            check_bool(api, "count_include_pad", count_include_pad)
        if divisor_override is not None and check_positive_int(api, "divisor_override", divisor_override) < 1:
            raise value_error(api, "divisor_override", "> 0", divisor_override)
        pads = tuple((p, p) for p in self._pads(padding))
        if self.pad_mode != "PAD" and any(map(any, pads)):
            raise value_error(api, "padding", f"0 where 'pad_mode' is '{pad_mode}'", padding)
        self._settings = (
            "avg", self._expand(self.kernel_size), self._expand(self.stride), self.pad_mode.lower(), pads,
            bool(ceil_mode), bool(further and count_include_pad), divisor_override or 0, self._lift,
        )  # fmt: skip

    def construct(self, x):
        return _pool(x, *self._settings)


@faces("nn nn.layer")
class AvgPool1d(_AvgPool):
    """Averages over windows of [N, C, L] or [C, L].

    Args:
        kernel_size (int): window, >= 1.
        stride (int): step, >= 1.
        pad_mode (str): "valid", "same" (averages positions of the input only) or "pad".
        padding (Union[int, tuple, list]): for "pad": on both sides.
        ceil_mode (bool): count a last, partial window.
        count_include_pad (bool): whether the padding counts, where any of the arguments from `padding` on is given.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; `padding` without pad_mode "pad".

    >>> from ms_compat import Tensor, nn
    >>> print(nn.AvgPool1d(2, stride=2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
    [[[2. 6.]]]
    """

    _lift = True

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self._build(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


@faces("nn nn.layer")
class AvgPool2d(_AvgPool):
    """Averages over windows of [N, C, H, W] or [C, H, W].

    Args:
        kernel_size (Union[int, tuple]): window.
        stride (Union[int, tuple]): step, 1 by default.
        pad_mode (str): "valid", "same" (averages positions of the input only) or "pad".
        padding (Union[int, tuple]): for "pad": on both sides.
        ceil_mode (bool): count a last, partial window.
        count_include_pad (bool): whether the padding counts, where any of the arguments from `padding` on is given.
        divisor_override (int): divide by this instead.
        data_format (str): "NCHW".

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value; `padding` without pad_mode "pad".

    >>> from ms_compat import Tensor, nn
    >>> x = Tensor([[[[1.0, 2.0], [3.0, 6.0]]]])
    >>> print(nn.AvgPool2d(2)(x))
    [[[[3.]]]]
    >>> nn.AvgPool2d(2, stride=1, pad_mode="same")(x).shape
    (1, 1, 2, 2)
    """

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
        divisor_override=None, data_format="NCHW",
    ):  # fmt: skip
        super().__init__()
        self._build(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override, data_format)


@faces("nn nn.layer")
class AvgPool3d(_AvgPool):
    """Averages over windows of [N, C, D, H, W] or [C, D, H, W].

    With `pad_mode` "same" the padding counts, other than in `AvgPool2d`.

    Args:
        kernel_size (Union[int, tuple]): window, of three ints.
        stride (Union[int, tuple]): step, 1 by default.
        pad_mode (str): "valid", "same" or "pad".
        padding (Union[int, tuple, list]): for "pad": on both sides.
        ceil_mode (bool): count a last, partial window.
        count_include_pad (bool): whether the padding counts.
        divisor_override (int): divide by this instead.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value; `padding` without pad_mode "pad".

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    >>> nn.AvgPool3d(2)(x).item()
    3.5
    """

    _axes = 3

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
        divisor_override=None,
    ):  # fmt: skip
        super().__init__()
        self._build(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor_override)


def _target(api: str, single: bool):
    """The check of `output_size`."""

    def check(output_size: Any, *rest: Any) -> tuple:
        if isinstance(output_size, list) and "Max" in api:
            output_size = tuple(output_size)
        if isinstance(output_size, bool) or not isinstance(output_size, int if single else (int, tuple)):
            raise type_error(api, "output_size", "int" if single else "int or tuple of ints", output_size)
        if isinstance(output_size, int) and output_size < 1 and single:
            raise value_error(api, "output_size", "an int >= 1", output_size)
        for flag in rest:
            check_bool(api, "return_indices", flag)
        return (output_size, *rest)

    return check


_INDICES = {"output_size": REQUIRED, "return_indices": False}
_ONE = {"output_size": REQUIRED}
# name: (operation, name of the input, settings, text)
_ADAPTIVE: dict[str, tuple] = {
    "AdaptiveAvgPool1d": (adaptive.adaptive_avg_pool1d, "input", _ONE,
                    "Averages over windows so that L becomes `output_size`"),
    "AdaptiveAvgPool2d": (adaptive.adaptive_avg_pool2d, "input", _ONE,
                    "Averages over windows so that (H, W) become `output_size`"),
    "AdaptiveAvgPool3d": (adaptive.adaptive_avg_pool3d, "input", _ONE,
                    "Averages so that (D, H, W) become `output_size`"),
    "AdaptiveMaxPool1d": (adaptive.adaptive_max_pool1d, "x", _ONE,
                    "Maxima over windows so that L becomes `output_size`"),
    "AdaptiveMaxPool2d": (adaptive.adaptive_max_pool2d, "input", _INDICES,
                    "Maxima so that (H, W) become `output_size`"),
    "AdaptiveMaxPool3d": (adaptive.adaptive_max_pool3d, "input", _INDICES,
                    "Maxima so that (D, H, W) become `output_size`"),
}  # fmt: skip
_SIZES = "(Union[int, tuple]): the sizes of the result, one int for all axes; None in a tuple keeps the input's size"
_SIZE = "(int): the length of the result, >= 1, by which L must be divisible"
# name: (input, what `output_size` is, the rest of the docstring)
_HELP = {
    "AdaptiveAvgPool1d": ("[N, C, L], floating type", _SIZE, """
        Raises:
            TypeError: `output_size` is not an int, or the input has no floating type.
            ValueError: `output_size` is < 1, or does not divide L.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.AdaptiveAvgPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[2. 6.]]]
        """),
    "AdaptiveAvgPool2d": ("[N, C, H, W] or [C, H, W], floating type", _SIZES, """
        Raises:
            TypeError: `output_size` is neither an int nor a tuple, or the input has no floating type.
            ValueError: the input has another number of dimensions.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
        >>> print(nn.AdaptiveAvgPool2d(1)(x))
        [[[[7.5]]]]
        >>> nn.AdaptiveAvgPool2d((None, 2))(x).shape
        (1, 1, 4, 2)
        """),
    "AdaptiveAvgPool3d": ("[N, C, D, H, W] or [C, D, H, W], floating type", _SIZES, """
        Raises:
            TypeError: `output_size` is neither an int nor a tuple.
            ValueError: the input has another number of dimensions.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))
        >>> nn.AdaptiveAvgPool3d(1)(x).item()
        3.5
        """),
    "AdaptiveMaxPool1d": ("[N, C, L], floating type", _SIZE, """
        Raises:
            TypeError: `output_size` is not an int.
            ValueError: `output_size` is < 1, or does not divide L.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.AdaptiveMaxPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[3. 7.]]]
        """),
    "AdaptiveMaxPool2d": ("[N, C, H, W] or [C, H, W], floating type", _SIZES, """
        Outputs:
            Tensor, and with `return_indices` the maxima's flat positions in their channel, Int64.

        Raises:
            TypeError: `output_size` is neither an int, a list nor a tuple, or `return_indices` is not a bool.
            ValueError: the input has another number of dimensions.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 4, 4))
        >>> print(nn.AdaptiveMaxPool2d(2)(x))
        [[[ 5.  7.]
          [13. 15.]]]
        """),
    "AdaptiveMaxPool3d": ("[N, C, D, H, W] or [C, D, H, W], floating type", _SIZES, """
        Outputs:
            Tensor, and with `return_indices` the maxima's flat positions in their channel, Int32.

        Raises:
            TypeError: `output_size` is neither an int, a list nor a tuple, or `return_indices` is not a bool.
            ValueError: the input has another number of dimensions.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2))
        >>> nn.AdaptiveMaxPool3d(1)(x).item()
        7.0
        """),
}  # fmt: skip
for _name, (_operation, _input, _settings, _text) in _ADAPTIVE.items():
    _shape, _size, _more = _HELP[_name]
    globals()[_name] = table_cell(
        _name, __name__, _operation, (_input,), _settings, _text, _target(_name, _name.endswith("1d")),
        about={_input: _shape, "output_size": _size, "return_indices": "(bool): also return the maxima's positions"},
        more=_more,
    )  # fmt: skip

_LP = {"norm_type": REQUIRED, "kernel_size": REQUIRED, "stride": None, "ceil_mode": False}
_LP_TEXT = "(sum of x ** norm_type) ** (1 / norm_type) over windows"
_LP_ABOUT = {
    "norm_type": "(Union[int, float]): the exponent, not 0",
    "kernel_size": "(int): window",
    "stride": "(int): step; None is the window",
    "ceil_mode": "(bool): count a last, partial window",
    "x": "[N, C, L] or [C, L]",
}
_LP_MORE = """
        >>> from ms_compat import Tensor, nn
        >>> print(nn.LPPool1d(2, 2)(Tensor([[[3.0, 4.0, 0.0, 1.0]]])))
        [[[5. 1.]]]
        """
LPPool1d = table_cell("LPPool1d", __name__, ops.lp_pool1d, ("x",), _LP, _LP_TEXT, about=_LP_ABOUT, more=_LP_MORE)
_LP_ABOUT = {
    **_LP_ABOUT,
    "kernel_size": "(Union[int, tuple]): window",
    "stride": "(Union[int, tuple]): step; None is the window",
    "x": "[N, C, H, W] or [C, H, W]",
}
_LP_MORE = """
        >>> from ms_compat import Tensor, nn
        >>> print(nn.LPPool2d(2, (1, 2))(Tensor([[[[3.0, 4.0], [0.0, 1.0]]]])))
        [[[[5.]
           [1.]]]]
        """
LPPool2d = table_cell("LPPool2d", __name__, ops.lp_pool2d, ("x",), _LP, _LP_TEXT, about=_LP_ABOUT, more=_LP_MORE)
