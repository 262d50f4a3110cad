"""Tensor methods that MindSpore has in an older form and one like PyTorch's; the arguments select the form."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
from ms_compat._tensor.adapters import _many
from ms_compat._tensor.operators import sequence_operand
from ms_compat.ops.function.elementwise import arithmetic, compare
from ms_compat.ops.function.indexing import gather, scatter, sort
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.reduction import reduce
from ms_compat.ops.function.shape import join, views

logger = logging.getLogger("ms_compat")


def renamed(fn: Callable, **names: str) -> Callable:
    """`fn` whose keywords have further names: `names` maps them to its own."""

    def method(self, *args, **kwargs):
        return fn(self, *args, **{names.get(key, key): value for key, value in kwargs.items()})

    method.__name__, method.__doc__ = fn.__name__, fn.__doc__
    method.__wrapped__, method.spellings = fn, names  # type: ignore[attr-defined]
    return method


def _is_bool(value: object) -> bool:
    """Whether a value is a bool, `mutable(True)` included, which is not a number to count with either."""
    return isinstance(value, bool) or type(value).__name__ == "MutableBool"


def _check_extreme(name: str, given: dict[str, Any]) -> None:
    """Check what `Tensor.max` or `Tensor.min` was given, under the names of the older form."""
    keep, initial = given.get("keepdims", False), given.get("initial")
    check_type(f"Tensor.{name}", "dim", given.get("axis"), (int, tuple, list, type(None)))
    if not _is_bool(keep):
        raise TypeError(f"For 'Tensor.{name}', the 'keepdims' must be a bool, but got {type(keep).__name__}.")
    if initial is not None and not isinstance(initial, (int, float)):
        raise TypeError(f"For 'Tensor.{name}', the 'initial' must be a number, but got {type(initial).__name__}.")
    if initial is not None and given.get("where", True) is None:
        raise TypeError(f"For 'Tensor.{name}', the 'where' must be a Tensor, but got None.")
    if not isinstance(given.get("where", True), (Tensor, bool, type(None))):
        kind = type(given["where"]).__name__
        raise TypeError(f"For 'Tensor.{name}', the 'where' must be a Tensor or a bool, but got {kind}.")
    if not _is_bool(given.get("return_indices", False)):
        kind = type(given["return_indices"]).__name__
        raise TypeError(f"For 'Tensor.{name}', the 'return_indices' must be a bool, but got {kind}.")


_OLD = {"axis", "keepdims", "initial", "where", "return_indices"}  # the keywords of the older form


def _given_to_extreme(name: str, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Tensor.max` or `Tensor.min`, checked, under the names of the older form."""
    if len(args) > 2:
        raise TypeError(f"Tensor.{name}() takes at most 2 arguments by position, but got {len(args)}.")
    unknown = sorted(set(kwargs) - _OLD - {"dim", "keepdim"})
    if unknown:
        raise TypeError(f"Tensor.{name}() got unexpected arguments {unknown}.")
    given = dict(zip(("axis", "keepdims"), args, strict=False))
    named = {{"dim": "axis", "keepdim": "keepdims"}.get(key, key): value for key, value in kwargs.items()}
    if twice := sorted(given.keys() & named):
        raise TypeError(f"Tensor.{name}() got two values for {twice}.")
    given |= named
    _check_extreme(name, given)
    return given


_EXTREME_ARGUMENTS = """Args:
    axis: an int or a tuple of ints; `dim` takes an int.
    keepdims (bool): whether the dimensions stay, with size 1; `keepdim` beside `dim`.
    initial: a number that counts as an element, too.
    where: a Bool Tensor, which elements count.
    return_indices (bool): whether the positions along `axis` are returned, too.

Raises:
    TypeError: an argument of another type, or one that is given twice.
"""


def _extreme(largest: bool) -> Callable:
    name = "max" if largest else "min"

    def method(self, *args, **kwargs):
        given = _given_to_extreme(name, args, kwargs)
        axis, keep = given.get("axis"), given.get("keepdims", False)
        initial, where = given.get("initial"), given.get("where")
        where = None if where is True else where
        if axis is None and not {"dim", "keepdim"} & set(kwargs):
            # over all elements, MindSpore takes no notice of the other arguments, and gives the index 0
            if keep or initial is not None or where is not None:
                logger.debug("Tensor.%s: 'keepdims', 'initial' and 'where' have no effect without an axis", name)
            out = (reduce.amax if largest else reduce.amin)(self)
            return (out, Tensor(0, mstype.int64)) if given.get("return_indices", False) else out
        if "dim" in kwargs or "keepdim" in kwargs:
            both = True
        elif _OLD & set(kwargs):
            both = bool(given.get("return_indices", False))
        else:  # by position alone: the new form in PYNATIVE_MODE, the old one in compiled functions
            both = not scopes.as_compiled()
        if both and isinstance(axis, int):
            return (reduce.max if largest else reduce.min)(self, axis, bool(keep), initial=initial, where=where)
        if isinstance(axis, int):  # equal elements share the gradient only along several axes
            return reduce.first_extreme(self, largest, axis, bool(keep), initial, where)
        if isinstance(axis, list):
            axis = tuple(axis)
        return (reduce.amax if largest else reduce.amin)(self, axis, bool(keep), initial=initial, where=where)

    method.__name__ = name
    method.__doc__ = (
        f"The {name}imum of all elements; along `dim=`, then with its position; or along `axis=`, with its position "
        "for `return_indices=True`. By position it is `dim` in PYNATIVE_MODE and `axis` in compiled functions. Over "
        "all elements, `keepdims`, `initial` and `where` have no effect, and the index is 0, as in MindSpore.\n\n"
        f"{_EXTREME_ARGUMENTS}\n>>> from ms_compat import Tensor\n"
        f">>> x = Tensor([[1.0, 3.0], [4.0, 2.0]])\n>>> print(x.{name}(), x.{name}(axis=1))\n"
        f"{'4.0 [3. 4.]' if largest else '1.0 [1. 2.]'}\n"
    )
    return method


max, min = _extreme(True), _extreme(False)
table_faces(__name__, "max min", "Tensor")


@faces("Tensor.add_")
def add_in_place(self, other, *, alpha=1):
    """The sum, with `alpha` times the other operand.

    Args:
        other: a Tensor or number.
        alpha: a number.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.add_(1), x)
    [2. 3.] [2. 3.]
    """
    return arithmetic.add(self, other) if alpha == 1 else arithmetic.add_scaled(self, other, alpha)


@faces("Tensor")
def add(self, other, *, alpha=1):
    """The sum, with `alpha` times the other operand; without it also of a list or tuple, in the tensor's dtype.

    Args:
        other: a Tensor, a number, a list or a tuple; shapes broadcast.
        alpha: a number.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0, 2.0]).add(10), Tensor([1.0, 2.0]).add(Tensor([1.0, 1.0]), alpha=2))
    [11. 12.] [3. 4.]
    """
    return add_in_place(self, sequence_operand(self, other) if alpha == 1 else other, alpha=alpha)


@faces("Tensor")
def subtract(self, other, *, alpha=1):
    """The difference, with `alpha` times the other operand.

    Args:
        other: a Tensor or number; shapes broadcast.
        alpha: a number.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0, 2.0]).subtract(1))
    [0. 1.]
    """
    return arithmetic.sub(self, other) if alpha == 1 else arithmetic.sub_scaled(self, other, alpha)


@faces("Tensor Tensor.sub_")
def sub(self, other=None, *, alpha=1, y=None):
    """The difference; without `alpha` also of a list or tuple, as in `add`.

    Args:
        other: a Tensor, a number, a list or a tuple; shapes broadcast. `y` is another name.
        alpha: a number.

    Raises:
        TypeError: no operand.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.sub(1), x.sub(Tensor([1.0, 1.0]), alpha=2), x.sub_(1))
    [0. 1.] [-1.  0.] [0. 1.]
    """
    other = y if other is None else other
    if other is None:
        raise TypeError("For 'Tensor.sub', the argument 'other' is missing.")
    return subtract(self, sequence_operand(self, other) if alpha == 1 else other, alpha=alpha)


@faces("Tensor")
def transpose(self, *args, **kwargs):
    """The dimensions reversed, in the order given, or (two ints) two of them exchanged; a view in PYNATIVE_MODE.

    In compiled functions two ints for a matrix are an order, as in MindSpore: `x.transpose(0, 1)` is `x` there.

    Args:
        axes: the order of all dimensions, as ints or as one tuple; reversed without one.
        dim0, dim1 (int): two dimensions that are exchanged.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(x.transpose(), x.transpose((0, 1)))
    [[1 3]
     [2 4]] [[1 2]
     [3 4]]
    """
    if kwargs:
        if "axes" in kwargs:
            return views.transpose(self, kwargs["axes"])
        return views.exchanged(self, *args, *[kwargs[k] for k in ("dim0", "dim1") if k in kwargs])
    if not args or args == (None,):
        return views.transpose(self, tuple(range(len(self.shape)))[::-1])
    if len(args) == 2 and all(isinstance(a, int) for a in args) and not (len(self.shape) == 2 and scopes.as_compiled()):
        return views.exchanged(self, *args)
    return views.transpose(self, _many(args))


@faces("Tensor")
def mean(self, axis=None, keep_dims=False, *, dtype=None, **others):
    """The mean over dimensions; `axis` or `dim`, `keep_dims`, `keepdims` or `keepdim`; computed in `dtype`.

    Args:
        axis: an int or a tuple of ints; all dimensions by default.
        keep_dims (bool): whether the dimensions stay, with size 1.
        dtype: a mindspore dtype, for the computation and the result.

    Raises:
        TypeError: another argument, or `keep_dims` is not a bool.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(x.mean(), x.mean(0))
    2.5 [2. 3.]
    """
    axis = others.pop("dim", axis)
    for name in ("keepdims", "keepdim"):
        keep_dims = others.pop(name, keep_dims)
    if others:
        raise TypeError(f"Tensor.mean() got unexpected arguments {sorted(others)}.")
    if not _is_bool(keep_dims):
        raise TypeError(f"For 'Tensor.mean', the 'keep_dims' must be a bool, but got {type(keep_dims).__name__}.")
    return (
        reduce.mean(self, axis, bool(keep_dims))
        if dtype is None
        else reduce.mean_ext(self, axis, bool(keep_dims), dtype)
    )


def _divider(name: str) -> Callable:
    def method(self, other, *, rounding_mode=None):
        return arithmetic.div(self, other, rounding_mode=rounding_mode)

    method.__name__ = name
    method.__doc__ = (
        "The quotient, rounded as `rounding_mode` says.\n\nArgs:\n    other: a Tensor or number; shapes broadcast.\n"
        '    rounding_mode (str): None, "floor" or "trunc".\n\n>>> from ms_compat import Tensor\n'
        f'>>> x = Tensor([5.0, -5.0])\n>>> print(x.{name}(2), x.{name}(2, rounding_mode="floor"))\n'
        "[ 2.5 -2.5] [ 2. -3.]\n"
    )
    return method


div, divide = _divider("div"), _divider("divide")
table_faces(__name__, "div divide", "Tensor")


@faces("Tensor")
def repeat_interleave(self, repeats, dim=None, *, axis=None, output_size=None):
    """Each element repeated, along a dimension or of the flat tensor.

    Args:
        repeats: how often: an int, or one int for each element of the dimension.
        dim, axis: None or an int.
        output_size: the size of the result; checked.

    Raises:
        RuntimeError: the result has another size than `output_size`.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).repeat_interleave(2))
    [1 1 2 2]
    """
    dim = axis if dim is None else dim
    out = join.repeat_interleave(self, repeats, dim)
    if output_size is not None and out.shape[0 if dim is None else dim] != output_size:
        raise RuntimeError(
            f"For 'Tensor.repeat_interleave', the 'output_size' is {output_size}, but the result has "
            f"{out.shape[0 if dim is None else dim]} elements."
        )
    return out


@faces("Tensor")
def scatter_add(self, *args, **kwargs):
    """A copy with `src` added: `scatter_add(dim, index, src)` along a dimension, `scatter_add(indices, updates)` where
    the last dimension of the indices says.

    Args:
        dim (int): the dimension.
        index (Tensor): integers, where each element of `src` goes along `dim`.
        src (Tensor): what is added.
        indices (Tensor): integers; the last dimension holds coordinates.
        updates (Tensor): what is added at the coordinates.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.scatter_add(0, Tensor([0, 0]), Tensor([5.0, 6.0])), x.scatter_add(Tensor([[1]]), Tensor([7.0])))
    [12.  2.] [1. 9.]
    """
    if "indices" in kwargs or "updates" in kwargs or (len(args) == 2 and isinstance(args[0], Tensor)):
        return scatter.tensor_scatter_add(self, *args, **kwargs)
    return scatter.scatter_add_elements(self, *args, **kwargs)


@faces("Tensor")
def qr(self, some=True):
    """QR decomposition: (Q, R); complete for `some=False`. PyTorch's "reduced" and "complete" are taken, too.

    Args:
        some (bool): False for the complete matrices; PyTorch's names are "reduced" and "complete".

    >>> from ms_compat import Tensor
    >>> q, r = Tensor([[2.0, 0.0], [0.0, 3.0], [0.0, 0.0]]).qr()
    >>> print(q.shape, r.shape)
    (3, 2) (2, 2)
    """
    if isinstance(some, str):
        return basic.qr(self, some)
    check_bool("Tensor.qr", "some", some)
    return basic.qr(self, "reduced" if some else "complete")


@faces("Tensor.sort")
def sort_method(self, axis=-1, descending=False, stable=False, *, dim=None):
    """The elements in order along an axis, and their former positions (Int32); equal ones always keep their order.

    Args:
        axis (int): the dimension; `dim` is another name.
        descending (bool): whether the largest element is first.
        stable (bool): accepted; the order of equal elements is always kept.

    >>> from ms_compat import Tensor
    >>> values, positions = Tensor([3.0, 1.0, 2.0]).sort()
    >>> print(values, positions)
    [1. 2. 3.] [1 2 0]
    """
    return sort.sort(self, axis if dim is None else dim, descending)


@faces("Tensor")
def argsort(self, axis=-1, descending=False, stable=False, *, dim=None):
    """The sorted elements' positions along an axis (Int32); equal ones always keep their order.

    Args:
        axis (int): the dimension; `dim` is another name.
        descending (bool): whether the largest element is first.
        stable (bool): accepted; the order of equal elements is always kept.

    >>> from ms_compat import Tensor
    >>> print(Tensor([3.0, 1.0, 2.0]).argsort())
    [1 2 0]
    """
    return sort.argsort(self, axis if dim is None else dim, descending)


@faces("Tensor")
def diag(self, diagonal=0):
    """A matrix of a vector, or the diagonal of a matrix.

    Raises:
        ValueError: a `diagonal` other than 0; `mint.diag` takes it.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).diag())
    [[1 0]
     [0 2]]
    """
    if diagonal != 0:
        raise ValueError(f"For 'Tensor.diag', the 'diagonal' must be 0, but got {diagonal!r}.")
    return join.diag(self)


@faces("Tensor")
def where(self, condition, y=None, *, other=None):
    """The tensor where the condition is true, `y` (or `other`) elsewhere.

    Args:
        condition (Tensor): Bool; shapes broadcast.
        y: a Tensor or number; `other` is another name.

    Raises:
        TypeError: `y` is missing.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3])
    >>> print(x.where(x > 1, 0))
    [0 2 3]
    """
    if y is None and other is None:
        raise TypeError("For 'Tensor.where', the argument 'y' is missing.")
    return join.where(condition, self, other if y is None else y)


def _take(self, indices, axis=None, mode="clip"):
    """The elements of the flat tensor, or the slices along an axis, at indices.

    Args:
        indices: an integer Tensor, an int, or a list of ints; `index` is another name.
        axis (int): the axis; the flat tensor by default.
        mode (str): "clip" moves indices outside to the border, "wrap" to the other end.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2], [3, 4]]).take(Tensor([0, 3])))
    [1 4]
    """
    from ms_compat._tensor.adapters import take

    return take(self, indices, axis, mode)


take = faces("Tensor")(renamed(_take, index="indices"))
split = faces("Tensor")(renamed(views.split, split_size="split_size_or_sections", dim="axis"))
unsqueeze = faces("Tensor")(renamed(views.unsqueeze, axis="dim"))
isclose = faces("Tensor")(renamed(compare.isclose, x2="other"))
logical_and = faces("Tensor")(renamed(compare.logical_and, y="other"))
logical_or = faces("Tensor")(renamed(compare.logical_or, y="other"))
matmul = faces("Tensor")(renamed(basic.matmul, tensor2="other"))
remainder = faces("Tensor")(renamed(arithmetic.remainder, divisor="other"))
index_select = faces("Tensor")(renamed(gather.index_select, dim="axis"))
chunk = faces("Tensor")(renamed(views.chunk, dim="axis"))
