"""Which code is the user's, and which a library's that is traced as it is."""

from __future__ import annotations

import sys
from typing import Any

from ms_compat._core.tensor import Tensor

_LIBRARIES = {
    "ms_compat",
    "mindspore",
    "jax",
    "jaxlib",
    "numpy",
    "optax",
    "flax",
    "malt",
    "ml_dtypes",
    "scipy",
    "torch",
}


def is_users(fn: Any) -> bool:
    """Whether a function belongs to the user's code."""
    return is_users_module(getattr(fn, "__module__", None))


def is_users_module(name: str | None) -> bool:
    """Whether a module of this name is the user's.

    >>> is_users_module("__main__"), is_users_module("nets.resnet"), is_users_module("jax.numpy")
    (True, True, False)
    """
    package = (name or "").partition(".")[0]
    return package not in _LIBRARIES and package not in sys.stdlib_module_names or package == "__main__"


def is_object_of_user(value: Any) -> bool:
    """Whether a value is an instance of the user's plain class, with attributes of its own."""
    kind = type(value)
    if isinstance(value, (type, Tensor)) or not hasattr(value, "__dict__") or hasattr(kind, "construct"):
        return False
    return is_users_module(kind.__module__) and kind.__setattr__ is object.__setattr__
