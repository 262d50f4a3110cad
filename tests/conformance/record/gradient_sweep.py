"""Records gradient_sweep/<family>.json: MindSpore's gradients of every sample, at the given points and at kinks.

Run with an interpreter that has MindSpore: `python -m tests.conformance.record gradient_sweep [--new] [family ...]`;
`--new` keeps the rows whose samples have the inputs that they had. A row has for each point the value and the checksums
of the gradients by each input and weight (see `program.py`), or the class of the error ("ABORT" where MindSpore crashes
or hangs); a point is left out where the gradients are as at the given one.
"""

import collections
import json
import sys

from tests.conformance import replay
from tests.conformance.gradient_sweep import compare, sources
from tests.conformance.gradient_sweep import program as make
from tests.conformance.record import forked, tensor_runner

KEPT: dict[str, dict] = {}  # the rows of an earlier recording, by key


def recorded(case: sources.Case, ms) -> dict:
    """The row of one case, or `skipped` and why."""
    try:
        program = make.program(case, ms)
        kept = KEPT.get(case.key)
        if kept is not None and kept.get("inputs") == len(program.names) + len(program.weights):
            return kept
    except make.NotDifferentiable as reason:
        return {"skipped": str(reason)}
    except Exception as error:
        return {"skipped": type(error).__name__}
    points = make.points(program)
    first, again = (at_point(make.gradients, program, points["given"], ms) for _ in range(2))
    if first == "NotDifferentiable":
        return {"skipped": "no output"}
    if json.dumps(first) != json.dumps(again) and not (isinstance(first, str) and isinstance(again, str)):
        return {"skipped": "random"}
    row = {"key": case.key, "inputs": len(program.names) + len(program.weights), "given": first}
    for name in make.POINTS[1:]:
        found = at_point(make.gradients, program, points[name], ms)
        if isinstance(found, str) or isinstance(first, str) or json.dumps(found[1]) != json.dumps(first[1]):
            row[name] = found
    if sources.share(case.key, 3) == 0:
        row["second"] = at_point(make.second, program, points["given"], ms)
    return row


def at_point(measure, program, values, ms):
    """What `measure` gives, or the class of its error."""
    try:
        found = measure(program, values, ms)
        ms.runtime.synchronize()  # which raises the error of a kernel
    except Exception as error:
        return type(error).__name__
    return found


def raises(outcome: dict) -> bool:
    """Whether an error stands in an outcome."""
    return "error" in outcome or any(isinstance(outcome.get(name), str) for name in (*make.POINTS, "second"))


def main() -> None:
    import mindspore as ms

    folder = replay.DATA / "gradient_sweep"
    folder.mkdir(exist_ok=True)
    words = [word for word in sys.argv[1:] if word != "--new"]
    for family in words or [row.name for row in sources.FAMILIES]:
        KEPT.clear()
        if "--new" in sys.argv:
            KEPT.update({row["key"]: row for row in compare.recording(family)})
        outcomes = forked.run(sources.cases(family), recorded, ms, raises)
        for case, outcome in zip(sources.cases(family), outcomes, strict=True):
            if outcome.get("error") == "ABORT":  # MindSpore crashes or hangs: central differences are left
                outcome |= {"key": case.key, "given": "ABORT"}
        rows = [{k: v for k, v in outcome.items() if k != "error"} for outcome in outcomes if "key" in outcome]
        skipped = collections.Counter(o["skipped"] for o in outcomes if "key" not in o)
        tensor_runner.write(folder / f"{family}.json", {"skipped": skipped, "cases": rows})
        print(family, len(rows), "recorded; skipped:", dict(skipped), flush=True)


main()
