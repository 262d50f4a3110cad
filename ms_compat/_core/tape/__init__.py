"""PYNATIVE_MODE's reverse-mode differentiation: a tape of the operations that touched a differentiated tensor.

A gradient function opens a `Session`, gives each differentiated tensor a `Leaf`, and runs the user's Python as it is.
An operation with a recorded input appends one node (`nodes.py`): the operation, its input arrays, and the nodes that
get its gradients. `backward.py` walks the tape from the end and calls one cached, jitted pullback per operation:
`jit(lambda ct, *ins: jax.vjp(fn, *ins)[1](ct))`. XLA removes the part of the forward that the pullback does not need.

Nothing is recorded without a session (`tensor._node` is None), which is why the hot path of an operation needs no
context. Sessions nest on one list: the inner backward walks only its own part. While an outer session is open the inner
backward runs recorded, too: a pullback is an operation whose own pullback is one more entry, so any order works.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from threading import get_ident
from typing import Any

import numpy as np

from ms_compat._core.compiled import integer_grad, residuals
from ms_compat._core.compiled.compiled_op import INEXACT as INEXACT
from ms_compat._core.compiled.compiled_op import CompiledOp as CompiledOp
from ms_compat._core.compiled.compiled_op import make_pullback as make_pullback
from ms_compat._core.compiled.compiled_op import zero_cotangent as zero_cotangent
from ms_compat._core.compiled.nodes import CustomVjp, Leaf, Node, Operation, SeveralOutputs, Slot, reachable
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.tape import programs
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import scopes, write_barrier

_new = object.__new__
_FLOAT32 = np.dtype(np.float32)


class _Tape(list):
    """The nodes of a session. Other threads see nodes of Tensors that they share, and do not record with them."""

    __slots__ = ("thread",)

    def __init__(self) -> None:
        super().__init__()
        self.thread = threading.get_ident()


# Held while an outermost session is open: the leaves stand in the Tensors themselves, some of which another thread's
# gradient function may differentiate, too.
lock = threading.RLock()


class _Local(threading.local):
    session: Session | None = None


_local = _Local()


class Session:
    """The region in which a gradient function records; `tape[start:]` is its own part of the shared list.

    It is entered as `with session, session`: Ctrl-C may end one exit before it does anything, and either does all.
    """

    __slots__ = ("_restore", "outer", "start", "tape")

    def __init__(self) -> None:
        self.outer = _local.session
        self.tape: list[Node | None] = self.outer.tape if self.outer is not None else _Tape()
        self.start = len(self.tape)
        self._restore: list[tuple[Tensor, Any]] = []

    def __enter__(self) -> Session:
        _local.session = self
        return self

    def __exit__(self, *exc) -> None:
        _local.session = self.outer
        for tensor, node in reversed(self._restore):
            tensor._node = node
        self._restore.clear()

    def leaf(self, tensor: Tensor) -> Leaf:
        """Make `tensor` a variable of this session; its former node is linked, so that outer sessions see through."""
        former = tensor._node
        live = former is not None and former.tape is not None
        node = Leaf(self.tape, former if live else None)
        self.tape.append(node)
        self._restore.append((tensor, former))
        tensor._node = node
        node.hooks = tensor._leaf_hooks
        return node

    def nodes(self) -> list[Node | None]:
        """This session's part of the tape, as a separate list."""
        return self.tape[self.start :]

    def narrow(self, leaves: Sequence[Node | None]) -> None:
        """Leave out of the pullback what leads to other leaves than these, whose gradients nobody needs.

        The user's Python, rules and hooks, is called all the same.
        """
        nodes = [node for node in self.nodes() if node is not None]
        of_user = [slot for node in nodes for slot in (node, *node.outs) if slot.hooks is not None]
        of_user += [slot for node in nodes if isinstance(node, CustomVjp) for slot in node.outs]
        needed = reachable(nodes, [*leaves, *of_user])
        for node in nodes:
            if isinstance(node, Operation):
                mask, targets = node.needed_inputs(needed)
                if mask and mask != node.mask:
                    node.mask, node.targets, node.kept = mask, targets, None

    def close(self) -> None:
        """Free every node, where no outer session can need them."""
        if self.outer is None:
            for node in self.tape:
                if node is not None and node.tape is not None:  # a walk has freed most of them
                    node.free()
            self.tape.clear()


class resume_recording:
    """Record also where recording is paused, for a gradient function that is called there; gives whether it was."""

    __slots__ = ("_depth",)

    def __enter__(self) -> bool:
        self._depth, _paused.depth = _paused.depth, 0
        return self._depth > 0

    def __exit__(self, *exc) -> None:
        _paused.depth = self._depth


def paused() -> bool:
    """Whether this thread is in a region that is not recorded."""
    return _paused.depth > 0


def recording() -> bool:
    """Whether a gradient function is recording in this thread."""
    return _local.session is not None


def current_tape() -> list[Node | None]:
    """The list that the open session records on; call it while `recording()`."""
    if _local.session is None:
        raise RuntimeError("No gradient function is recording in this thread.")
    return _local.session.tape


def node_of_assigned(tensor: Tensor) -> Node | None:
    """The node of a Tensor that a compiled function assigns; for a Parameter that statistics of cotangents are written
    into (`_autograd/cotangent_stats.py`) one of the open session, whose cotangent becomes the Parameter's value."""
    node = live_node(tensor)
    if node is None and "_observes" in tensor.__dict__ and recording():
        node = Leaf(current_tape())
        node.hooks = {0: lambda statistics: write_barrier.assign(tensor, statistics._v)}
        node.tape.append(node)
    return node


class no_record:
    """Run without recording; used for custom gradients and `no_grad`-like regions.

    The session is taken away and tensors that have nodes are read as constants.
    """

    def __enter__(self) -> None:
        _paused.depth += 1

    def __exit__(self, *exc) -> None:
        _paused.depth -= 1


@contextlib.contextmanager
def transform_residuals(transform: Callable | None) -> Iterator[None]:
    """For a block of code, let `transform(entry, mask, values, out)` decide what a node keeps of its inputs.

    Its result represents the inputs: iterating over it gives them, each time a backward pass needs them.
    """
    former, _paused.transform = _paused.transform, transform
    try:
        yield
    finally:
        _paused.transform = former


class _Paused(threading.local):
    """How this thread records: not at all while `depth` is positive; `transform` is what `transform_residuals` set."""

    depth = 0
    transform: Callable | None = None


_paused = _Paused()


def live_node(value: Any) -> Node | None:
    """The node of a tensor if it is on an open tape."""
    node = getattr(value, "_node", None)
    if node is None or (tape := node.tape) is None:
        return None
    return node if tape.thread == threading.get_ident() else None


def check_no_variable(api: str, value: Any) -> None:
    """Raise RuntimeError, as MindSpore does, if an operation that copies in place is given a variable of a gradient."""
    if not scopes.tracing and not _paused.depth and isinstance(live_node(value), Leaf):
        raise RuntimeError(
            f"For '{api}', the tensor must not be a variable of the gradient that is being computed (an input or a "
            "Parameter): what is written into it in place has no gradient. Use 'mindspore.ops.assign' for a Parameter, "
            "or a copy of an input."
        )


def run(entry: CompiledOp, values: Sequence[Any], links: Sequence[Any]) -> Any:
    """Run an entry on flat arrays and record it; `links` are the inputs' nodes. Returns Tensors."""
    # Written out, as `Op.__call__` is: this runs for every recorded operation, and calls cost more than what they do.
    me = get_ident()
    mask: tuple[int, ...] = ()
    targets: tuple[Any, ...] = ()
    for i, node in enumerate(links):
        if node is not None and (tape := node.tape) is not None and tape.thread == me:
            mask += (i,)
            targets += (node,)
    if not mask or _paused.depth:
        return wrap_all(entry.jit(*values))
    kept = None
    if entry.plans is None:
        out = entry.jit(*values)
    else:
        out, kept = _run_planned(entry, mask, values)
    if (transform := _paused.transform) is not None:
        values = transform(entry, mask, values, out)
        if values is None:  # no output has a gradient
            return wrap_all(out)
    tape = targets[0].tape
    if out.__class__ is ArrayImpl:
        result = _new(Tensor)
        result._v = out
        dtype = out.aval.dtype
        if dtype is _FLOAT32 or dtype in INEXACT or _of_integers(entry, mask, values):
            result._node = node = _new(Operation)
            node.tape = tape
            node.ct = None
            node.hooks = None
            node.entry = entry
            node.mask = mask
            node.targets = targets
            node.ins = values
            node.links = links
            node.kept = kept
            tape.append(node)
        return result
    several = SeveralOutputs(tape, entry, mask, targets, values, links)
    several.kept = kept
    results, slots = [], []
    for value in out:
        result = wrap(value)
        slot = Slot(tape)
        slots.append(slot)
        if value.dtype in INEXACT or _of_integers(entry, mask, values):
            result._node = slot
        results.append(result)
    several.outs = slots
    tape.append(several)
    return tuple(results)


def _run_planned(entry: CompiledOp, mask: tuple[int, ...], values: Sequence[Any]) -> tuple[Any, Any]:
    """The outputs of an operation that has plans, and what its node keeps for a program of the backward pass."""
    if _paused.transform is None and programs.is_on():
        found = residuals.computed_with(entry, mask, values)
        if found is not None:
            return found
    return entry.jit(*values), None


def _of_integers(entry: CompiledOp, mask: tuple[int, ...], values: Sequence[Any]) -> bool:
    """Whether an integer result has a gradient: it is computed from integers that have one, or cast from a float."""
    return entry.name in integer_grad.CASTS or any(values[i].dtype not in INEXACT for i in mask)


def record_custom_vjp(
    outputs: Sequence[Tensor], targets: Sequence[Node | None], pull: Callable, integers: bool = False
) -> None:
    """Put a node with a Python pullback on the tape.

    Args:
        outputs: the Tensors the function returned; each gets a slot.
        targets: the nodes of the differentiable inputs, None for the others.
        pull: called with one cotangent (Tensor) or None per output; returns one gradient (Tensor or None) per target.
        integers: whether outputs of integers have gradients, too.
    """
    tape = next(node.tape for node in targets if node is not None)
    node = CustomVjp(tape, tuple(targets), pull)
    node.outs = slots = []
    for out in outputs:
        slot = Slot(tape)
        slots.append(slot)
        if out._v.dtype in INEXACT or integers:
            out._node = slot
    tape.append(node)


def wrap_all(out: Any) -> Any:
    """Tensors for what an entry returned."""
    if out.__class__ is tuple or out.__class__ is list:
        return tuple([wrap(value) for value in out])
    return wrap(out)
