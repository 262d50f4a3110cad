"""Records kinks.json: MindSpore's gradients of the expressions of tests/ops/kink_samples.py, in PYNATIVE_MODE.

Run with an interpreter that has MindSpore: `python -m tests.conformance.record kinks`.
"""

import math

from tests.conformance import replay
from tests.conformance.record import forked, tensor_runner
from tests.ops import kink_samples


def answer(job: tuple[str, str], ms) -> dict:
    """The gradient of one expression, or the class of the error."""
    topic, expression = job
    try:
        found = kink_samples.gradient(topic, expression, ms)
    except Exception as error:
        return {"error": type(error).__name__}
    return {"gradient": [float(f"{v:.6g}") if math.isfinite(v) else str(v) for v in found]}


def main() -> None:
    import mindspore as ms

    jobs = [(topic, expression) for topic in kink_samples.TOPICS for expression in kink_samples.samples(topic)]
    outcomes = forked.run(jobs, answer, ms, again=lambda outcome: "error" in outcome)
    rows = [{"topic": t, "expr": e, **o} for (t, e), o in zip(jobs, outcomes, strict=True)]
    tensor_runner.write(replay.DATA / "kinks.json", {"cases": rows})


main()
