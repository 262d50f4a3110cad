"""The recorded forward: a Cell that runs and is then differentiated at the same inputs runs once.

`loss = net(x)` followed by `grads = GradOperation(get_by_list=True)(net, weights)(x)` is MindSpore's classic training
step. The statistics of a BatchNorm, the mask of a dropout and the time it takes tell whether the second call ran the
network again.

In PYNATIVE_MODE `net.set_grad()` says that the Cell's calls are to be recorded: the outermost such Cell runs in a tape
session of its own, with its inputs and Parameters as variables, and the record waits for the gradient, which takes the
latest one with its inputs, once. What was written into inputs and Parameters in between does not matter to that: the
activations come from the record. But where the backward pass reads an input or a Parameter itself, it reads the
current value, because MindSpore's records hold the tensors and not copies of them.

In a compiled function no mark is needed, because the trace can start over: when it meets the gradient of a Cell that it
has seen called with the same inputs, it is repeated with that call linearized, at the weights of that moment. As in
MindSpore, call and gradient are merged only if the function, or the branch or loop that contains both, has exactly one
call and one gradient of the Cell; otherwise each of them runs the Cell. Where such a function leaves the compiler and
runs in Python, the Cells that it differentiates, as far as its trace has met them, and those with the mark are recorded
on the tape, each as one compiled program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ms_compat._autograd.engine import Linearized, linearize, linearize_traced, outputs_of, pullback_on_tape
from ms_compat._core import tape
from ms_compat._core.compiled.nodes import Operation
from ms_compat._core.settings import context
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import flatten
from ms_compat._core.trace import scopes

# How many records a Cell in training keeps: programs call it on several batches before they differentiate. Each holds
# what the backward pass of one forward needs; a Cell in inference keeps one. MindSpore keeps all.
KEPT = 8
_records: WeakKeyDictionary[Any, list[_Record]] = WeakKeyDictionary()


def _same_inputs(one: tuple[tuple, dict], other: tuple[tuple, dict]) -> bool:
    """Whether two calls have identical Tensors, and equal constants, as inputs."""
    leaves: list[Any] = []
    others: list[Any] = []
    if flatten(one, leaves) != flatten(other, others):
        return False
    traced = scopes.current_scope() is not None
    return all(
        a is b or (traced and isinstance(a, Tensor) and isinstance(b, Tensor) and a._v is b._v)
        for a, b in zip(leaves, others, strict=True)
    )


def _variables(cell: Any, inputs: tuple[tuple, dict]) -> list[Tensor]:
    """What the call can be differentiated with respect to: the inputs and the Parameters that have derivatives."""
    leaves: list[Any] = []
    flatten(inputs, leaves)
    found = {id(t): t for t in (*leaves, *cell.trainable_params()) if isinstance(t, Tensor) and t._v.dtype in INEXACT}
    return list(found.values())


# -- on the tape -----------------------------------------------------------------------------------------------------
class _Record:
    """A call on a separate tape: its variables' leaves there, and its outputs' nodes."""

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
            self._detach(outputs)
        self._held = [(t, t._v) for t in {id(t): t for t in (*variables, *cell.get_parameters())}.values()]

    def _detach(self, outputs: list[Any]) -> None:
        for t in outputs:
            if isinstance(t, Tensor) and id(t) not in self.leaves:
                t._node = None

    def _read_again(self) -> None:
        """Let the nodes hold the current values of inputs and Parameters that have been written into."""
        now = {
            id(value): t._v
            for t, value in self._held
            if t._v is not value and t._v.shape == value.shape and t._v.dtype == value.dtype
        }
        if now:
            for node in self.session.nodes():
                if isinstance(node, Operation) and isinstance(node.ins, (list, tuple)):
                    if any(id(value) in now for value in node.ins):
                        node.ins, node.kept = [now.get(id(value), value) for value in node.ins], None

    def linearized(self, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized:
        """The call as its linearization with respect to some of its variables."""
        outputs = outputs_of(self.out, has_aux, api)
        leaves = [self.leaves.get(id(t)) for t in tensors]
        for t, leaf in zip(tensors, leaves, strict=True):
            if leaf is not None:
                leaf.hooks = t._leaf_hooks
        self.session.narrow(leaves)
        if context.state.mode == context.PYNATIVE_MODE:
            self._read_again()
        heads = [self.heads.get(id(t)) for t in outputs]
        return Linearized(self.out, outputs, pullback_on_tape(self.session, leaves, heads, keep=False, nested=False))


def expected(cell: Any) -> bool:
    """Whether a call outside of a trace is to be recorded.

    In GRAPH_MODE functions that run in Python make such calls; everything else is compiled whole.
    """
    if tape.recording() or tape.paused() or not (scopes.by_operations or context.state.mode == context.PYNATIVE_MODE):
        return False
    return cell.requires_grad or (scopes.by_operations and cell in scopes.differentiated)


def call_recorded(cell: Any, run: Callable, args: tuple, kwargs: dict) -> Any:
    """Call a Cell, which `run` does, and keep the record of it for a gradient with the same inputs."""
    records = _records.setdefault(cell, [])
    record = _Record(cell, run, args, kwargs)
    records.append(record)
    while len(records) > (KEPT if cell.training else 1):
        records.pop(0).session.close()
    return record.out


# -- in a trace ------------------------------------------------------------------------------------------------------
class _Gradient:
    """A gradient that a trace has computed.

    Attributes:
        shared: whether its forward pass is a call that the trace has made.
    """

    def __init__(self, cell: Any, shared: bool):
        self.cell = cell
        self.shared = shared


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

    def linearized(self, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized:
        """As `_Record.linearized`."""
        found = self.found
        outputs = outputs_of(found.out, has_aux, api)
        at = {id(t): i for i, t in enumerate(self.variables)}
        at.update({id(t._v): i for i, t in enumerate(self.variables) if not isinstance(t, Parameter)})
        places = {id(t): i for i, t in enumerate(found.outputs)}

        def pull(cotangents: Sequence[Any]) -> list[Any]:
            full: list[Any] = [None] * len(found.outputs)
            for output, cotangent in zip(outputs, cotangents, strict=True):
                full[places[id(output)]] = cotangent
            grads = found.pull(full)
            positions = [at.get(id(t), at.get(id(t._v))) for t in tensors]
            return [None if i is None else grads[i] for i in positions]

        return Linearized(found.out, outputs, pull)


def call_traced(events: list[Any], cell: Any, args: tuple, kwargs: dict) -> Any:
    """Call a Cell inside a trace and note the call, for a gradient with the same inputs.

    Raises:
        state.CallApart: the gradient of an earlier call has taken that call for its forward pass.
    """
    scope = scopes.current_scope()
    if any(e.cell is cell and isinstance(e, _Gradient) and e.shared for e in events):
        raise scopes.CallApart(cell)
    if cell in scope.linearized:
        call = _LinearizedCall(cell, args, kwargs)
        events.append(call)
        return call.found.out
    out = cell._call_inside(*args, **kwargs)
    events.append(_Call(cell, args, kwargs))
    return out


# -- the gradient ----------------------------------------------------------------------------------------------------
def waiting(cell: Any, args: tuple, kwargs: dict) -> _Record | None:
    """The latest record of a call with these inputs that waits for the gradient."""
    inputs = (args, kwargs)
    return next((r for r in reversed(_records.get(cell, [])) if _same_inputs(r.inputs, inputs)), None)


def take(cell: Any, args: tuple, kwargs: dict, tensors: Sequence[Tensor], has_aux: bool, api: str) -> Linearized | None:
    """An earlier linearization of this Cell's call with these inputs, or None.

    Raises:
        state.LinearizeCall: an open trace has made the call, but not linearized it.
        state.CallApart: an open trace has computed another gradient of the Cell with the forward pass of such a call.
    """
    scope = scopes.current_scope() if scopes.tracing else None
    if scope is not None:
        return _take_traced(scope, cell, (args, kwargs), tensors, has_aux, api)
    if tape.recording() or tape.paused() or any(t._v.dtype not in INEXACT for t in tensors):
        return None
    record = waiting(cell, args, kwargs)
    if record is None:
        return None
    _records[cell].remove(record)
    return record.linearized(tensors, has_aux, api)


def _take_traced(
    scope: Any, cell: Any, inputs: tuple[tuple, dict], tensors: Sequence[Tensor], has_aux: bool, api: str
) -> Linearized | None:
    events = scope.forwards
    if events is None:
        return None
    own = [e for e in events if e.cell is cell]
    if any(isinstance(e, _Gradient) and e.shared for e in own):
        raise scopes.CallApart(cell)
    call = own[0] if len(own) == 1 else None
    shares = (
        isinstance(call, _Call)
        and cell not in scope.apart
        and _same_inputs(call.inputs, inputs)
        and all(t._v.dtype in INEXACT for t in tensors)
    )
    events.append(_Gradient(cell, shares))
    if not shares:
        return None
    if not isinstance(call, _LinearizedCall):
        raise scopes.LinearizeCall(cell)
    return call.linearized(tensors, has_aux, api)


def call_and_linearize(cell: Any, args: tuple, tensors: Sequence[Tensor], api: str) -> Linearized:
    """Call a Cell and linearize the call, as a training step does that calls its network and then differentiates it.

    In a trace that counts as a call and a gradient: where there are more of either, both run the Cell.

    Raises:
        state.CallApart: an open trace has computed another gradient of the Cell with the forward pass of a call.
    """
    scope = scopes.current_scope() if scopes.tracing else None
    if scope is None or scope.forwards is None or not hasattr(cell, "construct"):
        return linearize(cell, args, {}, tensors, False, False, api)
    events = scope.forwards
    own = [e for e in events if e.cell is cell]
    if any(isinstance(e, _Gradient) and e.shared for e in own):
        raise scopes.CallApart(cell)
    if own or cell in scope.apart:
        out = cell(*args)
        events.append(_Gradient(cell, False))
        found = linearize(cell, args, {}, tensors, False, False, api)
        return Linearized(out, found.outputs, found.pull)
    events += [_Call(cell, args, {}), _Gradient(cell, True)]
    return linearize(cell, args, {}, tensors, False, False, api)
