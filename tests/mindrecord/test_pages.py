"""`MindPage`; the answers were compared with MindSpore 2.10's on the same files."""

import json
import os

import pytest

from ms_compat import mindrecord
from ms_compat.mindrecord import FileWriter, MindPage
from ms_compat.mindrecord.exceptions import MRMDefineCategoryError, ParamTypeError, ParamValueError

SCHEMA = {
    "label": {"type": "int32"},
    "name": {"type": "string"},
    "score": {"type": "float64"},
    "data": {"type": "bytes"},
}
ROWS = [
    {"label": [3, 1, 2, 1, 3, 10][k % 6], "name": "baca"[k % 4], "score": k / 4, "data": bytes([k])} for k in range(10)
]


@pytest.fixture(params=[1, 3], ids=["one file", "three shards"])
def page(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer = FileWriter("f", request.param)
    writer.add_schema(SCHEMA)
    writer.write_raw_data(ROWS)
    writer.commit()
    return MindPage("f" if request.param == 1 else "f0")


def test_groups_are_sorted_by_their_text(page):
    assert page.candidate_fields == ["label", "name", "score"] and page.category_field is None
    page.category_field = "label"
    assert page.category_field == "label"
    assert page.read_category_info() == (
        '{"categories":[{"count":4,"id":0,"name":"1"},{"count":1,"id":1,"name":"10"},{"count":2,"id":2,"name":"2"},'
        '{"count":3,"id":3,"name":"3"}],"key":"label_0"}'
    )
    page.category_field = "score"
    names = [entry["name"] for entry in json.loads(page.read_category_info())["categories"]]
    assert names == ["0.0", "0.25", "0.5", "0.75", "1.0", "1.25", "1.5", "1.75", "2.0", "2.25"]


def test_pages_have_the_rows_of_a_group_in_order(page):
    page.category_field = "name"
    group = [row for row in ROWS if row["name"] == "a"]
    assert page.read_at_page_by_id(0, 0, 2) == page.read_at_page_by_name("a", 0, 2) == group[:2]
    assert page.read_at_page_by_name("a", 1, 2) == group[2:4]
    assert page.read_at_page_by_name("a", 2, 2) == group[4:]
    assert list(page.read_at_page_by_id(1, 0, 9)[0]) == ["label", "name", "score", "data"]


def test_what_is_not_there_is_an_error(page):
    for call in (page.read_category_info, lambda: page.read_at_page_by_id(0, 0, 1)):
        with pytest.raises(RuntimeError, match="'category_field' must be set before"):
            call()
    page.category_field = "label"
    with pytest.raises(RuntimeError, match="has no group 9"):
        page.read_at_page_by_id(9, 0, 1)
    with pytest.raises(RuntimeError, match="has no group 'zz'"):
        page.read_at_page_by_name("zz", 0, 1)
    with pytest.raises(RuntimeError, match="group 0 has no page 9 of 1 rows"):
        page.read_at_page_by_id(0, 9, 1)
    for name, error in (("data", MRMDefineCategoryError), ("other", MRMDefineCategoryError), (3, ParamTypeError)):
        with pytest.raises(error, match="category_field"):
            page.category_field = name


@pytest.mark.parametrize("given", [(-1, 0, 1), ("0", 0, 1), (0, -1, 1), (0, "0", 1), (0, 0, 0), (0, 0, 1.0)])
def test_arguments_are_checked(page, given):
    page.category_field = "label"
    with pytest.raises(ParamValueError):
        page.read_at_page_by_id(*given)
    if isinstance(given[0], int):
        with pytest.raises(ParamValueError):
            page.read_at_page_by_name(*given)


def test_files_are_checked(page):
    with pytest.raises(RuntimeError, match="must exist"):
        MindPage("nothing")
    for given in ((3,), (sorted(os.listdir())[0], 0), (sorted(os.listdir())[0], "1")):
        with pytest.raises(ParamValueError):
            MindPage(*given)


def test_columns_outside_of_the_index_are_no_candidates(tmp_path):
    writer = FileWriter(str(tmp_path / "f"))
    writer.add_schema(SCHEMA)
    writer.add_index(["name"])
    writer.write_raw_data(ROWS)
    writer.commit()
    assert mindrecord.MindPage(str(tmp_path / "f")).candidate_fields == ["name"]
