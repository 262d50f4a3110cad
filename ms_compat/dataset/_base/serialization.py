"""Pipelines as JSON: `serialize`, `deserialize`, `compare`, `show`.

A node is written as its class and the arguments it was made with, {"op_type": ..., "arguments": {...}, "children":
[...]}; MindSpore's JSON has other keys, and neither can read the other's. The JSON is untrusted: `deserialize` only
makes classes of `mindspore.dataset`, with arguments that are numbers, strings, lists, arrays and such classes again.
"""

import enum
import functools
import json
import logging
import re
import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError, type_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json
from ms_compat.dataset._base.dataset import Dataset, check_tree
from ms_compat.dataset._base.schema import Schema
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset._support.init_args import Remembered, arguments

_log = logging.getLogger("ms_compat")
_DTYPE = re.compile(r"[<>|=]?(?:(?P<text>[SU])\d*|[biuf]\d{1,2})|(?:bool|u?int|float)\d*|str|bytes")
_PACKAGES = ("dataset", "dataset.vision", "dataset.transforms", "dataset.text", "dataset.audio")


@functools.cache
def _modules() -> dict[str, tuple[Any, frozenset[str]]]:
    """The packages whose classes a pipeline may contain, by name, each with its public names."""
    import importlib

    found = {name: importlib.import_module(f"ms_compat.{name}") for name in _PACKAGES}
    return {name: (module, frozenset(dir(module))) for name, module in found.items()}


def _class_of(name: Any) -> Any:
    """The class with a dotted name such as "dataset.vision.Resize"; a name from a file imports nothing."""
    package, _, leaf = name.rpartition(".") if isinstance(name, str) else ("", "", "")
    module, public = _modules().get(package, (None, frozenset()))
    found = getattr(module, leaf) if leaf in public else None
    if not isinstance(found, type) or not issubclass(found, (Remembered, enum.Enum)):
        raise RuntimeError(f"For 'deserialize', {reprlib.repr(name)} must be a class of mindspore.dataset.")
    return found


def _name_of(kind: type) -> str | None:
    """A class's public dotted name, if it has one."""
    for package, (module, public) in _modules().items():
        if kind.__name__ in public and getattr(module, kind.__name__) is kind:
            return f"{package}.{kind.__name__}"
    return None


def _encoded(value: Any, children: list[Dataset]) -> Any:
    """A value in JSON form; datasets go into `children`, and their place there names them."""
    # A case for each kind that JSON lacks. An enum may also be an int or a str, and is not written as one.
    if value is None or isinstance(value, (bool, int, float, str)) and not isinstance(value, enum.Enum):
        return value
    if isinstance(value, Dataset):
        children.append(value)
        return {"child": len(children) - 1}
    if isinstance(value, (list, tuple)):
        items = [_encoded(item, children) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, dict):
        return {"dict": [[_encoded(key, children), _encoded(item, children)] for key, item in value.items()]}
    if isinstance(value, enum.Enum):
        return {"enum": _name_of(type(value)), "name": value.name}
    if isinstance(value, mstype.Type):
        return {"dtype": str(value)}
    if isinstance(value, (np.dtype, type)) and np.dtype(value).kind in "biufSU":
        return {"numpy": np.dtype(value).name}
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        return {"array": value.tolist(), "numpy": value.dtype.str}
    if isinstance(value, Schema):
        return {"schema": json.loads(value.to_json())}
    given = arguments(value) if isinstance(value, Remembered) else None
    name = _name_of(type(value))
    if given is not None and name is not None:
        return {"class": name, "arguments": {key: _encoded(item, children) for key, item in given.items()}}
    _log.warning("serialize: JSON cannot hold %r, so the pipeline cannot be deserialized", value)
    return {"python": getattr(value, "__qualname__", type(value).__qualname__)}


def as_dict(dataset: Dataset) -> dict[str, Any]:
    """The JSON form of a pipeline."""
    children: list[Dataset] = []
    given = arguments(dataset)
    encoded: Any = {"python": type(dataset).__name__}
    if given is not None:
        encoded = {name: _encoded(value, children) for name, value in given.items() if name != "cache"}
    return {
        "op_type": type(dataset).__name__,
        "arguments": encoded,
        "children": [as_dict(child) for child in children],
    }


@faces("dataset")
def serialize(dataset: Dataset, json_filepath: str = "") -> dict[str, Any]:
    """Writes a pipeline as JSON.

    Args:
        dataset: the last node.
        json_filepath: the file to write; "" writes none.

    Returns:
        The file's contents.

    Raises:
        TypeError: for an argument of another type.

    >>> from ms_compat.dataset import NumpySlicesDataset, compare, deserialize
    >>> data = NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
    >>> compare(data, deserialize(serialize(data)))
    True
    """
    check_type("serialize", "dataset", dataset, Dataset)
    return dataset.to_json(json_filepath)


def write(dataset: Dataset, filename: str) -> dict[str, Any]:
    """The JSON form of a pipeline, written to a file unless its name is empty."""
    check_tree(dataset)
    made = as_dict(dataset)
    if check_type("to_json", "filename", filename, str):
        with open(filename, "w", encoding="utf-8") as file:
            json.dump(made, file)
    return made


@faces("dataset")
def deserialize(input_dict: dict[str, Any] | None = None, json_filepath: str | None = None) -> Dataset | None:
    """Makes the pipeline that `serialize` wrote.

    Args:
        input_dict: the result of `serialize`.
        json_filepath: or the file that it wrote.

    Returns:
        The last node; None if neither is given.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: if it is not JSON in this form, or describes a pipeline that cannot be made here.
        UnsupportedError: if a Python function was part of the pipeline.

    >>> import ms_compat.dataset as ds
    >>> made = ds.RandomDataset(total_rows=4, num_samples=4).batch(2).to_json("pipeline.json")
    >>> ds.deserialize(json_filepath="pipeline.json").get_batch_size()
    2
    """
    check_type("deserialize", "input_dict", input_dict, (dict, type(None)))
    if input_dict:
        return _pipeline(input_dict)
    if json_filepath is None:
        return None
    check_type("deserialize", "json_filepath", json_filepath, str)
    try:
        with open(json_filepath, encoding="utf-8") as file:
            held = parse_json(file.read(), finite=False)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"For 'deserialize', {json_filepath!r} must be a JSON file, but gave: {error}") from error
    return _pipeline(held)


def _pipeline(held: Any) -> Dataset:
    try:
        return _node(held)
    except RecursionError as error:
        raise RuntimeError("For 'deserialize', the pipeline is nested too deeply.") from error
    except (ValueError, OverflowError, AttributeError, LookupError) as error:
        raise RuntimeError(f"For 'deserialize', the pipeline cannot be made: {error}") from error


def _node(held: Any) -> Dataset:
    kinds = {"op_type": str, "arguments": dict, "children": list}
    if not isinstance(held, dict) or not all(isinstance(held.get(key), kind) for key, kind in kinds.items()):
        raise RuntimeError(
            f"For 'deserialize', a node must have 'op_type', 'arguments' and 'children': {reprlib.repr(held)}."
        )
    children = [_node(child) for child in held["children"]]
    if "python" in held["arguments"]:
        _refuse(held["op_type"])
    made = _made(f"dataset.{held['op_type']}", held["arguments"], children)
    if not isinstance(made, Dataset):
        raise type_error("deserialize", "op_type", "a dataset", held["op_type"])
    return made


def _made(name: str, given: dict[str, Any], children: list[Dataset]) -> Any:
    named = {key: _decoded(value, children) for key, value in given.items()}
    several = [item for key in list(named) if key.startswith("*") for item in named.pop(key)]
    return _class_of(name)(*several, **named)


def _refuse(what: str) -> Any:
    raise UnsupportedError(
        f"For 'deserialize', {what!r} is Python code or was changed after it was made, which JSON does not hold; build "
        "that pipeline in Python."
    )


def _dtype(name: Any) -> np.dtype:
    """A dtype of numbers or strings; string dtypes have no width, since the strings determine it."""
    found = _DTYPE.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise RuntimeError(f"For 'deserialize', {reprlib.repr(name)} must be a dtype of numbers or strings.")
    return np.dtype(found["text"] or name)


def _schema(value: dict[str, Any]) -> Schema:
    made = Schema()
    made.from_json(value)
    return made


# The inverses of `_encoded`, by the key that identifies the kind; an array has "numpy", too, so it comes first.
_READERS: dict[str, Callable[[dict[str, Any], list[Dataset]], Any]] = {
    "python": lambda value, children: _refuse(value["python"]),
    "child": lambda value, children: children[value["child"]],
    "tuple": lambda value, children: tuple(_decoded(item, children) for item in value["tuple"]),
    "dict": lambda value, children: {_decoded(k, children): _decoded(v, children) for k, v in value["dict"]},
    "enum": lambda value, children: _class_of(value["enum"])[value["name"]],
    "dtype": lambda value, children: next(one for one in mstype.all_types if str(one) == value["dtype"]),
    "array": lambda value, children: np.array(value["array"], _dtype(value["numpy"])),
    "numpy": lambda value, children: _dtype(value["numpy"]),
    "schema": lambda value, children: _schema(value["schema"]),
}


def _decoded(value: Any, children: list[Dataset]) -> Any:
    if isinstance(value, list):
        return [_decoded(item, children) for item in value]
    if not isinstance(value, dict):
        return value
    try:
        read = next((read for key, read in _READERS.items() if key in value), None)
        return _made(value["class"], value["arguments"], children) if read is None else read(value, children)
    except (KeyError, IndexError, StopIteration, AttributeError) as error:
        raise RuntimeError(
            f"For 'deserialize', {reprlib.repr(value)} must be what 'serialize' wrote: {error!r}"
        ) from error


@faces("dataset")
def compare(pipeline1: Dataset, pipeline2: Dataset) -> bool:
    """Whether two pipelines are equal: the same nodes with the same arguments.

    Args:
        pipeline1: one.
        pipeline2: the other.

    Raises:
        TypeError: if one is not a dataset.
    """
    for name, value in (("pipeline1", pipeline1), ("pipeline2", pipeline2)):
        check_type("compare", name, value, Dataset)
    return as_dict(pipeline1) == as_dict(pipeline2)


@faces("dataset")
def show(dataset: Dataset, indentation: int = 2) -> None:
    """Logs a pipeline as JSON, at level INFO of the logger "ms_compat".

    Args:
        dataset: the last node.
        indentation: spaces of each level.

    Raises:
        TypeError: for an argument of another type.
    """
    check_type("show", "dataset", dataset, Dataset)
    _log.info("%s", json.dumps(as_dict(dataset), indent=check_type("show", "indentation", indentation, int)))
