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

NINF: Any
PINF: Any
from . import _analysis as _analysis
from . import _array as _array
from . import _calls as _calls
from . import _covariance as _covariance
from . import _docstrings as _docstrings
from ms_compat._core import dtype as __dtype
_dtype = __dtype
from ms_compat._core import faces as __faces
_faces = __faces
from . import _functions as _functions
from . import _grids as _grids
_make: Any
from . import _padding as _padding
from . import _parts as _parts
from . import _polynomials as _polynomials
from . import _positions as _positions
from . import _products as _products
from . import _ranges as _ranges
from . import _shapes as _shapes
from . import _slopes as _slopes
from . import _statistics as _statistics
from . import _tensors_only as _tensors_only
_unsupported_getattr: Any
def abs(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
def absolute(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
def add(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The sum; of two bool tensors their disjunction."""
def amax(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Any = True,
) -> Any:
    """The maximum over axes."""
def amin(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: Any = True,
) -> Any:
    """The minimum over axes."""
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Tensor:
    """`values` joined behind `arr`; both flat without an axis."""
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Tensor:
    """The results of a 1-d function along an axis."""
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: ArrayLike) -> Tensor:
    """A function `func(a, axis=...)` applied over several axes in turn, whose dimensions stay with size 1."""
def arange(start: Any, stop: Any = None, step: Any = None, dtype: DTypeLike | str | None = None) -> Tensor:
    """Numbers from `start` up to (without) `stop`: Int32 if all are ints, else Float32."""
def arccos(input: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Arccosine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arccosh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Inverse hyperbolic cosine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arcsin(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Arcsine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arcsinh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Inverse hyperbolic sine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arctan(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Arctangent of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arctan2(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The angle of the point (other, input), in radians. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def arctanh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Inverse hyperbolic tangent of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def argmax(a: ArrayLike, axis: int | None = None) -> Tensor:
    """The Int64 position of the first maximum."""
def argmin(a: ArrayLike, axis: int | None = None) -> Tensor:
    """The Int32 position of the first minimum."""
def argwhere(a: ArrayLike) -> Tensor:
    """The positions of nonzero elements, one a row."""
def around(a: ArrayLike, decimals: int = 0) -> Tensor:
    """The nearest number with some digits after the point."""
def array(obj: ArrayLike, dtype: DTypeLike | str | None = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor of numbers, nested sequences of them, or Tensors."""
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Any:
    """Whether two tensors have one shape and equal elements, as a 0-d Bool Tensor."""
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two tensors are equal after broadcasting, as a 0-d Bool Tensor."""
def array_split(x: ArrayLike, indices_or_sections: ArrayLike, axis: int = 0) -> Any:
    """Parts along an axis: a tuple of equal ones, or a list cut at indices."""
def array_str(a: ArrayLike) -> str:
    """The text that `print` gives for a tensor."""
def asarray(a: ArrayLike, dtype: DTypeLike | str | None = None) -> Tensor:
    """As `array`, without copying a Tensor."""
def asfarray(a: ArrayLike, dtype: Any = ...) -> Tensor:
    """A floating tensor; Float32 if another dtype is requested."""
def atleast_1d(*arys: Any) -> Any:
    """Tensors of at least one dimension; several as a list."""
def atleast_2d(*arys: Any) -> Any:
    """Tensors of at least two dimensions; several as a list."""
def atleast_3d(*arys: Any) -> Any:
    """Tensors of at least three dimensions; several as a list."""
def average(
    x: ArrayLike,
    axis: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
) -> Any:
    """The weighted mean over axes."""
def bartlett(M: int) -> Tensor:
    """The bartlett window of M points."""
def bincount(x: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """How often each number occurs (Float32), or the sums of their weights."""
def bitwise_and(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The and of the bits."""
def bitwise_not(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """All bits flipped."""
def bitwise_or(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The or of the bits."""
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The exclusive or of the bits."""
def blackman(M: int) -> Tensor:
    """The blackman window of M points."""
bool_: Type
def broadcast_arrays(*args: Any) -> Any:
    """The arguments broadcast against each other, as a list."""
def broadcast_to(array: ArrayLike, shape: ArrayLike) -> Tensor:
    """The tensor repeated to another shape."""
def cbrt(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """The cube root; in Float32 at least."""
def ceil(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The smallest integer not below each element. Integers are returned as they are. The result is Float32."""
def choose(a: Any, choices: Any, mode: str = 'clip') -> Tensor:
    """Elements of the choices (a tensor, or a sequence of tensors and numbers) that `a` numbers."""
def clip(x: ArrayLike, xmin: ArrayLike | None, xmax: ArrayLike | None, dtype: DTypeLike | None = None) -> Tensor:
    """The elements limited to a range (MindSpore leaves `dtype` out, too)."""
def column_stack(tup: ArrayLike) -> Any:
    """1-d tensors as the columns of a matrix; a Tensor is returned itself."""
def concatenate(arrays: ArrayLike, axis: int | None = 0) -> Any:
    """Tensors joined along an axis, in the dtype they have in common."""
def convolve(a: ArrayLike, v: ArrayLike, mode: str = 'full') -> Tensor:
    """The convolution of two 1-d tensors; modes "full", "same" and "valid"."""
def copy(a: ArrayLike) -> Tensor:
    """A new tensor with the same values."""
def copysign(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The magnitude of the first with the sign of the second, in the first's dtype."""
def corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: DTypeLike | None = None) -> Tensor:
    """The correlation coefficients of variables in rows (or columns), Float32."""
def correlate(a: ArrayLike, v: ArrayLike, mode: str = 'valid') -> Tensor:
    """The cross-correlation of two 1-d tensors, of integers in Float32; modes as of `convolve`."""
def cos(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Cosine of each element, in radians. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def cosh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Hyperbolic cosine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def count_nonzero(x: ArrayLike, axis: ArrayLike | None = None, keepdims: bool = False) -> Any:
    """How many elements are not 0 (Int32)."""
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: DTypeLike | str | None = None,
) -> Tensor:
    """The covariance matrix of variables in rows (or columns)."""
def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """The vector product of vectors with 2 or 3 elements; for two vectors with 2, its last component alone."""
def cumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Running product along an axis, or of the flat tensor."""
def cumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Running sum along an axis, or of the flat tensor."""
def deg2rad(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Degrees to radians. Integers and bool give Float32."""
def diag(v: ArrayLike, k: int = 0) -> Tensor:
    """A matrix of a vector, or the diagonal of a matrix."""
def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The main diagonal's positions in an array with n elements a dimension, Int32."""
def diagflat(v: ArrayLike, k: int = 0) -> Tensor:
    """A matrix with the elements on a diagonal."""
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal over two axes, as the last axis."""
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The n-th differences of neighbours along an axis, with values put in front and behind."""
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Tensor:
    """Each element's bin number (Int32); the bins rise or fall."""
def divide(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The quotient; of integers in Float32, unless it is rounded. The quotient is Float32 unless an operand is Float16 or Float32."""
def divmod(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Floor quotient and remainder."""
def dot(a: ArrayLike, b: ArrayLike) -> Any:
    """The product of vectors, matrices or stacks of them, as NumPy's."""
def dsplit(x: ArrayLike, indices_or_sections: ArrayLike, axis: Any = 2) -> Any:
    """Parts along an axis: a tuple of equal ones, or a list cut at indices."""
def dstack(tup: ArrayLike) -> Any:
    """Joined along the third axis; a Tensor is returned itself."""
e: Any
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Any:
    """Differences between neighbours in the flat tensor, with values put behind and in front."""
def empty(shape: ArrayLike, dtype: Any = ...) -> Tensor:
    """A tensor of zeros; `empty` gives one, too."""
def empty_like(prototype: ArrayLike, dtype: DTypeLike | None = None, shape: ArrayLike | None = None) -> Tensor:
    """Zeros in the shape and dtype of another tensor."""
def equal(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where the operands are equal."""
def exp(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """e to the power of each element. Integers and bool give Float32."""
def exp2(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """2 to the power of each element. BFloat16 gives Float32. Integers give integers, cut off, and Bool gives Int64."""
def expand_dims(a: ArrayLike, axis: ArrayLike) -> Tensor:
    """The tensor with new dimensions of size 1."""
def expm1(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """exp(x) - 1 without loss of precision near zero. Integers and bool give Float32."""
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Tensor:
    """Ones on a diagonal."""
def fabs(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Absolute value; a complex tensor keeps its dtype, as in MindSpore."""
from . import fft as fft
def fix(x: ArrayLike) -> Tensor:
    """Each element without its fraction. Integers are returned as they are. The result is Float32, but Float16 for Float16."""
def flip(m: ArrayLike, axis: ArrayLike | None = None) -> Tensor:
    """The order of elements reversed along axes (all of them for None); without axes, a view of the Tensor."""
def fliplr(m: ArrayLike) -> Tensor:
    """The columns in reverse order."""
def flipud(m: ArrayLike) -> Tensor:
    """The rows in reverse order."""
float16: Type
float32: Type
float64: Type
float_: Type
def float_power(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Powers in Float32."""
def floor(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The largest integer not above each element. Integers are returned as they are."""
def floor_divide(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The quotient rounded down, as `floor_div`."""
def fmod(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The remainder with the dividend's sign, and 0 of an integer divided by 0."""
def full(shape: ArrayLike, fill_value: ArrayLike, dtype: DTypeLike | str | None = None) -> Tensor:
    """One value, in its own dtype (Int32, Float32) unless another is given; a tensor of values broadcasts."""
def full_like(
    a: ArrayLike,
    fill_value: Any,
    dtype: DTypeLike | None = None,
    shape: ArrayLike | None = None,
) -> Tensor:
    """One value in the shape and dtype of another tensor."""
def gcd(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The greatest common divisor; of floats by Euclid's algorithm as well."""
def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | str | None = None,
    axis: int = 0,
) -> Tensor:
    """Numbers that grow by one factor."""
def gradient(f: ArrayLike, *varargs: Any, axis: ArrayLike | None = None, edge_order: int = 1) -> Any:
    """Central differences, one tensor an axis (a list for several); at the edges one-sided."""
def greater(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where input > other."""
def greater_equal(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where input >= other."""
def hamming(M: int) -> Tensor:
    """The hamming window of M points."""
def hanning(M: int) -> Tensor:
    """The hanning window of M points."""
def heaviside(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """0, `other` or 1 where the input is below, at or above zero."""
def histogram(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> Any:
    """How many elements fall into each bin (Float32), and the edges of the bins."""
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike = 10,
    range: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> Any:
    """As `histogramdd`, of points (x, y): counts and the two tensors of edges."""
def histogram_bin_edges(
    a: ArrayLike,
    bins: ArrayLike = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
) -> Tensor:
    """The edges of a histogram's bins."""
def histogramdd(
    sample: ArrayLike,
    bins: ArrayLike = 10,
    range: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> Any:
    """How many points of [N, D] fall into each cell (Float32), and the edges a dimension."""
def hsplit(x: ArrayLike, indices_or_sections: ArrayLike, axis: Any = 1) -> Any:
    """Parts along an axis: a tuple of equal ones, or a list cut at indices."""
def hstack(tup: ArrayLike) -> Any:
    """Joined along the second axis, 1-d tensors along the first; a Tensor is returned itself."""
def hypot(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """sqrt(input**2 + other**2) without overflow."""
def identity(n: int, dtype: Any = ...) -> Tensor:
    """Ones on the main diagonal of a square matrix."""
def in1d(ar1: ArrayLike, ar2: ArrayLike, invert: bool = False) -> Tensor:
    """As `isin`, of the flat tensor."""
def indices(dimensions: ArrayLike, dtype: Any = ..., sparse: bool = False) -> Any:
    """The coordinates of a grid, one tensor a dimension, as a list."""
inf: Any
def inner(a: ArrayLike, b: ArrayLike) -> Any:
    """The sums of products over the last dimensions."""
int16: Type
int32: Type
int64: Type
int8: Type
int_: Type
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: float | None = None,
    right: float | None = None,
) -> Tensor:
    """Linear interpolation of points given by `xp` and `fp`; a point has the slope of the line before it."""
def intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The sorted elements of both, computed on the host; on demand with their first positions (Int32) in each."""
def invert(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """All bits flipped."""
def isclose(a: ArrayLike, b: ArrayLike, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: bool = False) -> Any:
    """Where two tensors are equal within tolerances."""
def isfinite(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where the elements are neither infinite nor NaN."""
def isin(element: ArrayLike, test_elements: ArrayLike, invert: bool = False) -> Tensor:
    """Where the elements occur in a second tensor."""
def isinf(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where the elements are infinite."""
def isnan(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where the elements are NaN."""
def isneginf(x: ArrayLike) -> Any:
    """Where the elements are minus infinity."""
def isposinf(x: ArrayLike) -> Any:
    """Where the elements are plus infinity."""
def isscalar(element: Any) -> bool:
    """Whether an object is a Python number or string."""
def ix_(*args: Any) -> tuple[Any, ...]:
    """1-d tensors shaped so that they index a mesh; Bool ones by where they are true."""
def kron(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The Kronecker product."""
def lcm(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The least common multiple; of floats as well."""
def less(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where input < other."""
def less_equal(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where input <= other."""
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | str | None = None,
    axis: int = 0,
) -> Any:
    """`num` numbers evenly spread over an interval, in Float32 unless another dtype is given."""
def log(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Natural logarithm of each element. Integers and bool give Float32."""
def log10(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Base-10 logarithm of each element. Integers and bool give Float32."""
def log1p(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """log(1 + x) without loss of precision near zero. Integers and bool give Float32."""
def log2(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Base-2 logarithm of each element. Integers and bool give Float32."""
def logaddexp(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """log(exp(input) + exp(other)) without overflow."""
def logaddexp2(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """log2(2**input + 2**other) without overflow."""
def logical_and(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Elementwise and. Numbers are true where they are not 0."""
def logical_not(a: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Elementwise negation. Numbers are true where they are not 0."""
def logical_or(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Elementwise or. Numbers are true where they are not 0."""
def logical_xor(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Elementwise exclusive or. Numbers are true where they are not 0."""
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: int | float = 10.0,
    dtype: DTypeLike | str | None = None,
    axis: int = 0,
) -> Tensor:
    """`base` to the power of evenly spread numbers."""
def matmul(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The matrix product."""
def matrix_power(a: ArrayLike, n: int) -> Tensor:
    """Square matrices to the power of a natural number; with the power 1 themselves."""
def max(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: bool = True,
) -> Any:
    """The maximum over axes."""
def maximum(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The larger element of each pair; NaN if one is NaN."""
def mean(a: ArrayLike, axis: ArrayLike | None = None, keepdims: bool = False, dtype: DTypeLike | None = None) -> Any:
    """The mean over axes, in the tensor's dtype."""
def meshgrid(*xi: Any, sparse: bool = False, indexing: str = 'xy') -> tuple[Any, ...]:
    """Coordinate matrices of coordinate vectors, as a list."""
mgrid: Any
def min(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
    where: ArrayLike = True,
) -> Any:
    """The minimum over axes."""
def minimum(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The smaller element of each pair; NaN if one is NaN."""
def mod(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The remainder with the divisor's sign."""
def moveaxis(a: ArrayLike, source: ArrayLike, destination: ArrayLike) -> Tensor:
    """Dimensions moved to other places; the others keep their order."""
def multi_dot(arrays: Any) -> Tensor:
    """The product of several matrices; the first and the last may be vectors."""
def multiply(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The product. A 0-d tensor gives way to one with dimensions like a Python number."""
nan: Any
def nancumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Running sum with NaN as 0, along an axis or of the flat tensor."""
def nanmax(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The maximum over axes, without NaN; NaN where there is nothing else."""
def nanmean(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The mean over axes, without NaN; Float32 at least."""
def nanmin(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The minimum over axes, without NaN; NaN where there is nothing else."""
def nanstd(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Tensor:
    """The standard deviation over axes, without NaN; Float32 unless `dtype` says otherwise."""
def nansum(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The sum over axes, with NaN as 0; of truths, whether any is True."""
def nanvar(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    ddof: int = 0,
    keepdims: bool = False,
) -> Tensor:
    """The variance over axes, without NaN; Float32 unless `dtype` says otherwise."""
def negative(a: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """The negative of each element; unsigned integers wrap around."""
def norm(x: ArrayLike, ord: str | float | int | None = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """A norm of vectors or matrices."""
def not_equal(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Where the operands differ."""
ogrid: Any
def ones(shape: ArrayLike, dtype: Any = ...) -> Tensor:
    """A tensor of ones."""
def ones_like(a: ArrayLike, dtype: DTypeLike | None = None, shape: ArrayLike | None = None) -> Tensor:
    """Ones in the shape and dtype of another tensor."""
def outer(a: ArrayLike, b: ArrayLike) -> Any:
    """All products of two elements."""
def pad(
    arr: ArrayLike,
    pad_width: ArrayLike,
    mode: str = 'constant',
    stat_length: ArrayLike | None = None,
    constant_values: ArrayLike = 0,
    end_values: ArrayLike = 0,
    reflect_type: str | Any = 'even',
    **kwargs: Any,
) -> Any:
    """Elements added around the tensor, in NumPy's modes except "median"; "mean" of integers is truncated."""
pi: Any
def piecewise(x: ArrayLike, condlist: ArrayLike, funclist: ArrayLike, *args: Any, **kw: Any) -> Tensor:
    """Values, or what functions of `x` give, where conditions are true; the last of one more is for elsewhere."""
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The sum of two polynomials."""
def polyder(p: ArrayLike, m: int = 1) -> Tensor:
    """The m-th derivative of a polynomial."""
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Tensor:
    """The m-th integral of a polynomial, with constants `k` (a number or one a step)."""
def polymul(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The product of two polynomials."""
def polysub(a1: ArrayLike, a2: ArrayLike) -> Tensor:
    """The difference of two polynomials."""
def polyval(p: ArrayLike, x: ArrayLike) -> Tensor:
    """The value of a polynomial with falling coefficients, in Float32 at least."""
def positive(a: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """The elements as they are, in a new Tensor."""
def power(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The power; integers stay integers, and to a negative power are 0, but for the bases 1 and -1."""
def promote_types(type1: DTypeLike | str, type2: DTypeLike | str) -> Any:
    """The dtype that two dtypes have in common."""
def ptp(x: ArrayLike, axis: ArrayLike | None = None, keepdims: bool = False) -> Tensor:
    """Maximum minus minimum."""
def rad2deg(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Radians to degrees. Integers and bool give Float32."""
def radians(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Degrees to radians. Integers and bool give Float32."""
def rand(*shape: Any, dtype: Any = ...) -> Tensor:
    """Random numbers in [0, 1)."""
def randint(minval: int, maxval: int | None = None, shape: ArrayLike | None = None, dtype: Any = ...) -> Tensor:
    """Random integers from 0 to `minval`, or from `minval` to `maxval`, without the end; one number if `shape` is None."""
def randn(*shape: Any, dtype: Any = ...) -> Tensor:
    """Standard normal random numbers."""
def ravel(x: ArrayLike) -> Any:
    """The elements as a vector."""
def ravel_multi_index(multi_index: Any, dims: ArrayLike, mode: str | Any = 'clip', order: str | Any = 'C') -> Any:
    """The flat positions of coordinates, in Float32 as in MindSpore; modes "clip" and "wrap"."""
def reciprocal(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Reciprocal of each element. Integers give integers, cut off, and Bool gives Int64."""
def remainder(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The remainder with the divisor's sign."""
def repeat(a: ArrayLike, repeats: ArrayLike, axis: int | None = None) -> Tensor:
    """Each element repeated."""
def reshape(x: ArrayLike, new_shape: ArrayLike) -> Any:
    """The elements in another shape."""
def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that tensors, dtypes and numbers have in common."""
def rint(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The nearest integer, halves to even. Integers are returned as they are."""
def roll(a: ArrayLike, shift: ArrayLike, axis: ArrayLike | None = None) -> Tensor:
    """Roll elements along axes (the flat tensor for None); elements that leave the end come in at the front."""
def rollaxis(x: ArrayLike, axis: int, start: int = 0) -> Any:
    """One axis moved to stand before another."""
def rot90(a: ArrayLike, k: int = 1, axes: ArrayLike = ...) -> Tensor:
    """Rotated by quarter turns."""
def round(a: ArrayLike, decimals: int = 0) -> Tensor:
    """The nearest number with some digits after the point."""
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = 'left', sorter: ArrayLike | None = None) -> Tensor:
    """The insertion points of values in a sorted tensor (Int32)."""
def select(condlist: ArrayLike, choicelist: ArrayLike, default: Number = 0) -> Tensor:
    """Elements of the first choice whose condition is not 0, else `default`, in the choices' dtype."""
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Any:
    """The elements of the first that the second lacks, computed on the host."""
def sign(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """-1, 0 or 1 by the sign; of integers in Float32."""
def signbit(x: ArrayLike, dtype: DTypeLike | None = None) -> Tensor:
    """Where the sign is negative; nothing but Bool, which is all that `dtype` may be."""
def sin(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Sine of each element, in radians. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def sinh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Hyperbolic sine of each element. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def size(a: ArrayLike, axis: int | None = None) -> Any:
    """The number of elements, or of those along an axis."""
def sometrue(a: ArrayLike, axis: ArrayLike | None = None, keepdims: bool = False) -> Any:
    """Whether any element is not 0."""
def split(x: ArrayLike, indices_or_sections: ArrayLike, axis: int = 0) -> tuple[Any, ...]:
    """Equal pieces, or pieces cut at indices; ValueError if the axis cannot be divided evenly."""
def sqrt(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Square root of each element; NaN for negative ones. Integers and bool give Float32."""
def square(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Each element times itself, in its own dtype."""
def squeeze(a: ArrayLike, axis: ArrayLike | None = None) -> Tensor:
    """The tensor without dimensions of size 1."""
def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Tensors joined along a new axis, or a Tensor with its first axis moved there; an axis beyond the last wraps."""
def std(x: ArrayLike, axis: ArrayLike | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The standard deviation over dimensions; arguments as for `var`."""
def subtract(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The difference; of two bool tensors their exclusive or."""
def sum(
    a: ArrayLike,
    axis: ArrayLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    initial: Number | None = None,
) -> Any:
    """The sum over axes; of integers in Int64."""
def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Any:
    """Two dimensions exchanged."""
def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None, mode: str = 'clip') -> Tensor:
    """Elements of the flat tensor, or slices along an axis, at indices."""
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: Any) -> Tensor:
    """Elements at indices along an axis, of the flat tensor for None; other dimensions broadcast."""
def tan(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Tangent of each element, in radians. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def tanh(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Hyperbolic tangent. Integers give Float32, but one-byte integers (Bool, Int8, UInt8) give Float16."""
def tensordot(a: ArrayLike, b: ArrayLike, axes: ArrayLike = 2) -> Any:
    """The sums of products over several axes."""
def tile(a: ArrayLike, reps: ArrayLike) -> Tensor:
    """The tensor repeated along each dimension."""
def trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None) -> Tensor:
    """The sum of the diagonal over two axes, of elements cast to `dtype`; of Bool whether one is True."""
def transpose(a: ArrayLike, axes: ArrayLike | None = None) -> Tensor:
    """The dimensions reversed, or in another order."""
def trapz(y: ArrayLike, x: ArrayLike | None = None, dx: Number = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by the trapezoidal rule."""
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Tensor:
    """Ones on and below a diagonal."""
def tril(m: ArrayLike, k: int = 0) -> Any:
    """The lower triangle of the last two dimensions, zeros elsewhere."""
def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """The rows and columns of NumPy's `tril_indices` of an n x m matrix, Int32."""
def tril_indices_from(arr: ArrayLike, k: int = 0) -> Any:
    """As `tril_indices`, of a matrix's shape."""
def triu(m: ArrayLike, k: int = 0) -> Any:
    """The upper triangle of the last two dimensions, zeros elsewhere; arguments as for `tril`."""
def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """The rows and columns of NumPy's `triu_indices` of an n x m matrix, Int32."""
def triu_indices_from(arr: ArrayLike, k: int = 0) -> Any:
    """As `triu_indices`, of a matrix's shape."""
def true_divide(x1: ArrayLike, x2: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """The quotient; of integers in Float32. The quotient is Float32 unless an operand is Float16 or Float32."""
def trunc(x: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Each element without its fraction. Integers are returned as they are. The result is Float32, but Float16 for Float16."""
uint16: Type
uint32: Type
uint64: Type
uint8: Type
def unique(x: ArrayLike, return_inverse: bool = False) -> Any:
    """The different elements in order of first occurrence, with the inverse on demand."""
def unravel_index(indices: ArrayLike, shape: ArrayLike, order: str = 'C') -> Any:
    """The coordinates of flat positions, one tensor a dimension, in the positions' dtype."""
def unwrap(p: ArrayLike, discont: float = 3.141592653589793, axis: int = -1) -> Tensor:
    """Angles without jumps of more than `discont`, by multiples of 2 pi; Float32 of integers."""
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Any:
    """The Vandermonde matrix of a 1-d tensor."""
def var(x: ArrayLike, axis: ArrayLike | None = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """The variance over dimensions, divided by N - ddof."""
def vsplit(x: ArrayLike, indices_or_sections: ArrayLike, axis: Any = 0) -> Any:
    """Parts along an axis: a tuple of equal ones, or a list cut at indices."""
def vstack(tup: ArrayLike) -> Any:
    """Joined along the first axis; a Tensor is returned itself."""
def where(condition: ArrayLike, x: ArrayLike | None = None, y: ArrayLike | None = None) -> Any:
    """Chooses by a condition; with the condition alone the coordinates where it is true."""
def zeros(shape: ArrayLike, dtype: Any = ...) -> Tensor:
    """A tensor of zeros; `empty` gives one, too."""
def zeros_like(a: ArrayLike, dtype: DTypeLike | None = None, shape: ArrayLike | None = None) -> Tensor:
    """Zeros in the shape and dtype of another tensor."""
