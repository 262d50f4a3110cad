"""Compilers for accelerators, and the programs of this folder compiled by them."""

import contextlib
import pathlib
import runpy
import sys

import jax
import pytest

import ms_compat as ms
from ms_compat import install
from ms_compat._core.settings import context, device
from ms_compat._core.settings.parallel_context import reset_auto_parallel_context
from ms_compat._core.tensor import abstract
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


def run(program, *arguments, mode=None):
    """The names of one of the programs after its run, whose random numbers are the same each time.

    Args:
        program: its name.
        arguments: of its command line.
        mode: that it starts in.
    """
    argv, before = sys.argv, context.state.mode
    sys.argv = [program, *arguments]
    install.install()
    try:
        ms.set_seed(1)
        context.set_context(mode=before if mode is None else mode)
        return runpy.run_path(str(PROGRAMS / f"{program}.py"), run_name="__main__")
    finally:
        install.uninstall()
        sys.argv = argv
        context.set_context(mode=before)
        reset_auto_parallel_context()


def captured(target, program, *arguments):
    """The training step of one of the programs, for a target."""
    chip, devices = parse(target).chip, tuple(compiler(target))
    with contextlib.ExitStack() as stack:
        stack.enter_context(device.planned(chip.backend, devices))
        stack.enter_context(abstract.parameters())
        stack.enter_context(Capture().installed())
        found = stack.enter_context(pytest.raises(Found))
        run(program, *arguments)
    return found.value.step


def compiled(target, program, *arguments):
    """That step, and what the compiler made of it."""
    step = captured(target, program, *arguments)
    chip = parse(target).chip
    with device.planned(chip.backend, tuple(compiler(target))):
        return step, CompiledFor(step.program, step.leaves, parse(target))
