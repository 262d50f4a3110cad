"""Random streams of a pipeline: which seed, which node, which epoch, which row.

One seed repeats the same epochs in every new iterator, while the epochs differ, as in MindSpore. There are two kinds of
draws:

- The order of rows (`Order`) is MindSpore's own, number for number: `shuffle`, `RandomSampler`, `SubsetRandomSampler`,
  `DistributedSampler`, files in random order and `split`. MindSpore gives every node the same seed.
- All else, the crops of random transforms, `WeightedRandomSampler` and `PKSampler`, draws other numbers than MindSpore,
  from streams keyed by (seed, node, epoch, row). A transform's numbers in MindSpore depend on its number of threads.

Without `set_seed` every iterator takes fresh entropy. Only the order that shards share is drawn from MindSpore's
default seed then, in each iterator alike: each process deals it for itself, and no row may be dealt twice.

Random transforms draw from `current()`: inside a `map` that is a `random.Random` seeded by the row (the same whether
one thread or four work on the map); outside it is Python's own, which `set_seed` restarts. Not numpy's, because
a scalar draw costs 0.02 us here, there 0.3 (a float) to 1.1 (an integer).
"""

import copy
import logging
import random
import secrets
import threading
from typing import Any

import numpy as np

from ms_compat._core.settings.seeds import on_set_seed, user_seed
from ms_compat.dataset._support import mersenne

DEFAULT_SEED = 5489
# Added to the seed of an iterator when none was set. Seeds that are set are smaller.
_FRESH = 1 << 48


class _State(threading.local):
    """A thread's current row, and the row's generator, which is seeded on its first draw."""

    pending: int | None = None
    row: random.Random | None = None
    spare: random.Random | None = None


_local = _State()
# The seed set here, and `mindspore.set_seed`'s seed at that time: the later call wins.
_seed: list[int | None] = [None, None]


def set_seed(seed: int | None) -> None:
    """Sets the seed for all later iterators; None clears it."""
    _seed[:] = [seed, user_seed()]


def _in_force() -> int | None:
    if user_seed() != _seed[1]:  # set before this module was imported
        set_seed(user_seed())
    return _seed[0]


on_set_seed(set_seed)


def get_seed() -> int:
    """The seed in force; MindSpore's default, 5489, when none was set."""
    seed = _in_force()
    return DEFAULT_SEED if seed is None else seed


def entropy() -> int:
    """The seed of a new iterator: the one that was set, or fresh entropy."""
    seed = _in_force()
    return _FRESH + secrets.randbits(48) if seed is None else seed


def current() -> Any:
    """The generator that a random transform draws from now."""
    if _local.pending is not None:
        spare = _local.spare
        if spare is None:
            spare = _local.spare = random.Random()
        spare.seed(_local.pending)
        _local.pending, _local.row = None, spare
    return _local.row or random


class Streams:
    """The random streams of one iterator.

    Args:
        seed: the iterator's seed.
        nodes: every pipeline node's number, by `id`.
    """

    def __init__(self, seed: int, nodes: dict[int, int]) -> None:
        self.seed = seed
        self._nodes = nodes
        self._frozen: int | None = None
        self._shuffled: dict[Any, tuple[int, list[int]]] = {}
        self._buffers: dict[int, mersenne.Mersenne64] = {}
        self._copies: dict[int, Any] = {}
        # The worker processes of nodes, by the node's `id`; None for a node whose functions cannot be sent to one.
        self.pools: dict[int, Any] = {}
        self.starts_processes = True

    def close(self) -> None:
        """Ends the worker processes."""
        pools, self.pools = self.pools, {}
        for pool in pools.values():
            if pool is not None:
                pool.close()

    def own(self, item: Any) -> Any:
        """This iterator's copy of a stateful object: every iterator starts from the user's state.

        Iterators share objects that cannot be copied, such as generators.
        """
        key = id(item)
        if key not in self._copies:
            try:
                self._copies[key] = item, copy.deepcopy(item)  # the original is held, so that its id stays its own
            except TypeError as error:
                logging.getLogger("ms_compat").debug("%s is shared by all iterators: %s", type(item).__name__, error)
                self._copies[key] = item, item
        return self._copies[key][1]

    def frozen(self, seed: int) -> "Streams":
        """The same streams, except that `order` draws the same numbers in every epoch and iterator."""
        made = Streams(self.seed, self._nodes)
        made._frozen = seed
        made.pools, made.starts_processes = self.pools, self.starts_processes
        return made

    def order(self, node: object, epoch: int, sharded: bool = False) -> "Order":
        """What a node draws the order of its rows from, which may be dealt to shards, in an epoch."""
        number = self._nodes.get(id(node), 0)
        if self._frozen is not None:
            return Order(self._frozen, number, 0, id(node), self._shuffled, self._buffers)
        seed = DEFAULT_SEED if sharded and _in_force() is None else self.seed
        return Order(seed, number, epoch, id(node), self._shuffled, self._buffers)

    def rows(self, node: object, epoch: int) -> "RowStream":
        """The row generators of a node in an epoch, for random transforms."""
        return RowStream(((self.seed * 65537 + self._nodes.get(id(node), 0)) * 1000003 + epoch) << 40)


class Order:
    """The random order of a node's rows in an epoch.

    Args:
        seed: the iterator's seed.
        number: the node's number.
        epoch: the epoch.
        key: the node's key in the next two.
        shuffled: the last epoch, and the order in it, of each sampler in this iterator.
        buffers: the generators of shuffle buffers in this iterator.
    """

    def __init__(
        self,
        seed: int,
        number: int,
        epoch: int,
        key: int,
        shuffled: dict[Any, tuple[int, list[int]]] | None = None,
        buffers: dict[int, mersenne.Mersenne64] | None = None,
    ) -> None:
        self.seed, self.epoch = seed, epoch
        self._number, self._key = number, key
        self._shuffled = {} if shuffled is None else shuffled
        self._buffers = {} if buffers is None else buffers

    @property
    def cpp_seed(self) -> int:
        """The seed of C++'s generators: all nodes have the seed that was set, or each its own."""
        if self.seed < _FRESH:
            return self.seed
        return int(np.random.SeedSequence((self.seed, self._number)).generate_state(1)[0])

    def generator(self) -> np.random.Generator:
        """A generator for draws that are not MindSpore's."""
        return np.random.default_rng((self.seed, self._number, self.epoch))

    def integers(self, bound: int, count: int) -> np.ndarray:
        """Numbers in [0, bound), as MindSpore's `RandomSampler` with replacement draws them."""
        return mersenne.integers(self.cpp_seed + self.epoch, bound, count)

    def permutation(self, sampler: object, count: int, first: int = 0, step: int = 1) -> np.ndarray:
        """The numbers below `count` in random order.

        MindSpore's samplers shuffle the order of the last epoch.

        Args:
            sampler: whose order it is; one node may have several samplers.
            count: how many numbers.
            first: added to the seed.
            step: added to the seed in each epoch.
        """
        key = self._key, id(sampler), count
        done, values = self._shuffled.get(key, (-1, []))
        if done > self.epoch or done < 0:
            done, values = -1, list(range(count))
        for epoch in range(done + 1, self.epoch + 1):
            mersenne.shuffle(values, self.cpp_seed + first + step * epoch)
        self._shuffled[key] = self.epoch, values
        return np.array(values, np.int64)

    def buffer_draws(self, rows: int | None) -> mersenne.Mersenne64:
        """The generator of a shuffle buffer, which draws one number a row.

        In MindSpore it goes on from epoch to epoch.

        Args:
            rows: the number of rows in an epoch. If it is not known, each epoch has a seed of its own: only the first
                one is MindSpore's.
        """
        if rows is None:
            return mersenne.Mersenne64(self.cpp_seed + self.epoch)
        generator, position = self._buffers.get(self._key), self.epoch * rows
        if generator is None or generator.position > position:
            generator = self._buffers[self._key] = mersenne.Mersenne64(self.cpp_seed)
        generator.skip(position - generator.position)
        return generator


class RowStream:
    """Puts a generator for one row in force; each thread has a generator of its own, reseeded row by row."""

    def __init__(self, base: int) -> None:
        self.base = base

    def enter(self, index: int) -> None:
        """Puts the generator of row `index` in force for this thread."""
        _local.pending = self.base + index

    @staticmethod
    def leave() -> None:
        """Goes back to the process's generator."""
        _local.pending = _local.row = None
