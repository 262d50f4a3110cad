"""Records what MindSpore answers to indices out of range: the calls of tests/ops/index_samples.py.

Run with an interpreter that has MindSpore: `python ops_indices.py` writes `../data/ops_indices.json`. A value is
recorded without a result where it is what lies behind the end of an array, or random weights.
"""

import sys
from pathlib import Path

from tests.conformance import replay
from tests.conformance.record import tensor_runner
from tests.ops import index_samples

HERE = Path(__file__).resolve().parent


def evaluate(job: dict) -> dict:
    """The outcome in a fresh namespace; see `replay.evaluate`."""
    import mindspore as ms

    ms.set_context(pynative_synchronize=True)
    setup = index_samples.SETUP + f"def fn(I):\n    return {job['call']}\n"
    outcome = replay.evaluate({"setup": setup, "expr": job["expr"]}, ms)
    if "message" in outcome:
        outcome["message"] = outcome["message"].split("\n")[0][:100]
    return outcome


if __name__ == "__main__":
    if "--worker" in sys.argv:
        tensor_runner.serve(evaluate)
    else:
        jobs = index_samples.cases()
        found = [{**job, **outcome} for job, outcome in zip(jobs, tensor_runner.run(__file__, jobs), strict=True)]
        tensor_runner.write(HERE.parent / "data" / "ops_indices.json", {"cases": found})
