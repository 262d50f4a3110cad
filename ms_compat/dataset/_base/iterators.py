"""Iterators over a pipeline: epochs, conversion to Tensors, prefetch.

An iterator is reusable: each epoch ends with `StopIteration`, the next `next()` starts the following epoch, and one
epoch more than `num_epochs` raises `RuntimeError`, as in MindSpore. The thread that makes the items also makes the
Tensors, so with a prefetch thread the copy to the device overlaps the training step. `dataset.config.set_prefetch_size`
sets how many items are ready.
"""

import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support import prefetch, rows, timing
from ms_compat.dataset._support.arguments import INT32_MAX, check_bool, check_int, interval_error


def _to_tensor() -> Callable[[Any], Any]:
    """Makes the converter of one column; strings stay numpy arrays, as in MindSpore."""
    from ms_compat._core.tensor import Tensor

    def convert(item: Any) -> Any:
        if type(item) is np.ndarray:
            if item.dtype.kind in "SU":
                return item
            made = Tensor(item)
            made._made_of_numpy = made._v
            return made
        if isinstance(item, dict):
            return {key: convert(value) for key, value in item.items()}
        return type(item)(convert(value) for value in item) if isinstance(item, (list, tuple)) else item

    return convert


# All live iterators, for functions that end them all.
alive: weakref.WeakSet["BaseIterator"] = weakref.WeakSet()


class BaseIterator:
    """The common part of the two iterators.

    Args:
        dataset: the pipeline.
        num_epochs: epochs that may be iterated, -1 without end.
        output_numpy: numpy arrays instead of Tensors.
    """

    def __init__(self, dataset: Any, num_epochs: int = -1, output_numpy: bool = False) -> None:
        api = type(self).__name__
        check_int(api, "num_epochs", num_epochs)
        if num_epochs < -1 or num_epochs > INT32_MAX:
            raise interval_error(api, "num_epochs", 1, INT32_MAX, num_epochs)
        if num_epochs == 0:
            raise RuntimeError(f"For '{api}', the 'num_epochs' must be -1 or a positive int, but got 0.")
        check_bool(api, "output_numpy", output_numpy)
        self.dataset = dataset
        self._names = dataset.get_col_names()
        self._epochs = num_epochs
        self._convert = None if output_numpy else _to_tensor()
        self._streams = dataset._streams()
        self._decision, self._rows_decision = prefetch.Decision(), prefetch.Decision()
        self._epoch = 0
        step = dataset.get_init_step()
        self._epochs_done: int = 0
        self._steps_done: int = 0
        if step:
            self._epochs_done, self._steps_done = divmod(step, max(dataset.get_dataset_size(), 1))
        self._items: Iterator[Any] | None = None
        self._given = 0
        alive.add(self)

    @staticmethod
    def _packer(names: list[str]) -> Callable[[Any], Any]:
        """Makes the function that turns a row into an item. It must not hold the iterator.

        The prefetch thread holds it; an iterator that its own thread holds would never be collected, nor the thread
        end.
        """
        raise NotImplementedError

    def _made(self, source: Iterator[rows.Row]) -> Iterator[Any]:
        convert, pack = self._convert, self._packer(self._names)
        if convert is None:
            return map(pack, source)
        return (pack([convert(item) for item in row]) for row in source)

    def __iter__(self) -> "BaseIterator":
        return self

    def __next__(self) -> Any:
        return self._next() if timing.active is None else timing.active.wait(self, self._next)

    def _next(self) -> Any:
        items = self._items
        if items is None:
            items = self._start()
        try:
            item = next(items)
        except StopIteration:
            self._items = None
            self._epoch += 1
            if self.dataset.dataset_size is None:
                self.dataset.dataset_size = self._given
            self._given = 0
            if self._epoch == self._epochs:
                self._streams.close()
            raise
        except BaseException:
            self._items = None
            raise
        self._given += 1
        return item

    def _start(self) -> Iterator[Any]:
        if self._epochs != -1 and self._epoch >= self._epochs:
            raise RuntimeError(
                f"For '{type(self).__name__}', all {self._epochs} epochs of 'num_epochs' were iterated. "
                "Create a new iterator, or raise 'num_epochs'."
            )
        from ms_compat.dataset.config import chosen_prefetch_size

        source = self.dataset._rows(self._streams, self._epochs_done + self._epoch)
        rest = source if self._epoch or not self._steps_done else itertools.islice(source, self._steps_done, None)
        depth = chosen_prefetch_size()
        if depth is not None and depth > prefetch.DEPTH:
            # Many rows are ready in the host's memory, but only a few on the device.
            rest = source = prefetch.prefetched(_closing(rest, source), self._rows_decision, depth)
        self._items = prefetch.prefetched(
            _closing(self._made(rest), source), self._decision, min(depth or prefetch.DEPTH, prefetch.DEPTH)
        )
        return self._items

    @property
    def seed(self) -> int:
        """The seed of the random streams: equal pipelines with it give equal epochs."""
        return self._streams.seed

    def go_on(self, seed: int | None, epoch: int, step: int) -> None:
        """Before the first item: starts in an epoch, after `step` items, as an iterator with that seed would."""
        if seed is not None:
            self._streams.seed = seed
        self._epochs_done, self._steps_done = epoch, step

    def get_col_names(self) -> list[str]:
        """The column names, in order."""
        return list(self._names)

    def stop(self) -> None:
        """Ends the iteration and its thread; the next `next()` raises `RuntimeError`."""
        items, self._items = self._items, None
        if items is not None:
            items.close()  # type: ignore[attr-defined]
        self._streams.close()
        self._epochs, self._epoch = max(self._epoch, 1), max(self._epoch, 1)

    release = stop


def _closing(items: Iterator[Any], source: Iterator[Any]) -> Iterator[Any]:
    """Yields the items and then closes the source: a user's generator runs its `finally` now, not later."""
    try:
        yield from items
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()


@faces("dataset")
class TupleIterator(BaseIterator):
    """Iterates lists, one entry a column."""

    @staticmethod
    def _packer(names: list[str]) -> Callable[[Any], Any]:
        return list


@faces("dataset")
class DictIterator(BaseIterator):
    """Iterates dicts, column name to data."""

    @staticmethod
    def _packer(names: list[str]) -> Callable[[Any], Any]:
        return lambda row: dict(zip(names, row, strict=True))
