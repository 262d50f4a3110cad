"""The error for unsupported features, and the wording that all other errors use.

MindSpore raises `TypeError` for an argument of a wrong type and `ValueError` for a wrong value, and says "For
'<API>', the '<argument>' must be ..., but got ...". The helpers here raise those classes with that sentence, naming
the API, the argument, what was expected and what came. They return the checked value, so that a constructor can write
`self.p = check_float_range("Dropout", "p", p, 0, 1, "[)")`; their strings are built only when they fail.

As in MindSpore a `bool` is not an `int` here, and neither is a numpy integer.
"""

import functools
import re
from collections.abc import Callable, Collection
from typing import Any, NoReturn

_COVERAGE = "'python -m ms_compat check --coverage' prints what is covered."


class UnsupportedError(NotImplementedError):
    """Raised where a program uses a MindSpore API that ms_compat does not serve, instead of a wrong number.

    Wrong, an API that needs Ascend hardware::

        import ms_compat as ms

        mask = ms.ops.NPUGetFloatStatus()(status)     # UnsupportedError: 'mindspore.ops.NPUGetFloatStatus' is ...

    Right, what the message names as the way out::

        mask = ms.ops.isfinite(x).all()

    Args:
        api: the name of the API, such as "mindspore.ops.NPUGetFloatStatus". A sentence, given alone, is the message.
        hint: the way out: the nearest thing that works, or what to do instead.

    >>> raise UnsupportedError("mindspore.ops.Foo", "Use 'mindspore.ops.relu'.")
    Traceback (most recent call last):
    ms_compat._core.errors.UnsupportedError: 'mindspore.ops.Foo' is not supported by ms_compat. Use 'mindspore...
    """

    def __init__(self, api: str, hint: str = "") -> None:
        self.api = api
        self.hint = hint
        if hint or " " not in api:
            parts = [f"'{api}' is not supported by ms_compat.", hint, _COVERAGE]
            super().__init__(" ".join(part for part in parts if part))
        else:
            super().__init__(api)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.api, self.hint)


class NotTraceableError(TypeError):
    """Raised while a function is traced, where its Python needs a value that is known at run time only.

    The compiled function that traces catches it and runs in Python instead (`_compile/fallback/breaks.py`); under
    `jit(fullgraph=True)` it reaches the user.

    Attributes:
        place: the user's line where it happened, as "file:line: source", if its traceback does not have it.
    """

    place = ""


class StrictSyntaxError(NotTraceableError):
    """Raised for Python that MindSpore compiles in its syntax level LAX alone, such as a changed attribute.

    It reaches the user in the levels below, in LAX only under `jit(fullgraph=True)`.
    """


class StrictAttributeError(StrictSyntaxError, AttributeError):
    """Raised for `Tensor.asnumpy()`, an attribute that traced Tensors do not have in the levels below LAX."""


class JoinError(NotTraceableError):
    """Raised where the paths of an `if` or a loop leave values of different kinds in one variable.

    In the syntax level STRICT it reaches the user.
    """


class TapeOnlyError(NotTraceableError):
    """Raised where a trace meets a gradient that the tape alone has."""


class IntegerGradientError(TapeOnlyError):
    """Raised where a trace meets the gradient of an integer Tensor."""


class AmbiguousTruthError(NotTraceableError, ValueError):
    """Raised where Python needs a truth value of several traced elements; a ValueError outside traces."""


class UnsupportedMethodError(UnsupportedError, AttributeError):
    """Raised where an object lacks a method that MindSpore's has; `hasattr(tensor, name)` is False then."""

    def __init__(self, api: str, hint: str = "") -> None:
        super().__init__(api, hint)
        _without_guess(self, api.rpartition(".")[2])


# What programs see of these classes: tracebacks, pickles and `except` name the public module.
for _public in (
    UnsupportedError, UnsupportedMethodError, NotTraceableError, StrictSyntaxError, StrictAttributeError, JoinError,
    TapeOnlyError, IntegerGradientError, AmbiguousTruthError,
):  # fmt: skip
    _public.__module__ = __name__.partition(".")[0]


class _Nameless:
    """The `obj` of an AttributeError whose message says all: Python finds no name in it to guess from."""

    def __dir__(self) -> list[str]:
        return []


def _without_guess(error: AttributeError, name: str) -> AttributeError:
    error.name, error.obj = name, _Nameless()
    return error


def attribute_error(message: str, name: str) -> AttributeError:
    """The error for a missing attribute with a message that is a sentence and holds the hint.

    Python ends the message of an uncaught AttributeError with a guess, "Did you mean: 'x'?". A message that already
    has a better one, or says why the attribute is missing, is shown without.

    Args:
        message: the whole message.
        name: the attribute that is missing.

    >>> error = attribute_error("module 'mindspore.nn' has no attribute 'Module'. Use 'Cell'.", "Module")
    >>> error.name, dir(error.obj)
    ('Module', [])
    """
    return _without_guess(AttributeError(message), name)


def behind_checks(setter: Callable[..., None]) -> Callable[..., None]:
    """The setter as `__wrapped__` of another function: MindSpore's stand behind checks, past which scripts reach.

    >>> from ms_compat import set_context
    >>> set_context.__wrapped__(mode=1)
    """

    @functools.wraps(setter)
    def checked(**kwargs: Any) -> None:
        setter(**kwargs)

    return checked


def value_and_type(value: object) -> str:
    """Says what came, short enough for one line: the value and its type.

    >>> value_and_type(3), value_and_type("a"), value_and_type(None)
    ("3 of type 'int'", "'a' of type 'str'", "None of type 'NoneType'")
    """
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    if len(text) > 80 or "\n" in text:
        text = " ".join(text[:80].split()) + "..."
    return f"{text} of type '{type(value).__name__}'"


def type_error(api: str, argument: str, expected: str, value: object) -> TypeError:
    """Makes the `TypeError` for an argument; `expected` completes "must be".

    >>> type_error("batch", "per_batch_map", "callable", 3)
    TypeError("For 'batch', the 'per_batch_map' must be callable, but got 3 of type 'int'.")
    """
    return TypeError(
        f"For '{api}', the '{argument}' must be {expected}, but got {value_and_type(value)}.{_missing_call(value)}"
    )


def _missing_call(value: object) -> str:
    """The hint for a class where its instance was meant, `RandomSampler` for `RandomSampler()`; empty for others."""
    if not isinstance(value, type):
        return ""
    return f" It is a class: '{value.__name__}(...)' makes the instance."


def value_error(api: str, argument: str, expected: str, value: object) -> ValueError:
    """Makes the `ValueError` for an argument; `expected` completes "must be"."""
    return ValueError(f"For '{api}', the '{argument}' must be {expected}, but got {value_and_type(value)}.")


def unsupported_argument(api: str, argument: str, value: object, hint: str = "") -> NoReturn:
    """Raises `UnsupportedError` for one value of an argument; the API is supported otherwise."""
    raise UnsupportedError(
        f"For '{api}', the '{argument}' of {value_and_type(value)} is not supported by "
        f"ms_compat.{' ' + hint if hint else ''}"
    )


def check_type(api: str, argument: str, value: Any, types: type | tuple[type, ...]) -> Any:
    """Returns the value if it has one of the types.

    Args:
        api: the API's name as the user wrote it.
        argument: the argument's name.
        value: what came.
        types: a type or a tuple of types; `int` and `float` do not admit a `bool`, unless `bool` is named too.

    Raises:
        TypeError: if it is not.

    >>> check_type("Dense", "activation", "relu", str)
    'relu'
    """
    wanted = types if isinstance(types, tuple) else (types,)
    if isinstance(value, wanted) and (not isinstance(value, bool) or bool in wanted or object in wanted):
        return value
    names = ["None" if t is type(None) else t.__name__ for t in wanted]
    expected = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
    raise type_error(api, argument, expected, value)


def check_bool(api: str, argument: str, value: Any) -> bool:
    """Returns the value if it is a `bool`; raises `TypeError` if not."""
    if value is True or value is False:
        return value
    raise type_error(api, argument, "bool", value)


def check_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` and no `bool`; raises `TypeError` if not."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise type_error(api, argument, "int", value)


def check_positive_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` > 0; raises `TypeError` for another type, `ValueError` for another value.

    >>> check_positive_int("Dense", "in_channels", -1)
    Traceback (most recent call last):
    ValueError: For 'Dense', the 'in_channels' must be int and > 0, but got -1 of type 'int'.
    """
    if check_int(api, argument, value) > 0:
        return value
    raise value_error(api, argument, "int and > 0", value)


def check_non_negative_int(api: str, argument: str, value: Any) -> int:
    """Returns the value if it is an `int` >= 0; raises `TypeError` for another type, `ValueError` for another value."""
    if check_int(api, argument, value) >= 0:
        return value
    raise value_error(api, argument, "int and >= 0", value)


def check_number(api: str, argument: str, value: Any) -> int | float:
    """Returns the value if it is an `int` or a `float` and no `bool`; raises `TypeError` if not."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    raise type_error(api, argument, "int or float", value)


def in_range(value: float, low: float, high: float, ends: str) -> bool:
    above = value >= low if ends[0] == "[" else value > low
    below = value <= high if ends[1] == "]" else value < high
    return above and below


def check_int_range(api: str, argument: str, value: Any, low: int, high: int, ends: str = "[]") -> int:
    """Returns the value if it is an `int` in a range.

    Args:
        api: the API's name as the user wrote it.
        argument: the argument's name.
        value: what came.
        low: the lower end.
        high: the upper end.
        ends: which ends belong to the range: "[]", "[)", "(]" or "()".

    Raises:
        TypeError: if it is not an `int`.
        ValueError: if it is outside.

    >>> check_int_range("softmax", "axis", 5, -2, 2, "[)")
    Traceback (most recent call last):
    ValueError: For 'softmax', the 'axis' must be int in range [-2, 2), but got 5 of type 'int'.
    """
    if in_range(check_int(api, argument, value), low, high, ends):
        return value
    raise value_error(api, argument, f"int in range {ends[0]}{low}, {high}{ends[1]}", value)


def check_float_range(api: str, argument: str, value: Any, low: float, high: float, ends: str = "[]") -> int | float:
    """Returns the value if it is a number in a range; NaN is in none.

    Args:
        api: the API's name as the user wrote it.
        argument: the argument's name.
        value: what came, a `float` or an `int`.
        low: the lower end.
        high: the upper end.
        ends: which ends belong to the range: "[]", "[)", "(]" or "()".

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is outside.
    """
    if in_range(check_number(api, argument, value), low, high, ends):
        return value
    raise value_error(api, argument, f"a number in range {ends[0]}{low}, {high}{ends[1]}", value)


def check_one_of(api: str, argument: str, value: Any, choices: Collection[Any]) -> Any:
    """Returns the value if it is one of the choices; raises `ValueError` if not, `TypeError` if it has another type.

    >>> check_one_of("Conv2d", "pad_mode", "nope", ("valid", "same", "pad"))
    Traceback (most recent call last):
    ValueError: For 'Conv2d', the 'pad_mode' must be one of ['valid', 'same', 'pad'], but got 'nope' of type 'str'.
    """
    types = {type(choice) for choice in choices}
    if type(value) not in types:
        raise type_error(api, argument, f"one of {list(choices)}", value)
    if value not in choices:
        raise value_error(api, argument, f"one of {list(choices)}", value)
    return value
