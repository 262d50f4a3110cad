"""Stand-ins for MindSpore's inner modules, such as `mindspore.ops.operations`.

A stand-in is a module object of its own that forwards each name to the public module. It cannot be the public module
itself: the import system sets a module as an attribute of its parent, and `import mindspore.common.tensor` would put a
module over the function `tensor`.
"""

import functools
import importlib
import importlib.machinery
import types
from typing import Any

from ms_compat._legacy import census


class InnerModule(types.ModuleType):
    """A module whose names are those of another, imported when the first is asked for."""

    def __init__(self, path: str, public: str) -> None:
        super().__init__(path, f"The names of `{public}` under an inner path of MindSpore.")
        self.__path__: list[str] = []
        self.__spec__ = importlib.machinery.ModuleSpec(path, None, is_package=True)
        self._public = public

    def _target(self) -> types.ModuleType:
        return importlib.import_module("ms_compat" + self._public.removeprefix("mindspore"))

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            target = self._target()
            return getattr(target, "__all__", None) or [found for found in dir(target) if not found.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        try:
            return getattr(self._target(), name)
        except AttributeError:
            below = inner_module(f"{self.__name__}.{name}")
            if below is None:
                raise
            return below

    def __dir__(self) -> list[str]:
        return dir(self._target())


@functools.cache
def inner_module(path: str) -> InnerModule | None:
    """Returns the stand-in for an inner path, the same at every call, or `None` if MindSpore has no such module.

    >>> inner_module("mindspore.ops.operations").__name__
    'mindspore.ops.operations'
    """
    public = census.inner_modules().get(path)
    return None if public is None else InnerModule(path, public)
