"""`Generator` and the functions over the default one: seeds and states of random streams.

A generator is a pair (seed, counter), see `_core/dispatch/random.py`; its state is a Tensor of both, so that saving and
setting it repeats the numbers that follow.
"""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import random
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes

_STATE_SIZE = 16


class Generator:
    """An independent stream of random numbers.

    >>> import ms_compat as ms
    >>> ms.Generator().manual_seed(5).initial_seed()
    5
    """

    def __init__(self):
        self._stream = random.RandomStream()

    def get_state(self):
        """The state: a UInt8 Tensor of 16 bytes, the seed and the counter."""
        raw = np.array([self._stream.seed, self._stream.counter], np.int64).tobytes()
        return Tensor(np.frombuffer(raw, np.uint8).copy())

    def set_state(self, state):
        """Continue from a state that `get_state` returned.

        Raises:
            TypeError: `state` is not a Tensor of 16 bytes.
        """
        if not isinstance(state, Tensor) or state.shape != (_STATE_SIZE,):
            raise TypeError(
                f"For 'Generator.set_state', a state of {_STATE_SIZE} bytes is needed, but got {state!r:.60}."
            )
        seed, counter = np.frombuffer(state.asnumpy().astype(np.uint8).tobytes(), np.int64)
        with self._stream.lock:
            self._stream.seed, self._stream.counter = int(seed), int(counter)

    def seed(self):
        """Seed from the operating system; returns the seed."""
        seed = random.RandomStream().seed
        self.manual_seed(seed)
        return seed

    def manual_seed(self, seed):
        """Set the seed and return the generator.

        Raises:
            TypeError: `seed` is not an int.
        """
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
            raise TypeError(f"For 'Generator.manual_seed', 'seed' must be an int, but got {type(seed).__name__}.")
        with self._stream.lock:
            self._stream.seed, self._stream.counter = int(seed) & 0xFFFFFFFF, 0
            self._stream.user_seed = int(seed)
        return self

    def _step(self, step):
        """The seed and the counter as Int64 Tensors; the counter then advances by `step`.

        Raises:
            NotTraceableError: in compiled code, where the current counter is not known.
        """
        if scopes.compiling():
            raise NotTraceableError("The counter of a Generator is read.")
        return tuple([Tensor(number, mstype.int64) for number in self._stream.take(int(step))])

    def initial_seed(self):
        """The seed that was set."""
        seed = self._stream.user_seed
        return self._stream.seed if seed is None else seed


default_generator = Generator()
default_generator._stream = random.default_generator


def seed():
    """Seed the default generator from the operating system; returns the seed."""
    return default_generator.seed()


def manual_seed(seed):
    """Set the default generator's seed and return the generator.

    >>> import ms_compat as ms
    >>> generator = ms.manual_seed(7)
    >>> ms.initial_seed()
    7
    """
    return default_generator.manual_seed(seed)


def initial_seed():
    """The seed of the default generator.

    >>> import ms_compat as ms
    >>> isinstance(ms.initial_seed(), int)
    True
    """
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the default generator.

    >>> import ms_compat as ms
    >>> state = ms.get_rng_state()
    >>> ms.set_rng_state(state)
    """
    return default_generator.get_state()


def set_rng_state(state):
    """Continue the default generator from a state.

    >>> import ms_compat as ms
    >>> state = ms.get_rng_state()
    >>> _ = ms.seed()
    >>> ms.set_rng_state(state)
    >>> bool((ms.get_rng_state() == state).all())
    True
    """
    default_generator.set_state(state)
