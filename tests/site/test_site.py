"""The documentation site: each page is made from what stands elsewhere, and mkdocs builds it without a complaint."""

import json
import posixpath
import re

import pytest

from ms_compat._names import api_index
from tests.site import pages
from tests.site.build import build

TEXT = """One line with `a < b` and c < d.

Args:
    x (Tensor): [N, C], the input
        of a layer.
    axes: a tuple.

Returns:
    Tensor, of x's shape.

>>> 1 + 1
2

After it.
"""


def test_a_docstring_becomes_lists_and_code():
    assert pages.described(TEXT) == (
        "One line with `a < b` and c &lt; d.\n\n**Args**\n\n- `x (Tensor)`: [N, C], the input of a layer.\n"
        "- `axes`: a tuple.\n\n**Returns**\n\nTensor, of x's shape.\n\n```python\n>>> 1 + 1\n2\n```\n\nAfter it."
    )


def test_a_module_s_page_has_what_it_serves():
    page = pages.module_page("mindspore.nn")
    entry = page.partition("\n## Dense\n")[2].partition("\n## ")[0]
    assert entry.startswith("\n```python\nmindspore.nn.Dense(in_channels, out_channels,")
    assert "**Args**" in entry or "**Attributes**" in entry
    headings = re.findall(r"^## (\w+)$", page, re.M)
    assert headings == sorted(headings, key=str.lower)
    assert len(headings) > 200


def test_the_interop_page_has_what_mindspore_has_not():
    assert "## summary\n\n```python\nms_compat.interop.summary(net: " in pages.interop_page("ms_compat.interop")


def test_the_coverage_page_has_every_name():
    rows = re.findall(r"^\| `(\S+)` \| (\w+) \|", pages.coverage_page(), re.M)
    assert rows == [
        (f"{module}.{name}", found.status)
        for module, names in sorted(api_index.coverage().items())
        for name, found in sorted(names.items())
    ]


def test_links_lead_to_pages():
    made = {page for page, _ in pages.pages()}
    links = 0
    for page in pages.sources():
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", pages.text_page(page)) if page.endswith(".md") else ():
            assert posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) in made, (page, target)
            links += 1
    assert links > 20
    assert "[LICENSE]" not in pages.text_page("index.md")


@pytest.mark.slow
def test_mkdocs_builds_it_and_its_search_knows_the_names(tmp_path):
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    site = build(tmp_path)
    entries = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    coverage = " ".join(entry["text"] for entry in entries if entry["location"].startswith("coverage.html"))
    for name in ("mindspore.ops.relu", "mindspore.nn.Dense", "mindspore.rewrite.SymbolTree"):
        assert f"{name} " in coverage
    assert any(entry["location"] == "api/mindspore.nn.html#dense" for entry in entries)
    assert (site / "index.html").read_text().count("<h2") == 5
