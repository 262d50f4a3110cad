"""The programs in README.md and the guides.

A block of ```python is a program, and a block of ```diff two: after and before. Those that import mindspore and do not
mention ms_compat are MindSpore's; `record/documents.py` writes what MindSpore shows of them.
"""

import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = pathlib.Path(__file__).resolve().with_name("data") / "documents.json"


class Program(NamedTuple):
    """A program of a document.

    Attributes:
        name: the document, and the number of the program in it.
        text: what is run.
    """

    name: str
    text: str

    @property
    def for_mindspore(self) -> bool:
        """Whether MindSpore runs it as it stands."""
        return re.search(r"^(?:import|from) mindspore\b", self.text, re.M) is not None and "ms_compat" not in self.text


def documents() -> list[pathlib.Path]:
    """README.md and the guides."""
    return [ROOT / "README.md", *sorted((ROOT / "notebooks").rglob("*.md"))]


def programs() -> list[Program]:
    """All programs, in the order of the documents."""
    found = []
    for path in documents():
        texts = []
        for kind, block in re.findall(r"^```(python|diff)\n(.*?)^```", path.read_text("utf-8"), re.S | re.M):
            if kind == "python":
                texts.append(block)
            else:
                lines = block.splitlines()
                texts += ["".join(f"{line[1:]}\n" for line in lines if line[:1] != other) for other in "-+"]
        name = path.relative_to(ROOT).as_posix()
        found += [Program(f"{name}, program {number}", text) for number, text in enumerate(texts, 1)]
    return found
