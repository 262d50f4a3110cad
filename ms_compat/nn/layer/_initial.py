"""The initial value of a layer's parameter."""

from __future__ import annotations

from typing import Any

from ms_compat._core.tensor import Tensor
from ms_compat.common.initializer import initializer


def initial(init: Any, shape: tuple[int, ...], dtype: Any) -> Tensor:
    """The value for `Parameter`: a Tensor with data as it is, anything else through `initializer`.

    Args:
        init: initializer, its name, a number, or a Tensor.
        shape: of the parameter.
        dtype: of the parameter.

    Raises:
        ValueError: a Tensor of another shape, or an unknown name.
    """
    if isinstance(init, Tensor) and not init.has_init:
        if init.shape != tuple(shape):
            raise ValueError(
                f"The initial Tensor of a parameter must have its shape {tuple(shape)}, but got {init.shape}."
            )
        return init
    return initializer(init, shape, dtype)
