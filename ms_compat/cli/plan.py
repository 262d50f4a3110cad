"""`ms-compat plan`: whether a script's training step fits an accelerator that is not here, and what bounds it there."""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ms_compat.cli import run as _run
from ms_compat.cli._output import print_json, print_table, relative
from ms_compat.cli._programs import NotStarted

if TYPE_CHECKING:
    from ms_compat._targets.capture import Step
    from ms_compat._targets.report import Plan
    from ms_compat._targets.target import Target

NAME = "plan"
HELP = "compile a script's training step for an accelerator that is not here: does it fit, what bounds it?"
EXAMPLES = """\
  ms-compat plan --target v5e train.py            one TPU v5e; the script runs until it would train
  ms-compat plan --target h100:8 train.py --batch 64   what follows the script is the script's
  ms-compat plan --target v5e:4x4 --abstract train.py  weights take no memory here, however large the net
  ms-compat plan --target h100 --json train.py | jq .needed   of a script with several steps (a GAN), a list
targets: v4, v5e, v5p, v6e (with the sizes of a torus: v5e:4x4, v5p:2x2x4), h100, h200 (with a number: h100:8)
exit status: 0 it fits, 1 it does not or the script trains nothing, 2 wrong arguments or a compiler that is not there
"""
_INPUTS = 6  # the most inputs to print


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--target", required=True, metavar="CHIPS", help="such as v5e, v5e:4x4, h100 or h100:8")
    parser.add_argument(
        "--abstract", action="store_true", help="Parameters have no values: no memory is taken for them here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    _run.add_program(parser)
    parser.usage = "ms-compat plan --target CHIPS [options] (SCRIPT | -m MODULE | -c CODE | -) [arguments ...]"
    parser.set_defaults(refuse=parser.error, no_check=True, strict=False)


def run(args: argparse.Namespace) -> int:
    """Prints the plan; `--help` describes the exit status."""
    from ms_compat._core.errors import UnsupportedError
    from ms_compat._core.settings import device
    from ms_compat._targets import target as targets

    _run.check_program(args)
    try:
        target = targets.parse(args.target)
        with _compilers_notes():
            _only_cpu()
            target.devices()
        with device.planned(target.chip.backend, tuple(target.devices())):  # the compiler replays the trace
            steps, status, missing = _steps(args, target)
            if not steps:
                return status
            from ms_compat._targets.plan import plan

            plans = [plan(step, target, _others(step, steps)) for step in steps]
            if missing:
                plans[0].notes.append(
                    f"The script read values, or ended, before it ran a step of {missing}, so that step is not planned."
                )
    except NotStarted as error:
        print(f"ms-compat plan: {error}", file=sys.stderr)
        return error.status
    except (targets.TargetError, UnsupportedError) as error:
        print(f"ms-compat plan: {error}", file=sys.stderr)
        return 2
    if args.json:
        told = [found.to_dict() for found in plans]
        print_json(told if len(told) > 1 else told[0])
    else:
        for i, found in enumerate(plans):
            print("\n" * (i > 0), end="")
            _print(found)
    return 0 if all(found.fits for found in plans) and steps[0].optimizers else 1


def _others(step: "Step", steps: "list[Step]") -> "list[Step]":
    return [other for other in steps if other is not step]


def _only_cpu() -> None:
    """The script runs on the host; a compiler's wheel does not make JAX look for its accelerator."""
    import jax

    jax.config.update("jax_platforms", "cpu")
    jax.local_devices()


def _steps(args: argparse.Namespace, target: "Target") -> "tuple[list[Step], int, str]":
    """The script's training steps; else the largest program that it compiled; else nothing, with the reason as status.

    The last item names the optimizers without a known step, if the script trains at all.
    """
    from ms_compat._core.tensor import abstract
    from ms_compat._targets.capture import Capture, Found
    from ms_compat.install import install

    start = _run.locate_program(args)
    install()
    capture = Capture()
    status = 0
    with contextlib.ExitStack() as stack:
        if args.abstract:
            stack.enter_context(abstract.parameters())
        stack.enter_context(capture.installed())
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            status = start()
        except Found:
            pass
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    if capture.steps:
        return capture.steps, 0, ", ".join(type(o).__name__ for o in capture.without_steps())
    if status:
        print(f"ms-compat plan: the script ended with the exit status {status} before it trained", file=sys.stderr)
        return [], 1, ""
    if not capture.programs:
        print(
            "ms-compat plan: the script trains nothing and compiles nothing: it gave gradients to no optimizer, and "
            "called no function under ms.jit and no Cell in GRAPH_MODE, which would be planned in a step's place",
            file=sys.stderr,
        )
        return [], 1, ""
    return [max(capture.programs, key=lambda step: len(step.program.program().jaxpr.eqns))], 0, ""


@contextlib.contextmanager
def _compilers_notes() -> Iterator[None]:
    """Suppresses what the compilers' libraries print about missing hardware, unless they fail.

    They bypass Python's streams, so this redirects the file descriptor meanwhile.
    """
    sys.stderr.flush()
    with tempfile.TemporaryFile() as notes:
        kept = os.dup(2)
        os.dup2(notes.fileno(), 2)
        failed = True
        try:
            yield
            failed = False
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            if failed and os.environ.get("MS_COMPAT_DEBUG"):
                notes.seek(0)
                sys.stderr.write(notes.read().decode("utf-8", "replace"))


def _print(plan: "Plan") -> None:
    from ms_compat._targets.advice import readable

    many = f"{plan.chips} chips, " if plan.chips > 1 else ""
    verdict = "fits" if plan.fits else "DOES NOT FIT"
    needed = readable(plan.needed) if plan.needed else "more than it has"
    print(f"{plan.step} on {plan.target}: {verdict} ({many}{needed} of {readable(plan.memory)} a chip)")
    shown = plan.inputs[:_INPUTS]
    rest = len(plan.inputs) - len(shown)
    print(f"called with {', '.join(shown) or 'no arrays'}{f' and {rest} more' if rest else ''}\n")
    print_table(
        "Memory of a chip",
        ("", "bytes", "", "share"),
        [
            (name, f"{size:,}", readable(size), f"{size / plan.memory:.1%}")
            for name, size in (
                ("weights", plan.weights),
                ("optimizer", plan.optimizer),
                ("data", plan.data),
                ("constants", plan.constants),
                ("activations", plan.activations),
                ("temporaries", plan.temporaries),
                ("code", plan.code),
                ("needed", plan.needed),
            )
            if size
        ],
    )
    precisions = ", ".join(f"{count / max(plan.flops, 1):.0%} {dtype}" for dtype, count in plan.flops_by_dtype.items())
    print_table(
        "Work of a chip in one step",
        ("", "amount", "least time", ""),
        [
            ("arithmetic", f"{plan.flops:.3g} flop", f"{plan.seconds_arithmetic * 1e3:.3g} ms", precisions),
            ("memory", readable(plan.bytes_moved), f"{plan.seconds_memory * 1e3:.3g} ms", ""),
        ],
    )
    if plan.collectives:
        print_table(
            "Collectives",
            ("kind", "count", "bytes", "largest"),
            [(c.kind, c.count, readable(c.bytes), readable(c.largest)) for c in plan.collectives],
        )
    if plan.buffers:
        print_table(
            "Largest temporary arrays",
            ("bytes", "count", "array", "line", "operation", ""),
            [
                (readable(b.bytes), b.count, b.shape, _relative(b.line), b.operation, "kept" if b.kept else "")
                for b in plan.buffers
            ],
            optional=("operation", "count"),
        )
    for text in (*plan.advice, *plan.notes):
        print(f"- {text}")


def _relative(place: str) -> str:
    file, _, line = place.rpartition(":")
    return f"{relative(file)}:{line}" if file else ""
