"""Records what MindSpore answers to the samples of tests/ops/sparse_samples.py.

Run with an interpreter that has MindSpore and the package `decorator`, without which its CSR kernels do not start:
`python ops_sparse.py` writes `../data/ops_sparse.json`.
"""

import sys
from pathlib import Path

from tests.conformance import replay
from tests.conformance.record import tensor_runner
from tests.ops import sparse_samples

HERE = Path(__file__).resolve().parent


def child() -> None:
    import mindspore as ms

    def evaluate(job):
        outcome = replay.evaluate({**job, "setup": sparse_samples.SETUP}, ms)
        if "message" in outcome:
            outcome["message"] = outcome["message"][:100]
        return outcome

    ms.set_context(pynative_synchronize=True)
    tensor_runner.serve(evaluate)


def main() -> None:
    outcomes = tensor_runner.run(__file__, sparse_samples.CASES)
    cases = [{**job, **outcome} for job, outcome in zip(sparse_samples.CASES, outcomes, strict=True)]
    tensor_runner.write(HERE.parent / "data" / "ops_sparse.json", {"cases": cases})


if __name__ == "__main__":
    child() if "--worker" in sys.argv else main()
