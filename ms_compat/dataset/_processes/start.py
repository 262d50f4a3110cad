"""The program that a pool starts: it prepares an interpreter without JAX and forks the workers.

It is run by its path, because importing `ms_compat` imports JAX, which takes seconds and hundreds of megabytes in each
worker. Here `ms_compat` and `ms_compat.dataset` are modules whose `__init__` has not run yet. It runs when a user's
function wants a name of theirs, or a module outside `ms_compat.dataset` that needs JAX.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import types
from typing import Any

# What the data pipeline uses outside `ms_compat.dataset`; a test checks that none of them imports JAX.
WITHOUT_JAX = (
    "ms_compat.dataset",
    "ms_compat._names",
    "ms_compat.mindrecord",
    "ms_compat._core.homes",
    "ms_compat._core.faces",
    "ms_compat._core.dtype",
    "ms_compat._core.errors",
    "ms_compat._core.checks",
    "ms_compat._core.crc32c",
    "ms_compat._core.untrusted",
    "ms_compat._core.settings.seeds",
    "ms_compat._core.dispatch.keywords",
    "ms_compat._core.diagnostics.extras",
    "ms_compat._core.diagnostics.progress",
)
_PACKAGES = ("ms_compat._core", "ms_compat._core.settings", "ms_compat._core.dispatch", "ms_compat._core.diagnostics")


def needs_jax(name: str) -> bool:
    """Whether a module of this package may import JAX.

    >>> needs_jax("ms_compat.dataset.vision"), needs_jax("ms_compat.nn")
    (False, True)
    """
    return name not in _PACKAGES and not any(name == known or name.startswith(known + ".") for known in WITHOUT_JAX)


def _complete(name: str) -> None:
    """Runs a package's `__init__`, if it has not run."""
    module: Any = sys.modules[name]
    if module.__dict__.pop("__getattr__", None) is not None:
        module.__spec__.loader.exec_module(module)


class _Gate(importlib.abc.MetaPathFinder):
    """Runs `ms_compat`'s `__init__`, which configures JAX, before a module that needs JAX is imported."""

    def find_spec(self, name: str, path: Any, target: types.ModuleType | None = None) -> None:
        if name == "jax" or (name.startswith("ms_compat.") and needs_jax(name)):
            sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
            _complete("ms_compat")


def postpone(name: str, folder: str) -> None:
    """Puts a package into `sys.modules` without running its `__init__`.

    Args:
        name: the package.
        folder: the folder that contains it.
    """
    spec = importlib.machinery.PathFinder.find_spec(name, [folder])
    if spec is None:
        raise ImportError(f"There is no {name} in {folder}.")
    module: Any = importlib.util.module_from_spec(spec)

    def __getattr__(attribute: str) -> Any:
        # The import system looks for `__path__` and the like; these do not need the package's own names.
        if attribute.startswith("__") and attribute != "__all__":
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        if importlib.machinery.PathFinder.find_spec(f"{name}.{attribute}", module.__path__) is not None:
            return importlib.import_module(f"{name}.{attribute}")
        _complete(name)
        return getattr(module, attribute)

    module.__getattr__ = __getattr__
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


def main() -> None:
    """Starts the workers.

    The arguments are `sys.path` as JSON, and descriptors: of the control socket, the program, and the workers' sockets.
    """
    dataset = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    package = os.path.dirname(dataset)
    sys.path[:] = json.loads(sys.argv[1])
    postpone("ms_compat", os.path.dirname(package))
    postpone("ms_compat.dataset", package)
    sys.meta_path.insert(0, _Gate())
    from ms_compat.dataset._processes import serving

    control, program, *workers = map(int, sys.argv[2:])
    serving.start(control, program, workers)


if __name__ == "__main__":
    main()
