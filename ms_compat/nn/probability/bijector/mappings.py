"""The bijectors, one table of formulas a class: direction -> pure function of the value and the parameters.

The derivatives' logarithms are written so that they stay exact where the mapping saturates.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core.dispatch.op import Op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.nn.probability import _parameters
from ms_compat.nn.probability.bijector._base import DIRECTIONS, Bijector


def _power_forward(x, power):
    safe = jnp.where(power == 0, 1.0, power)
    return jnp.where(power == 0, jnp.exp(x), jnp.exp(jnp.log1p(x * safe) / safe))


def _power_inverse(y, power):
    safe = jnp.where(power == 0, 1.0, power)
    return jnp.where(power == 0, jnp.log(y), jnp.expm1(jnp.log(y) * safe) / safe)


def _power_forward_slope(x, power):
    safe = jnp.where(power == 0, 1.0, power)
    return jnp.where(power == 0, x, (1.0 / safe - 1.0) * jnp.log1p(x * safe))


def _log_expm1(x):
    """log(exp(x) - 1), for large x too."""
    return x + jnp.log(-jnp.expm1(-x))


FORMULAS: dict[str, tuple[Any, Any, Any, Any]] = {
    "PowerTransform": (
        _power_forward,
        _power_inverse,
        _power_forward_slope,
        lambda y, power: (power - 1.0) * jnp.log(y),
    ),
    "ScalarAffine": (
        lambda x, scale, shift: scale * x + shift,
        lambda y, scale, shift: (y - shift) / scale,
        lambda x, scale, shift: jnp.log(jnp.abs(scale)),
        lambda y, scale, shift: -jnp.log(jnp.abs(scale)),
    ),
    "Softplus": (
        lambda x, k: jax.nn.softplus(k * x) / k,
        lambda y, k: _log_expm1(k * y) / k,
        lambda x, k: jax.nn.log_sigmoid(k * x),
        lambda y, k: -jnp.log(-jnp.expm1(-k * y)),
    ),
    "GumbelCDF": (
        lambda x, loc, scale: jnp.exp(-jnp.exp(-(x - loc) / scale)),
        lambda y, loc, scale: loc - scale * jnp.log(-jnp.log(y)),
        lambda x, loc, scale: -(x - loc) / scale - jnp.exp(-(x - loc) / scale) - jnp.log(scale),
        lambda y, loc, scale: jnp.log(scale / (-jnp.log(y) * y)),
    ),
}


class _Formula(Bijector):
    """A bijector that is a row of `FORMULAS`."""

    _formula = ""
    _operations: dict[str, Op]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        row = FORMULAS[cls._formula]
        cls._operations = {d: Op(fn, (), f"{cls._formula}.{d}") for d, fn in zip(DIRECTIONS, row, strict=True)}
        for direction in DIRECTIONS:
            setattr(cls, "_" + direction, _method(direction))

    def _start(self, name: Any, constant: bool = False, rules: dict[str, Any] | None = None, **given: Any) -> None:
        Bijector.__init__(self, constant, True, name, None, {**given, "name": name, "param_dict": given})
        for key, rule in (rules or {}).items():
            _parameters.check(self._formula, key, self._values[key], rule)


def _method(direction: str) -> Any:
    def method(self, value):
        given = [self.cast_param_by_value(value, p) for p in self._values.values()]
        return self._operations[direction](value, *given)

    return method


@faces("nn.probability.bijector")
class PowerTransform(_Formula):
    """(1 + power * x) ** (1 / power), and exp(x) where the power is 0.

    Args:
        power (Union[float, list, numpy.ndarray, Tensor]): >= 0.
        name (str): the bijector's name.

    Raises:
        TypeError: `power` is not of floats.
        ValueError: it is negative.
    """

    _formula = "PowerTransform"

    def __init__(self, power=0.0, name="PowerTransform"):
        self._start(name, rules={"power": _parameters.not_negative}, power=power)

    @property
    def power(self):
        """The power."""
        return self._power


@faces("nn.probability.bijector")
class Exp(PowerTransform):
    """exp(x).

    Args:
        name (str): the bijector's name.

    >>> import ms_compat as ms
    >>> print(ms.nn.probability.bijector.Exp().forward(ms.Tensor([0.0])))
    [1.]
    """

    _formula = "PowerTransform"

    def __init__(self, name="Exp"):
        super().__init__(0.0, name)

    def extend_repr(self):
        """The mapping's name."""
        return "exp"


@faces("nn.probability.bijector")
class ScalarAffine(_Formula):
    """scale * x + shift.

    Args:
        scale, shift (Union[float, list, numpy.ndarray, Tensor]): floats of one type.
        name (str): the bijector's name.

    Raises:
        TypeError: the parameters are not of floats, or of different types.
    """

    _formula = "ScalarAffine"

    def __init__(self, scale=1.0, shift=0.0, name="ScalarAffine"):
        self._start(name, True, scale=scale, shift=shift)

    @property
    def scale(self):
        """The factor."""
        return self._scale

    @property
    def shift(self):
        """The summand."""
        return self._shift


@faces("nn.probability.bijector")
class Softplus(_Formula):
    """log(1 + exp(sharpness * x)) / sharpness.

    Args:
        sharpness (Union[float, list, numpy.ndarray, Tensor]): of floats.
        name (str): the bijector's name.

    Raises:
        TypeError: `sharpness` does not consist of floats.
    """

    _formula = "Softplus"

    def __init__(self, sharpness=1.0, name="Softplus"):
        self._start(name, sharpness=sharpness)

    @property
    def sharpness(self):
        """The factor."""
        return self._sharpness


@faces("nn.probability.bijector")
class GumbelCDF(_Formula):
    """exp(-exp(-(x - loc) / scale)), the distribution function of `Gumbel`.

    Args:
        loc, scale (Union[float, list, numpy.ndarray, Tensor]): floats of one type; scale > 0.
        name (str): the bijector's name.

    Raises:
        TypeError: the parameters are not of floats, or of different types.
        ValueError: `scale` is not positive.
    """

    _formula = "GumbelCDF"

    def __init__(self, loc=0.0, scale=1.0, name="GumbelCDF"):
        self._start(name, rules={"scale": _parameters.positive}, loc=loc, scale=scale)

    @property
    def loc(self):
        """The location."""
        return self._loc

    @property
    def scale(self):
        """The scale."""
        return self._scale


@faces("nn.probability.bijector")
class Invert(Bijector):
    """The inverse of a bijector.

    Args:
        bijector (Bijector): what to invert.
        name (str): the name; "" makes "Invert" and the bijector's.

    Raises:
        TypeError: `bijector` is none.
    """

    def __init__(self, bijector, name=""):
        check_type("Invert", "bijector", bijector, Bijector)
        given = {"bijector": bijector, "name": name}
        super().__init__(
            bijector.is_constant_jacobian, bijector.is_injective, name or "Invert" + bijector.name, None, given
        )
        self._bijector = bijector
        object.__setattr__(self, "_batch_shape", bijector.batch_shape)
        object.__setattr__(self, "_is_scalar_batch", bijector.is_scalar_batch)

    @property
    def bijector(self):
        """What is inverted."""
        return self._bijector

    def extend_repr(self):
        """Nothing: the bijector within shows itself."""
        return ""

    def forward(self, value, *args, **kwargs):
        """The bijector's `inverse`."""
        return self._bijector.inverse(value, *args, **kwargs)

    def inverse(self, value, *args, **kwargs):
        """The bijector's `forward`."""
        return self._bijector.forward(value, *args, **kwargs)

    def forward_log_jacobian(self, value, *args, **kwargs):
        """The bijector's `inverse_log_jacobian`."""
        return self._bijector.inverse_log_jacobian(value, *args, **kwargs)

    def inverse_log_jacobian(self, value, *args, **kwargs):
        """The bijector's `forward_log_jacobian`."""
        return self._bijector.forward_log_jacobian(value, *args, **kwargs)
