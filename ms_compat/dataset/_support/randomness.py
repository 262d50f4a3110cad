"""Random streams of a pipeline: which seed, which node, which epoch, which row.

A pipeline draws from streams keyed by (seed, node, epoch), so that one seed repeats the same epochs in every new
iterator while the epochs differ, as in MindSpore. The numbers themselves cannot equal MindSpore's (its C++ generators
are not replicated): the *order under shuffle and the crops drawn are our own*. Without `set_seed` every iterator takes
fresh entropy. Only the order that shards share is drawn from MindSpore's default seed then, in each iterator alike:
each process deals it for itself, and no row may be dealt twice.

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

DEFAULT_SEED = 5489


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
    return secrets.randbits(48) if seed is None else seed


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
        """The same streams, except that `generator` draws the same numbers in every epoch and iterator."""
        made = Streams(self.seed, self._nodes)
        made._frozen = seed
        made.pools, made.starts_processes = self.pools, self.starts_processes
        return made

    def generator(self, node: object, epoch: int, sharded: bool = False) -> np.random.Generator:
        """The generator of a node in an epoch, for the order of rows, which may be dealt to shards."""
        number = self._nodes.get(id(node), 0)
        if self._frozen is not None:
            return np.random.default_rng((self._frozen, number, 0))
        seed = DEFAULT_SEED if sharded and _in_force() is None else self.seed
        return np.random.default_rng((seed, number, epoch))

    def rows(self, node: object, epoch: int) -> "RowStream":
        """The row generators of a node in an epoch, for random transforms."""
        return RowStream(((self.seed * 65537 + self._nodes.get(id(node), 0)) * 1000003 + epoch) << 40)


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
