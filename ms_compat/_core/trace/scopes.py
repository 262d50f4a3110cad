"""The stack of open traces, and what every trace must restore.

A Tensor's array is its `_v`. While JAX traces a function, Parameters hold tracers. `TraceScope` puts them there and
restores the arrays in `finally`, also after an exception. `TraceScope.reads` notes the Parameters that the function
reaches through a closure, so that one discovery trace finds them. Writes go through `write_barrier.py`.

`tracing` counts the open traces of all threads: the hot path of an eager operation reads this one module attribute, and
the thread's own scope only when it is not zero. A trace holds `lock` while Parameters hold tracers, because other
threads that call the same Cell must not see them (`concurrency.py`).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakSet, ref

from ms_compat._core import interrupts
from ms_compat._core.jax_compat import eval_context

ABSENT = object()  # in place of an attribute's value: there was none
lock = threading.RLock()
tracing = 0
# Raised by every change that a compiled function must notice: Parameters or Cells added or removed, train mode, flags.
structure_version = 0
# Whether a compiled function runs as Python: what it calls then means what it means in compiled code.
by_operations = False
# Cells that such a function calls and then differentiates.
differentiated: WeakSet[Any] = WeakSet()


class LinearizeCall(BaseException):
    """A trace met the gradient of a call that it has made already; it is to be repeated with that call linearized.

    Control flow, not an error: no handler of the program may catch it.
    """

    def __init__(self, cell: Any):
        self.cell = cell


class CallApart(LinearizeCall):
    """A trace met another call or gradient of a Cell, a gradient of which took a call for its forward pass.

    It is to be repeated with each gradient of the Cell computed apart from its calls.
    """


class NoForwardMode(BaseException):
    """A function that is differentiated in forward mode has a user's backward rule.

    Control flow, like `LinearizeCall`: its pullback differentiates it then.
    """


def check_reverse_mode() -> None:
    """Raise NoForwardMode where the open trace is differentiated in forward mode."""
    scope = current_scope()
    if scope is not None and scope.forward_mode:
        raise NoForwardMode


class Rewriting:
    """Traces a function as it is, and again with its control flow rewritten if the first trace needs that.

    Attributes:
        needed: whether a trace has needed it. Later traces rewrite from the start.
    """

    def __init__(self) -> None:
        self.needed = False

    def __call__(self, trace: Callable[[], Any]) -> Any:
        """The result of a trace, in whose scope `enter` is called."""
        try:
            return trace()
        except NeedsRewriting:
            if self.needed or compiling():  # a compiled function around this one traces itself again
                raise
            self.needed = True
            return trace()

    def enter(self, scope: TraceScope) -> None:
        """Tell a trace's scope whether functions are rewritten, and that they can be."""
        scope.convert = scope.convert or self.needed
        scope.can_rewrite = True


class NeedsRewriting(BaseException):
    """A trace met what rewritten code alone tells.

    It wrote into a Tensor that an index had read: `x[i][j] = value` may have meant `x`. Or it made a number of a
    Tensor, and somewhere `isinstance` is called, which may check the number's class.

    Control flow, as `LinearizeCall` is.
    """


class _Local(threading.local):
    scope: TraceScope | None = None


_local = _Local()


class TraceScope:
    """One region of tracing; scopes nest (a gradient inside a compiled function opens one of its own).

    `swapped` tensors hold tracers of this scope; `writes` maps id -> (tensor, value before, node before) in order of
    the first write; `reads` holds the Parameters that were used without having been swapped in; `created` the tensors
    that were made inside, whose changes nobody outside sees (kept alive, so that an id is not used twice).
    `observers` maps id -> whether the function reached it, for the Parameters into which a linearization can write a
    cotangent's statistics (`_autograd/cotangent_stats.py`).
    """

    __slots__ = (
        "apart", "assigned", "attributes", "branch", "calls_python", "can_rewrite", "casts", "checks", "compiling",
        "concretized", "convert", "created", "failed", "forward_mode", "forwards", "has_python_vjp", "hidden_writes",
        "hooked_tensors", "host_arrays", "index_reads", "inferred", "input_checks", "inputs", "integers", "linearized",
        "new_cells", "numbers_are_asked", "observers", "open", "outer", "owned", "reads", "recomputed", "rng", "staged",
        "swapped", "taped_reads", "trace", "unjoined", "within", "writes", "written",
    )  # fmt: skip

    def __init__(self) -> None:
        self.writes: dict[int, tuple[Any, Any, Any]] = {}
        self.reads: dict[int, Any] = {}
        self.swapped: list[tuple[Any, Any, Any]] = []
        self.owned: set[int] = set()
        self.created: dict[int, Any] = {}
        self.attributes: dict[tuple[int, str], list[Any]] = {}  # see note_attribute
        self.assigned: dict[str, bool] = {}  # see note_assignment
        self.new_cells: dict[int, ref[Any]] = {}  # the Cells that were made inside, by their ids
        self.observers: dict[int, bool] = {}
        self.rng: Any = None
        # of a gradient: the calls whose results it does not keep (`_autograd/recomputed.py`)
        self.recomputed: list[Any] | None = None
        self.inferred: dict[int, Any] | None = None  # attributes of values (`_core/dispatch/interception.py`)
        # calls of Cells that a gradient may need again, and gradients; None where none are kept
        # (`_autograd/recorded.py`)
        self.forwards: list[Any] | None = None
        self.linearized: Any = ()  # the Cells whose calls are made with their pullbacks
        self.apart: Any = ()  # the Cells whose gradients have forward passes of their own
        # integer tensors with a gradient, which only the tape gives, by their ids
        self.integers: dict[int, Any] = {}
        self.trace: Any = None  # JAX's trace that differentiates this scope's computation
        self.casts: Any = None  # of a compiled function, an `integer_grad.Casts`
        self.concretized = False  # Python asked a traced value to be a bool or a number, which raises
        self.compiling = False  # a compiled function traces; what it cannot trace it runs in Python
        # the user's functions run with their control flow rewritten: all, or functions with such code and functions
        # that lead to such names
        self.convert: bool | frozenset[Any] = False
        self.can_rewrite = False  # NeedsRewriting is caught, and the functions are rewritten and run again
        self.numbers_are_asked = False  # for their class, by code that is not rewritten
        self.forward_mode = False  # jvp differentiates this trace: loops must not use reverse-mode rules
        self.checks = False  # an assert or raise was left to run time
        self.failed: Any = None  # of a compiled function: the Tensor that says whether it has reported an error
        self.has_python_vjp = False  # user Python belongs to the gradient: hooks, rules
        self.host_arrays = False  # the user's Python called `asnumpy` of a traced Tensor
        self.calls_python = False  # a Python function of the user runs whenever the compiled program does
        # of a compiled function: which argument a traced value is, by its id, and the checks `(argument, check)` that
        # are to be made before each run; None where the code that is traced may not run (branches, loops)
        self.inputs: dict[int, int] | None = None
        self.input_checks: list[tuple[int, Any]] = []
        # results of two branches whose types MindSpore does not join, by their ids, with what to say of each
        self.unjoined: dict[int, tuple[Any, str]] = {}
        self.hooked_tensors: dict[int, Any] = {}  # the Tensors with a hook, by their ids
        self.staged = False  # this is a branch or a loop
        self.branch: Any = None  # the code of the branch that this is
        self.within = False  # this is one, or stands in one
        self.written: Any = None  # of a compiled function, a `written_arguments.Arguments`
        # of a compiled function: the Tensors whose items were assigned, with the values before, by their ids
        # (`written_arguments.py`)
        self.hidden_writes: dict[int, tuple[Any, Any]] = {}
        self.index_reads: dict[int, Any] = {}  # what was read by index in code that is not rewritten, by their ids
        # Tensors of an open tape that are used without having been swapped in, by their ids; None where not needed
        self.taped_reads: dict[int, Any] | None = None
        self.outer: TraceScope | None = None
        self.open = False

    def enter_staged(self) -> None:
        """Say that this is a branch or a loop, whose code may run more than once or not at all."""
        self.staged = self.within = True
        self.inputs = None
        self.convert = True  # what it calls changes variables of the program, which rewritten code tells

    def swap(self, tensors, values) -> None:
        """Put tracers into `tensors`; `__exit__` puts the arrays back."""
        for tensor, value in zip(tensors, values, strict=True):
            self.swapped.append((tensor, tensor._v, tensor._node))
            self.owned.add(id(tensor))
            tensor._v = value
            tensor._node = None

    def value_before(self, tensor) -> Any:
        """The value of a Tensor when the scope was entered."""
        for swapped, value, _ in self.swapped:
            if swapped is tensor:
                return value
        return self.writes[id(tensor)][1] if id(tensor) in self.writes else tensor._v

    def around(self) -> Iterator[TraceScope]:
        """This scope, and then those around it."""
        scope: TraceScope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def owns(self, tensor) -> bool:
        """Whether this scope or one around it holds a tracer for `tensor`."""
        key = id(tensor)
        return any(key in scope.owned or key in scope.writes for scope in self.around())

    def has_created(self, parameter) -> bool:
        """Whether a Parameter was made in this scope or in one around it: its value then is a constant of the trace."""
        return any(id(parameter) in scope.created for scope in self.around())

    def has_created_cell(self, cell: Any) -> bool:
        """Whether a Cell was made since the outermost scope was entered."""
        return any(id(cell) in scope.new_cells for scope in self.around())

    def note_read(self, parameter) -> None:
        """Remember a Parameter that is used here but was neither swapped in nor made by any open scope."""
        if not self.owns(parameter) and not self.has_created(parameter):
            for scope in self.around():
                scope.reads[id(parameter)] = parameter

    def note_attribute(self, attributes: dict[str, Any], name: str, before: Any, after: Any) -> None:
        """Remember that a plain attribute was assigned: a compiled function does it again after each of its calls."""
        for scope in self.around():
            found = scope.attributes.setdefault((id(attributes), name), [attributes, name, before, after])
            found[3] = after

    def note_new_cell(self, cell: Any) -> None:
        """Remember that a Cell was made inside, by its id: a Cell from outside cannot get the same id later."""
        for scope in self.around():
            scope.new_cells[id(cell)] = ref(cell)

    def note_assignment(self, name: str, known: bool) -> None:
        """Remember that a Cell from outside had an attribute assigned, not a Parameter; and whether there was one."""
        for scope in self.around():
            scope.assigned.setdefault(name, known)

    def note_host_array(self) -> None:
        """Remember a call of `asnumpy`, which MindSpore compiles in one syntax level alone."""
        for scope in self.around():
            scope.host_arrays = True

    def note_rule(self) -> None:
        """Remember that the traced function's gradient calls user Python."""
        for scope in self.around():
            scope.has_python_vjp = True

    def note_callback(self) -> None:
        """Remember that the compiled program calls user Python, which may read any Parameter."""
        for scope in self.around():
            scope.calls_python = True

    def changed(self) -> list:
        """The tensors whose value differs from the one at entry, in order of first write."""
        created = self.created
        return [t for key, (t, before, _) in self.writes.items() if t._v is not before and key not in created]

    def __enter__(self) -> TraceScope:
        with lock:  # a signal may end the waiting here
            try:
                with interrupts.hold_signals():
                    self._open()
            except BaseException:
                if self.open:
                    self._close()
                raise
        return self

    def __exit__(self, *exc) -> None:
        try:
            with interrupts.hold_signals():
                self._close()
        finally:
            if self.open:  # a signal came before it could wait
                self._close()

    def _open(self) -> None:
        global tracing
        lock.acquire()
        self.outer = _local.scope
        tracing += 1
        self.open = True
        if self.outer is not None:
            self.compiling = self.compiling or self.outer.compiling
            self.integers = self.integers or self.outer.integers
            self.trace = self.trace or self.outer.trace
            self.casts = self.casts or self.outer.casts
            self.taped_reads = self.outer.taped_reads
            if self.outer.forwards is not None:
                self.forwards, self.linearized, self.apart = [], self.outer.linearized, self.outer.apart
            self.convert, self.failed = self.outer.convert, self.outer.failed
            self.numbers_are_asked = self.outer.numbers_are_asked
            self.can_rewrite = self.can_rewrite or self.outer.can_rewrite
            self.inputs, self.input_checks = self.outer.inputs, self.outer.input_checks
            self.within, self.written = self.within or self.outer.within, self.written or self.outer.written
            self.forward_mode = self.forward_mode or self.outer.forward_mode
        _local.scope = self

    def _close(self) -> None:
        global tracing
        for tensor, value, node in reversed(self.writes.values()):
            tensor._v = value
            tensor._node = node
        for tensor, value, node in reversed(self.swapped):
            tensor._v = value
            tensor._node = node
        _local.scope = self.outer
        tracing -= 1
        self.open = False
        lock.release()


def close_scopes(outer: TraceScope | None) -> None:
    """Close what this thread has opened inside of `outer`, for a signal that came where a block was about to end."""
    while _local.scope is not None and _local.scope is not outer:
        _local.scope.__exit__()


def current_scope() -> Any:
    """The innermost open trace of this thread, or None."""
    return _local.scope if tracing else None


def compiling() -> bool:
    """Whether a compiled function is being traced in this thread."""
    return bool(tracing) and _local.scope is not None and _local.scope.compiling


@contextlib.contextmanager
def set_aside() -> Iterator[None]:
    """Run Python of the program beside the open trace of this thread: it computes and prints at once."""
    former, _local.scope = _local.scope, None
    try:
        with eval_context():
            yield
    finally:
        _local.scope = former


def as_compiled() -> bool:
    """Whether this thread's code has the semantics of compiled code: it is traced, or broke out of a trace."""
    return by_operations or compiling()


def note_concretization() -> None:
    """Remember that Python is about to read a traced value; if the program catches the error, it must not matter."""
    if tracing and _local.scope is not None:
        for scope in _local.scope.around():
            scope.concretized = True


def check_input(value: Any, check: Any) -> None:
    """Let the compiled function that is traced run `check` on this value before each run, if it is an argument."""
    scope = _local.scope
    if scope is not None and scope.inputs:
        at = scope.inputs.get(id(value))
        if at is not None:
            scope.input_checks.append((at, check))
