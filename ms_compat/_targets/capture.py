"""Finds a script's training step: the script runs until it would train, and this module returns what it would run.

A step is known when the script calls a compiled function or a Cell that holds an optimizer, or when an optimizer gets
gradients: then the gradient function that was called last belongs to the step. Until then gradients, and all results
computed from them, are abstract: they have shapes and no values. Where a script reads such values before it updates (to
print the loss, or because gradients may not be finite), its step is known if an optimizer holds the same Parameters.

If the script has also made an optimizer for other Parameters (a GAN's two nets), it goes on with abstract results until
the steps of all optimizers are known, one step repeats, or the script reads values.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

import jax

from ms_compat._autograd.grad import GradFunction
from ms_compat._compile.analysis import inspection
from ms_compat._compile.fallback import breaks
from ms_compat._compile.function import CompiledFunction
from ms_compat._compile.program import abstract as shapes_of
from ms_compat._compile.specialised import Specialised
from ms_compat._core.dispatch.op import Op
from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor import abstract as abstract_arrays
from ms_compat._core.tensor.abstract import AbstractArray
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import arrays_of, flatten, unflatten
from ms_compat._core.trace import scopes
from ms_compat.mint.optim._base import Optimizer as _MintOptimizer
from ms_compat.nn.cell import Cell
from ms_compat.nn.optim.base import Optimizer

_OPTIMIZERS = (Optimizer, _MintOptimizer)


class Step:
    """A program that a script is about to run.

    Attributes:
        name: the function's or Cell's name.
        program: the trace, with its Parameters.
        leaves: the shapes of its arguments.
        optimizers: the optimizers that update Parameters in it; none if it is not a training step.
        between: whether code outside the program changes the gradients before the update.
    """

    def __init__(self, name: str, program: Specialised, leaves: list[Any], optimizers: list[Any], between: bool):
        self.name = name
        self.program = program
        self.leaves = leaves
        self.optimizers = optimizers
        self.between = between


class Found(BaseException):  # ends the script, whose handlers must not catch it
    """The training steps are known, in the order in which the script takes them."""

    def __init__(self, steps: list[Step]):
        self.steps = steps

    @property
    def step(self) -> Step:
        """The first of them."""
        return self.steps[0]


class Capture:
    """Records what a script has called so far; `installed` starts the recording.

    Attributes:
        programs: the compiled programs that train nothing.
        steps: the known training steps.
    """

    def __init__(self) -> None:
        self.programs: list[Step] = []
        self.steps: list[Step] = []
        self._made: list[Any] = []
        self._gradient: _Gradient | None = None

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Intercepts calls in a `with` block; raises `Found` when the training steps are known."""
        with contextlib.ExitStack() as stack:
            for owner, method in (
                (CompiledFunction, self._compiled_function),
                (GradFunction, self._grad_function),
                (Cell, self._cell),
                (Optimizer, self._optimizer),
                (Op, self._op),
            ):
                stack.enter_context(_called(owner, method))
            for base in _OPTIMIZERS:
                stack.enter_context(_called(base, self._optimizer_made, "__init__"))
            stack.enter_context(abstract_arrays.on_value_request(self._values_asked))
            yield

    # -- what is called ----------------------------------------------------------------------------------------------
    def _compiled_function(self, call: Callable, function: CompiledFunction, args: tuple, kwargs: dict) -> Any:
        if _tracing():
            return call(function, *args, **kwargs)
        optimizers = _optimizers_of(function)
        if isinstance(function.cell, _OPTIMIZERS):  # the update alone, which its own call has seen already
            return call(function, *args, **kwargs)
        try:
            program, leaves = _prepared(function, args, kwargs)
        except breaks.BREAKS:
            if optimizers:
                raise
            return call(function, *args, **kwargs)
        step = Step(function.name, program, leaves, optimizers, False)
        if optimizers:
            return self._found(step, lambda: _abstract_outputs(program))
        self.programs.append(step)
        if _is_abstract([*leaves, *[t._v for t in (*program.read, *program.mutated)]]):
            return _abstract_outputs(program)
        return call(function, *args, **kwargs)

    def _grad_function(self, call: Callable, function: GradFunction, args: tuple, kwargs: dict) -> Any:
        if _tracing() or not function.weights:
            return call(function, *args, **kwargs)
        program, leaves = _prepared(_compiled(lambda *a, **k: call(function, *a, **k), [function]), args, kwargs)
        out = _abstract_outputs(program)
        self._gradient = _Gradient(function, args, kwargs, out)
        self.programs.append(Step(function.__qualname__, program, leaves, [], False))
        return out

    def _cell(self, call: Callable, cell: Cell, args: tuple, kwargs: dict) -> Any:
        if isinstance(cell, _OPTIMIZERS):
            return self._optimizer(call, cell, args, kwargs)
        if _tracing() or context.state.mode != context.PYNATIVE_MODE:
            return call(cell, *args, **kwargs)
        optimizers = [c for _, c in cell.cells_and_names() if isinstance(c, _OPTIMIZERS)]
        if not optimizers:
            return call(cell, *args, **kwargs)
        function = cell._compiled_function()
        program, leaves = _prepared(function, args, kwargs)
        step = Step(function.name, program, leaves, optimizers, False)
        return self._found(step, lambda: _abstract_outputs(program))

    def _optimizer_made(self, call: Callable, optimizer: Any, args: tuple, kwargs: dict) -> None:
        call(optimizer, *args, **kwargs)
        self._made.append(optimizer)

    def _optimizer(self, call: Callable, optimizer: Any, args: tuple, kwargs: dict) -> Any:
        if _tracing() or self._gradient is None:
            return call(optimizer, *args, **kwargs)
        given: list[Any] = []
        flatten((args, kwargs), given)
        places, between = self._gradient.places(given)
        return self._found(self._step_of(self._gradient, optimizer, places, between), lambda: True)

    def _values_asked(self) -> None:
        if _tracing():
            return
        if self._gradient is not None:
            weights = {id(p) for p in self._gradient.function.weights}
            optimizers = [o for o in gc.get_objects() if isinstance(o, _OPTIMIZERS)]
            same = [o for o in optimizers if weights and weights <= {id(p) for p in trained(o)}]
            if same:
                self._found(self._step_of(self._gradient, same[0], *self._gradient.places([])), lambda: None)
        if self.steps:
            raise Found(self.steps)

    def _found(self, step: Step, results: Callable[[], Any]) -> Any:
        """Abstract results of a training step, with which the script goes on to another step.

        Raises:
            Found: the script does not go on to another step.
        """
        seen = {id(o) for known in self.steps for o in known.optimizers}
        if {id(o) for o in step.optimizers} <= seen:  # the next turn of the script's loop
            raise Found(self.steps)
        self.steps.append(step)
        if not self.without_steps():
            raise Found(self.steps)
        self._gradient = None
        return results()

    def without_steps(self) -> list[Any]:
        """The optimizers that the script has made for Parameters that no step of `steps` updates."""
        known = {id(p) for step in self.steps for o in step.optimizers for p in trained(o)}
        return [o for o in self._made if any(id(p) not in known for p in trained(o))]

    def _step_of(self, gradient: _Gradient, optimizer: Any, places: list[int], between: bool) -> Step:
        def step(*arguments: Any, **named: Any) -> Any:
            out = gradient.function(*arguments, **named)
            leaves: list[Any] = []
            flatten(out, leaves)
            optimizer(tuple([leaves[i] for i in places]))
            return [leaf for i, leaf in enumerate(leaves) if i not in places]

        name = f"{gradient.function.__qualname__.rpartition('.')[2]} with {type(optimizer).__name__}"
        program, leaves = _prepared(
            _compiled(step, [gradient.function, optimizer], name), gradient.args, gradient.kwargs
        )
        return Step(name, program, leaves, [optimizer], between)

    def _op(self, call: Callable, op: Op, args: tuple, kwargs: dict) -> Any:
        if _tracing() or not _any_abstract((args, kwargs)):
            return call(op, *args, **kwargs)
        given: list[Any] = []
        spec = flatten(as_variables((args, kwargs)), given)
        found: dict[str, Any] = {}

        def run(values: list[Any]) -> list[Any]:
            a, k = unflatten(spec, iter([wrap(v) for v in values]))
            leaves: list[Any] = []
            found["spec"] = flatten(call(op, *a, **k), leaves)
            return arrays_of(leaves)

        shapes = jax.eval_shape(run, shapes_of(arrays_of(given)))
        return unflatten(found["spec"], iter([_abstract(s) for s in shapes]))


class _Gradient:
    """A call of a gradient function, and its abstract results."""

    def __init__(self, function: GradFunction, args: tuple, kwargs: dict, out: Any):
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self._leaves: list[Any] = []
        flatten(out, self._leaves)

    def places(self, given: list[Any]) -> tuple[list[int], bool]:
        """Which results an optimizer's gradients are, and whether the script changed them before."""
        at = {id(leaf): i for i, leaf in enumerate(self._leaves)}
        if given and all(id(g) in at for g in given):
            return [at[id(g)] for g in given], False
        count = len(self.function.weights)
        return list(range(len(self._leaves) - count, len(self._leaves))), True


class _Reaching:
    """A function, and the other objects that its trace can reach."""

    def __init__(self, fn: Callable, reached: list[Any], name: str):
        self.fn = fn
        self.reached = reached
        self.__qualname__ = name
        self.__module__ = __name__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fn(*args, **kwargs)

    def reachable(self) -> list[Any]:
        return self.reached


def _compiled(fn: Callable, reached: list[Any], name: str = "gradient") -> CompiledFunction:
    return CompiledFunction(_Reaching(fn, reached, name), None, name)


@contextlib.contextmanager
def _called(owner: type, method: Callable, name: str = "__call__") -> Iterator[None]:
    """Routes calls of a class's objects, or of their method `name`, to `method(call, self, args, kwargs)`."""
    call = vars(owner)[name]

    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(call, self, args, kwargs)

    setattr(owner, name, wrapped)
    try:
        yield
    finally:
        setattr(owner, name, call)


def _tracing() -> bool:
    return bool(scopes.tracing) and scopes.current_scope() is not None


def _optimizers_of(function: CompiledFunction) -> list[Any]:
    cells, _ = inspection.reachable_objects(function.fn, function.cell)
    found = {id(c): c for owner in cells for _, c in owner.cells_and_names() if isinstance(c, _OPTIMIZERS)}
    return list(found.values())


def _prepared(function: CompiledFunction, args: tuple, kwargs: dict) -> tuple[Specialised, list[Any]]:
    """The function traced for such arguments, and their shapes."""
    tensors: list[Any] = []
    spec = flatten((args, kwargs), tensors)
    leaves = arrays_of(tensors)
    with scopes.lock:
        program = Specialised(function, spec)
        program.prepare(leaves)
    return program, shapes_of(leaves)


def trained(optimizer: Any) -> list[Any]:
    """The Parameters that an optimizer updates."""
    groups = getattr(optimizer, "param_groups", None)
    if groups:
        return [p for group in groups for p in group["params"]]
    return list(optimizer.parameters)


def _is_abstract(leaves: list[Any]) -> bool:
    return any(isinstance(leaf, AbstractArray) for leaf in leaves)


def _any_abstract(value: Any) -> bool:
    if isinstance(value, Tensor):
        return isinstance(value._v, AbstractArray)
    if isinstance(value, (tuple, list)):
        return any(map(_any_abstract, value))
    return isinstance(value, dict) and any(map(_any_abstract, value.values()))


def as_variables(value: Any) -> Any:
    """Replaces each Parameter by a Tensor; a call would treat Parameters as constants."""
    if isinstance(value, Parameter):
        return wrap(value._v)
    if isinstance(value, (tuple, list)):
        return type(value)(map(as_variables, value))
    if isinstance(value, dict):
        return {key: as_variables(item) for key, item in value.items()}
    return value


def _abstract(aval: Any) -> Tensor:
    return wrap(AbstractArray(aval.shape, aval.dtype))


def _abstract_outputs(program: Specialised) -> Any:
    traced = program.traced()
    outputs = traced.closed.out_avals[: traced.output_count]
    return unflatten(traced.meta.spec, iter([_abstract(aval) for aval in outputs]))
