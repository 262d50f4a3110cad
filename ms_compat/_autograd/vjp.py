"""`vjp`: the outputs of a function and its pullback, which may be called many times."""

from __future__ import annotations

from typing import Any

from ms_compat._autograd import closures
from ms_compat._autograd.engine import constant_like, cotangents_for, linearize
from ms_compat._autograd.select import check_function, check_weights, select_inputs, variables_of
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces
from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor, wrap


@faces("ops")
def vjp(fn, *inputs, weights=None, has_aux=False):
    """Run a function and return its outputs and its vector-Jacobian product.

    Args:
        fn: function or Cell of Tensors that returns a Tensor or a tuple of Tensors.
        inputs: its arguments: Tensors, or tuples and lists of Tensors.
        weights: Parameter, ParameterTuple or list of Parameters whose gradients are wanted, too.
        has_aux: only the first output is differentiated; the others are returned as they are.

    Returns:
        `(outputs, vjp_fn)`, or `(first output, vjp_fn, aux)` with `has_aux`. `vjp_fn` takes one cotangent per output
        and returns the tuple of the inputs' gradients, or `(inputs' gradients, weights' gradients)` with `weights`.

    Raises:
        TypeError: an input or a cotangent is not a Tensor.

    >>> import ms_compat as ms
    >>> out, pullback = ms.vjp(lambda x: x * x, ms.Tensor([3.0]))
    >>> print(pullback(ms.Tensor([1.0])))
    (Tensor(shape=[1], dtype=Float32, value= [ 6.00000000e+00]),)
    """
    check_function(fn, "vjp")
    check_bool("vjp", "has_aux", has_aux)
    for value in inputs:
        if not isinstance(value, (Tensor, tuple, list)):
            raise TypeError(f"For 'vjp', each input must be a Tensor, tuple or list, but got {type(value).__name__}.")
    chosen, single = check_weights(weights, "vjp")
    variables = variables_of(chosen)
    inputs = closures.own_parameters(fn, inputs, variables)
    selection = select_inputs(inputs, tuple(range(len(inputs))), "vjp")
    tensors = [*selection.tensors, *variables]
    linearized = linearize(fn, inputs, {}, tensors, has_aux, True, "vjp")
    count = len(selection.tensors)
    primals = [t._v for t in tensors]
    out = linearized.out

    def vjp_fn(*cotangents: Any) -> Any:
        for value in cotangents:
            if not isinstance(value, (Tensor, tuple, list)):
                raise TypeError(f"For 'vjp_fn', each cotangent must be a Tensor, but got {type(value).__name__}.")
        if len(cotangents) == 1 and isinstance(cotangents[0], (tuple, list)):
            cotangents = tuple(cotangents[0])
        if len(cotangents) != len(linearized.outputs):
            # as in MindSpore, whose compiler finds it out
            error = RuntimeError if context.state.mode == context.PYNATIVE_MODE else TypeError
            raise error(
                f"For 'vjp_fn', {len(linearized.outputs)} outputs need as many cotangents, but got {len(cotangents)}."
            )
        grads = linearized.pull(cotangents_for(linearized, cotangents, "vjp_fn"))
        filled = [wrap(constant_like(v, 0)) if g is None else g for v, g in zip(primals, grads, strict=True)]
        of_inputs = selection.pack(filled[:count])
        if weights is None:
            return of_inputs
        of_weights = filled[count] if single else tuple(filled[count:])
        return of_inputs, of_weights

    if has_aux:
        return out[0], vjp_fn, out[1] if len(out) == 2 else out[1:]
    return out, vjp_fn
