"""Find the disagreements of a run, leave out by stated rules what proves nothing, and shrink the others.

The rules, in the order in which they are asked; each counts what it leaves out:

`crash`: MindSpore's process died or hung.
`kernel`: MindSpore raises because its CPU build lacks a kernel or because of an error of its own.
`compiler`: in GRAPH_MODE MindSpore raises, but gives in PYNATIVE_MODE what this package gives in GRAPH_MODE.
`limit`: MindSpore raises an error that `known_faults.LIMITS` describes, and this package gives a value.
`unstable`: MindSpore answers otherwise when it is asked again in a new process.
`chaotic`: a change of the inputs in the seventh digit changes this package's result beyond the tolerance.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tests.conformance import replay

from . import compare, known_faults
from .runner import Worker
from .shrink import shrink

_OWN_ERRORS = (
    "Framework Unexpected Exception",
    "framework's unexpected error",
    "View op without infer",
    "Internal Error",
)


class Disagreement(NamedTuple):
    """A program about which this package and MindSpore disagree.

    Attributes:
        seed: the program's seed.
        mode: "pynative" or "graph".
        sort: as `compare.difference` says.
        detail: what differs.
        text: the program.
    """

    seed: int
    mode: str
    sort: str
    detail: str
    text: str


def disagreements(lines: Iterable[dict], counts: Counter) -> Iterator[Disagreement]:
    """The disagreements in lines that `runner.run` wrote which no rule leaves out.

    Args:
        lines: the lines.
        counts: how many programs came to which end; it is added to.
    """
    for line in lines:
        text = line["text"]
        for mode in ("pynative", "graph"):
            if mode not in line:
                continue
            wanted, got = line[mode]
            counts[mode, "programs"] += 1
            counts[mode, "raises under MindSpore"] += "error" in wanted
            found = compare.difference(text, wanted, got)
            if found is None:
                counts[mode, "agree"] += 1
                continue
            rule = left_out(text, wanted, got, line["pynative"][0] if mode == "graph" else None)
            counts[mode, rule or "disagree"] += 1
            if rule is None:
                yield Disagreement(line["seed"], mode, *found, text)


def left_out(text: str, wanted: dict, got: dict, pynative: dict | None = None) -> str | None:
    """The rule that leaves a disagreement out without another run; None where there is no such rule.

    Args:
        text: the program.
        wanted: MindSpore's outcome.
        got: this package's.
        pynative: in GRAPH_MODE, MindSpore's outcome in PYNATIVE_MODE.
    """
    if "crash" in wanted:
        return "crash"
    if "error" in wanted:
        message = wanted["message"]
        if any(phrase in message for phrase in (*replay.KERNEL_GAPS, *_OWN_ERRORS)):
            return "kernel"
        if pynative is not None and "error" not in pynative and compare.difference(text, pynative, got) is None:
            return "compiler"
    if "error" not in got and known_faults.limit_of(wanted, text) is not None:
        return "limit"
    return None


def left_out_by_runs(found: Disagreement, oracle: Worker, ours: Worker) -> str | None:
    """The rule that leaves a disagreement out after other runs: None if there is none.

    Both sides are asked in new processes.
    """
    oracle.close()
    ours.close()
    got = ours.evaluate(found.text)
    wanted = oracle.evaluate(found.text)
    if compare.difference(found.text, wanted, got) is None:
        return "fixed or unstable"
    if left_out(found.text, wanted, got) is not None:
        return "unstable"
    if found.sort == "value" and is_chaotic(found.text, ours):
        return "chaotic"
    return None


def is_chaotic(text: str, ours: Worker) -> bool:
    """Whether a change of the inputs in the seventh digit changes the outcome by a tenth of the tolerance or more."""
    plain = ours.evaluate(text)
    for seed in (1, 2):
        other = ours.evaluate(compare.perturbed(text, seed))
        if compare.difference(text, plain, other, part=0.3) is not None:
            return True
    return False


def minimal(text: str, oracle: Worker, ours: Worker, trials: int = 300) -> tuple[str, str]:
    """The smallest program with the same sort of disagreement, and what it disagrees in."""

    def found(candidate: str) -> tuple[str, str] | None:
        got = ours.evaluate(candidate)
        wanted = oracle.evaluate(candidate)
        if "crash" in wanted:
            return None
        difference = compare.difference(candidate, wanted, got)
        if difference is None or _is_broken(wanted) or left_out(candidate, wanted, got) == "kernel":
            return None
        return difference

    first = found(text)
    if first is None:
        return text, "agrees when it is asked again"
    keeps: Callable[[str], bool] = lambda candidate: (now := found(candidate)) is not None and _alike(first, now)  # noqa: E731
    small = shrink(text, keeps, trials)
    return small, "{}: {}".format(*(found(small) or first))


def _is_broken(outcome: dict) -> bool:
    return outcome.get("error") in ("NameError", "UnboundLocalError", "SyntaxError", "IndentationError")


def _alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    if one[0] != other[0]:
        return False
    if one[0] in ("accepts", "refuses", "error"):
        return _head(one[1]) == _head(other[1])
    return True


def _head(detail: str) -> str:
    """A detail without counts, shapes and names of values."""
    words = detail.split(" shows ")[-1]
    return " ".join(words.split()[:5])
