"""Internals of MindSpore's `dataset` that scripts import: the switch that ends its iterators, kinds of datasets."""

from __future__ import annotations

from typing import Any

from ms_compat._core.homes import written_in
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._base.iterators import alive
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset.sources.streams import StreamDataset

__all__ = ["_cleanup", "_set_iterator_cleanup", "_unset_iterator_cleanup", "check_iterator_cleanup"]

_ended = False
_GENERAL = {"CSVDataset", "GeneratorDataset", "MindDataset", "NumpySlicesDataset", "PaddedDataset", "TFRecordDataset"}


def _domain(kind: type) -> str:
    """What the rows of a dataset are: "texts", "speech", "images" or "any"."""
    if kind.__name__ in _GENERAL or not issubclass(kind, (MappableDataset, StreamDataset)):
        return "any"
    file = written_in(kind).rpartition(".")[2]
    if file in ("texts", "speech"):
        return file
    return "texts" if kind.__name__ == "TextFileDataset" else "images"


class _Kind(type):
    """A class only for checks: `isinstance(dataset, VisionBaseDataset)`."""

    BASES: tuple[type, ...] = (Dataset,)
    DOMAINS: frozenset[str] = frozenset({"any", "images", "speech", "texts"})

    def __instancecheck__(cls, instance: object) -> bool:
        return issubclass(type(instance), cls)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.BASES) and _domain(kind) in cls.DOMAINS


class SourceDataset(metaclass=_Kind):
    """The datasets that read something."""

    BASES = (MappableDataset, StreamDataset)


class UnionBaseDataset(metaclass=_Kind):
    """The datasets of arbitrary rows, and datasets made of other datasets."""

    DOMAINS = frozenset({"any"})


class VisionBaseDataset(metaclass=_Kind):
    """The datasets of images or arbitrary rows."""

    DOMAINS = frozenset({"any", "images"})


class TextBaseDataset(metaclass=_Kind):
    """The datasets of texts or arbitrary rows."""

    DOMAINS = frozenset({"any", "texts"})


class AudioBaseDataset(metaclass=_Kind):
    """The datasets of sounds or arbitrary rows."""

    DOMAINS = frozenset({"any", "speech"})


def _set_training_dataset(dataset: Any) -> None:
    """Tells MindSpore which pipeline to bring to a step after training broke off; the callbacks do so here."""


def _reset_training_dataset(global_step: int, dataset_size: int) -> None:
    """As `_set_training_dataset`."""


def _set_iterator_cleanup() -> None:
    """Say that iterators are to end."""
    global _ended
    _ended = True


def _unset_iterator_cleanup() -> None:
    """Say that iterators may go on."""
    global _ended
    _ended = False


def check_iterator_cleanup() -> bool:
    """Whether iterators are to end."""
    return _ended


def _cleanup() -> None:
    """End all iterators: their threads and processes stop, and the next row raises RuntimeError."""
    _set_iterator_cleanup()
    for iterator in list(alive):
        iterator.stop()
