"""Candidate sampling: classes drawn at random for a sampled softmax."""

from __future__ import annotations

import logging

import jax
import jax.numpy as jnp

from ms_compat._core import random
from ms_compat._core.op import op
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn_checks import integer

_log = logging.getLogger("ms_compat")


@op(static=("num_sampled", "unique", "range_max"), name="UniformCandidateSampler")
def _uniform(pair, true_classes, num_sampled, unique, range_max):
    key = random.key_of(pair)
    if unique:
        drawn = jax.random.permutation(key, range_max)[:num_sampled]
    else:
        drawn = jax.random.randint(key, (num_sampled,), 0, range_max)
    expected = jnp.float32(num_sampled / range_max)
    drawn = drawn.astype(true_classes.dtype)
    return drawn, jnp.full(true_classes.shape, expected), jnp.full((num_sampled,), expected)


def uniform_candidate_sampler(
    true_classes, num_true, num_sampled, unique, range_max, seed=0, remove_accidental_hits=False
):
    """Classes drawn evenly from [0, range_max), and how often each class is expected among them.

    Args:
        true_classes: the target classes, integer [batch, num_true].
        num_true, num_sampled, range_max (int): numbers of targets, of draws and of classes.
        unique (bool): no class is drawn twice.
        seed (int): kept; draws follow `set_seed`.
        remove_accidental_hits (bool): accepted as on MindSpore, whose CPU kernel keeps the hits, too.

    Returns:
        A tuple of the drawn classes [num_sampled] in the dtype of `true_classes`, and two Float32: the expected counts
        of the targets and of the drawn classes.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong shape, or more unique classes than there are.
    """
    api = "UniformCandidateSampler"
    for name, value in (("num_true", num_true), ("num_sampled", num_sampled), ("range_max", range_max)):
        integer(api, name, value, 1)
    if not isinstance(true_classes, Tensor):
        raise TypeError(f"For '{api}', the 'true_classes' must be a Tensor, but got {type(true_classes).__name__}.")
    if len(true_classes.shape) != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{api}', the 'true_classes' must be [batch, {num_true}], but got {true_classes.shape}.")
    if unique and num_sampled > range_max:
        raise ValueError(
            f"For '{api}', the value of num_sampled should be <= value of range_max: {range_max}, got {num_sampled}."
        )
    if seed or remove_accidental_hits:
        _log.debug("UniformCandidateSampler: draws follow set_seed, and accidental hits are kept")
    return _uniform(random.next_pair(), true_classes, num_sampled, unique, range_max)
