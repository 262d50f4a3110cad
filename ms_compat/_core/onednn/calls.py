"""Calls of oneDNN in JAX's programs."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from ms_compat._core.onednn import library as dnnl
from ms_compat._core.onednn import plans

SWITCH = "MS_COMPAT_ONEDNN"  # "0" turns it off
_TARGET = "ms_compat_onednn"
_F32, _U8 = np.dtype(np.float32), np.dtype(np.uint8)


@functools.cache
def _table() -> plans.Table | None:
    """The plans of this process, and XLA's knowledge of the handler; None without oneDNN."""
    held = dnnl.library()
    if held is None:
        return None
    # llvmlite takes 50 ms.
    from ms_compat._core.onednn.handler import Handler

    table = plans.Table(held)

    @ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
    def missing(row: int) -> int:
        """Make the plan of a program that came from disk."""
        computation = plans.of_row(list((ctypes.c_int64 * plans.GEOMETRY).from_address(row)))
        return table.place(computation)

    handler = Handler(table, ctypes.cast(missing, ctypes.c_void_p).value or 0)
    table.kept = (handler, missing)
    jax.ffi.register_ffi_target(_TARGET, jax.ffi.pycapsule(handler.address), platform="cpu")
    return table


def call(computation: plans.Computation, shape: Sequence[int]) -> Callable[[Any, Any], Any] | None:
    """A function of the two inputs, whose result has a shape, by oneDNN; None where it has no kernel."""
    table = _table()
    scratch = None if table is None else table.scratch_bytes(computation)
    if scratch is None:
        return None
    run = jax.ffi.ffi_call(_TARGET, (jax.ShapeDtypeStruct(shape, _F32), jax.ShapeDtypeStruct((scratch,), _U8)))
    row = np.array(computation.row(), np.int64)
    return lambda a, b: run(a, b, geometry=row)[0]


def has_avx512() -> bool:
    """Whether oneDNN has kernels with AVX-512 for this processor."""
    held = dnnl.library()
    return held is not None and held.has_avx512()


def why_not() -> str | None:
    """Why XLA computes all; None if oneDNN computes what it is faster at, or would where it can be loaded."""
    if os.environ.get(SWITCH) == "0":
        return f"{SWITCH} is 0"
    if dnnl.path() is None:
        return "pip install 'ms-compat[onednn]' has oneDNN for x86-64 Linux"
    if _too_few_threads():
        return "OMP_NUM_THREADS leaves most processors idle"
    return None


def _too_few_threads() -> bool:
    """Whether the user gives OpenMP less than half of the processors, which XLA would all use."""
    text = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return text.isdecimal() and 2 * int(text) < len(os.sched_getaffinity(0))
