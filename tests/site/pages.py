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
from ms_compat._names.resolve import resolve
from tests.site import names
from tests.site.names import Entry

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTION = re.compile(r"^(Args|Arguments|Attributes|Inputs|Outputs|Returns|Yields|Raises|References|Note|Notes):\s*$")
INTEROP = ("ms_compat.interop", "ms_compat.interop.jax", "ms_compat.interop.optax", "ms_compat.interop.flax")
# Signatures with longer lines get one line for each argument.
WIDTH = 72


def escaped(text: str) -> str:
    """What stands outside of code, without what HTML would take for tags.

    >>> escaped("`a < b` and c < d")
    '`a < b` and c &lt; d'
    """
    return "`".join(part if at % 2 else html.escape(part, quote=False) for at, part in enumerate(text.split("`")))


def described(text: str) -> str:
    """A docstring as Markdown: sections become lists, examples code.

    >>> print(described("One line.\\n\\nArgs:\\n    x: an int\\n        or two."))
    One line.
    <BLANKLINE>
    **Args**
    <BLANKLINE>
    - `x`: an int or two.
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
            out += ["```pycon", *inspect.cleandoc("\n".join(code)).splitlines(), "```"]
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


def signature_of(dotted: str, value: object) -> str:
    """How it is called, a line for each argument if it is long; "" for what has no arguments that can be found.

    >>> signature_of("f", lambda self, x, /, y="a", *, z=1: 0)
    "f(x, /, y='a', *, z=1)"
    """
    if not callable(value):
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    # Of a method, the arguments without the object.
    parameters = [one for one in signature.parameters.values() if one.name != "self"]
    arguments = [_plain(str(one)) for one in parameters]
    kinds = [one.kind for one in parameters]
    # The signs of arguments by keyword alone, and of those by position alone.
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        arguments.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    if inspect.Parameter.POSITIONAL_ONLY in kinds:
        arguments.insert(kinds.count(inspect.Parameter.POSITIONAL_ONLY), "/")
    returned = _plain(str(signature.replace(parameters=()))[2:])
    line = f"{dotted}({', '.join(arguments)}){returned}"
    if len(line) <= WIDTH or not arguments:
        return line
    return f"{dotted}(\n{''.join(f'    {one},' + chr(10) for one in arguments)}){returned}"


def _plain(text: str) -> str:
    """An argument or result without what only Python needs: quotes of annotations, addresses, modules of classes."""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = re.sub(r" at 0x[0-9a-f]+", "", text)
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text)  # members of enumerations
    return re.sub(r"\bms_compat(?:\.\w+)*\.(?=[A-Z])", "", text)


def reference_pages() -> Iterator[tuple[str, str]]:
    """The pages of modules and classes: each name that is served, with its arguments and docstring."""
    pages: dict[str, list[str]] = {}
    for entry in names.entries():
        if entry.page not in pages:
            head = _head(entry.module, entry.page) if entry.anchor else (f"# {entry.dotted}", "")
            pages[entry.page] = [*head]
        lines = pages[entry.page]
        if entry.anchor:
            label = ", ".join(entry.names)
            lines += [f'## {entry.module}.{label} {{ #{entry.anchor} data-toc-label="{label}" }}', ""]
            lines += _body(entry)
        else:
            lines[2:2] = _body(entry)
    for page, lines in pages.items():
        yield page, linked("\n".join(lines), page)


def _head(module: str, page: str) -> Iterator[str]:
    """The heading of a page that several entries share, and where the module's other names are."""
    topic = page.removeprefix("api/mindspore.ops").removesuffix(".md").lstrip(".")
    topics = names.TOPICS if module == "mindspore.ops" else {}
    yield from (f"# {module}: {topics[topic or 'other']}" if topics else f"# {module}", "")
    classes = {entry.page for entry in names.entries() if entry.module == module and not entry.anchor}
    others = {f"api/mindspore.ops{'' if one == 'other' else '.' + one}.md": about for one, about in topics.items()}
    links = [f"[{others.get(path, path[4:-3])}]({path[4:]})" for path in [*sorted(classes), *others] if path != page]
    if links:
        yield from ("On pages of their own: " + ", ".join(links) + ".", "")


def _body(entry: Entry) -> list[str]:
    """What an entry says of its names."""
    parts = []
    for name in entry.names:
        dotted = f"{entry.module}.{name}"
        value = resolve(dotted)
        call, *text = _described(dotted, value)
        # A primitive may say no more than its function does.
        parts += [call, *(one for one in text if not any(part.startswith(one.rstrip()) for part in parts))]
        status, reason = api_index.coverage().get(entry.module, {}).get(name, ("works", ""))
        if status != "works":
            parts += [f'!!! note "{status.capitalize()}"', "", f"    {escaped(reason or 'see the coverage')}", ""]
    return parts


def _described(dotted: str, value: object) -> list[str]:
    """How it is called, and its docstring if it has one."""
    doc = inspect.getdoc(value) if callable(value) or isinstance(value, property) else None
    call = signature_of(dotted, value) or dotted
    return [f"```python\n{call}\n```\n", *([f"{described(doc)}\n"] if doc else [])]


def interop_page(module: str) -> str:
    """The page of a module that MindSpore does not have: the functions and classes that it defines or re-exports."""
    found = importlib.import_module(module)
    parts = [f"# {module}", "", described(inspect.getdoc(found) or ""), ""]
    for name, value in vars(found).items():
        own = str(getattr(value, "__module__", "")).startswith(module)
        if own and not name.startswith("_") and callable(value):
            dotted = f"{module}.{name}"
            parts += [f'## {dotted} {{ #{dotted} data-toc-label="{name}" }}', "", *_described(dotted, value)]
    return "\n".join(parts)


def linked(text: str, page: str) -> str:
    """Markdown in which names in code, such as `nn.Dense(3, 4)`, link to their entries.

    In the reference, classes and calls without a module (`RNN`, `set_train()`) are those of the page's module or class.
    Headings, links and blocks of code stay as they are, and so does the name of a page on it.
    """
    module = re.match(r"api/(mindspore(?:\.ops(?=\.[a-z])|[\w.]*))", page)

    def link(match: re.Match[str]) -> str:
        code = match["code"]
        if not code:
            return match[0]
        entry = entry_of(code)
        if entry is None and module and re.match(r"[A-Z]\w+$|\w+\(.*\)$", code):
            entry = entry_of(f"{module[1].removesuffix('.md')}.{code}")
        if entry is None or (not entry.anchor and entry.page == page):
            return match[0]
        target = posixpath.relpath(entry.page, posixpath.dirname(page) or ".")
        return f"[`{code}`]({target if entry.page != page else ''}{'#' + entry.anchor if entry.anchor else ''})"

    return re.sub(
        r"^```.*?^```|^#.*?$|\[[^]\n]*\]\([^)]*\)|(?<!`)`(?P<code>[^`\n]+)`(?!`)", link, text, flags=re.S | re.M
    )


def entry_of(code: str) -> Entry | None:
    """The entry of a name, or of a call, that is written with its module or class."""
    spelling = re.fullmatch(r"((?:\w+\.)+\w+)(?:\(.*\))?", code)
    entry = names.best().get(spelling[1].lower()) if spelling else None
    # Entries ignore capital letters, and a link must not.
    known = [] if entry is None else [*(f"{entry.module}.{name}" for name in entry.names), *entry.others]
    wanted = re.sub(r"^ms\.", "mindspore.", spelling[1]) if spelling else ""
    return entry if any(one == wanted or one.endswith("." + wanted) for one in known) else None


def coverage_page() -> str:
    """Every public name of MindSpore with what becomes of it, module by module; `coverage.js` adds a filter."""
    entries = {f"{e.module}.{name}": e for e in names.entries() for name in e.names}
    parts = [
        "---",
        "hide: [toc]",
        "---",
        "# Coverage",
        "",
        "Every public name of MindSpore 2.10. *works*: a test exercises it; *differs*: it does, with the stated "
        "difference; *accepted*: it may be called and changes nothing; *absent*: using it raises `UnsupportedError`.",
        "",
        '<div id="filter" data-search-exclude></div>',
        "",
        '<div data-search-exclude markdown="1">',
        "",
        "| name | status | |",
        "| --- | --- | --- |",
    ]
    for module, found in sorted(api_index.coverage().items()):
        for name, (status, reason) in sorted(found.items()):
            dotted = f"{module}.{name}"
            entry = entries.get(dotted)
            place = f"{entry.page}{'#' + entry.anchor if entry.anchor else ''}" if entry else ""
            shown = f"[`{dotted}`]({place})" if entry else f'<span id="{dotted}"></span>`{dotted}`'
            parts.append(f"| {shown} | {status} | {escaped(reason).replace('|', chr(92) + '|')} |")
    return "\n".join([*parts, "", "</div>", ""])


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
        "decisions.md": ROOT / "ms_compat" / "DECISIONS.md",
        **{f"rooms/{_room(path)}.md": path for path in sorted((ROOT / "ms_compat").glob("*/**/README.md"))},
        "changes.md": ROOT / "CHANGELOG.md",
        **{f"guide/{path.name}": path for path in sorted((notebooks / "guide").glob("*.md"))},
        **{f"notebooks/{path.stem}.md": path for path in sorted(notebooks.glob("*.ipynb"))},
    }


def _room(readme: pathlib.Path) -> str:
    """The folder of a README, without underscores, which MkDocs' menu sorts apart."""
    return ".".join(part.lstrip("_") for part in readme.parent.relative_to(ROOT / "ms_compat").parts)


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

    text = files[page].read_text(encoding="utf-8")
    return linked(re.sub(r"\[([^]]+)\]\((?!https?:)([^)#]*)(#[^)]*)?\)", link, text), page)


def pages() -> Iterator[tuple[str, str]]:
    """The path and the text of each page."""
    for page, file in sources().items():
        yield page, notebook_page(file) if file.suffix == ".ipynb" else text_page(page)
    yield "coverage.md", coverage_page()
    yield from reference_pages()
    for module in INTEROP:
        yield f"api/{module}.md", interop_page(module)
