"""Random programs: `python -m tests.conformance.random_programs COMMAND`; see README.md in this folder."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from . import generate, recording, runner, triage


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.random_programs", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("generate", help="print the program of a seed, a script that runs alone")
    one.add_argument("seed", type=int)
    many = commands.add_parser("run", help="run seeds under MindSpore and this package; append to a file of JSON lines")
    many.add_argument("first", type=int)
    many.add_argument("last", type=int, help="the seed after the last")
    many.add_argument("file", type=Path)
    many.add_argument("--oracle", required=True, metavar="PYTHON", help="the interpreter that has MindSpore")
    many.add_argument("--graph-every", type=int, default=1, help="of how many seeds one is run in GRAPH_MODE, too")
    table = commands.add_parser("compare", help="count agreements and disagreements in files that `run` wrote")
    table.add_argument("files", type=Path, nargs="+")
    less = commands.add_parser("shrink", help="shrink the disagreements in files that `run` wrote, and print them")
    less.add_argument("files", type=Path, nargs="+")
    less.add_argument("--oracle", required=True, metavar="PYTHON", help="the interpreter that has MindSpore")
    less.add_argument("--mode", choices=("pynative", "graph"), default="pynative")
    less.add_argument(
        "--verify", action="store_true", help="only ask again in new processes, and for chaos; no shrinking"
    )
    less.add_argument("--sorts", default="value,dtype,shape,type,refuses,crash,error,accepts", help="which sorts")
    less.add_argument("--seeds", type=int, nargs="*", help="these seeds only")
    less.add_argument("--trials", type=int, default=200, help="how many programs may be run for one")
    kept = commands.add_parser("record", help="write the programs that the test suite replays, from files of `run`")
    kept.add_argument("files", type=Path, nargs="+")
    kept.add_argument("--count", type=int, default=1000)
    worker = commands.add_parser("serve", help="evaluate programs from the standard input (what `run` starts)")
    worker.add_argument("which", choices=("oracle", "ours"))
    worker.add_argument("mode", choices=("pynative", "graph"))
    chosen = parser.parse_args()
    match chosen.command:
        case "generate":
            print(generate.script(generate.source(chosen.seed)), end="")
        case "run":
            seeds = range(chosen.first, chosen.last)
            runner.run(seeds, chosen.file, chosen.oracle, sys.executable, chosen.graph_every)
        case "compare":
            report(chosen.files)
        case "shrink":
            shrunk(chosen)
        case "record":
            lines = (line for file in chosen.files for line in runner.lines(file))
            print(f"{recording.record(lines, chosen.count)} programs in {recording.PATH}")
        case "serve":
            runner.serve(chosen.which, chosen.mode)


def report(files: list[Path]) -> None:
    """Print the table of counts, and a line for each disagreement."""
    counts: Counter = Counter()
    found = [one for file in files for one in triage.disagreements(runner.lines(file), counts)]
    for one in found:
        print(f"{one.seed} {one.mode} {one.sort}: {one.detail[:240]}")
    for mode in ("pynative", "graph"):
        print(mode, ", ".join(f"{what}: {count}" for (of, what), count in sorted(counts.items()) if of == mode))


def shrunk(chosen: argparse.Namespace) -> None:
    """Print a minimal program for each disagreement of a mode."""
    counts: Counter = Counter()
    pair = runner.Worker(chosen.oracle, "oracle", chosen.mode), runner.Worker(sys.executable, "ours", chosen.mode)
    try:
        for file in chosen.files:
            for one in triage.disagreements(runner.lines(file), Counter()):
                if one.mode != chosen.mode or one.sort not in chosen.sorts.split(","):
                    continue
                if chosen.seeds and one.seed not in chosen.seeds:
                    continue
                left = triage.left_out_by_runs(one, *pair)
                counts[left or "disagree"] += 1
                if left is not None:
                    print(f"# {one.seed} {one.mode} left out: {left}", flush=True)
                elif chosen.verify:
                    print(f"# {one.seed} {one.mode} {one.sort}: {one.detail[:300]}", flush=True)
                else:
                    text, detail = triage.minimal(one.text, *pair, chosen.trials)
                    print(f"# {one.seed} {one.mode} {detail[:300]}\n{text}\n", flush=True)
        print(dict(counts))
    finally:
        for worker in pair:
            worker.close()


if __name__ == "__main__":
    main()
