"""`mint` functions whose arguments or dtypes differ from the underlying operation's."""

from __future__ import annotations

from typing import Any

from ms_compat._core.checks import check_rank_at_most, check_tensors
from ms_compat._core.dtype import int64
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of
from ms_compat.ops.function.elementwise import arithmetic, compare, math
from ms_compat.ops.function.indexing import gather as gathered
from ms_compat.ops.function.indexing import sort as sorting
from ms_compat.ops.function.linalg import basic, norms
from ms_compat.ops.function.reduction import cumulative, reduce
from ms_compat.ops.function.shape import create, flattening, join, views
from ms_compat.ops.function.update.assign import stop_gradient


@faces("mint")
def gather(input, dim, index):
    """The elements at indices along a dimension, every other coordinate kept.

    Args:
        input (Tensor): at least one dimension.
        dim (int): the dimension.
        index (Tensor): Int32 or Int64, with the rank of `input`.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.gather(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
    [[2]
     [3]]
    """
    return gathered.gather_d(input, dim, index)


@faces("mint")
def add(input, other, *, alpha=1):
    """input + alpha * other.

    Args:
        input, other: a Tensor or number; shapes broadcast.
        alpha: a number.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.add(Tensor([5.0]), Tensor([1.0]), alpha=2))
    [7.]
    """
    return arithmetic.add(input, other) if alpha == 1 else arithmetic.add_scaled(input, other, alpha)


@faces("mint")
def sub(input, other, *, alpha=1):
    """input - alpha * other.

    Args:
        input, other: a Tensor or number; shapes broadcast.
        alpha: a number.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.sub(Tensor([5.0]), Tensor([1.0]), alpha=2))
    [3.]
    """
    return arithmetic.sub(input, other) if alpha == 1 else arithmetic.sub_scaled(input, other, alpha)


@faces("mint")
def prod(input, dim=None, keepdim=False, *, dtype=None):
    """The product over a dimension; of integers in Int64.

    Args:
        input (Tensor): any shape.
        dim (int): the dimension; all of them by default.
        keepdim (bool): whether the dimension stays, with size 1.
        dtype: a mindspore dtype for the product.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
    [ 2. 12.]
    """
    return reduce.prod(input, dim, keepdim, dtype)


@faces("mint")
def all(input, dim=None, keepdim=False):
    """Whether all elements over dimensions are true.

    Args:
        input (Tensor): of Bool or numbers, which are true where they are not 0.
        dim: an int or a tuple of ints; all dimensions by default.
        keepdim (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.all(Tensor([[True, False], [True, True]]), 1))
    [False  True]
    """
    return reduce.all(input, dim, keepdim)


@faces("mint")
def any(input, dim=None, keepdim=False):
    """Whether any element over dimensions is true.

    Args:
        input (Tensor): of Bool or numbers, which are true where they are not 0.
        dim: an int or a tuple of ints; all dimensions by default.
        keepdim (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.any(Tensor([[True, False], [False, False]]), 1))
    [ True False]
    """
    return reduce.any(input, dim, keepdim)


@faces("mint")
def amax(input, dim=(), keepdim=False):
    """The maximum over dimensions.

    Args:
        input (Tensor): real type.
        dim: an int or a tuple of ints; all dimensions by default.
        keepdim (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.amax(Tensor([[1.0, 3.0], [4.0, 2.0]]), 1))
    [3. 4.]
    """
    return reduce.amax(input, dim, keepdim)


@faces("mint")
def amin(input, dim=(), keepdim=False):
    """The minimum over dimensions."""
    return reduce.amin(input, dim, keepdim)


def _max_min(name: str, one, many, two, args: tuple, kwargs: dict) -> Any:
    input = kwargs.pop("input", None) if not args else args[0]
    rest = args[1:]
    if not rest and not kwargs:
        return one(input)
    other = rest[0] if rest and isinstance(rest[0], (Tensor, bool, float)) else kwargs.get("other")
    if other is not None:
        return two(input, other)
    dim = rest[0] if rest else kwargs.get("dim")
    if dim is None:
        raise TypeError(f"For 'mint.{name}', the 'dim' must be an int, or left out together with 'keepdim'.")
    return many(input, dim, rest[1] if len(rest) > 1 else kwargs.get("keepdim", False))


@faces("mint")
def max(*args, **kwargs):
    """`max(input)`, `max(input, dim, keepdim=False)` with positions, or `max(input, other)` elementwise.

    >>> from ms_compat import Tensor, mint
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> values, positions = mint.max(x, 1)
    >>> print(mint.max(x), values, positions)
    4.0 [3. 4.] [1 0]
    """
    return _max_min("max", reduce.amax, reduce.max, arithmetic.maximum, args, kwargs)


@faces("mint")
def min(*args, **kwargs):
    """`min(input)`, `min(input, dim, keepdim=False)` with positions, or `min(input, other)` elementwise.

    >>> from ms_compat import Tensor, mint
    >>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])
    >>> values, positions = mint.min(x, 1)
    >>> print(mint.min(x), values, positions)
    1.0 [1. 2.] [0 1]
    """
    return _max_min("min", reduce.amin, reduce.min, arithmetic.minimum, args, kwargs)


@faces("mint")
def sort(input, *, dim=-1, descending=False, stable=False):
    """The elements in order along a dimension, and their Int64 positions.

    Args:
        input (Tensor): at least one dimension.
        dim (int): the dimension.
        descending (bool): whether the largest element is first.
        stable (bool): equal elements always keep their order.

    >>> from ms_compat import Tensor, mint
    >>> values, positions = mint.sort(Tensor([3.0, 1.0, 2.0]))
    >>> print(values, positions)
    [1. 2. 3.] [1 2 0]
    """
    return sorting.sort_ext(input, dim, descending, stable)


@faces("mint")
def var(input, dim=None, *, correction=1, keepdim=False):
    """The variance over dimensions, divided by N - correction."""
    return reduce.var(input, dim, correction, keepdim)


@faces("mint")
def std(input, dim=None, *, correction=1, keepdim=False):
    """The standard deviation over dimensions, with N - correction.

    Args:
        input (Tensor): floating type.
        dim: an int or a tuple of ints; all dimensions by default.
        correction (int): the sum of squares is divided by N - correction.
        keepdim (bool): whether the dimensions stay, with size 1.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.std(Tensor([1.0, 3.0, 5.0])))
    2.0
    """
    return reduce.std_ext(input, dim, correction, keepdim)


@faces("mint")
def var_mean(input, dim=None, *, correction=1, keepdim=False):
    """The variance and the mean over dimensions."""
    return reduce.var_mean(input, dim, correction, keepdim)


@faces("mint")
def std_mean(input, dim=None, *, correction=1, keepdim=False):
    """The standard deviation and the mean over dimensions."""
    return reduce.std_mean(input, dim, correction, keepdim)


@faces("mint")
def median(input, dim=None, keepdim=False):
    """The median of all elements, or along a dimension with its position."""
    if dim is None:
        return reduce.median(views.reshape(input, (-1,)), 0)[0]
    return reduce.median(input, dim, keepdim)


@faces("mint")
def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum over dimensions with NaN as 0."""
    return reduce.nansum(input, dim, keepdim, dtype)


@faces("mint")
def count_nonzero(input, dim=None):
    """How many elements over dimensions are not 0, in Int64."""
    return reduce.count_nonzero(input, dim, False, int64)


@faces("mint")
def cummax(input, dim):
    """Running maximum along a dimension and its position."""
    return cumulative.cummax(input, dim)


@faces("mint")
def cummin(input, dim):
    """Running minimum along a dimension and its position (Int64)."""
    values, index = cumulative.cummin(input, dim)
    return values, create.cast(index, int64)


@faces("mint ops.diff_ext")
def diff(input, n=1, dim=-1, prepend=None, append=None):
    """Differences of neighbours along a dimension; not even once, `input` itself.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.diff(Tensor([1, 4, 9])))
    [3 5]
    """
    check_tensors("diff", input=input)
    if isinstance(n, int) and n < 1:
        axis_of("diff", dim, len(input.shape), "dim")
        return input
    return cumulative.diff(input, n, dim, prepend, append)


@faces("mint")
def stack(tensors, dim=0):
    """Tensors joined along a new dimension.

    Args:
        tensors: a tuple or list of Tensors with one shape.
        dim (int): the new dimension.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.stack((Tensor([1, 2]), Tensor([3, 4])), 1))
    [[1 3]
     [2 4]]
    """
    return join.stack(tensors, dim)


@faces("mint mint.concat")
def cat(tensors, dim=0):
    """Tensors joined along a dimension.

    Args:
        tensors: a tuple or list of Tensors.
        dim (int): the dimension.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.cat((Tensor([1, 2]), Tensor([3]))))
    [1 2 3]
    """
    return join.concat(tensors, dim)


@faces("mint")
def split(tensor, split_size_or_sections, dim=0):
    """Pieces along a dimension; views in PYNATIVE_MODE.

    Args:
        tensor (Tensor): at least one dimension.
        split_size_or_sections: the size of each piece (the last may be smaller), or a tuple or list of sizes.
        dim (int): the dimension.

    >>> from ms_compat import Tensor, mint
    >>> print([part.tolist() for part in mint.split(Tensor([1, 2, 3]), 2)])
    [[1, 2], [3]]
    """
    return views.split(tensor, split_size_or_sections, dim)


@faces("mint")
def chunk(input, chunks, dim=0):
    """At most `chunks` equal pieces along a dimension; views in PYNATIVE_MODE.

    Args:
        input (Tensor): at least one dimension.
        chunks (int): how many.
        dim (int): the dimension.

    >>> from ms_compat import Tensor, mint
    >>> print([part.tolist() for part in mint.chunk(Tensor([1, 2, 3]), 2)])
    [[1, 2], [3]]
    """
    return views.chunk(input, chunks, dim)


@faces("mint")
def narrow(input, dim, start, length):
    """`length` elements from `start` on along a dimension; a view in PYNATIVE_MODE."""
    return views.narrow(input, dim, start, length)


@faces("mint")
def squeeze(input, dim):
    """Dimensions of size 1 taken away; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.
        dim: an int or a tuple of ints.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.squeeze(Tensor([[1], [2]]), 1))
    [1 2]
    """
    return views.squeeze(input, dim)


@faces("mint")
def permute(input, dims):
    """The dimensions in another order; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.
        dims: all dimensions in their new order.

    >>> from ms_compat import mint
    >>> print(mint.permute(mint.ones((1, 2, 3)), (2, 0, 1)).shape)
    (3, 1, 2)
    """
    return views.transpose(input, dims)


@faces("mint")
def t(input):
    """A matrix transposed; tensors of fewer dimensions as they are. A view in PYNATIVE_MODE."""
    check_tensors("t", input=input)
    check_rank_at_most("t", "input", input, 2)
    return views.transpose(input, tuple(range(len(input.shape)))[::-1])


@faces("mint")
def transpose(input, dim0, dim1):
    """Two dimensions exchanged; a view in PYNATIVE_MODE.

    Args:
        input (Tensor): any shape.
        dim0, dim1 (int): the two dimensions.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.transpose(Tensor([[1, 2], [3, 4]]), 0, 1))
    [[1 3]
     [2 4]]
    """
    return views.exchanged(input, dim0, dim1)


@faces("mint")
def flatten(input, start_dim=0, end_dim=-1):
    """Dimensions as one; a view in PYNATIVE_MODE, and `input` where only one is chosen.

    Args:
        input (Tensor): any shape.
        start_dim (int): the first dimension that is joined.
        end_dim (int): the last one.

    >>> from ms_compat import mint
    >>> print(mint.flatten(mint.ones((2, 3, 4)), 1).shape)
    (2, 12)
    """
    check_tensors("mint.flatten", input=input)
    for name, dim in (("start_dim", start_dim), ("end_dim", end_dim)):
        axis_of("flatten", dim, len(input.shape), name)
    size = flattening.flat_shape(input.shape, start_dim=start_dim, end_dim=end_dim)
    return create.another(input) if size == input.shape else views.reshape(input, size)


@faces("mint")
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    """Each element repeated.

    Args:
        input: a Tensor.
        repeats: how often: a number, or one for each element along the dimension.
        dim: an int; by default the flattened tensor is repeated.
        output_size: the size that comes out, which spares other backends a look at `repeats`.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.repeat_interleave(Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    no_effect("mint.repeat_interleave", "the size is computed", output_size=output_size)
    return join.repeat_interleave(input, repeats, dim)


@faces("mint")
def meshgrid(*tensors, indexing=None):
    """Coordinate matrices of coordinate vectors, "ij" unless "xy" is requested.

    >>> from ms_compat import Tensor, mint
    >>> rows, columns = mint.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]))
    >>> print(rows.shape)
    (2, 3)
    """
    return join.meshgrid(*tensors, indexing=indexing or "ij")


@faces("mint")
def index_select(input, dim, index):
    """The slices at a 1-d tensor of indices along a dimension.

    Args:
        input (Tensor): at least one dimension.
        dim (int): the dimension.
        index (Tensor): Int32 or Int64, one dimension.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
    [[2]
     [4]]
    """
    return gathered.index_select(input, dim, index)


@faces("mint")
def scatter(input, dim, index, src):
    """A copy in which `src` (a tensor or a number) replaces the elements at indices along a dimension.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.scatter(Tensor([1.0, 2.0, 3.0]), 0, Tensor([2, 0]), Tensor([9.0, 8.0])))
    [8. 2. 9.]
    """
    from ms_compat.ops.function.indexing.scatter import scatter as general

    return general(input, dim, index, src)


@faces("mint")
def where(condition, input=None, other=None):
    """Chooses by a condition; with the condition alone the coordinates where it is true.

    Args:
        condition (Tensor): Bool.
        input, other: a Tensor or number; shapes broadcast.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.where(Tensor([True, False]), Tensor([1, 2]), 0))
    [1 0]
    """
    if input is None and other is None:
        return sorting.nonzero(condition, as_tuple=True)
    return join.where(condition, input, other)


@faces("mint")
def zeros(size, *, dtype=None):
    """A tensor of zeros.

    Args:
        size: an int, or a tuple or list of ints.
        dtype: a mindspore dtype; by default Float32.

    >>> from ms_compat import mint
    >>> print(mint.zeros((2, 2)))
    [[0. 0.]
     [0. 0.]]
    """
    return create.zeros(size, dtype)


@faces("mint")
def ones(size, *, dtype=None):
    """A tensor of ones.

    Args:
        size: an int, or a tuple or list of ints.
        dtype: a mindspore dtype; by default Float32.

    >>> from ms_compat import mint
    >>> print(mint.ones((2, 2)))
    [[1. 1.]
     [1. 1.]]
    """
    return create.ones(size, dtype)


@faces("mint")
def full(size, fill_value, *, dtype=None):
    """One value; without a dtype Float32 for a float, Int64 for an int, Bool for a bool.

    Args:
        size: a tuple or list of ints.
        fill_value: a number.
        dtype: a mindspore dtype.

    >>> from ms_compat import mint
    >>> print(mint.full((2, 2), 7))
    [[7 7]
     [7 7]]
    """
    from ms_compat._core import dtype as mstype

    kinds = {bool: mstype.bool_, int: mstype.int64, float: mstype.float32}
    if isinstance(fill_value, Tensor):
        fill_value = stop_gradient(fill_value)  # it has none in MindSpore, other than in `ops.full`
    return create.full(size, fill_value, dtype=dtype or kinds.get(type(fill_value), mstype.float32))


@faces("mint")
def norm(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    """The p-norm over dimensions (of all elements without one).

    Args:
        input (Tensor): floating type.
        p: a number, or "fro".
        dim: an int or a tuple of ints; all dimensions by default.
        keepdim (bool): whether the dimensions stay, with size 1.
        dtype: a mindspore dtype to compute in.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.norm(Tensor([[3.0, 4.0]]), dim=1))
    [5.]
    """
    if not isinstance(p, (int, float)) and p not in ("fro", "nuc"):
        raise value_error("norm", "p", "a number, 'fro' or 'nuc'", p)
    if p == "nuc":
        return norms.matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype)
    return norms.vector_norm_ext(input, 2 if p == "fro" else p, dim, keepdim, dtype)


@faces("mint")
def pow(input, exponent):
    """The power; as `mindspore.ops.pow`, but integers have no power to a negative int.

    Raises:
        RuntimeError: `input` is a Tensor of integers and `exponent` a negative int.

    Args:
        input, exponent: a Tensor or number; shapes broadcast.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.pow(Tensor([2.0, 3.0]), 2))
    [4. 9.]
    """
    if isinstance(exponent, int) and exponent < 0 and isinstance(input, Tensor) and input.dtype.np_dtype.kind in "iu":
        raise RuntimeError(f"For 'mint.pow', integers have no power to a negative int, but got {exponent}. Cast them.")
    return arithmetic.pow(input, exponent)


@faces("mint")
def div(input, other, *, rounding_mode=None):
    """The quotient; of integers in Float32 unless it is rounded.

    Args:
        input, other: a Tensor or number; shapes broadcast.
        rounding_mode (str): None, "floor" or "trunc".

    >>> from ms_compat import Tensor, mint
    >>> x = Tensor([5.0, -5.0])
    >>> print(mint.div(x, 2), mint.div(x, 2, rounding_mode="floor"))
    [ 2.5 -2.5] [ 2. -3.]
    """
    return arithmetic.div(input, other, rounding_mode=rounding_mode)


@faces("mint")
def equal(input, other) -> bool:
    """Whether two tensors have one shape and equal elements, as a Python bool."""
    check_type("mint.equal", "input", input, Tensor)
    check_type("mint.equal", "other", other, Tensor)
    return tuple(input.shape) == tuple(other.shape) and bool(compare.equal(input, other).asnumpy().all())


@faces("mint")
def clone(input):
    """A new tensor with the same values.

    Args:
        input (Tensor): any shape.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.clone(Tensor([1, 2])))
    [1 2]
    """
    return create.identity_cast(input, input.dtype)


@faces("mint")
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """The p-norm distances from each row in one tensor to each row in another.

    Args:
        x1: rows, a Tensor.
        x2: rows.
        p: the norm.
        compute_mode: when to compute Euclidean distances by a product, which is up to XLA here.
    """
    if compute_mode != "use_mm_for_euclid_dist_if_necessary":
        no_effect("mint.cdist", "the distances are summed directly", compute_mode=compute_mode)
    return norms.cdist(x1, x2, p)


@faces("mint")
def vdot(input, other):
    """The inner product of two vectors, the first conjugated."""
    return basic.dot_1d(math.conj(input), other)


def frac(input):
    """The fraction of each element, with its sign."""
    return math.frac(input)


@faces("mint")
def softmax(input, dim, *, dtype=None):
    """exp(x) divided by its sum along a dimension; None is the first of 0, 1 or 3 dimensions, else the second.

    Args:
        input (Tensor): floating type.
        dim (int): the dimension.
        dtype: a mindspore dtype, to which the input is converted first.

    >>> from ms_compat import Tensor, mint
    >>> print(mint.softmax(Tensor([0.0, 0.0]), 0))
    [0.5 0.5]
    """
    from ms_compat.ops.function.elementwise import activation

    return activation.softmax(input, activation.implicit_axis(input, dim), dtype)


@faces("mint")
def item(input):
    """The only element of a tensor as a number of Python.

    Args:
        input (Tensor): a tensor of one element.

    Raises:
        TypeError: `input` is not a Tensor.
        RuntimeError: it has several elements, or none.

    >>> from ms_compat import Tensor, mint
    >>> mint.item(Tensor([3.0]))
    3.0
    """
    check_type("item", "input", input, Tensor)
    if input.size != 1:
        raise RuntimeError(f"For 'item', the 'input' must have one element, but got the shape {input.shape}.")
    return input.item()
