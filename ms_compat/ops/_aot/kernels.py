"""Calling the functions of an operator's library, from Python and from XLA's programs.

XLA calls them by the bridge without Python, so that no lock of the interpreter is needed.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.experimental import io_callback

from ms_compat._core.settings import device
from ms_compat.ops._aot import sources

_ROOM = 1024  # of a message
# MindSpore's numbers of dtypes (mindapi/base/type_id.h).
TYPE_IDS = {
    "bool": 30, "int8": 32, "int16": 33, "int32": 34, "int64": 35, "uint8": 37, "uint16": 38, "uint32": 39,
    "uint64": 40, "float16": 42, "float32": 43, "float64": 44, "bfloat16": 45, "complex64": 51, "complex128": 52,
}  # fmt: skip
_NAMES = {number: name for name, number in TYPE_IDS.items()}


class Array(NamedTuple):
    """An input or output: its shape, and its dtype's name."""

    shape: tuple[int, ...]
    dtype: str

    @classmethod
    def from_value(cls, value: Any) -> Array:
        return cls(tuple(value.shape), np.dtype(value.dtype).name)

    def struct(self) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(self.shape, jax.numpy.dtype(self.dtype))


class Attribute(NamedTuple):
    """An attribute as the bridge takes it: `kind` is described there."""

    name: str
    kind: str
    text: str = ""
    rows: tuple[tuple, ...] = ()

    @classmethod
    def from_value(cls, name: str, value: Any) -> Attribute:
        if isinstance(value, str):
            return cls(name, "s", value)
        if (kind := _number_kind([value])) is not None:
            return cls(name, kind, "", ((value,),))
        if isinstance(value, (list, tuple)):
            if not value:
                return cls(name, "E")
            if (kind := _number_kind(value)) in ("i", "f"):
                return cls(name, kind.upper(), "", (tuple(value),))
            if all(isinstance(row, (list, tuple)) for row in value):
                kind = _number_kind([number for row in value for number in row])
                if kind in ("i", "f"):
                    return cls(name, "J" if kind == "i" else "G", "", tuple(tuple(row) for row in value))
        return cls(name, "?")


def _number_kind(values: Sequence[Any]) -> str | None:
    """The kind of numbers that are all of one type; None for others."""
    types = {type(value) for value in values}
    if types == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return "i"
    return {bool: "b", float: "f"}.get(types.pop()) if len(types) == 1 else None


class _Bridge:
    """The compiled bridge; `target` is its name for XLA."""

    def __init__(self, old_strings: bool) -> None:
        self._library = ctypes.CDLL(sources.bridge(old_strings))
        self.target = f"ms_compat_aot_{'old' if old_strings else 'new'}"
        jax.ffi.register_ffi_target(self.target, jax.ffi.pycapsule(self._library.aot_handler), platform="cpu")
        for name in ("aot_kernel", "aot_numbers", "aot_count", "aot_values"):
            getattr(self._library, name).restype = ctypes.c_void_p

    def call(self, name: str, *arguments: Any) -> Any:
        return getattr(self._library, name)(*arguments)

    def new(self, name: str, arrays: Sequence[Array], attributes: Sequence[Attribute]) -> ctypes.c_void_p:
        """A kernel for arrays of these shapes and dtypes; its function is set later."""
        shapes = [(ctypes.c_int64 * len(a.shape))(*a.shape) for a in arrays]
        kernel = ctypes.c_void_p(
            self.call(
                "aot_kernel",
                name.encode(),
                len(arrays),
                (ctypes.c_int * len(arrays))(*[len(a.shape) for a in arrays]),
                (ctypes.POINTER(ctypes.c_int64) * len(arrays))(*[ctypes.cast(s, _INTS) for s in shapes]),
                (ctypes.c_char_p * len(arrays))(*[a.dtype.encode() for a in arrays]),
            )
        )
        for attribute in attributes:
            numbers = [number for row in attribute.rows for number in row]
            floats = attribute.kind in "fFG"
            self.call(
                "aot_attribute",
                kernel,
                attribute.name.encode(),
                ctypes.c_char(attribute.kind.encode()),
                attribute.text.encode(),
                len(attribute.rows),
                (ctypes.c_int64 * len(attribute.rows))(*[len(row) for row in attribute.rows]),
                (ctypes.c_int64 * len(numbers))(*([0] * len(numbers) if floats else numbers)),
                (ctypes.c_float * len(numbers))(*(numbers if floats else [0] * len(numbers))),
            )
        return kernel


_INTS = ctypes.POINTER(ctypes.c_int64)
_bridge = functools.cache(_Bridge)
_lock = threading.Lock()
_kernels: dict[tuple, Kernel] = {}


class Library:
    """A shared library of functions.

    Args:
        path: its path.

    Raises:
        RuntimeError: the file does not exist, or is not a shared library.
        UnsupportedError: g++ is not installed.
    """

    def __init__(self, path: str) -> None:
        self.path = os.path.realpath(path)
        if not os.path.exists(self.path):
            raise RuntimeError(f"For 'Custom', the library '{path}' does not exist.")
        try:
            self._library = ctypes.CDLL(self.path)
        except OSError as error:
            raise RuntimeError(f"For 'Custom', the library '{path}' cannot be loaded: {error}") from None
        found = os.stat(self.path)
        self.identity = (self.path, found.st_mtime_ns, found.st_size)
        self.bridge = _bridge(sources.has_old_strings(self.path))

    def address(self, name: str) -> int | None:
        """The address of a function; None if there is none of that name."""
        try:
            return ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value
        except AttributeError:
            return None

    def infer_shapes(self, name: str, inputs: list[Array], attributes: list[Attribute], several: bool) -> list[tuple]:
        """The outputs' shapes that the function `<name>InferShape` returns.

        Raises:
            RuntimeError: the function does not exist, or throws.
        """
        numbers = self._infer(name, "InferShape", inputs, attributes, int(several))
        shapes = []
        for _ in range(numbers.pop(0)):
            rank = numbers.pop(0)
            shapes.append(tuple(numbers[:rank]))
            del numbers[:rank]
        if any(size < 0 for shape in shapes for size in shape):
            raise RuntimeError(f"For 'Custom', the function '{name}InferShape' returned a negative size: {shapes}.")
        return shapes

    def infer_dtypes(self, name: str, inputs: list[Array], attributes: list[Attribute], several: bool) -> list[str]:
        """The names of the outputs' dtypes that the function `<name>InferType` returns.

        Raises:
            RuntimeError: the function does not exist, or throws.
            TypeError: it returns a number that is not a dtype's.
        """
        types = (ctypes.c_int * len(inputs))(*[TYPE_IDS.get(a.dtype, 0) for a in inputs])
        numbers = self._infer(name, "InferType", inputs, attributes, int(several), types)
        if not all(number in _NAMES for number in numbers):
            raise TypeError(f"For 'Custom', the function '{name}InferType' returned {numbers}, which are not dtypes.")
        return [_NAMES[number] for number in numbers]

    def _infer(self, name: str, what: str, inputs: list, attributes: list, *arguments: Any) -> list[int]:
        function = self.address(name + what)
        if function is None:
            raise RuntimeError(
                f"For 'Custom', the library '{self.path}' has no function '{name}{what}'. Write it, or say "
                f"'out_{'shape' if what == 'InferShape' else 'dtype'}'."
            )
        call = "aot_infer_shape" if what == "InferShape" else "aot_infer_type"
        kernel = self.bridge.new(name, inputs, attributes)
        numbers = ctypes.c_void_p(self.bridge.call("aot_numbers"))
        message = ctypes.create_string_buffer(_ROOM)
        try:
            given = (kernel, ctypes.c_void_p(function), *arguments, numbers, message, ctypes.c_size_t(_ROOM))
            if self.bridge.call(call, *given) != 0:
                raise RuntimeError(f"For 'Custom', the function '{name}{what}' failed: {_text(message)}")
            count = self.bridge.call("aot_count", numbers) or 0
            return list(ctypes.cast(self.bridge.call("aot_values", numbers), _INTS)[:count])
        finally:
            self.bridge.call("aot_drop_numbers", numbers)
            self.bridge.call("aot_drop", kernel)

    def kernel(self, name: str, inputs: list[Array], outputs: list[Array], attributes: list[Attribute]) -> Kernel:
        """The function for arrays and attributes; the same one for the same arguments.

        Raises:
            RuntimeError: the function does not exist, or the function `<name>Init` throws or does not return 0.
        """
        key = (self.identity, name, tuple(inputs), tuple(outputs), tuple(attributes))
        with _lock:
            if (found := _kernels.get(key)) is None:
                found = _kernels[key] = Kernel(self, name, inputs, outputs, attributes, repr(key))
        return found


def _text(message: Any) -> str:
    return message.value.decode(errors="replace")


class Kernel:
    """A function of a library, for inputs and outputs of certain shapes and dtypes, and for attributes.

    It lives as long as the process, as XLA's programs may call it. A call waits for the one before: the function may
    keep data of its own.
    """

    def __init__(
        self,
        library: Library,
        name: str,
        inputs: list[Array],
        outputs: list[Array],
        attributes: list[Attribute],
        identity: str,
    ) -> None:
        function = library.address(name)
        if function is None:
            raise RuntimeError(f"For 'Custom', the library '{library.path}' has no function '{name}'.")
        self._library, self._name, self._outputs = library, name, outputs
        bridge = library.bridge
        self._held = bridge.new(name, [*inputs, *outputs], attributes)
        try:
            self._open(function)
        except BaseException:
            bridge.call("aot_drop", self._held)
            raise
        # A program that comes from disk has the number that the kernel had in the process that compiled it.
        digest = hashlib.blake2b(identity.encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "little", signed=True)
        bridge.call("aot_register", self._held, ctypes.c_int64(number))
        structs = [a.struct() for a in outputs]
        by_xla = jax.ffi.ffi_call(bridge.target, structs, has_side_effect=not outputs, vmap_method="sequential")

        def run(*arrays: Any) -> list:
            if device.platform() == "cpu":
                return list(by_xla(*arrays, number=np.int64(number)))
            if not outputs:  # a program leaves out a pure callback whose results nobody reads
                return list(io_callback(self.on_host, structs, *arrays))
            return list(jax.pure_callback(self.on_host, structs, *arrays, vmap_method="sequential"))

        self.run: Callable[..., list] = jax.jit(run)

    def _open(self, function: int) -> None:
        """Give the kernel its function, and run the function `<name>Init`, if there is one."""
        code, message = ctypes.c_int(0), ctypes.create_string_buffer(_ROOM)
        init = ctypes.c_void_p(self._library.address(f"{self._name}Init"))
        given = (self._held, ctypes.c_void_p(function), init, ctypes.byref(code), message, ctypes.c_size_t(_ROOM))
        if self._library.bridge.call("aot_open", *given) != 0:
            raise RuntimeError(f"For 'Custom', the function '{self._name}Init' failed: {_text(message)}")
        _check_code(f"{self._name}Init", code.value)

    def on_host(self, *arrays: Any) -> list[np.ndarray]:
        """Run the function on numpy arrays.

        Raises:
            RuntimeError: it throws, or does not return 0.
        """
        inputs = [np.ascontiguousarray(a) for a in arrays]
        results = [np.empty(a.shape, a.struct().dtype) for a in self._outputs]
        params = (ctypes.c_void_p * (len(inputs) + len(results)))(*[a.ctypes.data for a in (*inputs, *results)])
        code, message = ctypes.c_int(0), ctypes.create_string_buffer(_ROOM)
        given = (self._held, len(params), params, ctypes.byref(code), message, ctypes.c_size_t(_ROOM))
        if self._library.bridge.call("aot_run", *given) != 0:
            raise RuntimeError(f"For 'Custom', the function '{self._name}' failed: {_text(message)}")
        _check_code(self._name, code.value)
        return results


def _check_code(name: str, code: int) -> None:
    if code != 0:
        raise RuntimeError(f"For 'Custom', the function '{name}' returned {code}, and only 0 means success.")
