"""The docstrings of functions that an operation and a kind of `_array.py` make."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection

from ms_compat.ops._documentation.sections import summary

_OPERAND = "a Tensor, a number, or a list or tuple of numbers."
_RESULT_DTYPE = "a mindspore dtype, to which the result is converted; None keeps the result's own."
_HALVED = "Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."
_FLOATED = "The result is Float32, but Float16 for Float16."
# What a kind does with dtypes, in place of what the operation does.
_DTYPES = {
    "halved": _HALVED,
    "halved_input": _HALVED,
    "halved_binary": _HALVED,
    "floated": _FLOATED,
    "floated_plain": _FLOATED,
    "float32": "The result is Float32.",
    "whole": "Integers give integers, cut off, and Bool gives Int64.",
    "divided": "The quotient is Float32 unless an operand is Float16 or Float32.",
}


def described(name: str, kind: str, made: Callable, fn: Callable, tensors: Collection[str]) -> str:
    """The operation's first paragraph, the arguments, and the operation's example with this function.

    Args:
        name: of the function.
        kind: how the operation is wrapped.
        made: the function.
        fn: the operation.
        tensors: the operands that must be Tensors.

    >>> from ms_compat import numpy
    >>> numpy.sqrt.__doc__.splitlines()[-2:]
    ['>>> print(numpy.sqrt(x), x.sqrt())', '[1. 2.] [1. 2.]']
    """
    text = inspect.cleandoc(fn.__doc__ or "")
    said = summary(text)
    if kind in _DTYPES:
        said = f"{said.removesuffix(' Integers and bool give Float32.')} {_DTYPES[kind]}"
    lines = [said, "", "Args:"]
    for key in inspect.signature(made).parameters:
        operand = "a Tensor." if key in tensors else _OPERAND
        lines.append(f"    {key}: {_RESULT_DTYPE if key == 'dtype' else operand}")
    _, sign, code = text.partition(">>>")
    code = re.sub(rf"\bops\.{fn.__name__}\(", f"numpy.{name}(", sign + code)
    first, _, rest = code.partition("\n")
    if f"numpy.{name}(" in rest and "ops." not in rest:
        lines += ["", re.sub(r"\bops\b", "numpy", first), rest]
    return "\n".join(lines) + "\n"
