"""How a pool's functions reach the workers.

cloudpickle sends functions and classes of the program by value, with the globals that they use, so lambdas, local
functions and what the program has set at run time arrive as they are. Nothing of the program is imported in a worker,
unless it has something that cannot be pickled: then modules are sent by name. Large arrays, such as a dataset in
memory, are written once into memory that all workers map.
"""

import collections
import contextlib
import io
import logging
import mmap
import os
import pickle
import site
import struct
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any

import cloudpickle

from ms_compat.dataset._processes import channel

_COUNT = struct.Struct("<Q")
_ALIGNMENT = 64


class CannotSend(Exception):
    """The functions cannot be pickled, or a worker cannot load them."""


def _libraries() -> tuple[str, ...]:
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folders = [ours, *sysconfig.get_paths().values(), *site.getsitepackages(), site.getusersitepackages()]
    inside = [folder for folder in folders if folder not in (sys.prefix, sys.base_prefix, os.path.sep)]
    return tuple(os.path.join(os.path.abspath(folder), "") for folder in inside)


def program_modules() -> list[types.ModuleType]:
    """The modules of the user's program: neither Python's, nor a library's, nor ours."""
    libraries, found = _libraries(), []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name == "__main__" or not isinstance(module, types.ModuleType) or not isinstance(file, str):
            continue
        if module.__name__ == name and not os.path.abspath(file).startswith(libraries):
            found.append(module)
    return found


@contextlib.contextmanager
def _by_value(modules: list[types.ModuleType]) -> Iterator[None]:
    known = cloudpickle.list_registry_pickle_by_value()
    added = [module for module in modules if module.__name__ not in known]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


def _code(code: types.CodeType) -> Any:
    """Pickles code with its file's name, which cloudpickle leaves out: tracebacks show the user's lines."""
    make, args = cloudpickle.Pickler.dispatch_table[types.CodeType](code)
    return make, tuple([code.co_filename if isinstance(arg, str) and arg == "<dynamic-code>" else arg for arg in args])


class _Pickler(cloudpickle.Pickler):
    dispatch_table = collections.ChainMap({types.CodeType: _code}, cloudpickle.Pickler.dispatch_table)


def _pickled(program: Any) -> tuple[bytes, list[pickle.PickleBuffer]]:
    buffers: list[pickle.PickleBuffer] = []

    def outside(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < channel.LARGE:
            return True
        buffers.append(buffer)
        return False

    file = io.BytesIO()
    _Pickler(file, protocol=5, buffer_callback=outside).dump(program)
    return file.getvalue(), buffers


def written(program: Any) -> int:
    """A descriptor of memory that contains the pickled object.

    Raises:
        CannotSend: it cannot be pickled.
    """
    try:
        with _by_value(program_modules()):
            data, buffers = _pickled(program)
    except Exception as by_value:  # of any kind: it comes from the objects' own methods
        try:
            data, buffers = _pickled(program)
        except Exception as error:
            raise CannotSend(f"{type(error).__name__}: {error}") from error
        logging.getLogger("ms_compat").debug("Functions are sent to workers by their module's name: %s", by_value)
    parts = [memoryview(data), *(buffer.raw() for buffer in buffers)]
    places, size = [], _COUNT.size * (1 + len(parts))
    for part in parts:
        size = -(-size // _ALIGNMENT) * _ALIGNMENT
        places.append(size)
        size += part.nbytes
    descriptor = channel.anonymous_file(size)
    with mmap.mmap(descriptor, size) as memory:
        memory[: _COUNT.size * (1 + len(parts))] = b"".join(
            _COUNT.pack(number) for number in (len(parts), *(part.nbytes for part in parts))
        )
        for place, part in zip(places, parts, strict=True):
            memory[place : place + part.nbytes] = part
    return descriptor


def read(descriptor: int) -> Any:
    """The object that `written` put into the memory; what a worker writes into its arrays, only that worker sees."""
    memory = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY))
    (count,) = _COUNT.unpack_from(memory, 0)
    parts, place = [], _COUNT.size * (1 + count)
    for k in range(count):
        (size,) = _COUNT.unpack_from(memory, _COUNT.size * (1 + k))
        place = -(-place // _ALIGNMENT) * _ALIGNMENT
        parts.append(memory[place : place + size])
        place += size
    return pickle.loads(parts[0], buffers=parts[1:])
