"""Candidate sampling: classes drawn at random for a sampled softmax."""

from __future__ import annotations

import logging

import jax
import jax.numpy as jnp

from ms_compat._core.checks import check_integers
from ms_compat._core.dispatch import random
from ms_compat._core.dtype import int64
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import integer
from ms_compat.ops.function.random.draws import draw_anew

_log = logging.getLogger("ms_compat")


@random.random_op(static=("num_sampled", "unique", "range_max"), name="UniformCandidateSampler")
def _uniform(key, true_classes, num_sampled, unique, range_max):
    if unique:
        drawn = jax.random.permutation(key, range_max)[:num_sampled]
    else:
        drawn = jax.random.randint(key, (num_sampled,), 0, range_max)
    expected = jnp.float32(num_sampled / range_max)
    drawn = drawn.astype(true_classes.dtype)
    return drawn, jnp.full(true_classes.shape, expected), jnp.full((num_sampled,), expected)


@faces(
    "ops",
    primitive="UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed=0, "
    "remove_accidental_hits=False)(true_classes)",
)
def uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=0, remove_accidental_hits=False
):
    """Classes drawn evenly from [0, range_max), and how often each class is expected among them.

    Args:
        true_classes: the target classes, integer [batch, num_true].
        num_true, num_sampled, range_max (int): numbers of targets, draws and classes.
        unique (bool): no class is drawn twice.
        seed (int): operation-level seed, with which the draws are the same at every call.
        remove_accidental_hits (bool): accepted as on MindSpore, whose CPU kernel keeps the hits, too.

    Returns:
        A tuple of the drawn classes [num_sampled] in the dtype of `true_classes`, and two Float32: the expected counts
        of the targets and the drawn classes.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong shape, or more unique classes than there are.
    """
    api = "UniformCandidateSampler"
    for name, value in (("num_true", num_true), ("num_sampled", num_sampled), ("range_max", range_max)):
        integer(api, name, value, 1)
    check_type(api, "true_classes", true_classes, Tensor)
    check_integers(api, "true_classes", true_classes)
    if len(true_classes.shape) != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{api}', the 'true_classes' must be [batch, {num_true}], but got {true_classes.shape}.")
    if unique and num_sampled > range_max:
        raise ValueError(
            f"For '{api}', the value of num_sampled should be <= value of range_max: {range_max}, got {num_sampled}."
        )
    if remove_accidental_hits:
        _log.debug("UniformCandidateSampler: accidental hits are kept")
    given = (true_classes, num_sampled, unique, range_max)
    return draw_anew(_uniform, api, seed, *given) if seed else _uniform(*given)


def _share(classes, range_max):
    """The probability of a class k: log((k + 2) / (k + 1)) / log(range_max + 1), so lower ones are more frequent."""
    k = classes.astype(jnp.float32)
    return (jnp.log((k + 2) / (k + 1)) / jnp.log(jnp.float32(range_max + 1))).astype(jnp.float32)


@random.random_op(static=("num_sampled", "unique", "range_max"), name="LogUniformCandidateSampler")
def _log_uniform(key, true_classes, num_sampled, unique, range_max):
    key, other = jax.random.split(key)
    share = _share(jnp.arange(range_max), range_max)
    if unique:
        # Gumbel's trick draws without replacement; the draws that hit a class again are geometric in what is left.
        order = jax.lax.top_k(jnp.log(share) + jax.random.gumbel(key, (range_max,)), num_sampled)[1]
        left = 1 - jnp.cumsum(share[order])[:-1]
        tries = 1 + jnp.sum(jax.random.geometric(other, jnp.clip(left, 1e-7, 1.0)))
    else:
        order = jax.random.categorical(key, jnp.log(share), shape=(num_sampled,))
        tries = num_sampled

    def expected(classes):
        p = _share(classes, range_max)
        return (-jnp.expm1(tries * jnp.log1p(-p)) if unique else p * num_sampled).astype(jnp.float32)

    return order.astype(true_classes.dtype), expected(true_classes), expected(order)


@faces("ops")
def log_uniform_candidate_sampler(true_classes, num_true=1, num_sampled=5, unique=True, range_max=5, seed=0):
    """Classes drawn from [0, range_max), lower ones oftener, and how often each class is expected among them.

    The probability of class k is log((k + 2) / (k + 1)) / log(range_max + 1): Zipf's law for classes in the order of
    their frequency.

    Args:
        true_classes: the target classes, Int64 [batch, num_true].
        num_true, num_sampled, range_max (int): numbers of targets, draws and classes.
        unique (bool): no class is drawn twice; the expected counts then follow from the number of tries.
        seed (int): operation-level seed; the draws are the same at every call, those without one, too.

    Returns:
        As `uniform_candidate_sampler`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong shape, or more unique classes than there are.

    >>> import ms_compat as ms
    >>> drawn, expected, _ = ms.ops.log_uniform_candidate_sampler(ms.Tensor([[1], [2]]), 1, 3, True, 5)
    >>> drawn.shape, expected.shape
    ((3,), (2, 1))
    """
    api = "LogUniformCandidateSampler"
    for name, value in (("num_true", num_true), ("num_sampled", num_sampled), ("range_max", range_max)):
        integer(api, name, value, 1)
    check_bool(api, "unique", unique)
    integer(api, "seed", seed, 0)
    if not isinstance(true_classes, Tensor) or true_classes.dtype is not int64:
        raise TypeError(f"For '{api}', the 'true_classes' must be a Tensor of Int64, but got {true_classes!r:.80}.")
    if len(true_classes.shape) != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{api}', the 'true_classes' must be [batch, {num_true}], but got {true_classes.shape}.")
    if unique and num_sampled > range_max:
        raise ValueError(f"For '{api}', the 'range_max' must be >= num_sampled ({num_sampled}), but got {range_max}.")
    return draw_anew(_log_uniform, api, seed, true_classes, num_sampled, unique, range_max)
