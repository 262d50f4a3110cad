"""The numbers of initializers: MindSpore's own, a function of one 63-bit seed that numpy's global generator gives.

MindSpore fills a weight from the counter-based generator Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers:
as easy as 1, 2, 3") with the seed both as the key and as the upper half of the counter, so `np.random.seed(k)` or
`set_seed(k)` before the same network gives the same weights here and there. Uniform and normal numbers are equal bit
for bit, truncated ones to one unit in the last place. An array is drawn in blocks that fit a processor's cache, by
several threads if it is large; what a block holds depends on its place alone.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

_BLOCK = 1 << 15  # numbers drawn at a time; the ten rounds hold six arrays of _BLOCK / 4 uint64 (384 KiB)
_THREADS_FROM = 1 << 18  # numbers from which threads pay: 256 K are 5 ms
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIERS = np.array([[0xD2511F53], [0xCD9E8D57]], np.uint64)
# what is added to the two halves of the key before each of the ten rounds
_KEY_STEPS = np.array([0x9E3779B9, 0xBB67AE85], np.uint64) * np.arange(10, dtype=np.uint64)[:, None]
_TURN = 2 * float(np.uint32(0x40490FDA).view(np.float32))  # MindSpore's pi is the float32 below pi

Transform = Callable[[np.ndarray], np.ndarray]


def next_seed() -> int:
    """The seed of the next draw, from numpy's global generator as in MindSpore; `np.random.seed` repeats it."""
    return int(np.random.randint(1, 1 << 63, dtype=np.int64))


def _words(seed: int, first: int, count: int) -> np.ndarray:
    """`count` 32-bit words from `seed`'s stream, starting at word number `first`, a multiple of 4."""
    blocks = -(-count // 4)
    halves = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64)
    numbers = np.arange(first // 4, first // 4 + blocks, dtype=np.uint64)
    # The four lanes of a block: rows of `factors` are multiplied, rows of `others` mixed in.
    factors, others = np.empty((2, blocks), np.uint64), np.empty((2, blocks), np.uint64)
    np.bitwise_and(numbers, _LOW, out=factors[0])
    np.right_shift(numbers, _HALF, out=others[0])
    factors[1], others[1] = halves
    products = np.empty_like(factors)
    for key in ((halves + _KEY_STEPS) & _LOW)[:, :, None]:
        np.multiply(factors, _MULTIPLIERS, out=products)
        np.right_shift(products[::-1], _HALF, out=factors)
        factors ^= others
        factors ^= key
        np.bitwise_and(products[::-1], _LOW, out=others)
    words = np.empty((blocks, 2, 2), np.uint32)
    words[:, :, 0] = factors.T
    words[:, :, 1] = others.T
    return words.reshape(-1)[:count]


def _fill(seed: int, shape: tuple[int, ...], transform: Transform) -> np.ndarray:
    """A float32 array of `transform(words)`, block by block."""
    out = np.empty(math.prod(shape), np.float32)

    def block(start: int) -> None:
        # Normal numbers come in pairs, so an odd rest is drawn with one word more.
        size = min(_BLOCK, out.size - start)
        out[start : start + size] = transform(_words(seed, start, size + size % 2))[:size]

    starts = range(0, out.size, _BLOCK)
    if out.size < _THREADS_FROM:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(block, starts))
    return out.reshape(shape)


def _single(*values: float) -> list[float]:
    return [float(np.float32(value)) for value in values]


def _fractions(words: np.ndarray) -> np.ndarray:
    """Words as numbers in [0, 1)."""
    return words * 2.0**-32


def uniform(seed: int, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    """Numbers of the uniform distribution on [low, high]."""
    low, high = _single(low, high)
    return _fill(seed, shape, lambda words: _fractions(words) * (high - low) + low)


def normal(seed: int, shape: tuple[int, ...], mean: float, sigma: float) -> np.ndarray:
    """Numbers of a normal distribution, by the method of Box and Muller.

    Raises:
        ValueError: `sigma` is negative.
    """
    _check_sigma(sigma)
    mean, sigma = _single(mean, sigma)

    def transform(words: np.ndarray) -> np.ndarray:
        mantissas = (words & np.uint32(0x7FFFFF)) * 2.0**-23
        radius = np.sqrt(-2 * np.log(np.maximum(mantissas[::2], 1e-7)))
        angle = _TURN * mantissas[1::2]
        out = np.empty(words.size)
        np.multiply(radius, np.cos(angle), out=out[::2])
        np.multiply(radius, np.sin(angle), out=out[1::2])
        return out * sigma + mean

    return _fill(seed, shape, transform)


def truncated_normal(
    seed: int, shape: tuple[int, ...], low: float, high: float, mean: float, sigma: float
) -> np.ndarray:
    """Normally distributed numbers in [low, high], by the inverse of the distribution function.

    Raises:
        ValueError: `sigma` is negative.
        RuntimeError: `sigma` is 0.
    """
    from scipy.special import ndtr, ndtri

    _check_sigma(sigma)
    if sigma == 0:
        raise RuntimeError("For 'TruncatedNormal', the 'sigma' must be greater than 0, but got 0.")
    low, high, mean, sigma = _single(low, high, mean, sigma)
    # An interval above the mean is drawn as its mirror image, where the distribution function has its digits.
    side = -sigma if min(low, high) > mean else sigma
    start, end = ndtr((low - mean) / side), ndtr((high - mean) / side)

    def transform(words: np.ndarray) -> np.ndarray:
        out = ndtri(start + _fractions(words) * (end - start)) * side + mean
        return np.clip(out, min(low, high), max(low, high))

    return _fill(seed, shape, transform)


def _check_sigma(sigma: float) -> None:
    if sigma < 0:
        raise ValueError(f"For an initializer, the standard deviation must be >= 0, but got {sigma}.")
