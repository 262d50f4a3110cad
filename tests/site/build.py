"""Builds the documentation site with mkdocs, which the extra `docs` installs.

    python -m tests.site.build FOLDER

FOLDER gets the pages under `source`, the configuration, and the site under `site`, which any web server shows; the
search in it finds every name of the coverage table.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys

from tests.site.pages import pages

# mkdocs reads YAML, of which JSON is a part.
CONFIGURATION = {
    "site_name": "ms_compat",
    "site_description": "MindSpore's Python API on JAX",
    "docs_dir": "source",
    "site_dir": "site",
    "theme": {"name": "mkdocs", "highlightjs": False, "color_mode": "auto"},
    "plugins": [{"search": {"min_search_length": 2, "separator": r"[\s\-\.,()`]+"}}],
    "markdown_extensions": ["tables", "fenced_code", {"toc": {"toc_depth": 2}}],
    "extra_css": ["names.css"],
    "use_directory_urls": False,
    "strict": True,
}
# Dotted names are long words, which would run out of the column of contents and over the page.
STYLE = ".bs-sidebar .nav-link { overflow-wrap: anywhere; }\n"


def build(folder: pathlib.Path) -> pathlib.Path:
    """Write the pages and build; returns the folder of the site.

    Raises:
        subprocess.CalledProcessError: mkdocs found fault, such as a link to a page that is not there.
    """
    written: dict[str, list[str]] = {}
    for path, text in pages():
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.setdefault(path.partition("/")[0] if "/" in path else "", []).append(path)
    (folder / "source" / "names.css").write_text(STYLE, encoding="utf-8")
    sections = {"Guide": written["guide"], "Notebooks": written["notebooks"], "API": written["api"]}
    navigation = [
        {"Start": "index.md"}, {"Coverage": "coverage.md"}, *({name: list(paths)} for name, paths in sections.items()),
        {"Changes": "changes.md"}, {"Contributing": "contributing.md"}, {"A map of the code": "house.md"},
    ]  # fmt: skip
    configuration = folder / "mkdocs.yml"
    configuration.write_text(json.dumps({**CONFIGURATION, "nav": navigation}, indent=1), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(configuration)], check=True
    )
    return folder / "site"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.site.build", description="Build the documentation site.")
    parser.add_argument(
        "folder", type=pathlib.Path, metavar="FOLDER", help="where to put pages, configuration and site"
    )
    print(build(parser.parse_args().folder))
