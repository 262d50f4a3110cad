"""What makes compiling cheaper, which is most of the time of many tests.

With the flags XLA optimizes programs as little as it can, so values differ from those of users in their last digits.
`share_contexts` lets JAX write many programs with one of MLIR's contexts, where it makes one for each.
"""

import functools
import mmap
import os
import pathlib
import threading

import jaxlib

FLAGS = (
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
    "--xla_cpu_use_fusion_emitters=false",
    "--xla_cpu_parallel_codegen_split_count=1",
)


def known(flags=FLAGS):
    """Those of the flags that this jaxlib has: XLA ends the process that names another.

    A flag's name stands there between zeros; one that was given up may remain inside of longer texts.
    """
    library = next(pathlib.Path(jaxlib.__file__).parent.glob("libjax_common.*"), None)
    if library is None:
        return ()
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return tuple(flag for flag in flags if text.find(b"\0%s\0" % flag[2:].partition("=")[0].encode()) >= 0)


def flags(*others):
    """`XLA_FLAGS` of this process, those that optimize little, and others."""
    return " ".join(dict.fromkeys([*os.environ.get("XLA_FLAGS", "").split(), *known(), *others]))


def environment():
    return {"XLA_FLAGS": flags()}


PROGRAMS = 64  # that one context serves: it keeps the types, places and constants of all of them


class _Contexts(threading.local):
    """The context of a thread, and how many programs it may still serve."""

    def __init__(self):
        self.context, self.left = None, 0

    def take(self, make):
        if not self.left:
            self.context, self.left = make(), PROGRAMS
        self.left -= 1
        return self.context


def share_contexts():
    """Make a context for every 64 programs of a thread: each takes 5 ms, and writing a small program 2 ms."""
    from jax._src.interpreters import mlir

    make = getattr(mlir, "make_ir_context", None)
    if make is not None and not hasattr(make, "__wrapped__"):
        contexts = _Contexts()
        mlir.make_ir_context = functools.wraps(make)(lambda: contexts.take(make))
