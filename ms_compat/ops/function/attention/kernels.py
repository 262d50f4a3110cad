"""The fused kernels of attention that come with JAX: cuDNN's on NVIDIA GPUs, Pallas' splash attention on TPUs.

They compute what `scaled_dot_product.attend` does where nothing but a band says which keys a query sees, and hold no
scores in memory, forward or backward. Gradients are the kernels' own; gradients of these, which no kernel has, are
the plain formula's. Both kernels are `jax.custom_vjp`, so forward mode takes the formula, too.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import jax

from ms_compat._core import jax_compat
from ms_compat._core.settings import device
from ms_compat.ops.function.attention import pieces
from ms_compat.ops.function.attention import scaled_dot_product as core
from ms_compat.ops.function.attention.bands import Band

_BLOCKS = (512, 256, 128)


class _How:
    """A call's requirements for a kernel; one object for each call.

    Attributes:
        several: whether it may span several devices.
        lying: the layout of the queries, where it is known.
        planned: whether these devices are absent here.
        pull: the structure of the kernel's pullback, of which `_run` returns the arrays.
    """

    def __init__(self, kernel: str, scale: float, band: Band, interpreted: bool, lying: Any, alone: bool):
        self.kernel = kernel
        self.scale = scale
        self.band = band
        self.interpreted = interpreted
        self.several = not alone and len(device.everywhere()) > 1
        self.lying = lying
        self.planned = device.is_planned()
        self.pull: Any = None


def attend(
    kernel: str, query: Any, key: Any, value: Any, scale: float, band: Band, interpreted: bool = False,
    lying: Any = None, alone: bool = False,
) -> Any:  # fmt: skip
    """Softmax(scale * Q K^T) V over a band, [B, N1, S1, D] in the dtype of the query, by a kernel that serves it.

    Args:
        kernel: "cudnn" or "splash"; `fused` selects it.
        query: [B, N1, S1, D].
        key, value: [B, N2, S2, D]; N2 divides N1.
        scale: a float.
        band: what queries see.
        interpreted: run Pallas' kernel as operations of JAX, on any device.
        lying: the layout of the queries over several devices, where it is known.
        alone: one device computes, however many there are.
    """
    return _attend(query, key, value, _How(kernel, float(scale), band, interpreted, lying, alone))


def _cudnn(query: Any, key: Any, value: Any, how: _How) -> Any:
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (query, key, value))
    causal = how.band.behind == 0
    window = None if how.band.before is None else (how.band.before, 0)
    with jax_compat.with_cudnn() if how.planned else contextlib.nullcontext():
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


def plain(query: Any, key: Any, value: Any, scale: float, band: Band) -> Any:
    """The same by the formula."""
    seen = functools.partial(band.rows, keys=key.shape[2])
    return core.attend(query, key, value, scale, seen).out.astype(query.dtype)


def _plain_gradients(how: _How, cotangent: Any, *inputs: Any) -> Any:
    return jax.vjp(lambda q, k, v: plain(q, k, v, how.scale, how.band), *inputs)[1](cotangent)


def _letters(how: _How, query: Any, key: Any, value: Any) -> list[str]:
    """The letters of the kernel pullback's residuals (`pieces`), from the sizes that change with each letter's number.

    An array without "b" depends on no input: it is one of the kernel's tables.
    """

    def kept(samples: int, heads: int) -> list[tuple[int, ...]]:
        shapes = [
            jax.ShapeDtypeStruct((samples * x.shape[0], heads * x.shape[1], *x.shape[2:]), x.dtype)
            for x in (query, key, value)
        ]
        return [x.shape for x in jax.eval_shape(lambda *qkv: _linearized(how, *qkv)[1], *shapes)]

    def letter(size: int, more_samples: int, more_heads: int) -> str:
        if more_heads != size:
            return "n" if size == query.shape[1] else "k"
        return "." if more_samples == size else "b"

    found = zip(kept(1, 1), kept(2, 1), kept(1, 2), strict=True)
    return ["".join(letter(*sizes) for sizes in zip(*shapes, strict=True)) for shapes in found]


def _linearized(how: _How, query: Any, key: Any, value: Any) -> tuple[Any, list, Any]:
    """The output, the pullback's residuals, and its structure."""
    with jax.enable_x64(False):  # Pallas kernels have no 64-bit types
        out, pull = jax.vjp(lambda q, k, v: _kernel(q, k, v, how), query, key, value)
    return out, *jax.tree.flatten(pull)


def _called(how: _How, query: Any, key: Any, value: Any) -> tuple:
    with jax.enable_x64(False):
        return (_kernel(query, key, value, how),)


def _pieces(how: _How, query: Any, key: Any, value: Any) -> tuple[list[str], list[str], list[bool]]:
    """The letters of queries, keys and values, the letters of residuals that depend on them, and a mask of these."""
    every = _letters(how, query, key, value)
    return letters_of(query, key), [x for x in every if "b" in x], ["b" in x for x in every]


def letters_of(query: Any, key: Any) -> list[str]:
    """The letters of queries, keys and values."""
    keys = "bnt." if query.shape[1] == key.shape[1] else "bkt."
    return ["bns.", keys, keys]


# The kernels' gradients have no gradients: each gradient step is a rule of its own, whose gradient is
# the formula's.
@functools.partial(jax.custom_vjp, nondiff_argnums=(3,))
def _attend(query: Any, key: Any, value: Any, how: _How) -> Any:
    if not how.several:
        return _called(how, query, key, value)[0]
    call = functools.partial(_called, how)
    return pieces.by_pieces(call, letters_of(query, key), ["bns."], query, key, value, lying=how.lying)[0]


def _attend_forward(query: Any, key: Any, value: Any, how: _How) -> Any:
    out, kept = _run(query, key, value, how)
    return out, (kept, query, key, value)


def _attend_backward(how: _How, kept: Any, cotangent: Any) -> Any:
    return _pulled(*kept, cotangent, how)


_attend.defvjp(_attend_forward, _attend_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(3,))
def _run(query: Any, key: Any, value: Any, how: _How) -> Any:
    """The output, and the kernel pullback's residuals."""
    if not how.several:
        out, kept, how.pull = _linearized(how, query, key, value)
        return out, kept
    inputs, results, is_kept = _pieces(how, query, key, value)

    def forward(*qkv: Any) -> tuple:
        out, kept, _ = _linearized(how, *qkv)
        return out, *[x for x, yes in zip(kept, is_kept, strict=True) if yes]

    out, *kept = pieces.by_pieces(forward, inputs, ["bns.", *results], query, key, value, lying=how.lying)
    return out, kept


def _run_forward(query: Any, key: Any, value: Any, how: _How) -> Any:
    return _run(query, key, value, how), (query, key, value)


def _run_backward(how: _How, inputs: Any, cotangents: Any) -> Any:
    return _plain_gradients(how, cotangents[0], *inputs)


_run.defvjp(_run_forward, _run_backward)


@functools.partial(jax.custom_vjp, nondiff_argnums=(5,))
def _pulled(kept: Any, query: Any, key: Any, value: Any, cotangent: Any, how: _How) -> Any:
    if not how.several:
        with jax.enable_x64(False):
            return jax.tree.unflatten(how.pull, kept)(cotangent)
    inputs, letters, is_kept = _pieces(how, query, key, value)

    def backward(query: Any, key: Any, value: Any, cotangent: Any, *kept: Any) -> tuple:
        # the kernel's tables are made again; XLA drops the rest of its recomputation, which is unused
        _, every, pull = _linearized(how, query, key, value)
        given = iter(kept)
        every = [next(given) if yes else x for x, yes in zip(every, is_kept, strict=True)]
        with jax.enable_x64(False):
            return tuple(jax.tree.unflatten(pull, every)(cotangent))

    return tuple(pieces.by_pieces(
        backward, [*inputs, "bns.", *letters], inputs, query, key, value, cotangent, *kept, lying=how.lying
    ))  # fmt: skip


def _pulled_forward(kept: Any, query: Any, key: Any, value: Any, cotangent: Any, how: _How) -> Any:
    return _pulled(kept, query, key, value, cotangent, how), (query, key, value, cotangent)


def _pulled_backward(how: _How, inputs: Any, cotangents: Any) -> Any:
    *qkv, cotangent = inputs
    of_cotangent, *of_qkv = jax.vjp(functools.partial(_plain_gradients, how), cotangent, *qkv)[1](cotangents)
    return None, *of_qkv, of_cotangent


_pulled.defvjp(_pulled_forward, _pulled_backward)
