"""Flags with which XLA optimizes programs as little as it can: compiling is most of the time of many tests.

The last digits of values differ from those of users' programs.
"""

import mmap
import os
import pathlib

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
