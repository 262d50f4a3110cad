"""Rows: what a Python object becomes in a column, and how rows become a batch.

Between the nodes of a pipeline a row is a tuple of numpy arrays (or of dicts that hold arrays). Everything that a
user's function returns passes `column`: `int` becomes int64, `float` float64, `str` numpy's `U`, a Tensor or an image
its array. `column` copies arrays, because the user may write into the returned buffer, or a `map` function into its
argument.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

Row = tuple[Any, ...]

_KINDS = frozenset("biufSU")


def user_error(where: str, error: BaseException) -> RuntimeError:
    """The `RuntimeError` for an exception in the user's own function, as in MindSpore, with its cause."""
    text = f"{where}: the Python function raised {type(error).__name__}: {error}"
    if "got a NumPy array" in text:
        text += " Functions in a dataset get NumPy arrays: compute with NumPy or 'mindspore.dataset.transforms'."
    return RuntimeError(text)


def _checked(array: np.ndarray, where: str, k: int) -> np.ndarray:
    if array.dtype.kind in _KINDS:
        return array
    raise RuntimeError(
        f"{where}: TypeError: column {k} must hold numbers, bool, str or bytes, but got an array of "
        f"dtype {array.dtype}. "
        "Ragged lists, None and arbitrary objects cannot be stored in a column."
    )


def column(item: Any, where: str, k: int) -> Any:
    """Converts one item of a user's row to an array (or a dict of arrays).

    Args:
        item: what the user returned for this column.
        where: the API to name in the error.
        k: the column's number.

    Raises:
        RuntimeError: if it has no numpy form that a column can hold (MindSpore's class here).

    >>> column(3, "GeneratorDataset", 0).dtype
    dtype('int64')
    """
    if type(item) is np.ndarray:
        return _checked(item, where, k).copy()
    if isinstance(item, dict):
        return {key: _inner(value, where, k) for key, value in item.items()}
    if hasattr(item, "asnumpy"):
        return _checked(np.array(item.asnumpy()), where, k)
    if item is None or item is NotImplemented:
        raise RuntimeError(f"{where}: TypeError: column {k} must hold data, but got None.")
    try:
        array = np.array(item)
    except ValueError as error:
        raise user_error(where, error) from error
    if type(item) is int and array.dtype != np.int64:
        array = array.astype(object)
    return _checked(array, where, k)


def _inner(value: Any, where: str, k: int) -> Any:
    """Converts a value inside of a dict: lists and tuples keep their form there, as in MindSpore."""
    if isinstance(value, (list, tuple)):
        return type(value)(_inner(item, where, k) for item in value)
    return value if value is None else column(value, where, k)


def row(value: Any, count: int, where: str) -> Row:
    """Converts what a source yields to a row: a tuple or list is one item a column, all else one column."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    if len(items) != count:
        raise RuntimeError(
            f"{where}: the source must return one item for each of the {count} column_names, but got {len(items)}."
        )
    return tuple([column(item, where, k) for k, item in enumerate(items)])


def _stack_objects(items: Sequence[Any], name: str) -> Any:
    if all(isinstance(item, dict) for item in items):
        return {key: stack([item[key] for item in items], f"{name}'][{key!r}") for key in items[0]}
    raise RuntimeError(
        f"For 'batch', column '{name}' must hold arrays or dicts of arrays in every row, "
        f"but got {type(items[0]).__name__}; use a 'per_batch_map'."
    )


def _show(array: np.ndarray) -> str:
    return f"shape {array.shape} and dtype {array.dtype}"


def stack(items: Sequence[np.ndarray], name: str) -> Any:
    """Stacks equal arrays along a new first axis.

    Raises:
        RuntimeError: if shapes or dtypes differ (strings may differ in length).

    >>> stack([np.ones(2), np.zeros(2)], "image").shape
    (2, 2)
    """
    first = items[0]
    if not isinstance(first, np.ndarray):
        return _stack_objects(items, name)
    shape, dtype = first.shape, first.dtype
    for item in items:
        if (
            item.dtype is not dtype
            and item.dtype != dtype
            and not item.dtype.kind == dtype.kind in "SU"
            or item.shape != shape
        ):
            raise RuntimeError(
                f"For 'batch': Cannot batch tensors with different {'shapes' if item.shape != shape else 'types'}. "
                f"The rows of column '{name}' must have one shape and dtype, but got {_show(first)}, then "
                f"{_show(item)}. "
                "Use 'padded_batch', or a 'map' or 'per_batch_map' that makes them equal."
            )
    if dtype.kind in "SU":
        return np.stack(items)
    if shape and first.size:
        # 0.23 us a row of 28 x 28 floats, where `out[k] = item` takes 0.31 and np.stack 0.49.
        return np.concatenate(items).reshape(len(items), *shape)
    out = np.empty((len(items), *shape), dtype)
    for k, item in enumerate(items):
        out[k] = item
    return out


def raised(attempts: Iterable[Any]) -> Iterator[Any]:
    """Yields rows; raises the first exception among them."""
    for made in attempts:
        if isinstance(made, BaseException):
            raise made
        yield made


def writeable(array: np.ndarray) -> np.ndarray:
    """Returns the array, or a copy if it is read-only."""
    return array if array.flags.writeable else array.copy()


def is_pil(item: Any) -> bool:
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(item, module.Image)


def result_column(item: Any, where: str, k: int) -> Any:
    """Converts what a `map` operation returned; fresh arrays are kept as they are."""
    if type(item) is np.ndarray:
        return _checked(item, where, k)
    if is_pil(item):
        return np.asarray(item).copy()
    return column(item, where, k)


def call(operation: Callable[..., Any], args: Sequence[Any], where: str) -> Any:
    """Calls a user's function; turns its exceptions into MindSpore's `RuntimeError`."""
    try:
        return operation(*args)
    except Exception as error:
        raise user_error(where, error) from error
