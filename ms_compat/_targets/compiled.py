"""Compiles a traced program for a target."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ms_compat._compile.program import NO_PAIR
from ms_compat._compile.specialised import Specialised
from ms_compat._core.errors import UnsupportedError
from ms_compat._targets.hlo import Module
from ms_compat._targets.target import Target


class TooLarge(RuntimeError):  # a result, not a failure
    """The compiler cannot fit a program into the target's memory; the text is the compiler's message."""


class CompiledFor:
    """A program, compiled for a target.

    Args:
        program: the trace.
        leaves: the shapes of its arguments.
        target: what to compile for.

    Raises:
        UnsupportedError: the compiler is not installed, or the program is one of several processes.
        TargetError: there is no such arrangement of chips.
        TooLarge: the target lacks the memory.
    """

    def __init__(self, program: Specialised, leaves: list[Any], target: Target):
        if program.ranks:
            raise UnsupportedError(
                f"A program of the processes {list(program.ranks)} for {target}",
                "Plan it as one process that drives all chips: AutoParallel, or Cell.shard.",
            )
        self.target = target
        self.program = program
        self.leaves = leaves
        devices = target.devices()
        groups = [leaves, _arrays(program.mutated), _arrays(program.read), program.consts, [NO_PAIR]]
        one = NamedSharding(Mesh(np.array(devices), ("chips",)), PartitionSpec())
        self.is_laid_out = any(_own_sharding(v, devices) is not None for group in groups for v in group)
        shapes = [[_shape(v, devices, None if self.is_laid_out else one) for v in group] for group in groups]
        if self.is_laid_out:  # XLA places arrays that have no layout of their own; something must name the chips
            shapes[-1] = [_shape(NO_PAIR, devices, one)]
        self.lowered = program.jit.lower(*shapes[:-1], shapes[-1][0])
        try:
            with not_cached():
                self.compiled = self.lowered.compile()
        except jax.errors.JaxRuntimeError as error:
            if "RESOURCE_EXHAUSTED" not in str(error):
                raise
            raise TooLarge(str(error)) from error
        self.memory = self.compiled.memory_analysis()
        self.module = Module(self.compiled.as_text())

    def per_chip(self) -> list[list[int]]:
        """The bytes on a chip for each argument, each changed Parameter and each read Parameter."""
        (leaves, mutated, read, *_), _ = self.compiled.input_shardings
        groups = zip((self.leaves, _arrays(self.program.mutated), _arrays(self.program.read)), (leaves, mutated, read),
                     strict=True)  # fmt: skip
        return [[bytes_on_chip(v, s) for v, s in zip(values, given, strict=True)] for values, given in groups]


@contextlib.contextmanager
def not_cached() -> Iterator[None]:
    """Turns the compilation cache off in a `with` block: without their devices, cached programs could not be loaded."""
    before = jax.config.jax_enable_compilation_cache  # type: ignore[attr-defined]
    jax.config.update("jax_enable_compilation_cache", False)
    try:
        yield
    finally:
        jax.config.update("jax_enable_compilation_cache", before)


def _arrays(tensors: Iterable[Any]) -> list[Any]:
    return [t._v for t in tensors]


def bytes_on_chip(value: Any, sharding: Any) -> int:
    """The bytes of an array, or of its part on one chip where a sharding cuts it."""
    shape = np.shape(value)
    shape = shape if sharding is None else sharding.shard_shape(shape)
    return math.prod(shape) * getattr(value, "dtype", np.dtype(np.int64)).itemsize


def _own_sharding(value: Any, devices: list[Any]) -> Any:
    """An array's sharding if the program laid it out over the target's devices; otherwise None."""
    sharding = getattr(value, "sharding", None)
    return sharding if isinstance(sharding, NamedSharding) and devices[0] in sharding.device_set else None


def _shape(value: Any, devices: list[Any], otherwise: Any) -> jax.ShapeDtypeStruct:
    dtype = value.dtype if hasattr(value, "dtype") else np.result_type(type(value))
    weak = getattr(value, "weak_type", not hasattr(value, "dtype"))
    sharding = _own_sharding(value, devices) or otherwise
    return jax.ShapeDtypeStruct(np.shape(value), dtype, sharding=sharding, weak_type=weak)
