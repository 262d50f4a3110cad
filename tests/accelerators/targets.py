"""Compilers for accelerators, and the programs of this folder compiled by them."""

import contextlib
import pathlib
import runpy
import sys

import jax
import pytest

from ms_compat import install
from ms_compat._core import abstract, context, device
from ms_compat._core.parallel_context import reset_auto_parallel_context
from ms_compat._targets.capture import Capture, Found
from ms_compat._targets.compiled import CompiledFor
from ms_compat._targets.target import parse

PROGRAMS = pathlib.Path(__file__).with_name("programs")


def compiler(target):
    """The devices of a target; skips the test where there is no compiler for it."""
    parsed = parse(target)
    if parsed.missing() is not None:
        pytest.skip(f"{parsed.missing()} is not installed: pip install 'ms-compat[aot]'")
    if jax.config.jax_platforms != "cpu":
        pytest.skip("the compilers want JAX_PLATFORMS=cpu")
    return parsed.devices()


def captured(target, program, *arguments):
    """The training step of one of the programs, for a target."""
    chip, devices = parse(target).chip, tuple(compiler(target))
    argv, mode = sys.argv, context.state.mode
    sys.argv = [program, *arguments]
    install.install()
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(device.planned(chip.backend, devices))
            stack.enter_context(abstract.parameters())
            stack.enter_context(Capture().installed())
            with pytest.raises(Found) as found:
                runpy.run_path(str(PROGRAMS / f"{program}.py"), run_name="__main__")
        return found.value.step
    finally:
        install.uninstall()
        sys.argv = argv
        context.set_context(mode=mode)
        reset_auto_parallel_context()


def compiled(target, program, *arguments):
    """That step, and what the compiler made of it."""
    step = captured(target, program, *arguments)
    chip = parse(target).chip
    with device.planned(chip.backend, tuple(compiler(target))):
        return step, CompiledFor(step.program, step.leaves, parse(target))
