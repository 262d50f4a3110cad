"""Names of MindSpore's C++ type module that are not in `mindspore.dtype`: type numbers, parsing, the null type."""

from __future__ import annotations

import ml_dtypes

from ms_compat._core import dtype
from ms_compat._core.dtype import (
    BFloat,
    Bool,
    Complex,
    Float,
    Int,
    List,
    Number,
    String,
    TensorType,
    Tuple,
    Type,
    TypeNone,
    UInt,
)

__all__ = [
    "BFloat", "Bool", "Complex", "Float", "Int", "List", "Number", "String", "TensorType", "Tuple",
    "Type", "TypeNone", "TypeNull", "UInt", "bfloat16", "dtype_to_type_id", "np_dtype_valid", "str_to_type",
    "type_id_to_type", "type_to_type_id",
]  # fmt: skip

# MindSpore's number of each type; scripts write them into attributes and compare them.
_IDS = {
    "type_none": 7, "number": 11, "string": 12, "list_": 13, "tuple_": 14, "tensor_type": 17, "bool_": 30, "int_": 31,
    "int8": 32, "int16": 33, "int32": 34, "int64": 35, "uint": 36, "uint8": 37, "uint16": 38, "uint32": 39,
    "uint64": 40, "float_": 41, "float16": 42, "float32": 43, "float64": 44, "bfloat16": 45, "complex64": 51,
    "complex128": 52,
}  # fmt: skip
_BY_TYPE = {getattr(dtype, name): number for name, number in _IDS.items()}
_BY_LABEL = {str(found): found for found in _BY_TYPE}
bfloat16 = ml_dtypes.bfloat16


def type_to_type_id(value: Type) -> int:
    """Returns the number that MindSpore gives to a type.

    Raises:
        TypeError: it is not a type, or has no number here.

    >>> type_to_type_id(dtype.float32)
    43
    """
    if value not in _BY_TYPE:
        raise TypeError(f"For 'type_to_type_id', the argument must be a type of mindspore, but got {value!r}.")
    return _BY_TYPE[value]


def type_id_to_type(number: int) -> Type:
    """Returns the type of a number in `type_to_type_id`.

    Raises:
        RuntimeError: no type here has the number.

    >>> type_id_to_type(43)
    mindspore.float32
    """
    found = next((value for value, known in _BY_TYPE.items() if known == number), None)
    if found is None:
        raise RuntimeError(f"For 'type_id_to_type', no type of mindspore has the number {number!r}.")
    return found


dtype_to_type_id = type_to_type_id


def str_to_type(label: str) -> Type:
    """Returns the type that prints as `label`, such as "Float32".

    Raises:
        TypeError: no type prints so.
    """
    if label not in _BY_LABEL:
        raise TypeError(f"For 'str_to_type', no type of mindspore is called {label!r}.")
    return _BY_LABEL[label]


class TypeNull(Type):
    """The type of `mindspore._null`, which stands for "no value" where None is one."""

    __slots__ = ()


null = TypeNull("Null", "Null")


def np_dtype_valid(name: str) -> bool:
    """Whether numpy has the extra type, such as "bfloat16"."""
    return hasattr(ml_dtypes, name)
