"""Records what MindSpore answers to the samples of tests/ops/primitive_samples.py, as ops_a.py does for samples.py.

Run with an interpreter that has MindSpore: `python ops_primitives.py` writes `../data/ops_primitives.json`.
"""

import sys
from pathlib import Path

from tests.conformance import replay
from tests.conformance.record import tensor_runner
from tests.ops import primitive_samples

HERE = Path(__file__).resolve().parent


def child() -> None:
    import mindspore as ms

    def evaluate(job):
        outcome = replay.evaluate({**job, "setup": primitive_samples.SETUP}, ms)
        if "message" in outcome:
            outcome["message"] = outcome["message"][:100]
        return outcome

    ms.set_context(pynative_synchronize=True)
    tensor_runner.serve(evaluate)


def main() -> None:
    jobs = [{"expr": expression} for expression in primitive_samples.EXPRESSIONS]
    outcomes = tensor_runner.run(__file__, jobs)
    cases = [{**job, **outcome} for job, outcome in zip(jobs, outcomes, strict=True)]
    tensor_runner.write(HERE.parent / "data" / "ops_primitives.json", {"cases": cases})


if __name__ == "__main__":
    child() if "--worker" in sys.argv else main()
