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
_unsupported_getattr: Any
def erfc(input: Tensor) -> Tensor:
    """Complement of the Gauss error function, 1 - erf(x). Integers and bool give Float32."""
def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element. Integers and bool give Float32."""
def expm1(input: Any) -> Any:
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
def log1p(input: Tensor) -> Tensor:
    """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Type | None = None) -> Tensor:
    """log(softmax(x)) along a dimension."""
def round(input: Tensor, decimals: Any = 0) -> Tensor:
    """The nearest number with `decimals` digits after the point, halves to even."""
def sinc(input: Tensor) -> Tensor:
    """sin(pi x) / (pi x), 1 at zero. Integers and bool give Float32."""
