"""`recompute` and `offload`: what happens to a Cell's activations between forward and backward.

Under a trace both are `jax.checkpoint` around the Cell (`custom_grad.py`), `offload` with a policy that moves residuals
to host memory. In PYNATIVE_MODE `recompute` takes the Cell's part of the tape off again as soon as `construct` has
returned, and puts one node in its place, whose pullback runs `construct` once more: with the values, attributes and
random numbers of the first time, and without changing anything.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

import jax

from ms_compat._core import tape
from ms_compat._core.dispatch import random
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import Offloadable, require
from ms_compat._core.tape.backward import backward
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.tree import flatten, unflatten
from ms_compat._core.trace import scopes
from ms_compat._core.trace.precision import computing_in, current_precision
from ms_compat.nn._cell.metadata import RECOMPUTED
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")
_OPTIONS = ("mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation")


class Recompute(Part):
    """What is kept for the backward pass."""

    def recompute(
        self, *, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs
    ) -> None:
        """Compute this Cell's activations again in the backward pass instead of keeping them: memory for time.

        A Cell that uses a differentiated Tensor which is neither an input nor its own Parameter or buffer keeps
        its activations in PYNATIVE_MODE: its gradients would otherwise be lost.

        Args:
            use_reentrant: with False, `context_fn` counts.
            output_recompute, early_stop: MindSpore's choices of how; without effect.
            context_fn: in PYNATIVE_MODE a function that returns two context managers, for the forward pass and for the
                recomputation.
            **kwargs: `mp_comm_recompute`, `parallel_optimizer_comm_recompute`, `recompute_slice_activation`: which
                communication is repeated; XLA decides.

        Raises:
            ValueError: an unknown keyword.
            TypeError: a keyword's value is not a bool.

        >>> from ms_compat import Tensor, grad, nn
        >>> net = nn.Sigmoid()
        >>> net.recompute()
        >>> print(grad(net)(Tensor([0.0])))
        [0.25]
        """
        for name, value in kwargs.items():
            if name not in _OPTIONS:
                raise ValueError(
                    f"For 'recompute', keyword '{name}' is not recognized! the key kwargs must be "
                    f"{', '.join(repr(option) for option in _OPTIONS)}"
                )
            if not isinstance(value, bool):
                raise TypeError(f"The parameter '{name}' must be {bool}, but got {type(value)}")
        logger.debug("Cell.recompute: output_recompute=%s early_stop=%s %s have no effect: jax.checkpoint decides",
                     output_recompute, early_stop, kwargs)  # fmt: skip
        self.__dict__["_recompute"] = True
        for _, cell in self.cells_and_names():
            scope = cell.__dict__.get("_scope") or ""
            if not scope.startswith(RECOMPUTED):
                cell.__dict__["_scope"] = RECOMPUTED + scope
        self.__dict__["_recompute_contexts"] = None if use_reentrant else context_fn
        scopes.structure_version += 1
        self._refresh_plain()

    def offload(self, backward_prefetch="Auto") -> None:
        """Keep this Cell's activations in host memory between forward and backward of a compiled gradient.

        In PYNATIVE_MODE it has no effect, as in MindSpore.

        Args:
            backward_prefetch: how early activations come back, "Auto" or a number of operations; XLA schedules.

        Raises:
            ValueError: another str, or a negative number.
            TypeError: neither a str nor an int.
            UnsupportedError: the devices have no host memory that XLA can use.
        """
        if isinstance(backward_prefetch, str):
            if backward_prefetch != "Auto":
                raise ValueError(
                    f"For '{type(self).__name__}', the 'backward_prefetch' must be str and must be in '['Auto']', but "
                    f"got '{backward_prefetch}'."
                )
        elif not isinstance(backward_prefetch, int) or isinstance(backward_prefetch, bool):
            raise TypeError(f"The input value must be int, but got '{type(backward_prefetch).__name__}'")
        elif backward_prefetch < 0:
            raise ValueError(
                f"The input value must be int and must >= 0, but got '{backward_prefetch}' with type 'int'."
            )
        require("HAS_OFFLOAD", "mindspore.nn.Cell.offload")
        if not any(memory.kind == "pinned_host" for memory in jax.devices()[0].addressable_memories()):
            raise UnsupportedError(
                "mindspore.nn.Cell.offload",
                f"The {jax.default_backend()} devices have no pinned host memory; recompute() saves memory, too.",
            )
        logger.debug("Cell.offload: backward_prefetch=%s has no effect: XLA schedules", backward_prefetch)
        self.__dict__["_offload"] = True
        scopes.structure_version += 1
        self._refresh_plain()


# -- inside a trace --------------------------------------------------------------------------------------------------
def _to_host(primitive: Any, *avals: Any, **params: Any) -> Any:
    """The policy of `offload`: each residual goes to the host and comes back."""
    return Offloadable(src="device", dst="pinned_host")


def checkpointed(cell: Any, pure: Callable) -> Callable:
    """A Cell's pure function with the recomputation requested for its activations.

    Forward mode keeps no activations, and `jax.checkpoint` would hide the values that Python's branches need.
    """
    scope = scopes.current_scope()
    if scope is not None and scope.forward_mode:
        return pure
    if cell.__dict__.get("_offload"):
        return jax.checkpoint(pure, policy=_to_host)
    return jax.checkpoint(pure) if cell.__dict__.get("_recompute") else pure


# -- the tape --------------------------------------------------------------------------------------------------------
class _Moment:
    """All that `construct` can read: state and attributes of a Cell tree, and the random stream."""

    def __init__(self, cell: Any, leaves: list[Tensor]):
        self.tensors = [(t, t._v, t._node) for t in (*leaves, *cell._all_parameters())]
        self.attributes = [(c.__dict__, dict(c.__dict__)) for _, c in cell.cells_and_names()]
        generator = random.default_generator
        self.stream = (generator.seed, generator.counter)

    def restore(self) -> None:
        for table, before in self.attributes:
            table.clear()
            table.update(before)
        for tensor, value, node in self.tensors:
            tensor._v = value
            tensor._node = node
        random.default_generator.seed, random.default_generator.counter = self.stream


@contextlib.contextmanager
def _recording_on(record: list[Any]) -> Iterator[None]:
    """Record onto this tape, although its session may be over and recording paused for the backward walk."""
    session = tape.Session()
    session.tape = record
    with tape.resume_recording(), session, session:
        yield


def call_taped(cell: Any, construct: Callable, args: tuple, kwargs: dict) -> Any:
    """Run `construct` under a tape and keep nothing of it but its inputs."""
    leaves: list[Any] = []
    flatten((args, kwargs), leaves)
    leaves = [t for t in leaves if isinstance(t, Tensor)]
    before = _Moment(cell, leaves)
    record = tape.current_tape()
    start = len(record)
    contexts = cell.__dict__.get("_recompute_contexts")
    precision = current_precision()
    first, again = contexts() if contexts is not None else (contextlib.nullcontext(), contextlib.nullcontext())
    with first:
        out = construct(*args, **kwargs)
    segment = [node for node in record[start:] if node is not None]
    targets = _inputs_of(segment, [node for _, _, node in before.tensors])
    if targets is None or not targets:
        return out
    outputs: list[Any] = []
    out_spec = flatten(out, outputs)
    del record[start:]
    for node in segment:
        node.free()
    fresh = [wrap(t._v) for t in outputs]

    def run_again() -> list[Any]:
        now = _Moment(cell, leaves)
        before.restore()
        try:
            with again, computing_in(precision) if precision is not None else contextlib.nullcontext():
                result = construct(*args, **kwargs)
        finally:
            now.restore()
        found: list[Any] = []
        flatten(result, found)
        return found

    def pull(*cotangents):
        recorded = not tape.paused()  # the walk itself, for a higher order
        at = len(record)
        with _recording_on(record):
            found = run_again()
        nodes = record[at:]
        kept = [target.ct for target in targets]
        for target in targets:
            target.ct = None
        heads = [tape.live_node(tensor) for tensor in found]
        if not recorded:
            del record[at:]
        grads = backward(nodes, heads, cotangents, targets, recorded=recorded, nested=recorded, retain=recorded)
        for target, ct in zip(targets, kept, strict=True):
            target.ct = ct
        return grads

    tape.record_custom_vjp(fresh, targets, pull)
    return unflatten(out_spec, iter(fresh))


def _inputs_of(segment: list[Any], known: list[Any]) -> list[Any] | None:
    """The nodes outside a segment of the tape that it depends on; None if one is not a known input's."""
    inside = set(segment)
    for node in segment:
        inside.update(node.outs)
    outside = {target: None for node in segment for target in node.targets if target not in inside}
    if not set(known).issuperset(outside):
        logger.debug("Cell.recompute: the Cell uses a differentiated Tensor of its surroundings; activations are kept")
        return None
    return list(outside)
