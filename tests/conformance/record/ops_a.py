"""Records what MindSpore answers to the samples of tests/ops/samples.py.

Run with an interpreter that has MindSpore: `python ops_a.py` writes `../data/ops_a_<topic>.json`, whose cases are
those of replay.py without the setup, which the samples have in common. A case that fails because MindSpore's CPU
backend has no kernel, and not because the call is wrong, is marked `"kernel": true`.
"""

import sys
from pathlib import Path
from types import ModuleType

from tests.conformance import replay
from tests.conformance.record import tensor_runner
from tests.ops import samples

HERE = Path(__file__).resolve().parent

KERNEL = (
    "unregistered",
    "Select CPU operator",
    "not supported on this device",
    "only support",
    "KernelMod Init Failed",
    "Create kernelmod",
    "support Ascend",
    "only supports Ascend",
    "Ascend only",
    "Unsupported op",
    "Launch kernel failed",
    "There is no branch",
    "decimals equal 0",
    "Not implement",
    "Kernel select failed",
)


def child(samples: ModuleType) -> None:
    """Answer jobs, in the process that `record` starts."""
    import mindspore as ms
    import mindspore.numpy

    def evaluate(job):
        outcome = replay.evaluate({**job, "setup": samples.SETUP + "\nimport mindspore.numpy as mnp"}, ms)
        if "error" in outcome and any(text in outcome["message"] for text in KERNEL):
            outcome["kernel"] = True
        if "message" in outcome:
            outcome["message"] = outcome["message"][:100]
        return outcome

    ms.set_context(pynative_synchronize=True)
    tensor_runner.serve(evaluate)


def record(samples: ModuleType, name: str, script: str) -> None:
    """Write `../data/<name>_<topic>.json` for every topic, or for those that the command names.

    `script` is the file that calls this and is run again.
    """
    if "--worker" in sys.argv:
        child(samples)
        return
    for topic in sys.argv[1:] or samples.TOPICS:
        jobs = [{"expr": expression} for expression in samples.samples(topic)]
        outcomes = tensor_runner.run(script, jobs)
        cases = [{**job, **outcome} for job, outcome in zip(jobs, outcomes, strict=True)]
        tensor_runner.write(HERE.parent / "data" / f"{name}_{topic}.json", {"cases": cases})


if __name__ == "__main__":
    record(samples, "ops_a", __file__)
