"""The result dtype of an operation on mixed dtypes: MindSpore's rule, as tables, so that JAX never chooses.

Tables over numpy dtypes (ml_dtypes for bfloat16), one for each situation that MindSpore distinguishes:

- `promote`: two tensors, whatever their ranks. Integers join as in NumPy, any float wins over any integer at its own
  width (int64 + float16 is Float16), float16 + bfloat16 is Float32. uint16, uint32 and uint64 mix with bool alone:
  the table has holes.
- `promote_scalar`: a tensor and a Python number. The number gives way to the tensor unless it is of a higher kind:
  bool + 2 is Int64, an integer + 2.5 is Float32. uint16, uint32 and uint64 accept a bool only; a complex number is
  refused everywhere.
- `promote_factor`: the same for `*` and `/`, which do accept a number beside uint16, uint32 and uint64.
- `promote_zero_dim`: `*` and `/` alone, when exactly one operand is 0-d. That one gives way like a Python number, but
  brings its own dtype when its kind is the higher one: int8[2] * int64[] is Int8, float32[2] * float64[] is Float32,
  int32[2] * float16[] is Float16.

True division then computes bool and integers in Float32. What a single CPU kernel of MindSpore refuses (uint16 %
uint16) is not a matter of promotion and not here. A test compares all pairs with the recording in
tests/conformance/data/promotion.json.
"""

from typing import Any

import ml_dtypes
import numpy as np

# Row + column -> word; "-" is refused. The letter is the kind (b bool, i int, u uint, f float, h bfloat16, c
# complex), the number the bytes.
_TABLE = """
     b    i1   i2   i4   i8   u1   u2   u4   u8   f2   h2   f4   f8   c8   c16
b    b    i1   i2   i4   i8   u1   u2   u4   u8   f2   h2   f4   f8   c8   c16
i1   i1   i1   i2   i4   i8   i2   -    -    -    f2   h2   f4   f8   c8   c16
i2   i2   i2   i2   i4   i8   i2   -    -    -    f2   h2   f4   f8   c8   c16
i4   i4   i4   i4   i4   i8   i4   -    -    -    f2   h2   f4   f8   c8   c16
i8   i8   i8   i8   i8   i8   i8   -    -    -    f2   h2   f4   f8   c8   c16
u1   u1   i2   i2   i4   i8   u1   -    -    -    f2   h2   f4   f8   c8   c16
u2   u2   -    -    -    -    -    u2   -    -    -    -    -    -    -    -
u4   u4   -    -    -    -    -    -    u4   -    -    -    -    -    -    -
u8   u8   -    -    -    -    -    -    -    u8   -    -    -    -    -    -
f2   f2   f2   f2   f2   f2   f2   -    -    -    f2   f4   f4   f8   c8   c16
h2   h2   h2   h2   h2   h2   h2   -    -    -    f4   h2   f4   f8   c8   c16
f4   f4   f4   f4   f4   f4   f4   -    -    -    f4   f4   f4   f8   c8   c16
f8   f8   f8   f8   f8   f8   f8   -    -    -    f8   f8   f8   f8   c16  c16
c8   c8   c8   c8   c8   c8   c8   -    -    -    c8   c8   c8   c16  c8   c16
c16  c16  c16  c16  c16  c16  c16  -    -    -    c16  c16  c16  c16  c16  c16
"""
_HEADER, *_ROWS = (line.split() for line in _TABLE.strip().splitlines())
_SPELT = {"h2": ml_dtypes.bfloat16, "b": "?"}  # what NumPy calls otherwise than the table
_DTYPES = {word: np.dtype(_SPELT.get(word, word)) for word in _HEADER}
_WORDS = {dtype: word for word, dtype in _DTYPES.items()}
_KIND = {dtype: "biufc".index(word[0].replace("h", "f").replace("u", "i")) for word, dtype in _DTYPES.items()}
_SCALARS = {"bool": _DTYPES["b"], "int": _DTYPES["i8"], "float": _DTYPES["f4"]}

_PAIRS = {
    (_DTYPES[row], _DTYPES[column]): _DTYPES[word]
    for row, *words in _ROWS
    for column, word in zip(_HEADER, words, strict=True)
    if word != "-"
}
_WITH_ZERO_DIM = {(a, b): b if _KIND[b] > _KIND[a] else a for a, b in _PAIRS}
_WITH_FACTOR = {
    (dtype, kind): brought if _KIND[brought] > _KIND[dtype] else dtype
    for dtype in _WORDS
    for kind, brought in _SCALARS.items()
}
_WITH_SCALAR = {
    (dtype, kind): result
    for (dtype, kind), result in _WITH_FACTOR.items()
    if kind == "bool" or _WORDS[dtype] not in ("u2", "u4", "u8")
}
_NAMES = {"b": "Bool", "i": "Int", "u": "UInt", "f": "Float", "h": "BFloat", "c": "Complex"}
_LABELS = {dtype: _NAMES[word[0]] + (str(8 * dtype.itemsize) if word != "b" else "") for word, dtype in _DTYPES.items()}


def promote(dtype_a: np.dtype, dtype_b: np.dtype) -> np.dtype:
    """The dtype in which two tensors are combined.

    Args:
        dtype_a: numpy dtype of one tensor (`jax_array.dtype`).
        dtype_b: numpy dtype of the other; the order does not matter.

    Returns:
        The numpy dtype of the result.

    Raises:
        TypeError: MindSpore does not mix these two (uint16, uint32 and uint64 with anything but bool).

    >>> promote(np.dtype("int64"), np.dtype("float16"))
    dtype('float16')
    >>> promote(np.dtype("uint8"), np.dtype("int8"))
    dtype('int16')
    """
    try:
        return _PAIRS[dtype_a, dtype_b]
    except KeyError:
        raise _refusal(_label(dtype_a), _label(dtype_b)) from None


def promote_scalar(dtype: np.dtype, kind: str) -> np.dtype:
    """The dtype in which a tensor and a Python number are combined.

    Args:
        dtype: numpy dtype of the tensor.
        kind: "bool", "int", "float" or "complex", the number's Python type; its value and its side do not matter.

    Returns:
        The numpy dtype of the result.

    Raises:
        TypeError: a complex number, or a uint16, uint32 or uint64 tensor with an int or a float.

    >>> promote_scalar(np.dtype("int8"), "int"), promote_scalar(np.dtype("int64"), "float")
    (dtype('int8'), dtype('float32'))
    """
    try:
        return _WITH_SCALAR[dtype, kind]
    except KeyError:
        raise _refusal(_label(dtype), f"a Python {kind}") from None


def promote_factor(dtype: np.dtype, kind: str) -> np.dtype:
    """As `promote_scalar`, for `*` and `/`, which do not refuse an unsigned tensor.

    Args:
        dtype: numpy dtype of the tensor.
        kind: "bool", "int", "float" or "complex", the number's Python type.

    Returns:
        The numpy dtype of the result (of `/` before its own rule).

    Raises:
        TypeError: a complex number.

    >>> promote_factor(np.dtype("uint16"), "int")
    dtype('uint16')
    """
    try:
        return _WITH_FACTOR[dtype, kind]
    except KeyError:
        raise _refusal(_label(dtype), f"a Python {kind}") from None


def promote_zero_dim(dtype: np.dtype, zero_dim: np.dtype) -> np.dtype:
    """The dtype of `*` and `/` (before the division's own rule) when exactly one of two tensors is 0-d.

    Args:
        dtype: numpy dtype of the tensor that has dimensions.
        zero_dim: numpy dtype of the 0-d tensor.

    Returns:
        The numpy dtype of the result: `zero_dim` only if it is of a higher kind (bool < integer < float < complex).

    Raises:
        TypeError: the pair that `promote` refuses.

    >>> promote_zero_dim(np.dtype("int8"), np.dtype("int64")), promote(np.dtype("int8"), np.dtype("int64"))
    (dtype('int8'), dtype('int64'))
    """
    try:
        return _WITH_ZERO_DIM[dtype, zero_dim]
    except KeyError:
        raise _refusal(_label(dtype), _label(zero_dim)) from None


def _label(dtype) -> str:
    return _LABELS.get(dtype, str(dtype))


def _refusal(one: str, other: str) -> TypeError:
    return TypeError(
        f"Type implicit conversion between {one} and {other} is not supported. "
        "Expected dtypes that MindSpore combines; cast one operand first, with Tensor.astype."
    )


# NumPy's numbers that are Python's in compiled code; MindSpore's compiler does not know the others
_NUMBERS = frozenset("bool int8 int16 int64 uint8 uint16 uint64 float16 float32 float64".split())


def compiled_number(value: Any) -> Any:
    """A NumPy number in the form that compiled code uses; any other value is itself.

    >>> compiled_number(np.float64(2.0)).__class__, compiled_number(np.int32(2)).__class__
    (<class 'float'>, <class 'numpy.int32'>)
    """
    return value.item() if isinstance(value, np.generic) and value.dtype.name in _NUMBERS else value
