"""Generated primitives that draw numbers; see `primitives.py`.

They take a seed and an offset, which the caller gets from a `Generator`, and are functions of the two: the key is the
one that the random stream has at (seed, counter). So the same pair draws the same numbers, other numbers than on
MindSpore. Arguments that say nothing but where to compute are accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import key_of
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import write_barrier


def _key(seed: Any, offset: Any) -> Any:
    pair = [jnp.asarray(value).reshape(-1)[0].astype(jnp.int64) & 0xFFFFFFFF for value in (seed, offset)]
    return key_of([value.astype(jnp.uint32) for value in pair])


@op(static=("shape", "dtype"))
def _uniform(seed, offset, low, high, shape, dtype):
    wide = jnp.float64 if dtype == "float64" else jnp.float32
    drawn = jax.random.uniform(_key(seed, offset), shape, wide)
    return (low + drawn * (high - low)).astype(dtype)


@op(static=("shape", "dtype"))
def _normal(seed, offset, mean, std, shape, dtype):
    wide = jnp.float64 if dtype == "float64" else jnp.float32
    return (mean + std * jax.random.normal(_key(seed, offset), shape, wide)).astype(dtype)


@op(static=("shape", "dtype"))
def _integers(seed, offset, low, high, shape, dtype):
    low, high = (jnp.asarray(value, jnp.int64) for value in (low, high))
    return jax.random.randint(_key(seed, offset), shape, low, high, dtype=jnp.int64).astype(dtype)


@op(static=("n", "dtype"))
def _permutation(seed, offset, n, dtype):
    return jax.random.permutation(_key(seed, offset), n).astype(dtype)


@op(static=("dtype",))
def _bernoulli(seed, offset, p, dtype):
    return (jax.random.uniform(_key(seed, offset), p.shape) < p).astype(dtype)


@op(static=("rate", "shape", "dtype"))
def _mask(seed, offset, rate, shape, dtype):
    return jax.random.bernoulli(_key(seed, offset), 1 - rate, shape).astype(dtype)


@op(static=("rate",))
def _masked(x, mask, rate):
    return jnp.zeros_like(x) if rate >= 1 else (x * mask.astype(x.dtype) / (1 - rate)).astype(x.dtype)


@op(static=("count", "replacement"))
def _multinomial(seed, offset, p, count, replacement):
    logits = jnp.log(p)
    if replacement:
        drawn = jax.random.categorical(_key(seed, offset), logits, shape=(count, *p.shape[:-1]))
        return jnp.moveaxis(drawn, 0, -1).astype(jnp.int64)
    noise = jax.random.gumbel(_key(seed, offset), p.shape, logits.dtype)
    return jax.lax.top_k(logits + noise, count)[1].astype(jnp.int64)


@op(static=("shape", "dtype"))
def _exponential(seed, offset, rate, shape, dtype):
    return (jax.random.exponential(_key(seed, offset), shape) / rate).astype(dtype)


def _end(dtype: Any) -> int:
    """One more than the largest integer that a type holds exactly."""
    if dtype in mstype.float_type:
        return 2 ** (jnp.finfo(dtype.np_dtype).nmant + 1)
    return int(jnp.iinfo(dtype.np_dtype).max)


def _name(dtype: Any, default: Any) -> str:
    return str((dtype or default).np_dtype)


def _size(size: Any) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else tuple([int(n) for n in size])


def _dropout(input: Any, p: float, seed: Any, offset: Any) -> tuple[Tensor, Tensor]:
    mask = _mask(seed, offset, float(p), input.shape, "bool")
    return _masked(input, mask, float(p)), mask


def _fill(target: Any, drawn: Any) -> Tensor:
    write_barrier.assign(target, drawn._v, drawn._node)
    return target


def _normal_of(mean: Any, std: Any, seed: Any, offset: Any) -> Tensor:
    shape = jnp.broadcast_shapes(*[getattr(value, "shape", ()) for value in (mean, std)])
    given = mean if isinstance(mean, Tensor) else std
    return _normal(seed, offset, mean, std, shape, _name(given.dtype, None))


RANDOM: dict[str, Callable] = {
    "BernoulliExt": lambda input, seed, offset: _bernoulli(seed, offset, input, _name(input.dtype, None)),
    "DropoutExt": _dropout,
    "DropoutGenMaskExt": lambda shape, p, seed, offset, dtype: _mask(seed, offset, float(p), _size(shape), "bool"),
    "DropoutDoMaskExt": lambda input, mask, p: _masked(input, mask, float(p)),
    "DropoutGradExt": lambda input, mask, p: _masked(input, mask, float(p)),
    "InplaceExponential": lambda input, lambd, seed, offset: _fill(
        input, _exponential(seed, offset, lambd, input.shape, _name(input.dtype, None))
    ),
    "InplaceRandom": lambda input, from_=0, to=None, seed=0, offset=0: _fill(
        input,
        _integers(seed, offset, from_, _end(input.dtype) if to is None else to, input.shape, _name(input.dtype, None)),
    ),
    "InplaceNormal": lambda input, mean, std, seed, offset: _fill(
        input, _normal(seed, offset, mean, std, input.shape, _name(input.dtype, None))
    ),
    "InplaceUniform": lambda input, from_, to, seed, offset: _fill(
        input, _uniform(seed, offset, from_, to, input.shape, _name(input.dtype, None))
    ),
    "MultinomialExt": lambda input, num_samples, replacement, seed, offset: _multinomial(
        seed, offset, input, num_samples, replacement
    ),
    "NormalFloatFloat": lambda mean, std, size, seed, offset: _normal(
        seed, offset, float(mean), float(std), _size(size), "float32"
    ),
    "NormalFloatTensor": _normal_of,
    "NormalTensorFloat": _normal_of,
    "NormalTensorTensor": _normal_of,
    "RandExt": lambda shape, seed, offset, dtype=None, device=None: _uniform(
        seed, offset, 0.0, 1.0, _size(shape), _name(dtype, mstype.float32)
    ),
    "RandInt": lambda low, high, shape, seed, offset, dtype=None, device=None: _integers(
        seed, offset, low, high, _size(shape), _name(dtype, mstype.int64)
    ),
    "RandIntLike": lambda input, low, high, seed, offset, dtype=None, device=None: _integers(
        seed, offset, low, high, input.shape, _name(dtype, input.dtype)
    ),
    "RandLikeExt": lambda tensor, seed, offset, dtype=None, device=None: _uniform(
        seed, offset, 0.0, 1.0, tensor.shape, _name(dtype, tensor.dtype)
    ),
    "Randn": lambda shape, seed, offset, dtype=None, device=None: _normal(
        seed, offset, 0.0, 1.0, _size(shape), _name(dtype, mstype.float32)
    ),
    "RandnLike": lambda input, seed, offset, dtype=None, device=None: _normal(
        seed, offset, 0.0, 1.0, input.shape, _name(dtype, input.dtype)
    ),
    "RandpermExt": lambda n, seed, offset, dtype=mstype.int64: _permutation(seed, offset, n, _name(dtype, None)),
    "UniformExt": lambda tensor, a, b, seed, offset: _uniform(
        seed, offset, a, b, tensor.shape, _name(tensor.dtype, None)
    ),
}
