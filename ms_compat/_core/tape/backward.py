"""The backward pass: one walk over a part of the tape, on plain arrays or recorded once more.

A walk frees the nodes that it passes, so that residuals are freed as early as in a compiled step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ms_compat._core import tape
from ms_compat._core.compiled.compiled_op import CompiledOp
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.compiled.nodes import Node, Operation, reachable
from ms_compat._core.tape import programs
from ms_compat._core.tape.hooks import through_hooks
from ms_compat._core.tensor import Tensor, wrap

_add = CompiledOp(lambda a, b: a + b, "accumulate")


class _Arrays:
    """Cotangents are arrays; what the user's Python sees of them is recorded nowhere."""

    add = staticmethod(_add.jit)
    tensor = staticmethod(wrap)

    @staticmethod
    def value(tensor: Tensor) -> Any:
        return tensor._v

    @staticmethod
    def hooked(hooks: dict, cotangent: Any) -> Any:
        with tape.no_record():
            return through_hooks(hooks, wrap(cotangent))._v

    @staticmethod
    def run(pullback: CompiledOp, cotangents: Sequence[Any], node: Operation) -> Sequence[Any]:
        return pullback.jit(*cotangents, *node.ins)

    @staticmethod
    def call(pull: Callable, cotangents: Sequence[Any]) -> Sequence[Any]:
        with tape.no_record():
            grads = pull(*[None if ct is None else wrap(ct) for ct in cotangents])
        return [None if grad is None else grad._v for grad in grads]


class _Recorded:
    """Cotangents are Tensors, and every step is an operation that a session further out records."""

    @staticmethod
    def add(one: Tensor, other: Tensor) -> Any:
        return tape.run(_add, [one._v, other._v], [one._node, other._node])

    @staticmethod
    def tensor(value: Any) -> Any:
        return value

    value = tensor
    hooked = staticmethod(through_hooks)

    @staticmethod
    def run(pullback: CompiledOp, cotangents: Sequence[Any], node: Operation) -> Sequence[Any]:
        values, links = [ct._v for ct in cotangents], [ct._node for ct in cotangents]
        return tape.run(pullback, [*values, *node.ins], [*links, *node.links])

    @staticmethod
    def call(pull: Callable, cotangents: Sequence[Any]) -> Sequence[Any]:
        return pull(*cotangents)


def backward(
    nodes: list[Node | None],
    heads: Sequence[Node | None],
    cotangents: Sequence[Tensor | None],
    leaves: Sequence[Node | None],
    *,
    recorded: bool,
    nested: bool,
    retain: bool,
) -> list[Tensor | None]:
    """The gradients of the leaves; None for what the outputs do not depend on.

    Args:
        nodes: a part of the tape, as `Session.nodes()` returns it.
        heads: the nodes of the outputs; None for what has no gradient.
        cotangents: the outputs' cotangents, or None.
        leaves: the nodes whose gradients the caller needs; None for what has none.
        recorded: whether an outer session records the walk.
        nested: whether the nodes belong to a session within another. Then only those that depend on `leaves` are
            visited, so that no cotangent reaches the outer session's nodes.
        retain: keep the nodes for another walk (a `vjp` pullback may be called again, an outer session may need them).
    """
    by = _Recorded if recorded else _Arrays
    for head, cotangent in zip(heads, cotangents, strict=True):
        if head is not None and cotangent is not None:
            ct = by.value(cotangent)
            head.ct = ct if head.ct is None else by.add(head.ct, ct)
    _run_pullbacks(nodes, by, reachable(nodes, leaves) if nested else None, retain)
    return [None if leaf is None or leaf.ct is None else by.tensor(leaf.ct) for leaf in leaves]


def _run_pullbacks(nodes: list[Node | None], by: Any, needed: set[Node] | None, retain: bool) -> None:
    compiled = by is _Arrays and needed is None and programs.is_on()
    end = len(nodes)
    if not compiled:
        _walk(nodes, 0, end, by, needed, retain)
        return
    at: dict = {}
    while end:
        found = programs.part_before(nodes, end, at)
        if found is None:
            start = end - 1
            _walk(nodes, start, end, by, needed, retain)
        else:
            start = found[0].start
            ready = programs.run(nodes, *found)
            if ready:
                if not retain:
                    _free(nodes, start, end)
            elif ready is False:
                _walk(nodes, start, end, by, needed, retain)
            else:
                with tier.replaced_soon():
                    _walk(nodes, start, end, by, needed, retain)
        end = start


def _walk(nodes: list[Node | None], start: int, end: int, by: Any, needed: set[Node] | None, retain: bool) -> None:
    add = by.add
    for position in range(end - 1, start - 1, -1):
        node = nodes[position]
        if node is None or (needed is not None and node not in needed):
            continue
        targets, grads = node.pull(by, needed)
        for target, grad in zip(targets, grads, strict=True):
            if target is not None and grad is not None and (needed is None or target in needed):
                former = target.ct
                target.ct = grad if former is None else add(former, grad)
        if not retain:
            node.free()
            nodes[position] = None


def _free(nodes: list[Node | None], start: int, end: int) -> None:
    for node in nodes[start:end]:
        if node is not None:
            node.free()
    nodes[start:end] = [None] * (end - start)


def clear_cotangents(nodes: Sequence[Node | None]) -> None:
    """Forget cotangents, after an exception in the middle of a walk or between two walks."""
    for node in nodes:
        if node is not None:
            node.ct = None
            for slot in node.outs:
                slot.ct = None
