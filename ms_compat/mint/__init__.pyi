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

from . import _adapters as _adapters
from ms_compat._core import faces as __faces
_faces = __faces
from . import _random as _random
_unsupported_getattr: Any
def abs(input: Tensor) -> Tensor:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
def acos(input: Tensor) -> Tensor:
    """Arccosine of each element. Integers and bool give Float32."""
def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
def add(input: Tensor | Number | bool, other: Tensor | Number | bool, *, alpha: Number = 1) -> Tensor:
    """input + alpha * other."""
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: int | float = 1, alpha: int | float = 1) -> Tensor:
    """beta * input + alpha * the sum of batched matrix products; arguments as for `addmm`."""
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Number = 1) -> Tensor:
    """input + value * tensor1 / tensor2."""
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, beta: float | int = 1, alpha: float | int = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""
def addmv(input: Tensor, mat: Tensor, vec: Tensor, beta: float | int = 1, alpha: float | int = 1) -> Tensor:
    """beta * input + alpha * (mat @ vec); arguments as for `addmm`."""
def addr_(input: Any, vec1: Any, vec2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * outer(vec1, vec2), in place; returns the tensor."""
def all(input: Tensor, dim: int | Sequence[int] | Tensor | None = None, keepdim: bool = False) -> Tensor:
    """Whether all elements over dimensions are true."""
def allclose(
    input: Tensor,
    other: Tensor,
    rtol: float | int | bool = 1e-05,
    atol: float | int | bool = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Whether all elements are close, as a Python bool."""
def amax(input: Tensor, dim: int | Sequence[int] = ..., keepdim: bool = False) -> Tensor:
    """The maximum over dimensions."""
def amin(input: Tensor, dim: int | Sequence[int] = ..., keepdim: bool = False) -> Tensor:
    """The minimum over dimensions."""
def any(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Whether any element over dimensions is true."""
def arange(
    start: float | int = 0,
    end: float | int | None = None,
    step: float | int = 1,
    *,
    dtype: Type | None = None,
) -> Any:
    """Numbers from `start` up to (without) `end` in steps; Int64 if all are ints, else Float32."""
def arccos(input: Any) -> Any:
    """Arccosine of each element. Integers and bool give Float32."""
def arccosh(input: Any) -> Any:
    """Inverse hyperbolic cosine of each element. Integers and bool give Float32."""
def arcsin(input: Any) -> Any:
    """Arcsine of each element. Integers and bool give Float32."""
def arcsinh(input: Any) -> Any:
    """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
def arctan(input: Any) -> Any:
    """Arctangent of each element. Integers and bool give Float32."""
def arctan2(input: Any, other: Any) -> Any:
    """The angle of the point (other, input), in radians."""
def arctanh(input: Any) -> Any:
    """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The Int64 position of the first maximum along a dimension; of the flat tensor for None."""
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """As `argmin`, with `mint`'s names and an Int64 result."""
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """As `argsort`, in Int64 (`mint.argsort`)."""
def asin(input: Tensor) -> Tensor:
    """Arcsine of each element. Integers and bool give Float32."""
def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element. Integers and bool give Float32."""
def atan(input: Tensor) -> Tensor:
    """Arctangent of each element. Integers and bool give Float32."""
def atan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """The angle of the point (other, input), in radians."""
def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element. Integers and bool give Float32."""
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: float | int = 1, alpha: float | int = 1) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix; arguments as for `addmm`."""
def batch_norm_elemt(
    input: Any,
    weight: Any = None,
    bias: Any = None,
    mean: Any = None,
    invstd: Any = None,
    eps: Any = 1e-05,
) -> Any:
    """Normalize with statistics that are given; `eps` is in `invstd` already."""
def batch_norm_gather_stats_with_counts(
    input: Any,
    mean: Any,
    invstd: Any,
    running_mean: Any = None,
    running_var: Any = None,
    momentum: Any = 0.1,
    eps: Any = 1e-05,
    counts: Any = None,
) -> Any: ...
def batch_norm_stats(x: Any, eps: Any) -> Any: ...
def bernoulli(input: Tensor, *, generator: Any = None) -> Any:
    """0 or 1, with the tensor's elements as probabilities of 1."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """As `bincount`, with Int64 for what is not weighted."""
def bitwise_and(input: Tensor, other: Tensor | Number) -> Tensor:
    """The and of the bits."""
def bitwise_not(x: Any) -> Tensor:
    """All bits flipped."""
def bitwise_or(input: Tensor, other: Tensor | Number) -> Tensor:
    """The or of the bits."""
def bitwise_xor(input: Tensor, other: Tensor | Number) -> Tensor:
    """The exclusive or of the bits."""
def bmm(input_x: Any, mat2: Tensor) -> Tensor:
    """The products of two matrix batches."""
broadcast_to: Any
def cat(tensors: Sequence[Any], dim: int = 0) -> Tensor:
    """Tensors joined along a dimension."""
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = 'use_mm_for_euclid_dist_if_necessary',
) -> Tensor:
    """The p-norm distances from each row in one tensor to each row in another."""
def ceil(input: Tensor) -> Tensor:
    """The smallest integer not below each element. Integers are returned as they are."""
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """At most `chunks` equal pieces along a dimension; views in PYNATIVE_MODE."""
def clamp(input: Tensor, min: Tensor | float | int | None = None, max: Tensor | float | int | None = None) -> Tensor:
    """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
def clip(input: Any, min: Any = None, max: Any = None) -> Any:
    """The elements limited to [min, max]; `max` where min > max. A float limit makes integers Float32."""
def clone(input: Tensor) -> Tensor:
    """A new tensor with the same values."""
def concat(tensors: Any, dim: Any = 0) -> Any:
    """Tensors joined along a dimension."""
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    """2-D convolution; `padding` is zeros on both sides of each axis, or 'valid' or 'same'."""
def conv_tbc(input: Any, weight: Any, bias: Any, pad: Any = 0) -> Any:
    """1-D convolution of a sequence [T, N, C] with [K, C, O]: [T + 2 * pad - K + 1, N, O]."""
def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians. Integers and bool give Float32."""
def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element. Integers and bool give Float32."""
def count_nonzero(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """How many elements over dimensions are not 0, in Int64."""
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector product along a dimension of size 3 (the first such one for None)."""
def cummax(input: Tensor, dim: int) -> tuple[Any, ...]:
    """Running maximum along a dimension and its position."""
def cummin(input: Tensor, dim: int) -> tuple[Any, ...]:
    """Running minimum along a dimension and its position (Int64)."""
def cumprod(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """Running product along a dimension; of integers in Int64."""
def cumsum(input: Tensor, dim: int, dtype: Type | None = None) -> Tensor:
    """As `cumsum`, with integers and bool in Int64 (`mint`)."""
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix of a vector, or the diagonal of a matrix (`mint.diag`)."""
def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbours along a dimension; not even once, `input` itself."""
from . import distributed as distributed
def div(input: Tensor | Number | bool, other: Tensor | Number | bool, *, rounding_mode: str | None = None) -> Tensor:
    """The quotient; of integers in Float32 unless it is rounded."""
def divide(input: Any, other: Any, rounding_mode: Any = None) -> Any:
    """The quotient; of integers in Float32, unless it is rounded."""
def dot(input: Tensor, other: Tensor) -> Tensor:
    """The inner product of two vectors (`mint.dot`)."""
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the third axis."""
def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products by Einstein's convention."""
def empty(*size: Any, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """A tensor with unspecified contents (zeros here)."""
def empty_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """A tensor with another's shape and unspecified contents (zeros here)."""
def eq(input: Tensor, other: Tensor | Number) -> Tensor:
    """Where the operands are equal."""
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have one shape and equal elements, as a Python bool."""
def erf(input: Tensor) -> Tensor:
    """Gauss error function. Integers and bool give Float32."""
def erfc(input: Tensor) -> Tensor:
    """Complement of the Gauss error function, 1 - erf(x). Integers and bool give Float32."""
def erfinv(input: Tensor) -> Tensor:
    """Inverse of the Gauss error function on (-1, 1). Integers and bool give Float32."""
def exp(input: Tensor) -> Tensor:
    """e to the power of each element. Integers and bool give Float32."""
def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element. Integers and bool give Float32."""
def expm1(input: Any) -> Any:
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
def eye(n: int, m: Any = None, dtype: Type | None = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere."""
def fix(input: Any) -> Any:
    """Each element without its fraction. Integers are returned as they are."""
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Dimensions as one; a view in PYNATIVE_MODE, and `input` where only one is chosen."""
def flip(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The order of elements reversed along dimensions."""
def float_power(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The power, computed in Float64."""
def floor(input: Tensor) -> Tensor:
    """The largest integer not above each element. Integers are returned as they are."""
def floor_divide(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The quotient rounded down, as `floor_div`."""
def fmod(input: Tensor, other: Tensor | Number) -> Tensor:
    """The remainder with the dividend's sign."""
def frac(input: Tensor) -> Tensor:
    """The fraction of each element, with its sign; 0 for integers, and Int64 for Bool."""
def full(size: Sequence[int], fill_value: Number | Tensor, *, dtype: Type | None = None) -> Tensor:
    """One value; without a dtype Float32 for a float, Int64 for an int, Bool for a bool."""
def full_like(input: Tensor, fill_value: Number, *, dtype: Type | None = None) -> Tensor:
    """One value in the shape of a tensor, in its dtype or another."""
def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The elements at indices along a dimension, every other coordinate kept."""
def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor."""
def ge(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input >= other."""
def greater(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Where input > other."""
def greater_equal(input: Tensor | Number, other: Tensor | Number) -> bool:
    """Where input >= other."""
def gt(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input > other."""
def histc(input: Tensor, bins: int = 100, min: int | float = 0.0, max: int | float = 0.0) -> Tensor:
    """How many elements fall into each of `bins` equal parts of [min, max] (of the data's range if both are 0)."""
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the second axis; 1-d tensors along the first."""
def imag(input: Tensor) -> Tensor:
    """The imaginary part; zeros for a real tensor."""
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Number = 1) -> Tensor:
    """A copy with `alpha * source` added at indices along a dimension."""
def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices at a 1-d tensor of indices along a dimension."""
def inverse(input: Tensor) -> Tensor:
    """The inverses of square matrices."""
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: float | int | bool = 1e-05,
    atol: float | int | bool = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|."""
def isfinite(input: Tensor) -> Any:
    """Where the elements are neither infinite nor NaN."""
def isinf(input: Tensor) -> Tensor:
    """Where the elements are infinite."""
def isnan(input: Tensor) -> Tensor:
    """Where the elements are NaN."""
def isneginf(input: Tensor) -> Tensor:
    """Where the elements are minus infinity."""
def item(input: Tensor) -> Any:
    """The only element of a tensor as a number of Python."""
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension and where it stood (Int64)."""
def le(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input <= other."""
def lerp(input: Tensor, end: Tensor, weight: float | Tensor) -> Tensor:
    """input + weight * (end - input)."""
def less(input: Tensor, other: Tensor | Number | bool) -> Tensor:
    """Where input < other."""
def less_equal(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where input <= other."""
from . import linalg as linalg
def linspace(start: float | int, end: float | int, steps: int, *, dtype: Type | None = None) -> Tensor:
    """`steps` numbers evenly spread from `start` to `end`, both included."""
def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element. Integers and bool give Float32."""
def log10(input: Tensor) -> Tensor:
    """Base-10 logarithm of each element. Integers and bool give Float32."""
def log1p(input: Tensor) -> Tensor:
    """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
def log2(input: Tensor) -> Tensor:
    """Base-2 logarithm of each element. Integers and bool give Float32."""
def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """log(exp(input) + exp(other)) without overflow."""
def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """log2(2**input + 2**other) without overflow."""
def logical_and(input: Tensor | bool, other: Tensor | bool) -> Tensor:
    """Elementwise and. Numbers are true where they are not 0."""
def logical_not(input: Tensor) -> Tensor:
    """Elementwise negation. Numbers are true where they are not 0."""
def logical_or(input: Tensor | bool, other: Tensor | bool) -> Tensor:
    """Elementwise or. Numbers are true where they are not 0."""
def logical_xor(input: Tensor, other: Tensor) -> Tensor:
    """Elementwise exclusive or. Numbers are true where they are not 0."""
def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) over dimensions without overflow."""
def lt(input: Any, other: Any) -> Any:
    """Where input < other."""
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true, as a 1-d tensor; shapes broadcast."""
def matmul(input: Tensor, other: Tensor) -> Any:
    """The matrix product; leading dimensions broadcast, a 1-d operand is a row (left) or a column (right)."""
def max(*args: Any, **kwargs: Any) -> Any:
    """`max(input)`, `max(input, dim, keepdim=False)` with positions, or `max(input, other)` elementwise."""
def maximum(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The larger element of each pair; NaN if one is NaN."""
def mean(
    input: Tensor,
    dim: int | Sequence[int] | Tensor | None = None,
    keepdim: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """As `mean`, with `mint`'s names and a dtype to compute in."""
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> tuple[Any, ...]:
    """The median of all elements, or along a dimension with its position."""
def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """Coordinate matrices of coordinate vectors, "ij" unless "xy" is requested."""
def min(*args: Any, **kwargs: Any) -> Any:
    """`min(input)`, `min(input, dim, keepdim=False)` with positions, or `min(input, other)` elementwise."""
def minimum(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The smaller element of each pair; NaN if one is NaN."""
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
def mul(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Positions drawn with the elements as weights; Int64."""
def mv(mat: Any, vec: Tensor) -> Tensor:
    """A matrix times a vector."""
def nan_to_num(
    input: Tensor,
    nan: Number | None = None,
    posinf: Number | None = None,
    neginf: Number | None = None,
) -> Tensor:
    """Replace NaN and the infinities."""
def nansum(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Any:
    """The sum over dimensions with NaN as 0."""
def narrow(input: Tensor, dim: int, start: int | Tensor, length: int) -> Any:
    """`length` elements from `start` on along a dimension; a view in PYNATIVE_MODE."""
def ne(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """Where the operands differ."""
def neg(input: Tensor) -> Tensor:
    """The negative of each element; unsigned integers wrap around."""
def negative(input: Any) -> Any:
    """The negative of each element; unsigned integers wrap around."""
from . import nn as nn
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The coordinates of the elements that are not 0, one a row (Int64)."""
def norm(
    input: Tensor,
    p: bool | int | float | str = 'fro',
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    *,
    dtype: Type | None = None,
) -> Tensor:
    """The p-norm over dimensions (of all elements without one)."""
def normal(
    mean: Tensor | float = 0.0,
    std: Tensor | float = 1.0,
    size: Sequence[Any] | None = None,
    generator: Any = None,
) -> Any:
    """Normal random numbers; the size defaults to the size of `mean` and `std`."""
def not_equal(input: Any, other: Any) -> Any:
    """Where the operands differ."""
def npu_gelu(input: Any, approximate: str | Any = 'none') -> Any:
    """Gaussian error linear unit: x * P(X <= x) for a standard normal X."""
def ones(size: Sequence[int] | int | Tensor, *, dtype: Type | None = None) -> Tensor:
    """A tensor of ones."""
def ones_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Ones in the shape of a tensor, in its dtype or another."""
from . import optim as optim
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors."""
def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The dimensions in another order; a view in PYNATIVE_MODE."""
def polar(abs: Tensor | float, angle: Tensor | float) -> Tensor:
    """A complex tensor of absolute value and angle."""
def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """The power; as `mindspore.ops.pow`, but integers have no power to a negative int."""
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Type | None = None) -> Tensor:
    """The product over a dimension; of integers in Int64."""
def rand(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Uniform random numbers in [0, 1)."""
def rand_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Uniform random numbers in the shape and, by default, the dtype of a tensor."""
def randint(*args: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Random integers: `randint(high, size)` or `randint(low, high, size)`; Int64 by default."""
def randint_like(input: Tensor, *args: Any, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Random integers in the shape and, by default, the dtype of a tensor: below `high`, or from `low` on."""
def randn(*size: Any, generator: Any = None, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Standard normal random numbers."""
def randn_like(input: Tensor, *, dtype: Type | None = None, device: str | None = None) -> Tensor:
    """Standard normal random numbers in the shape and, by default, the dtype of a tensor."""
def randperm(n: Tensor | int, *, generator: Any = None, dtype: Any = ...) -> Tensor:
    """The numbers below `n` in random order."""
def ravel(input: Tensor) -> Tensor:
    """The elements as one dimension; a view in PYNATIVE_MODE."""
def real(input: Tensor) -> Tensor:
    """The real part."""
def reciprocal(input: Tensor) -> Tensor:
    """Reciprocal of each element. Integers and bool give Float32."""
def remainder(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """The remainder with the divisor's sign."""
def repeat_interleave(
    input: Tensor,
    repeats: int | Sequence[Any] | Tensor,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> Tensor:
    """Each element repeated."""
reshape: Any
def roll(input: Tensor, shifts: Sequence[int] | int, dims: Sequence[int] | int | None = None) -> Tensor:
    """The elements shifted along dimensions, those pushed out come back at the other end."""
def round(input: Tensor, decimals: int = 0) -> Tensor:
    """The nearest number with `decimals` digits after the point, halves to even."""
def rsqrt(input: Tensor) -> Tensor:
    """Reciprocal square root of each element. Integers and bool give Float32."""
def scatter(input: Tensor, dim: int, index: Tensor, src: Tensor | float) -> Tensor:
    """A copy in which `src` (a tensor or a number) replaces the elements at indices along a dimension."""
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy with the elements of `src` added at indices along a dimension (`mint.scatter_add`)."""
def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """The insertion points of values in a sorted tensor."""
def select(input: Tensor, dim: int, index: int) -> Tensor:
    """The slice at `index` along a dimension, without that dimension; a view in PYNATIVE_MODE."""
def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 by the sign of each element; 0 for NaN."""
def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians. Integers and bool give Float32."""
def sinc(input: Tensor) -> Tensor:
    """sin(pi x) / (pi x), 1 at zero. Integers and bool give Float32."""
def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element. Integers and bool give Float32."""
def softmax(input: Tensor, dim: Any, *, dtype: Type | None = None) -> Tensor:
    """exp(x) divided by its sum along a dimension; None is the first of 0, 1 or 3 dimensions, else the second."""
def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Any, ...]:
    """The elements in order along a dimension, and their Int64 positions."""
from . import special as special
def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> tuple[Any, ...]:
    """Pieces along a dimension; views in PYNATIVE_MODE."""
def sqrt(input: Tensor) -> Tensor:
    """Square root of each element; NaN for negative ones. Integers and bool give Float32."""
def square(input: Tensor) -> Tensor:
    """Each element times itself, in its own dtype."""
def squeeze(input: Tensor, dim: Any) -> Tensor:
    """Dimensions of size 1 taken away; a view in PYNATIVE_MODE."""
def stack(tensors: Sequence[Any], dim: int = 0) -> Any:
    """Tensors joined along a new dimension."""
def std(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    correction: int = 1,
    keepdim: bool = False,
) -> Tensor:
    """The standard deviation over dimensions, with N - correction."""
def std_mean(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    correction: int = 1,
    keepdim: bool = False,
) -> tuple[Any, ...]:
    """The standard deviation and the mean over dimensions."""
def sub(input: Tensor | Number | bool, other: Tensor | Number | bool, *, alpha: Number = 1) -> Tensor:
    """input - alpha * other."""
def sum(
    input: Tensor,
    dim: int | Sequence[int] | Tensor | None = None,
    keepdim: bool = False,
    dtype: Type | None = None,
) -> Tensor:
    """The sum over dimensions; of integers and bool in Int64, but of UInt16, UInt32 and UInt64 in their own type."""
swapaxes: Any
def t(input: Tensor) -> Tensor:
    """A matrix transposed; tensors of fewer dimensions as they are. A view in PYNATIVE_MODE."""
def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements of the flat tensor at indices, in the shape of `index`."""
def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians. Integers and bool give Float32."""
def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
def tile(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The tensor repeated along each dimension."""
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """As `topk`, with Int64 positions (`mint.topk`)."""
def trace(input: Tensor) -> Any:
    """As `trace`, of integers in Int64 (`mint.trace` and `Tensor.trace`)."""
def transpose(input: Tensor, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged; a view in PYNATIVE_MODE."""
def triangular_solve(
    b: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Any, ...]:
    """Solutions of A x = b for triangular A, and A itself."""
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of the last two dimensions, zeros elsewhere."""
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`."""
def trunc(input: Tensor) -> Tensor:
    """Each element without its fraction. Integers are returned as they are."""
unbind: Any
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The different elements in ascending order, with inverse and counts (Int64) on demand."""
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """The elements without those equal to their predecessor."""
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new dimension of size 1 at `dim`; a view in PYNATIVE_MODE."""
def var(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    correction: int = 1,
    keepdim: bool = False,
) -> Tensor:
    """The variance over dimensions, divided by N - correction."""
def var_mean(
    input: Tensor,
    dim: int | Sequence[int] | None = None,
    *,
    correction: int = 1,
    keepdim: bool = False,
) -> tuple[Any, ...]:
    """The variance and the mean over dimensions."""
def vdot(input: Any, other: Any) -> Any:
    """The inner product of two vectors, the first conjugated."""
def where(condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None) -> Tensor:
    """Chooses by a condition; with the condition alone the coordinates where it is true."""
def xlogy(input: Tensor | Number | bool, other: Tensor | Number | bool) -> Tensor:
    """input * log(other), and 0 where the input is 0. A number is taken in Float32."""
def zeros(size: Sequence[int] | int | Tensor, *, dtype: Type | None = None) -> Tensor:
    """A tensor of zeros."""
def zeros_like(input: Tensor, *, dtype: Type | None = None) -> Tensor:
    """Zeros in the shape of a tensor, in its dtype or another."""
