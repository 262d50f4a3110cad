"""Whether MindSpore joins the types of two branches' results.

Its compiler gives each result one type. Tensors join if their dtypes are equal, whatever their shapes; numbers and
strings if their Python types are equal; tuples by their elements. Lists, None and other interpreted values join with
anything. `tests/_compile/control_flow/joins.json` is a recording of MindSpore.
"""

from __future__ import annotations

from typing import Any

from ms_compat._compile.analysis.refusals import refusal
from ms_compat._compile.control_flow.merging import Leaf, structure
from ms_compat._core.tensor.mutable import MutableInt
from ms_compat._core.tensor.traced_number import TracedNumber

_NUMBERS = {"b": "a bool", "i": "an int", "f": "a float"}


def unlike(a: Any, b: Any) -> str | None:
    """What two results are, where they have no type in common; None where they have, or where that is not known."""
    one, other = _kind(a), _kind(b)
    if one is None or other is None or {one, other} == {"a tuple", "a dict"}:
        return None
    if one != other:
        return f"{one} and {other}"
    if one == "a tuple":
        pairs = list(zip(a, b, strict=True)) if len(a) == len(b) else list(zip(a[:1], b[:1], strict=False))
    elif one == "a dict":
        pairs = [(a[key], b[key]) for key in a] if list(a) == list(b) else []
    else:
        return None
    return next((f"{one} with {found}" for x, y in pairs if (found := unlike(x, y))), None)


def check_item(items: list, index: Any, value: Any) -> None:
    """What a list of constant length does not take at a place that is known at run time only.

    Raises:
        TypeError: its elements, or the new one and they, have no type in common.
        ValueError: as many new elements as are known at run time only, of another type, or among several types.
    """
    if isinstance(index, slice):
        variable = any(map(_is_variable, (index.start, index.stop, index.step)))
        unknown = getattr(value, "dynamic_len", False)
        if not isinstance(value, (list, tuple)) or not variable and not unknown:
            return
        error, new = ValueError if unknown else TypeError, list(value)
    elif _is_variable(index):
        error, new = TypeError, [value]
    else:
        return
    if not items or getattr(items, "dynamic_len", False):
        return
    template = structure([*items, *new])[0]
    for other in template[1:]:
        found = unlike(template[0], other)
        if found is not None:
            raise refusal(error, f"The elements of a list that is written at a variable index are {found}.")


def _is_variable(index: Any) -> bool:
    return isinstance(index, (TracedNumber, MutableInt))


def _kind(value: Any) -> str | None:
    if isinstance(value, Leaf):
        if value.number:
            return _NUMBERS.get(value.dtype.kind)
        return None if value.weak else f"a Tensor of {value.dtype.name}"
    kinds = ((bool, "a bool"), (int, "an int"), (float, "a float"), (str, "a string"), (dict, "a dict"))
    for kind, name in kinds:
        if type(value) is kind:
            return name
    return "a tuple" if isinstance(value, tuple) else None
