"""Loss scaling for training loops written by hand: scale the loss, unscale the gradients, adjust the scale."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_positive_int, check_type, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _leaves(item)]
    return [] if value is None else [value]


@op(name="all_finite")
def _finite(values):
    out = jnp.asarray(True)
    for value in values:
        out = out & jnp.all(jnp.isfinite(value))
    return out


def all_finite(inputs: Any) -> Tensor:
    """Whether no element is infinite or NaN.

    Args:
        inputs (Union[tuple, list, Tensor]): Tensors of floating types.

    Returns:
        Tensor, Bool, 0-d.

    >>> print(all_finite((Tensor([1.0, 2.0]), Tensor([float("inf")]))))
    False
    """
    return _finite(tuple(_leaves(inputs)))


def _each(fn: Any, value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return (list if isinstance(value, list) else tuple)([_each(fn, item) for item in value])
    return None if value is None else fn(value)


class LossScaler(ABC):
    """The base of loss scalers: `scale`, `unscale` and `adjust`.

    >>> from ms_compat import Tensor
    >>> from ms_compat.amp import StaticLossScaler
    >>> print(StaticLossScaler(4.0).scale(Tensor([0.5])))
    [2.]
    """

    @abstractmethod
    def scale(self, inputs: Any) -> Any:
        """Overridden: Tensors times the scale."""

    @abstractmethod
    def unscale(self, inputs: Any) -> Any:
        """Overridden: Tensors divided by the scale."""

    @abstractmethod
    def adjust(self, grads_finite: Any) -> Any:
        """Overridden: changes the scale after a step."""


class StaticLossScaler(LossScaler):
    """A scale that stays.

    Args:
        scale_value (Union[float, int]): the scale, >= 1.

    >>> print(StaticLossScaler(4).scale(Tensor([1.0, 2.0])))
    [4. 8.]
    """

    def __init__(self, scale_value):
        check_type(type(self).__name__, "scale_value", scale_value, (int, float))
        if scale_value < 1.0:
            raise value_error(type(self).__name__, "scale_value", ">= 1", scale_value)
        self.scale_value = Parameter(Tensor(scale_value, mstype.float32), name="scale_value")

    def scale(self, inputs):
        """Tensors, nested in tuples or lists, times the scale."""
        return _each(lambda x: x * self.scale_value.astype(x.dtype), inputs)

    def unscale(self, inputs):
        """Divide Tensors, nested in tuples or lists, by the scale."""
        return _each(lambda x: x * self.scale_value.reciprocal().astype(x.dtype), inputs)

    def adjust(self, grads_finite):
        """Changes nothing; returns False, as nothing was changed."""
        return False


@op(static=("factor", "window"), name="DynamicLossScaler")
def _adjusted(scale, counter, finite, factor, window):
    larger = scale * factor
    larger = jnp.where(jnp.isfinite(larger), larger, scale)
    kept = jnp.where(counter == window - 1, larger, scale)
    new = jnp.where(finite, kept, jnp.maximum(scale / factor, 1))
    return new.astype(scale.dtype), ((counter + 1) % window * finite).astype(counter.dtype)


class DynamicLossScaler(StaticLossScaler):
    """A scale that falls when gradients overflow and rises after a number of steps in which they did not.

    Args:
        scale_value (Union[float, int]): the first scale, >= 1.
        scale_factor (int): what it is multiplied and divided by.
        scale_window (int): steps without overflow before it rises.

    >>> from ms_compat import Tensor
    >>> from ms_compat.amp import DynamicLossScaler
    >>> scaler = DynamicLossScaler(scale_value=16.0, scale_factor=2, scale_window=1000)
    >>> print(scaler.scale(Tensor([0.5])), scaler.unscale(Tensor([8.0])))
    [8.] [0.5]
    """

    def __init__(self, scale_value, scale_factor, scale_window):
        super().__init__(scale_value)
        self.scale_window = check_positive_int("DynamicLossScaler", "scale_window", scale_window)
        self.scale_factor = check_positive_int("DynamicLossScaler", "scale_factor", scale_factor)
        self.counter = Parameter(Tensor(np.zeros((), np.int32)), name="counter")

    def adjust(self, grads_finite):
        """Changes the scale after a step.

        Args:
            grads_finite (Tensor): Bool, whether all gradients were finite.

        Returns:
            True.
        """
        scale, counter = _adjusted(
            self.scale_value, self.counter, grads_finite, float(self.scale_factor), self.scale_window
        )
        self.scale_value.set_data(scale)
        self.counter.set_data(counter)
        return True
