"""Argument checks under MindSpore's inner path, which scripts import; `Validator` and `Rel` come from 1.x.

A check returns the value, or raises `TypeError` or `ValueError` and names the argument.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np

EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)

_RELATIONS: dict[int, tuple[str, Callable[[Any, Any], bool]]] = {
    EQ: ("equal to", lambda a, b: a == b),
    NE: ("not equal to", lambda a, b: a != b),
    LT: ("less than", lambda a, b: a < b),
    LE: ("less than or equal to", lambda a, b: a <= b),
    GT: ("greater than", lambda a, b: a > b),
    GE: ("greater than or equal to", lambda a, b: a >= b),
    IN: ("in", lambda a, b: a in b),
    NOT_IN: ("not in", lambda a, b: a not in b),
}
_ENDS = {INC_NEITHER: "()", INC_LEFT: "[)", INC_RIGHT: "(]", INC_BOTH: "[]"}


def _of(arg_name: str | None, prim_name: str | None) -> str:
    return (f"For '{prim_name}', the " if prim_name else "The ") + (f"'{arg_name}'" if arg_name else "argument")


def _typed(value: Any, types: Any, text: str, arg_name: str | None, prim_name: str | None) -> Any:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, types):
        raise TypeError(f"{_of(arg_name, prim_name)} must be {text}, but got {value!r} of type {type(value).__name__}.")
    return value


def _integer(value: Any, arg_name: str | None, prim_name: str | None) -> Any:
    return _typed(value, (int, np.integer), "an int", arg_name, prim_name)


def _real(value: Any, arg_name: str | None, prim_name: str | None) -> Any:
    _typed(value, (float, np.floating), "a float", arg_name, prim_name)
    if not math.isfinite(value):
        raise ValueError(f"{_of(arg_name, prim_name)} must be finite, but got {value}.")
    return value


def _related(value: Any, rel: int, other: Any, arg_name: str | None, prim_name: str | None, kind: type = ValueError):
    text, holds = _RELATIONS[rel]
    if not holds(value, other):
        raise kind(f"{_of(arg_name, prim_name)} must be {text} {other}, but got {value}.")
    return value


def _ranged(value: Any, low: Any, high: Any, rel: int, arg_name: str | None, prim_name: str | None) -> Any:
    ends = _ENDS[rel]
    above = value >= low if ends[0] == "[" else value > low
    below = value <= high if ends[1] == "]" else value < high
    if not (above and below):
        raise ValueError(
            f"{_of(arg_name, prim_name)} must be in range of {ends[0]}{low}, {high}{ends[1]}, but got {value}."
        )
    return value


def check(arg_name, arg_value, value_name, value, rel=EQ, prim_name=None, excp_cls=ValueError):
    """Checks a relation of two values, such as `check("a", 3, "b", 2, GE)`."""
    text, holds = _RELATIONS[rel]
    if not holds(arg_value, value):
        raise excp_cls(f"{_of(arg_name, prim_name)} must be {text} {value_name} {value}, but got {arg_value}.")
    return arg_value


def check_int(arg_value, value, rel, arg_name=None, prim_name=None):
    """Checks an int and its relation to another."""
    return _related(_integer(arg_value, arg_name, prim_name), rel, value, arg_name, prim_name)


def check_is_int(arg_value, arg_name=None, prim_name=None):
    """Checks that a value is an int."""
    return _integer(arg_value, arg_name, prim_name)


def check_is_float(arg_value, arg_name=None, prim_name=None):
    """Checks that a value is a finite float."""
    return _real(arg_value, arg_name, prim_name)


def check_equal_int(arg_value, value, arg_name=None, prim_name=None):
    """Checks that a value is a certain int."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_int_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """Checks an int and its range; `rel` is `INC_LEFT` and so on."""
    return _ranged(_integer(arg_value, arg_name, prim_name), lower_limit, upper_limit, rel, arg_name, prim_name)


def check_float_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """Checks a number and its range; `rel` is `INC_LEFT` and so on."""
    _typed(arg_value, (int, float, np.number), "a number", arg_name, prim_name)
    return _ranged(arg_value, lower_limit, upper_limit, rel, arg_name, prim_name)


def check_number(arg_name, arg_value, value, rel, prim_name):
    """Checks the relation of a number to another."""
    return _related(arg_value, rel, value, arg_name, prim_name)


def check_bool(arg_value, arg_name=None, prim_name=None):
    """Checks a bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_of(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(arg_value, valid_values, arg_name=None, prim_name=None):
    """Checks a str and that it is one of several."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ValueError(f"{_of(arg_name, prim_name)} must be one of {valid_values}, but got {arg_value!r}.")
    return arg_value


def check_value_type(arg_name, arg_value, valid_types, prim_name=None):
    """Checks the type of a value; a bool is not an int."""
    types = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    if isinstance(arg_value, types) and (not isinstance(arg_value, bool) or bool in types):
        return arg_value
    names = ", ".join("None" if t is None else t.__name__ for t in types)
    raise TypeError(f"{_of(arg_name, prim_name)} must be of type {names}, but got {type(arg_value).__name__}.")


def check_isinstance(arg_name, arg_value, classes):
    """Checks that a value is an instance of classes."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The '{arg_name}' must be an instance of {classes}, but got {type(arg_value).__name__}.")
    return arg_value


def check_subclass(arg_name, type_, template_types, prim_name, addition_error_info=None):
    """Checks that a dtype or class is, or is below, one of several."""
    several = template_types if isinstance(template_types, (list, tuple)) else (template_types,)
    for one in several:
        if type_ is one or isinstance(type_, type) and isinstance(one, type) and issubclass(type_, one):
            return
    more = f" {addition_error_info}" if addition_error_info else ""
    raise TypeError(f"{_of(arg_name, prim_name)} must be one of {list(several)}, but got {type_}.{more}")


def check_type_name(arg_name, arg_type, valid_types, prim_name):
    """Checks that a dtype is one of several."""
    if arg_type not in valid_types:
        raise TypeError(f"{_of(arg_name, prim_name)} must be one of {list(valid_types)}, but got {arg_type}.")
    return arg_type


def _signed(kind: Callable, rel: int, text: str) -> Callable:
    def checked(arg_value, arg_name=None, prim_name=None):
        return _related(kind(arg_value, arg_name, prim_name), rel, 0, arg_name, prim_name)

    checked.__doc__ = f"Checks {text}."
    return checked


check_positive_int = _signed(_integer, GT, "an int above 0")
check_non_negative_int = _signed(_integer, GE, "an int from 0 on")
check_negative_int = _signed(_integer, LT, "an int below 0")
check_non_positive_int = _signed(_integer, LE, "an int up to 0")
check_positive_float = _signed(_real, GT, "a float above 0")
check_non_negative_float = _signed(_real, GE, "a float from 0 on")
check_negative_float = _signed(_real, LT, "a float below 0")
check_non_positive_float = _signed(_real, LE, "a float up to 0")


def _each(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None, *, one: Callable) -> Any:
    if not isinstance(arg_value, (list, tuple)):
        raise TypeError(f"{_of(arg_name, prim_name)} must be a list or tuple, but got {type(arg_value).__name__}.")
    for item in arg_value:
        one(item, arg_name, prim_name)
    return arg_value


check_positive_int_sequence = partial(_each, one=check_positive_int)
check_non_negative_int_sequence = partial(_each, one=check_non_negative_int)
check_positive_float_sequence = partial(_each, one=check_positive_float)


def check_float(arg_value, value, rel, arg_name=None, prim_name=None):
    """Checks a finite float against another number."""
    return _related(_real(arg_value, arg_name, prim_name), rel, value, arg_name, prim_name)


def check_types_same_and_valid(args, valid_values, prim_name):
    """Checks that dtypes, given as {argument: dtype}, are among some."""
    for name, kind in args.items():
        if kind not in valid_values:
            known = ", ".join(map(str, valid_values))
            raise TypeError(f"For '{prim_name}', the element of '{name}' must be {known}, but got {kind}.")


def check_and_canonicalize_axes(axes, ndim):
    """Axes as a tuple of numbers from 0 on."""
    out: list[int] = []
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise TypeError(f"Each axis should be integer, but got {type(axis)} in {axes}.")
        if not -ndim <= axis < ndim:
            raise ValueError(f"The 'axis' must be in the range of [-{ndim}, {ndim}), but got {axis}.")
        if axis % ndim in out:
            raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {axes}.")
        out.append(axis % ndim)
    return tuple(out)


def _expand(value, count):
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,) * count
    if not isinstance(value, (tuple, list)) or len(value) != count:
        raise TypeError(f"An int or {count} of them must be given, but got {value!r}.")
    return tuple(value)


twice = partial(_expand, count=2)
triple = partial(_expand, count=3)


def _check_3d_int_or_tuple(
    arg_name, arg_value, prim_name, allow_five=False, ret_five=False, greater_zero=True, third_one=False,
    three_input=False, pad_value=1,
):  # fmt: skip
    """Sizes of three dimensions: an int, three ints, or five ints that begin with the batch and channel sizes.

    `three_input` chose MindSpore's wording of the message.
    """
    _typed(arg_value, (int, tuple), "int or tuple", arg_name, prim_name)
    counts, least = (3, 5) if allow_five else (3,), 1 if greater_zero else 0
    given = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    out = (pad_value, pad_value, *given[-3:]) if ret_five else given[-3:]
    if len(given) not in counts or any(type(n) is not int or n < least for n in (*given, *out)):
        raise ValueError(f"{_of(arg_name, prim_name)} must be {counts} ints from {least} on, but got {arg_value}.")
    if third_one and out[-3] != 1:
        raise ValueError(f"For '{prim_name}', the depth of parameter '{arg_name}' must be 1, but got {out[-3]}.")
    return out


def args_type_check(*type_args, **type_kwargs):
    """Decorator that checks the types of a function's arguments; `None` is let through."""

    def decorate(fn):
        signature = inspect.signature(fn)
        wanted = signature.bind_partial(*type_args, **type_kwargs).arguments
        wanted = wanted.get("kwargs", wanted)  # in a function with **kwargs, MindSpore checks only these

        @wraps(fn)
        def checked(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.get("kwargs", given).items():
                if name in wanted and value is not None and not isinstance(value, wanted[name]):
                    raise TypeError(f"The parameter '{name}' must be {wanted[name]}, but got {type(value)}.")
            return fn(*args, **kwargs)

        return checked

    return decorate


class Rel:
    """The relations of MindSpore 1.x, such as `Rel.GE`."""


class Validator:
    """The checks of MindSpore 1.x, such as `Validator.check_positive_int(3)`."""


for _name, _value in list(globals().items()):
    if _name.isupper() and isinstance(_value, int):
        setattr(Rel, _name, _value)
    elif _name.startswith("check") or _name == "args_type_check":
        setattr(Validator, _name, staticmethod(_value))
