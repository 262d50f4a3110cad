"""PYNATIVE_MODE's reverse-mode differentiation: a tape of the operations that touched a differentiated tensor.

A gradient function opens a `Session`, gives each differentiated tensor a leaf `Node`, and runs the user's Python as it
is.
An operation with a recorded input appends one Node: which operation, its input arrays, and the nodes that its gradients
go to. Backward walks the tape from the end and calls one cached, jitted pullback per operation: `jit(lambda ct, *ins:
jax.vjp(fn, *ins)[1](ct))`. XLA removes the part of the forward that the pullback does not need. Nodes are freed as the
walk passes them, so residuals die as early as in a compiled step.

Nothing is recorded without a session (`tensor._node` is None), which is why the hot path of an operation needs no
context. Sessions nest on one list: the inner backward walks only its own part. While an outer session is open the inner
backward runs recorded, too (`_backward_recorded`): a pullback is an operation whose own pullback is one more entry, so
any order works.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

from ms_compat._core import integer_grad, state
from ms_compat._core.entry import INEXACT as INEXACT
from ms_compat._core.entry import Entry as Entry
from ms_compat._core.entry import make_pullback as make_pullback
from ms_compat._core.entry import zero_cotangent as zero_cotangent
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.tensor import Tensor, wrap


class Node:
    """One recorded operation, or (with `entry` None) a leaf, an output slot or a node with a Python pullback.

    `targets` are the nodes that the gradients of the inputs `mask` go to. `outs` are the slots of an operation with
    several outputs; with one output the node is its own slot and `ct` collects its cotangent.
    """

    __slots__ = ("ct", "custom", "entry", "hooks", "ins", "links", "mask", "outs", "tape", "targets")

    def __init__(self, tape, entry=None, mask=(), targets=(), ins=None, links=None, outs=None, custom=None):
        self.tape = tape
        self.entry = entry
        self.mask = mask
        self.targets = targets
        self.ins = ins
        self.links = links
        self.outs = outs
        self.custom = custom
        self.ct: Any = None
        self.hooks: Any = None

    def free(self) -> None:
        """Drop the residuals; the node can no longer take part in a gradient."""
        self.tape = None
        self.targets = ()
        self.ins = self.links = self.outs = self.custom = self.ct = self.hooks = None


class _Tape(list):
    """The nodes of a session. Other threads see those of Tensors that they share, and do not record with them."""

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
    """The region in which a gradient function records; `tape[start:]` is its own part of the shared list."""

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

    def leaf(self, tensor: Tensor) -> Node:
        """Make `tensor` a variable of this session; its former node is linked, so that outer sessions see through."""
        former = tensor._node
        live = former is not None and former.tape is not None
        node = Node(self.tape, links=(former,) if live else ())
        self.tape.append(node)
        self._restore.append((tensor, former))
        tensor._node = node
        node.hooks = tensor.__dict__.get("_leaf_hooks")
        return node

    @staticmethod
    def pass_through(leaves: Sequence[Node | None], on: bool) -> None:
        """Whether cotangents of these leaves go on to the tensors' former nodes.

        Off for the walk of the leaves' own session, which reads them; on for walks of sessions around it.
        """
        for leaf in leaves:
            if leaf is not None and leaf.tape is not None:
                leaf.targets = leaf.links if on else ()

    def nodes(self) -> list[Node | None]:
        """This session's part of the tape, as a list of its own."""
        return self.tape[self.start :]

    def narrow(self, leaves: Sequence[Node | None]) -> None:
        """Leave out of the pullback what leads to other leaves than these, whose gradients nobody asks for.

        The user's Python, rules and hooks, is called all the same.
        """
        nodes = self.nodes()
        slots = [slot for node in nodes if node is not None for slot in (node, *(node.outs or ()))]
        of_user = [slot for slot in slots if slot.hooks is not None]
        of_user += [slot for node in nodes if node is not None and node.custom is not None for slot in node.outs or ()]
        needed = _reachable(nodes, [*leaves, *of_user])
        for node in nodes:
            if node is not None and node.entry is not None:
                kept = [i for i, target in enumerate(node.targets) if target in needed]
                if 0 < len(kept) < len(node.targets):
                    node.mask = tuple([node.mask[i] for i in kept])
                    node.targets = tuple([node.targets[i] for i in kept])

    def close(self) -> None:
        """Free every node, where no outer session can ask for them."""
        if self.outer is None:
            for node in self.tape:
                if node is not None:
                    node.free()
            self.tape.clear()


@contextlib.contextmanager
def resumed() -> Iterator[bool]:
    """Record also where recording is paused, for a gradient function that is called there; gives whether it was."""
    depth, _paused.depth = _paused.depth, 0
    try:
        yield depth > 0
    finally:
        _paused.depth = depth


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
    into (`_autograd/observed.py`) one of the open session, whose cotangent becomes the Parameter's value."""
    node = live_node(tensor)
    if node is None and "_observes" in tensor.__dict__ and recording():
        node = Node(current_tape())
        node.hooks = {0: lambda statistics: state.assign(tensor, statistics._v)}
        node.tape.append(node)
    return node


class pause:
    """Run without recording; used for custom gradients and `no_grad`-like regions.

    The session is taken away and tensors that have nodes are read as constants.
    """

    depth = 0

    def __enter__(self) -> None:
        _paused.depth += 1

    def __exit__(self, *exc) -> None:
        _paused.depth -= 1


@contextlib.contextmanager
def keeping(keep: Callable | None) -> Iterator[None]:
    """For a block of code, let `keep(entry, mask, values, out)` decide what a node holds of an operation's inputs.

    What it returns stands for the inputs: iterating over it gives them, at each backward walk anew.
    """
    former, _paused.keep = _paused.keep, keep
    try:
        yield
    finally:
        _paused.keep = former


class _Paused(threading.local):
    """How this thread records: not at all while `depth` is positive; `keep` is what `keeping` set."""

    depth = 0
    keep: Callable | None = None


_paused = _Paused()


def live_node(value: Any) -> Node | None:
    """The node of a tensor if it is on an open tape."""
    node = getattr(value, "_node", None)
    if node is None or (tape := node.tape) is None:
        return None
    return node if tape.thread == threading.get_ident() else None


def run(entry: Entry, values: Sequence[Any], links: Sequence[Any]) -> Any:
    """Run an entry on flat arrays and record it; `links` are the inputs' nodes. Returns Tensors."""
    out = entry.jit(*values)
    me = threading.get_ident()
    mask = tuple(
        [i for i, node in enumerate(links) if node and (found := node.tape) is not None and found.thread == me]
    )
    if not mask or _paused.depth:
        return wrap_all(out)
    if _paused.keep is not None:
        values = _paused.keep(entry, mask, values, out)
        if values is None:  # no output has a gradient
            return wrap_all(out)
    targets = tuple([links[i] for i in mask])
    tape = targets[0].tape
    if out.__class__ is ArrayImpl:
        result = wrap(out)
        if out.dtype in INEXACT or _of_integers(entry, mask, values):
            node = Node(tape, entry, mask, targets, values, links)
            tape.append(node)
            result._node = node
        return result
    node = Node(tape, entry, mask, targets, values, links)
    results, slots = [], []
    for value in out:
        result = wrap(value)
        slot = Node(tape)
        slots.append(slot)
        if value.dtype in INEXACT or _of_integers(entry, mask, values):
            result._node = slot
        results.append(result)
    node.outs = slots
    tape.append(node)
    return tuple(results)


def _of_integers(entry: Entry, mask: tuple[int, ...], values: Sequence[Any]) -> bool:
    """Whether an integer result has a gradient: it is made of integers that have one, or a cast of a float."""
    return entry.name in integer_grad.CASTS or any(values[i].dtype not in INEXACT for i in mask)


def record_custom(
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
    node = Node(tape, targets=tuple(targets), custom=pull)
    node.outs = []
    for out in outputs:
        slot = Node(tape)
        node.outs.append(slot)
        if out._v.dtype in INEXACT or integers:
            out._node = slot
    tape.append(node)


def wrap_all(out: Any) -> Any:
    """Tensors for what an entry returned."""
    if out.__class__ is tuple or out.__class__ is list:
        return tuple([wrap(value) for value in out])
    return wrap(out)


# -- backward --------------------------------------------------------------------------------------------------------
_add = Entry(lambda a, b: a + b, "accumulate")


def backward(session_nodes: list[Node | None], retain: bool) -> None:
    """Walk a part of the tape from its end; cotangents must have been seeded with `seed`.

    Afterwards each leaf holds its gradient in `ct` (an array, or None if the output does not depend on it).

    Args:
        session_nodes: what `Session.nodes()` returned.
        retain: keep the nodes for another walk (a `vjp` pullback may be called again, an outer session may need them).
    """
    add = _add.jit
    for position in range(len(session_nodes) - 1, -1, -1):
        node = session_nodes[position]
        if node is None:
            continue
        entry = node.entry
        if entry is None and node.custom is None:
            if node.ct is not None:
                if node.hooks is not None:
                    node.ct = _call_hooks(node)
                for target in node.targets:  # an inner session's leaf: its tensor came from further out
                    target.ct = node.ct if target.ct is None else add(target.ct, node.ct)
                    node.ct = None
            continue
        outs = node.outs
        if outs is None:
            ct = node.ct
            if ct is None:
                if not retain:
                    node.free()
                    session_nodes[position] = None
                continue
            if node.hooks is not None:
                ct = _call_hooks(node)
            node.ct = None
            grads = entry.pullback(node.mask).jit(ct, *node.ins)
        else:
            cts = _take_slots(outs)
            present = tuple([i for i, ct in enumerate(cts) if ct is not None])
            if not present:
                grads = ()
            elif entry is None:
                with pause():
                    raw = node.custom(*[None if ct is None else wrap(ct) for ct in cts])
                grads = [None if g is None else g._v for g in raw]
            else:
                grads = entry.pullback(node.mask, present).jit(*[cts[i] for i in present], *node.ins)
        for target, grad in zip(node.targets, grads):  # noqa: B905  (a node without cotangents has no gradients)
            if target is not None and grad is not None:
                former = target.ct
                target.ct = grad if former is None else add(former, grad)
        if not retain:
            node.free()
            session_nodes[position] = None


def _take_slots(outs: list[Node]) -> list[Any]:
    cts = []
    for slot in outs:
        ct = slot.ct
        if ct is not None and slot.hooks is not None:
            ct = _call_hooks(slot)
        slot.ct = None
        cts.append(ct)
    return cts


def _call_hooks(node: Node) -> Any:
    """The cotangent of a node after its tensor hooks."""
    with pause():
        return through_hooks(node.hooks, wrap(node.ct))._v


def _reachable(session_nodes: Sequence[Node | None], leaves: Sequence[Node | None]) -> set[Node]:
    """The nodes that depend on the leaves: in a nested session others lead to variables of outer sessions only."""
    needed = {leaf for leaf in leaves if leaf is not None}
    for node in session_nodes:
        if node is not None and any(target in needed for target in node.targets):
            needed.add(node)
            needed.update(node.outs or ())
    return needed


def backward_recorded(session_nodes: list[Node | None], leaves: Sequence[Node | None]) -> None:
    """As `backward`, while an outer session records: cotangents are Tensors (`ct`) and every pullback is recorded.

    Only nodes that depend on `leaves` are visited, so that no cotangent reaches the outer sessions' nodes.
    """
    needed = _reachable(session_nodes, leaves)
    for node in reversed(session_nodes):
        if node is None or node not in needed:
            continue
        entry = node.entry
        if entry is None and node.custom is None:
            if node.ct is not None:
                if node.hooks is not None:
                    node.ct = through_hooks(node.hooks, node.ct)
                for target in node.targets:
                    accumulate_recorded(target, node.ct)
                    node.ct = None
            continue
        if node.outs is None:
            ct = node.ct
            if ct is None:
                continue
            if node.hooks is not None:
                ct = through_hooks(node.hooks, node.ct)
            node.ct = None
            mask, targets = _restrict(node, needed)
            grads = run(entry.pullback(mask), [ct._v, *node.ins], [ct._node, *node.links])
        else:
            cts = []
            for slot in node.outs:
                cts.append(
                    through_hooks(slot.hooks, slot.ct) if slot.ct is not None and slot.hooks is not None else slot.ct
                )
                slot.ct = None
            present = tuple([i for i, ct in enumerate(cts) if ct is not None])
            if not present:
                continue
            mask, targets = _restrict(node, needed)
            if entry is None:
                targets = node.targets
                grads = node.custom(*cts)
            else:
                given = [cts[i] for i in present]
                grads = run(
                    entry.pullback(mask, present),
                    [*[ct._v for ct in given], *node.ins],
                    [*[ct._node for ct in given], *node.links],
                )
        for target, grad in zip(targets, grads, strict=True):
            if target in needed and grad is not None:
                accumulate_recorded(target, grad)


def _restrict(node: Node, needed: set[Node]) -> tuple[tuple[int, ...], tuple[Node, ...]]:
    """The part of a node's mask and targets that leads to the variables asked for."""
    pairs = [(i, t) for i, t in zip(node.mask, node.targets, strict=False) if t in needed]
    return tuple([i for i, _ in pairs]), tuple([t for _, t in pairs])


def accumulate_recorded(node: Node, grad: Tensor) -> None:
    if node.ct is None:
        node.ct = grad
    else:
        node.ct = run(_add, [node.ct._v, grad._v], [node.ct._node, grad._node])


def clear_cotangents(session_nodes: list[Node | None]) -> None:
    """Forget cotangents, after an exception in the middle of a walk or between two walks."""
    for node in session_nodes:
        if node is not None:
            node.ct = None
            for slot in node.outs or ():
                slot.ct = None


class Hooks(dict):
    """The hooks of one tensor by their numbers; known to `remove_hook` as long as the tensor or its record lives."""

    __slots__ = ("__weakref__",)


_hooked: WeakValueDictionary[int, Hooks] = WeakValueDictionary()


def remove_hook(id: int) -> None:
    """Take a hook away, given the `id` of its handle; does nothing where there is none.

    Raises:
        TypeError: `id` is not an int.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0])
    >>> Tensor.remove_hook(x.register_hook(lambda grad: grad * 2).id)
    >>> x.hooks()
    []
    """
    if not isinstance(id, int):
        raise TypeError(f"For 'Tensor.remove_hook', 'id' must be an int, but got {type(id).__name__}.")
    hooks = _hooked.get(id)
    if hooks is not None:
        hooks.pop(id, None)


class HookHandle:
    """What `register_hook` returns: `remove()` takes the hook away again, as does `Tensor.remove_hook(handle.id)`."""

    __slots__ = ("_hooks", "id")
    _count = 0

    def __init__(self, hooks: Hooks, hook: Callable):
        if not callable(hook):
            raise TypeError(f"For 'Tensor.register_hook', 'hook' must be a function, but got {type(hook).__name__}.")
        HookHandle._count += 1
        self._hooks = hooks
        self.id = HookHandle._count
        hooks[self.id] = hook
        _hooked[self.id] = hooks

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        self._hooks.pop(self.id, None)


def through_hooks(hooks: dict, value: Tensor) -> Tensor:
    """A gradient after the hooks; what a hook returns, if not None, takes its place."""
    for hook in list(hooks.values()):
        replaced = hook(value)
        if replaced is not None:
            value = replaced
    return value


def register_tensor_hook(tensor: Tensor, hook: Callable) -> HookHandle:
    """`Tensor.register_hook`: acts on the record this tensor has now, and on leaves made of it later."""
    node = live_node(tensor)
    if node is None:
        hooks = tensor.__dict__.setdefault("_leaf_hooks", Hooks())
    else:
        if node.hooks is None:
            node.hooks = Hooks()
        hooks = node.hooks
    return HookHandle(hooks, hook)
