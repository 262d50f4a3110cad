"""A view's layout in its base tensor's storage: strides, offset, contiguity.

Arrays of JAX have no strides. Those that MindSpore's views have are read off the positions of the view's elements,
which come from the operations that made the view, applied to the positions of its source.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.dispatch import shared_storage
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.shape import create


def _positions(tensor: Tensor) -> np.ndarray | None:
    """The place of each element in the storage; None for a tensor that is its own source."""
    link = tensor._alias
    root = None if link is None else link[0]()
    if link is None or root is None:
        return None
    found: Any = Tensor(np.arange(root.size).reshape(root.shape))
    for step in link[1]:
        found = shared_storage._forward(step, found)
    return found.asnumpy()


def _row_major(shape: tuple[int, ...]) -> list[int]:
    steps, step = [], 1
    for size in reversed(shape):
        steps.append(step)
        step *= max(size, 1)
    return steps[::-1]


def _strides(tensor: Tensor, at: np.ndarray | None) -> list[int]:
    steps = _row_major(tensor.shape)
    if at is None or not at.size:
        return steps
    first = [0] * at.ndim
    for dim, size in enumerate(at.shape):
        if size > 1:
            second = list(first)
            second[dim] = 1
            steps[dim] = int(at[tuple(second)] - at[tuple(first)])
    return steps


@faces("Tensor")
def stride(self, dim=None):
    """Elements to step in each dimension, a list; or in one of them.

    Args:
        dim (int): the one dimension; all of them by default.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2, 3], [4, 5, 6]])
    >>> print(x.stride(), x.stride(0))
    [3, 1] 3
    """
    steps = _strides(self, _positions(self))
    return steps if dim is None else steps[dim]


@faces("Tensor")
def storage_offset(self) -> int:
    """The place of the first element in the storage.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3])
    >>> print(x.narrow(0, 1, 2).storage_offset())
    1
    """
    at = _positions(self)
    return int(at.flat[0]) if at is not None and at.size else 0


@faces("Tensor")
def is_contiguous(self) -> bool:
    """Whether the elements are stored in row-major order.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(x.is_contiguous(), x.T.is_contiguous())
    True False
    """
    at = _positions(self)
    return at is None or _strides(self, at) == _row_major(self.shape)


@faces("Tensor")
def contiguous(self):
    """A tensor whose elements are in row-major order: this one if its elements are, else a copy.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(x.T.contiguous().is_contiguous())
    True
    """
    return self if is_contiguous(self) else create.identity_cast(self, self.dtype)
