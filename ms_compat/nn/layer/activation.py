"""Activation layers: table rows with operation, constructor parameters and checks; and `get_activation`.

The classes are made by `table_cell`, so that all of them print, pickle and check alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import check_bool, check_number, check_positive_int, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.nn._table import REQUIRED, table_cell
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.elementwise import activation as ops
from ms_compat.ops.function.random.draws import rrelu


def _gelu_kind(approximate: Any) -> tuple:
    return ("tanh" if check_bool("GELU", "approximate", approximate) else "none",)


def _softmax_axis(axis: Any) -> tuple:
    if isinstance(axis, tuple) and len(axis) == 1:
        return axis
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise type_error("Softmax", "axis", "int or tuple of one int", axis)
    return (axis,)


def _limits(min_val: Any, max_val: Any) -> tuple:
    for name, value in (("min_val", min_val), ("max_val", max_val)):
        check_number("Hardtanh", name, value)
    if min_val >= max_val:
        raise ValueError(f"For 'Hardtanh', 'min_val' must be less than 'max_val', but got {min_val} and {max_val}.")
    return min_val, max_val


def _threshold_of(api: str):
    return lambda lambd: (int(lambd) if isinstance(lambd, bool) else check_number(api, "lambd", lambd),)


def _softmax2d(x: Tensor) -> Tensor:
    if x.ndim not in (3, 4):
        raise ValueError(f"For 'Softmax2d', the dimension of the input must be 3 or 4, but got shape {x.shape}.")
    return ops.softmax(x, -3)


# name: (operation, name of construct's input, {constructor parameter: default}, conversion of the parameter, formula)
_TABLE: dict[str, tuple[Callable, str, dict[str, Any], Callable | None, str]] = {
    "ReLU": (ops.relu, "input", {}, None, "max(x, 0) for each element"),
    "ReLU6": (ops.relu6, "x", {}, None, "min(max(x, 0), 6)"),
    "Sigmoid": (ops.sigmoid, "x", {}, None, "1 / (1 + exp(-x))"),
    "Tanh": (ops.tanh, "x", {}, None, "the hyperbolic tangent"),
    "SiLU": (ops.silu, "x", {}, None, "x * sigmoid(x)"),
    "Mish": (ops.mish, "input_x", {}, None, "x * tanh(softplus(x))"),
    "Softsign": (ops.softsign, "x", {}, None, "x / (1 + |x|)"),
    "Tanhshrink": (ops.tanhshrink, "x", {}, None, "x - tanh(x)"),
    "LogSigmoid": (ops.logsigmoid, "input_x", {}, None, "log(sigmoid(x))"),
    "HSigmoid": (ops.hardsigmoid, "input", {}, None, "min(max(x / 6 + 0.5, 0), 1)"),
    "HSwish": (ops.hardswish, "input", {}, None, "x * hardsigmoid(x)"),
    "FastGelu": (ops.fast_gelu, "x", {}, None, "x * sigmoid(1.702 x)"),
    "SeLU": (ops.selu, "input_x", {}, None, "1.0507 * elu(x, 1.67326)"),
    "GELU": (ops.gelu, "x", {"approximate": True}, _gelu_kind,
                    "x * P(X <= x) of a normal X, or its tanh approximation"),
    "Softmax": (ops.softmax, "input", {"axis": -1}, _softmax_axis, "exp(x) / sum(exp(x)) along `axis`"),
    "LogSoftmax": (ops.log_softmax, "x", {"axis": -1}, None, "x - log(sum(exp(x))) along `axis`"),
    "Softmin": (ops.softmin, "x", {"axis": -1}, None, "softmax(-x) along `axis`"),
    "Softmax2d": (_softmax2d, "x", {}, None, "softmax over the channels of [N, C, H, W] or [C, H, W]"),
    "LeakyReLU": (ops.leaky_relu, "x", {"alpha": 0.2}, None, "x where x > 0, alpha * x elsewhere"),
    "ELU": (ops.elu, "x", {"alpha": 1.0}, None, "x where x > 0, alpha * (exp(x) - 1) elsewhere"),
    "CELU": (ops.celu, "x", {"alpha": 1.0}, None, "max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)"),
    "Hardtanh": (ops.hardtanh, "x", {"min_val": -1.0, "max_val": 1.0}, _limits, "min(max(x, min_val), max_val)"),
    "HShrink": (ops.hardshrink, "input", {"lambd": 0.5}, _threshold_of("HShrink"), "x where |x| > lambd, 0 elsewhere"),
    "SoftShrink": (ops.softshrink, "input", {"lambd": 0.5}, _threshold_of("SoftShrink"),
                    "x moved towards 0 by lambd, 0 where it would cross"),
    "Threshold": (ops.threshold, "input_x", {"threshold": REQUIRED, "value": REQUIRED}, None,
                  "x where x > threshold, `value` elsewhere"),
    "GLU": (ops.glu, "x", {"axis": -1}, None, "a * sigmoid(b) of the two halves a, b of x along `axis`"),
}  # fmt: skip


_ABOUT = {
    "approximate": "(bool): use the tanh approximation 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x ** 3)))",
    "axis": "(int): the axis",
    "alpha": "(Union[int, float]): the factor in the formula",
    "min_val": "(Union[int, float]): the least value",
    "max_val": "(Union[int, float]): the largest value",
    "lambd": "(Union[int, float]): the threshold",
    "threshold": "(Union[int, float]): where x is kept",
    "value": "(Union[int, float]): what replaces the others",
}
_FLOATING = "Float16, BFloat16, Float32 or Float64"
_COMPLEX = "floating or complex type"
_NUMBERS = "floating type or ints"
_ANY = "any dtype"
# name: (dtypes of the input, what raises ValueError, source of the formula, what the example prints)
_HELP: dict[str, tuple[str, str, str, str]] = {
    "ReLU": ("real type or Bool", "", "Nair and Hinton, ICML 2010", "[0. 0. 0. 3.]"),
    "ReLU6": (_FLOATING, "", "Krizhevsky, Convolutional deep belief networks on CIFAR-10 (2010)", "[0. 0. 0. 3.]"),
    "Sigmoid": (_COMPLEX, "", "", "[0.119 0.378 0.5   0.953]"),
    "Tanh": (_COMPLEX, "", "", "[-0.964 -0.462  0.     0.995]"),
    "SiLU": (_COMPLEX, "", "Hendrycks and Gimpel, arXiv:1606.08415", "[-0.238 -0.189  0.     2.858]"),
    "Mish": (_FLOATING, "", "Misra, arXiv:1908.08681", "[-0.253 -0.221  0.     2.987]"),
    "Softsign": (_FLOATING, "", "", "[-0.667 -0.333  0.     0.75 ]"),
    "Tanhshrink": ("floating or complex type; ints give Float32", "", "", "[-1.036 -0.038  0.     2.005]"),
    "LogSigmoid": (_COMPLEX, "", "", "[-2.127 -0.974 -0.693 -0.049]"),
    "HSigmoid": (_NUMBERS, "", "Howard et al., arXiv:1905.02244", "[0.167 0.417 0.5   1.   ]"),
    "HSwish": (_NUMBERS, "", "Howard et al., arXiv:1905.02244", "[-0.333 -0.208  0.     3.   ]"),
    "FastGelu": (_FLOATING, "", "Hendrycks and Gimpel, arXiv:1606.08415", "[-0.064 -0.15   0.     2.982]"),
    "SeLU": (_NUMBERS, "", "Klambauer et al., arXiv:1706.02515", "[-1.52  -0.692  0.     3.152]"),
    "GELU": (_FLOATING, "", "Hendrycks and Gimpel, arXiv:1606.08415", "[-0.045 -0.154  0.     2.996]"),
    "Softmax": (_FLOATING, "`axis` is out of range", "", "[0.006 0.028 0.046 0.92 ]"),
    "LogSoftmax": (_FLOATING, "`axis` is out of range", "", "[-5.083 -3.583 -3.083 -0.083]"),
    "Softmin": (_FLOATING, "`axis` is out of range", "", "[0.732 0.163 0.099 0.005]"),
    "Softmax2d": (_FLOATING, "the input has neither 3 nor 4 dimensions", "", "[0.5 0.5]"),
    "LeakyReLU": (_ANY, "", "Maas et al., ICML 2013", "[-0.4 -0.1  0.   3. ]"),
    "ELU": (
        _FLOATING,
        "`alpha` is not 1.0, as in MindSpore",
        "Clevert et al., arXiv:1511.07289",
        "[-0.865 -0.393  0.     3.   ]",
    ),
    "CELU": (_FLOATING, "`alpha` is 0", "Barron, arXiv:1704.07483", "[-0.865 -0.393  0.     3.   ]"),
    "Hardtanh": (_ANY, "`min_val` is not less than `max_val`", "", "[-1.  -0.5  0.   1. ]"),
    "HShrink": (_FLOATING, "", "", "[-2.  0.  0.  3.]"),
    "SoftShrink": (_FLOATING, "", "", "[-1.5  0.   0.   2.5]"),
    "Threshold": (_ANY, "", "", "[20. 20. 20.  3.]"),
    "GLU": (_FLOATING, "the size along `axis` is odd", "Dauphin et al., arXiv:1612.08083", "[-1.    -0.476]"),
}
_CALLS = {
    "Softmax2d": "nn.Softmax2d()(Tensor([[[0.0]], [[0.0]]])).flatten()",
    "Threshold": "nn.Threshold(0.1, 20.0)(Tensor([-2.0, -0.5, 0.0, 3.0]))",
}


def _help(name: str, parameters: bool) -> str:
    """What the docstring says after the inputs."""
    _, wrong, source, printed = _HELP[name]
    shape = "half the input's size along `axis`" if name == "GLU" else "the input's shape"
    call = _CALLS.get(name, f"nn.{name}()(Tensor([-2.0, -0.5, 0.0, 3.0]))")
    lines = ["Outputs:", f"    Tensor with {shape}.", "", "Raises:"]
    lines.append(
        f"    TypeError: the input is not a Tensor of such a dtype{', or an argument has another type' * parameters}."
    )
    lines += [f"    ValueError: {wrong}."] * bool(wrong)
    lines += ["    RuntimeError: `lambd` is negative."] * (name == "SoftShrink")
    lines += ["", f"Source: {source}."] * bool(source)
    example = [">>> from ms_compat import Tensor, nn", f">>> print({call}.asnumpy().round(3))", printed]
    return "\n".join([*lines, "", *example])


for _name, (_operation, _input, _settings, _convert, _text) in _TABLE.items():
    globals()[_name] = table_cell(
        _name, __name__, _operation, (_input,), _settings, _text, _convert,
        about={_input: f"any shape; {_HELP[_name][0]}", **_ABOUT}, more=_help(_name, bool(_settings)),
    )  # fmt: skip


@faces("nn nn.layer")
class PReLU(Cell):
    """x where x > 0, w * x elsewhere, with trainable slopes w.

    Args:
        channel (int): number of slopes: one per channel, or 1.
        w (Union[float, list, Tensor]): initial slopes.

    Raises:
        TypeError: `channel` is not an int, or `w` none of these.
        ValueError: `channel` is not positive, or does not fit `w`.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.PReLU(1, 0.25)(Tensor([[-2.0, 3.0]])))
    [[-0.5  3. ]]
    """

    def __init__(self, channel=1, w=0.25):
        super().__init__()
        check_positive_int("PReLU", "channel", channel)
        if isinstance(w, (float, np.float32)):
            values: Any = np.full((channel,), w, np.float32)
        elif isinstance(w, list):
            if len(w) != channel:
                raise ValueError(f"For 'PReLU', the length of 'w' must be 'channel', but got {len(w)} and {channel}.")
            if not all(isinstance(item, float) for item in w):
                raise ValueError("For 'PReLU', all elements of 'w' must be floats.")
            values = np.array(w, np.float32)
        elif isinstance(w, Tensor):
            if w.dtype.np_dtype not in (np.float16, np.float32):
                raise ValueError(f"For 'PReLU', 'w' must be Float16 or Float32, but got {w.dtype}.")
            if w.ndim != 1 or w.shape[0] != channel:
                raise ValueError(f"For 'PReLU', 'w' must have shape ({channel},), but got {w.shape}.")
            values = w
        else:
            raise type_error("PReLU", "w", "float, list of floats or Tensor", w)
        self.w = Parameter(values, name="a")

    def construct(self, x):
        return ops.prelu(x, self.w)


@faces("nn nn.layer")
class RReLU(Cell):
    """x where x > 0, a * x elsewhere, with a drawn from [lower, upper) for each element at every call.

    Args:
        lower (Union[int, float]): lower end.
        upper (Union[int, float]): upper end.

    Raises:
        TypeError: no numbers.
        ValueError: `lower` > `upper`.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.RReLU()(Tensor([1.0, 3.0])))
    [1. 3.]
    """

    def __init__(self, lower=1 / 8, upper=1 / 3):
        super().__init__()
        for name, value in (("lower", lower), ("upper", upper)):
            check_number("RReLU", name, value)
        if lower > upper:
            raise ValueError(f"For 'RReLU', 'lower' must be <= 'upper', but got {lower} and {upper}.")
        self.lower = lower
        self.upper = upper

    def construct(self, x):
        return rrelu(x, self.lower, self.upper)


# name for `get_activation`: class
_BY_NAME = {
    "softmin": "Softmin", "softmax": "Softmax", "softmax2d": "Softmax2d", "logsoftmax": "LogSoftmax", "relu": "ReLU",
    "relu6": "ReLU6", "rrelu": "RReLU", "silu": "SiLU", "tanh": "Tanh", "tanhshrink": "Tanhshrink",
                    "hardtanh": "Hardtanh",
    "gelu": "GELU", "fast_gelu": "FastGelu", "elu": "ELU", "sigmoid": "Sigmoid", "softsign": "Softsign",
                    "prelu": "PReLU",
    "leakyrelu": "LeakyReLU", "hswish": "HSwish", "hsigmoid": "HSigmoid", "logsigmoid": "LogSigmoid",
    "softshrink": "SoftShrink", "hshrink": "HShrink", "threshold": "Threshold", "mish": "Mish",
}  # fmt: skip


@faces("nn nn.layer")
def get_activation(name, prim_name=None):
    """The activation layer of a name.

    Args:
        name: such as "relu"; None gives None.
        prim_name: the API to name in the error.

    Returns:
        A Cell, or None.

    Raises:
        KeyError: there is none of that name.

    >>> from ms_compat import nn
    >>> nn.get_activation("sigmoid")
    Sigmoid()
    """
    if name is None:
        return None
    found = _BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        where = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(f"{where} 'name' must be in {list(_BY_NAME)}, but got {name}.")
    return globals()[found]()
