"""One training step in a process of its own, which runs as many steps as it reads: `... worker KIND CASE`.

KIND is `graph` or `pynative` (with MS_BENCHMARK_PACKAGE=mindspore on MindSpore itself), `by_hand` or `torch`. The first
answer is the first step's time. After that, each line of the input gives the most steps and the most seconds, and the
answer holds the fastest step's wall time and CPU time, and the loss. The line `"memory"` asks for the memory of a step.
"""

import ctypes
import json
import math
import os
import re
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


def resident(line: str) -> int:
    """A line of Linux's status of this process, in bytes: `VmRSS` is what it has in memory now, `VmHWM` the most."""
    with open("/proc/self/status", encoding="ascii") as file:
        (kilobytes,) = re.findall(rf"^{line}:\s*(\d+) kB$", file.read(), re.M)
    return int(kilobytes) * 1024


def memory(step: Callable[[], float], before: int) -> dict[str, int]:
    """The most memory that a step needs, by what the system counts for the process; it needs Linux and glibc.

    Args:
        step: a step that has run before.
        before: what the process had in memory before its first step.

    Returns:
        The bytes of `peak`, above `before`, and of `step`, above the process between two steps.
    """
    ctypes.CDLL(None).malloc_trim(0)  # freed memory that the C library keeps would hide a part of the step's
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # VmHWM begins again
    between = resident("VmRSS")
    step()
    step()  # a backward pass may go on after the loss is known
    peak = resident("VmHWM")
    return {"peak": peak - before, "step": peak - between}


def main(kind: str, case: str) -> None:
    """Answers until the input ends."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    step = build(kind, case)
    before = resident("VmRSS") if sys.platform == "linux" else 0
    start = time.perf_counter()
    loss = step()
    print(json.dumps({"first": time.perf_counter() - start}), file=answers)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked == "memory":
            print(json.dumps(memory(step, before)), file=answers)
            continue
        count, seconds = asked
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
