"""The base of transforms: one array in, one array out, callable inside a `map` and by hand.

A transform that works on a stack of rows as well as on one row defines `_stacked`; `batch` over arrays in memory then
applies it to whole batches (see `core`).
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import type_error
from ms_compat.dataset._support import checks, randomness
from ms_compat.dataset._support.arguments import argument_error, check_type, not_one_tensor
from ms_compat.dataset._support.arguments import type_error as wrong_type
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset._support.rows import is_pil


def to_array(item: Any, api: str) -> np.ndarray:
    """Converts a transform's input to an array: an array, a Tensor, an image or a Python value.

    Raises:
        TypeError: if it has no numeric or string form.
    """
    if type(item) is np.ndarray:
        return item
    if hasattr(item, "asnumpy"):
        return item.asnumpy()
    try:
        array = np.asarray(item)
    except ValueError as error:
        raise type_error(api, "input", "convertible to an array", item) from error
    if array.dtype.kind not in "biufSU":
        raise type_error(api, "input", "convertible to an array of numbers or strings", item)
    return array


def to_dtype(api: str, argument: str, given: Any) -> np.dtype:
    """The numpy dtype that MindSpore's, numpy's or Python's type stands for.

    Raises:
        TypeError: if it is not a type.
        KeyError: for bfloat16 and complex numbers, which no column holds (MindSpore's class here).
    """
    if isinstance(given, mstype.Type):
        if given.np_dtype is None:
            return np.dtype("U")
        if given in (mstype.bfloat16, mstype.complex64, mstype.complex128):
            raise KeyError(f"For '{api}', the '{argument}' must be a dtype that columns have, but got {given!r}.")
        return np.dtype(given.np_dtype)
    if isinstance(given, (type, np.dtype, str)):
        with contextlib.suppress(TypeError):
            return np.dtype(given)
    raise wrong_type(api, argument, (mstype.Type, np.dtype), given)


def check_held(api: str, array: np.ndarray) -> None:
    """Raise TypeError for an array that no column can hold: of complex numbers, dates or objects."""
    if array.dtype.kind not in "biufSU":
        raise type_error(api, "input", "an array of numbers or strings", array)


class Transform(Remembered):
    """A transform of one column; a subclass defines `_apply`.

    For `vision.fusing`, a class sets in its own body `_by_value` if it turns each number of an image into one number,
    whatever the others are, and `_copies` if its result never shares memory with its input.
    """

    _by_value = False
    _copies = False
    _takes_all_dtypes = False  # of arrays, as MindSpore's transforms in Python do

    def __call__(self, *items: Any) -> Any:
        """Applies the transform to one array (or image, Tensor, Python value).

        Raises:
            TypeError: if an array holds no numbers that a column can hold, such as complex ones.
            RuntimeError: if not exactly one was given, if it is empty, or if the data does not fit.
        """
        for item in items:
            if type(item) is np.ndarray and not self._takes_all_dtypes:
                check_held(type(self).__name__, item)
            if item.size == 0 if type(item) is np.ndarray else type(item) is list and not item:
                raise RuntimeError(f"For '{type(self).__name__}', the input must hold values, but got {item!r}.")
        return self._row(*items)

    def _row(self, *items: Any) -> Any:
        """The call inside of a `map`, where arrays may be empty."""
        if len(items) != 1:
            raise not_one_tensor(type(self).__name__, len(items))
        return self._apply(to_array(items[0], type(self).__name__))

    def _apply(self, array: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does nothing.")


def row_call(operation: Callable[..., Any]) -> Callable[..., Any]:
    """The function that a `map` calls: the operation, or a transform without the checks for direct calls."""
    if isinstance(operation, Transform) and type(operation).__call__ is Transform.__call__:
        return operation._row
    return operation


def rng() -> Any:
    """The generator that random transforms draw from now."""
    return randomness.current()


def check_list(api: str, operations: Any) -> list[Callable[..., Any]]:
    """Checks a list of transforms.

    Raises:
        TypeError: if it is not a list or an entry is not callable.
        ValueError: if it is empty, or an entry is a class.
    """
    check_type(api, "transforms list", operations, list)
    if not operations:
        raise ValueError(f"For '{api}': transforms list can not be empty.")
    checks.refuse_classes(api, "transforms", operations)
    for k, operation in enumerate(operations):
        if not callable(operation):
            raise argument_error(
                TypeError, api,
                f"transforms[{k}] is neither a transforms op (TensorOperation) nor a callable pyfunc.", operation,
            )  # fmt: skip
    return list(operations)


def chain(
    operations: Sequence[Callable[..., Any]], items: tuple[Any, ...], keep_images: bool = True
) -> tuple[Any, ...]:
    """Calls operations one after the other, a tuple being several columns; makes arrays of images if not kept."""
    for operation in operations:
        made = operation(*items)
        items = made if type(made) is tuple else (made,)
        if not keep_images:
            items = tuple(np.asarray(item) if is_pil(item) else item for item in items)
    return items


def finished(items: tuple[Any, ...], api: str) -> Any:
    """A chain's result: one array, or a tuple of arrays; images stay images."""
    made = tuple(item if is_pil(item) else to_array(item, api) for item in items)
    return made[0] if len(made) == 1 else made
