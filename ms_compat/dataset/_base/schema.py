"""`Schema`: names, dtypes and shapes of columns, built in Python or read from JSON."""

import json
import os
from typing import Any

from ms_compat._core.dtype import Type
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json, read_json
from ms_compat.dataset._support.arguments import check_type

_NAMES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "string",
)


def _type_name(given: Any) -> str:
    """A dtype's lower-case name, as in the JSON form."""
    if isinstance(given, Type):
        name = str(given).lower()
    elif isinstance(given, str):
        name = given
    else:
        name = ""
    name = {"bool_": "bool", "string_": "string"}.get(name, name)
    if name not in _NAMES:
        raise TypeError(f"For 'Schema', the type of a column must be one of {list(_NAMES)}, but got {given!r}.")
    return name


@faces("dataset")
class Schema:
    """Describes the columns of a dataset.

    Args:
        schema_file: path of a JSON file to read; None starts empty.

    Raises:
        ValueError: if there is no such file.
        RuntimeError: if it cannot be read or is not a schema.

    >>> schema = Schema()
    >>> schema.add_column("label", "int64", [])
    >>> schema.columns
    [{'name': 'label', 'type': 'int64', 'rank': 0, 'shape': []}]
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.columns: list[dict[str, Any]] = []
        self._extra: dict[str, Any] = {}
        if schema_file is not None:
            check_type("Schema", "schema_file", schema_file, str)
            if not os.path.isfile(schema_file):
                raise value_error("Schema", "schema_file", "a file that exists", schema_file)
            try:
                with open(schema_file, encoding="utf-8") as file:
                    self.from_json(parse_json(file.read()))
            except (OSError, ValueError, OverflowError) as error:
                raise RuntimeError(
                    f"For 'Schema', the 'schema_file' must be a JSON schema, but {schema_file!r} gave: {error}"
                ) from error

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Adds a column.

        Args:
            name: its name.
            de_type: a dtype or its name, such as "int64".
            shape: its shape, if it is fixed; -1 for an axis that is not.

        Raises:
            TypeError: for another type or an unknown dtype.
        """
        if not check_type("Schema.add_column", "name", name, str):
            raise type_error("Schema.add_column", "name", "a str that is not empty", name)
        entry: dict[str, Any] = {"name": name, "type": _type_name(de_type)}
        if shape is not None:
            check_type("Schema.add_column", "shape", shape, list)
            for k, size in enumerate(shape):
                check_type("Schema.add_column", f"shape[{k}]", size, int)
            entry.update(rank=len(shape), shape=list(shape))
        else:
            entry["rank"] = 1
        self.columns.append(entry)

    def parse_columns(self, columns: Any) -> None:
        """Reads the columns from a list of dicts, or from a dict that maps names to dicts, in the names' order.

        Raises:
            RuntimeError: if they are neither, or if a column's name or type is missing or unknown.
        """
        if isinstance(columns, dict):
            entries = [
                {"name": name, **columns[name]} if isinstance(columns[name], dict) else columns[name]
                for name in sorted(columns)
            ]
        elif isinstance(columns, list):
            entries = columns
        else:
            raise RuntimeError(
                f"For 'Schema.parse_columns', the 'columns' must be a dict or a list, but got {columns!r}."
            )
        self.columns = []
        for entry in entries:
            if not isinstance(entry, dict) or "name" not in entry or "type" not in entry:
                raise RuntimeError(
                    f"For 'Schema.parse_columns', a column must have 'name' and 'type', but got {entry!r}."
                )
            shape = entry.get("shape", [])
            try:
                self.add_column(entry["name"], entry["type"], shape if isinstance(shape, list) else [shape])
            except TypeError as error:
                raise RuntimeError(f"For 'Schema.parse_columns', {entry!r} must describe a column: {error}") from error

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Reads the schema from a JSON object with "columns" and, optionally, "datasetType" and "numRows".

        Raises:
            RuntimeError: if it has no columns, or "numRows" is not an int >= 0.
        """
        if not isinstance(json_obj, dict) or not json_obj.get("columns"):
            raise RuntimeError(f"For 'Schema.from_json', the 'json_obj' must have \"columns\", but got {json_obj!r}.")
        rows = json_obj.get("numRows", 0)
        if not isinstance(rows, int) or rows < 0:
            raise RuntimeError(f"For 'Schema.from_json', \"numRows\" must be int and >= 0, but got {rows!r}.")
        self.parse_columns(json_obj["columns"])
        self._extra = {key: json_obj[key] for key in ("datasetType", "numRows") if json_obj.get(key)}

    def num_rows(self) -> int | None:
        """How many rows are read at most, None for all: "numRows" of the JSON form."""
        return self._extra.get("numRows")

    @classmethod
    def of_file(cls, path: str) -> "Schema":
        """The schema that a dataset reads from a file.

        As in MindSpore, a column with "rank" but no "shape" takes its rows' shape, where `Schema(path)` makes it a
        scalar; with rank 0 only numbers and strings are scalars.
        """
        schema = cls(path)
        columns = read_json("Schema", path)["columns"]
        given = columns if isinstance(columns, dict) else {entry["name"]: entry for entry in columns}
        for entry in schema.columns:
            written = given[entry["name"]]
            if "shape" not in written and (written.get("rank") != 0 or entry["type"] == "uint8"):
                entry["rank"] = written.get("rank", 1)
                del entry["shape"]
        return schema

    def to_json(self) -> str:
        """The schema as JSON text."""
        columns = [
            {key: entry[key] for key in ("name", "rank", "shape", "type") if key in entry} for entry in self.columns
        ]
        return json.dumps({"columns": columns, **self._extra}, indent=2)

    def __str__(self) -> str:
        return self.to_json()
