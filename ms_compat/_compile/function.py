"""A compiled function: one kept `jax.jit` per static key, called as `compiled(leaves, mutated, read, random pair)`.

The first call with a static key traces the user's Python (`program.py`); `specialised.py` keeps and runs the
result. A collective needs a trace over its processes (`processes.py`): the function is then one program over
all of them, each with its own arguments and state. A call with other shapes traces again; each trace is counted in
`traces` and explained on request (`fallback/explain.py`). What cannot be traced runs in Python (`fallback/breaks.py`).
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ms_compat._compile import control_flow
from ms_compat._compile.analysis import inspection, refusals, side_effects
from ms_compat._compile.fallback import breaks, explain, slow_compile
from ms_compat._compile.fallback.shape_policy import (
    LengthPolicy,
    Shapes,
    TooManyShapes,
    by_operations,
    in_pynative,
    shapes_of,
)
from ms_compat._compile.records import StatePartitionChanged
from ms_compat._compile.specialised import Specialised
from ms_compat._core import tape
from ms_compat._core.errors import JoinError, StrictSyntaxError
from ms_compat._core.jax_compat import ArrayImpl, Tracer, preserve_trace
from ms_compat._core.parallel import spmd
from ms_compat._core.settings import context
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.tree import TENSOR, arrays_of, call_spec, flatten, hooked, unflatten
from ms_compat._core.trace import scopes
from ms_compat._core.trace.precision import current_precision

if TYPE_CHECKING:
    from ms_compat._compile.padded.program import PaddedProgram

# The values of MS_DEV_JIT_SYNTAX_LEVEL.
_SYNTAX_LEVELS = {"0": context.STRICT, "1": context.COMPATIBLE, "2": context.LAX}


class CompiledFunction:
    """A function or a Cell's `construct`, compiled once per static key; see the module's docstring.

    Args:
        fn: the Python function to trace.
        cell: the Cell whose Parameters and flags belong to it, or None.
        name: how explanations and saved graphs call it.
        fullgraph: whether what cannot be traced is an error; otherwise it runs in Python (`fallback/breaks.py`).
        jitted: whether the user's `jit` made it, so that what it calls is compiled where it runs in Python itself.
    """

    takes_whole = False  # whether its inputs are not a batch, which a parallel mode would divide

    def __init__(self, fn: Callable, cell: Any = None, name: str | None = None, fullgraph=False, jitted=False):
        self.fn = fn
        self.cell = cell
        self.fullgraph = fullgraph
        self.jitted = jitted
        self.linearized: WeakSet[Any] = WeakSet()  # the Cells whose calls in it are differentiated later on
        self.apart: WeakSet[Any] = WeakSet()  # those that are not, because there are several calls or gradients
        self._breaks = 0
        self._broken = breaks.BROKEN  # as what the last key was given up
        self.name: str = name or getattr(fn, "__qualname__", "") or type(fn).__name__
        self.traces = 0
        self.history = explain.history()
        self.rewritten: bool | frozenset[Any] = False
        self._names: frozenset[str] | None = None  # that the code uses, known once it ran in Python
        self._specialised: dict[Any, Any] = {}  # by static key, Specialised or BROKEN
        self._lengths = LengthPolicy(self.name)
        self._version = -1
        self._static: Any = None

    def syntax_level(self) -> int:
        """How much of Python MindSpore compiles: `context.STRICT`, in which dicts become tuples, `COMPATIBLE` or `LAX`.

        The environment comes first, then the function's own option, then the context, which decorated functions ignore.
        """
        level = os.environ.get("MS_DEV_JIT_SYNTAX_LEVEL")
        if level:
            if level not in _SYNTAX_LEVELS:
                raise RuntimeError(f"MS_DEV_JIT_SYNTAX_LEVEL must be 0, 1 or 2, but got {level!r}.")
            return _SYNTAX_LEVELS[level]
        own = None if self.cell is None else self.cell.jit_config_dict.get("jit_syntax_level")
        if self.fullgraph:
            return context.STRICT
        if own:
            return getattr(context, own)
        return context.LAX if self.jitted else context.get_context("jit_syntax_level")

    def _refuses(self, error: BaseException) -> bool:
        """Whether what cannot be compiled is an error instead of a function that runs in Python."""
        if breaks.refused() or self._is_joint():
            return True
        level = self.syntax_level()
        if level == context.LAX:
            return False
        return (
            self.fullgraph
            or isinstance(error, StrictSyntaxError)
            or (level == context.STRICT and isinstance(error, JoinError))
        )

    def candidate_state(self, spec: Any) -> list[Tensor]:
        """The Parameters that the function is known to be able to reach."""
        return inspection.reachable_parameters(self.fn, self.cell, spec)

    def reachable(self) -> list[Any]:
        """What a trace of this function can touch, for functions that call it."""
        return [self.fn] if self.cell is None else [self.cell, self.fn]

    def run_traced(
        self, spec: Any, leaves: list[Tensor], scope: scopes.TraceScope, watch: side_effects.Watch
    ) -> tuple[Any, Callable]:
        """Run the user's Python with tracers in place; gives its output, and what `split_output` needs."""
        for leaf in leaves:
            scope.created[id(leaf)] = leaf
        scope.convert = self.rewritten
        args, kwargs = unflatten(spec, iter(leaves))
        arguments = side_effects.Arguments((args, kwargs))
        with control_flow.prints_at_run_time():
            out = control_flow.converted(self.fn)(*args, **kwargs)
        arguments.check(watch.names)
        refusals.check_output(out, scope)
        return out, lambda container: arguments.given(container) or watch.unchanged(container)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for such arguments without running: no state changes, no random number is drawn."""
        tensors: list[Any] = []
        spec = flatten((args, kwargs), tensors)
        self._refresh()
        key: tuple = (self._static, spec)
        leaves = arrays_of(tensors)
        with scopes.lock:
            specialised = self._specialised.get(key)
            if specialised is None:
                specialised = Specialised(self, spec)
                specialised.prepare(leaves)
                self._refresh()
                self._specialised[self._static, spec] = specialised
            specialised.shape_policy.own.add(shapes_of(leaves))  # the user requests them
            specialised.first_calls.asked = True
            while True:
                try:
                    # the call finds what this lowers and compiles: JAX keeps both per jit and signature
                    specialised.lower(leaves).compile()
                    return
                except StatePartitionChanged:
                    pass

    def program(self) -> Any:
        """The closed jaxpr of the last program that was traced; None without one."""
        for specialised in reversed(self._specialised.values()):
            if not specialised.broken:
                return specialised.program()
        return None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # One long function and no helpers, as it runs at every call of a compiled step: the one loop over the leaves
        # has the tests for unusual cases.
        if scopes.tracing and scopes.current_scope() is not None:
            if self.jitted and not scopes.compiling():
                return self._run_in_place(args, kwargs)
            return control_flow.converted(self.fn)(*args, **kwargs)
        tensors: list[Any] = []
        parts = []
        for a in args:
            if a.__class__ is Tensor and not a.const_arg:
                if a._leaf_hooks:
                    parts.append(hooked(a, tensors))
                    continue
                tensors.append(a)
                parts.append(TENSOR)
            else:
                parts.append(flatten(a, tensors))
        named: tuple = ()
        if kwargs:
            named = tuple(
                [
                    (k, hooked(v, tensors) if v.__class__ is Tensor and v._leaf_hooks else flatten(v, tensors))
                    for k, v in kwargs.items()
                ]
            )
        spec = call_spec(tuple(parts), named)
        if self._version != scopes.structure_version:
            self._refresh()
        key: tuple = (self._static, spec)
        if scopes.tracing and (precision := current_precision()) is not None:
            key = (self._static, spec, precision)
        specialised = self._specialised.get(key)
        leaves = []
        recorded = False
        for t in tensors:
            v = t._v if t.__class__ is Tensor or isinstance(t, Tensor) else t
            if v.__class__ is not ArrayImpl:
                if isinstance(v, Tracer):
                    return self._run_in_place(args, kwargs)
                if v is None and t.has_init:
                    v = t.init_data()._v
            if getattr(t, "_node", None) is not None:
                recorded = True
            leaves.append(v)
        traces = self.traces
        try:
            if specialised is None:
                if self.jitted and os.environ.get("MS_JIT") == "0":
                    return self.fn(*args, **kwargs)
                key, specialised = self._prepared(key, spec, leaves)
            if specialised.broken:
                return self._run_broken(specialised, args, kwargs)
            if not recorded:
                recorded = tape.recording() and any(t._node is not None for t in specialised.read + specialised.mutated)
            if recorded and not tape.paused():
                if self.jitted:
                    refusals.check_recorded((*args, *kwargs.values()))
                links = [tape.live_node(t) for t in tensors]
                if any(n is not None and v.dtype not in INEXACT for n, v in zip(links, leaves, strict=True)) or any(
                    t._node is not None and t._v.dtype not in INEXACT and tape.live_node(t) is not None
                    for t in (*specialised.read, *specialised.mutated)
                ):
                    return self._run_in_python(args, kwargs)  # the tape alone has gradients of integers
                if specialised.has_chunks():
                    specialised = self._for_tape(key, spec, leaves)
                out = specialised.call_recorded(leaves, links, (args, kwargs), tensors)
            else:
                out = specialised.call(leaves, (args, kwargs), tensors)
        except TooManyShapes as many:
            if specialised is None or not specialised.shape_policy.resolve(
                many.shapes, leaves, not recorded, functools.partial(_padded, specialised)
            ):
                return self._run_operations(args, kwargs)
            return self(*args, **kwargs)
        except breaks.BREAKS as error:
            if self._refuses(error) or not self._give_up(key, error):
                raise
            return self._run_broken(breaks.broken_by(error), args, kwargs)
        if self.traces != traces and explain.enabled():
            explain.report(self, spec, leaves)
        return out

    def _prepared(self, key: Any, spec: Any, leaves: list[Any]) -> tuple[Any, Any]:
        """The compiled form for a new static key, which the trace may add to."""
        if self._breaks >= breaks.PATIENCE:
            return key, self._broken
        with scopes.lock:
            specialised = self._specialised.get(key)
            if specialised is None:
                if not (self.fullgraph or breaks.refused() or self._is_joint()):
                    self._lengths.register(spec)
                specialised = Specialised(self, spec)
                with preserve_trace(), slow_compile.warn_if_slow(self.name):
                    specialised.prepare(leaves)
                if self._version != scopes.structure_version:  # the trace found attributes that belong to the key
                    self._refresh()
                    key = (self._static, *key[1:])
                self._specialised[key] = specialised
        return key, specialised

    def _is_joint(self) -> bool:
        """Whether several processes compute one program; Python in each of them would compute something else."""
        return spmd.of_processes(self.cell) is not None

    def _give_up(self, key: Any, error: BaseException) -> bool:
        """Let calls with this static key run in Python from now on; False if they do so already."""
        present = self._specialised.get(key)
        if present is not None and present.broken:
            return False
        self._broken = self._specialised[key] = breaks.broken_by(error)
        if not self._breaks:
            breaks.report(self.name, error)
        self._breaks += 1
        for cell in self.linearized:
            scopes.differentiated.add(cell)
            cell._refresh_plain()
        return True

    def _run_broken(self, how: breaks.Broken, args: tuple, kwargs: dict) -> Any:
        if how.whole:  # a gradient, whose control flow is not analysed: its writes stay its own
            return self._run_with_own(in_pynative.on(), args, kwargs, writes=False)
        return self._run_in_python(args, kwargs)

    def _run_in_python(self, args: tuple, kwargs: dict) -> Any:
        below = breaks.compiling_below() if self.jitted else contextlib.nullcontext()
        try:
            return self._run_with_own(below, args, kwargs)
        except RecursionError as error:  # MindSpore's compiler finds no branch that ends, and raises a RuntimeError
            raise RuntimeError(f"{self.name}: {error}. Check for infinite recursion or an endless loop.") from None

    def _run_in_place(self, args: tuple, kwargs: dict) -> Any:
        """Run under a transformation of JAX, such as `vmap`."""
        return self._run_with_own(contextlib.nullcontext(), args, kwargs) if self.jitted else self.fn(*args, **kwargs)

    def _run_operations(self, args: tuple, kwargs: dict) -> Any:
        """Run operation by operation, what the function calls too."""
        return self._run_with_own(in_pynative.on(), args, kwargs)

    def _run_with_own(
        self, mode: contextlib.AbstractContextManager[None], args: tuple, kwargs: dict, writes: bool = True
    ) -> Any:
        """Run in Python what a compiled call would do: what is its own alone does not reach the caller."""
        if self._names is None:
            self._names = inspection.reachable_values(self.fn, self.cell)[2].used
        own = breaks.OwnArguments(args, kwargs, self._names, writes)
        watch = side_effects.Watch(self.fn, self.cell, None) if "append" in self._names else None
        with mode, by_operations.on():
            out = self.fn(*own.args, **own.kwargs)
        return own.rebuild_outputs(out if watch is None else breaks.replaced(out, watch.put_back_lists()))

    def _for_tape(self, key: Any, spec: Any, leaves: list[Any]) -> Specialised:
        """The form whose state are the Parameters themselves."""
        key = ("tape", *key)
        with scopes.lock:
            specialised = self._specialised.get(key)
            if specialised is None:
                specialised = Specialised(self, spec, chunked=False)
                specialised.prepare(leaves)
                self._specialised[key] = specialised
        return specialised

    def _refresh(self) -> None:
        version = scopes.structure_version
        self._static = inspection.static_key(self.fn, self.cell)
        self._version = version


def _padded(program: Specialised, seen: list[Shapes], leaves: list[Any]) -> PaddedProgram:
    """The padded form of a program for the shapes that it met."""
    from ms_compat._compile.padded.program import PaddedProgram  # few programs need it

    return PaddedProgram(program, seen, leaves)
