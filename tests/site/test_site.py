"""The documentation site: each page is made from what stands elsewhere, MkDocs builds it, its search finds names."""

import doctest
import inspect
import json
import posixpath
import re
import shutil
import subprocess

import pytest

from ms_compat._names import api_index
from ms_compat._names.resolve import resolve
from tests.site import names, pages, ranking
from tests.site.build import ASSETS, GUIDES, build, navigation

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
# What people type, and the entry that they mean.
MEANT = {
    "Conv2d": "mindspore.nn.Conv2d",
    "nn.Conv2d": "mindspore.nn.Conv2d",
    "mindspore.nn.Conv2d": "mindspore.nn.Conv2d",
    "mint.nn.Conv2d": "mindspore.mint.nn.Conv2d",
    "Model.train": "mindspore.train.Model.train",
    "mindspore.Model": "mindspore.train.Model",
    "Tensor.view": "mindspore.Tensor.view",
    "Parameter.asnumpy": "mindspore.Tensor.asnumpy",
    "Tensor": "mindspore.Tensor",
    "Cell": "mindspore.nn.Cell",
    "relu": "mindspore.nn.ReLU",
    "ops.ReLU": "mindspore.ops.relu",
    "ops.relu": "mindspore.ops.relu",
    "Dense": "mindspore.nn.Dense",
    "Dropout": "mindspore.nn.Dropout",
    "set_context": "mindspore.set_context",
    "ms.jit": "mindspore.jit",
    "GeneratorDataset": "mindspore.dataset.GeneratorDataset",
    "Dataset.batch": "mindspore.dataset.Dataset.batch",
    "vision.Resize": "mindspore.dataset.vision.Resize",
    "initializer.Normal": "mindspore.common.initializer.Normal",
    "rewrite.SymbolTree": "mindspore.rewrite.SymbolTree",
    "ops.GetNext": "mindspore.ops.GetNext",  # absent
    "Tensor.__sub__": "mindspore.Tensor.__sub__",
}
MODULES = ("mindspore.nn", "nn", "mint", "mindspore.train", "mint.nn", "dataset.vision", "ops")


@pytest.fixture(scope="module")
def written():
    return dict(pages.pages())


def most_used():
    """The 200 names that most projects use, in full and in part, without single letters."""
    lines = [line.split()[0] for line in names.USAGE.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > 200
    parts = [name.split(".") for name in lines[:200]]
    return [".".join(one[at:]) for one in parts for at in range(len(one)) if len(".".join(one[at:])) > 1]


def meant(typed):
    """The location of the entry that a name or a part of it means."""
    if typed in MODULES:
        return f"api/{'' if typed.startswith('mindspore') else 'mindspore.'}{typed}.html"
    if typed in MEANT:
        entries = [*names.entries(), *ranking.rows()]
        return next(entry.location for entry in entries if entry.dotted == MEANT[typed])
    return names.best()[typed.lower()].location


@pytest.mark.parametrize("module", [names, pages, ranking], ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_hold(module):
    failed, tried = doctest.testmod(module)
    assert failed == 0 and tried > 0


# -- the pages


def test_a_docstring_becomes_lists_and_code():
    assert pages.described(TEXT) == (
        "One line with `a < b` and c &lt; d.\n\n**Args**\n\n- `x (Tensor)`: [N, C], the input of a layer.\n"
        "- `axes`: a tuple.\n\n**Returns**\n\nTensor, of x's shape.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nAfter it."
    )


def test_a_module_s_page_has_what_it_serves(written):
    page = written["api/mindspore.nn.md"]
    entry = page.partition("\n## mindspore.nn.Dense {")[2].partition("\n## ")[0]
    assert entry.startswith(' #mindspore.nn.Dense data-toc-label="Dense" }\n\n```python\nmindspore.nn.Dense(\n    in_')
    assert "**Args**" in entry or "**Attributes**" in entry
    headings = re.findall(r"^## mindspore\.nn\.(\w+) ", page, re.M)
    assert headings == sorted(headings, key=str.lower)
    assert len(headings) > 200


def test_every_served_name_has_one_entry(written):
    found = [f"{entry.module}.{name}" for entry in names.entries() for name in entry.names]
    found += [name for entry in names.entries() for name in entry.others]
    assert len(found) == len(set(found))
    served = {
        f"{module}.{name}"
        for module, listed in api_index.coverage().items()
        for name, entry in listed.items()
        if entry.status != "absent" and not name.startswith("_")
    }
    assert {name for name in served - set(found) if not inspect.ismodule(resolve(name))} == set()
    for entry in names.entries():
        assert not entry.anchor or f"{{ #{entry.anchor} " in written[entry.page], entry
        assert entry.anchor or written[entry.page].startswith(f"# {entry.dotted}\n"), entry


def test_a_class_is_a_page_with_its_members_and_those_of_its_base_are_elsewhere(written):
    assert written["api/mindspore.Parameter.md"].startswith("# mindspore.Parameter\n\n```python\nmindspore.Parameter(")
    assert "## mindspore.Parameter.set_data " in written["api/mindspore.Parameter.md"]
    assert "mindspore.Parameter.asnumpy" not in written["api/mindspore.Parameter.md"]


def test_long_signatures_get_a_line_for_each_argument(written):
    def f(x, *, names: "dict[str, int]" = {"a": 1}, mode="a, b", values=(1, 2), other=None) -> "list[int]": ...  # noqa: B006

    assert pages.signature_of("short.f", lambda self, x, y=1: 0) == "short.f(x, y=1)"
    assert pages.signature_of("a.long.name.f", f) == (
        "a.long.name.f(\n    x,\n    *,\n    names: dict[str, int] = {'a': 1},\n    mode='a, b',\n    values=(1, 2),\n"
        "    other=None,\n) -> list[int]"
    )
    signatures = re.findall(
        r"```python\n(.*?)\n```", "".join(written[page] for page in written if "api/" in page), re.S
    )
    assert len(signatures) > 3000
    assert [line for text in signatures for line in text.splitlines() if len(line) > 105] == []


def test_names_in_code_are_links():
    page = "guide/scale.md"
    text = "See `nn.Dense(3, 4)`, `ops.softmax`, `nn.dense`, `x.y` and [`nn.Dense`](there.md).\n"
    text += "\n```python\n`nn.Dense`\n```\n"
    assert pages.linked(text, page) == (
        "See [`nn.Dense(3, 4)`](../api/mindspore.nn.md#mindspore.nn.Dense), "
        "[`ops.softmax`](../api/mindspore.ops.elementwise.md#mindspore.ops.softmax), `nn.dense`, `x.y` and "
        "[`nn.Dense`](there.md).\n\n```python\n`nn.Dense`\n```\n"
    )
    assert "(#mindspore.nn.Dense)" in pages.linked("`nn.Dense`", "api/mindspore.nn.md")
    assert pages.linked("`RNN`, `x`, `Tensor`", "api/mindspore.nn.md") == "[`RNN`](#mindspore.nn.RNN), `x`, `Tensor`"
    assert "(#mindspore.nn.Cell.set_train)" in pages.linked("`set_train()`", "api/mindspore.nn.Cell.md")
    assert "(mindspore.ops.update.md#" in pages.linked("`Depend`", "api/mindspore.ops.linalg.md")
    assert pages.linked("`Dense`", page) == "`Dense`"


def test_the_interop_page_has_what_mindspore_has_not(written):
    assert "\n```python\nms_compat.interop.summary(" in written["api/ms_compat.interop.md"]


def test_the_coverage_page_has_every_name(written):
    rows = re.findall(r"^\| (?:\[|<span id=\S+></span>)`(\S+?)`\S* \| (\w+) \|", written["coverage.md"], re.M)
    assert rows == [
        (f"{module}.{name}", found.status)
        for module, listed in sorted(api_index.coverage().items())
        for name, found in sorted(listed.items())
    ]


def test_links_lead_to_pages_and_sections(written):
    anchors = {page: set(re.findall(r"\{ #(\S+)|id=\"(\S+)\"", text)) for page, text in written.items()}
    links = 0
    for page, text in written.items():
        plain = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#(mindspore[^)]*))?\)", plain):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
            assert place in written, (page, target)
            assert not anchor or any(anchor in pair for pair in anchors[place]), (page, target, anchor)
            links += 1
    assert links > 4000
    assert "[LICENSE]" not in written["index.md"]


def test_the_menu_has_every_page_once(written):
    def listed(menu):
        for one in menu.values() if isinstance(menu, dict) else menu:
            yield from [one] if isinstance(one, str) else listed(one)

    menu = navigation(written)
    assert sorted(listed(menu)) == sorted(written)
    assert {f"guide/{name}.md" for name in GUIDES} <= set(written)
    sections = {name: found for one in menu[3]["Reference"] for name, found in one.items()}
    assert list(sections)[:4] == ["mindspore", "amp", "boost", "common.initializer"]
    assert [name for one in sections["nn"] for name in one][:3] == ["mindspore.nn", "Cell", "CellList"]
    inner = [name for found in sections.values() if isinstance(found, list) for one in found for name in one]
    assert max(len(name) for name in [*sections, *inner] if " " not in name) < 28  # more would be cut off


# -- the search


def scored():
    """The index without texts: what the entries' tags and boosts make of it."""
    locations = dict.fromkeys([*(entry.location for entry in names.entries()), *ranking.modules()])
    index = {"docs": [{"location": location, "title": "", "text": ""} for location in locations]}
    ranking.rank(index)
    return index["docs"]


def test_each_spelling_of_each_name_finds_its_entry_first():
    """By the model of the search that `ranking.py` has; the marked test asks the search itself."""
    documents = scored()
    boosts = {document["location"]: document["boost"] for document in documents}
    model = ranking.Index(documents)
    for typed in [*MEANT, *MODULES, *most_used(), *(spelling for spelling in names.best() if len(spelling) > 1)]:
        scores = {location: boosts[location] * rarity for location, rarity in model.rarities(typed.lower()).items()}
        right = meant(typed)
        assert all(scores[right] > 1.2 * score for location, score in scores.items() if location != right), typed


def test_boosts_that_nothing_satisfies_are_an_error():
    documents = [{"location": "#a", "tags": ["x$", "ya$"]}, {"location": "#b", "tags": ["y$", "xb$"]}]
    with pytest.raises(ValueError, match="no boosts .* '[xy]' #[ab]"):
        ranking.boosts(ranking.Index(documents), {"x": "#a", "y": "#b"}, {"#a": 1.0, "#b": 1.0})


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_filter_of_the_coverage_table_takes_words_and_a_status():
    rows = [
        {"text": "mindspore.nn.conv2d works", "status": "works"},
        {"text": "mindspore.mint.nn.conv2d differs the order", "status": "differs"},
        {"text": "mindspore.nn.dense works", "status": "works"},
    ]
    cases = [("", ""), ("nn.Conv", ""), ("conv order", ""), ("", "works"), ("conv", "works"), ("conv", "absent")]
    script = "const document = { addEventListener() {} };" + (ASSETS / "coverage.js").read_text("utf-8")
    script += (
        f"console.log(JSON.stringify({json.dumps(cases)}.map((c) => {json.dumps(rows)}.map((r) => matches(r, ...c)))))"
    )
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    shown = [[at for at, one in enumerate(case) if one] for case in json.loads(done.stdout)]
    assert shown == [[0, 1, 2], [0, 1], [1], [0, 2], [0], []]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    return build(tmp_path_factory.mktemp("docs"))


@pytest.mark.docs
def test_the_site_s_own_search_finds_names_first(site):
    """Material's search worker, run by Node."""
    if not shutil.which("node"):
        pytest.skip("Node is not installed")
    typed = [*MEANT, *MODULES, *most_used()]
    driver = pages.ROOT / "tests" / "site" / "search.js"
    done = subprocess.run(["node", driver, site], input=json.dumps(typed), capture_output=True, text=True, check=True)
    results = json.loads(done.stdout)["results"]
    first = {text: groups[0][0]["location"] if groups else None for text, groups in zip(typed, results, strict=True)}
    assert {text: found for text, found in first.items() if found != meant(text)} == {}
    titles = [result["title"] for result in results[0][0]]
    assert re.sub("<[^>]*>", "", titles[0]) == "mindspore.nn.Conv2d"  # with its module


@pytest.mark.docs
def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site):
    entries = {entry["location"] for entry in json.loads((site / "search" / "search_index.json").read_text())["docs"]}
    assert {entry.location for entry in [*names.entries(), *ranking.rows()]} <= entries
    page = (site / "api" / "mindspore.nn.html").read_text("utf-8")
    assert 'id="mindspore.nn.Dense"' in page and '<span class="n">' in page
    assert 'href="../guide/getting_started.html"' in page
    for file in site.rglob("*.html"):
        loaded = re.findall(r"<(?:script|img|link)\b[^>]*?(?:src|href)=\"?(https?:[^\" >]*)", file.read_text("utf-8"))
        assert loaded == [], file
    coverage = (site / "coverage.html").read_text("utf-8")
    assert 'id="filter"' in coverage and "assets/coverage.js" in coverage and (site / "assets/coverage.js").is_file()
