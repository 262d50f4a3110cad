"""Modules that are called as the function of their name.

`import mindspore.scipy.optimize.minimize as minimize` gives the function there, because the package's attribute
shadows its module. Importing the module under its other name may put the module back, so the module can be called.
"""

from __future__ import annotations

import sys
import types
from typing import Any


def callable_module(module: str, function: str) -> None:
    """Let a module be called as one of its functions."""

    class Callable(types.ModuleType):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return getattr(self, function)(*args, **kwargs)

    sys.modules[module].__class__ = Callable
