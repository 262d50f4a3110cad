"""Values of MindIR files: arrays as `TensorProto`, Python's values as `AttributeProto`, both ways.

A tensor is a little-endian numpy array here. A value of a constant or an attribute is a number, a text, an array, a
dtype of MindSpore, None, a `Monad`, or a tuple, list or dict of such. MindSpore writes a single number into
`i`, `f`, `d` or `s` and one inside a sequence into `ints`, `floats`, `doubles` or `strings`.
"""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.mindir.schema import AttributeProto, TensorProto

MAX_DIMS = 32
MAX_TENSOR_BYTES = 1 << 40
VALUE_TENSOR_NAME = "value0"

# TensorProto.data_type -> MindSpore's type
TYPES: dict[int, mstype.Type] = {
    TensorProto.FLOAT: mstype.float32,
    TensorProto.UINT8: mstype.uint8,
    TensorProto.INT8: mstype.int8,
    TensorProto.UINT16: mstype.uint16,
    TensorProto.INT16: mstype.int16,
    TensorProto.INT32: mstype.int32,
    TensorProto.INT64: mstype.int64,
    TensorProto.STRING: mstype.string,
    TensorProto.BOOL: mstype.bool_,
    TensorProto.FLOAT16: mstype.float16,
    TensorProto.DOUBLE: mstype.float64,
    TensorProto.UINT32: mstype.uint32,
    TensorProto.UINT64: mstype.uint64,
    TensorProto.COMPLEX64: mstype.complex64,
    TensorProto.COMPLEX128: mstype.complex128,
    TensorProto.BFLOAT16: mstype.bfloat16,
}
NUMBERS = {dtype: number for number, dtype in TYPES.items()}
NUMBERS_OF_NUMPY = {dtype.np_dtype: number for dtype, number in NUMBERS.items() if dtype.np_dtype is not None}
_FLOAT64_AGAIN = 17  # a second number for float64
_INTEGERS = (AttributeProto.UINT8, AttributeProto.INT8, AttributeProto.UINT16, AttributeProto.INT16,
             AttributeProto.INT32, AttributeProto.INT64, AttributeProto.UINT32, AttributeProto.UINT64)  # fmt: skip
_SEQUENCES: dict[int, Callable] = {AttributeProto.TUPLE: tuple, AttributeProto.LIST: list}


class Monad(enum.Enum):
    """The tokens that put operations with side effects in order: of memory, and of input and output."""

    MEMORY = AttributeProto.UMONAD
    IO = AttributeProto.IOMONAD


def dtype_of(number: int, what: str) -> mstype.Type:
    """MindSpore's type of a `data_type`.

    Raises:
        ValueError: there is none.
    """
    found = TYPES.get(TensorProto.DOUBLE if number == _FLOAT64_AGAIN else number)
    if found is None:
        raise ValueError(f"{what} has an unknown data type {number}.")
    return found


def shape_of(proto: TensorProto, what: str) -> tuple[int, ...]:
    """The shape of a tensor that has one.

    Raises:
        ValueError: it has too many axes, or one of negative length.
    """
    dims = tuple(proto.dims)
    if len(dims) > MAX_DIMS or any(d < 0 for d in dims):
        raise ValueError(f"{what} has an impossible shape {dims[:MAX_DIMS]}.")
    return dims


def array_of(proto: TensorProto, what: str, raw: bytes | np.ndarray | None = None) -> np.ndarray:
    """The array that a TensorProto describes.

    Args:
        proto: the tensor.
        what: the tensor's place, for errors.
        raw: the bytes, where they are not in the message.

    Raises:
        ValueError: the bytes do not fit the shape and type.
        UnsupportedError: the tensor is compressed or holds texts.

    >>> array_of(tensor_proto(np.array([1, 2], np.int32)), "x")
    array([1, 2], dtype=int32)
    """
    if proto.compression_type != TensorProto.NO_COMPRESSION:
        raise UnsupportedError(f"{what} is compressed for MindSpore Lite, which ms_compat does not read.")
    dtype, shape = dtype_of(proto.data_type, what), shape_of(proto, what)
    if dtype is mstype.string:
        raise UnsupportedError(f"{what} is a tensor of texts, which ms_compat does not have.")
    data = proto.raw_data if raw is None else raw
    wanted = math.prod(shape) * dtype.np_dtype.itemsize
    if wanted > MAX_TENSOR_BYTES or len(data) != wanted:
        raise ValueError(f"{what} of shape {shape} and type {dtype} needs {wanted} bytes, but there are {len(data)}.")
    if dtype is mstype.bool_:
        return (np.frombuffer(data, np.uint8) != 0).reshape(shape)
    array = np.frombuffer(data, dtype.np_dtype).reshape(shape)
    return array.byteswap() if sys.byteorder == "big" else array


def tensor_proto(array: np.ndarray, name: str | None = None) -> TensorProto:
    """The TensorProto of an array, with its bytes.

    Raises:
        UnsupportedError: MindIR has no such type.
    """
    number = NUMBERS_OF_NUMPY.get(array.dtype)
    if number is None:
        raise UnsupportedError(f"MindIR files have no tensors of {array.dtype}.")
    proto = TensorProto(dims=list(array.shape), data_type=number)
    if name is not None:
        proto.name = name
    little = array.byteswap() if sys.byteorder == "big" else array
    proto.raw_data = little.tobytes()
    return proto


def value_of(attribute: AttributeProto, what: str) -> Any:
    """The value of an attribute or a sequence's item.

    Raises:
        ValueError: it has none or several.
        UnsupportedError: a kind of value that nothing here computes with.

    >>> value_of(attribute_of((1, 2.5, "a", None, mstype.float16)), "x")
    (1, 2.5, 'a', None, mindspore.float16)
    """
    # The format's own list of kinds, each with the field that holds it.
    kind = attribute.type
    if kind in _INTEGERS:
        return int(_single(attribute, "i", "ints", what))
    if kind == AttributeProto.BOOL:
        return bool(_single(attribute, "i", "ints", what))
    if kind == AttributeProto.FLOAT:
        return _shortest(_single(attribute, "f", "floats", what))
    if kind == AttributeProto.DOUBLE:
        return float(_single(attribute, "d", "doubles", what))
    if kind == AttributeProto.STRING:
        return _single(attribute, "s", "strings", what).decode("utf-8")
    if kind == AttributeProto.TENSORS:
        return _tensor_value(_only(attribute.tensors, what), what)
    if kind in _SEQUENCES:
        return _SEQUENCES[kind]([value_of(item, what) for item in attribute.values])
    if kind == AttributeProto.DICT:
        return {item.name: value_of(_only(item.values, what), what) for item in attribute.values}
    if kind in (AttributeProto.UMONAD, AttributeProto.IOMONAD):
        return Monad(kind)
    if kind in (AttributeProto.NONE, AttributeProto.TYPE_NULL):
        return None
    raise UnsupportedError(f"{what} is a value of the kind {kind} of MindIR, which ms_compat does not read.")


def _tensor_value(proto: TensorProto, what: str) -> Any:
    """An array, or the dtype that a tensor without bytes represents."""
    if not proto.HasField("raw_data") and not proto.dims:
        return dtype_of(proto.data_type, what)
    return array_of(proto, what)


def _single(attribute: AttributeProto, one: str, many: str, what: str) -> Any:
    values = getattr(attribute, many)
    return _only(values, what) if values else getattr(attribute, one)


def _only(values: list, what: str) -> Any:
    if len(values) != 1:
        raise ValueError(f"{what} must hold one value, but holds {len(values)}.")
    return values[0]


def _shortest(value: float) -> float:
    """A float32 as the shortest decimal number that rounds to it, as a program wrote it: 0.1, not 0.100000001.

    >>> _shortest(np.float32(0.1).item())
    0.1
    """
    return float(str(np.float32(value)))


def attribute_of(value: Any, name: str | None = None) -> AttributeProto:
    """The attribute of a name that holds a value; without a name, an item of a sequence.

    Raises:
        UnsupportedError: a value that MindIR does not hold.

    >>> attribute_of(3, "axis").ListFields()[1][1], attribute_of((3,), "axis").values[0].ints
    (3, [3])
    """
    out = AttributeProto()
    if name is not None:
        out.name = name
    _put(out, value, alone=name is not None)
    return out


def _put(out: AttributeProto, value: Any, alone: bool) -> None:
    # The kinds that `value_of` reads, in reverse; a bool comes before int, whose subclass it is.
    if isinstance(value, (bool, np.bool_)):
        _put_number(out, AttributeProto.BOOL, "i", "ints", int(value), alone)
    elif isinstance(value, int):
        _put_number(out, AttributeProto.INT64, "i", "ints", value, alone)
    elif isinstance(value, float):
        _put_number(out, AttributeProto.FLOAT, "f", "floats", value, alone)
    elif isinstance(value, str):
        _put_number(out, AttributeProto.STRING, "s", "strings", value.encode("utf-8"), alone)
    elif value is None:
        out.type = AttributeProto.NONE
    elif isinstance(value, Monad):
        out.type = value.value
    elif isinstance(value, mstype.Type) and value in NUMBERS:
        out.tensors.append(TensorProto(data_type=NUMBERS[value], name=VALUE_TENSOR_NAME))
        out.type = AttributeProto.TENSORS
    elif isinstance(value, np.ndarray):
        out.tensors.append(tensor_proto(value, VALUE_TENSOR_NAME))
        out.type = AttributeProto.TENSORS
    elif isinstance(value, (tuple, list)):
        out.type = AttributeProto.TUPLE if isinstance(value, tuple) else AttributeProto.LIST
        out.values.extend([attribute_of(item) for item in value])
    elif isinstance(value, dict):
        out.type = AttributeProto.DICT
        out.values.extend([AttributeProto(name=key, values=[attribute_of(item)]) for key, item in value.items()])
    else:
        raise UnsupportedError(f"MindIR files hold no values of the type '{type(value).__name__}'.")


def _put_number(out: AttributeProto, kind: int, one: str, many: str, value: Any, alone: bool) -> None:
    if alone:
        setattr(out, one, value)
    else:
        getattr(out, many).append(value)
    out.type = kind
