"""How distributions and bijectors take their parameters: numbers, lists, arrays, Tensors or Parameters of one type.

A value with its own type (an array, a Tensor) decides the type of all; numbers and lists follow. Integers and
Float64 become Float32, as MindSpore has it. A Parameter of the right type is kept, and stays trainable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.ops.function.shape.create import cast

INTEGERS = tuple(mstype.int_type)  # signed and unsigned


def common_type(values: dict[str, Any], default: Any) -> Any:
    """The dtype that the parameters share.

    Args:
        values: the parameters by name.
        default: the dtype if none of them has its own.

    Raises:
        TypeError: two of them differ.
    """
    found = None
    for name, value in values.items():
        if not isinstance(value, (np.ndarray, Tensor)):
            continue
        kind = value.dtype if isinstance(value, Tensor) else mstype.np_dtype_to_ms(value.dtype)
        if found is not None and kind is not found:
            raise TypeError(f"The '{name}' must have the dtype of the other parameters, {found}, but got {kind}.")
        found = kind
    if found is None:
        found = default if default in mstype.float_type else mstype.float32
        return found
    return mstype.float32 if found is mstype.float64 or found not in mstype.float_type else found


def as_tensor(value: Any, dtype: Any, name: str) -> Tensor:
    """A parameter as a Tensor of a dtype.

    Raises:
        TypeError: it is none of a number, list, array or Tensor.
    """
    if isinstance(value, Tensor):
        return value if value.dtype is dtype else cast(value, dtype)
    if isinstance(value, bool) or not isinstance(value, (int, float, list, tuple, np.ndarray, np.number)):
        raise TypeError(
            f"The '{name}' must be a number, list, numpy.ndarray or Tensor, but got {type(value).__name__}."
        )
    return Tensor(np.asarray(value), dtype)


def keep_parameter(cell: Any, name: str, value: Any) -> None:
    """Make a Parameter a member of the Cell, and anything else a plain attribute.

    A Tensor assigned the usual way inside a compiled function would become state of it, and a distribution may be made
    there for one call.
    """
    if isinstance(value, Parameter):
        setattr(cell, name, value)
    else:
        object.__setattr__(cell, name, value)


@op()
def broadcast_together(params):
    """All arrays in their common shape; of one dtype."""
    for other in params[1:]:
        if other.dtype != params[0].dtype:
            raise TypeError(
                f"The parameters of a distribution must have one dtype, but got {params[0].dtype} and {other.dtype}."
            )
    return tuple(jnp.broadcast_arrays(*params))


# -- what a parameter may be -------------------------------------------------------------------------------------------
Check = Callable[[str, str, np.ndarray], None]


def positive(api: str, name: str, value: np.ndarray) -> None:
    """Raises `ValueError` unless all are greater than 0."""
    if not (value > 0).all():
        raise value_error(api, name, "greater than zero", value)


def not_negative(api: str, name: str, value: np.ndarray) -> None:
    """Raises `ValueError` unless none is less than 0."""
    if not (value >= 0).all():
        raise value_error(api, name, "greater than or equal to zero", value)


def array_positive(api: str, name: str, value: np.ndarray) -> None:
    """As `positive`, for the parameters that MindSpore does not take as scalars; `TypeError` for those."""
    if value.ndim == 0:
        raise type_error(api, name, "a list, numpy.ndarray or Tensor that is not a scalar", float(value))
    positive(api, name, value)


def probability(api: str, name: str, value: np.ndarray) -> None:
    """Raises `ValueError` unless all are between 0 and 1, without the ends."""
    if not ((value > 0) & (value < 1)).all():
        raise value_error(api, name, "greater than zero and less than one", value)


def categories(api: str, name: str, value: np.ndarray) -> None:
    """Raises `ValueError` unless the last axis holds probabilities that sum to 1."""
    if value.ndim == 0:
        raise value_error(api, name, "of rank 1 at least", float(value))
    probability(api, name, value)
    if not np.allclose(value.sum(-1, dtype=np.float64), 1.0, atol=1e-3 if value.dtype.itemsize == 2 else 1e-5):
        raise value_error(api, name, "probabilities that sum to one", value)


def check(api: str, name: str, value: Tensor, rule: Check | None) -> None:
    """Apply a rule to a parameter whose value is known."""
    if rule is not None and not isinstance(value._v, Tracer):
        rule(api, name, value.asnumpy())
