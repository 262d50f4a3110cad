"""Records the neural-network operations on MindSpore: values, dtypes, gradients and exception classes.

Run with an interpreter that has MindSpore: `python ops_nn.py [topic ...]` writes `../data/ops_nn_<topic>.json` from
the tables in `ops_nn_samples.py`. Everything runs in PYNATIVE_MODE and is repeated until two outcomes agree,
because MindSpore may report an error one operation late. A case that MindSpore's CPU build refuses for want of a
kernel is marked `wider`.
"""

import sys
from pathlib import Path

from tests.conformance import nn_cases
from tests.conformance.record import tensor_runner
from tests.conformance.record.ops_nn_samples import TOPICS

HERE = Path(__file__).resolve()

# Refusals that only say that MindSpore's CPU build lacks a kernel for the type or the operation: ours computes there.
NO_KERNEL = ("unregistered", "Create kernelmod", "Not found op", "Not implement exception", "bprop not defined")
WIDE = ("f2", "f8", "bf16")


def jobs(topic: str) -> list[dict]:
    """The cases of a topic, without outcomes."""
    out = []
    for row in TOPICS[topic]:
        inputs = dict(part.strip().split(" ", 1) for part in row[0].split("; "))
        for expr in row[1]:
            out.append({"inputs": inputs, "expr": expr})
            if len(row) > 2:
                out.append({"inputs": inputs, "expr": expr, "wrt": row[2]})
    return out


def evaluate(job: dict) -> dict:
    import mindspore as ms

    def gradient(fn, args):
        out = ms.grad(fn, tuple(range(len(args))))(*args)
        return out if isinstance(out, tuple) else (out,)

    outcome = nn_cases.outcome(job, ms, gradient)
    refused = outcome.get("error") == "TypeError" and any(
        f" {d}[" in f" {t}" for t in job["inputs"].values() for d in WIDE
    )
    refused |= outcome.get("error") == "RuntimeError" and "Kernel select failed" in outcome["message"]
    if refused or any(text in outcome.get("message", "") for text in NO_KERNEL):
        return {"wider": True, "message": outcome["message"]}
    return outcome


def main() -> None:
    if "--worker" in sys.argv:
        import mindspore as ms

        tensor_runner.serve(tensor_runner.stable(evaluate, ms))
        return
    for topic in sys.argv[1:] or TOPICS:
        cases = jobs(topic)
        outcomes = tensor_runner.run(__file__, cases)
        path = HERE.parents[1] / "data" / f"ops_nn_{topic}.json"
        tensor_runner.write(path, {"cases": [{**c, **o} for c, o in zip(cases, outcomes, strict=True)]})
        sys.stderr.write(f"{topic}: {len(cases)} cases, {path.stat().st_size} bytes\n")


main()
