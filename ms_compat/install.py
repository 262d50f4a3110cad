"""The import hook: `import mindspore` returns ms_compat, object for object.

`install()` puts a finder before all others. `import mindspore.x.y` then imports `ms_compat.x.y` and enters that very
module object under the second name, so that `mindspore.nn is ms_compat.nn`, and a reload reaches both names. Classes
show MindSpore's modules from then on and pickle under them (`_core/homes.py`). MindSpore's inner paths
(`mindspore.ops.operations`) are stand-ins that forward to the public module; they are entered at once, because an
import would set them over functions of the same name.

Processes that `multiprocessing` spawns get the hook, too: through `sys.path`, which it passes on (`_spawned`).
"""

import difflib
import importlib
import importlib.machinery
import importlib.metadata
import os
import sys
import threading
import types
from collections.abc import Iterator, Sequence

from ms_compat._core import homes
from ms_compat._core.diagnostics import tracebacks
from ms_compat._names import api_index, hints, inner, metadata, numpy_names, resolve
from ms_compat._names.resolve import answers_for_itself, completed, module_exists

NAME = "mindspore"
_PACKAGE = __name__.partition(".")[0]
_SPAWNED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_spawned")
_lock = threading.RLock()


class _Loader:
    """Loads a module of ms_compat under its MindSpore name."""

    def __init__(self, real: str) -> None:
        self.real = real

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = completed(importlib.import_module(self.real))
        self._enter_below()
        homes.rename_imported()
        self.spec = module.__spec__
        return module

    def _enter_below(self) -> None:
        """Enter the modules that came along. Imported later, they would be set over functions of the same name."""
        for name in list(sys.modules):  # in one step, as other threads import, too
            theirs = NAME + name.removeprefix(_PACKAGE)
            if name.startswith(self.real + ".") and "._" not in name and _is_mindspores(theirs):
                sys.modules.setdefault(theirs, completed(sys.modules[name]))

    def exec_module(self, module: types.ModuleType) -> None:
        # The import system has just written the alias's spec into the module; reload and pickle need its own.
        module.__spec__ = self.spec


class _Finder:
    """Finds `mindspore` and all below it, and nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != NAME and not fullname.startswith(NAME + "."):
            return None
        real = _PACKAGE + fullname.removeprefix(NAME)
        if not module_exists(real) or not _is_mindspores(fullname):
            raise ModuleNotFoundError(_explain(fullname), name=fullname)
        return importlib.machinery.ModuleSpec(fullname, _Loader(real))  # type: ignore[arg-type]

    def find_distributions(
        self, context: importlib.metadata.DistributionFinder.Context | None = None
    ) -> Iterator[importlib.metadata.Distribution]:
        """Find the distribution "mindspore", for `importlib.metadata`."""
        if metadata.asked_for(context.name if context is not None else None):
            yield metadata.Answering()


def _is_mindspores(fullname: str) -> bool:
    """Whether MindSpore has a module of this path, or it is one of ours that programs may import beside MindSpore's.

    Our packages have further modules, such as `nn.container`, under names that MindSpore gives to nothing.
    """
    if fullname in api_index.modules() or fullname in inner.paths():
        return True
    below = fullname.split(".")[1:]
    return not below or below[0] in _OURS or any(name.startswith("_") for name in below)


def _explain(fullname: str) -> str:
    told = hints.find(fullname)
    known = api_index.known(fullname)
    kind = "ms_compat does not support this module" if known else "MindSpore 2.10 has no such module"
    modules = [name for name in api_index.modules() if module_exists(_PACKAGE + name.removeprefix(NAME))]
    close = difflib.get_close_matches(fullname, [*modules, *inner.paths()], 1, 0.7)
    nearest = f" The nearest is '{close[0]}'." if close else ""
    if told:
        nearest = f" {told}"
    return f"No module named '{fullname}'. {kind} (ms_compat answers 'import mindspore' here).{nearest}"


class _Callable(types.ModuleType):
    """Lets `ms_compat.install()` work beside `ms_compat.install.install()`."""

    def __call__(self) -> None:
        install()


_OURS = frozenset({"cli", "install", "interop", "pytest"})
_finder = _Finder()
sys.modules[__name__].__class__ = _Callable


def install() -> None:
    """Makes `import mindspore` return ms_compat, from now on and in the whole process.

    Such programs are written for NumPy 1, as MindSpore needs it: under NumPy 2 the names it removed (`np.float_`,
    `np.product`) come back, and NumPy's scalars print as numbers. `importlib.metadata.version("mindspore")` answers,
    and `PIL.Image` is there after `import PIL`, as after importing MindSpore. Uncaught errors leave out the frames of
    ms_compat and JAX.

    Installing twice is the same as once. `ms_compat.install()` is short for `ms_compat.install.install()`.

    Raises:
        ImportError: if the real MindSpore is imported already; the two cannot share a name.

    >>> install()
    >>> import mindspore.context
    >>> import ms_compat
    >>> mindspore.context is ms_compat.context
    True
    >>> uninstall()
    """
    with _lock:
        present = sys.modules.get(NAME)
        if present is not None and present.__name__ != _PACKAGE:
            raise ImportError(
                f"The real MindSpore is imported already ({getattr(present, '__file__', None)}). "
                "Call ms_compat.install.install() before the first 'import mindspore'."
            )
        tracebacks.hide_frames()
        if _finder in sys.meta_path:
            return
        _put_inner_modules()
        numpy_names.put_back()
        metadata.serve_pillow()
        sys.meta_path.insert(0, _finder)
        homes.rename_from_now_on()
        sys.path.insert(1, _SPAWNED)  # behind the script's directory, where scripts look for themselves


def _put_inner_modules() -> None:
    for path in inner.paths():
        if not answers_for_itself(_PACKAGE + path.removeprefix(NAME)):
            sys.modules[path] = resolve.inner_module(path)  # type: ignore[assignment]
        elif (ours := sys.modules.get(_PACKAGE + path.removeprefix(NAME))) is not None:
            completed(ours)


def uninstall() -> None:
    """Undoes `install`: the next `import mindspore` looks for the real one. Modules imported before keep working."""
    with _lock:
        if _finder not in sys.meta_path:
            return
        sys.meta_path.remove(_finder)
        homes.stop()
        tracebacks.show_frames()
        numpy_names.take_away()
        metadata.take_pillow_away()
        _take_path_away()
        _take_modules_away()
        importlib.invalidate_caches()


def _take_path_away() -> None:
    sys.path[:] = [path for path in sys.path if path != _SPAWNED]


def _take_modules_away() -> None:
    for name in [name for name in sys.modules if name == NAME or name.startswith(NAME + ".")]:
        del sys.modules[name]


def load_ipython_extension(shell: object) -> None:
    """`%load_ext ms_compat` in a notebook: the same as `install()`."""
    install()


def unload_ipython_extension(shell: object) -> None:
    """`%unload_ext ms_compat`: the same as `uninstall()`."""
    uninstall()
