"""Encodes Python objects as pure data: msgpack, in which a list begins with the number of its original type.

Processes exchange them over the coordinator's port, which has no authentication. A pickle from there could call any
function; these bytes can only become the types below, and `decode` checks an array's description before it makes it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.tensor.parameter import Parameter

_NUMPY = re.compile(r"[<>|](?:[biufc]\d{1,2}|[SU][1-9]\d{0,8}|[Mm]8(?:\[\d{0,9}[A-Za-z]{1,2}\])?)")


def _dtype_name(dtype: np.dtype) -> str:
    if _NUMPY.fullmatch(dtype.str):
        return dtype.str
    try:
        return str(mstype.np_dtype_to_ms(dtype))  # bfloat16 and its like, which NumPy calls "<V2"
    except TypeError:
        raise TypeError(f"arrays of dtype {dtype}") from None


def _dtype(name: str) -> np.dtype:
    if _NUMPY.fullmatch(name):
        return np.dtype(name)
    found = mstype._by_label(name).np_dtype
    if found is None:
        raise ValueError(f"an array of {name}")
    return found


def _bytes(data: Any) -> bytes:
    if type(data) is not bytes:
        raise ValueError(f"elements of type {type(data).__name__}")
    return data


def _of_array(array: np.ndarray) -> list[Any]:
    return [_dtype_name(array.dtype), array.tobytes(), *array.shape]


def _array(parts: list[Any]) -> np.ndarray:
    name, data, *shape = parts
    dtype, count = _dtype(name), 1
    for size in shape:
        if type(size) is not int or size < 0:
            raise ValueError(f"an array with an axis of {size!r:.20}")
        count *= size
    if count * dtype.itemsize != len(_bytes(data)):
        raise ValueError(f"an array of {count} elements with {len(data)} bytes")
    return np.frombuffer(data, dtype).reshape(shape).copy()


def _of_tensor(tensor: Tensor) -> list[Any]:
    array = np.asarray(tensor._v)
    if array.dtype.kind in "SU":
        return _of_array(array)
    return [tensor.dtype._label, *_of_array(array)[1:]]


def _tensor(parts: list[Any]) -> Tensor:
    array = _array(parts)
    return Tensor(array) if array.dtype.kind in "SU" else wrap(to_device(array))


def _of_parameter(parameter: Parameter) -> list[Any]:
    return [parameter.name, parameter.requires_grad, *_of_tensor(parameter)]


def _items(value: dict) -> list[Any]:
    return [part for item in value.items() for part in item]


def _pairs(parts: list[Any]) -> list[tuple[Any, Any]]:
    return list(zip(parts[::2], parts[1::2], strict=True))


# of each type: its number in the bytes, the list that it becomes there, and the way back
_TYPES: dict[type, tuple[int, Callable[[Any], list[Any]], Callable[[list[Any]], Any]]] = {
    list: (0, lambda value: value, lambda parts: parts),
    tuple: (1, list, tuple),
    set: (2, list, set),
    frozenset: (3, list, frozenset),
    int: (4, lambda value: [hex(value)], lambda parts: int(parts[0], 16)),  # ints that have more than 64 bits
    complex: (5, lambda value: [value.real, value.imag], lambda parts: complex(*parts)),
    bytearray: (6, lambda value: [bytes(value)], lambda parts: bytearray(_bytes(parts[0]))),
    range: (7, lambda value: [value.start, value.stop, value.step], lambda parts: range(*parts)),
    slice: (8, lambda value: [value.start, value.stop, value.step], lambda parts: slice(*parts)),
    dict: (9, _items, lambda parts: dict(_pairs(parts))),
    OrderedDict: (10, _items, lambda parts: OrderedDict(_pairs(parts))),
    np.ndarray: (11, _of_array, _array),
    np.generic: (12, lambda value: _of_array(np.asarray(value)), lambda parts: _array(parts)[()]),
    Tensor: (13, _of_tensor, _tensor),
    Parameter: (14, _of_parameter, lambda parts: Parameter(_tensor(parts[2:]), parts[0], parts[1])),
    mstype.Type: (15, lambda value: [str(value)], lambda parts: mstype._by_label(*parts)),
}
_BACK = {number: back for number, _, back in _TYPES.values()}
_AS_THEY_ARE = frozenset({type(None), bool, float, str, bytes})


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _AS_THEY_ARE or kind is int and -(1 << 63) <= value < 1 << 64:
        return value
    if kind not in _TYPES:
        kind = next((base for base in (np.generic, mstype.Type) if isinstance(value, base)), kind)
    if kind not in _TYPES:
        raise TypeError(f"{kind.__module__}.{kind.__qualname__}")
    number, convert, _ = _TYPES[kind]
    return [number, *map(_plain, convert(value))]


def _made(value: Any) -> Any:
    if type(value) is not list:
        return value
    if not value or value[0] not in _BACK:
        raise ValueError(f"an object of the unknown kind {value[:1]!r:.20}")
    return _BACK[value[0]]([_made(part) for part in value[1:]])


def encode(api: str, value: Any) -> bytes:
    """Encodes an object for another process.

    Args:
        api: the function to name in errors.
        value: None, numbers, strings, bytes, lists, tuples, dicts, sets, ranges, slices, dtypes, NumPy's numbers and
            arrays, Tensors and Parameters, and containers of these.

    Raises:
        TypeError: it contains another type.
        ValueError: it is nested some hundred levels deep, or in itself.
    """
    try:
        return msgpack.packb(_plain(value), unicode_errors="surrogatepass")
    except TypeError as error:
        raise TypeError(
            f"For '{api}', objects go to other processes as data: numbers, strings, bytes, lists, tuples, dicts, sets, "
            f"arrays and Tensors, but not {error}. Send what it is made of."
        ) from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"For '{api}', the object is nested too deeply to be sent: {error}.") from error


def decode(api: str, data: bytes) -> Any:
    """Decodes bytes that `encode` made.

    Raises:
        ValueError: `encode` did not make the bytes.
    """
    try:
        return _made(msgpack.unpackb(data, unicode_errors="surrogatepass"))
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise ValueError(
            f"For '{api}', the received bytes must encode an object of another process: {error}."
        ) from error
