"""`CustomOpBuilder`: compiles C++ that uses MindSpore's classes for operators, and imports it as a module."""

from __future__ import annotations

import concurrent.futures
import importlib
import importlib.machinery
import importlib.util
import json
import logging
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from typing import Any, NoReturn

from ms_compat._core.errors import UnsupportedError, check_bool, check_one_of, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.settings.context import PYNATIVE_MODE, get_context

_logger = logging.getLogger("ms_compat")
_API = "CustomOpBuilder"
_INCLUDE = pathlib.Path(__file__).parent / "include"
_AOT = '\'ops.Custom("file.cc:Name", out_shape, out_dtype, "aot")\' calls a function of C++ in compiled functions too.'
_OPTIONS = ("build_dir", "debug_mode", "enable_asdsip", "enable_atb", "op_def", "op_doc")
_loaded: dict[str, Operators] = {}


@faces("ops")
class CustomOpBuilder:
    """Operators on the CPU in C++ with MindSpore's header "ms_extension/api.h", for PYNATIVE_MODE.

    The header here has `ms::Tensor`, `ms::pynative::PyboostRunner`, `PYBOOST_CALLER`, `ms::ones`, `ms::zeros`,
    `ms::tensor`, `MS_LOG` and `MS_EXCEPTION`. It does not have MindSpore's inner functions, nor kernels for Ascend. The
    C++ binds its functions with pybind11 in `PYBIND11_MODULE(MS_EXTENSION_NAME, m)`.

    An operator runs at once, and its result has no gradient; write one as the `bprop` of a Cell that calls the
    operator. What C++ writes to an argument is seen in the Tensor after the call. A function compiled by
    `mindspore.jit` that calls an operator runs as Python.

    Args:
        name: the module's name.
        sources: paths of the C++ files.
        backend: "CPU" or None. "Ascend" is not served.
        include_paths: folders of more headers.
        cflags: more flags for the compiler, in one str.
        ldflags: more flags for the linker, in one str.
        **kwargs: `build_dir`, the folder for what is compiled. It is a folder of the module's name in
            `MS_COMPILER_CACHE_PATH` or "kernel_meta" by default. `debug_mode=True` compiles for a debugger.
            `enable_atb`, `enable_asdsip`, `op_def` and `op_doc` are for Ascend and for MindSpore's compiler.

    Raises:
        TypeError: an argument has a wrong type.
        ValueError: `backend` is neither "CPU" nor "Ascend", or it is "CPU" with `enable_atb` or `enable_asdsip`.
        UnsupportedError: `backend` is "Ascend", or `op_def` is given. In `build`: g++ or pybind11 is not installed.
        RuntimeError: in `build`, the sources do not compile.

    >>> from ms_compat import ops
    >>> ops.CustomOpBuilder("adders", "adders.cpp", backend="CPU").get_sources()
    ['adders.cpp']
    """

    def __init__(self, name, sources, backend=None, include_paths=None, cflags=None, ldflags=None, **kwargs):
        self.name = check_type(_API, "name", name, str)
        self.source = _paths("sources", sources) or []
        self.backend = _text("backend", backend)
        if backend is not None:
            check_one_of(_API, "backend", backend, ("CPU", "Ascend"))
        self.include_paths = _paths("include_paths", include_paths)
        self.cflags, self.ldflags = _text("cflags", cflags), _text("ldflags", ldflags)
        self.build_dir = _text("build_dir", kwargs.get("build_dir"))
        self.debug_mode = check_bool(_API, "debug_mode", kwargs.get("debug_mode", False))
        self.yaml, self.doc = (_paths(option, kwargs.get(option)) for option in ("op_def", "op_doc"))
        self.enable_atb, self.enable_asdsip = (
            check_bool(_API, option, kwargs.get(option, False)) for option in ("enable_atb", "enable_asdsip")
        )
        if backend == "CPU" and (self.enable_atb or self.enable_asdsip):
            option = "enable_atb" if self.enable_atb else "enable_asdsip"
            raise ValueError(f"For '{_API}', '{option}' is for the backend 'Ascend', but the 'backend' is 'CPU'.")
        if unknown := sorted(set(kwargs) - set(_OPTIONS)):
            _logger.debug("CustomOpBuilder: %s have no effect", unknown)
        if backend == "Ascend" or self.enable_atb or self.enable_asdsip:
            _refuse("the backend 'Ascend'", f"Write the operator for the CPU. {_AOT}")
        if self.yaml is not None:
            _refuse("'op_def', which defines operators for MindSpore's compiler,", _AOT)

    # -- what a subclass may replace -----------------------------------------------------------------------------------
    def get_sources(self) -> list[str]:
        """Returns the paths of the C++ files."""
        return self.source

    def get_include_paths(self) -> list[str]:
        """Returns the folders with headers: `include_paths`, then the ones in this package and in pybind11.

        Raises:
            UnsupportedError: pybind11 is not installed.
        """
        return [*(self.include_paths or []), str(_INCLUDE), _pybind11()]

    def get_cflags(self) -> list[str]:
        """Returns the compiler's flags."""
        flags = [f"-DMS_EXTENSION_NAME={self.name}", "-std=c++17", "-fPIC", "-fvisibility=hidden"]
        flags.append("-g" if self.debug_mode else "-O2")
        return flags if self.cflags is None else [*flags, self.cflags]

    def get_ldflags(self) -> list[str]:
        """Returns the linker's flags."""
        flags = ["-shared"] if self.debug_mode else ["-shared", "-s"]
        if sys.platform == "darwin":
            flags = ["-shared", "-undefined", "dynamic_lookup"]
        return flags if self.ldflags is None else [*flags, self.ldflags]

    def build(self) -> str:
        """Compile the sources, unless they, the headers and the flags are the same as last time.

        Returns:
            The path of the library.

        Raises:
            UnsupportedError: g++ or pybind11 is not installed.
            RuntimeError: a source does not exist or does not compile; the message is the compiler's.
        """
        found = self.get_sources()
        sources = [os.path.abspath(path) for path in ([found] if isinstance(found, str) else found)]
        headers = [os.path.abspath(path.strip()) for path in self.get_include_paths()]
        headers.append(sysconfig.get_path("include", scheme="posix_prefix"))
        flags = [*_split(self.get_cflags()), *(f"-I{path}" for path in headers)]
        return _build(self.name, self._folder(), sources, flags, _split(self.get_ldflags()))

    def load(self) -> Operators:
        """Build and import the module. A module of this name that is imported already is returned as it is.

        Returns:
            The module; its functions are attributes.

        Raises:
            UnsupportedError, RuntimeError: as `build` says.
            ImportError: the library cannot be imported.
        """
        if self.name not in _loaded:
            _loaded[self.name] = Operators(_imported(self.build()))
        return _loaded[self.name]

    def _folder(self) -> pathlib.Path:
        root = os.environ.get("MS_COMPILER_CACHE_PATH", "./kernel_meta")
        place = pathlib.Path(os.path.realpath(self.build_dir or os.path.join(root, self.name)))
        place.mkdir(parents=True, exist_ok=True)
        return place


class Operators:
    """The functions that C++ has bound. In GRAPH_MODE they can be had only if they were used before."""

    def __init__(self, module: Any):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        is_pynative = get_context("mode") == PYNATIVE_MODE
        if name.startswith("__") or (is_pynative and not hasattr(self._module, name)):
            raise AttributeError(f"The C++ module has no function '{name}'.", name=name, obj=self)
        if not is_pynative:
            raise AttributeError(f"The operator '{name}' of C++ works in PYNATIVE_MODE. {_AOT}", name=name, obj=self)
        self.__dict__[name] = found = getattr(self._module, name)
        return found


def _refuse(what: str, way_out: str) -> NoReturn:
    raise UnsupportedError(f"'mindspore.ops.{_API}' does not serve {what} here. {way_out}")


def _text(argument: str, value: Any) -> str | None:
    return value if value is None else check_type(_API, argument, value, str)


def _paths(argument: str, value: Any) -> list[str] | None:
    """A path or a sequence of paths as a list; None for None."""
    if value is None or isinstance(value, str):
        return None if value is None else [value]
    for path in check_type(_API, argument, value, (list, tuple)):
        if not isinstance(path, str):
            raise type_error(_API, argument, "a str or a list of str", path)
    return list(value)


def _split(flags: list[str]) -> list[str]:
    return [word for flag in flags for word in shlex.split(flag)]


def _pybind11() -> str:
    try:
        return importlib.import_module("pybind11").get_include()
    except ImportError:
        raise UnsupportedError(
            f"'mindspore.ops.{_API}' needs the headers of pybind11. Install them: pip install 'ms-compat[cpp]', or "
            f"pip install pybind11. {_AOT}"
        ) from None


def _imported(path: str) -> Any:
    name = pathlib.Path(path).stem
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    loader.exec_module(module)
    sys.modules[name] = module
    return module


# -- compiling -------------------------------------------------------------------------------------------------------
def _build(name: str, folder: pathlib.Path, sources: list[str], cflags: list[str], ldflags: list[str]) -> str:
    """The path of the library, compiled if it is not there as these arguments and the files make it.

    A file beside the library says by which command and from which files it was made.
    """
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        _refuse("a machine without the compiler g++", "Install g++, or compute with mindspore.ops.")
    target, record = folder / f"{name}.so", folder / f"{name}.json"
    command = [compiler, *cflags, *ldflags, *sources]
    if target.exists() and record.exists():
        made = json.loads(record.read_text("utf-8"))
        if made["command"] == command and made["files"] == _states(made["files"]):
            return str(target)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        objects = [os.path.join(place, f"{i}.o") for i in range(len(sources))]
        commands = [
            [compiler, *cflags, "-MMD", "-MF", f"{made}.d", "-c", source, "-o", made]
            for source, made in zip(sources, objects, strict=True)
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for _ in pool.map(lambda words: _run(name, words), commands):
                pass
        library = os.path.join(place, target.name)
        _run(name, [compiler, *objects, *ldflags, "-o", library])
        files = {path for made in objects for path in _dependencies(f"{made}.d")}
        os.replace(library, target)  # at once, as other processes may be loading it
        made = os.path.join(place, record.name)
        pathlib.Path(made).write_text(json.dumps({"command": command, "files": _states(files)}), "utf-8")
        os.replace(made, record)
    return str(target)


def _run(name: str, command: list[str]) -> None:
    _logger.debug("running %s", shlex.join(command))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(
            f"Error building extension '{name}': {done.stdout}{done.stderr}\nThe header \"ms_extension/api.h\" "
            f"here has what the description of '{_API}' lists, and not MindSpore's inner functions. {_AOT}"
        )


def _dependencies(path: str) -> list[str]:
    """The files that a rule of make, as the compiler wrote it, says."""
    return shlex.split(pathlib.Path(path).read_text("utf-8").replace("\\\n", " ").partition(": ")[2])


def _states(files: Any) -> dict[str, list[int]]:
    """When each file was changed and how long it is."""
    found = {}
    for path in sorted(files):
        state = os.stat(path) if os.path.exists(path) else None
        found[path] = [state.st_mtime_ns, state.st_size] if state else []
    return found
