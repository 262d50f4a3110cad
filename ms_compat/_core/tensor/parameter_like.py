"""Tensors that are Parameters by their facts: classes of libraries that set `param_info` on their own Tensors.

MindSpore's C++ checks these facts, not the class: such a Tensor has a gradient as a weight, and another Tensor
has zeros.
"""

from __future__ import annotations

import weakref
from typing import Any

from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter

_living: weakref.WeakValueDictionary[int, Tensor] = weakref.WeakValueDictionary()


def param_info(tensor: Tensor) -> Any:
    """The object that was set, or None."""
    return tensor.__dict__.get("_param_info")


def set_param_info(tensor: Tensor, info: Any) -> None:
    """Set the facts of a Tensor; None makes it an ordinary one.

    Libraries written for MindSpore before 2.7 keep gradients in `grad`, and read it before they have set it.
    """
    tensor.__dict__["_param_info"] = info
    if info is None:
        _living.pop(id(tensor), None)
        return
    tensor.__dict__.setdefault("grad", None)
    _living[id(tensor)] = tensor


def is_trained(tensor: Tensor) -> bool:
    """Whether a Tensor has a gradient as a weight."""
    info = tensor if isinstance(tensor, Parameter) else param_info(tensor)
    return info is not None and bool(info.requires_grad)


def trained() -> list[Tensor]:
    """All Tensors with facts that say that they are trained."""
    return [tensor for tensor in list(_living.values()) if is_trained(tensor)]
