"""Builds the documentation site with MkDocs and Material, which the extra `docs` installs.

    python -m tests.site.build FOLDER

FOLDER gets the pages under `source`, the configuration, and the site under `site`, which any web server shows
(`python -m http.server -d FOLDER/site`). Nothing in it is loaded from elsewhere.

Material and not Sphinx with its book theme, which Flax and Optax use: the pages are Markdown that `pages.py` writes
from the objects, so autodoc has nothing to do, and only Material's search takes weights for single entries
(`ranking.py`), which names of a hundred modules with equal last parts need. Its authors mend Material until May 2027;
their successor, Zensical, reads the same configuration.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from tests.site import ranking
from tests.site.names import TOPICS
from tests.site.pages import pages

ASSETS = pathlib.Path(__file__).with_name("assets")
# MkDocs reads YAML, of which JSON is a part.
CONFIGURATION: dict[str, Any] = {
    "site_name": "ms_compat",
    "site_description": "MindSpore's Python API on JAX",
    "docs_dir": "source",
    "site_dir": "site",
    "theme": {
        "name": "material",
        "font": False,  # no fonts from the network
        "features": [
            "navigation.tabs", "navigation.top", "navigation.prune", "navigation.footer", "toc.follow",
            "search.suggest", "search.highlight", "content.code.copy",
        ],
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo",
             "toggle": {"icon": "material/weather-night", "name": "Dark colours"}},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo",
             "toggle": {"icon": "material/weather-sunny", "name": "Light colours"}},
        ],
    },
    "plugins": [
        # Neither stems nor stop words: `where`, `all` and `like` are names.
        {"search": {
            "separator": ranking.SEPARATOR,
            "pipeline": [],
            "fields": {
                "title": {"boost": ranking.TITLE}, "text": {"boost": ranking.TEXT}, "tags": {"boost": ranking.TAGS},
            },
        }}
    ],
    "markdown_extensions": [
        "admonition", "attr_list", "md_in_html", "tables", "pymdownx.superfences",
        {"pymdownx.highlight": {"anchor_linenums": False}},
        {"toc": {"permalink": True, "toc_depth": 2}},
    ],
    "extra_css": ["assets/names.css"],
    "extra_javascript": ["assets/coverage.js"],
    "use_directory_urls": False,
    "strict": True,
}  # fmt: skip
GUIDES = (
    "getting_started", "commands", "debugging", "checkpoints", "export", "performance", "planning", "scale",
    "differences", "porting_from_pytorch", "porting_from_mindspore_1", "packages", "versions", "licences",
)  # fmt: skip


def navigation(written: Iterable[str]) -> list[dict[str, Any]]:
    """The site's menu: every page that was written, modules and classes below the module that they are in."""
    sections: dict[str, list[dict[str, str]]] = {}
    for name in sorted((page[4:-3] for page in written if page.startswith("api/")), key=_menu_order):
        package, *path = name.split(".")
        is_nested = package == "mindspore" and bool(path) and path[0][0].islower()
        section = path.pop(0) if is_nested else package
        label = ".".join(path) or name
        if section == "ops" and (label in TOPICS or label == name):
            label = TOPICS[label if label in TOPICS else "other"].capitalize()
        sections.setdefault(section, []).append({label: f"api/{name}.md"})
    reference = [
        {page[4:-3].removeprefix("mindspore."): page for one in pages for page in one.values()}
        if len(pages) == 1
        else {section: pages}
        for section, pages in sections.items()
    ]
    return [
        {"Home": "index.md"},
        {"Guide": sorted((page for page in written if page.startswith("guide/")), key=_guide_order)},
        {"Notebooks": sorted(page for page in written if page.startswith("notebooks/"))},
        {"Reference": reference},
        {"Coverage": "coverage.md"},
        {
            "Project": [
                *("changes.md", "contributing.md", "house.md", "decisions.md"),
                {"Rooms": sorted(page for page in written if page.startswith("rooms/"))},
            ]
        },
    ]


def _guide_order(page: str) -> tuple[int, str]:
    """Guides in the order of `GUIDES`, and others after them."""
    name = page[len("guide/") : -len(".md")]
    return (GUIDES.index(name) if name in GUIDES else len(GUIDES), name)


def _menu_order(name: str) -> list[str]:
    """Modules without regard to capital letters, each before what it holds; those of ms_compat last."""
    return ["" if name.startswith("mindspore") else "~", *name.lower().split(".")]


def build(folder: pathlib.Path) -> pathlib.Path:
    """Write the pages and build; returns the folder of the site.

    Raises:
        subprocess.CalledProcessError: MkDocs found fault, such as a link to a page that is not there.
    """
    written = []
    for path, text in pages():
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.append(path)
    shutil.copytree(ASSETS, folder / "source" / "assets", dirs_exist_ok=True)
    configuration = folder / "mkdocs.yml"
    configuration.write_text(json.dumps({**CONFIGURATION, "nav": navigation(written)}, indent=1), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(configuration)]
    # Material's own advice about its successor is not about the pages.
    subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    site = folder / "site"
    file = site / "search" / "search_index.json"
    index = json.loads(file.read_text("utf-8"))
    ranking.rank(index)
    file.write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")
    return site


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.site.build", description="Build the documentation site.")
    parser.add_argument(
        "folder", type=pathlib.Path, metavar="FOLDER", help="where to put pages, configuration and site"
    )
    print(build(parser.parse_args().folder))
