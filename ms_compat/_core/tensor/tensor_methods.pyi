# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Sequence
import builtins as _b
from typing import Any, overload

from ms_compat._core.dtype import Type
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive

class TensorMethods:
    """What tables attach to `Tensor`."""
    def __add__(self, other: Operand) -> Tensor: ...
    def __radd__(self, other: Operand) -> Tensor: ...
    def __iadd__(self, other: Operand) -> Tensor: ...
    def __sub__(self, other: Operand) -> Tensor: ...
    def __rsub__(self, other: Operand) -> Tensor: ...
    def __isub__(self, other: Operand) -> Tensor: ...
    def __mul__(self, other: Operand) -> Tensor: ...
    def __rmul__(self, other: Operand) -> Tensor: ...
    def __imul__(self, other: Operand) -> Tensor: ...
    def __truediv__(self, other: Operand) -> Tensor: ...
    def __rtruediv__(self, other: Operand) -> Tensor: ...
    def __itruediv__(self, other: Operand) -> Tensor: ...
    def __floordiv__(self, other: Operand) -> Tensor: ...
    def __rfloordiv__(self, other: Operand) -> Tensor: ...
    def __ifloordiv__(self, other: Operand) -> Tensor: ...
    def __mod__(self, other: Operand) -> Tensor: ...
    def __rmod__(self, other: Operand) -> Tensor: ...
    def __imod__(self, other: Operand) -> Tensor: ...
    def __pow__(self, other: Operand) -> Tensor: ...
    def __rpow__(self, other: Operand) -> Tensor: ...
    def __matmul__(self, other: Operand) -> Tensor: ...
    def __rmatmul__(self, other: Operand) -> Tensor: ...
    def __and__(self, other: Operand) -> Tensor: ...
    def __or__(self, other: Operand) -> Tensor: ...
    def __xor__(self, other: Operand) -> Tensor: ...
    def __rand__(self, other: Operand) -> Tensor: ...
    def __ror__(self, other: Operand) -> Tensor: ...
    def __rxor__(self, other: Operand) -> Tensor: ...
    def __lt__(self, other: Operand) -> Tensor: ...
    def __le__(self, other: Operand) -> Tensor: ...
    def __gt__(self, other: Operand) -> Tensor: ...
    def __ge__(self, other: Operand) -> Tensor: ...
    def __eq__(self, other: Operand) -> Tensor: ...
    def __ne__(self, other: Operand) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __round__(self, ndigits: _b.int | None = None) -> Tensor: ...
    def __array_ufunc__(self, ufunc: Any, method: _b.str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __getitem__(self, index: Any) -> Tensor: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __iter__(self) -> Iterator[Tensor]: ...
    @property
    def H(self) -> Tensor:
        """The matrix transposed and conjugated."""
    @property
    def T(self) -> Tensor:
        """The dimensions in reverse order, a view in PYNATIVE_MODE; a tensor of fewer than two dimensions as it is."""
    def abs(self) -> Tensor:
        """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
    def absolute(self) -> Any:
        """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
    def acos(self) -> Tensor:
        """Arccosine of each element. Integers and bool give Float32."""
    def acosh(self) -> Tensor:
        """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
    def add(self, other: Tensor | Number | _b.bool, *, alpha: Number = 1) -> Tensor:
        """The sum, with `alpha` times the other operand; without it also of a list or tuple, in the tensor's dtype."""
    def add_(self, other: Tensor | Number | _b.bool, *, alpha: Number = 1) -> Tensor:
        """`add` in place; returns the tensor, whose shape and dtype stay."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, beta: _b.int | _b.float = 1, alpha: _b.int | _b.float = 1) -> Tensor:
        """beta * input + alpha * the sum of batched matrix products; arguments as for `addmm`."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
        """input + value * tensor1 / tensor2."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
        """input + value * tensor1 * tensor2."""
    def addmm(self, mat1: Tensor, mat2: Tensor, beta: _b.int | _b.float = 1, alpha: _b.int | _b.float = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2)."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, beta: _b.int | _b.float = 1, alpha: _b.int | _b.float = 1) -> Tensor:
        """`addmm` in place; returns the tensor, whose shape and dtype stay."""
    def addmv(self, mat: Tensor, vec: Tensor, beta: _b.int | _b.float | _b.bool = 1, alpha: _b.int | _b.float | _b.bool = 1) -> Tensor:
        """beta * input + alpha * (mat @ vec); arguments as for `addmm`."""
    def addr(self, vec1: Tensor, vec2: Tensor, beta: _b.int | _b.float | _b.bool = 1, alpha: _b.int | _b.float | _b.bool = 1) -> Tensor:
        """beta * x + alpha * outer(vec1, vec2); arguments as for `addmm`."""
    def adjoint(self) -> Tensor:
        """The last two dimensions exchanged, and complex conjugates; a view in PYNATIVE_MODE of a real tensor."""
    @overload
    def all(self, axis: _b.int | Sequence[_b.int] | Tensor | None = None, keep_dims: _b.bool = False) -> Tensor:
        """Whether all elements over dimensions are true."""
    @overload
    def all(self, dim: _b.int | Sequence[_b.int] | Tensor | None = None, keepdim: _b.bool = False) -> Tensor: ...
    def allclose(
        self,
        other: Tensor,
        rtol: _b.float | _b.int | _b.bool = 1e-05,
        atol: _b.float | _b.int | _b.bool = 1e-08,
        equal_nan: _b.bool = False,
    ) -> _b.bool:
        """Whether all elements are close, as a Python bool."""
    @overload
    def amax(
        self,
        axis: _b.int | Sequence[_b.int] | Tensor | None = None,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """The maximum over dimensions. Its gradient is shared evenly among equal elements."""
    @overload
    def amax(
        self,
        dim: _b.int | Sequence[_b.int] | Tensor | None = None,
        keepdim: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | None = None,
    ) -> Tensor: ...
    @overload
    def amin(
        self,
        axis: _b.int | Sequence[_b.int] | Tensor | None = None,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """The minimum over dimensions; arguments as for `amax`."""
    @overload
    def amin(
        self,
        dim: _b.int | Sequence[_b.int] | Tensor | None = None,
        keepdim: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | None = None,
    ) -> Tensor: ...
    @overload
    def aminmax(self, axis: _b.int = 0, keepdims: _b.bool = False) -> tuple[Any, ...]:
        """The minimum and the maximum along an axis (None: of all elements)."""
    @overload
    def aminmax(self, dim: _b.int = 0, keepdim: _b.bool = False) -> tuple[Any, ...]: ...
    def angle(self) -> Tensor:
        """The argument of a complex number; 0 or pi for a real one."""
    @overload
    def any(self, axis: _b.int | Sequence[_b.int] | Tensor | None = None, keep_dims: _b.bool = False) -> Tensor:
        """Whether any element over dimensions is true; arguments as for `all`."""
    @overload
    def any(self, dim: _b.int | Sequence[_b.int] | Tensor | None = None, keepdim: _b.bool = False) -> Tensor: ...
    def approximate_equal(self, y: Tensor, tolerance: _b.float = 1e-05) -> Tensor:
        """Where |x - y| < tolerance."""
    def arccos(self) -> Any:
        """Arccosine of each element. Integers and bool give Float32."""
    def arccosh(self) -> Any:
        """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
    def arcsin(self) -> Any:
        """Arcsine of each element. Integers and bool give Float32."""
    def arcsinh(self) -> Any:
        """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
    def arctan(self) -> Any:
        """Arctangent of each element. Integers and bool give Float32."""
    def arctan2(self, other: Any) -> Any:
        """The angle of the point (other, input), in radians."""
    def arctanh(self) -> Any:
        """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
    @overload
    def argmax(self, dim: _b.int | None = None, keepdim: _b.bool = False) -> Tensor:
        """The Int64 position of the first maximum along a dimension; of the flat tensor for None."""
    @overload
    def argmax(self, axis: _b.int | None = None, keepdims: _b.bool = False) -> Tensor: ...
    def argmax_with_value(self, axis: _b.int | None = 0, keep_dims: _b.bool = False) -> tuple[Any, ...]:
        """The maximum along an axis and its position."""
    @overload
    def argmin(self, axis: _b.int | None = None, keepdims: _b.bool = False) -> Tensor:
        """The Int32 position of the first minimum along an axis; of the flat tensor for None. Int64 for a 0-d tensor."""
    @overload
    def argmin(self, dim: _b.int | None = None, keepdim: _b.bool = False) -> Tensor: ...
    def argmin_with_value(self, axis: _b.int | None = 0, keep_dims: _b.bool = False) -> tuple[Any, ...]:
        """The minimum along an axis and its position."""
    def argsort(
        self,
        axis: _b.int = -1,
        descending: _b.bool = False,
        stable: _b.bool = False,
        *,
        dim: _b.int | None = None,
    ) -> Tensor:
        """The sorted elements' positions along an axis (Int32); equal ones always keep their order."""
    def argwhere(self) -> Any:
        """As `nonzero`."""
    def asin(self) -> Tensor:
        """Arcsine of each element. Integers and bool give Float32."""
    def asinh(self) -> Tensor:
        """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
    def assign_value(self, value: Tensor) -> Tensor:
        """Replace the value in place by another tensor's value, whatever its shape and dtype; returns the tensor."""
    def assign_value_cpp(self, value: Any) -> Any:
        """Replace the value in place by another tensor's value, whatever its shape and dtype; returns the tensor."""
    def astype(self, dtype: Any, copy: _b.bool = True) -> Tensor:
        """The tensor in another dtype: a mindspore dtype, a NumPy or Python type, or a name."""
    def atan(self) -> Tensor:
        """Arctangent of each element. Integers and bool give Float32."""
    def atan2(self, other: Tensor | Number) -> Tensor:
        """The angle of the point (other, input), in radians."""
    def atanh(self) -> Tensor:
        """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
    def baddbmm(self, batch1: Tensor, batch2: Tensor, beta: _b.float | _b.int = 1, alpha: _b.float | _b.int = 1) -> Tensor:
        """beta * input + alpha * (batch1 @ batch2), matrix by matrix; arguments as for `addmm`."""
    def bernoulli(self, *, generator: Any = None) -> Tensor: ...
    def bernoulli_(self, p: Number | Tensor = 0.5, *, generator: Any = None) -> Tensor:
        """1 with probability `p` (a number or a tensor), else 0, in place; returns the tensor."""
    def bfloat16(self) -> Tensor:
        """The tensor in BFloat16."""
    def bincount(self, weights: Tensor | None = None, minlength: _b.int = 0) -> Tensor:
        """How often each number from 0 on occurs in a 1-d tensor of integers (Float32), or the sums of their weights."""
    def bitwise_and(self, other: Tensor | Number) -> Tensor:
        """The and of the bits."""
    def bitwise_left_shift(self, other: Tensor | _b.int | _b.bool) -> Tensor:
        """The bits shifted to the left."""
    def bitwise_not(self) -> Tensor:
        """All bits flipped."""
    def bitwise_or(self, other: Tensor | Number) -> Tensor:
        """The or of the bits."""
    def bitwise_right_shift(self, other: Tensor | _b.int | _b.bool) -> Tensor:
        """The bits shifted to the right."""
    def bitwise_xor(self, other: Tensor | Number) -> Tensor:
        """The exclusive or of the bits."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two matrix batches."""
    def bool(self) -> Tensor:
        """The tensor in Bool."""
    @overload
    def broadcast_to(self, *shape: Ints | Tensor) -> Tensor: ...
    @overload
    def broadcast_to(self, *, shape: Ints | Tensor) -> Tensor: ...
    def byte(self) -> Tensor:
        """The tensor in UInt8."""
    def cauchy(self, median: _b.float = 0.0, sigma: _b.float = 1.0) -> Tensor: ...
    def ceil(self) -> Tensor:
        """The smallest integer not below each element. Integers are returned as they are."""
    def cholesky(self, upper: _b.bool = False) -> Tensor:
        """The Cholesky factors of positive definite matrices."""
    def cholesky_inverse(self, upper: _b.bool = False) -> Tensor:
        """The inverse of the matrix with Cholesky factor `input_x`, of which MindSpore reads both triangles."""
    def cholesky_solve(self, input2: Tensor, upper: _b.bool = False) -> Tensor:
        """Solutions of A x = input, where `input2` is the Cholesky factor of A."""
    def choose(self, choices: Sequence[Any] | Tensor, mode: _b.str = 'clip') -> Tensor:
        """Elements of the choices that the tensor numbers; positions outside are clipped, or wrapped with "wrap"."""
    @overload
    def chunk(self, chunks: _b.int, axis: _b.int = 0) -> tuple[Any, ...]:
        """At most `chunks` pieces of equal size along an axis (the last may be smaller); views in PYNATIVE_MODE."""
    @overload
    def chunk(self, chunks: _b.int, dim: _b.int = 0) -> tuple[Any, ...]: ...
    def clamp(self, min: Tensor | _b.float | _b.int | None = None, max: Tensor | _b.float | _b.int | None = None) -> Tensor:
        """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """`clamp` in place; returns the tensor, whose shape and dtype stay."""
    def clip(self, min: Any = None, max: Any = None) -> Any:
        """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
    def clone(self) -> Tensor:
        """A tensor of its own with the same values."""
    def col2im(
        self,
        output_size: Tensor,
        kernel_size: _b.int | Sequence[_b.int],
        dilation: _b.int | Sequence[_b.int],
        padding_value: _b.int | Sequence[_b.int],
        stride: _b.int | Sequence[_b.int],
    ) -> Any:
        """The sum of sliding blocks [N, C, KH * KW, L] into [N, C, H, W]."""
    def conj(self) -> Tensor:
        """The complex conjugate."""
    def contiguous(self) -> Any:
        """A tensor whose elements are in row-major order: this one if its elements are, else a copy."""
    @staticmethod
    def convert_bytes_to_tensor(bytes_obj: Any, shape: Any, dtype: Any) -> Any: ...
    def copy(self) -> Any:
        """A tensor of its own with the same values."""
    def copy_(self, src: Tensor) -> Tensor:
        """`copy` in place; returns the tensor, whose shape and dtype stay."""
    def copysign(self, other: _b.int | _b.float | Tensor) -> Tensor:
        """The first operand's size with the second one's sign, as a float."""
    def cos(self) -> Tensor:
        """Cosine of each element, in radians. Integers and bool give Float32."""
    def cosh(self) -> Tensor:
        """Hyperbolic cosine of each element. Integers and bool give Float32."""
    @overload
    def count_nonzero(self, axis: _b.int | Sequence[_b.int] = ..., keep_dims: _b.bool = False, dtype: Any = None) -> Tensor:
        """How many elements over dimensions are not 0, as Int32 or in `dtype`."""
    @overload
    def count_nonzero(self, dim: _b.int | Sequence[_b.int] = ..., keepdim: _b.bool = False, dtype: Any = None) -> Tensor: ...
    def cov(self, *, correction: _b.int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
        """Covariances of the rows, whose columns are the observations."""
    def cross(self, other: Tensor, dim: _b.int | None = None) -> Tensor:
        """The vector product along a dimension of size 3 (the first such one for None)."""
    def cummax(self, axis: _b.int) -> tuple[Any, ...]:
        """Running maximum along an axis and its last position (Int64)."""
    def cummin(self, axis: _b.int) -> tuple[Any, ...]:
        """Running minimum along an axis and its last position (Int32)."""
    @overload
    def cumprod(self, dim: _b.int, dtype: Type | None = None) -> Tensor:
        """Running product along a dimension; of integers in Int64."""
    @overload
    def cumprod(self, axis: _b.int, dtype: Type | None = None) -> Tensor: ...
    def cumsum(self, axis: _b.int | None = None, dtype: Type | None = None, *, dim: _b.int | None = None) -> Tensor:
        """Running sum along an axis; narrow integers in Int32."""
    @property
    def data(self) -> Tensor:
        """The tensor's values in another tensor of the same storage; a constant for differentiation."""
    @data.setter
    def data(self, value: Any) -> None: ...
    def data_ptr(self) -> Any:
        """The address of the tensor's data; JAX may move it whenever the tensor is written to."""
    def data_sync(self, need_wait: _b.bool = True) -> Any:
        """Returns when the tensor is computed."""
    def deg2rad(self) -> Tensor:
        """Degrees to radians. Integers and bool give Float32."""
    def delete_(self, non_blocking: _b.bool = False) -> Tensor:
        """Give the values up, so that their memory is free once no other tensor and no gradient holds them."""
    delta_seed: Any
    def det(self) -> Tensor:
        """The determinants of square matrices."""
    def diag(self, diagonal: _b.int = 0) -> Tensor:
        """A matrix of a vector, or the diagonal of a matrix."""
    def diagflat(self, offset: _b.int = 0) -> Tensor:
        """A matrix with the flat input on a diagonal."""
    def diagonal(self, offset: _b.int = 0, dim1: _b.int = 0, dim2: _b.int = 1) -> Tensor:
        """A diagonal of two dimensions as the last dimension; a view in PYNATIVE_MODE."""
    def diagonal_scatter(self, src: Tensor, offset: _b.int = 0, dim1: _b.int = 0, dim2: _b.int = 1) -> Tensor:
        """A copy with a diagonal replaced; ValueError unless `src` has the diagonal's shape."""
    def diff(self, n: _b.int = 1, axis: _b.int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
        """Differences of neighbours along an axis, `n` times."""
    def digamma(self) -> Tensor:
        """Derivative of the log-gamma function. Integers and bool give Float32."""
    def dim(self) -> _b.int:
        """The number of a tensor's dimensions."""
    def div(self, other: Tensor | Number | _b.bool, *, rounding_mode: _b.str | None = None) -> Tensor:
        """The quotient, rounded as `rounding_mode` says."""
    def div_(self, other: Tensor | Number | _b.bool, rounding_mode: _b.str | None = None) -> Tensor:
        """`div` in place; returns the tensor, whose shape and dtype stay."""
    def divide(self, other: Any, *, rounding_mode: Any = None) -> Any:
        """The quotient, rounded as `rounding_mode` says."""
    def dot(self, other: Tensor) -> Tensor:
        """The product over the last dimension of the first and the last but one of the second, each of 2 or more."""
    def double(self) -> Tensor:
        """The tensor in Float64."""
    def dsplit(self, indices_or_sections: _b.int | Sequence[_b.int]) -> tuple[Any, ...]:
        """`tensor_split` along the third dimension."""
    def eigvals(self) -> Tensor:
        """Eigenvalues of square matrices, always complex."""
    def eq(self, other: Tensor | Number) -> Tensor:
        """Where the operands are equal."""
    def equal(self, other: Tensor | Number) -> Tensor:
        """Where the operands are equal."""
    def erf(self) -> Tensor:
        """Gauss error function. Integers and bool give Float32."""
    def erfc(self) -> Tensor:
        """Complement of the Gauss error function, 1 - erf(x). Integers and bool give Float32."""
    def erfinv(self) -> Tensor:
        """Inverse of the Gauss error function on (-1, 1). Integers and bool give Float32."""
    def erfinv_(self) -> Tensor:
        """`erfinv` in place; returns the tensor, whose shape and dtype stay."""
    def exp(self) -> Tensor:
        """e to the power of each element. Integers and bool give Float32."""
    def exp2(self) -> Tensor:
        """2 to the power of each element. Integers and bool give Float32."""
    def exp_(self) -> Tensor:
        """`exp` in place; returns the tensor, whose shape and dtype stay."""
    def expand(self, *size: Ints | Tensor) -> Tensor: ...
    def expand_as(self, other: Tensor | None = None, *, x: Tensor | None = None) -> Tensor:
        """The tensor broadcast to the shape of another; a view in PYNATIVE_MODE."""
    def expand_dims(self, axis: _b.int) -> Tensor:
        """A new dimension of size 1 at `axis`; a view in PYNATIVE_MODE."""
    def expm1(self) -> Any:
        """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
    def exponential_(self, lambd: _b.float = 1, *, generator: Any = None) -> Tensor:
        """Numbers from an exponential distribution with rate `lambd`, in place; returns the tensor."""
    def fill(self, value: Tensor | Number | _b.bool) -> Tensor:
        """One value in the tensor's shape and dtype, as a new tensor."""
    def fill_(self, value: Tensor | Number | _b.bool) -> Tensor:
        """`fill` in place; returns the tensor, whose shape and dtype stay."""
    def fill_diagonal(self, fill_value: _b.float, wrap: _b.bool = False) -> Tensor:
        """A copy with one value on the main diagonal."""
    def fill_diagonal_(self, fill_value: Number, wrap: _b.bool = False) -> Tensor:
        """`fill_diagonal` in place; returns the tensor, whose shape and dtype stay."""
    def fills(self, value: Any) -> Any:
        """One value in the shape and dtype of a tensor."""
    @overload
    def flatten(self, order: _b.str = 'C', *, start_dim: _b.int = 0, end_dim: _b.int = -1) -> Tensor: ...
    @overload
    def flatten(self, start_dim: _b.int, end_dim: _b.int = -1) -> Tensor: ...
    def flip(self, dims: Sequence[_b.int]) -> Tensor:
        """The order of elements reversed along dimensions."""
    def fliplr(self) -> Tensor:
        """The second dimension reversed."""
    def flipud(self) -> Tensor:
        """The first dimension reversed."""
    def float(self) -> Tensor:
        """The tensor in Float32."""
    def float_power(self, exponent: Tensor | Number) -> Tensor:
        """The power, computed in Float64."""
    def floor(self) -> Tensor:
        """The largest integer not above each element. Integers are returned as they are."""
    def floor_(self) -> Tensor:
        """`floor` in place; returns the tensor, whose shape and dtype stay."""
    def floor_divide(self, other: Tensor | Number | _b.bool) -> Tensor:
        """The quotient rounded down, as `floor_div`."""
    def floor_divide_(self, other: Tensor | Number | _b.bool) -> Tensor:
        """`floor_divide` in place; returns the tensor, whose shape and dtype stay."""
    def flush_from_cache(self) -> Any: ...
    def fmax(self, other: Tensor) -> Tensor:
        """The larger element of each pair, ignoring NaN."""
    def fmin(self, other: Tensor) -> Tensor:
        """The smaller element of each pair, ignoring NaN."""
    def fmod(self, other: Tensor | Number) -> Tensor:
        """The remainder with the dividend's sign."""
    def fold(
        self,
        output_size: Tensor,
        kernel_size: _b.int | Sequence[_b.int],
        dilation: _b.int | Sequence[_b.int] = 1,
        padding: _b.int | Sequence[_b.int] = 0,
        stride: _b.int | Sequence[_b.int] = 1,
    ) -> Tensor:
        """The sum of sliding blocks [N, C * KH * KW, L] into [N, C, H, W]."""
    def frac(self) -> Tensor:
        """The fraction of each element, with its sign; 0 for integers, and Int64 for Bool."""
    @staticmethod
    def from_dlpack(dlpack: Any) -> Any: ...
    @overload
    def gather(self, input_indices: Tensor, axis: _b.int, batch_dims: _b.int = 0) -> Tensor: ...
    @overload
    def gather(self, dim: _b.int, index: Tensor) -> Tensor: ...
    def gather_elements(self, dim: _b.int, index: Tensor) -> Tensor:
        """The elements at indices along a dimension, as `gather_d`."""
    def gather_nd(self, indices: Tensor) -> Tensor:
        """The slices at coordinates, which stand in the last dimension of `indices`."""
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor."""
    def ge(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where input >= other."""
    def geqrf(self) -> tuple[Tensor, Tensor]:
        """Householder's factors of matrices: R on and above the diagonal, the vectors below it; and their scales tau."""
    def ger(self, vec2: Tensor) -> Tensor:
        """The outer product of two vectors."""
    def get_bytes(self) -> Any: ...
    def greater(self, other: Tensor | Number) -> Tensor:
        """Where input > other."""
    def greater_equal(self, other: Tensor | Number) -> Tensor:
        """Where input >= other."""
    def gt(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where input > other."""
    def half(self) -> Tensor:
        """The tensor in Float16."""
    def hardshrink(self, lambd: Number = 0.5) -> Tensor:
        """x where |x| > `lambd`, else 0."""
    def heaviside(self, other: Any) -> Tensor:
        """0, `other` or 1 where the input is below, at or above zero."""
    def histc(self, bins: _b.int = 100, min: _b.int | _b.float = 0.0, max: _b.int | _b.float = 0.0) -> Tensor:
        """How many elements fall into each of `bins` equal parts of [min, max] (of the data's range if both are 0)."""
    def hooks(self) -> Any:
        """The functions that `register_hook` put on the tensor and that have not been removed."""
    def hsplit(self, indices_or_sections: _b.int | Sequence[_b.int]) -> tuple[Any, ...]:
        """`tensor_split` along the second dimension."""
    def hypot(self, other: Tensor) -> Tensor:
        """sqrt(input**2 + other**2) without overflow."""
    def i0(self) -> Any:
        """Modified Bessel function of order 0."""
    def igamma(self, other: Tensor) -> Tensor:
        """Regularised lower incomplete gamma function."""
    def igammac(self, other: Tensor) -> Tensor:
        """Regularised upper incomplete gamma function."""
    def imag(self) -> Tensor:
        """The imaginary part; zeros for a real tensor."""
    def index(self, indices: Any) -> Any:
        """Elements at positions given per dimension, `input[indices]` for a tuple of Tensors."""
    def index_add(self, dim: Any, index: Any, source: Any, alpha: Any = 1) -> Tensor:
        """A copy with `alpha * source` added at indices along a dimension."""
    def index_add_(self, dim: _b.int, index: Tensor, source: Tensor, alpha: Number = 1) -> Tensor:
        """`index_add` in place; returns the tensor, whose shape and dtype stay."""
    def index_copy_(self, dim: _b.int, index: Tensor, tensor: Tensor) -> Tensor:
        """Replace slices along a dimension by another tensor's, in place; returns the tensor."""
    def index_fill(self, axis: _b.int | Tensor, index: Tensor, value: _b.bool | _b.int | _b.float | Tensor) -> Tensor:
        """A copy with the slices at indices along an axis filled with a value."""
    def index_fill_(self, dim: _b.int, index: Tensor, value: Tensor | Number | _b.bool) -> Tensor:
        """`index_fill` in place; returns the tensor, whose shape and dtype stay."""
    @property
    def index_of_parent_(self) -> Any: ...
    @index_of_parent_.setter
    def index_of_parent_(self, value: Any) -> None: ...
    def index_put(self, indices: Sequence[Tensor], values: Tensor, accumulate: _b.bool = False) -> Tensor:
        """A copy with the elements at `input[indices]` replaced, or added to."""
    def index_put_(self, indices: Sequence[Tensor], values: Tensor, accumulate: _b.bool = False) -> Tensor:
        """`index_put` in place; returns the tensor, whose shape and dtype stay."""
    @overload
    def index_select(self, axis: _b.int, index: Tensor) -> Tensor:
        """The slices at a 1-d tensor of indices along an axis."""
    @overload
    def index_select(self, dim: _b.int, index: Tensor) -> Tensor: ...
    @property
    def init_finished(self) -> Any: ...
    @property
    def init_flag(self) -> Any:
        """The mark that `set_init_flag` left."""
    def inner(self, other: Tensor) -> Tensor:
        """The sums of products over the last dimensions of both."""
    def inplace_update(self, v: Tensor, indices: _b.int | Sequence[_b.int] | Tensor) -> Tensor:
        """A copy with the rows at `indices` (an int, a tuple, or a Tensor of one dimension) replaced by `v`."""
    def int(self) -> Tensor:
        """The tensor in Int32."""
    def inv(self) -> Tensor:
        """The reciprocal; of integers their integer quotient, and the dtype's least number for 0."""
    def inverse(self) -> Tensor:
        """The inverses of square matrices."""
    def invert(self) -> Tensor:
        """All bits flipped."""
    def is_complex(self) -> _b.bool:
        """Whether the tensor's dtype is complex."""
    def is_contiguous(self) -> _b.bool:
        """Whether the elements are stored in row-major order."""
    def is_floating_point(self) -> _b.bool:
        """Whether the tensor's dtype is floating point."""
    def is_init(self) -> _b.bool:
        """The mark that `set_init_flag` left."""
    @property
    def is_meta(self) -> Any:
        """Whether the tensor has no memory; never the case here."""
    def is_pinned(self) -> _b.bool:
        """Whether `pin_memory` made the tensor."""
    def is_shared(self) -> _b.bool:
        """Whether other processes can have the same bytes; not in JAX."""
    def is_signed(self) -> _b.bool: ...
    @overload
    def isclose(self, other: Tensor, rtol: _b.float = 1e-05, atol: _b.float = 1e-08, equal_nan: _b.bool = False) -> Tensor:
        """Where |input - other| <= atol + rtol * |other|."""
    @overload
    def isclose(self, x2: Tensor, rtol: _b.float = 1e-05, atol: _b.float = 1e-08, equal_nan: _b.bool = False) -> Tensor: ...
    def isfinite(self) -> Tensor:
        """Where the elements are neither infinite nor NaN."""
    def isinf(self) -> Tensor:
        """Where the elements are infinite."""
    def isnan(self) -> Tensor:
        """Where the elements are NaN."""
    def isneginf(self) -> Tensor:
        """Where the elements are minus infinity."""
    def isposinf(self) -> Any:
        """Where the elements are plus infinity."""
    def isreal(self) -> Any:
        """Where the elements have no imaginary part."""
    def itemset(self, *args: Any) -> Tensor: ...
    def kthvalue(self, k: _b.int, dim: _b.int = -1, keepdim: _b.bool = False) -> tuple[Tensor, Tensor]:
        """The k-th smallest element along a dimension and where it stood (Int64)."""
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple."""
    def ldexp(self, other: Tensor) -> Tensor:
        """x * 2**other."""
    def le(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where input <= other."""
    def lerp(self, end: Tensor, weight: _b.float | Tensor) -> Tensor:
        """input + weight * (end - input)."""
    def less(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where input < other."""
    def less_equal(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where input <= other."""
    def lgamma(self) -> Tensor:
        """Logarithm of the gamma function's absolute value. Integers and bool give Float32."""
    def log(self) -> Tensor:
        """Natural logarithm of each element. Integers and bool give Float32."""
    def log10(self) -> Tensor:
        """Base-10 logarithm of each element. Integers and bool give Float32."""
    def log1p(self) -> Tensor:
        """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
    def log2(self) -> Tensor:
        """Base-2 logarithm of each element. Integers and bool give Float32."""
    def log_(self) -> Tensor:
        """`log` in place; returns the tensor, whose shape and dtype stay."""
    def log_matrix_determinant(self) -> Any:
        """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
    def log_normal(self, mean: _b.float = 1.0, std: _b.float = 2.0) -> Tensor: ...
    def logaddexp(self, other: Tensor) -> Tensor:
        """log(exp(input) + exp(other)) without overflow."""
    def logaddexp2(self, other: Tensor) -> Tensor:
        """log2(2**input + 2**other) without overflow."""
    def logcumsumexp(self, axis: _b.int) -> Tensor:
        """Cumulative log-sum-exp along an axis."""
    def logdet(self) -> Tensor:
        """The determinants' logarithms; NaN where a real one is negative."""
    @overload
    def logical_and(self, other: Tensor | _b.bool) -> Tensor:
        """Elementwise and. Numbers are true where they are not 0."""
    @overload
    def logical_and(self, y: Tensor | _b.bool) -> Tensor: ...
    def logical_not(self) -> Tensor:
        """Elementwise negation. Numbers are true where they are not 0."""
    @overload
    def logical_or(self, other: Tensor | _b.bool) -> Tensor:
        """Elementwise or. Numbers are true where they are not 0."""
    @overload
    def logical_or(self, y: Tensor | _b.bool) -> Tensor: ...
    def logical_xor(self, other: Tensor | _b.bool) -> Tensor:
        """Elementwise exclusive or. Numbers are true where they are not 0."""
    def logit(self, eps: _b.float | None = None) -> Tensor:
        """log(x / (1 - x)); outside (0, 1) NaN or infinite, unless `eps` clamps to [eps, 1 - eps]."""
    @overload
    def logsumexp(self, dim: _b.int | Sequence[_b.int], keepdim: _b.bool = False) -> Tensor:
        """log(sum(exp(x))) over dimensions without overflow."""
    @overload
    def logsumexp(self, axis: _b.int | Sequence[_b.int], keepdims: _b.bool = False) -> Tensor: ...
    def long(self) -> Tensor:
        """The tensor in Int64."""
    def lstsq(self, A: Tensor) -> Tensor:
        """The X for which input @ X is nearest to A; the shortest such X if there are several."""
    def lt(self, other: Any) -> Any:
        """Where input < other."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """The solutions of A y = b for the LU factors of A, with pivots counted from 1."""
    @property
    def mH(self) -> Tensor:
        """The matrix transposed and conjugated."""
    @property
    def mT(self) -> Tensor:
        """The last two dimensions exchanged; a view in PYNATIVE_MODE."""
    def masked_fill(self, mask: Tensor, value: Number | Tensor) -> Tensor:
        """The elements where the mask is true replaced by `value`; shapes broadcast."""
    def masked_fill_(self, mask: Tensor, value: Number | Tensor) -> Tensor:
        """`masked_fill` in place; returns the tensor, whose shape and dtype stay."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy in which elements of `source`, in order, replace those where a mask is true."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """`masked_scatter` in place; returns the tensor, whose shape and dtype stay."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where a mask is true, as a 1-d tensor; shapes broadcast."""
    @overload
    def matmul(self, other: Any) -> Any:
        """The matrix product; leading dimensions broadcast, a 1-d operand is a row (left) or a column (right)."""
    @overload
    def matmul(self, tensor2: Any) -> Any: ...
    def matrix_determinant(self) -> Any:
        """The determinants of square matrices."""
    def matrix_power(self, n: _b.int) -> Any:
        """Square matrices to an integer power; integers stay integers."""
    @overload
    def max(self) -> Tensor: ...
    @overload
    def max(
        self,
        axis: None,
        keepdims: _b.bool = False,
        *,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
    ) -> Tensor: ...
    @overload
    def max(
        self,
        *,
        axis: Ints | None = None,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
    ) -> Tensor: ...
    @overload
    def max(
        self,
        *,
        axis: _b.int,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
        return_indices: _b.bool,
    ) -> Any: ...
    @overload
    def max(self, dim: _b.int, keepdim: _b.bool = False) -> tuple[Tensor, Tensor]: ...
    def maximum(self, other: Tensor | Number | _b.bool) -> Tensor:
        """The larger element of each pair; NaN if one is NaN."""
    @overload
    def mean(self, axis: Ints | None = None, keep_dims: _b.bool = False, *, dtype: Type | None = None) -> Tensor: ...
    @overload
    def mean(self, axis: Ints | None = None, *, keepdims: _b.bool, dtype: Type | None = None) -> Tensor: ...
    @overload
    def mean(self, dim: Ints | None = None, keepdim: _b.bool = False, *, dtype: Type | None = None) -> Tensor: ...
    @overload
    def median(self, axis: _b.int = -1, keepdims: _b.bool = False) -> Any:
        """The median along an axis (the lower one of two) and its position."""
    @overload
    def median(self, dim: _b.int = -1, keepdim: _b.bool = False) -> Any: ...
    @overload
    def min(self) -> Tensor: ...
    @overload
    def min(
        self,
        axis: None,
        keepdims: _b.bool = False,
        *,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
    ) -> Tensor: ...
    @overload
    def min(
        self,
        *,
        axis: Ints | None = None,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
    ) -> Tensor: ...
    @overload
    def min(
        self,
        *,
        axis: _b.int,
        keepdims: _b.bool = False,
        initial: Number | None = None,
        where: Tensor | _b.bool | None = None,
        return_indices: _b.bool,
    ) -> Any: ...
    @overload
    def min(self, dim: _b.int, keepdim: _b.bool = False) -> tuple[Tensor, Tensor]: ...
    def minimum(self, other: Tensor | Number | _b.bool) -> Tensor:
        """The smaller element of each pair; NaN if one is NaN."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def move_to(self, to: _b.str, blocking: _b.bool = True) -> Any:
        """The tensor's values in another tensor of the same storage; JAX chooses the device, so `to` is only checked."""
    def moveaxis(self, source: Any, destination: Any) -> Any:
        """Dimensions moved to other places; a view in PYNATIVE_MODE."""
    def movedim(self, source: _b.int | Sequence[_b.int], destination: _b.int | Sequence[_b.int]) -> Tensor:
        """Dimensions moved to other places; a view in PYNATIVE_MODE."""
    def msort(self) -> Tensor:
        """The elements in order along the first axis."""
    def mul(self, other: Tensor | Number | _b.bool) -> Tensor:
        """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
    def mul_(self, other: Tensor | Number | _b.bool) -> Tensor:
        """`mul` in place; returns the tensor, whose shape and dtype stay."""
    def multinomial(self, num_samples: _b.int, replacement: _b.bool = True, seed: _b.int | None = None) -> Tensor:
        """Class numbers drawn with the given weights."""
    def multiply(self, other: Any) -> Any:
        """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
    def mvlgamma(self, p: _b.int) -> Tensor:
        """Logarithm of the multivariate gamma function of dimension `p`."""
    def nan_to_num(
        self,
        nan: Number | None = None,
        posinf: Number | None = None,
        neginf: Number | None = None,
    ) -> Tensor:
        """Replace NaN and the infinities."""
    @overload
    def nanmean(self, axis: _b.int | None = None, keepdims: _b.bool = False, dtype: Type | None = None) -> Tensor:
        """The mean over dimensions without NaN; arguments as for `sum`."""
    @overload
    def nanmean(self, dim: _b.int | None = None, keepdim: _b.bool = False, dtype: Type | None = None) -> Tensor: ...
    @overload
    def nanmedian(self, axis: _b.int = -1, keepdims: _b.bool = False) -> tuple[Any, ...]:
        """The median along an axis without NaN, and its position; arguments as for `median`."""
    @overload
    def nanmedian(self, dim: _b.int = -1, keepdim: _b.bool = False) -> tuple[Any, ...]: ...
    @overload
    def nanquantile(self, q: _b.float | Tensor, axis: _b.int | None = None, keepdims: _b.bool = False) -> Tensor:
        """Quantiles along an axis without NaN; arguments as for `quantile`."""
    @overload
    def nanquantile(self, q: _b.float | Tensor, dim: _b.int | None = None, keepdim: _b.bool = False) -> Tensor: ...
    @overload
    def nansum(
        self,
        axis: _b.int | Sequence[_b.int] | None = None,
        keepdims: _b.bool = False,
        dtype: Type | None = None,
    ) -> Any:
        """The sum over dimensions with NaN as 0; arguments as for `sum`. Integers keep their type."""
    @overload
    def nansum(self, dim: _b.int | Sequence[_b.int] | None = None, keepdim: _b.bool = False, dtype: Type | None = None) -> Any: ...
    def narrow(self, axis: Any, start: _b.int | Tensor, length: _b.int) -> Any:
        """`length` elements from `start` on along an axis; a view in PYNATIVE_MODE."""
    def ndimension(self) -> Any:
        """The number of a tensor's dimensions."""
    def ne(self, other: Tensor | Number | _b.bool) -> Tensor:
        """Where the operands differ."""
    def neg(self) -> Tensor:
        """The negative of each element; unsigned integers wrap around."""
    def negative(self) -> Any:
        """The negative of each element; unsigned integers wrap around."""
    def nelement(self) -> Any:
        """The number of a tensor's elements."""
    @overload
    def new_empty(self, *size: Ints, dtype: Type | None = None, device: _b.str | None = None) -> Tensor: ...
    @overload
    def new_empty(self, size: Ints, dtype: Type | None = None, *, device: _b.str | None = None) -> Tensor: ...
    def new_full(self, size: Sequence[_b.int], fill_value: Number | _b.bool, *, dtype: Type | None = None) -> Tensor:
        """One value in a new shape, in the tensor's dtype or another."""
    @overload
    def new_ones(self, *size: Ints, dtype: Type | None = None, device: _b.str | None = None) -> Tensor: ...
    @overload
    def new_ones(self, size: Ints, dtype: Type | None = None, *, device: _b.str | None = None) -> Tensor: ...
    @overload
    def new_zeros(self, *size: Ints, dtype: Type | None = None, device: _b.str | None = None) -> Tensor: ...
    @overload
    def new_zeros(self, size: Ints, dtype: Type | None = None, *, device: _b.str | None = None) -> Tensor: ...
    def nextafter(self, other: Tensor) -> Tensor:
        """The next number from the first operand towards the second."""
    def nonzero(self, *, as_tuple: _b.bool = False) -> Any:
        """The coordinates of the elements that are not 0, one a row (Int64)."""
    def norm(
        self,
        ord: _b.int | _b.float | _b.str | None = None,
        dim: _b.int | Sequence[_b.int] | None = None,
        keepdim: _b.bool = False,
        dtype: Type | None = None,
    ) -> Tensor:
        """A norm of vectors or matrices: without `ord` the 2-norm of all elements, with `ord` and no `dim` the matrix's."""
    def normal_(self, mean: Number = 0, std: Number = 1, *, generator: Any = None) -> Tensor:
        """Normal random numbers, in place; returns the tensor."""
    def not_equal(self, other: Any) -> Any:
        """Where the operands differ."""
    def numel(self) -> Any:
        """The number of a tensor's elements."""
    def offload(self, file_path: Any) -> _b.bool:
        """Write the values into a file, as raw bytes, and remember its path. They stay readable here."""
    def offload_file_path(self) -> Any:
        """The file that `offload` wrote, or an empty str."""
    def orgqr(self, input2: Tensor) -> Tensor:
        """The first columns of the Householder reflections' product, as `geqrf` returns them."""
    def ormqr(self, tau: Tensor, other: Tensor, left: _b.bool = True, transpose: _b.bool = False) -> Tensor:
        """The product of a matrix with the full Q of `geqrf`."""
    def outer(self, vec2: Tensor) -> Tensor:
        """The outer product of two vectors."""
    @property
    def parent_tensor_(self) -> Any: ...
    @parent_tensor_.setter
    def parent_tensor_(self, value: Any) -> None: ...
    @overload
    def permute(self, *axis: Ints) -> Tensor: ...
    @overload
    def permute(self, *, axis: Ints) -> Tensor: ...
    @overload
    def permute(self, *, dims: Ints) -> Tensor: ...
    def pin_memory(self) -> Tensor:
        """A copy with the mark that `is_pinned` reads. JAX moves host data through pinned buffers of its own, and does not"""
    def positive(self) -> Tensor:
        """The Tensor itself."""
    def pow(self, exponent: Tensor | Number) -> Tensor:
        """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
    @overload
    def prod(self, axis: Any = None, keep_dims: _b.bool = False, dtype: Type | None = None) -> Any:
        """The product over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type."""
    @overload
    def prod(self, dim: Any = None, keepdim: _b.bool = False, dtype: Type | None = None) -> Any: ...
    def ptp(self, axis: _b.int | Sequence[_b.int] | None = None, keepdims: _b.bool = False) -> Tensor:
        """Maximum minus minimum."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _b.bool = False) -> Tensor:
        """Elements of the flat tensor replaced, in place; returns the tensor."""
    def qr(self, some: _b.bool = True) -> tuple[Tensor, Tensor]:
        """QR decomposition: (Q, R); complete for `some=False`. PyTorch's "reduced" and "complete" are taken, too."""
    @overload
    def quantile(self, q: _b.float | Tensor, axis: _b.int | None = None, keepdims: _b.bool = False) -> Tensor:
        """Quantiles along an axis, linearly interpolated."""
    @overload
    def quantile(self, q: _b.float | Tensor, dim: _b.int | None = None, keepdim: _b.bool = False) -> Tensor: ...
    def rad2deg(self) -> Tensor:
        """Radians to degrees. Integers and bool give Float32."""
    def random_(self, from_: Any = 0, to: Number | Tensor | None = None, *, generator: Any = None) -> Tensor:
        """Random integers in [from_, to), in place; without `to` all that the dtype holds exactly."""
    def random_categorical(self, num_sample: _b.int, seed: _b.int = 0, dtype: Any = ...) -> Tensor:
        """Class numbers [N, num_sample] drawn with the softmax of logits [N, C]; with a `seed` the same at every call."""
    def ravel(self) -> Tensor:
        """The elements as one dimension; a view in PYNATIVE_MODE."""
    def real(self) -> Tensor:
        """The real part."""
    def reciprocal(self) -> Tensor:
        """Reciprocal of each element. Integers and bool give Float32."""
    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Call `hook(grad)` when this tensor's gradient is known; what it returns (if not None) replaces the gradient."""
    @overload
    def remainder(self, other: Tensor | Number | _b.bool) -> Tensor:
        """The remainder with the divisor's sign."""
    @overload
    def remainder(self, divisor: Tensor | Number | _b.bool) -> Tensor: ...
    def remainder_(self, other: Tensor | Number | _b.bool) -> Tensor:
        """`remainder` in place; returns the tensor, whose shape and dtype stay."""
    @staticmethod
    def remove_hook(id: Any) -> Any: ...
    def renorm(self, p: _b.int, axis: _b.int, maxnorm: _b.float) -> Tensor:
        """The slices along an axis scaled down to a p-norm of at most `maxnorm`."""
    @overload
    def repeat(self, *repeats: Ints) -> Tensor: ...
    @overload
    def repeat(self, *, repeats: Ints) -> Tensor: ...
    @overload
    def repeat(self, repeats: Ints, axis: _b.int | None) -> Tensor: ...
    def repeat_interleave(
        self,
        repeats: _b.int | Sequence[Any] | Tensor,
        dim: _b.int | None = None,
        *,
        axis: Any = None,
        output_size: _b.int | None = None,
    ) -> Any:
        """Each element repeated, along a dimension or of the flat tensor."""
    def requires_grad_(self, requires_grad: _b.bool = True) -> Tensor:
        """Whether `trainable_params` lists a Parameter; of another tensor `grad` alone decides what is differentiated."""
    @overload
    def reshape(self, *shape: Ints | Tensor) -> Tensor: ...
    @overload
    def reshape(self, *, shape: Ints | Tensor) -> Tensor: ...
    def reshape_as(self, other: Tensor) -> Tensor:
        """`input` in the shape of `other`; a view in PYNATIVE_MODE."""
    def resize(self, *new_shape: Ints) -> Tensor: ...
    def reverse(self, dims: Any) -> Any:
        """The order of elements reversed along dimensions."""
    def reverse_sequence(self, seq_lengths: Tensor, seq_dim: _b.int = 0, batch_dim: _b.int = 0) -> Tensor:
        """The first elements of each sequence reversed."""
    def roll(self, shifts: Sequence[_b.int] | _b.int, dims: Sequence[_b.int] | _b.int | None = None) -> Tensor:
        """The elements shifted along dimensions, those pushed out come back at the other end."""
    def rot90(self, k: _b.int, dims: Sequence[_b.int]) -> Tensor:
        """Rotated by `k` quarter turns from the first of two dimensions to the second; by whole turns `input` itself."""
    def round(self, decimals: _b.int = 0) -> Tensor:
        """The nearest number with `decimals` digits after the point, halves to even."""
    def rsqrt(self) -> Tensor:
        """Reciprocal square root of each element. Integers and bool give Float32."""
    @overload
    def scatter(self, dim: _b.int, index: Tensor, src: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter(self, axis: _b.int, index: Tensor, src: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter(self, dim: _b.int, index: Tensor, value: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter_(self, dim: _b.int, index: Tensor, src: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter_(self, axis: _b.int, index: Tensor, src: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter_(self, dim: _b.int, index: Tensor, value: Tensor | Number, reduce: _b.str = 'none') -> Tensor: ...
    @overload
    def scatter_add(self, dim: _b.int, index: Tensor, src: Tensor) -> Tensor: ...
    @overload
    def scatter_add(self, axis: _b.int, index: Tensor, src: Tensor) -> Tensor: ...
    @overload
    def scatter_add(self, indices: Tensor, updates: Tensor) -> Tensor: ...
    def scatter_add_(self, dim: _b.int, index: Tensor, src: Tensor) -> Tensor:
        """`scatter_add` in place; returns the tensor, whose shape and dtype stay."""
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy with the slices at coordinates changed by `div`."""
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy with the slices at coordinates changed by `max`."""
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy with the slices at coordinates changed by `min`."""
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """A copy with the slices at coordinates changed by `mul`."""
    def scatter_sub(self, indices: Any, updates: Any) -> Any:
        """A copy with the slices at coordinates changed by `sub`."""
    def searchsorted(self, v: Any, side: _b.str = 'left', sorter: Tensor | None = None) -> Tensor:
        """Where values would have to be put into the sorted tensor (Int32); `side` is 'left' or 'right'."""
    @overload
    def select(self, dim: _b.int, index: _b.int) -> Tensor: ...
    @overload
    def select(self, axis: _b.int, index: _b.int) -> Tensor: ...
    @overload
    def select(self, condition: Tensor, y: Tensor | Number) -> Tensor: ...
    def select_scatter(self, src: Tensor, axis: _b.int, index: _b.int) -> Tensor:
        """A copy with the slice at `index` along an axis replaced."""
    def set_(self, source: Any = None) -> Tensor:
        """The values, shape and type of another tensor, in place; without one the tensor becomes empty."""
    def set_cast_dtype(self, dtype: Any = None) -> Any:
        """Accepted: MindSpore's compiler casts Parameters lazily with it."""
    def set_const_arg(self, const_arg: _b.bool = True) -> Tensor:
        """Mark the tensor as a constant of compiled functions; returns it."""
    def set_init_flag(self, flag: Any) -> Any:
        """Mark the tensor as initialised, for `is_init` and `init_flag`."""
    @staticmethod
    def set_param_info(tensor: Any, info: Any) -> Any: ...
    def sgn(self) -> Tensor:
        """As `sign`; a complex element is divided by its absolute value."""
    def short(self) -> Tensor:
        """The tensor in Int16."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sigmoid_(self) -> Tensor:
        """`sigmoid` in place; returns the tensor, whose shape and dtype stay."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 by the sign of each element; 0 for NaN."""
    def sign_(self) -> Tensor:
        """`sign` in place; returns the tensor, whose shape and dtype stay."""
    def signbit(self) -> Tensor:
        """Where the sign bit is set."""
    def sin(self) -> Tensor:
        """Sine of each element, in radians. Integers and bool give Float32."""
    def sinc(self) -> Tensor:
        """sin(pi x) / (pi x), 1 at zero. Integers and bool give Float32."""
    def sinh(self) -> Tensor:
        """Hyperbolic sine of each element. Integers and bool give Float32."""
    def slice_scatter(
        self,
        src: Tensor,
        axis: _b.int = 0,
        start: _b.int | None = None,
        end: _b.int | None = None,
        step: _b.int = 1,
    ) -> Tensor:
        """A copy with the slice [start:end:step] along an axis replaced; ValueError unless `src` has the slice's shape."""
    def slogdet(self) -> tuple[Any, ...]:
        """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
    def soft_shrink(self, lambd: Any = 0.5) -> Any:
        """x - `lambd` above `lambd`, x + `lambd` below -`lambd`, else 0."""
    def softmax(self, axis: _b.int = -1, dtype: Type | None = None) -> Tensor:
        """exp(x - max) / sum(exp(x - max)) along one axis."""
    def sort(self, axis: _b.int = -1, descending: _b.bool = False, stable: _b.bool = False, *, dim: _b.int | None = None) -> Any:
        """The elements in order along an axis, and their former positions (Int32); equal ones always keep their order."""
    @overload
    def split(self, split_size_or_sections: _b.int | Sequence[_b.int], axis: _b.int = 0) -> tuple[Any, ...]:
        """Pieces along an axis; views in PYNATIVE_MODE."""
    @overload
    def split(self, split_size: _b.int | Sequence[_b.int], dim: _b.int = 0) -> tuple[Any, ...]: ...
    def sqrt(self) -> Tensor:
        """Square root of each element; NaN for negative ones. Integers and bool give Float32."""
    def square(self) -> Tensor:
        """Each element times itself, in its own dtype."""
    def squeeze(self, axis: _b.int | Sequence[_b.int] | None = None) -> Tensor:
        """Dimensions of size 1 taken away; named ones of another size stay. A view in PYNATIVE_MODE."""
    @overload
    def std(self, axis: Any = None, ddof: Any = 0, keepdims: _b.bool = False) -> Any:
        """The standard deviation over dimensions; arguments as for `var`."""
    @overload
    def std(self, dim: Any = None, correction: Any = 0, keepdim: _b.bool = False) -> Any: ...
    def storage(self) -> Any:
        """The bytes of the tensor, or of the tensor that it is a view of."""
    def storage_offset(self) -> _b.int:
        """The place of the first element in the storage."""
    def stride(self, dim: _b.int | None = None) -> Any:
        """Elements to step in each dimension, a list; or in one of them."""
    def sub(self, other: Tensor | Number | _b.bool | None = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
        """The difference; without `alpha` also of a list or tuple, as in `add`."""
    def sub_(self, other: Tensor | Number | _b.bool | None = None, *, alpha: Number = 1, y: Any = None) -> Tensor:
        """`sub` in place; returns the tensor, whose shape and dtype stay."""
    def subtract(self, other: Tensor | Number, *, alpha: Number = 1) -> Tensor:
        """The difference, with `alpha` times the other operand."""
    @overload
    def sum(
        self,
        axis: Ints | None = None,
        dtype: Type | None = None,
        keepdims: _b.bool = False,
        initial: Number | None = None,
    ) -> Tensor: ...
    @overload
    def sum(self, dim: Ints | None = None, keepdim: _b.bool = False, *, dtype: Type | None = None) -> Tensor: ...
    @overload
    def sum(self, axis: Ints | None, keepdims: _b.bool) -> Tensor: ...
    def sum_to_size(self, *size: Ints) -> Tensor: ...
    def svd(self, full_matrices: _b.bool = False, compute_uv: _b.bool = True) -> Any:
        """Singular value decomposition."""
    def swapaxes(self, axis0: _b.int, axis1: _b.int) -> Tensor:
        """Two dimensions exchanged, a view in PYNATIVE_MODE; with the same dimension twice, `input` itself."""
    def swapdims(self, dim0: _b.int, dim1: _b.int) -> Tensor:
        """Two dimensions exchanged; a view in PYNATIVE_MODE."""
    @property
    def symbolic_shape(self) -> Any:
        """The shape that was given with Symbols: their constraints, and the other sizes; None for any other tensor."""
    def t(self) -> Tensor:
        """A matrix transposed, a view in PYNATIVE_MODE; a tensor with fewer dimensions as it is."""
    @overload
    def take(self, indices: Tensor, axis: _b.int | None = None, mode: _b.str = 'clip') -> Tensor:
        """The elements of the flat tensor, or the slices along an axis, at indices."""
    @overload
    def take(self, index: Tensor, axis: _b.int | None = None, mode: _b.str = 'clip') -> Tensor: ...
    def tan(self) -> Tensor:
        """Tangent of each element, in radians. Integers and bool give Float32."""
    def tanh(self) -> Tensor:
        """Hyperbolic tangent."""
    def tanh_(self) -> Tensor:
        """`tanh` in place; returns the tensor, whose shape and dtype stay."""
    def tensor_split(self, indices_or_sections: _b.int | Sequence[_b.int], axis: _b.int = 0) -> tuple[Any, ...]:
        """Pieces along an axis, cut at indices, or as many as even as possible."""
    @overload
    def tile(self, *reps: Ints) -> Tensor: ...
    @overload
    def tile(self, *, reps: Ints) -> Tensor: ...
    @overload
    def tile(self, *, dims: Ints) -> Tensor: ...
    @overload
    def to(self, dtype: Type, non_blocking: _b.bool = False, copy: _b.bool = False) -> Tensor: ...
    @overload
    def to(self, other: Tensor, non_blocking: _b.bool = False, copy: _b.bool = False) -> Tensor: ...
    @overload
    def to(
        self,
        device: _b.str | None = None,
        dtype: Type | None = None,
        non_blocking: _b.bool = False,
        copy: _b.bool = False,
    ) -> Tensor: ...
    def to_(self, device: _b.str | None = None, non_blocking: _b.bool = False) -> Tensor:
        """The tensor itself: JAX chooses its device, so `device` is only checked."""
    def to_coo(self) -> COOTensor:
        """The nonzero elements of a matrix, as a COOTensor with Int32 indices."""
    def to_csr(self) -> CSRTensor:
        """The nonzero elements of a matrix, as a CSRTensor with Int32 indices."""
    def to_dlpack(self) -> Any:
        """A DLPack capsule of a tensor's memory, for `from_dlpack` of this or another library, once."""
    def top_k(self, k: Any, sorted: _b.bool = True) -> Any:
        """The `k` largest elements along the last dimension and where they stood (Int32)."""
    @overload
    def topk(
        self,
        k: _b.int,
        dim: _b.int | None = None,
        largest: _b.bool = True,
        sorted: _b.bool = True,
    ) -> tuple[Tensor, Tensor]:
        """The `k` largest (or smallest) elements along a dimension and where they stood (Int32)."""
    @overload
    def topk(
        self,
        k: _b.int,
        axis: _b.int | None = None,
        largest: _b.bool = True,
        sorted: _b.bool = True,
    ) -> tuple[Tensor, Tensor]: ...
    def trace(self, offset: _b.int | None = None, axis1: _b.int = 0, axis2: _b.int = 1, dtype: Type | None = None) -> Tensor:
        """The sum of a diagonal; without an offset (0) the main diagonal of a matrix."""
    @overload
    def transpose(self, *axes: Ints | None) -> Tensor: ...
    @overload
    def transpose(self, *, axes: Ints) -> Tensor: ...
    @overload
    def transpose(self, dim0: _b.int, dim1: _b.int) -> Tensor: ...
    def triangular_solve(
        self,
        A: Tensor,
        upper: _b.bool = True,
        transpose: _b.bool = False,
        unitriangular: _b.bool = False,
    ) -> tuple[Any, ...]:
        """Solutions of A x = b for triangular A, and A itself."""
    def tril(self, diagonal: _b.int = 0) -> Tensor:
        """The lower triangle of the last two dimensions, zeros elsewhere."""
    def triu(self, diagonal: _b.int = 0) -> Tensor:
        """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`."""
    def true_divide(self, divisor: Any) -> Any:
        """The quotient; of integers in Float32."""
    def trunc(self) -> Tensor:
        """Each element without its fraction. Integers are returned as they are."""
    def type(self, dtype: Type | None = None) -> Any:
        """The dtype's name, or the tensor in another dtype."""
    def type_as(self, other: Tensor) -> Tensor:
        """`input` in the dtype of `other`."""
    def unbind(self, dim: _b.int = 0) -> tuple[Any, ...]:
        """The slices along a dimension, without it; views in PYNATIVE_MODE."""
    def unfold(
        self,
        kernel_size: _b.int | Sequence[_b.int],
        dilation: _b.int | Sequence[_b.int] = 1,
        padding: _b.int | Sequence[_b.int] = 0,
        stride: _b.int | Sequence[_b.int] = 1,
    ) -> Tensor:
        """The sliding blocks of [N, C, H, W] as columns: [N, C * KH * KW, L]."""
    def uniform(self, from_: _b.float = 0.0, to: _b.float = 1.0, *, generator: Any = None) -> Tensor: ...
    def uniform_(self, from_: Any = 0, to: Number | Tensor = 1, *, generator: Any = None) -> Tensor:
        """Uniform random numbers in [from_, to), in place; returns the tensor."""
    def unique(
        self,
        sorted: _b.bool = True,
        return_inverse: _b.bool = False,
        return_counts: _b.bool = False,
        dim: _b.int | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The different elements in ascending order, with inverse and counts (Int64) on demand."""
    def unique_consecutive(
        self,
        return_inverse: _b.bool = False,
        return_counts: _b.bool = False,
        dim: _b.int | None = None,
    ) -> Any:
        """The elements without those equal to their predecessor."""
    def unique_with_pad(self, pad_num: Any) -> tuple[Tensor, Tensor]:
        """As `unique` of a 1-d tensor, filled up to its length with `pad_num`; ValueError for other shapes."""
    def unsorted_segment_max(self, segment_ids: Tensor, num_segments: _b.int | Tensor) -> Tensor:
        """The maxima of the slices with one segment number; the dtype's smallest number for an empty one."""
    def unsorted_segment_min(self, segment_ids: Tensor, num_segments: _b.int | Tensor) -> Tensor:
        """The minima of the slices with one segment number; the dtype's largest number for an empty one."""
    def unsorted_segment_prod(self, segment_ids: Tensor, num_segments: _b.int | Tensor) -> Tensor:
        """The products of the slices with one segment number; 1 for an empty one."""
    @overload
    def unsqueeze(self, dim: _b.int) -> Tensor:
        """A new dimension of size 1 at `dim`; a view in PYNATIVE_MODE."""
    @overload
    def unsqueeze(self, axis: _b.int) -> Tensor: ...
    def unstack(self, axis: _b.int = 0) -> tuple[Any, ...]:
        """The slices along an axis, without it; views in PYNATIVE_MODE."""
    def untyped_storage(self) -> Any:
        """The bytes of the tensor, or of the tensor that it is a view of."""
    def value(self) -> Any:
        """The tensor itself; of a Parameter, and in compiled code, a copy."""
    @overload
    def var(self, axis: _b.int | Sequence[_b.int] | None = None, ddof: _b.int = 0, keepdims: _b.bool = False) -> Any:
        """The variance over dimensions, divided by N - ddof."""
    @overload
    def var(self, dim: _b.int | Sequence[_b.int] | None = None, correction: _b.int = 0, keepdim: _b.bool = False) -> Any: ...
    @overload
    def view(self, *shape: Ints) -> Tensor: ...
    @overload
    def view(self, dtype: Type) -> Tensor: ...
    def view_as(self, other: Tensor) -> Tensor:
        """`input` in the shape of `other`; a view in PYNATIVE_MODE."""
    def vsplit(self, indices_or_sections: _b.int | Sequence[_b.int]) -> tuple[Any, ...]:
        """`tensor_split` along the first dimension."""
    def wait_pipeline(self) -> Any:
        """Nothing to wait for: reading the values waits for them."""
    def where(self, condition: Tensor, y: Any = None, *, other: Tensor | Number | None = None) -> Tensor:
        """The tensor where the condition is true, `y` (or `other`) elsewhere."""
    def xdivy(self, other: Any) -> Tensor:
        """input / other; 0 where input is."""
    def xlogy(self, other: Tensor | Number | _b.bool) -> Tensor:
        """input * log(other), and 0 where the input is 0. A number is taken in Float32."""
    def zero_(self) -> Tensor:
        """All elements 0, in place; returns the tensor."""
