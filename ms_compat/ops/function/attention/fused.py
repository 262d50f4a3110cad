"""Attention by the fused kernels that come with JAX: cuDNN's on NVIDIA GPUs, Pallas' splash attention on TPUs.

They compute what `scaled_dot_product.attend` does where nothing but a band says which keys a query sees, and hold no
scores in memory, forward or backward. Whether one serves a call is known when it is traced (`served`); where none does,
the scores of some queries at a time are computed. `MS_COMPAT_FUSED_ATTENTION=0` leaves them out.

Gradients are the kernels' own; gradients of these, which no kernel has, are those of the plain formula. Both kernels
are `jax.custom_vjp`, so forward mode takes the formula, too.
"""

from __future__ import annotations

import contextlib
import functools
import os
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import device, distribution, jax_compat, state
from ms_compat.ops.function.attention import scaled_dot_product as core

_FEW = 2**20  # scores of all heads, below which holding them costs nothing that counts
_LANES = 128  # what the TPU's kernel cuts sequences by
_BLOCKS = (512, 256, 128)
_HEAD = 128  # the largest size of a head that all of cuDNN's GPUs serve


class Band(NamedTuple):
    """Which keys each query sees: from its place + `shift` - `before` to its place + `shift` + `behind`.

    None is no limit.
    """

    shift: int = 0
    before: int | None = None
    behind: int | None = None

    def rows(self, start: Any, count: int, keys: int) -> Any:
        """Bool [count, keys] of some queries; None for all."""
        if self.before is None and self.behind is None:
            return None
        ahead = jnp.arange(keys) - (start + jnp.arange(count))[:, None] - self.shift
        seen = None if self.behind is None else ahead <= self.behind
        if self.before is not None:
            seen = -ahead <= self.before if seen is None else seen & (-ahead <= self.before)
        return seen

    def sees_some(self, queries: int, keys: int) -> bool:
        """Whether every query sees a key; the kernels give no zeros to those that see none."""
        first = self.behind is None or self.shift + self.behind >= 0
        last = self.before is None or queries - 1 + self.shift - self.before <= keys - 1
        both = self.before is None or self.behind is None or self.before + self.behind >= 0
        return first and last and both


def band_of(mode: int, mask: Any, before: int, behind: int, sizes: tuple[int, int]) -> Band | None:
    """The band of a `sparse_mode`, as `scaled_dot_product.visible` has it; None where more than a band counts."""
    if mode == 0 and mask is None:
        return Band()
    if mode == 2:
        return Band(0, None, 0)
    shift = sizes[1] - sizes[0]
    if mode == 3:
        return Band(shift, None, 0)
    if mode == 4:
        limits = [None if limit >= core.EVERYTHING else limit for limit in (before, behind)]
        return Band(shift, *limits)
    return None


class _How:
    """What a call asks of a kernel; one object for each call.

    Attributes:
        pull: the structure of the kernel's pullback, of which `_run` returns the arrays.
    """

    def __init__(self, kernel: str, scale: float, band: Band, interpreted: bool):
        self.kernel = kernel
        self.scale = scale
        self.band = band
        self.interpreted = interpreted
        self.pull: Any = None


def served(query: Any, key: Any, value: Any, band: Band | None) -> str | None:
    """Which kernel serves a call, "cudnn" or "splash"; None if none does.

    Args:
        query: [B, N1, S1, D].
        key, value: [B, N2, S2, D]; N2 divides N1.
        band: what queries see; None for something else than a band.
    """
    if band is None or os.environ.get("MS_COMPAT_FUSED_ATTENTION", "") == "0":
        return None
    platform = device.platform()
    (batch, heads, rows, size), columns = query.shape, key.shape[2]
    if platform == "cpu" or value.shape != key.shape or batch * heads * rows * columns < _FEW:
        return None
    scope = state.current_scope() if state.tracing else None
    if (scope is not None and scope.forward_mode) or not band.sees_some(rows, columns):
        return None
    if platform == "gpu":
        half = query.dtype in (jnp.bfloat16, np.float16)
        own = band == Band() or (rows == columns and band.shift == 0 and band.behind == 0)
        fits = half and own and size % 8 == 0 and size <= _HEAD
        return "cudnn" if fits and distribution.settings() is None and device.has_cudnn_attention() else None
    fits = query.dtype == jnp.bfloat16 and not (rows % _LANES or columns % _LANES or size % 64)
    # a kernel of Pallas is a program for one chip; XLA cannot cut it
    return "splash" if platform == "tpu" and fits and len(device.everywhere()) == 1 else None


def attend(kernel: str, query: Any, key: Any, value: Any, scale: float, band: Band, interpreted: bool = False) -> Any:
    """Softmax(scale * Q K^T) V over a band, [B, N1, S1, D] in the dtype of the query, by a kernel that serves it.

    Args:
        kernel: "cudnn" or "splash".
        query, key, value: as for `served`.
        scale: a float.
        band: what queries see.
        interpreted: run Pallas' kernel as operations of JAX, on any device.
    """
    return _attend(query, key, value, _How(kernel, float(scale), band, interpreted))


def _cudnn(query: Any, key: Any, value: Any, how: _How) -> Any:
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (query, key, value))
    causal = how.band.behind == 0
    window = None if how.band.before is None else (how.band.before, 0)
    with jax_compat.with_cudnn() if device.is_planned() else contextlib.nullcontext():
        out = jax.nn.dot_product_attention(
            q, k, v, scale=how.scale, is_causal=causal, local_window_size=window, implementation="cudnn"
        )
    return out.transpose(0, 2, 1, 3)


def _splash(query: Any, key: Any, value: Any, how: _How) -> Any:
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as kernels
    from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks

    (_, heads, rows, _), columns = query.shape, key.shape[2]
    band, shape = how.band, (rows, columns)
    if band == Band():
        mask: Any = masks.FullMask(shape)
    elif band.before is None and band.behind == 0:
        mask = masks.CausalMask(shape, band.shift)
    else:
        mask = masks.LocalMask(shape, (band.before, band.behind), band.shift)
    own, other = (next(b for b in _BLOCKS if n % b == 0) for n in shape)
    blocks = kernels.BlockSizes(
        block_q=own, block_kv=other, block_kv_compute=other, block_q_dkv=own, block_kv_dkv=other,
        block_kv_dkv_compute=other, block_q_dq=own, block_kv_dq=other,
    )  # fmt: skip
    run = kernels.make_splash_mha(
        masks.MultiHeadMask([mask] * heads), block_sizes=blocks, head_shards=1, q_seq_shards=1,
        interpret=how.interpreted,
    )  # fmt: skip
    return jax.vmap(run)((query * how.scale).astype(query.dtype), key, value)


def _kernel(query: Any, key: Any, value: Any, how: _How) -> Any:
    return (_cudnn if how.kernel == "cudnn" else _splash)(query, key, value, how)


def _plain(query: Any, key: Any, value: Any, how: _How) -> Any:
    seen = functools.partial(how.band.rows, keys=key.shape[2])
    return core.attend(query, key, value, how.scale, seen).out.astype(query.dtype)


# The kernels have gradients, which have none: each step of the gradient is a rule of its own, whose gradient is that of
# the formula.
@functools.partial(jax.custom_vjp, nondiff_argnums=(3,))
def _attend(query: Any, key: Any, value: Any, how: _How) -> Any:
    with jax.enable_x64(False):  # kernels of Pallas know no types of 64 bits
        return _kernel(query, key, value, how)


def _attend_forward(query: Any, key: Any, value: Any, how: _How) -> Any:
    out, kept = _run(query, key, value, how)
    return out, (kept, query, key, value)


def _attend_backward(how: _How, kept: Any, cotangent: Any) -> Any:
    return _pulled(*kept, cotangent, how)


_attend.defvjp(_attend_forward, _attend_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(3,))
def _run(query: Any, key: Any, value: Any, how: _How) -> Any:
    """The output, and what the kernel's pullback keeps."""
    with jax.enable_x64(False):
        out, pull = jax.vjp(lambda q, k, v: _kernel(q, k, v, how), query, key, value)
    kept, how.pull = jax.tree.flatten(pull)
    return out, kept


def _run_forward(query: Any, key: Any, value: Any, how: _How) -> Any:
    return _run(query, key, value, how), (query, key, value)


def _run_backward(how: _How, inputs: Any, cotangents: Any) -> Any:
    return jax.vjp(lambda q, k, v: _plain(q, k, v, how), *inputs)[1](cotangents[0])


_run.defvjp(_run_forward, _run_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(5,))
def _pulled(kept: Any, query: Any, key: Any, value: Any, cotangent: Any, how: _How) -> Any:
    with jax.enable_x64(False):
        return jax.tree.unflatten(how.pull, kept)(cotangent)


def _pulled_forward(kept: Any, query: Any, key: Any, value: Any, cotangent: Any, how: _How) -> Any:
    return _pulled(kept, query, key, value, cotangent, how), (query, key, value, cotangent)


def _pulled_backward(how: _How, inputs: Any, cotangents: Any) -> Any:
    def gradients(query: Any, key: Any, value: Any, cotangent: Any) -> Any:
        return jax.vjp(lambda q, k, v: _plain(q, k, v, how), query, key, value)[1](cotangent)

    return None, *jax.vjp(gradients, *inputs)[1](cotangents)


_pulled.defvjp(_pulled_forward, _pulled_backward)
