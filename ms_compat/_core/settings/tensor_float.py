"""Whether Float32 may be rounded to TensorFloat-32, which NVIDIA GPUs multiply several times faster.

MindSpore's defaults apply: convolutions may, products of matrices may not. JAX lets both, by one setting for both,
`jax_default_matmul_precision`. Programs in the caches of `jax.jit` are found by that setting, too, so it has
a value of its own for each of the four choices here, and a convolution that differs from it names its precision. A
value that the user gave to JAX stays as it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import jax
from jax import lax

from ms_compat._core.trace import scopes

# (products, convolutions): what JAX is set to. "float32" and "highest" mean the same to JAX, as do the other two.
_NAMES = {(False, True): "float32", (True, True): "tensorfloat32", (False, False): "highest", (True, False): "high"}
_OF_CONVOLUTIONS = {"float32": lax.Precision.DEFAULT, "high": lax.Precision.HIGHEST}
_NVIDIA = ("/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg")  # the devices by which JAX, too, looks for a driver


class _Choice:
    """What may be rounded; `name` is the value that JAX got from here, or None."""

    products = False
    convolutions = True
    name: str | None = None


_choice = _Choice()


def nvidia_is_visible() -> bool:
    """Whether there is a driver of NVIDIA GPUs, without a query that would initialise JAX's devices."""
    return any(map(os.path.exists, _NVIDIA))


def use_defaults() -> None:
    """Set JAX as MindSpore's defaults say, unless the user has set it."""
    if _current() is None:
        _apply()


def allow(products: bool | None = None, convolutions: bool | None = None) -> None:
    """Allow or forbid the rounding; programs that exist are compiled again.

    Args:
        products: of matrices' operands; None leaves it as it is.
        convolutions: of convolutions' operands; None leaves it as it is.
    """
    if products is not None:
        _choice.products = products
    if convolutions is not None:
        _choice.convolutions = convolutions
    _apply()


def of_convolutions() -> lax.Precision | None:
    """The precision that a convolution names; None where JAX's setting says it."""
    name = _current()
    return _OF_CONVOLUTIONS.get(name) if name is not None and name == _choice.name else None


def key() -> str | None:
    """The choice, by which compiled functions find their programs."""
    return _current()


@contextlib.contextmanager
def defaults() -> Iterator[None]:
    """A region with MindSpore's defaults, for programs of GPUs that are not here; the user's own value stays."""
    if _current() is not None:
        yield
        return
    before, _choice.name = _choice.name, _NAMES[_choice.products, _choice.convolutions]
    try:
        with jax.default_matmul_precision(_choice.name):
            yield
    finally:
        _choice.name = before


def _current() -> str | None:
    return jax.config.jax_default_matmul_precision  # type: ignore[attr-defined]


def _apply() -> None:
    _choice.name = _NAMES[_choice.products, _choice.convolutions]
    if _current() != _choice.name:
        jax.config.update("jax_default_matmul_precision", _choice.name)
        scopes.structure_version += 1
