"""What a tape is made of: variables, operations, and calls with a rule of their own.

A node collects the cotangent of one Tensor in `ct`; one with several outputs has a `Slot` for each instead. A backward
pass (`backward.py`) calls `pull` on the nodes from the last to the first, for their inputs' gradients. The `Arithmetic`
that it passes adds cotangents and runs pullbacks, on plain arrays or recorded once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ms_compat._core.compiled.compiled_op import CompiledOp

if TYPE_CHECKING:
    from ms_compat._core.compiled.residuals import Plan

# The gradients that a node gives: the nodes that get one, and a gradient (or None) for each.
Gradients = tuple[Sequence["Node | None"], Sequence[Any]]
_NONE: Gradients = ((), ())


class Arithmetic(Protocol):
    """How a backward pass computes with cotangents."""

    def hooked(self, hooks: dict, cotangent: Any) -> Any:
        """A cotangent after its Tensor's hooks."""

    def run(self, pullback: CompiledOp, cotangents: Sequence[Any], node: Operation) -> Sequence[Any]:
        """The gradients of an operation's inputs."""

    def call(self, pull: Callable, cotangents: Sequence[Any]) -> Sequence[Any]:
        """The gradients that a rule in Python gives; cotangents may be None."""


class Node:
    """The place where the cotangent of one Tensor gathers; `hooks` are those that it passes through.

    `targets` are the nodes that its gradients go to, `outs` the slots of a node with several outputs. `entry`, `mask`
    and `ins` are an operation's.
    """

    __slots__ = ("ct", "hooks", "tape")
    targets: Sequence[Node | None] = ()
    outs: Sequence[Slot] = ()
    entry: Any = None
    mask: tuple[int, ...] = ()
    ins: Any = ()

    def __init__(self, tape: Any):
        self.tape = tape
        self.ct: Any = None
        self.hooks: Any = None

    def pull(self, by: Arithmetic, needed: set[Node] | None) -> Gradients:
        """Turn the cotangent into gradients for the targets; only for targets in `needed`, if given."""
        raise NotImplementedError

    def free(self) -> None:
        """Drop the residuals; the node can no longer take part in a gradient."""
        self.tape = self.ct = self.hooks = None

    def _taken(self, by: Arithmetic) -> Any:
        ct = self.ct
        if ct is not None:
            self.ct = None
            if self.hooks is not None:
                ct = by.hooked(self.hooks, ct)
        return ct


class Slot(Node):
    """One output of a node with several. It is not on the tape itself."""

    __slots__ = ()


class Leaf(Node):
    """A variable of a session.

    Its cotangent is passed on to the node that its Tensor has in an outer session, so that what the session's function
    returned has a gradient there. If passing on is switched off, or the outer session has no such node, the cotangent
    stays and is the gradient.

    Args:
        tape: the tape it is on.
        former: the node that its Tensor has in a session further out.
    """

    __slots__ = ("former", "targets")

    def __init__(self, tape: Any, former: Node | None = None):
        self.tape = tape  # not by the base class: there are as many as Parameters
        self.ct = None
        self.hooks = None
        self.former = former
        self.targets = () if former is None else (former,)

    def pass_on(self, on: bool) -> None:
        """Whether the cotangent passes on to the node further out."""
        self.targets = (self.former,) if on and self.former is not None else ()

    def pull(self, by: Arithmetic, needed: set[Node] | None) -> Gradients:
        ct = self._taken(by)
        if ct is None:
            return _NONE
        if self.targets:
            return self.targets, (ct,)
        self.ct = ct
        return _NONE

    def free(self) -> None:
        """As of any node, but the gradient stays to be read."""
        self.tape = self.hooks = self.former = None
        self.targets = ()


class Operation(Node):
    """An operation with one output.

    Args:
        tape: the tape it is on.
        entry: what was run.
        mask: the positions of the inputs that have gradients.
        targets: the nodes of these.
        ins: all inputs: iterating gives their arrays.
        links: the nodes of all inputs, or None.

    Attributes:
        kept: a plan and its residuals, which programs may read in place of what they would compute from `ins`
            (`residuals.py`); None for most operations.
    """

    __slots__ = ("entry", "ins", "kept", "links", "mask", "targets")

    def __init__(self, tape, entry: CompiledOp, mask: tuple[int, ...], targets: tuple[Node, ...], ins: Any, links: Any):
        self.tape = tape  # not by the base class: this runs for every recorded operation
        self.ct = None
        self.hooks = None
        self.entry = entry
        self.mask = mask
        self.targets = targets
        self.ins = ins
        self.links = links
        self.kept: tuple[Plan, list[Any]] | None = None

    def needed_inputs(self, needed: set[Node]) -> tuple[tuple[int, ...], tuple[Node, ...]]:
        """The part of the mask and the targets that leads to nodes in `needed`."""
        pairs = [(i, target) for i, target in zip(self.mask, self.targets, strict=True) if target in needed]
        return tuple([i for i, _ in pairs]), tuple([target for _, target in pairs])

    def pull(self, by: Arithmetic, needed: set[Node] | None) -> Gradients:
        ct = self._taken(by)
        if ct is None:
            return _NONE
        mask, targets = (self.mask, self.targets) if needed is None else self.needed_inputs(needed)
        return targets, by.run(self.entry.pullback(mask), (ct,), self)

    def free(self) -> None:
        self.tape = self.ct = self.hooks = self.ins = self.links = self.kept = None
        self.targets = ()


class SeveralOutputs(Operation):
    """An operation that returns a tuple."""

    __slots__ = ("outs",)

    def pull(self, by: Arithmetic, needed: set[Node] | None) -> Gradients:
        cts = [slot._taken(by) for slot in self.outs]
        present = tuple([i for i, ct in enumerate(cts) if ct is not None])
        if not present:
            return _NONE
        mask, targets = (self.mask, self.targets) if needed is None else self.needed_inputs(needed)
        return targets, by.run(self.entry.pullback(mask, present), [cts[i] for i in present], self)

    def free(self) -> None:
        super().free()
        self.outs = ()


class CustomVjp(Node):
    """A call whose pullback is Python: `rule` takes a cotangent or None per output and gives a gradient per target."""

    __slots__ = ("outs", "rule", "targets")

    def __init__(self, tape: Any, targets: tuple[Node | None, ...], rule: Callable):
        super().__init__(tape)
        self.targets = targets
        self.rule: Callable | None = rule

    def pull(self, by: Arithmetic, needed: set[Node] | None) -> Gradients:
        cts = [slot._taken(by) for slot in self.outs]
        if self.rule is None or all(ct is None for ct in cts):
            return _NONE
        return self.targets, by.call(self.rule, cts)

    def free(self) -> None:
        super().free()
        self.targets = self.outs = ()
        self.rule = None


def reachable(nodes: Sequence[Node | None], leaves: Sequence[Node | None]) -> set[Node]:
    """The nodes that depend on the leaves: in a nested session others lead to variables of outer sessions only."""
    needed = {leaf for leaf in leaves if leaf is not None}
    for node in nodes:
        if node is not None and any(target in needed for target in node.targets):
            needed.add(node)
            needed.update(node.outs)
    return needed
