"""MindSpore's random order: C++'s generators and `std::shuffle`, number for number.

MindSpore's data engine is built with GCC's standard library. `std::mt19937` and `std::mt19937_64` are fixed by the C++
standard ([rand.predef]); their algorithm is M. Matsumoto and T. Nishimura, "Mersenne Twister" (1998), in 64 bits
T. Nishimura, "Tables of 64-bit Mersenne Twisters" (2000). What `std::uniform_int_distribution` and `std::shuffle` do
with the numbers is the library's choice. Here it is GCC's before version 11: draws above the largest multiple of the
range are rejected, and for fewer than 2**16 elements one draw serves two of them.
"""

import threading
from typing import Any

import numpy as np

_WORDS, _HALF = 312, 156
_LOW, _HIGH = np.uint64(2**31 - 1), np.uint64(2**64 - 2**31)
_MATRIX = np.uint64(0xB5026F5AA96619E9)
_ONE = np.uint64(1)
_LARGEST = 2**32 - 1
_BLOCK = 1024
# Of the words for a bound below this, less than 1 in 64 is rejected, so that they are worth drawing in blocks.
_MANY_REJECTED = 2**26
_local = threading.local()


class Mersenne64:
    """`std::mt19937_64`, which draws arrays.

    Args:
        seed: an int >= 0; its low 64 bits count.

    >>> int(Mersenne64(5489).take(10000)[-1])  # the C++ standard's example
    9981545732273789042
    """

    def __init__(self, seed: int) -> None:
        state = [seed & (2**64 - 1)]
        for k in range(1, _WORDS):
            state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + k) & (2**64 - 1))
        self._state = np.array(state, np.uint64)
        self._used = _WORDS
        self.position = 0

    def take(self, count: int) -> np.ndarray:
        """The next numbers, uint64 of shape (count,)."""
        parts = []
        self.position += count
        while count:
            if self._used == _WORDS:
                self._next_block()
            part = self._state[self._used : self._used + count]
            self._used += len(part)
            count -= len(part)
            parts.append(part.copy())
        numbers = np.concatenate(parts) if parts else np.empty(0, np.uint64)
        numbers ^= numbers >> np.uint64(29) & np.uint64(0x5555555555555555)
        numbers ^= numbers << np.uint64(17) & np.uint64(0x71D67FFFEDA60000)
        numbers ^= numbers << np.uint64(37) & np.uint64(0xFFF7EEE000000000)
        return numbers ^ numbers >> np.uint64(43)

    def skip(self, count: int) -> None:
        """Leaves out numbers."""
        self.position += count
        while count:
            if self._used == _WORDS:
                self._next_block()
            step = min(count, _WORDS - self._used)
            self._used += step
            count -= step

    def _next_block(self) -> None:
        state = self._state
        following = np.roll(state, -1)
        for low, high in ((0, _HALF), (_HALF, _WORDS)):
            # The last word's successor is the first of the new block.
            following[-1] = state[0]
            mixed = state[low:high] & _HIGH | following[low:high] & _LOW
            other = np.roll(state, -_HALF)[low:high]
            state[low:high] = other ^ mixed >> _ONE ^ (mixed & _ONE) * _MATRIX
        self._used = 0


class _Mersenne32:
    """`std::mt19937`: numpy's legacy generator seeds and draws alike. A thread can use one at a time."""

    def __init__(self, seed: int) -> None:
        if not hasattr(_local, "generator"):  # which takes 0.1 ms to make, and 2 us to seed
            _local.generator = np.random.RandomState()
        self._generator = _local.generator
        self._generator.seed(seed & _LARGEST)
        self._words = np.empty(0, np.int64)

    def below(self, bounds: np.ndarray) -> np.ndarray:
        """`std::uniform_int_distribution(0, bound - 1)` for each bound: int64, ascending, at most 2**32 - 1."""
        scalings = _LARGEST // bounds
        past = scalings * bounds
        numbers = np.empty(len(bounds), np.int64)
        start, many = 0, int(np.searchsorted(bounds, _MANY_REJECTED))
        while start < many:
            stop = min(many, start + _BLOCK)
            words = self._next(stop - start)
            accepted = words < past[start:stop]
            count = len(words) if accepted.all() else int(accepted.argmin())
            numbers[start : start + count] = words[:count] // scalings[start : start + count]
            self._words = self._words[min(count + 1, len(words)) :]  # a word that is rejected is used up
            start += count
        if many < len(bounds):
            numbers[many:] = self._one_by_one(scalings[many:].tolist(), past[many:].tolist())
        return numbers

    def _one_by_one(self, scalings: list[int], past: list[int]) -> list[int]:
        words: list[int] = []
        numbers = []
        for scaling, limit in zip(scalings, past, strict=True):
            while True:
                if not words:
                    words = self._next(_BLOCK).tolist()[::-1]
                    self._words = self._words[_BLOCK:]
                word = words.pop()
                if word < limit:
                    break
            numbers.append(word // scaling)
        self._words = np.concatenate([np.array(words[::-1], np.int64), self._words])
        return numbers

    def _next(self, count: int) -> np.ndarray:
        """The next words, which stay the next ones."""
        if len(self._words) < count:
            more = self._generator.randint(0, 2**32, _BLOCK, np.uint32)
            self._words = np.concatenate([self._words, more.astype(np.int64)])
        return self._words[:count]


def integers(seed: int, bound: int, count: int) -> np.ndarray:
    """Draws `count` numbers in [0, bound)."""
    return _Mersenne32(seed).below(np.full(count, bound, np.int64))


def shuffle(values: list[Any], seed: int) -> None:
    """`std::shuffle` with `std::mt19937(seed)`, in place.

    >>> values = list(range(6))
    >>> shuffle(values, 1)
    >>> values
    [1, 0, 2, 5, 3, 4]
    """
    count, words = len(values), _Mersenne32(seed)
    if count > _LARGEST // max(count, 1):
        others = words.below(np.arange(2, count + 1))
    else:
        # One draw gives two places. The second element, if their number is even, comes alone before.
        alone = int(count > 0 and count % 2 == 0)
        sizes = np.arange(2 + alone, count + 1, 2)
        drawn = words.below(np.concatenate([np.full(alone, 2), sizes * (sizes + 1)]))
        pairs = np.stack(np.divmod(drawn[alone:], sizes + 1), axis=1)
        others = np.concatenate([drawn[:alone], pairs.ravel()])
    for place, other in enumerate(others.tolist(), 1):
        values[place], values[other] = values[other], values[place]
