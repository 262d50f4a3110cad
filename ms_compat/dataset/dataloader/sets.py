"""The datasets that `DataLoader` reads: random access by index, or iterable."""

from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces

T = TypeVar("T", covariant=True)


@faces("dataset.dataloader")
class Dataset(Generic[T]):
    """The base of random-access datasets; a subclass defines `__getitem__` and, usually, `__len__`."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define '__getitem__'.")


@faces("dataset.dataloader")
class IterableDataset(Dataset[T]):
    """The base of datasets that are read in order; a subclass defines `__iter__`."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} must define '__iter__'.")


@faces("dataset.dataloader")
class TensorDataset(Dataset[tuple[Any, ...]]):
    """Slices Tensors of one length along the first axis.

    Args:
        tensors: the Tensors.

    Raises:
        ValueError: if lengths differ.
    """

    def __init__(self, *tensors: Any) -> None:
        from ms_compat._core.tensor import Tensor

        for k, tensor in enumerate(tensors):
            check_type("TensorDataset", f"tensors[{k}]", tensor, Tensor)
        lengths = [tensor.shape[0] for tensor in tensors]
        if len(set(lengths)) > 1:
            raise ValueError(f"For 'TensorDataset', all Tensors must have one length, but got {lengths}.")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]
