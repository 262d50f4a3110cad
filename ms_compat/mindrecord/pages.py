"""`MindPage`: the rows of MindRecord files, grouped by a column, page by page."""

import json
import os
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset.sources.mindrecord import MindDataset
from ms_compat.mindrecord.exceptions import MRMDefineCategoryError, ParamTypeError, ParamValueError
from ms_compat.mindrecord.writer import check_path, plain_value


@faces("mindrecord")
class MindPage:
    """Reads rows of MindRecord files by the value of a column and by page.

    Args:
        file_name: one file, whose shards are read too, or a list of all files.
        num_consumer: accepted; rows are read by the caller's thread.

    Raises:
        ParamValueError: for a path or a `num_consumer` of another type or value.
        RuntimeError: if a file does not exist or is not a MindRecord file.

    >>> from ms_compat.mindrecord import FileWriter
    >>> writer = FileWriter("birds.mindrecord", overwrite=True)
    >>> writer.add_schema({"name": {"type": "string"}, "size": {"type": "int32"}})
    >>> writer.write_raw_data([{"name": "owl", "size": 3}, {"name": "wren", "size": 1}, {"name": "owl", "size": 4}])
    >>> writer.commit()
    >>> page = MindPage("birds.mindrecord")
    >>> page.category_field = "name"
    >>> page.read_category_info()
    '{"categories":[{"count":2,"id":0,"name":"owl"},{"count":1,"id":1,"name":"wren"}],"key":"name_0"}'
    >>> page.read_at_page_by_name("owl", page=1, num_row=1)
    [{'name': 'owl', 'size': 4}]
    """

    def __init__(self, file_name: Any, num_consumer: int = 4) -> None:
        for path in file_name if isinstance(file_name, list) else [file_name]:
            if not os.path.isfile(check_path("MindPage", path)):
                raise RuntimeError(f"For 'MindPage', the files must exist, but got {path!r}.")
        if not isinstance(num_consumer, int) or num_consumer < 1:
            raise ParamValueError(f"For 'MindPage', the 'num_consumer' must be int and > 0, but got {num_consumer!r}.")
        self._data = MindDataset(file_name, shuffle=False)
        self._shards, self._places = self._data._open()
        self._candidates = self._shards[0].index_fields
        self._field: str | None = None
        self._rows: dict[str, list[int]] = {}

    @property
    def candidate_fields(self) -> list[str]:
        """The columns by which rows can be grouped: those in the index."""
        return list(self._candidates)

    @property
    def category_field(self) -> str | None:
        """The column by which rows are grouped; to set it reads that column of all rows.

        Raises:
            ParamTypeError: when set to anything but a name.
            MRMDefineCategoryError: when set to another column than the `candidate_fields`.
        """
        return self._field

    @category_field.setter
    def category_field(self, category_field: str) -> None:
        if not isinstance(category_field, str) or not category_field:
            raise ParamTypeError(f"For 'MindPage', the 'category_field' must be a name, but got {category_field!r}.")
        if category_field not in self._candidates:
            raise MRMDefineCategoryError(
                f"For 'MindPage', the 'category_field' must be one of {self._candidates}, but got {category_field!r}."
            )
        rows: dict[str, list[int]] = {}
        for number, (value,) in enumerate(self._data._fetch(np.arange(len(self._places)), [category_field])):
            rows.setdefault(str(value), []).append(number)
        self._field, self._rows = category_field, {name: rows[name] for name in sorted(rows)}

    def read_category_info(self) -> str:
        """The groups as JSON: "key", and for each of the "categories" its "id", "name" and "count".

        Raises:
            RuntimeError: if no `category_field` is set.
        """
        field = self._grouped("read_category_info")
        categories = [{"count": len(rows), "id": k, "name": name} for k, (name, rows) in enumerate(self._rows.items())]
        found = {"categories": categories, "key": f"{field}_0"}
        return json.dumps(found, separators=(",", ":"), ensure_ascii=False)

    def read_at_page_by_id(self, category_id: int, page: int, num_row: int) -> list[dict[str, Any]]:
        """The rows on a page of a group.

        Args:
            category_id: the group's "id".
            page: the page, from 0.
            num_row: rows on a page.

        Raises:
            ParamValueError: for an argument of another type or value.
            RuntimeError: if no `category_field` is set, or the group or the page does not exist.
        """
        if not isinstance(category_id, int) or category_id < 0:
            raise ParamValueError(
                f"For 'MindPage.read_at_page_by_id', the 'category_id' must be int and >= 0, but got {category_id!r}."
            )
        return self._page("read_at_page_by_id", dict(enumerate(self._rows.values())), category_id, page, num_row)

    def read_at_page_by_name(self, category_name: str, page: int, num_row: int) -> list[dict[str, Any]]:
        """The rows on a page of a group.

        Args:
            category_name: the group's "name".
            page: the page, from 0.
            num_row: rows on a page.

        Raises:
            ParamValueError: for an argument of another type or value.
            RuntimeError: if no `category_field` is set, or the group or the page does not exist.
        """
        if not isinstance(category_name, str):
            raise ParamValueError(
                f"For 'MindPage.read_at_page_by_name', the 'category_name' must be str, but got {category_name!r}."
            )
        return self._page("read_at_page_by_name", self._rows, category_name, page, num_row)

    def _grouped(self, api: str) -> str:
        if self._field is None:
            raise RuntimeError(f"For 'MindPage.{api}', the 'category_field' must be set before.")
        return self._field

    def _page(
        self, api: str, groups: dict[Any, list[int]], given: Any, page: int, num_row: int
    ) -> list[dict[str, Any]]:
        if not isinstance(page, int) or page < 0:
            raise ParamValueError(f"For 'MindPage.{api}', the 'page' must be int and >= 0, but got {page!r}.")
        if not isinstance(num_row, int) or num_row <= 0:
            raise ParamValueError(f"For 'MindPage.{api}', the 'num_row' must be int and > 0, but got {num_row!r}.")
        field = self._grouped(api)
        try:
            rows = groups[given][page * num_row : (page + 1) * num_row]
        except LookupError as error:
            raise RuntimeError(f"For 'MindPage.{api}', column {field!r} has no group {given!r}.") from error
        if not rows:
            raise RuntimeError(f"For 'MindPage.{api}', group {given!r} has no page {page} of {num_row} rows.")
        blobs = self._shards[0].blobs
        columns = sorted(self._shards[0].schema, key=lambda name: (name in blobs, name))
        found = self._data._fetch(np.array(rows), columns)
        return [dict(zip(columns, map(plain_value, values), strict=True)) for values in found]
