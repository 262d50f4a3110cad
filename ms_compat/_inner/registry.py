"""`tensor_operator_registry`: functions by name, which MindSpore's own modules exchange to avoid circular imports."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

__all__ = ["Registry", "VmImplRegistry", "get_vm_impl_fn", "tensor_operator_registry", "vm_impl_registry"]


class Registry:
    """Functions by name: those that were registered, and otherwise the functions of `mindspore.ops`.

    Tensor methods are class attributes and do not look up names here: to replace one, set it on the class.

    >>> tensor_operator_registry.get("relu").__name__
    'relu'
    """

    def __init__(self) -> None:
        self._own: dict[str, Any] = {}

    def register(self, name: str, prim: Any) -> None:
        """Keep a function under a name."""
        self._own[name] = prim

    def get(self, name: str) -> Any:
        """Returns the function of a name.

        Raises:
            AttributeError: there is none.
        """
        if name in self._own:
            return self._own[name]
        return getattr(importlib.import_module("ms_compat.ops"), name)


tensor_operator_registry = Registry()


class VmImplRegistry(Registry):
    """Python implementations of primitives, by the primitive's name: `@vm_impl_registry.register(P.Add)`."""

    def register(self, prim: Any) -> Callable:  # type: ignore[override]
        """Decorator: the function makes the implementation of a primitive class."""

        def keep(fn: Callable) -> Callable:
            self._own[prim if isinstance(prim, str) else prim.__name__] = fn
            return fn

        return keep

    def get(self, name: Any) -> Any:
        """Returns what was registered for a primitive, its class or its name; None if nothing was."""
        return self._own.get(name if isinstance(name, str) else getattr(name, "name", getattr(name, "__name__", name)))


vm_impl_registry = VmImplRegistry()


def get_vm_impl_fn(prim: Any) -> Any:
    """Returns the function registered for a primitive, or None."""
    return vm_impl_registry.get(prim)
