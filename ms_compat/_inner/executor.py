"""`_pynative_executor`: recording under the control of libraries, and the switches of MindSpore's executor.

`new_graph(fn, *inputs)` begins to record, `end_graph(fn, output, *inputs)` ends it, and `grad(fn, operation, weights,
position, *inputs)` gives the gradients of what was recorded, once.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import jax

from ms_compat._autograd.engine import Linearized, gradients, outputs_of, pullback_on_tape
from ms_compat._autograd.grad import GradOperation
from ms_compat._autograd.select import ALL, check_position, check_weights, select_inputs, variables_of
from ms_compat._compile.analysis.inspection import reachable_objects
from ms_compat._core import tape
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, parameter_like
from ms_compat._core.tensor.tree import flatten

logger = logging.getLogger("ms_compat")
_API = "_pynative_executor.grad"


def _variables(fn: Any, inputs: tuple) -> list[Tensor]:
    """Differentiable leaves: inputs, Parameters in reach, and Tensors that are Parameters by their facts."""
    leaves: list[Any] = []
    flatten(inputs, leaves)
    cells, loose = reachable_objects(fn, None)
    reached = [
        p for p in (*loose, *(p for cell in cells for p in cell._all_parameters())) if parameter_like.is_trained(p)
    ]
    found = {id(t): t for t in (*leaves, *reached, *parameter_like.trained()) if isinstance(t, Tensor)}
    return [t for t in found.values() if t._v.dtype in INEXACT]


def _running(frame: FrameType) -> bool:
    """Whether a call is on this thread's stack still."""
    at: FrameType | None = sys._getframe(1)
    while at is not None and at is not frame:
        at = at.f_back
    return at is not None


class _Recording:
    """The recording that one call of `new_graph` started."""

    def __init__(self, fn: Any, inputs: tuple, caller: FrameType):
        self.fn = fn
        self.inputs = inputs
        self.caller: FrameType | None = caller
        tape.lock.acquire()
        self.session = tape.Session()
        self.session.__enter__()
        self.variables = _variables(fn, inputs)
        self.leaves = {id(t): self.session.leaf(t) for t in self.variables}
        self.out: Any = None
        self.heads: dict[int, Any] = {}

    def end(self, out: Any) -> None:
        """Stop recording; `out` is the result."""
        self.out = out
        outputs: list[Any] = []
        flatten(out, outputs)
        self.heads = {id(t): tape.live_node(t) for t in outputs}
        nested = self.session.outer is not None
        self.leave()
        for t in outputs:
            if isinstance(t, Tensor) and id(t) not in self.leaves and not nested:
                t._node = None

    def leave(self) -> None:
        """Close the region, whether or not anything came of it."""
        self.caller = None
        self.session.__exit__()
        tape.lock.release()

    def linearized(self, tensors: Sequence[Tensor]) -> Linearized:
        """The recorded call as its linearization with respect to some of its variables."""
        outputs = outputs_of(self.out, False, _API)
        for t in tensors:
            if id(t) not in self.leaves and parameter_like.is_trained(t) and t._v.dtype in INEXACT:
                raise RuntimeError(
                    f"For '{_API}', a weight was not there when recording began ('new_graph'): {t!r:.200}."
                )
        leaves = [self.leaves.get(id(t)) for t in tensors]
        heads = [self.heads.get(id(t)) for t in outputs]
        nested = self.session.outer is not None
        return Linearized(self.out, outputs, pullback_on_tape(self.session, leaves, heads, nested, nested))


class _Thread(threading.local):
    def __init__(self) -> None:
        self.open: list[_Recording] = []
        self.done: list[_Recording] = []


class Executor:
    """MindSpore's object of this name."""

    def __init__(self) -> None:
        self._pauses: list[tape.no_record] = []
        self._recordings = _Thread()

    # -- recording -----------------------------------------------------------------------------------------------------
    def new_graph(self, obj: Callable, *args: Any, **kwargs: Any) -> None:
        """Begin to record what `obj`, a function or Cell, will compute of these inputs."""
        at = self._recordings
        while at.open and (left := at.open[-1].caller) is not None and not _running(left):
            at.open.pop().leave()  # an error came between
        at.open.append(_Recording(obj, (*args, *kwargs.values()), sys._getframe(1)))

    def end_graph(self, obj: Callable, output: Any, *args: Any, **kwargs: Any) -> None:
        """End what `new_graph` began.

        Raises:
            RuntimeError: nothing was begun for `obj`.
        """
        at = self._recordings
        if not at.open or at.open[-1].fn is not obj:
            raise RuntimeError("For '_pynative_executor.end_graph', 'new_graph' was not called for the same object.")
        recording = at.open.pop()
        recording.end(output)
        for former in at.done:
            former.session.close()
        at.done[:] = [recording]

    def check_run(self, grad: GradOperation, obj: Callable, weights: Any, grad_hash_id: Any, *args: Any) -> bool:
        """Whether the gradient of a call with these inputs can be taken of a recording."""
        return self._recorded(obj, args[: len(args) - grad.sens_param]) is not None

    def grad(self, obj: Callable, grad: GradOperation, weights: Any, grad_position: Any, *args: Any) -> Any:
        """The gradients of the last recorded call, as `grad`, a GradOperation, says; each recording gives them once.

        Args:
            obj: the function or Cell that was recorded.
            grad: which gradients to compute, and whether the last of `args` is the cotangent of the output.
            weights: Parameters, of which they are taken with `get_by_list`.
            grad_position: which inputs, where not all are needed; by default the first.
            args: the inputs.

        Raises:
            RuntimeError: no call of `obj` was recorded.
        """
        sens, inputs = (args[-1], args[:-1]) if grad.sens_param else (None, args)
        recording = self._recorded(obj, inputs)
        if recording is None:
            raise RuntimeError(f"For '{_API}', no call of {obj!r:.100} with these inputs was recorded.")
        self._recordings.done.remove(recording)
        only_weights = grad.get_by_list and not grad.get_all and grad_position is None
        position = None
        if not only_weights:
            position = ALL if grad.get_all else check_position(grad_position or 0, _API)
        chosen, single = check_weights(weights if grad.get_by_list else None, _API)
        selection = select_inputs(inputs, position, _API)
        tensors = [*selection.tensors, *variables_of(chosen)]
        count = len(selection.tensors)
        found = gradients(recording.linearized(tensors), tensors, sens, _API, count)
        of_inputs: Any = selection.pack(found[:count])
        if not grad.get_all and len(of_inputs) == 1:
            of_inputs = of_inputs[0]
        of_weights: Any = found[count] if single else tuple(found[count:])
        if not grad.get_by_list:
            return of_inputs
        return of_weights if only_weights else (of_inputs, of_weights)

    def _recorded(self, obj: Callable, inputs: tuple) -> _Recording | None:
        for recording in self._recordings.done:
            same = len(recording.inputs) == len(inputs)
            if recording.fn is obj and same and all(a is b for a, b in zip(recording.inputs, inputs, strict=True)):
                return recording
        return None

    def clear_res(self) -> None:
        """Forget recordings, and free what is no longer referenced."""
        at = self._recordings
        while at.open:
            at.open.pop().leave()
        for recording in at.done:
            recording.session.close()
        at.done.clear()
        gc.collect()

    # -- switches ------------------------------------------------------------------------------------------------------
    def sync(self) -> None:
        """Wait until everything that was started is computed."""
        jax.effects_barrier()
        for array in jax.live_arrays():
            array.block_until_ready()

    def grad_flag(self) -> bool:
        """Whether a gradient function is recording."""
        return tape.recording() and not tape.paused()

    def set_grad_flag(self, flag: bool) -> None:
        """MindSpore needs it before a forward run; a gradient function here knows by itself."""
        logger.debug("set_grad_flag(%s) has no effect: recording begins with the gradient function", flag)

    def set_async_for_graph(self, flag: bool) -> None:
        """Whether calls of compiled functions return before they are computed; in JAX they always do."""
        if flag is not None and not hasattr(flag, "__bool__"):
            raise TypeError(f"For 'set_async_for_graph', the 'flag' must be a bool, but got {type(flag).__name__}.")
        logger.debug("set_async_for_graph(%s) has no effect: compiled programs run asynchronously", flag)

    requires_grad = grad_flag

    def enable_grad(self) -> bool:
        """Whether recording is not paused."""
        return not tape.paused()

    def set_enable_grad(self, flag: bool) -> None:
        """Pause recording, or let it go on."""
        if not flag and not self._pauses:
            pause = tape.no_record()
            pause.__enter__()
            self._pauses.append(pause)
        elif flag and self._pauses:
            self._pauses.pop().__exit__()

    def set_creation_type(self, tensor: Tensor, kind: Any) -> None:
        """Marks a view on MindSpore, to allow writing into it; all views may be written into here."""
        logger.debug("set_creation_type(%s) has no effect", kind)


_pynative_executor = Executor()
