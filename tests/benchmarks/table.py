"""The guide's table of training steps: `python -m tests.benchmarks.table --torch PYTHON --mindspore PYTHON --write`.

Each program runs in a process of its own, and the processes take turns in short rounds, so that a disturbance of the
machine affects all of them; of each the fastest step counts. `--torch` and `--mindspore` are Python interpreters that
have PyTorch or MindSpore; without them, those rows are left out. ms_compat is started as users start it, by
`ms-compat run`.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).parents[2]
GUIDE, README = ROOT / "notebooks" / "guide" / "performance.md", ROOT / "README.md"
TITLES = {
    "lenet": "LeNet, 32 images",
    "resnet18": "ResNet-18, 16 images of 32 x 32",
    "gpt": "GPT of 4 layers, 8 x 128 tokens",
    "lstm": "LSTM, 16 x 64 tokens",
}
ROWS = {
    "graph": "`GRAPH_MODE`",
    "pynative": "`PYNATIVE_MODE`",
    "by_hand": "by hand in JAX",
    "mindspore graph": "MindSpore, `GRAPH_MODE`",
    "mindspore pynative": "MindSpore, `PYNATIVE_MODE`",
    "torch": "PyTorch, not compiled",
}
WARM_UP = (12, 30.0)  # steps and seconds: the first calls of a signature run without XLA


@dataclass
class Figures:
    """Of one program: the seconds of the first step and of the fastest step, its CPU seconds, and a step's memory.

    Attributes:
        rounds: the seconds of the fastest step of each round.
        memory: the bytes of `worker.memory`, if they were requested.
    """

    first: float
    wall: float = float("inf")
    cpu: float = float("inf")
    rounds: list[float] = field(default_factory=list)
    memory: dict[str, float] | None = None


@dataclass
class Worker:
    """A running `tests.benchmarks.worker`."""

    row: str
    case: str
    python: str
    process: subprocess.Popen = field(init=False)
    figures: Figures = field(init=False)

    def __post_init__(self) -> None:
        kind = self.row.rpartition(" ")[2]
        run = ["-m", "ms_compat", "run", "--no-check"] if self.row in ("graph", "pynative") else []
        package = "mindspore" if self.row.startswith("mindspore") else "ms_compat"
        self.process = subprocess.Popen(
            [self.python, *run, "-m", "tests.benchmarks.worker", kind, self.case],
            cwd=ROOT,
            env={**os.environ, "MS_COMPAT_CACHE": "0", "MS_BENCHMARK_PACKAGE": package},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.figures = Figures(self._answer()["first"])
        self.steps(*WARM_UP)

    def _answer(self) -> dict[str, float]:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise SystemExit(f"The program {self.row!r} of {self.case} ended with status {self.process.wait()}.")
        return json.loads(line)

    def steps(self, count: int, seconds: float) -> dict[str, float]:
        """Run up to `count` steps, and begin none after `seconds`."""
        return self._ask([count, seconds])

    def _ask(self, question: object) -> dict[str, float]:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def round(self, count: int, seconds: float) -> None:
        """Run some steps, and keep the fastest one's times."""
        found = self.steps(count, seconds)
        self.figures.rounds.append(found["wall"])
        self.figures.wall = min(self.figures.wall, found["wall"])
        self.figures.cpu = min(self.figures.cpu, found["cpu"])

    def measure_memory(self) -> None:
        """Keep the memory of a step."""
        self.figures.memory = self._ask("memory")

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def measure(
    case: str, pythons: dict[str, str], rounds: int, count: int, seconds: float, memory: bool = False
) -> dict[str, Figures]:
    """The figures of one case by rows."""
    workers: list[Worker] = []
    try:
        for row, python in pythons.items():
            workers.append(Worker(row, case, python))
        for _ in range(rounds):
            for worker in workers:
                worker.round(count, seconds)
        if memory:
            for worker in workers:
                worker.measure_memory()
    finally:
        for worker in workers:
            worker.close()
    return {worker.row: worker.figures for worker in workers}


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, to two or three digits.

    >>> milliseconds(0.00512), milliseconds(0.0674), milliseconds(21.1)
    ('5.1', '67', '21,100')
    """
    value = seconds * 1e3
    return f"{value:.1f}" if value < 10 else f"{float(f'{value:.3g}'):,.0f}"


def markdown(found: dict[str, dict[str, Figures]]) -> str:
    """The table, with the first step's seconds in parentheses, and a row of ratios to PyTorch where it was measured."""
    cases = list(found)
    lines = ["| | " + " | ".join(TITLES[case] for case in cases) + " |", "| --- " * (len(cases) + 1) + "|"]
    for row, title in ROWS.items():
        if any(row in found[case] for case in cases):
            cells = [_cell(found[case].get(row)) for case in cases]
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    for row, title in (("by_hand", "JAX by hand"), ("torch", "PyTorch"), ("mindspore graph", "MindSpore")):
        if all(row in found[case] and "graph" in found[case] for case in cases):
            ratios = [found[case]["graph"].wall / found[case][row].wall for case in cases]
            lines.append(f"| `GRAPH_MODE` / {title} | " + " | ".join(f"{ratio:.2g}" for ratio in ratios) + " |")
    return "\n".join(lines) + "\n"


def _cell(figures: Figures | None) -> str:
    return "not measured" if figures is None else f"{milliseconds(figures.wall)} ({figures.first:.1f})"


def by_rounds(row: Figures, other: Figures) -> str:
    """A row's time by another row's: the median of their rounds, and the extremes.

    The fastest of all steps may lie in a minute in which the machine was faster, of which only one program had a part.
    """
    ratios = sorted(mine / theirs for mine, theirs in zip(row.rounds, other.rounds, strict=True))
    return f"{statistics.median(ratios):.3g} ({ratios[0]:.3g} to {ratios[-1]:.3g})"


def memory_markdown(found: dict[str, dict[str, Figures]]) -> str:
    """The table of memory in MB: a step's peak above the process between two steps, in parentheses above its start."""
    lines = ["| peak MB | " + " | ".join(TITLES[case] for case in found) + " |", "| --- " * (len(found) + 1) + "|"]
    for row, title in ROWS.items():
        measured = [figures[row].memory if row in figures else None for figures in found.values()]
        if any(measured):
            cells = [
                "not measured" if m is None else f"{m['step'] / 1e6:.0f} ({m['peak'] / 1e6:.0f})" for m in measured
            ]
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def sentence(versions: dict[str, str]) -> str:
    """How the figures were measured."""
    machine = f"{os.cpu_count()} cores ({_processor()})"
    versions = {"Python": platform.python_version(), **versions}
    software = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        "Each number is the time of one training step in milliseconds: the same script under ms_compat and under\n"
        "MindSpore, and the same step written in plain JAX and in PyTorch. It is the fastest step of programs\n"
        "that took turns, in float32, after twelve warm-up steps. The first step's time in seconds, without a\n"
        f"cache on disk, is in parentheses. Measured on {machine} with {software}\n"
        f"on {datetime.date.today():%d %B %Y} by `python -m tests.benchmarks.table`.\n"
    )


def _processor() -> str:
    try:
        names = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text("utf-8"))
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def rewritten_guide(text: str, table: str, measured: str) -> str:
    """The guide with another table, and the paragraph before it."""
    new, count = re.subn(
        r"(?<=## Figures\n\n).*?\n\n(\|[^\n]*\n)+", lambda _: f"{measured}\n{table}", text, count=1, flags=re.S
    )
    if not count:
        raise SystemExit(f"{GUIDE} has no table under '## Figures'.")
    return new


def rewritten_readme(text: str, gpt: dict[str, Figures]) -> str:
    """The README with the GPT's figures."""
    shown = [milliseconds(gpt[row].wall) for row in ("graph", "by_hand", "mindspore graph")]
    pattern = r"takes [\d.,]+ ms on two CPU cores \(JAX by hand [\d.,]+, MindSpore [\d.,]+\)"
    new, count = re.subn(
        pattern, "takes {} ms on two CPU cores (JAX by hand {}, MindSpore {})".format(*shown), text, count=1
    )
    if not count:
        raise SystemExit(f"{README} has no sentence with the GPT's figures.")
    return new


def plot(found: dict[str, dict[str, Figures]], path: str) -> None:
    """Bars of the fastest steps, one group for each case, relative to `GRAPH_MODE`."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in ROWS if any(row in figures for figures in found.values())]
    figure, axes = pyplot.subplots(figsize=(9, 5.5), layout="constrained")
    width = 0.8 / len(rows)
    for at, row in enumerate(rows):
        have = [(i, figures) for i, figures in enumerate(found.values()) if row in figures]
        heights = [figures[row].wall / figures["graph"].wall for _, figures in have]
        places = [i + (at - (len(rows) - 1) / 2) * width for i, _ in have]
        bars = axes.bar(places, heights, width, label=ROWS[row].replace("`", ""))
        axes.bar_label(bars, [milliseconds(figures[row].wall) for _, figures in have], fontsize=7)
    axes.set_yscale("log")
    axes.set_xticks(
        range(len(found)), [TITLES[case].replace(", ", ",\n").replace(" of ", "\nof ", 1) for case in found]
    )
    axes.set_ylabel("time of a step / GRAPH_MODE (labels: ms)")
    figure.legend(loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def version_in(python: str, package: str) -> str:
    """The version of a package in another environment."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Measure, print, and write what was requested."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.table", description=__doc__.partition("\n")[0])
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--mindspore", metavar="PYTHON", help="an interpreter that has MindSpore")
    parser.add_argument("--cases", nargs="+", choices=list(TITLES), default=list(TITLES))
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--rounds", type=int, default=20, help="how often each program has its turn")
    parser.add_argument("--steps", type=int, default=10, help="the most steps in a turn")
    parser.add_argument("--seconds", type=float, default=2.0, help="no step of a turn begins after these")
    parser.add_argument("--memory", action="store_true", help="print the memory of a step, too (Linux with glibc)")
    parser.add_argument("--plot", metavar="FILE", help="draw the figures")
    parser.add_argument("--write", action="store_true", help="put the figures into the guide and the README")
    args = parser.parse_args()
    interpreters = {"torch": args.torch, "mindspore": args.mindspore}
    pythons = {row: interpreters.get(row.partition(" ")[0], sys.executable) for row in args.rows}
    given = {row: python for row, python in pythons.items() if python is not None}
    if args.write and not (set(TITLES) <= set(args.cases) and set(given) == set(ROWS)):
        parser.error("--write needs all cases and rows, and both --torch and --mindspore")
    found = {}
    for case in args.cases:
        found[case] = measure(case, given, args.rounds, args.steps, args.seconds, args.memory)
        for row, figures in found[case].items():
            times = f"{milliseconds(figures.wall):>8} ms, of CPU {milliseconds(figures.cpu):>8}"
            print(f"{case:<10}{row:<20}{times}, first {figures.first:.2f} s", file=sys.stderr, flush=True)
        for row in ("graph", "pynative"):
            if row in found[case] and "torch" in found[case]:
                ratio = by_rounds(found[case][row], found[case]["torch"])
                print(f"{case:<10}{row:<20}{ratio} times PyTorch's, by rounds", file=sys.stderr, flush=True)
    table = markdown(found)
    print(table)
    if args.memory:
        print(memory_markdown(found))
    if args.plot:
        plot(found, args.plot)
    if args.write:
        versions = {"JAX": importlib.metadata.version("jax")}
        versions["MindSpore"] = version_in(args.mindspore, "mindspore")
        versions["PyTorch"] = version_in(args.torch, "torch")
        GUIDE.write_text(rewritten_guide(GUIDE.read_text("utf-8"), table, sentence(versions)), "utf-8")
        README.write_text(rewritten_readme(README.read_text("utf-8"), found["gpt"]), "utf-8")


if __name__ == "__main__":
    main()
