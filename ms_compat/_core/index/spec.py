"""What an index means for a shape: Python's, numpy's and MindSpore's index forms brought to one list of items.

`parse` turns the index of `x[index]` into a `Spec`. Its static `key` gives each item's kind. A compiled function takes
the values `starts` and `arrays` as arguments, so that twenty different indices share one compilation. The key's items:

- `INT`: one position (its value is in `starts`); the dimension disappears.
- `(length, step)`: a slice (its first position in memory order is in `starts`); `FULL` covers the whole dimension.
- `NEW`: None, a new dimension of size 1.
- `ARRAY`: an integer array (in `arrays`); a mask becomes one integer array for each of its dimensions.
- `TRUE`: the bool True or a mask without dimensions: an integer array that indexes a new dimension of size 1, as in
  numpy.

This module raises all index errors, before anything is computed.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import Tracer, has_symbolic_size, is_at_least, is_symbolic_size
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace.scopes import check_input

INT, FULL, NEW, TRUE, ARRAY = "int", "full", "new", "true", "array"
_SUPPORTED = "integers, slices(`:`), ellipsis(`...`), None, bool, tensor, int, list and tuple"


class Spec:
    """The parts of a parsed index; see the module's docstring.

    `basic` is whether there are only integers, slices and new dimensions, so that the result is a view. `mask` is the
    one mask that is the whole index (its nonzero positions are looked up by `with_positions` when they are needed).
    `nothing` is set if the index (a False, an empty list) selects no element at all.
    """

    __slots__ = ("arrays", "basic", "key", "mask", "nothing", "starts")

    def __init__(self) -> None:
        self.key: Any = []
        self.starts: list[Any] = []
        self.arrays: list[Any] = []
        self.basic = True
        self.mask: Any = None
        self.nothing = False

    def add(self, code: Any, start: Any = None) -> None:
        """Append an item."""
        self.key.append(code)
        if start is not None:
            self.starts.append(start)

    def add_array(self, array: Any, code: str = ARRAY) -> None:
        """Append an array of positions."""
        self.key.append(code)
        self.arrays.append(array)
        self.basic = False


class _Parser:
    """Parses one index; holds what its steps share."""

    def __init__(self, shape: tuple[int, ...], setting: bool, traced: bool):
        self.shape = shape
        self.setting = setting
        self.traced = traced
        self.spec = Spec()
        self.dim = 0

    def parse(self, index: Any) -> Spec:
        items, in_tuple = self._items(index)
        self._check_scalar(items, in_tuple)
        used = sum(self._takes(item, in_tuple) for item in items)
        if sum(item is Ellipsis for item in items) > 1:
            raise IndexError("An index can only have a single ellipsis('...')")
        if used > len(self.shape):
            masked = any(isinstance(item, Tensor) and item.shape for item in items)
            if masked and not in_tuple:
                self._bad_mask(items[0].shape)
            many = len(items) > len(self.shape)  # else a mask of several dimensions takes too many
            error = RuntimeError if masked and not many and self.setting and not self.traced else IndexError
            raise error(f"too many indices for tensor of dimension {len(self.shape)}: got {used}")
        for item in items:
            if item is Ellipsis:
                for _ in range(len(self.shape) - used):
                    self.spec.add(FULL)
                    self.dim += 1
            else:
                self._item(item, in_tuple)
        self.spec.key = (*self.spec.key, *[FULL] * (len(self.shape) - self.dim))
        return self.spec

    def _items(self, index: Any) -> tuple[tuple, bool]:
        """The index as a tuple of items, and whether it was one (or a list that stands for one)."""
        if isinstance(index, tuple):
            return index, True
        if isinstance(index, list):
            plain = all(isinstance(item, (bool, int)) for item in index)
            return ((index,), False) if plain else (tuple(index), True)
        if self.traced and isinstance(index, range):
            return tuple(index), True
        return (index,), False

    def _check_scalar(self, items: tuple, in_tuple: bool) -> None:
        """A 0-d tensor takes None, True and `...` only."""
        if self.shape or in_tuple:
            return
        if isinstance(items[0], int) and not isinstance(items[0], bool):
            raise TypeError("Cannot iterate over a scalar tensor.")
        if isinstance(items[0], slice):
            raise (TypeError if self.setting else ValueError)(
                "Cannot iterate over a scalar tensor: it has no dimension."
            )
        if self.setting and (
            isinstance(items[0], list) or (isinstance(items[0], Tensor) and items[0]._v.dtype != np.bool_)
        ):
            raise TypeError("Cannot iterate over a scalar tensor.")
        if isinstance(items[0], list):
            raise ValueError("A scalar tensor cannot be indexed by a list; its number of dimensions must be 1 or more.")
        if isinstance(items[0], Tensor) and not self.setting:
            raise ValueError(
                "A scalar tensor cannot be indexed by a tensor; its number of dimensions must be 1 or more."
            )

    def _takes(self, item: Any, in_tuple: bool) -> int:
        """How many dimensions an item uses up; refuses what is not an index."""
        if item is None or item is Ellipsis or isinstance(item, bool):
            return 0
        if isinstance(item, (int, slice)):
            return 1
        if isinstance(item, Tensor):
            kind = item._v.dtype
            if kind == np.bool_:
                return len(item.shape)
            if kind.kind != "i":
                raise IndexError(f"The tensor index must be int or bool type, but got {item.dtype}.")
            return 1
        if isinstance(item, (list, tuple)):
            return 1
        if self.traced and isinstance(item, (np.integer, np.bool_)):
            return 0 if isinstance(item, np.bool_) else 1
        if isinstance(item, (float, np.ndarray)):
            if in_tuple:
                raise TypeError(
                    "For a tuple index, the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', 'int', 'List', "
                    f"'Tuple', 'bool', but got {item!r:.80} of type {type(item).__name__}."
                )
            raise IndexError(f"Only support {_SUPPORTED} as index, but got {item!r:.80} of type {type(item).__name__}.")
        raise IndexError(
            f"Unsupported Python object type received: {type(item)}. Only {_SUPPORTED} can be an index; turn a numpy "
            "number into an int."
        )

    def _item(self, item: Any, in_tuple: bool) -> None:
        spec = self.spec
        if item is None:
            spec.add(NEW)
        elif isinstance(item, (bool, np.bool_)):
            self._bool(bool(item), in_tuple)
        elif isinstance(item, (int, np.integer)):
            spec.add(INT, self._position(item if is_symbolic_size(item) else int(item)))
            self.dim += 1
        elif isinstance(item, slice):
            self._slice(item)
        elif isinstance(item, Tensor):
            self._tensor(item, in_tuple)
        else:
            self._sequence(item)

    def _bool(self, value: bool, in_tuple: bool) -> None:
        if value:
            if in_tuple:
                self.spec.add_array(np.zeros(1, np.int64), TRUE)
            else:
                self.spec.add(NEW)
        elif self.setting:
            self.spec.nothing = True
        else:
            raise IndexError(
                "When tensor is indexed by a bool object, the value only supports 'True', but got 'False'."
            )

    def _position(self, index: Any) -> Any:
        size = self.shape[self.dim]
        if not (is_at_least(size - 1, index) and is_at_least(index, -size)):
            raise IndexError(f"index {index} is out of bounds for dimension {self.dim} with size {size}")
        return index + size if index < 0 else index

    def _slice(self, item: slice) -> None:
        size = self.shape[self.dim]
        parts = [_bound(part) for part in (item.start, item.stop, item.step)]
        if has_symbolic_size((size, *parts)):
            start, length, step = _between_sizes(size, *parts)
        else:
            start, stop, step = slice(*parts).indices(size)
            length = len(range(start, stop, step))
        if length == size and step == 1:
            self.spec.add(FULL)
        else:
            first = start if step > 0 else start + (length - 1) * step
            self.spec.add((length, step), first if length else 0)
        self.dim += 1

    def _sequence(self, item: Any) -> None:
        plain = _without_tensors(item)
        try:
            array = np.asarray(plain)
        except ValueError:
            raise IndexError(f"A list in an index must be rectangular, but got {item!r:.80}.") from None
        if array.size == 0 or (array.dtype == np.bool_ and not array.any() and not self.traced):
            if not self.setting:
                raise IndexError("When tensor is indexed by a list, the list can't be empty.")
            self.spec.nothing = True
        if array.dtype == np.bool_:
            self._mask(array, IndexError)
        elif array.dtype.kind == "i" or array.size == 0:
            size = self.shape[self.dim]
            in_trace = ValueError if self.setting else RuntimeError
            error = in_trace if self.traced else IndexError
            self.spec.add_array(_in_bounds(array.astype(np.int64), size, self.dim, error))
            self.dim += 1
        else:
            raise TypeError(f"A list in an index must hold ints or bools, but got {item!r:.80}.")

    def _tensor(self, item: Tensor, in_tuple: bool) -> None:
        value = item._v
        if value.dtype == np.bool_:
            if isinstance(value, Tracer) or not in_tuple:
                self._whole_mask(value, in_tuple)
            else:
                self._mask(np.asarray(value), IndexError, lenient=not self.traced)
            return
        if not isinstance(value, Tracer):
            error = ValueError if self.setting else RuntimeError
            _in_bounds(np.asarray(value), self.shape[self.dim], self.dim, error)
        elif not self.setting:
            size, dim = self.shape[self.dim], self.dim
            check_input(value, lambda positions: _in_bounds(positions, size, dim, RuntimeError))
        self.spec.add_array(value)
        self.dim += 1

    def _whole_mask(self, value: Any, in_tuple: bool) -> None:
        if in_tuple:
            raise mask_error(self.setting)
        if value.shape != self.shape[: value.ndim]:
            self._bad_mask(value.shape)
        self.dim += value.ndim
        self.spec.mask = value
        self.spec.basic = False

    def _bad_mask(self, shape: tuple[int, ...]) -> None:
        error = IndexError if self.traced and not self.setting else ValueError
        raise error(f"The shape of index {shape} does not match the shape of the indexed data {self.shape}.")

    def _mask(self, mask: np.ndarray, error: type[Exception], lenient: bool = False) -> None:
        for axis, size in enumerate(mask.shape):
            within = self.shape[self.dim + axis]
            # in PYNATIVE_MODE the positions of a mask in a tuple count, wherever they are within the tensor
            fits = lenient and mask.ndim == 1 and not mask[within:].any()
            if size != within and not fits:
                raise error(f"dimension is {self.shape[self.dim + axis]} but corresponding boolean dimension is {size}")
        self.dim += mask.ndim
        _add_positions(self.spec, mask)


def parse(index: Any, shape: tuple[int, ...], setting: bool = False, traced: bool = False) -> Spec:
    """Parse the index of a tensor with this shape.

    Args:
        index: what stands in the brackets.
        shape: the tensor's shape.
        setting: whether something is assigned to it; some errors are of another class then, as in MindSpore.
        traced: whether a trace is open: MindSpore's compiler takes some index forms that PYNATIVE_MODE refuses.

    Raises:
        IndexError: out of range, too many indices, or an object that is not an index.
        TypeError: an unsupported item in a tuple; an index for a 0-d tensor.
        RuntimeError: a position tensor out of range; a slice whose bounds are not integers.
        ValueError: a slice of step 0; a mask of another shape.
    """
    return _Parser(shape, setting, traced).parse(index)


def with_positions(spec: Spec, rank: int) -> Spec:
    """A spec whose mask is replaced by the positions of its True elements: the one look at the values on the host."""
    out = Spec()
    _add_positions(out, np.asarray(spec.mask))
    out.key = (*out.key, *[FULL] * (rank - spec.mask.ndim))
    return out


def _add_positions(spec: Spec, mask: np.ndarray) -> None:
    if not mask.ndim:
        spec.add_array(np.zeros(int(mask), np.int64), TRUE)
    for positions in mask.nonzero() if mask.ndim else ():
        spec.add_array(positions)


def mask_error(setting: bool) -> UnsupportedError:
    """Why a mask that is only known at run time does not work in a compiled function, and what does."""
    if setting:
        return UnsupportedError(
            "Assigning several different values through a bool mask that is only known at run time is not possible in "
            "a compiled function. Assign a single value, or write x = ops.where(mask, values, x) with values of x's "
            "shape."
        )
    return UnsupportedError(
        "x[mask] has a shape that depends on the mask's values, which are only known at run time in a compiled "
        "function. Use ops.where(mask, x, 0) (or ops.select) and reduce with the mask, or index outside of the "
        "compiled function."
    )


def _between_sizes(size: Any, start: Any, stop: Any, step: Any) -> tuple[Any, Any, int]:
    """The start, length and step of a slice where the size of the dimension, or a bound, is a symbol."""
    step = 1 if step is None else step
    if not isinstance(step, int) or step < 1:
        raise UnsupportedError(
            "A slice cannot be compiled if its step is a size that varies, or is negative on an axis whose size varies."
        )
    start, stop = (_clipped(value, size) for value in (0 if start is None else start, size if stop is None else stop))
    return start, -((start - stop) // step) if is_at_least(stop, start) else 0, step


def _clipped(value: Any, size: Any) -> Any:
    if value < 0:
        value = value + size
    if not is_at_least(value, 0):
        return 0
    return value if is_at_least(size, value) else size


def _bound(value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Tensor):
        if isinstance(value._v, Tracer):
            raise UnsupportedError(
                "A slice whose bounds are only known at run time has no fixed shape in a compiled function. Use "
                "constants, or index by a tensor of positions: x[start + ops.arange(length)]."
            )
        return int(value)
    raise RuntimeError(
        f"Slice index type must be int, tensor or none, but got {value!r:.80} of type {type(value).__name__}."
    )


def _in_bounds(array: np.ndarray, size: int, dim: int, error: type[Exception]) -> np.ndarray:
    if array.size:
        low, high = array.min(), array.max()
        if low < -size or high >= size:
            worst = high if high >= size else low
            raise error(f"index {worst} is out of bounds for dimension {dim} with size {size}")
    return array


def _without_tensors(item: Any) -> Any:
    if isinstance(item, (list, tuple)):
        return [_without_tensors(part) for part in item]
    if isinstance(item, Tensor):
        if isinstance(item._v, Tracer):
            raise UnsupportedError(
                "A list in an index cannot hold tensors that are only known at run time; use ops.stack to make one "
                "tensor."
            )
        return np.asarray(item._v)
    if isinstance(item, jax.Array):
        return np.asarray(item)
    return item
