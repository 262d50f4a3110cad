"""Checks as data: what an argument must be, as objects that declarations name.

A check is called with the API's name, the argument's name and the value; it returns the value, or raises MindSpore's
class with a sentence that names the API, the argument, what was expected and what came. Rows of tables name
checks beside their settings (`nn/_table.py`); `dispatch/dtype_checks.py` holds the dtypes that operations take. A
body that knows the bounds only when it runs calls the functions: `check_rank(api, "x", x, self.rank)`, and for scalars
the functions in `errors.py`.

>>> Range(0, 1, "(]")("Dropout", "keep_prob", 1.5)
Traceback (most recent call last):
ValueError: For 'Dropout', the 'keep_prob' must be in range (0, 1], but got 1.5 of type 'float'.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core import errors
from ms_compat._core.errors import type_error, value_error

Check = Callable[[str, str, Any], Any]


# -- functions -------------------------------------------------------------------------------------------------------
def check_callable(api: str, argument: str, value: Any) -> Any:
    """Returns the value if it can be called; raises `TypeError` if not."""
    if callable(value):
        return value
    raise type_error(api, argument, "callable", value)


def check_above(api: str, argument: str, value: Any, low: float) -> Any:
    """Returns the value if it is greater than a bound; raises `ValueError` if not."""
    if value <= low:
        raise value_error(api, argument, f"> {low}", value)
    return value


def check_at_least(api: str, argument: str, value: Any, low: float) -> Any:
    """Returns the value if it is not less than a bound; raises `ValueError` if it is."""
    if value < low:
        raise value_error(api, argument, f">= {low}", value)
    return value


def check_within(api: str, argument: str, value: Any, low: float, high: float, ends: str = "[]") -> Any:
    """Returns the value if it is in a range; raises `ValueError` if not.

    Args:
        api: the API's name as the user wrote it.
        argument: the argument's name.
        value: what came, a number.
        low: the lower end.
        high: the upper end.
        ends: which ends belong to the range: "[]", "[)", "(]" or "()".
    """
    if errors.in_range(value, low, high, ends):
        return value
    raise value_error(api, argument, f"in range {ends[0]}{low}, {high}{ends[1]}", value)


def check_choice(api: str, argument: str, value: Any, choices: Collection[Any]) -> Any:
    """Returns the value if it is one of the choices; raises `ValueError` if not, of whatever type it is."""
    if value in choices:
        return value
    raise value_error(api, argument, f"one of {list(choices)}", value)


def check_not_empty(api: str, argument: str, value: Any) -> Any:
    """Returns a sequence that holds something; raises `ValueError` for an empty one."""
    if len(value):
        return value
    raise ValueError(f"For '{api}', the '{argument}' must not be empty.")


def check_any_given(api: str, **values: Any) -> None:
    """Raises `ValueError` if all of the values, by their names, are None."""
    if all(value is None for value in values.values()):
        raise ValueError(f"For '{api}', at least one of {_names(values)} must not be None.")


def check_same_length(api: str, **sequences: Any) -> None:
    """Raises `ValueError` unless the sequences, by their names, have one length."""
    lengths = {name: len(value) for name, value in sequences.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"For '{api}', {_names(lengths)} must have one length, but got {_pairs(lengths)}.")


def check_length(api: str, argument: str, value: Any, *lengths: int) -> Any:
    """Returns a sequence if it has one of the lengths; raises `ValueError` if not."""
    if len(value) in lengths:
        return value
    raise value_error(api, argument, f"of length {_alternatives(lengths)}", value)


def check_tensors(api: str, **values: Any) -> None:
    """Raises `TypeError` for a number, a sequence or other values without a shape; operations refuse NumPy's arrays.

    >>> check_tensors("split", tensor=[1, 2])
    Traceback (most recent call last):
    TypeError: For 'split', the 'tensor' must be Tensor, but got [1, 2] of type 'list'.
    """
    for argument, value in values.items():
        if not hasattr(value, "shape"):
            raise type_error(api, argument, "Tensor", value)


def check_rank(api: str, argument: str, value: Any, *ranks: int) -> Any:
    """Returns a Tensor or array if its rank is in `ranks`; raises `ValueError` if not.

    >>> check_rank("Softmax2d", "x", np.zeros((2, 3)), 3, 4)
    Traceback (most recent call last):
    ValueError: For 'Softmax2d', the 'x' must have 3 or 4 dimensions, but got shape (2, 3).
    """
    if getattr(value, "ndim", None) in ranks:
        return value
    raise _rank_error(api, argument, _alternatives(ranks), value)


def check_rank_at_least(api: str, argument: str, value: Any, least: int) -> Any:
    """Returns a Tensor or array if it has so many dimensions or more; raises `ValueError` if not."""
    if value.ndim >= least:
        return value
    raise _rank_error(api, argument, f"at least {least}", value)


def check_rank_at_most(api: str, argument: str, value: Any, most: int) -> Any:
    """Returns a Tensor or array if it has so many dimensions or fewer; raises `ValueError` if not."""
    if value.ndim <= most:
        return value
    raise _rank_error(api, argument, f"at most {most}", value)


def check_square(api: str, argument: str, value: Any) -> Any:
    """Returns a Tensor or array of square matrices; raises `ValueError` for another."""
    if value.ndim > 1 and value.shape[-1] == value.shape[-2]:
        return value
    raise ValueError(f"For '{api}', the '{argument}' must hold square matrices, but got shape {value.shape}.")


def check_shape(api: str, argument: str, value: Any, shape: Iterable[int]) -> Any:
    """Returns a Tensor or array if it has this shape; raises `ValueError` if not."""
    wanted = tuple(shape)
    if getattr(value, "shape", None) == wanted:
        return value
    check_tensors(api, **{argument: value})
    raise ValueError(f"For '{api}', the '{argument}' must have shape {wanted}, but got {value.shape}.")


def check_same_shape(api: str, **tensors: Any) -> None:
    """Raises `ValueError` unless the Tensors or arrays, by their names, have one shape."""
    shapes = {name: tuple(value.shape) for name, value in tensors.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"For '{api}', {_names(shapes)} must have one shape, but got {_pairs(shapes)}.")


def check_same_dtype(api: str, **tensors: Any) -> None:
    """Raises `TypeError` unless the Tensors or arrays, by their names, have one dtype."""
    check_tensors(api, **tensors)
    dtypes = {name: value.dtype for name, value in tensors.items()}
    if len(set(dtypes.values())) > 1:
        raise TypeError(f"For '{api}', {_names(dtypes)} must have one dtype, but got {_pairs(dtypes)}.")


def check_dtype(api: str, argument: str, value: Any, *dtypes: Any) -> Any:
    """Returns a Tensor or array with one of the dtypes; raises `TypeError` for another."""
    if getattr(value, "dtype", None) in dtypes:
        return value
    raise _dtype_error(api, argument, _alternatives([_dtype_name(dtype) for dtype in dtypes]), value)


def check_integers(api: str, argument: str, value: Any) -> Any:
    """Returns a Tensor or array of integers; raises `TypeError` for another."""
    if _kind(value.dtype) in "iu":
        return value
    raise _dtype_error(api, argument, "integers", value)


def _rank_error(api: str, argument: str, ranks: str, value: Any) -> ValueError:
    check_tensors(api, **{argument: value})
    return ValueError(f"For '{api}', the '{argument}' must have {ranks} dimensions, but got shape {value.shape}.")


def _dtype_error(api: str, argument: str, expected: str, value: Any) -> TypeError:
    check_tensors(api, **{argument: value})
    return TypeError(f"For '{api}', the '{argument}' must hold {expected}, but got {_dtype_name(value.dtype)}.")


def _kind(dtype: Any) -> str:
    return np.dtype(getattr(dtype, "np_dtype", dtype)).kind


def _dtype_name(dtype: Any) -> str:
    return str(dtype if hasattr(dtype, "np_dtype") else mstype.np_dtype_to_ms(np.dtype(dtype)))


def _alternatives(values: Collection[Any]) -> str:
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + " or " + texts[-1]


def _names(found: dict[str, Any]) -> str:
    names = [f"'{name}'" for name in found]
    return ", ".join(names[:-1]) + " and " + names[-1]


def _pairs(found: dict[str, Any]) -> str:
    return " and ".join(str(value) for value in found.values())


# -- descriptors -----------------------------------------------------------------------------------------------------
class OfType:
    """A value whose type is one of `types`; as `errors.check_type`, without bools among numbers."""

    def __init__(self, *types: type):
        self.types = types

    def __call__(self, api: str, argument: str, value: Any) -> Any:
        return errors.check_type(api, argument, value, self.types)


class Range:
    """A number in a range; other types raise `TypeError`, numbers outside and NaN `ValueError`.

    Args:
        low: the lower end.
        high: the upper end.
        ends: which ends belong to the range: "[]", "[)", "(]" or "()".
        types: those that are taken.
    """

    def __init__(self, low: float, high: float = math.inf, ends: str = "[]", *types: type):
        self.low, self.high, self.ends, self.types = low, high, ends, types or (int, float)

    def __call__(self, api: str, argument: str, value: Any) -> Any:
        errors.check_type(api, argument, value, self.types)
        return check_within(api, argument, value, self.low, self.high, self.ends)


class Choice:
    """One of some values; all others raise `ValueError`."""

    def __init__(self, *choices: Any):
        self.choices = choices

    def __call__(self, api: str, argument: str, value: Any) -> Any:
        return check_choice(api, argument, value, self.choices)


class Optional:
    """None, or what another check takes."""

    def __init__(self, check: Check):
        self.check = check

    def __call__(self, api: str, argument: str, value: Any) -> Any:
        return value if value is None else self.check(api, argument, value)


BOOL: Check = errors.check_bool
INT_OR_SEQUENCE: Check = OfType(int, tuple, list)


def check_all(api: str, given: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
    """Run the checks, in their order, on the arguments that they belong to."""
    for argument, check in checks.items():
        check(api, argument, given[argument])
