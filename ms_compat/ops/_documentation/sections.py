"""The parts of a docstring: its summary, and the entries of its sections."""

from __future__ import annotations

import inspect
import re

_HEADING = re.compile(r"^(Args|Returns|Raises|Inputs):\s*$")
_ENTRY = re.compile(r"^(\*{0,2}[\w., ()\[\]|]+?):\s+(.*)$")


def summary(text: str | None) -> str:
    """The first paragraph, on one line.

    >>> summary("Add two tensors\\n    of one shape.\\n\\n    Args:\\n        x: a Tensor.")
    'Add two tensors of one shape.'
    """
    return " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())


def entries(text: str | None, heading: str) -> dict[str, str]:
    """What a section says of each name; a name in several entries has the last one's text.

    >>> entries("Add.\\n\\nArgs:\\n    x, y (Tensor): the two\\n        operands.\\n    axis: an int.", "Args")
    {'x': 'the two operands.', 'y': 'the two operands.', 'axis': 'an int.'}
    """
    found: dict[str, str] = {}
    section = ""
    names: list[str] = []
    for line in inspect.cleandoc(text or "").splitlines():
        title = _HEADING.match(line)
        if title or (line.strip() and not line.startswith(" ")):
            section = title[1] if title else ""
        elif section == heading and line.strip():
            entry = _ENTRY.match(line[4:]) if not line.startswith("     ") else None
            if entry:
                names = re.findall(r"\w+", re.sub(r"\(.*?\)|\bor\b", "", entry[1]))
                found.update(dict.fromkeys(names, entry[2].strip()))
            else:
                found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return found
