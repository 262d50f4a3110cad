"""The table that the sweep prints: how many pairs were compared, by which reference, and what was wrong."""

import collections
import json
from collections.abc import Iterable
from pathlib import Path

from tests.conformance.gradient_sweep import compare

REFERENCES = {
    "MindSpore": "MindSpore",
    "differences": "differences",
    "PYNATIVE": "other mode",
    "zero": "zeros",
    "second order": "2nd order",
    "vjp": "vjp",
    "vmap": "vmap",
}
VERDICTS = (compare.AGREES, compare.SAME, compare.FAULT, compare.NAN, compare.STATED, compare.REFUSED, compare.WRONG)
_TITLES = ("agrees", "zero there", "its fault", "NaN there", "stated", "refused", "WRONG")


class Results:
    """Findings by family and sample, in a file of lines if there is one, so that a long sweep can be resumed."""

    def __init__(self, path: Path | None = None):
        self.path = path
        self.found: dict[str, dict[str, list[compare.Finding]]] = collections.defaultdict(dict)
        for line in path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else ():
            row = json.loads(line)
            self.found[row["family"]][row["key"]] = [compare.Finding(*one) for one in row["findings"]]

    def __contains__(self, sample: tuple[str, str]) -> bool:
        family, key = sample
        return key in self.found[family]

    def add(self, family: str, key: str, findings: Iterable[compare.Finding]) -> list[compare.Finding]:
        """Keep a sample's findings."""
        kept = self.found[family][key] = list(findings)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"family": family, "key": key, "findings": kept}) + "\n")
        return kept

    def table(self, families: Iterable[str]) -> str:
        """One line for each family and mode, and the totals.

        The columns of references count pairs of an operation and an input, each once for all points. Those of verdicts
        count comparisons.
        """
        lines = [("family", "samples", "mode", "pairs", *REFERENCES.values(), *_TITLES)]
        everything = []
        for family in families:
            findings = [one for kept in self.found[family].values() for one in kept]
            everything += [(family, one) for one in findings]
            lines += _lines(family, len(self.found[family]), [(family, one) for one in findings])
        lines += _lines("all", sum(len(self.found[family]) for family in families), everything)
        widths = [max(len(str(line[at])) for line in lines) for at in range(len(lines[0]))]
        return "\n".join(
            "  ".join(str(cell).ljust(width) if at in (0, 2) else str(cell).rjust(width)
                      for at, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
            for line in lines
        )  # fmt: skip


def _lines(family: str, samples: int, findings: list[tuple[str, compare.Finding]]) -> list[tuple]:
    lines = []
    for mode in (*compare.MODES, "both"):
        here = [(name, one) for name, one in findings if one.mode == mode]
        if not here:
            continue
        pairs = {against: {(name, one.key, one.name) for name, one in here if one.against == against}
                 for against in REFERENCES}  # fmt: skip
        verdicts = collections.Counter(one.verdict for _, one in here)
        counts = [len(of) for of in pairs.values()]
        lines.append((family, samples, mode, len(set().union(*pairs.values())), *counts,
                      *[verdicts[verdict] for verdict in VERDICTS]))  # fmt: skip
    return lines
