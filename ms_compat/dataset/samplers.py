"""Samplers: which rows of a random-access source an epoch reads, and in which order.

A sampler defines `_indices(rows, order)`: an epoch's index array over a source with `rows` rows. A child sampler
chooses first, and this one chooses among the child's indices. Random samplers draw from the source's `Order` (see
`randomness`).
"""

import copy
import enum
import itertools
import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import INT64_MAX, check_bool, check_type, interval_error
from ms_compat.dataset._support.init_args import Remembered, forget
from ms_compat.dataset._support.randomness import Order
from ms_compat.dataset._support.rows import user_error


@faces("dataset")
class Shuffle(str, enum.Enum):  # noqa: UP042 - str() must be "Shuffle.GLOBAL"
    """How to shuffle a dataset. Other sources than `MindDataset` know GLOBAL and, if they read lines, FILES."""

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


def _integer(api: str, argument: str, value: Any) -> int:
    """Checks an int; a bool is one, as in MindSpore."""
    return check_type(api, argument, value, (int, bool))


def _count(api: str, value: Any) -> None:
    """Checks `num_samples` of a sampler: None or an int >= 0."""
    if value is not None and not 0 <= _integer(api, "num_samples", value) <= INT64_MAX:
        raise interval_error(api, "num_samples", 0, INT64_MAX, value)


@faces("dataset")
class BuiltinSampler(Remembered):
    """The base of all samplers.

    Args:
        num_samples: how many indices an epoch takes at most; None or 0 takes all.

    Raises:
        TypeError: if it is not an int.
        ValueError: if it is negative.
    """

    _shuffles = False

    def __init__(self, num_samples: int | None = None) -> None:
        self.child_sampler: BuiltinSampler | None = None
        _count(type(self).__name__, num_samples)
        self.num_samples = num_samples

    def add_child(self, sampler: "BuiltinSampler") -> None:
        """Makes another sampler choose first; this one then chooses among its indices.

        Raises:
            TypeError: if it is not a sampler.
            RuntimeError: if there is a child already, or one of them shuffles in a way that excludes the other.
        """
        if sampler is None:
            return
        api = f"{type(self).__name__}.add_child"
        check_type(api, "sampler", sampler, BuiltinSampler)
        if self.child_sampler is not None:
            raise RuntimeError(f"For '{api}': Cannot add child sampler, this sampler already has a child.")
        if sampler._mode() is Shuffle.PARTIAL:
            raise RuntimeError(f"For '{api}', the child must not shuffle by {Shuffle.PARTIAL}.")
        if self._mode() not in (Shuffle.GLOBAL, Shuffle.FALSE):
            raise RuntimeError(f"For '{api}', a sampler with a child must shuffle globally, but got {self._mode()}.")
        self.child_sampler = sampler
        forget(self)

    def _mode(self) -> Shuffle:
        """How this sampler shuffles, without its child."""
        return Shuffle.GLOBAL if self._shuffles else Shuffle.FALSE

    def _check(self) -> None:
        """Makes the checks that MindSpore makes only when a pipeline uses the sampler; raises `RuntimeError`."""

    def parse(self) -> "BuiltinSampler":
        """The sampler in the form for a pipeline, checked; here the sampler itself.

        Raises:
            RuntimeError: for an argument out of range.
        """
        self._check()
        if self._mode() not in (Shuffle.GLOBAL, Shuffle.FALSE):
            raise RuntimeError(f"For '{type(self).__name__}', {self._mode()} belongs to MindDataset alone.")
        if self.child_sampler is not None:
            self.child_sampler.parse()
        return self

    def get_child(self) -> "BuiltinSampler | None":
        """The child sampler, or None."""
        return self.child_sampler

    def get_num_samples(self) -> int | None:
        """How many indices an epoch takes, None for all; the child's number is an upper bound."""
        counts = [
            count for count in (self._own_count(), self.child_sampler and self.child_sampler.get_num_samples()) if count
        ]
        return min(counts) if counts else None

    def _own_count(self) -> int | None:
        return self.num_samples

    def is_shuffled(self) -> bool:
        """Whether this sampler or its child draws a random order."""
        return self._shuffles or (self.child_sampler is not None and self.child_sampler.is_shuffled())

    def is_sharded(self) -> bool:
        """Whether this sampler or its child reads one shard."""
        return self.child_sampler is not None and self.child_sampler.is_sharded()

    def _stateful(self) -> bool:
        """Whether this sampler or its child is the user's, whose state belongs to one iterator."""
        return self.child_sampler is not None and self.child_sampler._stateful()

    def _promised(self) -> int | None:
        """How many rows an epoch has whatever the source; None where that depends on it."""
        return None

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        raise NotImplementedError(f"{type(self).__name__} chooses nothing.")

    def _indices(self, rows: int, order: Order, labels: Any = None) -> np.ndarray:
        """The index array of one epoch over `rows` rows; `labels` is a function that gives the rows' classes."""
        below = None if self.child_sampler is None else self.child_sampler._indices(rows, order, labels)
        count = rows if below is None else len(below)
        chosen = self._choose(count, order)
        if self.num_samples:
            chosen = chosen[: self.num_samples]
        return chosen if below is None else below[chosen]


def _in_bounds(api: str, indices: np.ndarray, rows: int) -> np.ndarray:
    wrong = indices[(indices < 0) | (indices >= rows)]
    if len(wrong):
        raise RuntimeError(f"For '{api}', an index must be in range [0, {rows - 1}], but got {wrong[0]}.")
    return indices


@faces("dataset")
class SequentialSampler(BuiltinSampler):
    """Reads the rows in order.

    Args:
        start_index: the first row; None is 0.
        num_samples: how many rows at most.

    Raises:
        TypeError: for another type.
        ValueError: if `num_samples` is negative.
        RuntimeError: while iterating, if `start_index` is outside of the source.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> data = NumpySlicesDataset([4, 5, 6], ["x"], sampler=SequentialSampler(1))
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [5, 6]
    """

    def __init__(self, start_index: int | None = None, num_samples: int | None = None) -> None:
        if start_index is not None:
            _integer("SequentialSampler", "start_index", start_index)
        super().__init__(num_samples)
        self.start_index = start_index

    def _check(self) -> None:
        if (self.start_index or 0) < 0:
            raise RuntimeError(f"For 'SequentialSampler', the 'start_index' must be >= 0, but got {self.start_index}.")

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        start = self.start_index or 0
        if start and not 0 <= start < rows:
            raise RuntimeError(
                f"For 'SequentialSampler', the 'start_index' must be in range [0, {rows}), but got {start}."
            )
        return np.arange(start, rows)


@faces("dataset")
class RandomSampler(BuiltinSampler):
    """Reads the rows in random order, drawn again each epoch.

    Args:
        replacement: draws each row from all, so that rows may repeat.
        num_samples: how many rows at most.
        shuffle: `Shuffle.GLOBAL`; `MindDataset` takes the other modes, too.

    Raises:
        TypeError: for another type, or `Shuffle.FALSE`.
        ValueError: if `num_samples` is negative.
        RuntimeError: while iterating, for another mode of shuffling than the source knows.

    >>> import ms_compat.dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], sampler=ds.RandomSampler(num_samples=2))
    >>> data.get_dataset_size()
    2
    """

    _shuffles = True

    def __init__(
        self, replacement: bool = False, num_samples: int | None = None, shuffle: Shuffle = Shuffle.GLOBAL
    ) -> None:
        check_bool("RandomSampler", "replacement", replacement)
        super().__init__(num_samples)
        self.replacement = replacement
        if check_type("RandomSampler", "shuffle", shuffle, Shuffle) is Shuffle.FALSE:
            raise type_error("RandomSampler", "shuffle", "a way to shuffle", shuffle)
        self.shuffle = shuffle

    def _mode(self) -> Shuffle:
        return self.shuffle

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        if self.replacement:
            return order.integers(rows, min(self.num_samples or rows, rows))
        return order.permutation(self, rows)


@faces("dataset")
class SubsetSampler(BuiltinSampler):
    """Reads the given rows, in the given order.

    Args:
        indices: an int, or a sequence of int.
        num_samples: how many of them at most.

    Raises:
        TypeError: if an index is not an int.
        ValueError: if `num_samples` is negative.
        RuntimeError: while iterating, if an index is outside of the source.

    >>> SubsetSampler([3, 1, 1], num_samples=2).indices
    [3, 1]
    """

    def __init__(self, indices: Any, num_samples: int | None = None) -> None:
        api = type(self).__name__
        super().__init__(num_samples)
        if isinstance(indices, str) or not checks.iterable(indices):
            indices = [_integer(api, "indices", indices)]
        listed = list(itertools.islice(indices, num_samples))
        for k, index in enumerate(listed):
            if not isinstance(index, (int, np.integer)):
                raise type_error(api, f"indices[{k}]", "int", index)
        self.indices = listed

    def _own_count(self) -> int | None:
        return len(self.indices)

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        return _in_bounds(type(self).__name__, np.array(self.indices, dtype=np.int64), rows)


@faces("dataset")
class SubsetRandomSampler(SubsetSampler):
    """Reads the given rows in random order, drawn again each epoch; the arguments are `SubsetSampler`'s.

    >>> import ms_compat.dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], sampler=ds.SubsetRandomSampler([0, 2]))
    >>> sorted(row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    [1, 3]
    """

    _shuffles = True

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        chosen = super()._choose(rows, order)
        return chosen[order.permutation(self, len(chosen), step=0)]


@faces("dataset")
class Sampler(BuiltinSampler):
    """The base of a user's own sampler: a subclass's `__iter__` yields indices and may use `dataset_size`.

    Every iterator over a dataset works on a copy of the sampler, so that each starts from the state the user made.

    Args:
        num_samples: how many indices an epoch takes; None takes the sampler's length if it has one, else all.

    Raises:
        RuntimeError: while iterating, if the sampler yields fewer, or a number that is not an index of the source.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> class Reverse(Sampler):
    ...     def __iter__(self):
    ...         yield from range(self.dataset_size - 1, -1, -1)
    >>> data = NumpySlicesDataset([4, 5, 6], ["x"], sampler=Reverse())
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [6, 5, 4]
    """

    def __init__(self, num_samples: int | None = None) -> None:
        super().__init__(num_samples)
        if num_samples is None and hasattr(self, "__len__"):
            self.num_samples = len(self)
        self.dataset_size = 0
        self.batch_sizes: list[int] = []

    def __iter__(self) -> Iterator[int]:
        raise NotImplementedError(f"{type(self).__name__} must define '__iter__'.")

    def reset(self) -> None:
        """Does nothing; a subclass may start over here."""

    def _stateful(self) -> bool:
        return True

    def _promised(self) -> int | None:
        return self.num_samples or None

    def get_num_samples(self) -> int | None:
        """How many indices an epoch takes: counted by iterating a copy if `num_samples` does not say."""
        return self.num_samples if self.num_samples is not None else len(list(copy.deepcopy(self)))

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        self.dataset_size = rows
        api = type(self).__name__
        indices: list[Any] = []
        index: Any
        try:
            for index in itertools.islice(self, self.num_samples or None):
                indices.extend([index] if isinstance(index, numbers.Number) else index)
        except NotImplementedError as error:
            raise RuntimeError(f"For '{api}', a sampler must define '__iter__'.") from error
        except Exception as error:
            raise user_error(api, error) from error
        if len(indices) < (self.num_samples or 0):
            raise RuntimeError(
                f"For '{api}', the sampler must yield 'num_samples' (or its length) of {self.num_samples} indices, but "
                f"yielded {len(indices)}."
            )
        array = np.array(indices)
        if array.dtype.kind not in "iu":
            raise RuntimeError(f"For '{api}', the indices must be int, but got {array.dtype} of {indices[:5]}.")
        # Sources count a negative index from the end, as sequences do.
        _in_bounds(api, np.where(array < 0, array + rows, array), rows)
        return array


@faces("dataset")
class IterSampler(Sampler):
    """Reads the rows whose indices an iterable yields; wraps an iterable that is passed as `sampler`.

    Args:
        sampler: an iterable of int. One that is an iterator is read once and remembered.
        num_samples: how many of them; None takes its length if it has one, else all.

    Raises:
        RuntimeError: while iterating, if it yields fewer.
    """

    def __init__(self, sampler: Any, num_samples: int | None = None) -> None:
        if num_samples is None and hasattr(sampler, "__len__"):
            num_samples = len(sampler)
        super().__init__(num_samples)
        if isinstance(sampler, Iterator):
            # Of an iterator that never ends, only the requested part is read.
            sampler = list(itertools.islice(sampler, num_samples or None))
        self.sampler = sampler

    def __iter__(self) -> Iterator[int]:
        return iter(self.sampler)


@faces("dataset")
class DistributedSampler(BuiltinSampler):
    """Reads every `num_shards`-th row, starting at `shard_id`; short shards are filled up from the beginning.

    Args:
        num_shards: number of shards.
        shard_id: this shard.
        shuffle: draws one random order, the same in all shards of one seed, before dealing.
        num_samples: how many rows of this shard at most.
        offset: first shard that gets a row; with it the shards are not filled up, but one without any row gets the
            first. -1 for none.

    Raises:
        TypeError: for another type.
        ValueError: if `num_samples` is negative.
        RuntimeError: while iterating, if the shard is outside of the shards.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> data = NumpySlicesDataset([4, 5, 6], ["x"], sampler=DistributedSampler(2, 1, shuffle=False))
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [5, 4]
    """

    def __init__(
        self,
        num_shards: int,
        shard_id: int,
        shuffle: bool | Shuffle = True,
        num_samples: int | None = None,
        offset: int = -1,
    ) -> None:
        _integer("DistributedSampler", "num_shards", num_shards)
        _integer("DistributedSampler", "shard_id", shard_id)
        check_type("DistributedSampler", "shuffle", shuffle, (bool, Shuffle))
        _integer("DistributedSampler", "offset", offset)
        super().__init__(num_samples)
        self.num_shards, self.shard_id, self.offset = num_shards, shard_id, offset
        self.shuffle = shuffle
        self._shuffles = shuffle if isinstance(shuffle, bool) else shuffle is not Shuffle.FALSE

    def _mode(self) -> Shuffle:
        return super()._mode() if isinstance(self.shuffle, bool) else self.shuffle

    def is_sharded(self) -> bool:
        return self.num_shards > 1 or super().is_sharded()

    def _check(self) -> None:
        shards, shard = self.num_shards, self.shard_id
        if shards <= 0 or not 0 <= shard < shards:
            raise RuntimeError(
                "For 'DistributedSampler', 'shard_id' must be in range [0, num_shards), but got "
                f"{shard} of {shards} shards."
            )
        if self.offset > shards:
            raise RuntimeError(f"For 'DistributedSampler', 'offset' must be at most {shards}, but got {self.offset}.")

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        self._check()
        shards, shard = self.num_shards, self.shard_id
        dealt = order.permutation(self, rows, first=1) if self._shuffles else np.arange(rows)
        if self.offset == -1:
            return dealt[(np.arange(-(-rows // shards)) * shards + shard) % rows] if rows else dealt
        start = shard - self.offset
        own = dealt[start + shards if start < 0 else start :: shards]
        return own if len(own) else np.zeros(min(rows, 1), np.int64)  # a shard without rows reads the first


@faces("dataset")
class WeightedRandomSampler(BuiltinSampler):
    """Draws rows with probabilities.

    Args:
        weights: a list with a weight of each row, not all zero. Rows beyond its length are never drawn.
        num_samples: how many rows an epoch draws, the source's size at most; None takes that.
        replacement: whether a row may be drawn again.

    Raises:
        TypeError: for another type.
        ValueError: if `num_samples` is negative.
        RuntimeError: while iterating, if a weight is negative, none is positive or there are more weights than rows.

    >>> import ms_compat.dataset as ds
    >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], sampler=ds.WeightedRandomSampler([0.0, 1.0, 0.0], 2))
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [2, 2]
    """

    _shuffles = True

    def __init__(self, weights: Any, num_samples: int | None = None, replacement: bool = True) -> None:
        listed = weights if isinstance(weights, list) else [weights]
        for k, weight in enumerate(listed):
            if not isinstance(weight, numbers.Number):
                raise type_error("WeightedRandomSampler", f"weights[{k}]", "a number", weight)
        check_bool("WeightedRandomSampler", "replacement", replacement)
        super().__init__(num_samples)
        self.weights, self.replacement = listed, replacement

    def _check(self) -> None:
        weights = np.array(self.weights, dtype=np.float64)
        if not (weights >= 0).all() or not weights.any() or np.isinf(weights).any():
            raise RuntimeError(
                f"For 'WeightedRandomSampler', the weights must be >= 0, finite and not all 0, but got {self.weights}."
            )

    def _choose(self, rows: int, order: Order) -> np.ndarray:
        self._check()
        weights = np.array(self.weights, dtype=np.float64)
        if len(weights) > rows:
            raise RuntimeError(f"For 'WeightedRandomSampler', {len(weights)} weights were given for {rows} rows.")
        count, generator = min(self.num_samples or rows, rows), order.generator()
        if self.replacement:
            return generator.choice(len(weights), size=count, p=weights / weights.sum())
        if count > len(weights):
            raise RuntimeError(
                f"For 'WeightedRandomSampler', {count} rows cannot be drawn from {len(weights)} without replacement."
            )
        # Rows of weight 0 come last: exponential keys (Efraimidis and Spirakis) order the others by weighted chance.
        with np.errstate(divide="ignore"):
            keys = generator.exponential(size=len(weights)) / weights
        return np.argsort(keys, kind="stable")[:count]


@faces("dataset")
class PKSampler(BuiltinSampler):
    """Reads K rows from each of P classes, class by class; for datasets with labels, such as `MnistDataset`.

    Args:
        num_val: rows of each class (K).
        num_class: must be None: all classes, as in MindSpore.
        shuffle: whether the classes come in random order.
        class_column: the label's column.
        num_samples: how many rows at most.

    Raises:
        TypeError: for another type.
        NotImplementedError: if `num_class` is given.
        ValueError: for a source without labels.
    """

    def __init__(
        self,
        num_val: int,
        num_class: int | None = None,
        shuffle: bool = False,
        class_column: str = "label",
        num_samples: int | None = None,
    ) -> None:
        _integer("PKSampler", "num_val", num_val)
        if num_class is not None:
            raise NotImplementedError("For 'PKSampler', the 'num_class' must be None: MindSpore has no other value.")
        check_bool("PKSampler", "shuffle", shuffle)
        check_type("PKSampler", "class_column", class_column, str)
        super().__init__(num_samples)
        self.num_val, self.shuffle, self.class_column = num_val, shuffle, class_column
        self._shuffles = shuffle

    def _check(self) -> None:
        if self.num_val <= 0:
            raise RuntimeError(f"For 'PKSampler', the 'num_val' must be > 0, but got {self.num_val}.")

    def _indices(self, rows: int, order: Order, labels: Any = None) -> np.ndarray:
        if labels is None:
            raise RuntimeError("For 'PKSampler', the dataset must have class labels, but this source has none.")
        self._check()
        classes = np.asarray(labels())
        names, generator = np.unique(classes), order.generator()
        if self.shuffle:
            names = generator.permutation(names)
        chosen = []
        for name in names:
            members = np.flatnonzero(classes == name)
            chosen.append(
                members[np.arange(self.num_val) % len(members)]
                if not self.shuffle
                else generator.choice(members, self.num_val)
            )
        picked = np.concatenate(chosen)
        return picked[: self.num_samples] if self.num_samples else picked


def select(
    api: str, num_samples: Any, sampler: Any, shuffle: Any, num_shards: Any, shard_id: Any, default_shuffle: bool = True
) -> BuiltinSampler:
    """Turns a source's arguments into one sampler, as MindSpore does.

    Raises:
        TypeError: if the sampler is neither a sampler nor iterable.
        RuntimeError: if a sampler is given together with any of the others. As in MindSpore, the sources over Python's
            data raise ValueError, and accept row numbers with `num_samples`.
    """
    in_python = checks.is_over_python_data(api)
    others = {"num_samples": num_samples, "num_shards": num_shards, "shard_id": shard_id, "shuffle": shuffle}
    given = {name: value for name, value in others.items() if value is not None}
    if given and sampler is not None and (isinstance(sampler, BuiltinSampler) or not in_python):
        kind = ValueError if in_python else RuntimeError
        raise kind(
            f"For '{api}': Conflicting arguments during sampler assignments. num_samples: {num_samples}, num_shards: "
            f"{num_shards}, shard_id: {shard_id}, shuffle: {shuffle}. "
            "A 'sampler' excludes the other ways to choose rows."
        )
    if isinstance(sampler, (np.ndarray, list, tuple)):
        return SubsetSampler(sampler, num_samples)
    # One row by its number; the sources over Python's data refuse it, as in MindSpore.
    if isinstance(sampler, int) and not in_python:
        return SubsetSampler(sampler)
    if sampler is not None and not isinstance(sampler, BuiltinSampler):
        if isinstance(sampler, str) or not checks.iterable(sampler):
            raise type_error(api, "sampler", "a sampler of mindspore.dataset or an iterable of indices", sampler)
        return IterSampler(sampler, num_samples)
    if sampler is not None:
        return sampler
    shuffles = default_shuffle if shuffle is None else shuffle is not False and shuffle is not Shuffle.FALSE
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, shuffles, num_samples or None)
    # As in MindSpore, `num_samples` makes the draws ones with replacement.
    return (
        RandomSampler(num_samples is not None, num_samples) if shuffles else SequentialSampler(num_samples=num_samples)
    )
