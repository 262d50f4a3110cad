"""The recorded forward: a Cell that runs and is then differentiated at the same inputs runs once.

`loss = net(x)` followed by `grads = GradOperation(get_by_list=True)(net, weights)(x)` is MindSpore's classic training
step. The statistics of a BatchNorm, the mask of a dropout and the time it takes tell whether the second call ran the
network again.

In PYNATIVE_MODE `net.set_grad()` says that the Cell's calls are to be recorded: the outermost such Cell runs in a tape
session of its own, with its inputs and Parameters as variables, and the record waits for the gradient. In a compiled
function no mark is needed, because the trace can start anew: when it meets the gradient of a Cell that it has seen
called with the same inputs, it is repeated with that call linearized. Where such a function leaves the compiler and
runs in Python, the Cells that it differentiates, as far as its trace has met them, and those with the mark are recorded
on the tape, each as one compiled program.

A record is used once, and no longer when an input or a Parameter that is trained has been written to: the Cell runs
again then. (MindSpore would use it still, and give the gradient at the former values.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ms_compat._autograd.engine import Linearized, linearize_traced, outputs_of, pullback_on_tape
from ms_compat._core import context, state, tape
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor
from ms_compat._core.tree import flatten

# How many records a Cell in training keeps: programs call it twice, on real and on made images, before they
# differentiate. Each holds what the backward pass of one forward needs; a Cell in inference keeps one.
KEPT = 2
_records: WeakKeyDictionary[Any, list[_Record]] = WeakKeyDictionary()


def _same_inputs(one: tuple[tuple, dict], other: tuple[tuple, dict]) -> bool:
    """Whether two calls have the very same objects as inputs."""
    return (
        len(one[0]) == len(other[0])
        and all(a is b for a, b in zip(one[0], other[0], strict=True))
        and one[1].keys() == other[1].keys()
        and all(value is other[1][name] for name, value in one[1].items())
    )


def _variables(cell: Any, inputs: tuple[tuple, dict]) -> list[Tensor]:
    """What a gradient of the call may be asked for: the inputs and the Parameters that have derivatives."""
    leaves: list[Any] = []
    flatten(inputs, leaves)
    found = {id(t): t for t in (*leaves, *cell.trainable_params()) if isinstance(t, Tensor) and t._v.dtype in INEXACT}
    return list(found.values())


class _Values:
    """The arrays that tensors hold at one moment."""

    def __init__(self, tensors: Sequence[Any]):
        self._pairs = [(tensor, tensor._v) for tensor in tensors]

    def unchanged(self) -> bool:
        """Whether they hold the same arrays still."""
        return all(tensor._v is value for tensor, value in self._pairs)


# -- on the tape -----------------------------------------------------------------------------------------------------
class _Record:
    """A call on a tape of its own: the leaves that stand for its variables there, and the nodes of its outputs."""

    def __init__(self, cell: Any, run: Callable, args: tuple, kwargs: dict):
        self.inputs = (args, kwargs)
        variables = _variables(cell, self.inputs)
        self.session = tape.Session()
        with tape.lock, self.session, self.session:
            self.leaves = {id(t): self.session.leaf(t) for t in variables}
            self.out = run(*args, **kwargs)
            outputs: list[Any] = []
            flatten(self.out, outputs)
            self.heads = {id(t): tape.live_node(t) for t in outputs}
            for t in outputs:
                if isinstance(t, Tensor) and id(t) not in self.leaves:
                    t._node = None
        self.values = _Values(variables)

    def linearized(self, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized:
        """The call as its linearization with respect to some of its variables."""
        outputs = outputs_of(self.out, has_aux, api)
        leaves = [self.leaves.get(id(t)) for t in tensors]
        for t, leaf in zip(tensors, leaves, strict=True):
            if leaf is not None:
                leaf.hooks = t._leaf_hooks
        self.session.narrow(leaves)
        heads = [self.heads.get(id(t)) for t in outputs]
        return Linearized(self.out, outputs, pullback_on_tape(self.session, leaves, heads, keep=False, nested=False))


def expected(cell: Any) -> bool:
    """Whether a call outside of a trace is to be recorded.

    In GRAPH_MODE functions that run in Python make such calls; everything else is compiled whole.
    """
    if tape.recording() or tape.paused() or not (state.by_operations or context.state.mode == context.PYNATIVE_MODE):
        return False
    return cell.requires_grad or (state.by_operations and cell in state.differentiated)


def call_recorded(cell: Any, run: Callable, args: tuple, kwargs: dict) -> Any:
    """Call a Cell, which `run` does, and keep the record of it for a gradient with the same inputs."""
    records = _records.setdefault(cell, [])
    for former in [r for r in records if _same_inputs(r.inputs, (args, kwargs))]:
        records.remove(former)
        former.session.close()
    record = _Record(cell, run, args, kwargs)
    records.append(record)
    while len(records) > (KEPT if cell.training else 1):
        records.pop(0).session.close()
    return record.out


# -- in a trace ------------------------------------------------------------------------------------------------------
class _Call:
    """A call that a trace has made."""

    def __init__(self, cell: Any, args: tuple, kwargs: dict):
        self.cell = cell
        self.inputs = (args, kwargs)


class _LinearizedCall(_Call):
    """A call that a trace has made together with its pullback."""

    def __init__(self, cell: Any, args: tuple, kwargs: dict):
        super().__init__(cell, args, kwargs)
        self.variables = _variables(cell, self.inputs)
        self.found = linearize_traced(cell._call_inside, args, kwargs, self.variables, False, "GradOperation")
        self.values = _Values(self.variables)

    def linearized(self, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized:
        """As `_Record.linearized`."""
        found = self.found
        outputs = outputs_of(found.out, has_aux, api)
        at = {id(t): i for i, t in enumerate(self.variables)}
        places = {id(t): i for i, t in enumerate(found.outputs)}

        def pull(cotangents: Sequence[Any]) -> list[Any]:
            full: list[Any] = [None] * len(found.outputs)
            for output, cotangent in zip(outputs, cotangents, strict=True):
                full[places[id(output)]] = cotangent
            grads = found.pull(full)
            return [grads[at[id(t)]] if id(t) in at else None for t in tensors]

        return Linearized(found.out, outputs, pull)


def call_traced(forwards: list[_Call], cell: Any, args: tuple, kwargs: dict) -> Any:
    """Call a Cell inside a trace and note the call, for a gradient with the same inputs."""
    if cell in state.current_scope().linearized:
        call = _LinearizedCall(cell, args, kwargs)
        forwards.append(call)
        return call.found.out
    out = cell._call_inside(*args, **kwargs)
    forwards.append(_Call(cell, args, kwargs))
    return out


def waiting(cell: Any, args: tuple, kwargs: dict) -> _Record | None:
    """The record of a call with these inputs that waits for the gradient."""
    inputs = (args, kwargs)
    return next((r for r in _records.get(cell, []) if _same_inputs(r.inputs, inputs) and r.values.unchanged()), None)


# -- the gradient ----------------------------------------------------------------------------------------------------
def take(cell: Any, args: tuple, kwargs: dict, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized | None:
    """The linearization of a call of this Cell with these inputs that was made before, or None.

    Raises:
        state.LinearizeCall: an open trace has made the call, but not linearized it.
    """
    if any(t._v.dtype not in INEXACT for t in tensors):
        return None
    scope = state.current_scope() if state.tracing else None
    if scope is not None:
        return _take_traced(scope, cell, (args, kwargs), tensors, has_aux, api)
    if tape.recording() or tape.paused():
        return None
    record = waiting(cell, args, kwargs)
    if record is None:
        return None
    _records[cell].remove(record)
    return record.linearized(tensors, has_aux, api)


def _take_traced(
    scope: Any, cell: Any, inputs: tuple[tuple, dict], tensors: Sequence[Tensor], has_aux: bool, api: str
) -> Linearized | None:
    while scope is not None and scope.forwards is not None:
        for call in reversed(scope.forwards):
            if call.cell is cell and _same_inputs(call.inputs, inputs):
                if not isinstance(call, _LinearizedCall):
                    raise state.LinearizeCall(cell)
                if call.values.unchanged():
                    scope.forwards.remove(call)
                    return call.linearized(tensors, has_aux, api)
        scope = scope.outer
    return None
