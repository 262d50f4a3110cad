"""Records gradient_sweep/<family>.json: MindSpore's gradients of every sample, at the given points and at kinks.

Run with an interpreter that has MindSpore: `python -m tests.conformance.record gradient_sweep [family ...]`. A row has
for each point the value and the checksums of the gradients by each input and weight (see `program.py`), or the class
of the error; a point is left out where the gradients are as at the given one.
"""

import collections
import sys

from tests.conformance import replay
from tests.conformance.gradient_sweep import program as make
from tests.conformance.gradient_sweep import sources
from tests.conformance.record import forked, tensor_runner


def recorded(case: sources.Case, ms) -> dict:
    """The row of one case, or `skipped` and why."""
    try:
        program = make.program(case, ms)
    except make.NotDifferentiable as reason:
        return {"skipped": str(reason)}
    except Exception as error:
        return {"skipped": type(error).__name__}
    points = make.points(program)
    first, again = (at_point(make.gradients, program, points["given"], ms) for _ in range(2))
    if first == "NotDifferentiable":
        return {"skipped": "no output"}
    if first != again and not (isinstance(first, str) and isinstance(again, str)):
        return {"skipped": "random"}
    row = {"key": case.key, "inputs": len(program.names) + len(program.weights), "given": first}
    for name in make.POINTS[1:]:
        found = at_point(make.gradients, program, points[name], ms)
        if isinstance(found, str) or isinstance(first, str) or found[1] != first[1]:
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
    for family in sys.argv[1:] or [row.name for row in sources.FAMILIES]:
        outcomes = forked.run(sources.cases(family), recorded, ms, raises)
        rows = [outcome for outcome in outcomes if "key" in outcome]
        skipped = collections.Counter(o.get("skipped", "ABORT") for o in outcomes if "key" not in o)
        tensor_runner.write(folder / f"{family}.json", {"skipped": skipped, "cases": rows})
        print(family, len(rows), "recorded; skipped:", dict(skipped), flush=True)


main()
