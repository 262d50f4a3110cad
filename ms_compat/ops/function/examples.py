"""Examples of operations that tables make, whose docstrings are put together: a line each, executed as they are."""

from __future__ import annotations

# name: (the tensor's elements, the result)
_OF_ONE = {
    "acos": ("[1.0]", "[0.]"),
    "acosh": ("[1.0]", "[0.]"),
    "asin": ("[0.0]", "[0.]"),
    "asinh": ("[0.0]", "[0.]"),
    "atan": ("[0.0]", "[0.]"),
    "atanh": ("[0.0]", "[0.]"),
    "bessel_i1": ("[0.0]", "[0.]"),
    "bessel_i1e": ("[0.0]", "[0.]"),
    "bessel_j0": ("[0.0]", "[1.]"),
    "bessel_j1": ("[0.0]", "[0.]"),
    "ceil": ("[1.5, -1.5]", "[ 2. -1.]"),
    "cos": ("[0.0]", "[1.]"),
    "cosh": ("[0.0]", "[1.]"),
    "deg2rad": ("[0.0]", "[0.]"),
    "erf": ("[0.0]", "[0.]"),
    "erfc": ("[0.0]", "[1.]"),
    "erfinv": ("[0.0]", "[0.]"),
    "exp": ("[0.0]", "[1.]"),
    "exp2": ("[0.0, 3.0]", "[1. 8.]"),
    "expm1": ("[0.0]", "[0.]"),
    "fast_gelu": ("[0.0]", "[0.]"),
    "floor": ("[1.5, -1.5]", "[ 1. -2.]"),
    "hardsigmoid": ("[-3.0, 0.0, 3.0]", "[0.  0.5 1. ]"),
    "hardswish": ("[-4.0, 3.0]", "[0. 3.]"),
    "isfinite": ('[1.0, float("inf")]', "[ True False]"),
    "isinf": ('[1.0, float("inf")]', "[False  True]"),
    "isnan": ('[1.0, float("nan")]', "[False  True]"),
    "isneginf": ('[1.0, float("-inf")]', "[False  True]"),
    "isposinf": ('[1.0, float("inf")]', "[False  True]"),
    "isreal": ("[1 + 2j, 1]", "[False  True]"),
    "lgamma": ("[1.0]", "[0.]"),
    "log": ("[1.0]", "[0.]"),
    "log10": ("[1.0, 100.0]", "[0. 2.]"),
    "log1p": ("[0.0]", "[0.]"),
    "log2": ("[1.0, 8.0]", "[0. 3.]"),
    "mish": ("[0.0]", "[0.]"),
    "rad2deg": ("[0.0]", "[0.]"),
    "reciprocal": ("[2.0, 4.0]", "[0.5  0.25]"),
    "relu": ("[-1.0, 2.0]", "[0. 2.]"),
    "relu6": ("[-1.0, 7.0]", "[0. 6.]"),
    "rsqrt": ("[1.0, 4.0]", "[1.  0.5]"),
    "selu": ("[0.0]", "[0.]"),
    "sigmoid": ("[0.0]", "[0.5]"),
    "signbit": ("[1.0, -1.0]", "[False  True]"),
    "silu": ("[0.0]", "[0.]"),
    "sin": ("[0.0]", "[0.]"),
    "sinc": ("[0.0]", "[1.]"),
    "sinh": ("[0.0]", "[0.]"),
    "softsign": ("[1.0, -1.0]", "[ 0.5 -0.5]"),
    "sqrt": ("[1.0, 4.0]", "[1. 2.]"),
    "tan": ("[0.0]", "[0.]"),
    "tanh": ("[0.0]", "[0.]"),
    "tanhshrink": ("[0.0]", "[0.]"),
    "trunc": ("[1.7, -1.7]", "[ 1. -1.]"),
}
# name: (the elements of both tensors, the result)
_OF_TWO = {
    "atan2": ("[0.0]", "[1.0]", "[0.]"),
    "bitwise_and": ("[6]", "[3]", "[2]"),
    "bitwise_left_shift": ("[3]", "[2]", "[12]"),
    "bitwise_or": ("[6]", "[3]", "[7]"),
    "bitwise_right_shift": ("[12]", "[2]", "[3]"),
    "bitwise_xor": ("[6]", "[3]", "[5]"),
    "equal": ("[1, 2]", "[1, 3]", "[ True False]"),
    "fmax": ("[1.0, 5.0]", '[3.0, float("nan")]', "[3. 5.]"),
    "fmin": ("[1.0, 5.0]", '[3.0, float("nan")]', "[1. 5.]"),
    "gcd": ("[12]", "[18]", "[6]"),
    "greater": ("[1, 3]", "[2, 2]", "[False  True]"),
    "greater_equal": ("[1, 2]", "[2, 2]", "[False  True]"),
    "heaviside": ("[-1.0, 0.0, 2.0]", "[0.5]", "[0.  0.5 1. ]"),
    "hypot": ("[3.0]", "[4.0]", "[5.]"),
    "igamma": ("[1.0]", "[0.0]", "[0.]"),
    "igammac": ("[1.0]", "[0.0]", "[1.]"),
    "lcm": ("[4]", "[6]", "[12]"),
    "less": ("[1, 2]", "[2, 2]", "[ True False]"),
    "less_equal": ("[1, 2]", "[2, 1]", "[ True False]"),
    "logaddexp": ("[0.0]", '[float("-inf")]', "[0.]"),
    "logaddexp2": ("[1.0]", "[1.0]", "[2.]"),
    "logical_and": ("[True, True]", "[True, False]", "[ True False]"),
    "logical_or": ("[True, False]", "[False, False]", "[ True False]"),
    "logical_xor": ("[True, True]", "[True, False]", "[False  True]"),
    "nextafter": ("[0.0]", "[0.0]", "[0.]"),
    "not_equal": ("[1, 2]", "[1, 3]", "[False  True]"),
    "xdivy": ("[0.0, 2.0]", "[0.0, 4.0]", "[0.  0.5]"),
    "xlogy": ("[0.0, 2.0]", "[5.0, 1.0]", "[0. 0.]"),
}


# The operations without a method of Tensor.
_FUNCTIONS = frozenset(
    "bessel_i1 bessel_i1e bessel_j0 bessel_j1 fast_gelu hardsigmoid hardswish mish relu relu6 selu silu softsign "
    "tanhshrink".split()
)


def example(name: str) -> str:
    """The end of a docstring: a session with the operation and the method of its name; empty without an example.

    >>> example("sqrt").splitlines()[3:]
    ['>>> print(ops.sqrt(x), x.sqrt())', '[1. 2.] [1. 2.]']
    """
    if name in _OF_ONE:
        elements, result = _OF_ONE[name]
        given, call, method = f"x = Tensor({elements})", f"ops.{name}(x)", f"x.{name}()"
    elif name in _OF_TWO:
        first, second, result = _OF_TWO[name]
        given, call, method = f"x, y = Tensor({first}), Tensor({second})", f"ops.{name}(x, y)", f"x.{name}(y)"
    else:
        return ""
    printed, shown = (call, result) if name in _FUNCTIONS else (f"{call}, {method}", f"{result} {result}")
    return f"\n>>> from ms_compat import Tensor, ops\n>>> {given}\n>>> print({printed})\n{shown}\n"
