"""Element types: ONNX's numbers for them, and the types that ONNX Runtime computes operators in.

ONNX allows most operators for most types, but ONNX Runtime has kernels on CPUs for fewer. Integers that an operator has
no kernel for are computed as wider ones and cut to their width again, which gives the same bits. BFloat16 is computed
as Float32 and rounded, as JAX does on CPUs. Operators that only move elements take every type.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_NUMBERS = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10,
    "float64": 11, "uint32": 12, "uint64": 13, "bfloat16": 16,
}  # fmt: skip

_ANY = frozenset(
    "Cast Concat Gather GatherElements Identity If Loop Reshape Scan ScatterND Shape Slice Squeeze Transpose".split()
)
_SMALL, _SHORT = "int8 uint8 int16 uint16", "int16 uint16"
# operator -> the integers without a kernel
_WIDENED: dict[str, str] = {
    "Gemm": f"{_SMALL} int32 uint32 int64",
    "MatMul": _SMALL,
    "Max": _SHORT,
    "Min": _SHORT,
    "Neg": "uint8 uint16 uint32",
    "Pad": _SHORT,
    "Pow": f"{_SMALL} uint32",
    "Where": f"{_SHORT} uint64",
    **dict.fromkeys(("ReduceSum", "ReduceProd", "CumSum", "TopK"), f"{_SMALL} uint32"),
    **dict.fromkeys(("ReduceMax", "ReduceMin", "ArgMax", "ArgMin"), f"{_SHORT} uint32"),
}
_OF_BOOL = frozenset("And Equal Expand Not Or Pad Xor".split())


class NoCounterpartError(Exception):
    """An operation, or a type, that ONNX does not have; the text says what the net does, as in "uses ..."."""


def type_of(dtype: Any) -> int:
    """The number of a numpy dtype in ONNX.

    Raises:
        NoCounterpartError: ONNX's operators do not take the dtype.

    >>> type_of(np.float32), type_of(BFLOAT16)
    (1, 16)
    """
    name = np.dtype(dtype).name
    if name not in _NUMBERS:
        raise NoCounterpartError(f"computes with {name}, which ONNX's operators do not take")
    return _NUMBERS[name]


def computed_in(op: str, dtype: np.dtype) -> np.dtype:
    """The type in which an operator is computed for values of this type.

    >>> computed_in("Pow", np.dtype(np.int8)), computed_in("Add", BFLOAT16), computed_in("Transpose", BFLOAT16)
    (dtype('int32'), dtype('float32'), dtype(bfloat16))
    """
    if op in _ANY:
        return dtype
    if dtype == BFLOAT16 or (dtype == np.float16 and op == "TopK"):
        return np.dtype(np.float32)
    if dtype == np.bool_:
        return dtype if op in _OF_BOOL else np.dtype(np.int32)
    if dtype.name in _WIDENED.get(op, "").split():
        if op == "Gemm":
            return np.dtype(np.float64)
        return np.dtype(np.int64 if dtype.itemsize >= 4 else np.int32)
    return dtype
