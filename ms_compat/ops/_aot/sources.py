"""Compiling C++ with g++, as MindSpore does where an operator names a source file."""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pathlib
import shutil
import subprocess
import tempfile

import jax

from ms_compat._core.errors import UnsupportedError

logger = logging.getLogger("ms_compat")
_HERE = pathlib.Path(__file__).parent
_INCLUDE = _HERE / "include"
_BRIDGE = _HERE / "bridge.cc"
_FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC")
_OLD_STRINGS = "-D_GLIBCXX_USE_CXX11_ABI=0"
_compiled: dict[tuple, str] = {}


def folder() -> pathlib.Path:
    """Where libraries are written: `MS_COMPILER_CACHE_PATH`, or "custom_kernel_meta" of the working directory."""
    place = pathlib.Path(os.environ.get("MS_COMPILER_CACHE_PATH") or "custom_kernel_meta").resolve()
    place.mkdir(parents=True, exist_ok=True)
    return place


def compiler() -> str:
    """The path of g++.

    Raises:
        UnsupportedError: it is not installed.
    """
    found = shutil.which("g++")
    if found is None:
        raise UnsupportedError(
            "'mindspore.ops.Custom' with func_type 'aot' needs the compiler g++, also for a library that is compiled "
            "already. Install g++, or call the library by ctypes in a 'pyfunc'."
        )
    return found


def build(sources: list[str], target: pathlib.Path, flags: list[str]) -> str:
    """Compile and link; the library appears at once, as other processes may be loading it. Returns its path.

    Raises:
        UnsupportedError: g++ is not installed.
        RuntimeError: a source does not compile; the message is the compiler's.
    """
    command = [compiler(), *_FLAGS, *flags]
    with tempfile.TemporaryDirectory(dir=target.parent) as place:
        made = pathlib.Path(place) / target.name
        logger.debug("compiling %s", target.name)
        done = subprocess.run([*command, "-o", str(made), *sources], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"Compilation error in compiling {', '.join(sources)}:\n{done.stdout}{done.stderr}")
        os.replace(made, target)
    return str(target)


def compiled(source: str) -> str:
    """The library of a source file, compiled once in a process, and again when the file has changed.

    Raises:
        UnsupportedError: g++ is not installed.
        RuntimeError: the source does not compile or does not exist.
    """
    try:
        found = os.stat(source)
    except FileNotFoundError:
        raise RuntimeError(f"Compilation error in compiling {source}:\nNo such file or directory.") from None
    key = (source, found.st_mtime_ns, found.st_size, os.getcwd(), os.environ.get("MS_COMPILER_CACHE_PATH"))
    if key not in _compiled:
        digest = hashlib.sha256(repr(key[:3]).encode()).hexdigest()[:12]
        name = os.path.basename(source)
        includes = [f"-I{_INCLUDE}", f"-I{os.path.dirname(source)}"]
        _compiled[key] = build([source], folder() / f"{name}.{digest}.so", [*reversed(includes), _OLD_STRINGS])
    return _compiled[key]


def has_old_strings(library: str) -> bool:
    """Whether a library has the strings of the C++ library before GCC 5, as MindSpore itself does."""
    data = pathlib.Path(library).read_bytes()
    return b"_ZNSs" in data and b"__cxx11" not in data


@functools.cache
def bridge(old_strings: bool) -> str:
    """The path of the compiled bridge.

    Raises:
        UnsupportedError: g++ is not installed.
    """
    include = jax.ffi.include_dir()
    text = _BRIDGE.read_bytes() + (_INCLUDE / "custom_aot_extra.h").read_bytes()
    digest = hashlib.sha256(text + jax.__version__.encode()).hexdigest()[:12]
    target = folder() / f"ms_compat_bridge_{'old' if old_strings else 'new'}.{digest}.so"
    if not target.exists():
        flags = [f"-I{_INCLUDE}", f"-I{include}", *([_OLD_STRINGS] if old_strings else [])]
        build([str(_BRIDGE)], target, flags)
    return str(target)
