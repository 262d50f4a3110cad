"""Rules for random bits: the hash Threefry 2x32 of a key and a counter, with 20 rounds, bit by bit as JAX computes it.

A key is an array here: two unsigned integers of 32 bits along a last axis. Salmon, Moraes, Dror and Shaw, "Parallel
Random Numbers: As Easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np

from ms_compat._core.compiled.interpreter.rules import Equation, Step, rule

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)
_BLOCK = 1 << 13  # counters that are hashed together: they stay in a core's cache
_NANOSECONDS_A_COUNTER = 25.0
_MOST_KEPT = 1 << 24  # bytes

# The latest bits, by their key, size and width: the pullback of a dropout draws what its forward pass has drawn.
_kept: dict[tuple[bytes, int, int], np.ndarray] = {}


def _keep(name: tuple[bytes, int, int], bits: np.ndarray) -> None:
    """Keep bits for the next draw of the same, and let go of the oldest beyond `_MOST_KEPT`."""
    _kept[name] = bits
    over = sum([other.nbytes for other in list(_kept.values())]) - _MOST_KEPT
    for oldest in list(_kept):
        if over <= 0:
            break
        gone = _kept.pop(oldest, None)
        over -= 0 if gone is None else gone.nbytes


def _hash(key: Any, left: Any, right: Any) -> None:
    """Replace counters of 64 bits, whose halves are in two arrays, by their hashes."""
    keys = key[0], key[1], key[0] ^ key[1] ^ _PARITY
    shifted = np.empty_like(right)
    left += keys[0]
    right += keys[1]
    for turn in range(5):
        for rotation in _ROTATIONS[turn % 2]:
            left += right
            np.right_shift(right, np.uint32(32 - rotation), out=shifted)
            np.left_shift(right, np.uint32(rotation), out=right)
            right |= shifted
            right ^= left
        left += keys[(turn + 1) % 3]
        right += keys[(turn + 2) % 3] + np.uint32(turn + 1)


@rule("random_seed")
def _seed(eqn: Equation) -> Step | None:
    dtype = eqn.dtype
    if eqn.ins[0].shape or dtype.kind not in "iu":
        return None
    mask = (1 << 8 * dtype.itemsize) - 1

    def seeded(seed: Any) -> Any:
        number = int(seed) & mask
        return np.array([number >> 32, number & 0xFFFFFFFF], np.uint32)

    return seeded


@rule("random_fold_in")
def _fold_in(eqn: Equation) -> Step | None:
    if len(eqn.ins[0].shape) != 1 or eqn.ins[1].shape:
        return None

    def folded(key: Any, number: Any) -> Any:
        out = np.array([[0], [int(number) & 0xFFFFFFFF]], np.uint32)
        _hash(key, out[0], out[1])
        return out[:, 0]

    return folded


@rule("random_wrap", "random_unwrap")
def _wrap(eqn: Equation) -> Step | None:
    return lambda key: key


@rule("random_bits")
def _bits(eqn: Equation) -> Step | None:
    shape, width = eqn.params["shape"], eqn.params["bit_width"]
    if len(eqn.ins[0].shape) != 1 or not jax.config.jax_threefry_partitionable:  # type: ignore[attr-defined]
        return None
    size, dtype = math.prod(shape), np.dtype(f"uint{width}")
    eqn.cost += _NANOSECONDS_A_COUNTER * size

    def drawn(key: Any) -> Any:
        name = key.tobytes(), size, width
        out = _kept.pop(name, None)
        if out is None:
            out = hashed(key)
            _keep(name, out)
        return out.reshape(shape)  # a view, which nobody takes for memory of their own

    def hashed(key: Any) -> np.ndarray:
        out = np.empty(size, dtype)
        for start in range(0, size, _BLOCK):
            block = out[start : start + _BLOCK]
            counters = np.arange(start, start + len(block), dtype=np.uint64)
            left, right = (counters >> np.uint64(32)).astype(np.uint32), counters.astype(np.uint32)
            _hash(key, left, right)
            if width == 64:
                block[:] = left.astype(np.uint64) << np.uint64(32) | right
            else:
                block[:] = left ^ right  # the low bits of narrower ones
        return out

    return drawn
