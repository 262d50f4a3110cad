"""Type names that the stubs and editors show in signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

if TYPE_CHECKING:
    from ms_compat._core.dtype import Type
    from ms_compat._core.tensor import Tensor

Number: TypeAlias = int | float | complex  # a bool is an int
Ints: TypeAlias = int | Sequence[int]
Operand: TypeAlias = Any  # of an operator: a Tensor, a number, for some a list; distinguished when the operator runs
# what `mindspore.numpy` makes a Tensor of, and what it takes for a dtype
ArrayLike: TypeAlias = Union["Tensor", Number, Sequence[Any], "np.ndarray[Any, Any]"]
DTypeLike: TypeAlias = Union["Type", str, type[Any]]
