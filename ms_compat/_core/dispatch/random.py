"""Random numbers: pairs (seed, counter), handed to operations as dynamic arguments and folded into a key in their jit.

Each random operation takes the next value of a host counter; its key is `fold_in(key(seed), counter)`. Eagerly that is
one cached jit call (splitting a key and sampling in two eager calls costs 15 times as much). Inside a compiled function
the pair is a hidden input: the n-th random operation of the trace uses `counter + n`, and the host counter advances by
the number of random operations after each call. So two calls differ, `set_seed` repeats, and PYNATIVE and GRAPH draw
the same numbers for a straight-line program. No key is ever a constant of a compiled function.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import random as python_random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

from ms_compat._core.dispatch.op import Op
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import is_watched
from ms_compat._core.settings import seeds
from ms_compat._core.trace import scopes, write_barrier


class RandomStream:
    """The process-wide stream: seed and counter, advanced under a lock because data threads may draw, too."""

    __slots__ = ("counter", "lock", "seed", "user_seed")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.user_seed: int | None = None
        self.seed = int.from_bytes(np.random.SeedSequence().generate_state(1).tobytes(), "little")
        self.counter = 0

    def take(self, count: int = 1) -> tuple[int, int]:
        """The pair for the next `count` draws."""
        with self.lock:
            at = self.counter
            self.counter = (at + count) & 0xFFFFFFFF
            return self.seed, at

    def pair(self, count: int = 1) -> np.ndarray:
        """As `take`, packed for a jitted call."""
        return np.array(self.take(count), np.uint32)


default_generator = RandomStream()


class TraceStream:
    """The random stream of one compiled function's trace: its hidden input and the number of draws so far.

    Args:
        pair: the (seed, counter) pair of the first draw.
        outer: the stream of the program around a loop's body, whose stream this is.
    """

    __slots__ = ("draws", "outer", "pair", "used")

    def __init__(self, pair: Any, outer: TraceStream | None = None):
        self.pair = pair
        self.outer = outer
        self.draws = 0
        self.used = False

    def take(self) -> Any:
        """The (seed, counter) pair of the next draw."""
        stream: TraceStream | None = self
        while stream is not None and not stream.used:
            stream.used, stream = True, stream.outer
        return self.reserve()

    def reserve(self) -> Any:
        """As `take`, for a loop, whose body may draw or not."""
        at = self.draws
        self.draws += 1
        return self.pair + np.array([0, at], np.uint32)


def key_of(pair: Any) -> Any:
    """The JAX key of a (seed, counter) pair."""
    return jax.random.fold_in(jax.random.key(pair[0]), pair[1])


class _Chosen(threading.local):
    """What this thread draws from, if not the process's stream, and the primitive with a seed that it calls."""

    stream: RandomStream | None = None
    primitive: Any = None


_chosen = _Chosen()


@contextlib.contextmanager
def drawing_from(generator: Any, api: str) -> Iterator[None]:
    """Draw from a `mindspore.Generator` within; from the process's stream if it is None.

    Args:
        generator: the generator, or None.
        api: the function that takes it, for errors.

    Raises:
        TypeError: `generator` has another type.
        UnsupportedError: a function is being compiled; its draws depend on the process's stream alone.
    """
    if generator is None:
        yield
        return
    stream = getattr(generator, "_stream", None)
    if not isinstance(stream, RandomStream):
        raise TypeError(f"For '{api}', the 'generator' must be a Generator, but got {type(generator).__name__}.")
    if scopes.current_scope() is not None:
        raise UnsupportedError(f"{api}(generator=...) in a compiled function", "Seed with mindspore.set_seed instead.")
    with _choosing("stream", stream):
        yield


@contextlib.contextmanager
def _choosing(what: str, chosen: Any) -> Iterator[None]:
    before = getattr(_chosen, what)
    setattr(_chosen, what, chosen)
    try:
        yield
    finally:
        setattr(_chosen, what, before)


def next_pair() -> Any:
    """The pair for one draw: from the open trace's stream if there is one, else from the process."""
    if _chosen.stream is not None:
        return _chosen.stream.pair()
    stream = trace_stream()
    return default_generator.pair() if stream is None else stream.take()


def counting(primitive: Any) -> contextlib.AbstractContextManager[None]:
    """A region in which draws with a seed come from a primitive's own sequence.

    A primitive with a seed has one: another with this seed draws the same numbers, whatever was drawn before.

    Args:
        primitive: has `drawn`, a Parameter of one UInt32: the number of its draws, which compiled code carries on.
    """
    return _choosing("primitive", primitive)


def has_counter() -> bool:
    """Whether a primitive's own sequence is drawn from."""
    return _chosen.primitive is not None


def fixed_pair(seed: int, at: int = 0) -> Any:
    """The pair of a draw that is the same at every call."""
    return np.array([seed & 0xFFFFFFFF, at & 0xFFFFFFFF], np.uint32)


def seeded_pair(seed: int) -> Any:
    """The pair for one draw with an operation's own seed."""
    if _chosen.primitive is None:
        pair = next_pair()
        if isinstance(pair, np.ndarray):
            return fixed_pair(seed, int(pair[1]))
        return pair.at[0].set(np.uint32(seed & 0xFFFFFFFF))
    counter = _chosen.primitive.drawn
    scope = scopes.current_scope()
    if scope is None:
        with default_generator.lock:
            at = int(counter._v)
            counter._v = np.array(at + 1, np.uint32)
        return fixed_pair(seed, at)
    scope.note_read(counter)
    at = counter._v
    write_barrier.assign(counter, at + np.uint32(1))
    return jax.numpy.stack([jax.numpy.uint32(seed & 0xFFFFFFFF), jax.numpy.asarray(at, np.uint32)])


def trace_stream() -> TraceStream | None:
    """The stream of the open trace, if there is one."""
    scope = scopes.current_scope()
    while scope is not None:
        if scope.rng is not None:
            return scope.rng
        scope = scope.outer
    return None


def random_op(*, static: tuple[str, ...] = (), name: str | None = None) -> Callable:
    """Declare a random operation: a pure function whose first parameter is the JAX key, called without it.

    >>> from ms_compat._core.dispatch.random import random_op
    >>> import jax
    >>> @random_op(static=("shape",))
    ... def coin(key, shape):
    ...     return jax.random.bernoulli(key, shape=shape)
    >>> coin((3,)).shape
    (3,)
    """

    def declare(fn: Callable) -> Callable:
        @functools.wraps(fn)
        def with_pair(pair, *args):
            if is_watched([getattr(a, "shape", a) for a in args]):
                # Such numbers cannot be padded. To trace them all the same would leave sizes that are symbols in JAX's
                # caches, where a later call with the size at hand finds them.
                raise UnsupportedError("Random numbers of a size that varies.")
            return fn(key_of(pair), *args)

        parameters = list(inspect.signature(fn).parameters.values())
        pair = inspect.Parameter("pair", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        with_pair.__signature__ = inspect.Signature([pair, *parameters[1:]])  # type: ignore[attr-defined]
        operation = Op(with_pair, static, name or fn.__name__)

        @functools.wraps(fn)
        def draw(*args, **kwargs):
            return operation(next_pair(), *args, **kwargs)

        draw.__signature__ = inspect.Signature(parameters[1:])  # type: ignore[attr-defined]
        draw.op = operation  # type: ignore[attr-defined]
        return draw

    return declare


def set_seed(seed: int) -> None:
    """Seed every random stream: this package's operations, numpy, Python's `random` and the data pipeline.

    Args:
        seed: a non-negative int.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: it is negative.

    >>> import ms_compat as ms
    >>> ms.set_seed(1)
    >>> ms.get_seed()
    1
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"For 'set_seed', the argument 'seed' must be an int, but got {type(seed).__name__}.")
    if seed < 0:
        raise ValueError(f"For 'set_seed', the argument 'seed' must be greater than or equal to 0, but got {seed}.")
    seed = int(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    python_random.seed(seed)
    with default_generator.lock:
        default_generator.user_seed = seed
        default_generator.seed = seed & 0xFFFFFFFF
        default_generator.counter = 0
    seeds.announce(seed)


def get_seed() -> int | None:
    """The seed that `set_seed` set, or None."""
    return default_generator.user_seed


seeds.read_user_seed_from(get_seed)
