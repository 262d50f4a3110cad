# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from ms_compat._core.dtype import Type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive

from ms_compat._core import faces as __faces
_faces = __faces
_matrix_norm: Any
_unsupported_getattr: Any
_vector_norm: Any
def inv(input: Tensor) -> Tensor:
    """The inverses of square matrices."""
def matrix_norm(
    A: Tensor,
    ord: int | float | str = 'fro',
    dim: Sequence[int] = ...,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of matrices, as `mindspore.ops.matrix_norm`."""
def norm(
    A: Tensor,
    ord: int | float | str | None = None,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of vectors or matrices, as `mindspore.ops.norm`."""
def qr(input: Any, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
    """QR decomposition: (Q, R)."""
def vector_norm(
    x: Tensor,
    ord: bool | int | float = 2,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """A norm of vectors: (sum of |x|**ord)**(1/ord) over dimensions; inf, -inf and 0 as limits."""
