"""`ms-compat compare`: one net in PYNATIVE_MODE, in GRAPH_MODE and under MindSpore itself, Cell by Cell."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

import numpy as np

from ms_compat.cli import _started
from ms_compat.cli._output import counted, print_json, print_table, relative

NAME = "compare"
HELP = "run a script's net in both modes, and under MindSpore itself, and name the first Cell whose numbers differ"
EXAMPLES = """\
  ms-compat compare net.py                  the script's 'net' and 'inputs'; 'if __name__ == ...' is not entered
  ms-compat compare train.py --net 'LeNet(10)' --inputs 'Tensor(np.ones((2, 1, 32, 32), np.float32))'
  ms-compat compare net.py --oracle ~/mindspore/bin/python    a Python that has MindSpore
"""
_PROBE = pathlib.Path(__file__).parent / "_started" / "probe.py"
# The tolerance between two equivalent programs, as a share of the largest number: they may add in another order.
_TOLERANCE = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-7, "complex64": 1e-4, "complex128": 1e-7}
_BFLOAT16 = 5e-2


class Failed(Exception):  # it is raised and caught here
    """A process that has not answered; the text says why."""


class Engine(NamedTuple):
    """Something that runs the net.

    Attributes:
        name: its name in the tables.
        command: the command that starts a program with it.
        mode: "PYNATIVE" or "GRAPH".
    """

    name: str
    command: tuple[str, ...]
    mode: str


class Verdict(NamedTuple):
    """Compares one result part between a Cell and the reference.

    Attributes:
        agrees: whether the two agree.
        difference: the largest one, as a share of the reference's largest number; None if there are no numbers.
        text: the text for the table.
    """

    agrees: bool
    difference: float | None
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("script", type=pathlib.Path, help="a script that makes the net and its inputs")
    parser.add_argument("--net", default="net", help="the Cell, as an expression in the script's names")
    parser.add_argument("--inputs", default="inputs", help="its inputs, likewise: a Tensor, an array, or a tuple")
    parser.add_argument("--train", action="store_true", help="the net is set to training")
    parser.add_argument("--oracle", metavar="PYTHON", help="a Python with MindSpore; it is the reference then")
    parser.add_argument("--rtol", type=float, help="the share of the largest number by which others may differ")
    parser.add_argument("--seed", type=int, default=0, help="for the weights and random operations")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for each of the runs")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("arguments", nargs="*", help="the script's own arguments, after --")


def run(args: argparse.Namespace) -> int:
    """Prints the table; returns 1 if a Cell differs, 2 if the net cannot be run or none of its Cells be compared."""
    if not args.script.is_file():
        print(f"ms-compat compare: can't open file '{args.script}'", file=sys.stderr)
        return 2
    ours = (*_started.entry(), "run", "--no-check")
    engines = [Engine("PYNATIVE", ours, "PYNATIVE"), Engine("GRAPH", ours, "GRAPH")]
    if args.oracle:
        engines.insert(0, Engine("MindSpore", (args.oracle,), "PYNATIVE"))
    try:
        with tempfile.TemporaryDirectory() as folder:
            told = _compared(args, engines, pathlib.Path(folder))
    except Failed as error:
        print(f"ms-compat compare: {error}", file=sys.stderr)
        return 2
    if args.json:
        print_json(told)
    else:
        _print(told, [engine.name for engine in engines])
    if told["first"] is not None:
        return 1
    if not told["compared"]:
        reasons = sorted({cell["skipped"] for cell in told["cells"] if "skipped" in cell})
        print(f"ms-compat compare: no Cell could be compared: {'; '.join(reasons) or 'none ran'}", file=sys.stderr)
        return 2
    return 0


def _compared(args: argparse.Namespace, engines: list[Engine], folder: pathlib.Path) -> dict[str, Any]:
    reference, *others = engines
    job = {
        "script": str(args.script),
        "net": args.net,
        "inputs": args.inputs,
        "arguments": args.arguments,
        "train": args.train,
        "seed": args.seed,
        "record": str(folder / "record"),
    }
    recorded = _ask(reference, {**job, "task": "record"}, folder / "record", args.timeout)
    found: dict[str, list[dict[str, Any]]] = {}
    for engine in engines:
        task = {**job, **recorded, "task": "replay", "mode": engine.mode, "twice": engine is reference}
        found[engine.name] = _ask(engine, task, folder / engine.name, args.timeout)["results"]
    cells, first = [], None
    for number, call in enumerate(recorded["calls"]):
        cell: dict[str, Any] = {key: call[key] for key in ("cell", "class", "where")}
        cells.append(cell)
        expected = found[reference.name][number]
        if "skipped" in call or expected["random"]:
            cell["skipped"] = call.get("skipped", "it draws random numbers")
            continue
        if all(isinstance(found[engine.name][number]["forward"], dict) for engine in engines):
            error = expected["forward"]
            cell["skipped"] = f"it raises {error['error']} everywhere: {error['text']}"
            continue
        right = _numbers(folder / reference.name, number)
        for engine in others:
            got, numbers = found[engine.name][number], _numbers(folder / engine.name, number)
            for part in ("forward", "gradient"):
                verdict = _verdict(expected[part], right, got[part], numbers, args.rtol)
                cell[f"{engine.name} {part}"] = verdict._asdict()
                if not verdict.agrees and first is None:
                    first = {**{key: call[key] for key in ("cell", "class", "where")}, "engine": engine.name,
                             "part": part, **verdict._asdict()}  # fmt: skip
    compared = sum("skipped" not in cell for cell in cells)
    return {
        "reference": reference.name,
        "first": first,
        "compared": compared,
        "cells": cells,
        "never called": recorded["unused"],
    }


def _ask(engine: Engine, job: dict[str, Any], folder: pathlib.Path, timeout: float) -> dict[str, Any]:
    """Runs the probe in a process of its own."""
    folder.mkdir()
    (folder / "job.json").write_text(json.dumps({**job, "folder": str(folder)}), "utf-8")
    what = f"{job['task']} under {engine.name}"
    probe = folder / "probe.py"  # a copy: a program's own folder is searched for modules before all others
    shutil.copyfile(_PROBE, probe)
    command = [*engine.command, str(probe), str(folder / "job.json")]
    # Fused, or without the compiler, an operation may round otherwise: `compare` covers this, but in the same program.
    environment = {**os.environ, "MS_COMPAT_COLD_TIER": "0", "MS_JIT": "0"}
    if job.get("mode") == "GRAPH":
        del environment["MS_JIT"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=timeout, env=environment
        )
    except OSError as error:
        raise Failed(f"can't start '{command[0]}': {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{what} took longer than {timeout:g} s, which --timeout sets") from error
    answer = folder / "answer.json"
    if done.returncode or not answer.is_file():
        raise Failed(_why(engine, what, done))
    told = json.loads(answer.read_text("utf-8"))
    if "failed" in told:
        raise Failed(f"{told['failed']}{'' if engine.command[1:] else f' (under {engine.command[0]})'}")
    return told


def _why(engine: Engine, what: str, done: subprocess.CompletedProcess[str]) -> str:
    """Why a process ended without an answer, in one line."""
    last = next((line.strip() for line in reversed(done.stderr.splitlines()) if line.strip()), "")
    if last.startswith("ModuleNotFoundError") and not engine.command[1:]:  # the script's own are reported otherwise
        return f"--oracle: '{engine.command[0]}' has no MindSpore ({last.partition(': ')[2]})"
    ended = f"by signal {-done.returncode}" if done.returncode < 0 else f"with {done.returncode}"
    return f"{what} ended {ended}{': ' if last else ''}{last}"


def _numbers(folder: pathlib.Path, number: int) -> list[np.ndarray]:
    with np.load(folder / f"result{number}.npz", allow_pickle=False) as held:
        return [held[str(n)] for n in range(len(held.files))]


def _verdict(
    expected: Any, right: list[np.ndarray], got: Any, numbers: list[np.ndarray], rtol: float | None
) -> Verdict:
    wrong, failed = isinstance(expected, dict), isinstance(got, dict)
    if wrong or failed:
        if wrong and failed:
            return Verdict(True, None, f"{got['error']} in both")
        raised = got if failed else expected
        return Verdict(False, None, f"{'' if failed else 'no '}{raised['error']}: {raised['text']}")
    if len(expected) != len(got):
        return Verdict(False, None, f"{counted(len(got), 'result')} instead of {len(expected)}")
    if not expected:
        return Verdict(True, None, "none")
    worst = Verdict(True, 0.0, "")
    for place, (one, other) in enumerate(zip(expected, got, strict=True)):
        verdict = _of_arrays(right[one["tensor"]], numbers[other["tensor"]], one["dtype"], other["dtype"], rtol)
        if not verdict.agrees:
            return verdict._replace(text=f"result {place}: {verdict.text}")
        if verdict.difference is not None and verdict.difference >= (worst.difference or 0.0):
            worst = verdict
    return worst


def _of_arrays(right: np.ndarray, got: np.ndarray, kind: str, other: str, rtol: float | None) -> Verdict:
    if kind != other:
        return Verdict(False, None, f"dtype {other} instead of {kind}")
    if right.shape != got.shape:
        return Verdict(False, None, f"shape {got.shape} instead of {right.shape}")
    if right.dtype.kind not in "fc":
        count = int((right != got).sum())
        text = f"{count:,} of {counted(right.size, 'number')} differ" if count else ""
        return Verdict(not count, float(bool(count)), text)
    odd = ~(np.isfinite(right) & np.isfinite(got))
    if not np.array_equal(right[odd], got[odd], equal_nan=True):
        return Verdict(False, None, "NaN or infinities elsewhere")
    wide = np.complex128 if right.dtype.kind == "c" else np.float64
    apart = np.abs(np.where(odd, 0, got).astype(wide) - np.where(odd, 0, right).astype(wide))
    if not apart.size:
        return Verdict(True, 0.0, "")
    largest = float(np.abs(np.where(odd, 0, right)).max())
    difference = float(apart.max()) / (largest or 1.0)
    limit = rtol
    if limit is None:
        limit = _BFLOAT16 if kind == "BFloat16" else _TOLERANCE[right.dtype.name]
    if difference <= limit:
        return Verdict(True, difference, "")
    place = tuple(int(index) for index in np.unravel_index(int(apart.argmax()), apart.shape))
    return Verdict(False, difference, f"{got[place]:.6g} instead of {right[place]:.6g} at {list(place)}")


def _shown(verdict: dict[str, Any] | None) -> str:
    if verdict is None:
        return ""
    share = "" if verdict["difference"] is None else f"{verdict['difference']:.1e}"
    return f"{'' if verdict['agrees'] else 'DIFFERS '}{share or verdict['text']}"


def _print(told: dict[str, Any], names: list[str]) -> None:
    columns = [f"{name} {part}" for name in names[1:] for part in ("forward", "gradient")]
    rows = []
    for cell in told["cells"]:
        shown = [_shown(cell.get(column)) for column in columns]
        if "skipped" in cell:
            shown[0] = f"skipped: {cell['skipped']}"
        rows.append((cell["cell"] or "(the net)", cell["class"], _place(cell["where"]), *shown))
    print_table(
        f"Largest difference from {told['reference']}, as a share of the largest number",
        ("Cell", "class", "called at", *columns),
        rows,
        optional=("class", "called at"),
        prose=columns,
    )
    if told["never called"]:
        print(f"These Cells were not compared, because their hooks were not called: {', '.join(told['never called'])}")
    first = told["first"]
    if first is None:
        if told["compared"]:
            print(f"{counted(told['compared'], 'Cell')} {'agrees' if told['compared'] == 1 else 'agree'}.")
        return
    share = "" if first["difference"] is None else f" (a share of {first['difference']:.2e})"
    place = _place(first["where"])  # none of the net itself
    print(
        f"The first Cell that differs: {first['cell'] or '(the net)'}, a {first['class']}"
        f"{' called at ' if place else ''}{place}: its {first['part']} under {first['engine']}: {first['text']}{share}."
    )


def _place(where: str) -> str:
    file, _, line = where.rpartition(":")
    return f"{relative(file)}:{line}" if file else ""
