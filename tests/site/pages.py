"""The pages of the documentation site, as Markdown made from docstrings, the coverage table, notebooks and the README.

Nothing is written by hand here that stands elsewhere: a page cannot tell what the code does not say.
"""

from __future__ import annotations

import html
import importlib
import inspect
import json
import pathlib
import posixpath
import re
from collections.abc import Iterator

from ms_compat._names import api_index
from ms_compat._names.resolve import is_served, resolve

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^(Args|Arguments|Attributes|Inputs|Outputs|Returns|Yields|Raises|References|Note|Notes):\s*$")
INTEROP = ("ms_compat.interop", "ms_compat.interop.jax", "ms_compat.interop.optax", "ms_compat.interop.flax")
# Of MindSpore's classes these have pages of their own, one heading a member.
CLASSES = ("mindspore.Tensor", "mindspore.nn.Cell", "mindspore.train.Model", "mindspore.Model")


def escaped(text: str) -> str:
    """What stands outside of code, without what HTML would take for tags.

    >>> escaped("`a < b` and c < d")
    '`a < b` and c &lt; d'
    """
    return "`".join(part if at % 2 else html.escape(part, quote=False) for at, part in enumerate(text.split("`")))


def described(text: str) -> str:
    """A docstring as Markdown: sections become lists, examples code.

    >>> print(described("One line.\\n\\nArgs:\\n    x: an int\\n        or two.\\n\\n>>> 1\\n1"))
    One line.
    <BLANKLINE>
    **Args**
    <BLANKLINE>
    - `x`: an int or two.
    <BLANKLINE>
    ```python
    >>> 1
    1
    ```
    """
    out: list[str] = []
    lines = iter([*inspect.cleandoc(text).splitlines(), ""])
    section = None
    code: list[str] = []
    for line in lines:
        if line.lstrip().startswith(">>>") or code and line.strip():
            if not code:
                _blank(out)
            code.append(line)
            continue
        if code:
            out += ["```python", *inspect.cleandoc("\n".join(code)).splitlines(), "```"]
            code = []
        heading = SECTION.match(line)
        if heading:
            section = heading[1]
            _blank(out)
            out += [f"**{section}**", ""]
        elif section and line.startswith("    "):
            _add_item(out, line[4:])
        else:
            section = None if line.strip() else section
            out.append(escaped(line))
    return "\n".join(out).strip()


def _blank(out: list[str]) -> None:
    if out and out[-1]:
        out.append("")


def _add_item(out: list[str], line: str) -> None:
    item = re.match(r"^(\*{0,2}[\w., ()\[\]|]+?):\s+(.*)$", line)
    if item and not line.startswith(" "):
        out.append(f"- `{item[1]}`: {escaped(item[2])}")
    elif out and out[-1].startswith("- "):
        out[-1] += " " + escaped(line.strip())
    else:
        out.append(escaped(line.strip()))


def signature_of(value: object) -> str:
    """The arguments as they are written; "" for what has none that can be told."""
    if not callable(value):
        return ""
    try:
        return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))
    except (TypeError, ValueError):
        return ""


def module_page(module: str) -> str:
    """The page of a module or class: each name that is served, with its arguments and docstring."""
    found = api_index.coverage().get(module, {})
    parts = [f"# {module}", ""]
    for name in sorted(api_index.modules()[module], key=str.lower):
        dotted = f"{module}.{name}"
        if name.startswith("_") or not is_served(dotted):
            continue
        value = resolve(dotted)
        if not inspect.ismodule(value):
            status, reason = found.get(name, ("works", ""))
            note = "" if status == "works" else f"*{status}{': ' + escaped(reason) if reason else ''}*"
            parts += _entry(dotted, value, note)
    return "\n".join(parts)


def _entry(dotted: str, value: object, note: str = "") -> list[str]:
    parts = [f"## {dotted.rpartition('.')[2]}", ""]
    arguments = signature_of(value)
    if arguments:
        parts += ["```python", f"{dotted}{arguments}", "```", ""]
    if note:
        parts += [note, ""]
    doc = inspect.getdoc(value) if callable(value) or isinstance(value, property) else None
    return parts + ([described(doc), ""] if doc else [])


def interop_page(module: str) -> str:
    """The page of a module that MindSpore has not: the functions and classes that it defines or hands on."""
    found = importlib.import_module(module)
    parts = [f"# {module}", "", described(inspect.getdoc(found) or ""), ""]
    for name, value in vars(found).items():
        own = str(getattr(value, "__module__", "")).startswith(module)
        if own and not name.startswith("_") and callable(value):
            parts += _entry(f"{module}.{name}", value)
    return "\n".join(parts)


def documented() -> list[str]:
    """The modules that have a page: public ones that are served, and some classes."""
    wanted = (m for m in sorted(api_index.modules()) if m in CLASSES or not re.search(r"\.(_|[A-Z]\w*$)", m))
    return [module for module in wanted if module == "mindspore" or is_served(module)]


def coverage_page() -> str:
    """Every public name of MindSpore with what becomes of it, module by module; the site's search finds each."""
    parts = [
        "# Coverage",
        "",
        "Every public name of MindSpore 2.10. *works*: a test exercises it; *differs*: it does, with the stated "
        "difference; *accepted*: it may be called and changes nothing; *absent*: using it raises `UnsupportedError`.",
        "",
    ]
    for module, names in sorted(api_index.coverage().items()):
        parts += [f"## {module}", "", "| name | status | |", "| --- | --- | --- |"]
        for name, (status, reason) in sorted(names.items()):
            parts.append(f"| `{module}.{name}` | {status} | {escaped(reason).replace('|', chr(92) + '|')} |")
        parts.append("")
    return "\n".join(parts)


def notebook_page(path: pathlib.Path) -> str:
    """A notebook as text and code."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join(parts) + "\n"


def sources() -> dict[str, pathlib.Path]:
    """The files of the repository that are pages: {page: file}."""
    notebooks = ROOT / "notebooks"
    return {
        "index.md": ROOT / "README.md",
        "contributing.md": ROOT / ".github" / "CONTRIBUTING.md",
        "house.md": ROOT / "ms_compat" / "README.md",
        "changes.md": ROOT / "CHANGELOG.md",
        **{f"guide/{path.name}": path for path in sorted((notebooks / "guide").glob("*.md"))},
        **{f"notebooks/{path.stem}.md": path for path in sorted(notebooks.glob("*.ipynb"))},
    }


def text_page(page: str) -> str:
    """A file of the repository. Its links lead to pages; those to files that are not pages become plain text."""
    files = sources()
    places = {file: target for target, file in files.items()}

    def link(match: re.Match[str]) -> str:
        text, target, heading = match.groups(default="")
        file = (files[page].parent / target).resolve() if target else files[page]
        if file not in places:
            return text
        return f"[{text}]({posixpath.relpath(places[file], posixpath.dirname(page) or '.')}{heading})"

    return re.sub(r"\[([^]]+)\]\((?!https?:)([^)#]*)(#[^)]*)?\)", link, files[page].read_text(encoding="utf-8"))


def pages() -> Iterator[tuple[str, str]]:
    """The path and the text of each page."""
    for page, file in sources().items():
        yield page, notebook_page(file) if file.suffix == ".ipynb" else text_page(page)
    yield "coverage.md", coverage_page()
    for module in documented():
        page = module_page(module)
        if "\n## " in page:
            yield f"api/{module}.md", page
    for module in INTEROP:
        yield f"api/{module}.md", interop_page(module)
