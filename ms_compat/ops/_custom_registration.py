"""What `CustomRegOp` says about the function of an `ops.Custom`: attributes, and the dtypes that it takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

_TARGETS = ("Ascend", "GPU", "CPU")
_names_of_attributes: dict[Any, list[str]] = {}  # by function


class Registration(NamedTuple):
    """One description.

    Args:
        name: the operator's name.
        inputs: the number of inputs.
        several: whether functions in C++ infer several outputs.
        dtypes: rows with a dtype's name for each input and output; "" stands for any.
        attributes: the values of attributes.
        late: the names of attributes that are given with the call, after the inputs.
    """

    name: str
    inputs: int
    several: bool
    dtypes: tuple[tuple[str, ...], ...]
    attributes: dict[str, Any]
    late: tuple[str, ...]

    def check(self, api: str, given: Sequence[str], promised: Sequence[str]) -> None:
        """Raises `TypeError` if the dtypes of inputs and outputs fit no row.

        Rows for another number of arrays are not compared: they cannot say how many a tuple of Tensors holds.
        """
        rows = [row for row in self.dtypes if len(row) == len(given) + len(promised)]
        if rows and not any(_fits(row, (*given, *promised)) for row in rows):
            raise TypeError(
                f"For '{api}', 'reg_info' lists the dtypes {[list(row) for row in rows]} of inputs and outputs, but "
                f"got inputs of {list(given)} and outputs of {list(promised)}."
            )


def _fits(row: Sequence[str], names: Sequence[str]) -> bool:
    return all(wanted in ("", "None", name) for wanted, name in zip(row, names, strict=True))


def read(api: str, func: Any, func_type: str, reg_info: Any) -> Registration | None:
    """The description for the CPU, or the first one if there is none; None without any.

    Args:
        api: the name for messages.
        func: the function, or its name, which keeps the names of its attributes.
        func_type: its kind.
        reg_info: a dict, its JSON text, or a tuple or list of them, however deep.

    Raises:
        TypeError: another type.
        ValueError: it has no target, or other attributes than an earlier description of the same function.
    """
    if reg_info is None:
        return None
    entries = [_entry(api, item) for item in _expanded(reg_info)]
    if not entries:
        return None
    for entry in entries:
        _check_target(api, func_type, entry)
        names = [item["name"] for item in _listed(entry, "attr") if item.get("name") is not None]
        before = _names_of_attributes.setdefault(func, names)
        if before != names:
            raise ValueError(
                f"For '{api}', the 'reg_info' must have the attributes {before}, as {func} was registered with these "
                f"before, but got {names}."
            )
    entry = next((e for e in entries if e.get("target") == "CPU"), entries[0])
    inputs, outputs, attributes = (_listed(entry, key) for key in ("inputs", "outputs", "attr"))
    return Registration(
        name=entry.get("op_name") or "Custom",
        inputs=len(inputs),
        several=len(outputs) > 1 or (len(outputs) == 1 and outputs[0].get("paramType") == "dynamic"),
        dtypes=tuple(tuple(pair[0] for pair in row) for row in entry.get("dtype_format", ())),
        attributes={a["name"]: a["value"] for a in attributes if a.get("value") is not None},
        late=tuple(a["name"] for a in attributes if a.get("value") is None and a.get("name") is not None),
    )


def _expanded(reg_info: Any) -> list[Any]:
    if isinstance(reg_info, (tuple, list)):
        return [entry for item in reg_info for entry in _expanded(item)]
    return [reg_info]


def _entry(api: str, item: Any) -> dict[str, Any]:
    entry = json.loads(item) if isinstance(item, str) else item
    if not isinstance(entry, dict):
        raise TypeError(
            f"For '{api}', the 'reg_info' must be a dict, its JSON text, or a tuple or list of them, but got "
            f"{type(item).__name__}."
        )
    return entry


def _listed(entry: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = entry.get(key, [])
    return [item for item in (value if isinstance(value, (tuple, list)) else [value]) if isinstance(item, dict)]


def _check_target(api: str, func_type: str, entry: dict[str, Any]) -> None:
    """A description has a target, or another setting that MindSpore takes it from."""
    targets = (
        entry.get("target"),
        {"AiCore": "Ascend", "CUDA": "GPU", "CPU": "CPU"}.get(entry.get("processor", "")),
        {"TBE": "Ascend", "GPU": "GPU", "CPU": "CPU"}.get(entry.get("imply_type", "")),
        {"tbe": "Ascend", "pyfunc": "CPU"}.get(func_type),
    )
    if not any(target in _TARGETS for target in targets):
        raise ValueError(
            f"For '{api}', the target of 'reg_info' must be one of {list(_TARGETS)}, but got {entry.get('target')}."
        )
