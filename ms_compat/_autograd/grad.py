"""`GradOperation`, `grad`, `value_and_grad` and `get_grad`: gradient functions of functions and Cells.

All four are one `GradFunction` with different selections and return structures. It runs on the tape in PYNATIVE_MODE;
in GRAPH_MODE, and inside compiled functions, forward and backward are one compiled program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._autograd import closures, recorded
from ms_compat._autograd.engine import gradients, linearize
from ms_compat._autograd.select import (
    ALL,
    check_function,
    check_position,
    check_weights,
    select_inputs,
    single_if_one,
    variables_of,
)
from ms_compat._autograd.transformed import compiled_or_run
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.faces import faces
from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import scopes


class GradFunction:
    """The gradient function of `fn`; see `grad` and `GradOperation` for what its options mean.

    `returns` makes the result out of (output, gradients of inputs, gradients of weights).
    """

    def __init__(self, fn, position, weights, has_aux, sens_param, returns, api):
        self.fn = fn
        self.position = position
        self.weights = weights
        self.has_aux = has_aux
        self.sens_param = sens_param
        self.returns = returns
        self.api = api
        self.__name__ = f"{api}({getattr(fn, '__name__', type(fn).__name__)})"
        self.__qualname__ = self.__name__
        self.__module__ = getattr(fn, "__module__", __name__)
        self._compiled: Any = None  # a CompiledFunction, made at the first call in GRAPH_MODE

    def reachable(self) -> list[Any]:
        """What a trace of this function can touch."""
        return [self.fn, list(self.weights)]

    def __call__(self, *args, **kwargs):
        if scopes.by_operations and self._is_recorded(args, kwargs):
            return self._run(*args, **kwargs)
        return compiled_or_run(self, args, kwargs)

    def _is_recorded(self, args, kwargs):
        """Whether the call to differentiate was made, and recorded, before."""
        if not hasattr(self.fn, "construct"):
            return False
        _, args, kwargs = self._apart(args, kwargs)
        return recorded.waiting(self.fn, args, kwargs) is not None

    def _apart(self, args, kwargs):
        """The sensitivity, None where there is none, and the inputs of the function."""
        if self.sens_param and "sens" in kwargs:
            return kwargs["sens"], args, {name: value for name, value in kwargs.items() if name != "sens"}
        if self.sens_param and args:
            return args[-1], args[:-1], kwargs
        return None, args, kwargs

    def _run(self, *args, **kwargs):
        if self.sens_param and not args and "sens" not in kwargs:
            raise TypeError(f"For '{self.api}', with 'sens_param' the last input is the sensitivity; none was given.")
        sens, args, kwargs = self._apart(args, kwargs)
        if self.sens_param and sens is None:
            raise class_in_mode(RuntimeError, TypeError)(
                f"For '{self.api}', the sensitivity must be a Tensor, but got None."
            )
        if self.sens_param and not args and not kwargs and self.position not in (None, ALL):
            raise TypeError(
                f"For '{self.api}', with 'sens_param' the last input is the sensitivity "
                "(the gradient of the output), but only one was given."
            )
        weights = variables_of(self.weights)
        args = closures.own_parameters(self.fn, args, weights)
        selection = select_inputs((*args, *kwargs.values()), self.position, self.api)
        tensors = [*selection.tensors, *weights]
        linearized = None
        if hasattr(self.fn, "construct"):
            linearized = recorded.take(self.fn, args, kwargs, tensors, self.has_aux, self.api)
        if linearized is None:
            linearized = linearize(self.fn, args, kwargs, tensors, self.has_aux, False, self.api)
        count = len(selection.tensors)
        grads = gradients(linearized, tensors, sens, self.api, count)
        return self.returns(linearized.out, selection.pack(grads[:count]), tuple(grads[count:]), self)


def class_in_mode(error: type[Exception], compiled: type[Exception] = RuntimeError) -> type[Exception]:
    """The class of a caller's error: in GRAPH_MODE MindSpore finds it when it compiles."""
    return compiled if context.state.mode == context.GRAPH_MODE or scopes.as_compiled() else error


def cached_function(fn: Any, key: Any, make: Callable[[], GradFunction]) -> GradFunction:
    """The gradient function made before for this function object, so that `grad_op(net)(x)` in a loop compiles once."""
    target = fn
    if hasattr(fn, "__func__") and hasattr(fn, "__self__"):
        target, key = fn.__self__, (fn.__func__, key)
    key = (id(target), key)  # `functools.wraps` hands a function's attributes on to others
    attributes = getattr(target, "__dict__", None)
    if not isinstance(attributes, dict):
        return make()
    cache = attributes.get("_gradient_functions")
    if cache is None:
        cache = attributes["_gradient_functions"] = {}
    found = cache.get(key)
    if found is None:
        found = cache[key] = make()
    return found


# -- GradOperation -----------------------------------------------------------------------------------------------------
def _first(out, inputs, weights, owner):
    return single_if_one(inputs)


def _inputs(out, inputs, weights, owner):
    return inputs


def _weights(out, inputs, weights, owner):
    return weights


def _both(out, inputs, weights, owner):
    return inputs, weights


def _one_weight(out, inputs, weights, owner):
    return weights[0]


def _both_one_weight(out, inputs, weights, owner):
    return inputs, weights[0]


@faces("ops")
class GradOperation:
    """A higher-order function that makes gradient functions.

    Args:
        get_all: gradients of all inputs, as a tuple; otherwise of the first one.
        get_by_list: gradients of the weights given with the function, as a tuple. With `get_all` too, the result is
            `((inputs), (weights))`.
        sens_param: the last positional input (or the keyword `sens`) of the gradient function is the cotangent of the
            output; otherwise ones.

    Raises:
        TypeError: an argument is not a bool.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.GradOperation()(lambda x: x * x)(Tensor([3.0])))
    [6.]
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            check_bool("GradOperation", name, value)
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn, weights=None):
        position: Any
        check_function(fn, "GradOperation", class_in_mode(TypeError))
        chosen: list[Tensor] = []
        single = False
        if self.get_by_list:
            if weights is None:
                weights = (
                    ParameterTuple(fn.trainable_params()) if hasattr(fn, "trainable_params") else ParameterTuple([])
                )
            chosen, single = check_weights(weights, "GradOperation")
        if self.get_all:
            both = _both_one_weight if single else _both
            position, returns = ALL, both if self.get_by_list else _inputs
        elif self.get_by_list:
            position, returns = None, _one_weight if single else _weights
        else:
            position, returns = 0, _first
        key = ("GradOperation", position, returns, self.sens_param, tuple(map(id, chosen)))
        return cached_function(
            fn, key, lambda: GradFunction(fn, position, chosen, False, self.sens_param, returns, "GradOperation")
        )


# -- grad and value_and_grad -----------------------------------------------------------------------------------------
class Packing:
    """How `grad` and `value_and_grad` return: single or tuple, inputs and weights, with ids, with the value."""

    __slots__ = ("position", "return_ids", "single_weight", "value", "weighed")

    def __init__(self, position, weighed, single_weight, return_ids, value):
        self.position = position
        self.weighed = weighed  # whether weights were given, even an empty list
        self.single_weight = single_weight
        self.return_ids = return_ids
        self.value = value

    def __call__(self, out, inputs, weights, owner):
        if self.return_ids:
            numbers = self.position if isinstance(self.position, tuple) else (self.position,)
            inputs = tuple([(n, g) for n, g in zip(numbers, inputs)]) if self.position is not None else ()  # noqa: B905
            weights = tuple([(p.name, g) for p, g in zip(owner.weights, weights, strict=True)])
        first = inputs if self.position in (None, ALL) else single_if_one(inputs)
        second = weights[0] if self.single_weight else weights
        if not self.weighed:
            grads = first
        elif self.position is None:
            grads = second
        else:
            grads = (first, second)
        if self.value:
            return out, grads
        if owner.has_aux:
            return grads, out[1:] if len(out) > 2 else (out[1],)
        return grads


def _make(api, fn, grad_position, weights, has_aux, return_ids, sens_param, value):
    check_function(fn, api, class_in_mode(TypeError))
    position = check_position(grad_position, api)
    chosen, single = check_weights(weights, api)
    if position is None and weights is None:
        raise ValueError(f"For '{api}', 'grad_position' and 'weights' cannot both be None.")
    for name, flag in (("has_aux", has_aux), ("return_ids", return_ids), ("sens_param", sens_param)):
        check_bool(api, name, flag)
    key = (api, position, has_aux, return_ids, sens_param, weights is None, single, tuple(map(id, chosen)))
    packing = Packing(position, weights is not None, single, return_ids, value)
    return cached_function(fn, key, lambda: GradFunction(fn, position, chosen, has_aux, sens_param, packing, api))


@faces("ops")
def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False, sens_param=False):
    """The gradient function of `fn`.

    Args:
        fn: function or Cell of Tensors that returns Tensors. Several outputs are summed with ones as cotangents.
        grad_position: which inputs: an int (result: one gradient), a tuple of ints (a tuple), or None.
        weights: Parameter (one gradient), ParameterTuple or list of Parameters (a tuple), or None.
        has_aux: only the first output is differentiated; the others are returned beside the gradients.
        return_ids: return `(position or name, gradient)` pairs.
        sens_param: the last input is the cotangent of the output.

    Returns:
        A function of the same inputs: the gradients of the inputs, of the weights, or the pair of both.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: neither inputs nor weights are chosen.

    >>> import ms_compat as ms
    >>> print(ms.grad(lambda x, y: x * y, grad_position=(0, 1))(ms.Tensor([2.0]), ms.Tensor([5.0])))
    (Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e+00]), Tensor(shape=[1], dtype=Float32, value= [
    2.00000000e+00]))
    """
    return _make("grad", fn, grad_position, weights, has_aux, return_ids, sens_param, False)


@faces("ops")
def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False, sens_param=False):
    """As `grad`; the function that is returned gives `(output of fn, gradients)`.

    >>> import ms_compat as ms
    >>> value, gradient = ms.value_and_grad(lambda x: x * x)(ms.Tensor([3.0]))
    >>> print(value, gradient)
    [9.] [6.]
    """
    return _make("value_and_grad", fn, grad_position, weights, has_aux, return_ids, sens_param, True)


@faces("ops")
def get_grad(gradients, identifier):
    """One gradient out of what `grad(..., return_ids=True)` returned.

    Args:
        gradients: the pairs, nested as returned.
        identifier: the position of an input, or a Parameter, its name.

    Raises:
        TypeError: `identifier` is not an int, str or Parameter.
        RuntimeError: there is no such gradient.
    """
    if isinstance(identifier, Parameter):
        identifier = identifier.name
    elif isinstance(identifier, Tensor) or not isinstance(identifier, (int, str)):
        raise TypeError(
            f"For 'get_grad', 'identifier' must be an int, str or Parameter, but got {type(identifier).__name__}."
        )
    check_type("get_grad", "gradients", gradients, tuple)
    found = _find(gradients, identifier)
    if found is None:
        raise RuntimeError(f"For 'get_grad', there is no gradient of {identifier!r} in the gradients given.")
    return found


def _find(pairs: Any, identifier: Any) -> Any:
    if len(pairs) == 2 and isinstance(pairs[0], (int, str)):
        return pairs[1] if pairs[0] == identifier else None
    for item in pairs:
        if isinstance(item, tuple):
            found = _find(item, identifier)
            if found is not None:
                return found
    return None
