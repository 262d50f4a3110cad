"""How MindSpore prints tensors: `str` is numpy's, `repr` names shape, dtype and the values in a layout of its own, and
compiled code prints that layout without commas, one value a line (`run_time_lines`).

The layout of `repr`: a vector of more than 1000 elements, and any dimension of more than 6 where there are several,
shows three elements at each end; a vector breaks its line after 24 elements (12 floats or bools). Elements have a fixed
width for floats and bools, the widest shown for integers and bfloat16, none for complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.settings.memory_limits import values_of
from ms_compat._core.trace import scopes

_EDGE = 3
_VECTOR_LIMIT = 1000
_DIM_LIMIT = 2 * _EDGE


def tensor_str(tensor: Any) -> str:
    """The text that `print(tensor)` shows."""
    if isinstance(tensor._v, Tracer):
        return _traced(tensor)
    if tensor.init is not None:
        return _head(tensor) + "\n<uninitialized>)"
    array = values_of(tensor)
    if array.dtype.kind == "V":
        with np.printoptions(formatter={"float": lambda x: f"{float(x):.6f}"}):
            return str(array.astype(np.float32)) if array.shape else f"{float(array):.6f}"
    if array.shape:
        return str(array)
    if array.dtype.kind == "f":
        return _float_str(array.reshape(-1)[0])
    return str(array.item() if array.dtype.kind in "biu" else array[()])


def _float_str(value: np.floating) -> str:
    """A float as numpy 1 wrote it, in positional notation up to 1e16; numpy 2 changes to 1e+08 earlier."""
    size = abs(float(value))
    if np.isfinite(value) and (size == 0 or 1e-4 <= size < 1e16):
        return np.format_float_positional(value, trim="0")
    return str(value)


def tensor_repr(tensor: Any) -> str:
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])`."""
    if isinstance(tensor._v, Tracer):
        return _traced(tensor)
    if tensor.init is not None and not tensor.has_init:
        return _head(tensor) + "\n)"
    array = np.zeros(tensor.shape, tensor.dtype.np_dtype) if tensor.has_init else values_of(tensor)
    made = tensor._made_of_numpy
    # MindSpore has NumPy print Tensors that are stored in NumPy's memory: from `from_numpy` and from datasets.
    of_numpy = made is True or (made is not None and made is tensor._v)
    text = np.array2string(array, separator=", ") if of_numpy else _elements(array, ",")
    if of_numpy and array.ndim > 1:
        text = "\n" + text
    return f"{_head(tensor)}{text if text.startswith(chr(10)) else ' ' + text})"


def run_time_lines(value: Any) -> list[str]:
    """The lines that compiled code prints for an argument of `print` or `ops.Print`.

    A tensor has the layout of its `repr` without commas, a tensor of no dimension is a number, and a sequence that
    holds tensors shows one item after the other; numbers are written as C++ does: six digits, True as 1.
    """
    leaves = _leaves(value)
    if any(hasattr(leaf, "_v") for leaf in leaves):
        return [_run_time_line(leaf) for leaf in leaves]
    return [_run_time_line(value)]


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, (tuple, list)) else [value]


def _run_time_line(value: Any) -> str:
    if hasattr(value, "_v"):
        array = values_of(value)
        if array.shape:
            return f"{_head(value)}{_elements(array, '')})"
        value = array.item()
    if isinstance(value, (tuple, list)):
        text = ", ".join([_run_time_line(item) for item in value])
        return f"({text})" if isinstance(value, tuple) else f"[{text}]"
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _elements(array: np.ndarray, comma: str) -> str:
    """The values in brackets; what has several dimensions begins on a new line."""
    if array.dtype.kind == "V":
        array = array.astype(np.float32)
        kind = "V"
    else:
        kind = array.dtype.kind
    if not array.shape:
        return _plain(array.item() if kind not in "fc" else array[()])
    if not array.size:
        return "" if array.ndim == 1 else "\n"
    if array.ndim == 1:
        return _vector(array, kind, comma)
    shown = [_shown(size, _DIM_LIMIT) for size in array.shape]
    form = _formatter(kind, array.dtype, array[np.ix_(*[_positions(s) for s in shown])])
    return "\n" + _block(array, shown, form, comma, 0)


def _head(tensor: Any) -> str:
    return f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value="


def _traced(tensor: Any) -> str:
    if scopes.compiling():
        raise NotTraceableError("A Tensor is converted to text, but its values are known at run time only.")
    return f"{_head(tensor)}<known at run time>)"


def _shown(size: int, limit: int) -> tuple[range, range]:
    """The positions to show: before and after the dots, the second empty if there are none."""
    if size <= limit:
        return range(size), range(0)
    return range(_EDGE), range(size - _EDGE, size)


def _positions(shown: tuple[range, range]) -> list[int]:
    return [*shown[0], *shown[1]]


def _vector(array: np.ndarray, kind: str, comma: str) -> str:
    shown = _shown(array.size, _VECTOR_LIMIT)
    form = _formatter(kind, array.dtype, array[_positions(shown)])
    if shown[1]:
        return _row(array, shown, form, comma)
    per_line = 12 if kind in "fb" else 24
    texts = [form(x) for x in array]
    lines = [f"{comma} ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + f"{comma} \n ".join(lines) + ("\n ]" if len(texts) % per_line == 0 else "]")


def _row(array: np.ndarray, shown: tuple[range, range], form: Callable, comma: str) -> str:
    ends = [f"{comma} ".join([form(array[i]) for i in part]) for part in shown if part]
    return "[" + " ... ".join(ends) + "]"


def _block(array: np.ndarray, shown: list, form: Callable, comma: str, depth: int) -> str:
    if array.ndim == 1:
        return _row(array, shown[0], form, comma)
    indent = "\n" + " " * (depth + 1)
    ends = [
        (comma + indent).join([_block(array[i], shown[1:], form, comma, depth + 1) for i in part])
        for part in shown[0]
        if part
    ]
    return "[" + f"{comma}{indent}...{indent}".join(ends) + "]"


def _formatter(kind: str, dtype: np.dtype, shown: np.ndarray) -> Callable[[Any], str]:
    if kind == "f":
        digits = 4 if dtype == np.float16 else 8
        return lambda x: f"{x:.{digits}e}".rjust(digits + 7)
    if kind == "c":
        return _plain
    if kind == "b":
        return lambda x: str(x).rjust(5)
    width = max([len(_plain(x)) for x in shown.reshape(-1)])
    return lambda x: _plain(x).rjust(width)


def _plain(value: Any) -> str:
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value.real:g}{value.imag:+g}j"
    return f"{value:g}"
