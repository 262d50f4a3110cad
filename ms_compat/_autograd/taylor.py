"""`jet` and `derivative`: derivatives of higher order along a curve, by nested forward mode.

The inputs run along x(t) = sum_k series_k t^k / k!; the n-th output series is the n-th derivative of f(x(t)) at t = 0.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._autograd.forward_mode import Lifted
from ms_compat._autograd.select import check_function
from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_int
from ms_compat._core.faces import faces
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap


def _floating(value: Tensor) -> Tensor:
    return value if value._v.dtype in INEXACT else wrap(value._v.astype(jnp.float32))


def _tensors(value: Any, api: str, name: str) -> list[Tensor]:
    items = list(value) if isinstance(value, (tuple, list)) else [value]
    for item in items:
        if not isinstance(item, Tensor):
            raise TypeError(
                f"For '{api}', '{name}' must be a Tensor or a tuple of Tensors, but got {type(item).__name__}."
            )
    return [_floating(item) for item in items]


def _along(fn: Any, primals: list[Tensor], series: list[Any], order: int) -> tuple[Any, list[list[Any]], Lifted]:
    lifted = Lifted(fn, tuple(primals), {}, primals, forward_mode=True)
    factorials = [1.0]
    for k in range(1, order + 1):
        factorials.append(factorials[-1] * k)

    def curve(t):
        values = []
        for p, s in zip(primals, series, strict=True):
            value = p._v
            for k in range(order):
                value = value + s[k] * (t ** (k + 1) / factorials[k + 1]).astype(value.dtype)
            values.append(value)
        outputs, changed = lifted(*values)
        return outputs, changed

    zero = jnp.zeros((), jnp.float32)
    outputs, changed = curve(zero)
    derivatives = []
    run = lambda t: curve(t)[0]  # noqa: E731
    for _ in range(order):
        run = _derivative_of(run)
        derivatives.append(run(zero))
    lifted.apply_changes(changed)
    return outputs, derivatives, lifted


def _derivative_of(run: Any) -> Any:
    return lambda t: jax.jvp(run, (t,), (jnp.ones((), jnp.float32),))[1]


@faces("ops")
def jet(fn, primals, series):
    """The first to n-th derivatives of a function's output along a curve through `primals`.

    Args:
        fn: function or Cell of Tensors.
        primals: the inputs, a Tensor or a tuple; integers are taken as float32.
        series: for each input a Tensor of shape (n, *input shape), the curve's derivatives of order 1 to n.

    Returns:
        `(outputs, series of the outputs)`, each series of shape (n, *output shape).

    Raises:
        TypeError: an argument is not a Tensor.
        ValueError: `series` does not fit `primals`.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.jet(lambda x: x * x, Tensor([3.0]), Tensor([[1.0], [0.0]]))[1])
    [[6.]
     [2.]]
    """
    check_function(fn, "jet")
    inputs, curves = _tensors(primals, "jet", "primals"), _tensors(series, "jet", "series")
    if len(inputs) != len(curves):
        raise ValueError(f"For 'jet', {len(inputs)} primals need as many series, but got {len(curves)}.")
    order = curves[0].shape[0]
    for p, s in zip(inputs, curves, strict=True):
        if s.shape != (order, *p.shape):
            raise ValueError(f"For 'jet', a series of shape {(order, *p.shape)} is needed, but got {s.shape}.")
    outputs, derivatives, lifted = _along(fn, inputs, [c._v for c in curves], order)
    stacked = [jnp.stack([d[i] for d in derivatives]) for i in range(len(outputs))]
    return lifted.rebuild(outputs), lifted.rebuild(stacked)


@faces("ops")
def derivative(fn, primals, order):
    """The derivative of a given order along the direction of ones.

    Args:
        fn: function or Cell of Tensors.
        primals: the inputs, a Tensor or a tuple; integers are taken as float32.
        order: the order, at least 1.

    Returns:
        `(outputs, derivatives of that order)`.

    Raises:
        TypeError: `order` is not an int, or an input not a Tensor.
        ValueError: `order` is below 1.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.derivative(lambda x: x * x * x, Tensor([2.0]), 2)[1])
    [12.]
    """
    check_function(fn, "derivative")
    check_int("derivative", "order", order)
    check_at_least("derivative", "order", order, 1)
    inputs = _tensors(primals, "derivative", "primals")
    curves = [[jnp.ones_like(p._v), *[jnp.zeros_like(p._v)] * (order - 1)] for p in inputs]
    outputs, derivatives, lifted = _along(fn, inputs, curves, order)
    return lifted.rebuild(outputs), lifted.rebuild(derivatives[-1])
