"""How MindSpore prints tensors: `str` is numpy's, `repr` names shape, dtype and every value in a fixed notation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.jax_compat import Tracer


def tensor_str(tensor: Any) -> str:
    """What `print(tensor)` shows."""
    if isinstance(tensor._v, Tracer):
        return _traced(tensor)
    if tensor.has_init:
        return tensor_repr(tensor)
    array = np.asarray(tensor._v)
    if array.dtype.kind == "V":
        with np.printoptions(formatter={"float": lambda x: f"{float(x):.6f}"}):
            return str(array.astype(np.float32)) if array.shape else f"{float(array):.6f}"
    return str(array) if array.shape else str(array.item() if array.dtype.kind in "biu" else array[()])


def _traced(tensor: Any) -> str:
    return f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value=<known at run time>)"


def tensor_repr(tensor: Any) -> str:
    """`Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])`."""
    head = f"Tensor(shape={list(tensor.shape)}, dtype={tensor.dtype}, value="
    if isinstance(tensor._v, Tracer):
        return _traced(tensor)
    if tensor.has_init:
        return head + "\n<uninitialized>)"
    array = np.asarray(tensor._v)
    if not array.shape:
        return f"{head} {_scalar(array.item() if array.dtype.kind != 'V' else float(array))})"
    if array.dtype.kind == "V":
        array = array.astype(np.float32)
        formatter: Any = _scalar
    elif array.dtype.kind == "f":
        digits = 4 if array.dtype == np.float16 else 8
        formatter = lambda x: f"{x: {digits + 7}.{digits}e}".rjust(digits + 7)  # noqa: E731
    elif array.dtype.kind == "c":
        formatter = _scalar
    else:
        width = max((len(str(x)) for x in array.reshape(-1)), default=0)
        formatter = lambda x: str(x).rjust(width)  # noqa: E731
    text = np.array2string(
        array, separator=", ", max_line_width=10**9, formatter={"all": formatter}, threshold=1000
    )
    return f"{head}{' ' if array.ndim == 1 else chr(10)}{text})"


def _scalar(value: Any) -> str:
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value.real:g}{value.imag:+g}j"
    return f"{value:g}"
