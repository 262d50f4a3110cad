"""Whether Float32 may be rounded to TensorFloat-32, which NVIDIA GPUs multiply several times faster.

MindSpore's defaults apply: convolutions are rounded, matrix products are not. JAX rounds both, and has one setting for
both, `jax_default_matmul_precision`, which is in `jax.jit`'s cache keys. Each of the four choices here has its own
value, so programs are compiled again when the choice changes. A convolution that differs from the setting names its
precision. If the user has set JAX's setting, it is kept.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import jax
from jax import lax

from ms_compat._core.trace import scopes

# JAX's setting for (products, convolutions). JAX treats "float32" as "highest", and "tensorfloat32" as "high".
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
    if current() is None:
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
    name = current()
    return _OF_CONVOLUTIONS.get(name) if name is not None and name == _choice.name else None


@contextlib.contextmanager
def defaults() -> Iterator[None]:
    """A region with MindSpore's defaults, for programs of GPUs that are not here; the user's own value stays."""
    if current() is not None:
        yield
        return
    before, _choice.name = _choice.name, _NAMES[_choice.products, _choice.convolutions]
    try:
        with jax.default_matmul_precision(_choice.name):
            yield
    finally:
        _choice.name = before


def current() -> str | None:
    """Return JAX's setting, which is in the cache keys of compiled functions."""
    return jax.config.jax_default_matmul_precision  # type: ignore[attr-defined]


def _apply() -> None:
    _choice.name = _NAMES[_choice.products, _choice.convolutions]
    if current() != _choice.name:
        jax.config.update("jax_default_matmul_precision", _choice.name)
        scopes.structure_version += 1
