"""Pairs of seeds for libraries that make a random primitive themselves."""

from __future__ import annotations

import collections
from typing import Any

from ms_compat._core.dispatch import random
from ms_compat._core.settings import seeds

__all__ = ["_get_graph_seed", "_get_seed", "_set_prim_op_user_data"]

# What MindSpore adds at each further call with the same arguments, and the modulus: read off its results.
_STEP, _MODULUS = 533697028, 2**31 - 1
_calls: collections.Counter[tuple[int, str]] = collections.Counter()
seeds.on_set_seed(lambda seed: _calls.clear())


def _get_seed(op_seed: int | None, kernel_name: str) -> tuple[int, int]:
    """A random primitive's pair of seeds: the process's, and its own, which moves on at every call.

    Args:
        op_seed: the primitive's own seed; None means 0, and the pair (0, 0) unless the process has a seed.
        kernel_name: the name that calls are counted under, until the next `set_seed`.

    Raises:
        TypeError: `op_seed` is not an int.
        ValueError: it is negative.

    >>> from ms_compat import set_seed
    >>> set_seed(7)
    >>> _get_seed(5, "dropout"), _get_seed(5, "dropout")
    ((7, 5), (7, 533697033))
    """
    if op_seed is not None and (isinstance(op_seed, bool) or not isinstance(op_seed, int)):
        raise TypeError(f"For '{kernel_name}', the 'seed' must be int, but got {type(op_seed).__name__!r}.")
    if op_seed is not None and op_seed < 0:
        raise ValueError(f"For '{kernel_name}', the 'seed' must be int and must >= 0, but got {op_seed}.")
    whole = random.get_seed()
    if whole is None and op_seed is None:
        return (0, 0)
    key = (op_seed or 0, kernel_name)
    own = (key[0] + _calls[key] * _STEP) % _MODULUS
    _calls[key] += 1
    return ((whole or 0) % _MODULUS, own)


_get_graph_seed = _get_seed


def _set_prim_op_user_data(prim: Any, key: str, value: Any) -> Any:
    """Note something on a primitive; returns it."""
    prim.add_prim_attr(key, value)
    return prim
