"""Transforms of plain arrays: dtype, one-hot, padding, filling, masks, slices."""

import enum
from typing import Any

import numpy as np

from ms_compat._core.dtype import Type, bool_
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import check_float_range, check_int, check_positive_int, check_type
from ms_compat.dataset.transforms.base import Transform, to_array, to_dtype

_SCALARS = (str, float, bool, int, bytes)


@faces("dataset.transforms")
class Relational(enum.IntEnum):
    """Comparisons for `Mask`.

    >>> from ms_compat.dataset import transforms
    >>> transforms.Mask(transforms.Relational.GT, 2)([1, 2, 3]).tolist()
    [False, False, True]
    """

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: np.equal,
    Relational.NE: np.not_equal,
    Relational.GT: np.greater,
    Relational.GE: np.greater_equal,
    Relational.LT: np.less,
    Relational.LE: np.less_equal,
}


def _to_integer(array: np.ndarray, wanted: np.dtype) -> np.ndarray:
    """Casts floats as compiled C does on x86: through a register of 32 or 64 bits.

    A number that does not fit the register becomes its lowest number. numpy leaves this undefined and warns.
    """
    values = array.astype(np.float64)
    low = -(2.0**63) if wanted.itemsize == 8 or wanted == np.uint32 else -(2.0**31)
    out = np.where((values > low - 1) & (values < -low), values, low).astype(np.int64).astype(wanted)
    if wanted != np.uint64 or not (values >= -low).any():
        return out
    upper = np.where((values >= -low) & (values < -2 * low), values + low, 0).astype(np.uint64)
    return np.where(values >= -2 * low, 0, np.where(values >= -low, upper + np.uint64(2**63), out)).astype(wanted)


@faces("dataset.transforms")
class TypeCast(Transform):
    """Casts to a dtype; integers wrap around, as in C. Strings can be "cast" to strings only.

    Args:
        data_type: a dtype of MindSpore, numpy or Python.

    Raises:
        TypeError: if it is not a dtype.
        RuntimeError: when called with strings.

    >>> TypeCast("int32")(np.array([1.7, -2.7])).tolist()
    [1, -2]
    """

    _by_value = True

    def __init__(self, data_type: Any) -> None:
        self.data_type = to_dtype("TypeCast", "data_type", data_type)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        wanted = self.data_type
        if array.dtype.kind == wanted.kind == "U":
            return array
        if array.dtype.kind in "SU" or wanted.kind in "SU":
            raise RuntimeError(f"For 'TypeCast', strings cannot be cast, but got {array.dtype} to {wanted}.")
        if array.dtype.kind == "f" and wanted.kind in "iu":
            return _to_integer(array, wanted)
        with np.errstate(over="ignore"):
            return array.astype(wanted)

    _stacked = _apply


@faces("dataset.transforms")
class OneHot(Transform):
    """Turns class numbers into one-hot vectors.

    Args:
        num_classes: the number of classes.
        smoothing_rate: the share taken from the class and given to all, in [0, 1]; then the result is float64.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if `num_classes` is < 1 or the rate is out of range.
        RuntimeError: when called with anything but a number or a vector of integers below `num_classes`.

    >>> OneHot(3)(np.array([0, 2])).tolist()
    [[1, 0, 0], [0, 0, 1]]
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        check_positive_int("OneHot", "num_classes", num_classes)
        check_float_range("OneHot", "smoothing_rate", smoothing_rate, 0.0, 1.0)
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "iu":
            raise RuntimeError(f"For 'OneHot', the input must be integers, but got {array.dtype}.")
        squeezed = array.reshape([size for size in array.shape if size != 1]) if array.ndim > 1 else array
        if squeezed.ndim > 1:
            raise RuntimeError(f"For 'OneHot', the input must be a number or a vector, but got shape {array.shape}.")
        if array.ndim > 1 and squeezed.ndim == 0 and array.shape[-1] != 1:
            squeezed = squeezed.reshape(1)
        return self._encode(squeezed)

    def _encode(self, classes: np.ndarray) -> np.ndarray:
        if classes.size and (classes.max() >= self.num_classes or classes.min() < 0):
            raise RuntimeError(
                f"For 'OneHot', a class must be in range [0, {self.num_classes}), but got {classes.tolist()}."
            )
        hot = classes[..., None] == np.arange(self.num_classes)
        rate = self.smoothing_rate
        if rate == 0:
            return hot.astype(classes.dtype)
        return np.where(hot, 1 - rate + rate / self.num_classes, rate / self.num_classes)

    def _stacked(self, array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "iu" or array.ndim != 1:
            return np.stack([self._apply(row) for row in array])
        return self._encode(array)


@faces("dataset.transforms")
class PadEnd(Transform):
    """Brings an array to a shape: fills up at the end of each axis, or cuts. A single value stays as it is.

    Args:
        pad_shape: a list of sizes; None for an axis keeps its size.
        pad_value: what to fill with; None is 0 or "".

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a size is < 1.
        RuntimeError: when called with another rank, or with numbers where the value is a string.

    >>> PadEnd([4], 10)(np.array([1, 2])).tolist()
    [1, 2, 10, 10]
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None) -> None:
        check_type("PadEnd", "pad_shape", pad_shape, list)
        for size in pad_shape:
            if size is not None and check_type("PadEnd", "pad_shape", size, int) < 1:
                raise value_error("PadEnd", "pad_shape", "sizes > 0 or None", pad_shape)
        if pad_value is not None:
            check_type("PadEnd", "pad_value", pad_value, (*_SCALARS, np.ndarray, np.generic))
        self.pad_shape, self.pad_value = pad_shape, pad_value

    def _apply(self, array: np.ndarray) -> np.ndarray:
        strings = array.dtype.kind in "SU"
        nothing = array.dtype.type() if strings else 0
        value = np.array(nothing if self.pad_value is None else self.pad_value)
        if value.dtype.kind != array.dtype.kind if strings else value.dtype.kind in "SU":
            raise RuntimeError(
                f"For 'PadEnd', numbers, strings and bytes cannot be mixed, but got {array.dtype} and "
                f"{self.pad_value!r}."
            )
        if array.ndim == 0:
            return array
        if len(self.pad_shape) != array.ndim:
            raise RuntimeError(
                f"For 'PadEnd', the input must have rank {len(self.pad_shape)}, but got shape {array.shape}."
            )
        dtype = np.promote_types(array.dtype, value.astype(array.dtype.kind).dtype) if strings else array.dtype
        full = [old if new is None else new for old, new in zip(array.shape, self.pad_shape, strict=True)]
        out = np.full(full, value.astype(dtype), dtype)
        inner = tuple(slice(min(a, b)) for a, b in zip(array.shape, full, strict=True))
        out[inner] = array[inner]
        return out


@faces("dataset.transforms")
class Concatenate(Transform):
    """Joins vectors, with constants before and after.

    Args:
        axis: 0 or -1.
        prepend: a vector put before, or None.
        append: a vector put after, or None.

    Raises:
        TypeError: for an argument of another type.
        ValueError: for another axis, or constants that are not vectors.
        RuntimeError: when called with arrays that are not vectors or of another dtype than the constants.

    >>> Concatenate(0, np.array([0]), np.array([9]))(np.array([1, 2])).tolist()
    [0, 1, 2, 9]
    """

    def __init__(self, axis: int = 0, prepend: np.ndarray | None = None, append: np.ndarray | None = None) -> None:
        if check_type("Concatenate", "axis", axis, int) not in (0, -1):
            raise value_error("Concatenate", "axis", "0 or -1 (only vectors can be joined)", axis)
        for name, given in (("prepend", prepend), ("append", append)):
            if given is not None and check_type("Concatenate", name, given, np.ndarray).ndim != 1:
                raise value_error("Concatenate", name, "a vector", given)
        self.axis, self.prepend, self.append = axis, prepend, append

    def _row(self, *items: Any) -> np.ndarray:
        if not items:
            raise RuntimeError("For 'Concatenate', at least one column must be given, but got none.")
        parts = [to_array(item, "Concatenate") for item in items]
        dtype = parts[0].dtype
        every = [part for part in (self.prepend, *parts, self.append) if part is not None]
        for part in every:
            if part.ndim != 1:
                raise RuntimeError(f"For 'Concatenate': only 1D input supported, but got shape {part.shape}.")
            if part.dtype != dtype and not part.dtype.kind == dtype.kind in "SU":
                raise RuntimeError(
                    f"For 'Concatenate', all parts must have one dtype, but got {dtype} and {part.dtype}."
                )
        return np.concatenate(every)


@faces("dataset.transforms")
class Fill(Transform):
    """Replaces all elements by one value, cast to the input's dtype.

    Args:
        fill_value: a number, bool, str or bytes.

    Raises:
        TypeError: for another type.
        RuntimeError: when called with strings where the value is a number, or the other way round.

    >>> Fill(3)(np.array([1.5, 2.5])).tolist()
    [3.0, 3.0]
    """

    def __init__(self, fill_value: Any) -> None:
        self.fill_value = check_type("Fill", "fill_value", fill_value, _SCALARS)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        value = np.array(self.fill_value)
        kinds = value.dtype.kind, array.dtype.kind
        if (kinds[0] in "SU" or kinds[1] in "SU") and kinds[0] != kinds[1]:
            raise RuntimeError(
                f"For 'Fill': fill_value and the input tensor must be of the same data type when involving strings, "
                f"but got {self.fill_value!r} and {array.dtype}."
            )
        return np.full(array.shape, value if kinds[0] in "SU" else value.astype(array.dtype))

    _stacked = _apply


@faces("dataset.transforms")
class Unique(Transform):
    """Finds the distinct elements, in order of first appearance.

    Returns, when called: the values, for each element the number of its value (int32), how often each occurs (int32).

    Raises:
        RuntimeError: when called with strings or bool, with a number or a vector, or with more than one array.

    >>> [part.tolist() for part in Unique()(np.array([[3, 1], [3, 2]]))]
    [[3, 1, 2], [0, 1, 0, 2], [2, 1, 1]]
    """

    def _apply(self, array: np.ndarray) -> tuple[np.ndarray, ...]:
        if array.dtype.kind not in "iuf" or array.ndim < 2:
            raise RuntimeError(
                f"For 'Unique', the input must be numbers of rank >= 2, but got {array.dtype} of rank {array.ndim}."
            )
        values, first, index, counts = np.unique(
            array.reshape(-1), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return values[order], rank[index].astype(np.int32), counts[order].astype(np.int32)


@faces("dataset.transforms")
class Duplicate(Transform):
    """Returns the input twice, as two columns.

    Raises:
        RuntimeError: when called with more than one array.

    >>> len(Duplicate()(np.array([1])))
    2
    """

    def _apply(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return array, array.copy()


@faces("dataset.transforms")
class Mask(Transform):
    """Compares every element with a constant.

    Args:
        operator: a `Relational`.
        constant: a number or string; cast to the input's dtype, so 2.5 is 2 for integers.
        dtype: the result's MindSpore dtype.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: when called with strings where the constant is a number, or the other way round.

    >>> Mask(Relational.GT, 2)(np.array([1, 2, 3])).tolist()
    [False, False, True]
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = bool_) -> None:
        self.operator = check_type("Mask", "operator", operator, Relational)
        self.constant = check_type("Mask", "constant", constant, _SCALARS)
        self.dtype = to_dtype("Mask", "dtype", check_type("Mask", "dtype", dtype, Type))

    def _apply(self, array: np.ndarray) -> np.ndarray:
        constant = np.array(self.constant)
        if self.dtype.kind not in "biuf":
            raise RuntimeError(f"For 'Mask', the 'dtype' must be bool or of numbers, but got {self.dtype}.")
        if (constant.dtype.kind in "SU") != (array.dtype.kind in "SU"):
            raise RuntimeError(
                f"For 'Mask', the constant must fit the input's dtype {array.dtype}, but got {self.constant!r}."
            )
        if constant.dtype.kind not in "SU":
            constant = constant.astype(array.dtype)
        return np.asarray(_COMPARE[self.operator](array, constant), self.dtype)  # an array for a single value, too

    _stacked = _apply


def _outside(part: int | list[int], size: int) -> int:
    """The first index of a part that an axis does not have."""
    return next(index for index in checks.listed(part) if not -size <= index < size)


@faces("dataset.transforms")
class Slice(Transform):
    """Takes a part of an array; every axis stays.

    Args:
        slices: for each axis an int, a list of int, a slice, or None, True or `...` for all of it.

    Raises:
        TypeError: for another type.
        RuntimeError: when called with fewer axes, or if an index is outside.

    >>> Slice([0, 2])(np.array([1, 2, 3])).tolist()
    [1, 3]
    """

    def __init__(self, *slices: Any) -> None:
        for part in slices:
            if part is not None and part is not Ellipsis and not isinstance(part, (int, bool, list, slice)):
                raise type_error("Slice", "slices", "int, list of int, slice, None, bool or ...", part)
            for index in part if isinstance(part, list) else ():
                check_int("Slice", "slices", index)
        self.slices = slices

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if len(self.slices) > array.ndim:
            raise RuntimeError(
                f"For 'Slice', the input must have {len(self.slices)} axes or more, but got shape {array.shape}."
            )
        for axis, part in enumerate(self.slices):
            if part is None or part is Ellipsis or isinstance(part, bool):
                continue
            if part == [] or (isinstance(part, slice) and part.step == 0):
                raise RuntimeError(f"For 'Slice', the 'slices' must name indices or a step, but got {part!r}.")
            picked = [part] if isinstance(part, int) else part
            try:
                array = array[(slice(None),) * axis + (picked,)]
            except IndexError as error:
                raise RuntimeError(
                    f"For 'Slice': Index {_outside(part, array.shape[axis])} is out of bounds. "
                    f"The input has the shape {array.shape}."
                ) from error
        return array
