"""The records that a compiled function's parts share: traces, facts about them, and the function itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol
from weakref import WeakSet

import jax
import numpy as np

from ms_compat._compile.analysis import donation, side_effects
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes

NO_PAIR = np.zeros(2, np.uint32)  # the random seed and counter of a program that draws nothing
# Closed-over arrays up to this size are folded into the program; larger ones (masks, tables) are passed as arguments.
_FOLD_BYTES = 1024


class Owner(Protocol):
    """The facts that a program needs about its compiled function (`function.py`), and its notes there.

    Attributes:
        fn: the Python function.
        cell: the Cell whose Parameters and flags belong to it, or None.
        name: how messages call it.
        fullgraph: whether what cannot be traced is an error.
        jitted: whether the user's `jit` made it.
        takes_whole: whether its inputs are not a batch, which a parallel mode would divide.
        rewritten: whether control flow is rewritten: in all functions, or in these.
        linearized: the Cells whose calls in it are differentiated later on.
        apart: those that are not, because there are several calls or gradients.
        traces: how often the Python ran under a trace.
    """

    fn: Callable
    cell: Any
    name: str
    fullgraph: bool
    jitted: bool
    takes_whole: bool
    rewritten: bool | frozenset[Any]
    linearized: WeakSet[Any]
    apart: WeakSet[Any]
    traces: int

    def syntax_level(self) -> int:
        """MindSpore's syntax level: `context.STRICT`, `COMPATIBLE` or `LAX`."""

    def candidate_state(self, spec: Any) -> list[Tensor]:
        """The Parameters that the function is known to be able to reach."""

    def run_traced(
        self, spec: Any, leaves: list[Tensor], scope: scopes.TraceScope, watch: side_effects.Watch
    ) -> tuple[Any, Callable]:
        """Run the user's Python with tracers in place."""


@jax.tree_util.register_pytree_node_class
class Result:
    """What the jitted function returns: output arrays with their spec, the changed state, and how many random draws.

    The spec travels in the tree's structure, so each cached executable brings its own.
    """

    __slots__ = ("changed", "meta", "outputs")

    def __init__(self, outputs, changed, meta):
        self.outputs = outputs
        self.changed = changed
        self.meta = meta

    def tree_flatten(self):
        return (self.outputs, self.changed), self.meta

    @classmethod
    def tree_unflatten(cls, meta, children):
        return cls(children[0], children[1], meta)


class TraceInfo:
    """Static facts of one trace; two are equal only if they are the same object.

    Attributes:
        spec: the outputs' structure.
        draws: the number of random draws; `random` says whether any is used (a loop reserves one).
        checks: whether the program checks anything at run time.
        attributes: the plain attributes that the Python assigned, which each call assigns again.
        effects: whether the program calls the host.
        host_outputs: which outputs are numbers or NumPy arrays to the user's program.
        input_checks: pairs `(argument, check)`, run on the arguments' values before each call.
        calls_python: whether it calls a Python function of the user, which may read any Parameter.
        has_python_vjp: whether the gradient calls the user's Python.
        reads_casts: whether the gradient passes through integers that the program cast from floats.
        written: the arguments that the program writes into, whose values follow the outputs.
    """

    __slots__ = (
        "attributes", "calls_python", "checks", "draws", "effects", "has_python_vjp", "host_outputs", "input_checks",
        "random", "reads_casts", "spec", "written",
    )  # fmt: skip

    def __repr__(self) -> str:
        return "outputs"  # as a part of the names that JAX gives results in a program's text

    def __init__(self, spec, rng, checks, attributes, host_outputs):
        self.spec = spec
        self.draws = rng.draws
        self.random = rng.used
        self.checks = checks
        self.attributes = attributes
        self.effects = False
        self.host_outputs = host_outputs
        self.input_checks: list[tuple[int, Any]] = []
        self.has_python_vjp = False
        self.calls_python = False
        self.reads_casts = False
        self.written: tuple[int, ...] = ()


class Trace:
    """One run of the user's Python under a trace, as a jaxpr with named inputs.

    The arrays of changed state may be donated unless a user's function that the program calls may read Parameters, or
    the compiler would make a mistake (`analysis/donation.py`).
    """

    __slots__ = ("changed", "closed", "large_consts", "may_donate", "meta", "output_count", "used")

    def __init__(self, closed, meta, changed, used):
        self.closed = closed
        self.meta = meta
        self.output_count = len(closed.jaxpr.outvars) - len(changed)
        self.changed = changed
        self.used = used
        self.large_consts = [c for c in closed.consts if getattr(c, "nbytes", 0) > _FOLD_BYTES]
        new_state = range(self.output_count, len(closed.jaxpr.outvars))
        self.may_donate = not meta.calls_python and donation.is_safe(closed, new_state)


def signature_of(values) -> tuple:
    """The shapes and dtypes of arrays, to be compared."""
    return tuple([(v.shape, v.dtype, getattr(v, "weak_type", False)) for v in values])


def abstract(values) -> list[jax.ShapeDtypeStruct]:
    """The shapes and dtypes of arrays and numbers."""
    return [
        jax.ShapeDtypeStruct(np.shape(v), v.dtype, weak_type=getattr(v, "weak_type", False))
        if hasattr(v, "dtype")
        else jax.ShapeDtypeStruct((), np.result_type(type(v)), weak_type=True)
        for v in values
    ]


class StatePartitionChanged(Exception):  # control flow, not an error
    """Another signature changes or reads other Parameters; the kept jit was rebuilt."""
