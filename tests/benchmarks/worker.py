"""One training step in a process of its own, which runs as many steps as it reads: `... worker KIND CASE`.

KIND is `graph` or `pynative` (with MS_BENCHMARK_PACKAGE=mindspore on MindSpore itself), `by_hand` or `torch`. The first
answer is the first step's time. After that, each line of the input gives the most steps and the most seconds, and the
answer holds the fastest step's wall time and CPU time; a last one holds the loss.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable


def build(kind: str, case: str) -> Callable[[], float]:
    """The step as a function that returns the loss."""
    if kind == "torch":
        from tests.benchmarks import torch_steps

        return torch_steps.step(case)
    from tests.benchmarks import networks

    networks.ms.set_seed(0)
    networks.ms.set_context(mode=networks.ms.PYNATIVE_MODE if kind == "pynative" else networks.ms.GRAPH_MODE)
    program = networks.programs(networks.FULL)[case]
    if kind != "by_hand":
        return {"graph": networks.Compiled, "pynative": networks.Recorded}[kind](program, program.net(networks.FULL))
    from tests.benchmarks import steps

    hand_written = steps.cases(networks.FULL)[case]
    return steps.ByHand(hand_written, hand_written.net())


def main(kind: str, case: str) -> None:
    """Answers until the input ends."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    step = build(kind, case)
    start = time.perf_counter()
    loss = step()
    print(json.dumps({"first": time.perf_counter() - start}), file=answers)
    for line in sys.stdin:
        count, seconds = json.loads(line)
        step()  # not measured: a backward pass may go on after the loss is known, and then takes time of the next step
        wall, cpu, end = math.inf, math.inf, time.perf_counter() + seconds
        for _ in range(count):
            start, start_cpu = time.perf_counter(), time.process_time()
            loss = step()
            wall, cpu = min(wall, time.perf_counter() - start), min(cpu, time.process_time() - start_cpu)
            if time.perf_counter() > end:
                break
        if not math.isfinite(loss):
            raise RuntimeError(f"The loss of {case} ({kind}) is {loss}.")
        print(json.dumps({"wall": wall, "cpu": cpu, "loss": loss}), file=answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
