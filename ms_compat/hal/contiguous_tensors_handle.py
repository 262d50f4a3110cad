"""Several Tensors as one flat sequence of numbers."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_bool
from ms_compat._core.tensor import Tensor
from ms_compat.ops import concat


class ContiguousTensorsHandle:
    """Tensors of one type, one after the other, which is sliced like a flat Tensor. JAX alone places memory: the slices
    are copies, and nothing is padded between the Tensors.

    Args:
        tensor_list (list[Tensor], tuple[Tensor]): the Tensors.
        enable_mem_align (bool): whether MindSpore aligns them in memory.

    Raises:
        TypeError: an argument is not of its type.

    >>> from ms_compat import Tensor
    >>> handle = ContiguousTensorsHandle([Tensor([1, 2, 3]), Tensor([4, 5])])
    >>> print(handle[2:4], handle.slice_by_tensor_index(1))
    [3 4] [4 5]
    """

    def __init__(self, tensor_list: Any, enable_mem_align: bool = True) -> None:
        if not isinstance(tensor_list, (list, tuple)) or not all(isinstance(t, Tensor) for t in tensor_list):
            raise TypeError("For 'ContiguousTensorsHandle', the 'tensor_list' must be a list of Tensors.")
        check_bool("ContiguousTensorsHandle", "enable_mem_align", enable_mem_align)
        self.tensor_list = tuple(tensor_list)
        self.enable_mem_align = enable_mem_align
        self.total_padding_size = sum(t.nbytes for t in self.tensor_list)
        self.handle_shape = sum(t.size for t in self.tensor_list)

    def __getitem__(self, item: Any) -> Tensor:
        if isinstance(item, slice):
            return self._flat(self.tensor_list, *_bounds(item.start, item.stop, self.handle_shape))
        if not isinstance(item, int):
            raise TypeError(f"A place must be an int or a slice of ints, but got {type(item).__name__}.")
        return self._flat(self.tensor_list, *_bounds(item, item + 1, self.handle_shape))

    def slice_by_tensor_index(self, start: int | None = None, end: int | None = None) -> Tensor:
        """Returns the Tensors' numbers from `start` up to `end`, which is excluded; one number without `end`.

        Raises:
            TypeError: a place is not an int.
            ValueError: a place is outside, or the slice is empty.
        """
        end = start + 1 if isinstance(start, int) and end is None else end
        first, last = _bounds(start, end, len(self.tensor_list))
        return self._flat(self.tensor_list[first:last], 0, None)

    @staticmethod
    def _flat(tensors: tuple[Tensor, ...], start: int, end: int | None) -> Tensor:
        return concat([t.reshape(-1) for t in tensors])[start:end]

    def __str__(self) -> str:
        lines = [f"Tensor[{number}]: {tensor.asnumpy()}\n" for number, tensor in enumerate(self.tensor_list)]
        return f"Handle total size: {self.total_padding_size}\n" + "".join(lines)


def _bounds(start: Any, end: Any, size: int) -> tuple[int, int]:
    first, last = 0 if start is None else start, size if end is None else end
    if not isinstance(first, int) or not isinstance(last, int):
        raise TypeError(f"The ends of a slice must be ints, but got {start!r} and {end!r}.")
    if first < 0 or last > size or first >= last:
        raise ValueError(f"The slice [{first}:{last}] is empty or outside of the {size} entries.")
    return first, last


def combine_tensor_list_contiguous(tensor_list: Any, enable_mem_align: bool = True) -> ContiguousTensorsHandle:
    """Returns the `ContiguousTensorsHandle` of some Tensors."""
    return ContiguousTensorsHandle(tensor_list, enable_mem_align)
