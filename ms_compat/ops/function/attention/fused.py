"""The only entry to the fused attention kernels: it selects the kernel that serves a call, if any.

Tracing a call selects its kernel; where none serves, the scores of some queries at a time are computed.
A table lists each kernel's requirements; the kernel must also pass a trial on the current device. All attention
operations come here. `MS_COMPAT_FUSED_ATTENTION=0` disables the kernels.
"""

from __future__ import annotations

import os
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.parallel import spmd
from ms_compat._core.settings import device
from ms_compat._core.trace import scopes
from ms_compat.ops.function.attention import kernels, pieces, trial
from ms_compat.ops.function.attention.bands import Band

_FEW = 2**20  # scores of all heads, below which the cost of holding them is negligible
_LANES = 128  # what the TPU's kernel cuts sequences by
_HEAD = 128  # the largest head size that all of cuDNN's GPUs serve


def attend(query: Any, key: Any, value: Any, scale: float, band: Band | None, lying: Any = None) -> Any:
    """Softmax(scale * Q K^T) V over a band, [B, N1, S1, D] in the dtype of the query; None where no kernel serves.

    Args:
        query: [B, N1, S1, D].
        key, value: [B, N2, S2, D]; N2 divides N1.
        scale: a float.
        band: what queries see; None for something else than a band.
        lying: the layout of the queries over several devices, where the script gives one.
    """
    kernel = _serving(query, key, value, band)
    own: list[Any] | None = [query, key]
    if kernel == "splash" and len(device.everywhere()) > 1:  # the TPU compiler does not query array layouts
        lying = lying or spmd.batch_cut(query)
        own = lying and pieces.shapes_of_pieces(kernels.letters_of(query, key), lying, query, key, value)
    if kernel is None or band is None or not own:
        return None
    if not (device.is_planned() or trial.passed(kernel, own[0], own[1], scale, band)):
        return None
    return kernels.attend(kernel, query, key, value, scale, band, lying=lying if kernel == "splash" else None)


def _serving(query: Any, key: Any, value: Any, band: Band | None) -> str | None:
    platform = device.platform()
    (batch, heads, rows, size), columns = query.shape, key.shape[2]
    if platform == "cpu" or value.shape != key.shape or batch * heads * rows * columns < _FEW:
        return None
    if band is None or not band.sees_some(rows, columns) or os.environ.get("MS_COMPAT_FUSED_ATTENTION", "") == "0":
        return None
    scope = scopes.current_scope() if scopes.tracing else None
    if scope is not None and scope.forward_mode:
        return None
    if platform == "gpu":
        half = query.dtype in (jnp.bfloat16, np.float16)
        own = band == Band() or (rows == columns and band.shift == 0 and band.behind == 0)
        fits = half and own and size % 8 == 0 and size <= _HEAD
        return "cudnn" if fits and device.is_ampere_or_later() else None
    fits = query.dtype == jnp.bfloat16 and not (rows % _LANES or columns % _LANES or size % 64)
    return "splash" if platform == "tpu" and fits else None
