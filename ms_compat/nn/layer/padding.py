"""Padding layers: `Pad`, and the constant, reflecting and replicating ones of one to three axes."""

from __future__ import annotations

from typing import Any

from ms_compat._core.checks import check_choice, check_rank
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.shape import join


@faces("nn nn.layer")
class Pad(Cell):
    """Pads all axes.

    Args:
        paddings (tuple): a pair (before, after) for each axis.
        mode (str): "CONSTANT" (zeros), "REFLECT" or "SYMMETRIC".

    Raises:
        TypeError: `paddings` is not a tuple.
        ValueError: pairs of another length, or an unknown mode.

    >>> import ms_compat as ms
    >>> print(ms.nn.Pad(((1, 1),))(ms.Tensor([1, 2])))
    [0 1 2 0]
    """

    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        check_type("Pad", "paddings", paddings, tuple)
        for item in paddings:
            if len(item) != 2:
                raise ValueError(f"For 'Pad', the dimension of 'paddings' must be (n, 2), but got {paddings}.")
        if len(paddings) > 4:
            raise ValueError(f"For 'Pad', only up to 4 dimensions are supported, but got {len(paddings)}.")
        self.paddings = paddings
        self.mode = check_choice("Pad", "mode", mode, ("CONSTANT", "REFLECT", "SYMMETRIC"))

    def construct(self, x):
        if self.mode == "CONSTANT":
            return join.pad_primitive(x, self.paddings)
        return join.mirror_pad(x, self.paddings, self.mode)


def _expanded(api: str, axes: int, negative: bool, exact: bool = False):
    """The check of `padding`: one int for all sides of `axes` axes, or two for each axis padded; `exact`ly of these.

    A layer that takes `negative` padding pads at most these axes.
    """

    # one check after the other, in the order in which MindSpore raises
    def check(padding: Any, *value: Any) -> tuple:
        if isinstance(padding, int) and not isinstance(padding, bool):
            padding = (padding,) * (2 * axes)
        if not isinstance(padding, tuple):
            raise type_error(api, "padding", "int or tuple of ints", padding)
        for item in padding:
            if isinstance(item, bool) or not isinstance(item, int):
                raise type_error(api, "padding", "int or tuple of ints", padding)
        if len(padding) != 2 * axes and (exact or len(padding) % 2 or negative and len(padding) > 2 * axes):
            wanted = f"even, up to {2 * axes}" if negative else "even"
            wanted = str(2 * axes) if exact else wanted
            raise ValueError(f"For '{api}', the length of 'padding' must be {wanted}, but got {padding}.")
        for item in padding:
            if item < 0 and not negative:
                raise ValueError(f"For '{api}', the 'padding' must be >= 0, but got {padding}.")
        for item in value:
            if not isinstance(item, (int, float)):
                raise type_error(api, "value", "int or float", item)
        return (padding, *value)

    return check


def _constant(x, padding, value=0):
    return join.pad(x, padding, "constant", value)


def _reflected(axes: int):
    def run(x, padding):
        pairs = [padding[i : i + 2] for i in range(0, len(padding), 2)]
        before = ((0, 0),) * (len(x.shape) - len(pairs))  # none for too many, which the operation refuses
        return join.mirror_pad(x, (*before, *reversed(pairs)), "REFLECT")

    return run


def _repeated(axes: int):
    def run(x, padding):
        check_rank(f"replicate padding of {axes} axes", "input", x, axes + 1, axes + 2)
        return join.pad(x, padding, "replicate")

    return run


_WORDS = {"Reflection": (_reflected, "mirrored without the edge"), "Replication": (_repeated, "repeated edges")}
_CUT = "; negative padding cuts"
_VALUE = {"padding": REQUIRED, "value": REQUIRED}
_ONLY = {"padding": REQUIRED}
# What the examples print: [1.0, 2.0, 3.0], padded by 1 before and 2 after.
_SHOWN = {"Constant": "[9. 1. 2. 3. 9. 9.]", "Reflection": "[2. 1. 2. 3. 2. 1.]", "Replication": "[1. 1. 2. 3. 3. 3.]"}


def _words(word: str, axes: int) -> dict[str, Any]:
    """The arguments of `table_cell` for the docstring."""
    name = f"{word}Pad{axes}d"
    sides = "before and after the last axis, then the one before it, and so on"
    about = {
        "padding": f"(Union[int, tuple]): an int for all sides, or two ints for each axis: {sides}",
        "value": "(Union[int, float]): what is put there",
        "x": f"{axes + 1} or {axes + 2} dimensions" if word == "Replication" else f"{axes} dimensions or more",
    }
    pairs = ", ".join(["1, 2", "0, 0", "0, 0"][:axes])
    call = f"({pairs}), 9.0" if word == "Constant" else f"({pairs})"
    shape = f"({'1, ' * (axes + 1)}3)"
    number = ", or `value` is not a number" * (word == "Constant")
    more = f"""
        Outputs:
            Tensor with the input's dtype and longer (or shorter) last axes.

        Raises:
            TypeError: `padding` is neither an int nor a tuple of ints{number}.
            ValueError: the length of `padding` does not fit, or the input's shape does not.

        >>> from ms_compat import Tensor, nn
        >>> x = Tensor([1.0, 2.0, 3.0]).reshape{shape}
        >>> print(nn.{name}({call})(x).flatten()[:6])
        {_SHOWN[word]}
        """
    return {"about": about, "more": more}


for _axes in (1, 2, 3):
    _name = f"ConstantPad{_axes}d"
    globals()[_name] = table_cell(
        _name, __name__, _constant, ("x",), _VALUE, f"Pads the last {_axes} axes with `value`{_CUT}",
        _expanded(_name, _axes, True), **_words("Constant", _axes),
    )  # fmt: skip
    for _word, (_made, _text) in _WORDS.items():
        _name = f"{_word}Pad{_axes}d"
        _cuts = _made is _repeated
        globals()[_name] = table_cell(
            _name, __name__, _made(_axes), ("x",), _ONLY, f"Pads the last {_axes} axes with {_text}{_CUT * _cuts}",
            _expanded(_name, _axes, _cuts, _cuts),
            **_words(_word, _axes),
        )  # fmt: skip
_ZERO = """
        Raises:
            TypeError: `padding` is neither an int nor a tuple of ints.
            ValueError: the length of `padding` is not 2 or 4.

        >>> from ms_compat import Tensor, nn
        >>> print(nn.ZeroPad2d((1, 0, 0, 1))(Tensor([[[[1.0, 2.0]]]])))
        [[[[0. 1. 2.]
           [0. 0. 0.]]]]
        """
ZeroPad2d = table_cell(
    "ZeroPad2d", __name__, _constant, ("x",), _ONLY, f"Pads the last 2 axes with zeros{_CUT}",
    _expanded("ZeroPad2d", 2, True),
    about={"padding": "(Union[int, tuple]): an int for all sides, or (left, right, top, bottom)", "x": "[..., H, W]"},
    more=_ZERO,
)  # fmt: skip
