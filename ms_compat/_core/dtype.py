"""MindSpore's data types: one singleton object per type, compared and hashed by identity.

`str(float32)` is "Float32" and `repr(float32)` is "mindspore.float32" because scripts print and parse both. A numeric
type carries `np_dtype`, the numpy (or ml_dtypes) type that JAX computes with; everything below the API works on that.
"""

from __future__ import annotations

import builtins
import enum
import inspect
from typing import Any

import ml_dtypes
import numpy as np


class Type:
    """Base of MindSpore's type objects.

    >>> from ms_compat._core import dtype
    >>> str(dtype.float32), repr(dtype.float32)
    ('Float32', 'mindspore.float32')
    """

    __slots__ = ("_label", "_name", "np_dtype")

    def __init__(self, name: str, label: str, np_dtype: Any = None):
        self._name = name
        self._label = label
        self.np_dtype: Any = None if np_dtype is None else np.dtype(np_dtype)

    def __repr__(self) -> str:
        return f"mindspore.{self._name}"

    def __str__(self) -> str:
        return self._label

    def __reduce__(self):
        return (_by_label, (self._label,))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class Number(Type):
    """A scalar type or a family of them (`number`, `int_`, `uint`, `float_`)."""

    __slots__ = ()


class Bool(Number):
    __slots__ = ()


class Int(Number):
    __slots__ = ()


class UInt(Number):
    __slots__ = ()


class Float(Number):
    __slots__ = ()


class BFloat(Number):
    __slots__ = ()


class Complex(Number):
    __slots__ = ()


class String(Type):
    __slots__ = ()


class Tuple(Type):
    __slots__ = ()


class List(Type):
    __slots__ = ()


class TypeNone(Type):
    __slots__ = ()


class TensorType(Type):
    """The type of tensors with one element type.

    >>> from ms_compat._core import dtype
    >>> str(dtype.TensorType(dtype.float32))
    'Tensor[Float32]'
    """

    __slots__ = ("element",)

    def __init__(self, element: Type):
        super().__init__(f"tensor[{element._name}]", f"Tensor[{element._label}]")
        self.element = element

    def element_type(self) -> Type:
        """The type of the tensors' elements."""
        return self.element

    def __eq__(self, other: object) -> builtins.bool:
        return isinstance(other, TensorType) and other.element is self.element

    def __hash__(self) -> builtins.int:
        return hash((TensorType, self.element))

    def __reduce__(self):
        return (TensorType, (self.element,))


class Opaque(Type):
    """A type in MindSpore's graph IR that has only a name here (`env_type`, `csr_tensor`, ...)."""

    __slots__ = ()


bool_ = Bool("bool", "Bool", np.bool_)
int8 = Int("int8", "Int8", np.int8)
int16 = Int("int16", "Int16", np.int16)
int32 = Int("int32", "Int32", np.int32)
int64 = Int("int64", "Int64", np.int64)
uint8 = UInt("uint8", "UInt8", np.uint8)
uint16 = UInt("uint16", "UInt16", np.uint16)
uint32 = UInt("uint32", "UInt32", np.uint32)
uint64 = UInt("uint64", "UInt64", np.uint64)
float16 = Float("float16", "Float16", np.float16)
float32 = Float("float32", "Float32", np.float32)
float64 = Float("float64", "Float64", np.float64)
bfloat16 = BFloat("bfloat16", "BFloat16", ml_dtypes.bfloat16)
float8_e4m3fn = Float("float8_e4m3fn", "Float8E4M3FN", ml_dtypes.float8_e4m3fn)
float8_e5m2 = Float("float8_e5m2", "Float8E5M2", ml_dtypes.float8_e5m2)
hifloat8 = Float("hifloat8", "HiFloat8")
complex64 = Complex("complex64", "Complex64", np.complex64)
complex128 = Complex("complex128", "Complex128", np.complex128)
qint4x2 = Int("int4", "Int4", ml_dtypes.int4)

number = Number("number", "Number")
int_ = Int("int", "Int")
uint = UInt("uint", "UInt")
float_ = Float("float", "Float")
string = String("string_", "String")
tuple_ = Tuple("tuple_", "Tuple")
list_ = List("list_", "List")
type_none = TypeNone("type_none", "None")
tensor_type = Opaque("tensor", "Tensor")
function = Opaque("function", "Func")
symbolic_key = Opaque("symbolic_key", "SymType")
env_type = Opaque("env_type", "EnvType")
type_type = Opaque("type_type", "TypeType")
type_refkey = Opaque("type_refkey", "RefKeyType")
csr_tensor = Opaque("csr_tensor", "CSRTensor")
coo_tensor = Opaque("coo_tensor", "COOTensor")

byte = int8
short = int16
intc = int32
intp = long = int64
ubyte = uint8
ushort = uint16
uintc = uint32
uintp = uint64
half = float16
float = single = float32
double = float64
cfloat = complex64
cdouble = complex128
int = int32
bool = bool_

number_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bfloat16,
               complex64, complex128, qint4x2, float8_e4m3fn, float8_e5m2, hifloat8)  # fmt: skip
int_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
signed_type = (int8, byte, int16, short, int32, intc, int64, intp, float16, half, float32, single, float64, double,
               bfloat16, complex64, complex128)  # fmt: skip
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16, float8_e4m3fn, float8_e5m2, hifloat8)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_NUMERIC = tuple([t for t in all_types if t.np_dtype is not None])


class _OfNumpy(dict[Any, Type]):
    """NumPy's dtypes; string dtypes have as many forms as lengths."""

    def __missing__(self, key: Any) -> Type:
        if getattr(key, "kind", "") in ("S", "U"):
            return string
        raise KeyError(key)


_FROM_NUMPY = _OfNumpy({t.np_dtype: t for t in _NUMERIC})
_LABELS = {t._label: t for t in list(globals().values()) if isinstance(t, Type)}
_FROM_PYTHON: dict[Any, Type] = {
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    str: string,
    tuple: tuple_,
    list: list_,
    type(None): type_none,
    complex: complex128,
    **{t.np_dtype.type: t for t in _NUMERIC if t not in complex_type},
    **{t.np_dtype: t for t in _NUMERIC},
}
_TO_PYTHON: dict[Type, type] = {
    bool_: builtins.bool,
    string: str,
    tuple_: tuple,
    list_: list,
    type_none: type(None),
    **{t: builtins.int for t in (*int_type, int_)},
    **{t: builtins.float for t in (*float_type, float_)},
    **{t: complex for t in complex_type},
}


class QuantDtype(enum.Enum):
    """Widths of quantised integers, as MindSpore numbers them."""

    __module__ = "ms_compat.common.dtype"
    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8 = range(8)
    INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(8, 16)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(16, 24)
    UINT9, UINT10, UINT11, UINT12, UINT13, UINT14, UINT15, UINT16 = range(24, 32)


def _by_label(label: str) -> Type:
    return _LABELS[label]


def dtype_to_nptype(type_: Type) -> Any:
    """The numpy scalar type of a MindSpore dtype (bfloat16 through ml_dtypes).

    >>> from ms_compat._core import dtype
    >>> dtype.dtype_to_nptype(dtype.int8)
    <class 'numpy.int8'>
    """
    if not isinstance(type_, Type) or type_.np_dtype is None:
        raise KeyError(type_)
    return type_.np_dtype.type


def np_dtype_to_ms(np_dtype: Any) -> Type:
    """The MindSpore dtype of a numpy dtype; TypeError for one that MindSpore does not have."""
    found = _FROM_NUMPY.get(np_dtype)
    if found is None:
        found = _FROM_NUMPY.get(np.dtype(np_dtype))
    if found is None:
        raise TypeError(f"MindSpore has no dtype for numpy's {np_dtype!r}.")
    return found


def pytype_to_dtype(obj: Any) -> Type:
    """The MindSpore dtype of a Python type, numpy type or MindSpore type.

    >>> from ms_compat._core import dtype
    >>> dtype.pytype_to_dtype(bool)
    mindspore.bool
    """
    if isinstance(obj, Type):
        return obj
    if not isinstance(obj, (type, np.dtype)):
        raise TypeError(f"For 'pytype_to_dtype', the argument 'obj' must be a type, but got {obj!r:.80}.")
    if obj not in _FROM_PYTHON:
        raise NotImplementedError(f"The python type {obj} cannot be converted to a MindSpore type.")
    return _FROM_PYTHON[obj]


def dtype_to_pytype(type_: Type) -> type:
    """The Python type that represents a MindSpore dtype (`float` for every floating type).

    >>> import ms_compat as ms
    >>> ms.dtype_to_pytype(ms.float16)
    <class 'float'>
    """
    return _TO_PYTHON[type_]


def get_py_obj_dtype(obj: Any) -> Type:
    """The MindSpore dtype of a Python value or type; for a Tensor its elements' dtype within a `TensorType`.

    >>> import ms_compat as ms
    >>> ms.get_py_obj_dtype(1)
    mindspore.int64
    """
    if isinstance(getattr(obj, "dtype", None), Type):
        return TensorType(obj.dtype)
    if isinstance(obj, Type):
        return type_type
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return function
    if isinstance(obj, type):
        return pytype_to_dtype(obj)
    return pytype_to_dtype(type(obj))


def type_size_in_bytes(dtype: Type) -> builtins.int:
    """Bytes per element of a numeric dtype."""
    if dtype.np_dtype is None:
        raise KeyError(dtype)
    return dtype.np_dtype.itemsize


def to_np_dtype(dtype: Any, api: str, arg: str = "dtype") -> np.dtype:
    """The numpy dtype for what users pass as `dtype=`: a MindSpore dtype, or Python's bool/int/float."""
    if isinstance(dtype, Type) and dtype.np_dtype is not None:
        return dtype.np_dtype
    if dtype in (builtins.bool, builtins.int, builtins.float):
        return {builtins.bool: bool_, builtins.int: int64}.get(dtype, float32).np_dtype
    raise TypeError(f"For '{api}', the argument '{arg}' must be a mindspore dtype, but got {dtype!r} of type "
                    f"{type(dtype).__name__}.")  # fmt: skip
