"""Record what MindSpore answers to the samples of tests/ops/sparse_samples.py.

Run with an interpreter that has MindSpore and the package `decorator`, without which its CSR kernels do not start:
`python ops_sparse.py` writes `../data/ops_sparse.json`.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "ops")]
import replay  # noqa: E402
import sparse_samples  # noqa: E402
import tensor_runner  # noqa: E402


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
