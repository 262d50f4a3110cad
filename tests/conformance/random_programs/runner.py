"""Run many seeds: processes of their own evaluate batches, and a file of one JSON line a seed keeps what came out.

A process that dies or hangs costs the program that it was running (outcome `{"crash": ...}`); another one goes on with
the next. Seeds that the file holds already are not run again, so that a run can be stopped and continued.
"""

import gc
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import evaluate, generate

BATCH = {"oracle": 400, "ours": 4000}  # programs a process; MindSpore keeps every compiled graph
PATIENCE = 90.0  # seconds for one program
START = 600.0  # seconds until a process has imported what it runs


class Worker:
    """A process that evaluates one program after another.

    Args:
        python: the interpreter, which has MindSpore or this package.
        which: "oracle" or "ours".
        mode: "pynative" or "graph".
    """

    def __init__(self, python: str, which: str, mode: str):
        self.arguments = [python, "-m", __package__, "serve", which, mode]
        self.process: subprocess.Popen | None = None
        self.batch = BATCH[which]
        self.done = 0

    def evaluate(self, text: str) -> dict:
        """The outcome of a program; a crash or a time-out is an outcome, too.

        Some programs leave MindSpore's process in a state in which others get other answers. What `serve` found not to
        be sane afterwards is asked again in a new process.
        """
        outcome = self._evaluate(text)
        if not outcome.pop("sane", True):
            if self.done > 1:
                self.close()
                outcome = self._evaluate(text)
                outcome.pop("sane", None)
            self.close()
        return outcome

    def _evaluate(self, text: str) -> dict:
        if self.process is None or self.done >= self.batch:
            self.close()
            self._start()
        process = self.process
        self.done += 1
        try:
            process.stdin.write(json.dumps(text) + "\n")
            process.stdin.flush()
            line = self._line()
        except (BrokenPipeError, EOFError):
            code = process.wait()
            self.close()
            return {"shown": [], "crash": code}
        except TimeoutError:
            self.close()
            return {"shown": [], "crash": "timeout"}
        return json.loads(line)

    def _start(self) -> None:
        # MindSpore writes what its compiler refuses into the current directory.
        self.folder = tempfile.TemporaryDirectory(prefix="random_programs_")
        root = Path(__file__).resolve().parents[3]
        settings = os.environ | {"PYTHONPATH": str(root), "GLOG_v": "4", "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            self.arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env=settings,
        )
        self.process.stdin = os.fdopen(os.dup(self.process.stdin.fileno()), "w", encoding="utf-8")
        self.done = 0
        self.buffer = b""
        if json.loads(self._line(START)) != "ready":
            raise RuntimeError(f"{self.arguments} does not start")

    def _line(self, patience: float = PATIENCE) -> str:
        end = time.monotonic() + patience
        handle = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([handle], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError
            more = os.read(handle, 1 << 16)
            if not more:
                raise EOFError
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode()

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.folder.cleanup()
            self.process = None


def serve(which: str, mode: str) -> None:
    """Evaluate the programs that come as lines on the standard input; the answers go to the standard output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what programs print must not come between the answers
    ms = evaluate.load(which)
    evaluate.run("def main():\n    show(ops.tanh(Tensor([1.0])))\n", ms, mode)
    gc.freeze()  # MindSpore collects garbage for each Cell that it compiles, which took half of the time of a program
    print(json.dumps("ready"), file=answers, flush=True)
    for line in sys.stdin:
        outcome = evaluate.run(json.loads(line), ms, mode)
        outcome["sane"] = evaluate.is_sane(ms)
        print(json.dumps(outcome), file=answers, flush=True)
    answers.flush()
    os._exit(0)


def run(seeds: Iterable[int], path: Path, oracle: str, ours: str, graph_every: int = 1) -> None:
    """Run the programs of seeds under MindSpore and this package and append what came out to a file.

    A line holds `seed`, `text` (the program, so that a later grammar does not change what was run), and per mode the
    outcomes `[MindSpore's, this package's]`.

    Args:
        seeds: the seeds.
        path: the file of JSON lines. Seeds that it holds already are not run again.
        oracle: the interpreter that has MindSpore.
        ours: the interpreter that has this package.
        graph_every: of how many seeds one is run in GRAPH_MODE, too, which takes several times as long.
    """
    known = {line["seed"] for line in lines(path)} if path.exists() else set()
    pairs = {mode: (Worker(oracle, "oracle", mode), Worker(ours, "ours", mode)) for mode in ("pynative", "graph")}
    try:
        with path.open("a", encoding="utf-8") as file:
            for seed in seeds:
                if seed in known:
                    continue
                text = generate.source(seed)
                line = {"seed": seed, "text": text}
                for mode, pair in pairs.items():
                    if mode == "pynative" or seed % graph_every == 0:
                        line[mode] = [worker.evaluate(text) for worker in pair]
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
                file.flush()
    finally:
        for pair in pairs.values():
            for worker in pair:
                worker.close()


def lines(path: Path) -> Iterator[dict]:
    """The lines of a file that `run` wrote; one that was cut off ends it."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                return
