"""Bessel functions J, Y and K of the orders 0 and 1, by quadrature in Float64.

JAX has the modified functions I alone. J is the mean of cos(x sin t) over a period, for which the trapezoidal rule
converges faster than any power (DLMF 10.9.1); Y is Neumann's expansion in J's of even order (DLMF 10.8.3), whose sum is
another fixed weight of the same integral. From 25 on both are Hankel's asymptotic expansion (DLMF 10.17). K is the
integral of exp(-x cosh t) (DLMF 10.32.9), scaled to the width of its integrand. The functions of order 1 are
derivatives of the order-0 ones, here as in the sums.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import Op
from ms_compat._core.faces import table_faces
from ms_compat.ops.function.elementwise.slopes import sloped
from ms_compat.ops.function.examples import example
from ms_compat.ops.function.nn.checks import floating

_FAR = 25.0
_NODES = 80
_ANGLES = (np.arange(_NODES) + 0.5) * np.pi / _NODES
_SINES = np.sin(_ANGLES)
_ORDERS = np.arange(1, 37)
_NEUMANN = ((-1.0) ** (_ORDERS + 1) / _ORDERS) @ np.cos(2 * np.outer(_ORDERS, _ANGLES))
_STEPS = np.arange(161) * 0.25
_WEIGHTS = np.where(_STEPS == 0, 0.125, 0.25)


def _hankel(x: Any, order: int) -> tuple[Any, Any]:
    """J and Y for large x: the amplitude and phase of Hankel's expansion."""
    mu = 4.0 * order * order
    term, p, q = jnp.ones_like(x), jnp.ones_like(x), jnp.zeros_like(x)
    for k in range(1, 20):
        term = term * ((mu - (2 * k - 1) ** 2) / (k * 8.0)) / x
        sign = -1.0 if k % 4 in (2, 3) else 1.0
        p, q = (p + sign * term, q) if k % 2 == 0 else (p, q + sign * term)
    phase = x - (order / 2 + 0.25) * np.pi
    scale = jnp.sqrt(2 / (np.pi * x))
    cos, sin = jnp.cos(phase), jnp.sin(phase)
    return scale * (p * cos - q * sin), scale * (p * sin + q * cos)


def _near(x: Any, weights: Any, order: int) -> Any:
    """The mean of weights * cos(x sin t), or minus its derivative."""
    angle = x[..., None] * _SINES
    return jnp.mean(weights * (jnp.cos(angle) if order == 0 else _SINES * jnp.sin(angle)), -1)


def _first(x: Any, order: int) -> Any:
    size = jnp.abs(x)
    far = _hankel(jnp.maximum(size, _FAR), order)[0]
    # of x itself and not of its size, whose slope at 0 would be the function's
    return jnp.where(size < _FAR, _near(jnp.clip(x, -_FAR, _FAR), 1.0, order), far * jnp.sign(x) if order else far)


def _second(x: Any, order: int) -> Any:
    near = jnp.clip(x, 1e-300, _FAR)
    log = jnp.log(near / 2) + np.euler_gamma
    out = (2 / np.pi) * log * _near(near, 1.0, order) + (4 / np.pi) * _near(near, _NEUMANN, order)
    if order:
        out = out - (2 / np.pi) * _near(near, 1.0, 0) / near
    out = jnp.where(x < _FAR, out, _hankel(jnp.maximum(x, _FAR), order)[1])
    # below 0 as MindSpore answers, and Y1(0) likewise
    below = -jnp.inf if order == 0 else jnp.where(x == 0, jnp.nan, -jnp.inf)
    return jnp.where(x > 0, out, jnp.where(jnp.isnan(x), x, below))


def _modified(x: Any, order: int, scaled: bool) -> Any:
    safe = jnp.where(x > 0, x, 1.0)
    width = jnp.minimum(1.0, 1 / jnp.sqrt(safe))
    at = jnp.minimum(width[..., None] * _STEPS, 40.0)
    half = jnp.sinh(at / 2)
    inner = jnp.exp(-2 * safe[..., None] * half * half)
    if order:
        inner = inner * jnp.cosh(at)
    out = width * jnp.sum(_WEIGHTS * inner, -1)
    out = jnp.where(x > 0, out if scaled else out * jnp.exp(-safe), jnp.inf)
    return jnp.where(jnp.isnan(x), x, jnp.where(jnp.isposinf(x), 0, out))


# By the relations between the orders (DLMF 10.6.2 and 10.29.2), which also hold for the infinities up to 0.
def _slope_of_j1(x: Any, j1: Any) -> Any:
    return jnp.where(x == 0, 0.5, _J0(x) - j1 / jnp.where(x == 0, 1.0, x))


_J1: Callable = sloped(lambda x: _first(x, 1), _slope_of_j1)
_J0: Callable = sloped(lambda x: _first(x, 0), lambda x, j0: -_J1(x))
_Y1: Callable = sloped(lambda x: _second(x, 1), lambda x, y1: _Y0(x) - y1 / x)
_Y0: Callable = sloped(lambda x: _second(x, 0), lambda x, y0: -_Y1(x))
_K1: Callable = sloped(lambda x: _modified(x, 1, False), lambda x, k1: -_K0(x) - k1 / x)
_K0: Callable = sloped(lambda x: _modified(x, 0, False), lambda x, k0: -_K1(x))
_K1E: Callable = sloped(lambda x: _modified(x, 1, True), lambda x, k1e: k1e * (1 - 1 / x) - _K0E(x))
_K0E: Callable = sloped(lambda x: _modified(x, 0, True), lambda x, k0e: k0e - _K1E(x))

_TABLE: dict[str, tuple[Callable, str]] = {
    "bessel_j0": (_J0, "J0, the Bessel function of the first kind of order 0."),
    "bessel_j1": (_J1, "J1, the Bessel function of the first kind of order 1."),
    "bessel_y0": (_Y0, "Y0, the Bessel function of the second kind of order 0; -inf up to 0."),
    "bessel_y1": (
        _Y1,
        "Y1, the Bessel function of the second kind of order 1; -inf below 0, NaN at 0.",
    ),
    "bessel_k0": (_K0, "K0, the modified Bessel function; infinite up to 0."),
    "bessel_k1": (_K1, "K1, the modified Bessel function; infinite up to 0."),
    "bessel_k0e": (_K0E, "exp(x) K0(x); infinite up to 0."),
    "bessel_k1e": (_K1E, "exp(x) K1(x); infinite up to 0."),
}


def _make(name: str, formula: Callable, text: str) -> Op:
    def fn(x: Any) -> Any:
        return formula(floating(name, "x", x).astype(np.float64)).astype(x.dtype)

    fn.__name__ = fn.__qualname__ = name
    fn.__module__ = __name__
    fn.__doc__ = f"{text}\n\nArgs:\n    x (Tensor): floating type.\n{example(name)}"
    return Op(fn, (), name)


for _name, (_formula, _text) in _TABLE.items():
    globals()[_name] = _make(_name, _formula, _text)

NAMES = list(_TABLE)
table_faces(__name__, NAMES, "ops")
