"""oneDNN's shared library by ctypes: engines, memory descriptors, primitives. Names follow its C API 3."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata, util
from typing import Any

logger = logging.getLogger("ms_compat")

_DISTRIBUTION = "onednn-cpu-gomp"
_FILE = "libdnnl.so.3"
_Pointer = ctypes.c_void_p

# enums of dnnl_types.h and dnnl_common_types.h
FLOAT32, ANY = 3, 1
FORWARD_TRAINING, CONVOLUTION_DIRECT = 64, 1
SOURCE, DESTINATION, WEIGHTS, SCRATCHPAD = 1, 17, 33, 80
GRADIENT_OF_SOURCE, GRADIENT_OF_DESTINATION, GRADIENT_OF_WEIGHTS = 129, 145, 161
QUERY_SCRATCHPAD, QUERY_IMPLEMENTATION = 136, 8
AVX512 = 32  # the bit in `dnnl_cpu_isa_t`
QUERY = {
    SOURCE: 129, GRADIENT_OF_SOURCE: 130, WEIGHTS: 131, GRADIENT_OF_WEIGHTS: 132, DESTINATION: 133,
    GRADIENT_OF_DESTINATION: 134,
}  # fmt: skip


class RefusedError(Exception):
    """oneDNN has no kernel for these arguments."""


@functools.cache
def path() -> str | None:
    """The library's file, if the package that has it is installed."""
    if sys.platform != "linux" or platform.machine() != "x86_64" or util.find_spec("llvmlite") is None:
        return None
    try:
        files = metadata.files(_DISTRIBUTION) or ()
    except metadata.PackageNotFoundError:
        return None
    return next((os.path.realpath(file.locate()) for file in files if file.name == _FILE), None)


def dims(values: Sequence[int]) -> Any:
    """An array of sizes as oneDNN takes it."""
    return (ctypes.c_int64 * 12)(*values)


class Library:
    """The functions that are used, and one engine for the processor."""

    def __init__(self, file: str) -> None:
        # The threads of libgomp otherwise spin for milliseconds after each kernel, beside XLA's. It reads this once.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        self._held = ctypes.CDLL(file)
        self._held.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self._held.dnnl_primitive_desc_query_md.restype = _Pointer
        self.engine = self.new("engine_create", ctypes.c_int(1), ctypes.c_size_t(0))
        self._attributes = self.new("primitive_attr_create")
        # Each call brings its own scratchpad: oneDNN's belongs to the thread that makes the primitive.
        self._call("primitive_attr_set_scratchpad_mode", self._attributes, ctypes.c_int(1))

    def address(self, name: str) -> int:
        """Where a function is."""
        return ctypes.cast(getattr(self._held, f"dnnl_{name}"), _Pointer).value or 0

    def has_avx512(self) -> bool:
        """Whether the kernels for this processor use AVX-512."""
        return bool(self._held.dnnl_get_effective_cpu_isa() & AVX512)

    def _call(self, name: str, *arguments: Any) -> None:
        given = [_Pointer(item) if isinstance(item, int) else item for item in arguments]
        status = getattr(self._held, f"dnnl_{name}")(*given)
        if status:
            raise RefusedError(f"dnnl_{name} gave status {status}")

    def new(self, name: str, *arguments: Any) -> int:
        """An object that a function makes. Integers are pointers; enums come as ctypes' integers."""
        out = _Pointer()
        self._call(name, ctypes.byref(out), *arguments)
        return out.value or 0

    def descriptor(self, shape: Sequence[int], strides: Sequence[int] | None) -> int:
        """Float32 values of a shape: with strides in elements, or in the layout that a primitive likes."""
        rank, sizes = ctypes.c_int(len(shape)), dims(shape)
        if strides is None:
            return self.new("memory_desc_create_with_tag", rank, sizes, ctypes.c_int(FLOAT32), ctypes.c_int(ANY))
        return self.new("memory_desc_create_with_strides", rank, sizes, ctypes.c_int(FLOAT32), dims(strides))

    def equal(self, one: int, other: int) -> bool:
        return bool(self._held.dnnl_memory_desc_equal(_Pointer(one), _Pointer(other)))

    def size(self, descriptor: int) -> int:
        """The bytes of what a descriptor describes."""
        return self._held.dnnl_memory_desc_get_size(_Pointer(descriptor))

    def queried(self, primitive_descriptor: int, what: int) -> int:
        """A memory descriptor of a primitive; 0 if it has none."""
        found = self._held.dnnl_primitive_desc_query_md(
            _Pointer(primitive_descriptor), ctypes.c_int(what), ctypes.c_int(0)
        )
        return found or 0

    def implementation(self, primitive_descriptor: int) -> str:
        """The name of a primitive's kernel."""
        name = ctypes.c_char_p()
        self._call("primitive_desc_query", primitive_descriptor, ctypes.c_int(QUERY_IMPLEMENTATION), ctypes.c_int(0),
                   ctypes.byref(name))  # fmt: skip
        return (name.value or b"").decode()

    @contextlib.contextmanager
    def threads(self, count: int | None) -> Iterator[None]:
        """Let what this thread makes in the block run in so many threads; None leaves OpenMP's setting."""
        before = self._held.omp_get_max_threads()
        self._held.omp_set_num_threads(ctypes.c_int(count or before))
        try:
            yield
        finally:
            self._held.omp_set_num_threads(ctypes.c_int(before))

    def primitive_descriptor(self, name: str, *arguments: Any) -> int:
        return self.new(f"{name}_primitive_desc_create", self.engine, *arguments, self._attributes)

    def primitive(self, descriptor: int) -> int:
        return self.new("primitive_create", descriptor)

    def reorder(self, source: int, target: int) -> int:
        """A primitive that copies from one layout to another; 0 if they are the same."""
        if self.equal(source, target):
            return 0
        made = self.new("reorder_primitive_desc_create", source, self.engine, target, self.engine, self._attributes)
        scratchpad = self.queried(made, QUERY_SCRATCHPAD)
        if scratchpad and self.size(scratchpad):
            raise RefusedError("a change of the layout needs a scratchpad")
        return self.primitive(made)


@functools.cache
def library() -> Library | None:
    """The library, loaded; None where it is not installed, or cannot be loaded (libgomp may be missing)."""
    found = path()
    if found is None:
        return None
    try:
        return Library(found)
    except OSError as error:
        logger.debug("oneDNN cannot be loaded: %s", error)
        return None
