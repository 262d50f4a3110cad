"""Checks of arguments, in the words of MindSpore's validators for data sets.

MindSpore's data sets do not say "For 'X', the 'y' must be ...", as its operators do. They say "Argument y with value v
is not of type [...]" and "Input y is not within the required interval of [a, b]", and users' tests match these words.
The checks here raise the same classes as the checks in `_core/errors.py`. They put the name of the API before the
sentence, and the value that came behind it.
"""

from typing import Any, TypeVar

from ms_compat._core.errors import in_range, value_and_type

INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1
_SHOWN = 80
_Error = TypeVar("_Error", bound=Exception)


def type_error(api: str, argument: str, types: type | tuple[type, ...], value: object) -> TypeError:
    """Makes the `TypeError` for an argument that has none of the types.

    >>> type_error("skip", "count", int, "2")
    TypeError("For 'skip': Argument count with value 2 is not of type [<class 'int'>], but got <class 'str'>.")
    """
    wanted = types if isinstance(types, tuple) else (types,)
    shown = '""' if isinstance(value, str) and not value else str(value)
    if len(shown) > _SHOWN:
        shown = shown[:_SHOWN] + "..."
    # MindSpore shows the tuple itself where a bool came for an int.
    names = wanted if isinstance(value, bool) and int in wanted else list(wanted)
    return TypeError(
        f"For '{api}': Argument {argument} with value {' '.join(shown.split())} is not of type {names}, "
        f"but got {type(value)}."
    )


def interval_error(api: str, argument: str, low: object, high: object, value: object, ends: str = "[]") -> ValueError:
    """Makes the `ValueError` for an argument outside of an interval; `ends` says which ends belong to it.

    >>> interval_error("shuffle", "buffer_size", 2, 9, 1)
    ValueError("For 'shuffle': Input buffer_size is not within the required interval of [2, 9]. Got 1 of type 'int'.")
    """
    return ValueError(
        f"For '{api}': Input {argument} is not within the required interval of {ends[0]}{low}, {high}{ends[1]}. "
        f"Got {value_and_type(value)}."
    )


def argument_error(error: type[_Error], api: str, sentence: str, value: object) -> _Error:
    """Makes an error of the sentence that MindSpore says about an argument.

    >>> argument_error(ValueError, "Crop", "Coordinates should be a list/tuple (y, x) of length 2.", [1])
    ValueError("For 'Crop': Coordinates should be a list/tuple (y, x) of length 2. Got [1] of type 'list'.")
    """
    return error(f"For '{api}': {sentence} Got {value_and_type(value)}.")


def not_one_tensor(api: str, count: int) -> RuntimeError:
    """Makes the `RuntimeError` for a transform of one column that was called with none or several."""
    return RuntimeError(f"For '{api}': The op is OneToOne, can only accept one tensor as input. Got {count}.")


def check_type(api: str, argument: str, value: Any, types: type | tuple[type, ...]) -> Any:
    """Returns the value if it has one of the types; a `bool` is an `int` only where `bool` is named too.

    Raises:
        TypeError: if it has none of them.
    """
    wanted = types if isinstance(types, tuple) else (types,)
    if isinstance(value, wanted) and (not isinstance(value, bool) or bool in wanted or object in wanted):
        return value
    raise type_error(api, argument, wanted, value)


def check_bool(api: str, argument: str, value: Any) -> bool:
    """Returns the value if it is a `bool`; raises `TypeError` if not."""
    if value is True or value is False:
        return value
    raise type_error(api, argument, bool, value)


def check_kind(api: str, argument: str, value: Any, kind: type, words: str) -> Any:
    """Checks a type in the words of MindSpore's tokenizers; raises `TypeError`.

    Args:
        api: the API's name as the user wrote it.
        argument: the argument's name.
        value: what came.
        kind: the type.
        words: what the type is called.

    >>> check_kind("BertTokenizer", "lower_case", 1, bool, "boolean")
    Traceback (most recent call last):
    TypeError: For 'BertTokenizer': Wrong input type for lower_case, should be boolean. Got 1 of type 'int'.
    """
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise argument_error(TypeError, api, f"Wrong input type for {argument}, should be {words}.", value)


def check_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` and no `bool`; raises `TypeError` if not."""
    return check_type(api, argument, value, int)


def check_number(api: str, argument: str, value: Any) -> int | float:
    """Returns the value if it is an `int` or a `float` and no `bool`; raises `TypeError` if not."""
    return check_type(api, argument, value, (float, int))


def check_int_range(api: str, argument: str, value: Any, low: int, high: int, ends: str = "[]") -> int:
    """Returns the value if it is an `int` in a range; raises `TypeError` for another type, else `ValueError`.

    >>> check_int_range("skip", "count", -1, 0, INT32_MAX)
    Traceback (most recent call last):
    ValueError: For 'skip': Input count is not within the required interval of [0, 2147483647]. Got -1 of type 'int'.
    """
    return check_within(api, argument, check_int(api, argument, value), low, high, ends)


def check_positive_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` > 0 of 32 bits; raises `TypeError` for another type, else `ValueError`."""
    return check_int_range(api, argument, value, 1, INT32_MAX)


def check_non_negative_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` >= 0 of 32 bits; raises `TypeError` for another type, else `ValueError`."""
    return check_int_range(api, argument, value, 0, INT32_MAX)


def check_within(api: str, argument: str, value: Any, low: float, high: float, ends: str = "[]") -> Any:
    """Returns the value, a number, if it is in a range; raises `ValueError` if not. NaN is in none."""
    if in_range(value, low, high, ends):
        return value
    raise interval_error(api, argument, low, high, value, ends)


def check_float_range(api: str, argument: str, value: Any, low: float, high: float, ends: str = "[]") -> int | float:
    """Returns the value if it is a number in a range; NaN is in none.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is outside.
    """
    return check_within(api, argument, check_number(api, argument, value), low, high, ends)
