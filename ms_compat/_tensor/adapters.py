"""Tensor methods whose arguments differ from the function's: overloads, several spellings, `*args` for a tuple.

MindSpore's methods take two vocabularies, its own (`axis`, `keepdims`) and its torch-like API's (`dim`,
`keepdim`).
`spelled` maps both to the function's names; the rest are small functions.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ms_compat._compile.analysis.refusals import forbid
from ms_compat._core import dtype as mstype
from ms_compat._core import tape
from ms_compat._core.dispatch import keywords, shared_storage
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.index import views
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor, no_init, to_device, wrap
from ms_compat._core.trace import scopes
from ms_compat.numpy._positions import pick
from ms_compat.ops.function.axes import axis_of, dim_of
from ms_compat.ops.function.elementwise import arithmetic, math
from ms_compat.ops.function.indexing import gather, scatter, sort
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.reduction import cumulative, reduce
from ms_compat.ops.function.shape import create as new
from ms_compat.ops.function.shape import flattening, join
from ms_compat.ops.function.shape import views as shape
from ms_compat.ops.function.update import assign

_SPELLINGS = {"dim": ("axis",), "axis": ("dim",), "keepdim": ("keepdims", "keep_dims"), "ddof": ("correction",)}
_SPELLINGS["keepdims"] = ("keepdim", "keep_dims")
_SPELLINGS["keep_dims"] = ("keepdim", "keepdims")


def spelled(fn: Callable, **names: str) -> Callable:
    """`fn` with the other spellings of its arguments; `names` maps further ones to the function's."""
    table = dict(names)
    for parameter in inspect.signature(fn).parameters:
        for other in _SPELLINGS.get(parameter, ()):
            table.setdefault(other, parameter)

    @functools.wraps(fn)
    def method(self, *args, **kwargs):
        if kwargs:
            kwargs = {table.get(key, key): value for key, value in kwargs.items()}
        return fn(self, *args, **kwargs)

    method.spellings = table  # type: ignore[attr-defined]
    return method


def _many(args: tuple) -> Any:
    """`f(2, 3)` and `f((2, 3))` alike."""
    if len(args) == 1 and isinstance(args[0], (tuple, list, Tensor)):
        return args[0]
    return args


def _needed(name: str, args: tuple, kwargs: dict, *keys: str) -> Any:
    """The one argument of a method, given by position or by one of `keys`."""
    given = [key for key in kwargs if key in keys]
    if len(kwargs) > len(given):
        key = next(key for key in kwargs if key not in keys)
        hint = keywords.hint(key, keys)
        raise TypeError(f"Tensor.{name}() got an unexpected keyword argument '{key}'. {hint}")
    if len(given) + bool(args) > 1:
        raise TypeError(f"Tensor.{name}() got more than one '{keys[0]}'.")
    if not args and not given:
        raise TypeError(f"Tensor.{name}() misses the argument '{keys[0]}'.")
    return kwargs[given[0]] if given else _many(args)


@faces("Tensor")
def reshape(self, *args, **kwargs):
    """The elements in another shape, `reshape(2, 3)` or `reshape((2, 3))`; a view in PYNATIVE_MODE.

    Args:
        shape: ints, or one tuple or list of them. One size may be -1: it follows from the others.

    Raises:
        ValueError: the shape has another number of elements.
        TypeError: no shape, or two.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3, 4])
    >>> print(x.reshape(2, 2), x.reshape((-1, 1)).shape)
    [[1 2]
     [3 4]] (4, 1)
    """
    return shape.reshape(self, _needed("reshape", args, kwargs, "shape"))


@faces("Tensor")
def view(self, *args, **kwargs):
    """As `reshape`; with a dtype the bytes read as that dtype.

    Args:
        shape: ints, or one tuple or list of them; one may be -1.
        dtype: a mindspore dtype in place of a shape.

    >>> from ms_compat import Tensor, int32
    >>> x = Tensor([1, 2, 3, 4])
    >>> print(x.view(2, 2))
    [[1 2]
     [3 4]]
    >>> print(Tensor([1.0]).view(int32))
    [1065353216]
    """
    given = [*args, *kwargs.values()]
    dtype = given[0] if len(given) == 1 and kwargs.keys() <= {"dtype"} else None
    if isinstance(dtype, mstype.Type):
        return Tensor(self.asnumpy().view(dtype.np_dtype))
    return shape.reshape(self, _needed("view", args, kwargs, "shape"))


@faces("Tensor")
def permute(self, *args, **kwargs):
    """The dimensions in another order; a view in PYNATIVE_MODE.

    Args:
        axis: all dimensions in their new order, as ints or as one tuple; `dims` is another name.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[[1, 2, 3]]]).permute(2, 0, 1).shape)
    (3, 1, 1)
    """
    return shape.transpose(self, _needed("permute", args, kwargs, "axis", "dims"))


@faces("Tensor")
def expand(self, *size):
    """The tensor broadcast to a shape; a view in PYNATIVE_MODE.

    Args:
        size: the shape, as ints or as one tuple; -1 keeps a dimension's size.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1], [2]]).expand(2, 3))
    [[1 1 1]
     [2 2 2]]
    """
    return shape.broadcast_to(self, _many(size))


@faces("Tensor")
def broadcast_to(self, *args, **kwargs):
    """The tensor broadcast to a shape, `broadcast_to(2, 3)` or `broadcast_to((2, 3))`; a view in PYNATIVE_MODE.

    Args:
        shape: as ints or as one tuple; -1 keeps a dimension's size.

    Raises:
        ValueError: the tensor cannot be broadcast to the shape.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).broadcast_to((2, 2)))
    [[1 2]
     [1 2]]
    """
    return shape.broadcast_to(self, _needed("broadcast_to", args, kwargs, "shape"))


@faces("Tensor")
def tile(self, *args, **kwargs):
    """The tensor repeated along each dimension.

    Args:
        reps: how often for each dimension, as ints or as one tuple; `dims` is another name. More numbers than
            dimensions add dimensions in front.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).tile((2, 2)))
    [[1 2 1 2]
     [1 2 1 2]]
    """
    return join.tile(self, _needed("tile", args, kwargs, "reps", "dims"))


@faces("Tensor")
def repeat(self, *args, **kwargs):
    """The tensor repeated along each dimension; with `axis`, or one int, each element as NumPy does.

    Args:
        repeats: how often for each dimension, as ints or as one tuple; with `axis`, or as the keyword of one int, how
            often each element.
        axis (int): the dimension along which each element is repeated.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2])
    >>> print(x.repeat(2), x.repeat(2, axis=0))
    [1 2 1 2] [1 1 2 2]
    """
    if "axis" in kwargs or "repeats" in kwargs and isinstance(kwargs["repeats"], int):
        repeats = kwargs.get("repeats", args[0] if args else 1)
        return join.repeat_interleave(self, repeats, kwargs.get("axis"))
    return join.tile(self, tuple(_needed("repeat", args, kwargs, "repeats")))


@faces("Tensor")
def flatten(self, *args, order="C", start_dim=0, end_dim=-1):
    """The dimensions as one, `flatten(order)` or `flatten(start_dim, end_dim)`; a view in PYNATIVE_MODE.

    Args:
        order (str): "C" for row-major order, "F" for column-major order.
        start_dim (int): the first dimension that is joined.
        end_dim (int): the last one.

    Raises:
        ValueError: a dimension is out of range.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(x.flatten(), x.flatten("F"))
    [1 2 3 4] [1 3 2 4]
    """
    if args and not isinstance(args[0], int):
        order, *rest = args
    else:
        rest = list(args)
    start_dim, end_dim = [*rest, *(start_dim, end_dim)[len(rest) :]]
    if order == "C" and (start_dim, end_dim) == (0, -1):
        return shape.reshape(self, (-1,))
    axis_of("flatten", start_dim, self.ndim, "start_dim"), axis_of("flatten", end_dim, self.ndim, "end_dim")
    return flattening.flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@faces("Tensor")
def expand_as(self, other=None, *, x=None):
    """The tensor broadcast to the shape of another; a view in PYNATIVE_MODE.

    Args:
        other (Tensor): has the shape; `x` is another name.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 2]).expand_as(Tensor([[0, 0], [0, 0]])))
    [[1 2]
     [1 2]]
    """
    return shape.expand_as(self, x if other is None else other)


@faces("Tensor.scatter Tensor.scatter_")
def scatter_method(self, *args, **kwargs):
    """A copy with elements at indices along an axis replaced by `src`'s elements, or combined with them.

    Args:
        axis or dim: an int.
        index: an integer Tensor of the same rank.
        src or value: a Tensor at least as large as `index`, or a number.
        reduce: "none", "add" or "multiply".

    Raises:
        TypeError: an argument is missing or unknown.
        ValueError: another `reduce`.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0, 3.0])
    >>> print(x.scatter(0, Tensor([2, 0]), Tensor([9.0, 8.0])), x.scatter_(0, Tensor([1]), Tensor([7.0])))
    [8. 2. 9.] [1. 7. 3.]
    """
    names = {"dim": "axis", "value": "src"}
    given = dict(zip(("axis", "index", "src", "reduce"), args, strict=False))
    given.update({names.get(name, name): value for name, value in kwargs.items()})
    way = given.pop("reduce", "none")
    if set(given) != {"axis", "index", "src"}:
        raise TypeError(f"Tensor.scatter() takes axis, index, src and reduce, but got {[*given, way]}.")
    if way not in ("none", "add", "multiply"):
        raise value_error("Tensor.scatter", "reduce", "'none', 'add' or 'multiply'", way)
    if way == "none":
        return scatter.scatter(self, **given)
    axis, index, src = given["axis"], given["index"], given["src"]
    src = src if isinstance(src, Tensor) else new.full(index.shape, src, dtype=self.dtype)
    if way == "multiply":
        src = arithmetic.mul(gather.gather_d(self, axis, index), src)
    out = new.cast(src, self.dtype)
    return scatter.tensor_scatter_elements(self, index, out, axis, "add" if way == "add" else "none")


@faces("Tensor")
def choose(self, choices, mode="clip"):
    """Elements of the choices that the tensor numbers; positions outside are clipped, or wrapped with "wrap".

    Args:
        choices: a sequence of Tensors or lists, or one Tensor, whose first dimension is chosen from.
        mode (str): "clip", "wrap" or "raise".

    >>> from ms_compat import Tensor
    >>> print(Tensor([0, 1]).choose([[1, 2], [3, 4]]))
    [1 4]
    """
    return pick(self, choices, mode, lambda c: c if isinstance(c, Tensor) else Tensor(c))


@faces("Tensor")
def reverse_sequence(self, seq_lengths, seq_dim=0, batch_dim=0):
    """The first elements of each sequence reversed.

    Args:
        seq_lengths (Tensor): how many elements of each sequence are reversed.
        seq_dim (int): the dimension of the sequences' elements.
        batch_dim (int): the dimension that counts the sequences.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2, 3]]).reverse_sequence(Tensor([2]), seq_dim=1))
    [[2 1 3]]
    """
    from ms_compat.ops.function.shape.space_to_batch import reverse_sequence as general

    return general(self, seq_lengths, seq_dim, batch_dim)


def _filled_like(name: str, value: Callable) -> Callable:
    def method(self, *args, **kwargs):
        from ms_compat.ops.function.random import draws as random_func

        return value(random_func, new.identity_cast(self, self.dtype), *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"A tensor of this shape and dtype with random numbers: `{name}`'s."
    return method


def _cauchy(draws, x, median=0.0, sigma=1.0):
    uniform01 = draws.uniform_(x, 0.0, 1.0)
    return math.tan((uniform01 - 0.5) * np.pi) * sigma + median


uniform = faces("Tensor")(_filled_like("uniform", lambda draws, x, *args, **kwargs: draws.uniform_(x, *args, **kwargs)))
log_normal = faces("Tensor")(
    _filled_like("log_normal", lambda draws, x, mean=1.0, std=2.0: math.exp(draws.normal_(x, mean, std)))
)
bernoulli = faces("Tensor")(
    _filled_like("bernoulli", lambda draws, x, *, generator=None: draws.bernoulli_(x, x, generator=generator))
)
cauchy = faces("Tensor")(_filled_like("cauchy", _cauchy))


@faces("Tensor.convert_bytes_to_tensor:static")
def from_bytes(bytes_obj, shape, dtype):
    """A Tensor of the bytes that `get_bytes` gives.

    Args:
        bytes_obj (bytes): the elements in row-major order.
        shape (tuple): of the Tensor.
        dtype: a mindspore dtype.

    Raises:
        TypeError: an argument of another type.
        ValueError: there are not as many bytes as the shape needs; MindSpore reads beyond them.

    >>> from ms_compat import Tensor, int16
    >>> print(Tensor.convert_bytes_to_tensor(Tensor([1, 2, 3], int16).get_bytes(), (3,), int16))
    [1 2 3]
    """
    api = "Tensor.convert_bytes_to_tensor"
    check_type(api, "bytes_obj", bytes_obj, bytes)
    check_type(api, "shape", shape, tuple)
    check_type(api, "dtype", dtype, mstype.Type)
    kind = mstype.to_np_dtype(dtype, api)
    if any(size < 0 for size in shape) or prod(shape) * kind.itemsize != len(bytes_obj):
        raise ValueError(
            f"For '{api}', the shape {shape} of {dtype} needs {prod(shape) * kind.itemsize} bytes, but got "
            f"{len(bytes_obj)}."
        )
    return wrap(to_device(np.frombuffer(bytes_obj, kind).reshape(shape)))


@faces("Tensor")
def data_ptr(self):
    """The address of the tensor's data; JAX may move it whenever the tensor is written to.

    >>> from ms_compat import Tensor
    >>> print(type(Tensor([1.0]).data_ptr()))
    <class 'int'>
    """
    return self._v.unsafe_buffer_pointer()


def _dtype_second(fn: Callable) -> Callable:
    """`sum(axis, dtype)` beside `sum(dim, keepdim)`."""

    @functools.wraps(fn)
    def method(self, axis=None, *args, **kwargs):
        for other in ("dim",):
            if other in kwargs:
                axis = kwargs.pop(other)
        dtype = kwargs.pop("dtype", None)
        keep = False
        for other in ("keepdims", "keepdim", "keep_dims"):
            if other in kwargs:
                keep = kwargs.pop(other)
        initial = kwargs.pop("initial", None)
        if kwargs:
            raise TypeError(f"Tensor.{fn.__name__}() got unexpected arguments {sorted(kwargs)}.")
        for value in args:
            if value is None or isinstance(value, bool):
                keep = bool(value) or keep
            elif isinstance(value, (mstype.Type, type)):
                dtype = value
            else:
                initial = value
        out = fn(self, axis, keep, dtype=dtype)
        return out if initial is None else arithmetic.add(out, initial)

    return method


sum = faces("Tensor")(_dtype_second(reduce.sum))


@faces("Tensor")
def argmax_with_value(self, axis=0, keep_dims=False):
    """The maximum along an axis and its position.

    Args:
        axis (int): the dimension.
        keep_dims (bool): whether it stays, with size 1.

    >>> from ms_compat import Tensor
    >>> value, position = Tensor([1.0, 3.0, 2.0]).argmax_with_value()
    >>> print(value, position)
    3.0 1
    """
    return reduce.max(self, axis, keep_dims)


@faces("Tensor")
def argmin_with_value(self, axis=0, keep_dims=False):
    """The minimum along an axis and its position.

    Args:
        axis (int): the dimension.
        keep_dims (bool): whether it stays, with size 1.

    >>> from ms_compat import Tensor
    >>> value, position = Tensor([2.0, 1.0, 3.0]).argmin_with_value()
    >>> print(value, position)
    1.0 1
    """
    return reduce.min(self, axis, keep_dims)


@faces("Tensor")
def cumsum(self, axis=None, dtype=None, *, dim=None):
    """Running sum along an axis; narrow integers in Int32.

    Args:
        axis (int): the dimension; the flat tensor by default. `dim` is another name.
        dtype: a mindspore dtype for the sums.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0, 2.0, 3.0]).cumsum(0))
    [1. 3. 6.]
    """
    axis = dim if dim is not None else axis
    narrow = self.dtype in (mstype.int8, mstype.int16, mstype.uint8, mstype.bool_)
    if axis is None:
        self, axis = shape.reshape(self, (-1,)), 0
    if dtype is not None and self.dtype in mstype.float_type and dtype not in mstype.float_type:
        return new.cast(cumulative.cumsum(self, axis), dtype)  # floats are summed as they are
    return cumulative.cumsum(self, axis, mstype.int32 if narrow and dtype is None else dtype)


@faces("Tensor")
def searchsorted(self, v, side="left", sorter=None):
    """Where values would have to be put into the sorted tensor (Int32); `side` is 'left' or 'right'.

    Args:
        v: a Tensor or number, the values.
        side (str): "left" is before equal elements, "right" behind them.
        sorter (Tensor): positions that sort the tensor, if it is not sorted itself.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1, 3, 5]).searchsorted(Tensor([3, 4])))
    [1 2]
    """
    return sort.searchsorted(self, v, out_int32=True, side=side, sorter=sorter)


@faces("Tensor.gather")
def gather_method(self, *args, **kwargs):
    """`gather(indices, axis)` takes slices, `gather(dim, index)` elements.

    Args:
        indices (Tensor): integers, the positions of slices along `axis`.
        axis (int): the dimension of the slices.
        dim (int): the dimension of the elements.
        index (Tensor): integers, the position of each element along `dim`.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1, 2], [3, 4]])
    >>> print(x.gather(Tensor([1]), 0), x.gather(1, Tensor([[1], [0]])))
    [[3 4]] [[2]
     [3]]
    """
    if args and isinstance(args[0], int) or "index" in kwargs:
        return gather.gather_d(self, *args, **kwargs)
    return gather.gather(self, *args, **kwargs)


@faces("Tensor")
def select(self, *args, **kwargs):
    """`select(dim, index)` is a slice, `select(condition, y)` chooses between two tensors.

    A number for `y` must have the tensor's own type: an int for Int32, a float for Float32.

    Raises:
        TypeError: for arguments of other types.

    Args:
        dim (int): the dimension of the slice.
        index (int): its position.
        condition (Tensor): Bool.
        y: a Tensor or number, the elements where the condition is false.

    >>> from ms_compat import Tensor
    >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(x.select(0, 1), x.select(x > 2, 0.0))
    [3. 4.] [[0. 0.]
     [3. 4.]]
    """
    if args and isinstance(args[0], Tensor) and args[0].dtype is mstype.bool_ or "condition" in kwargs:
        condition, other = (*args, *kwargs.values())
        if not isinstance(other, (Tensor, int, float)):
            raise type_error("Tensor.select", "y", "Tensor, int or float", other)
        for kind, wanted in ((int, mstype.int32), (float, mstype.float32)):
            if isinstance(other, kind) and self.dtype is not wanted:
                raise TypeError(f"For 'Tensor.select' with 'y' of type {kind.__name__}, the dtype must be {wanted}.")
        return join.where(condition, self, other)
    return shape.select_view(self, *args, **kwargs)


def take(self, indices, axis=None, mode="clip"):
    """The elements of the flat tensor, or the slices along an axis, at indices."""
    indices = indices if isinstance(indices, Tensor) else Tensor(indices)
    size = self.size if axis is None else self.shape[dim_of("take", axis, self.ndim)]
    if mode == "clip":
        indices = arithmetic.clamp(indices, -size, size - 1)
    elif mode == "wrap":
        indices = arithmetic.floor_mod(indices, size)
    return gather.take(self, indices) if axis is None else gather.gather(self, indices, axis)


def converted(self: Tensor, dtype: mstype.Type) -> Tensor:
    """The tensor in a dtype; in the one it has, another object for it, or a copy of a view (`ops.cast` copies none)."""
    if views.is_view(self):
        return new.identity_cast(self, dtype)
    out = new.cast(self, dtype)
    return views.twin(self) if out is self else out


@faces("Tensor")
def to(self, *args, dtype=None, device=None, other=None, copy=False, non_blocking=False):
    """The tensor in another dtype, or in another tensor's dtype; JAX chooses the device.

    Args:
        dtype: a mindspore dtype.
        device (str): "CPU", "GPU" or "Ascend"; JAX chooses the device.
        other (Tensor): has the dtype.
        copy (bool): whether the result is a new tensor in any case.
        non_blocking (bool): accepted; JAX computes asynchronously.

    >>> from ms_compat import Tensor, int32
    >>> x = Tensor([1.7])
    >>> print(x.to(int32), x.to(Tensor([1])).dtype)
    [1] Int64
    """
    if non_blocking:
        no_effect("Tensor.to", "JAX waits when somebody reads", non_blocking=True)
    for value in args:
        if isinstance(value, mstype.Type):
            dtype = value
        elif isinstance(value, Tensor):
            other = value
        elif isinstance(value, str):
            device = value
        elif value is not None and not isinstance(value, bool):
            raise type_error("Tensor.to", "dtype", "a dtype, a Tensor or the name of a device", value)
    if device is not None and device.split(":")[0] not in ("CPU", "GPU", "Ascend"):
        hint = " For CUDA it is 'GPU'." if device.lower().startswith("cuda") else ""
        raise ValueError(f"For 'Tensor.to', the 'device' must be 'CPU', 'GPU' or 'Ascend', but got {device!r}.{hint}")
    target = other.dtype if other is not None else dtype or self.dtype
    return new.identity_cast(self, target) if copy else converted(self, target)


_NAMED = {"int": mstype.int64, "float": mstype.float64, "bool": mstype.bool_}


@faces("Tensor")
def astype(self, dtype, copy=True):
    """The tensor in another dtype: a mindspore dtype, a NumPy or Python type, or a name.

    Args:
        dtype: a mindspore dtype, a NumPy or Python type, or a name such as "float32". Python's float and int are
            Float64 and Int64.
        copy (bool): False gives the tensor itself if it has the dtype.

    Raises:
        TypeError: `dtype` is none of these.

    >>> from ms_compat import Tensor, float16, int32
    >>> x = Tensor([1.7, -1.7])
    >>> print(x.astype(int32), x.astype("float16").dtype)
    [ 1 -1] Float16
    """
    if isinstance(dtype, mstype.Type):
        return self if not copy and dtype is self.dtype else converted(self, dtype)
    try:
        if dtype is None:
            raise TypeError
        found = _NAMED.get(dtype) or mstype.np_dtype_to_ms(np.dtype(dtype)) if isinstance(dtype, str) else None
        found = found or {int: mstype.int64, float: mstype.float64, bool: mstype.bool_}.get(dtype)
        return converted(self, found or mstype.np_dtype_to_ms(np.dtype(dtype)))
    except TypeError:
        raise TypeError(f"For 'Tensor.astype', the 'dtype' must be a dtype or its name, but got {dtype!r}.") from None


@faces("Tensor.type")
def type_method(self, dtype=None):
    """The dtype's name, or the tensor in another dtype.

    Args:
        dtype: a mindspore dtype; without one, the name of the tensor's own.

    >>> from ms_compat import Tensor, int32
    >>> x = Tensor([1.7])
    >>> print(x.type(), x.type(int32))
    Float32 [1]
    """
    return str(self.dtype) if dtype is None else converted(self, dtype)


def casting(target: mstype.Type, name: str) -> Callable:
    """A method that casts to one dtype, such as `float()`."""

    def method(self):
        return converted(self, target)

    method.__doc__ = (
        f"The tensor in {target}.\n\n>>> from ms_compat import Tensor\n"
        f">>> print(Tensor([1.0]).{name}().dtype)\n{target}\n"
    )
    return method


def new_filled(value: int) -> Callable:
    """`new_zeros(size)` and `new_ones(size)`: in the tensor's dtype or another."""
    name = "new_ones" if value else "new_zeros"

    def method(self, *args, dtype=None, device=None, **kwargs):
        no_effect(f"Tensor.{name}", "JAX places arrays by itself", device=device)
        if len(args) == 2 - ("size" in kwargs) and isinstance(args[-1], mstype.Type) and dtype is None:
            args, dtype = args[:-1], args[-1]
        return new.full(_sizes(_needed(name, args, kwargs, "size")), value, dtype=dtype or self.dtype)

    method.__doc__ = (
        f"A tensor of {name.removeprefix('new_')}, in the tensor's dtype or another.\n\nArgs:\n"
        "    size: the shape, as ints or as one tuple.\n    dtype: a mindspore dtype.\n"
        "    device: accepted; JAX places arrays by itself.\n\n>>> from ms_compat import Tensor\n"
        f">>> print(Tensor([5.0]).{name}((2,)))\n[{value}. {value}.]\n"
    )
    return method


new_zeros = faces("Tensor Tensor.new_empty")(new_filled(0))
new_ones = faces("Tensor")(new_filled(1))


def _sizes(size: Any) -> Any:
    return size if isinstance(size, (tuple, list)) else (size,)


@faces("Tensor")
def new_full(self, size, fill_value, *, dtype=None):
    """One value in a new shape, in the tensor's dtype or another.

    Args:
        size: the shape, an int or a tuple of ints.
        fill_value: a number.
        dtype: a mindspore dtype; by default the tensor's own.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0]).new_full((2, 2), 7))
    [[7. 7.]
     [7. 7.]]
    """
    return new.full(_sizes(size), fill_value, dtype=dtype or self.dtype)


@faces("Tensor Tensor.clone")
def copy(self):
    """A tensor of its own with the same values.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2])
    >>> y = x.copy()
    >>> y[0] = 9
    >>> print(x, y)
    [1 2] [9 2]
    """
    return new.identity_cast(self, self.dtype)


@faces("Tensor")
def resize(self, *new_shape):
    """The flat elements in a new shape, cut off (a view in PYNATIVE_MODE) or filled up with zeros.

    Args:
        new_shape: as ints or as one tuple.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3])
    >>> print(x.resize(2), x.resize(2, 2))
    [1 2] [[1 2]
     [3 0]]
    """
    target = tuple(_many(new_shape))
    size = int(np.prod(target, dtype=np.int64))
    flat = shape.reshape(self, (-1,))
    if size <= self.size:
        return shape.reshape(flat if size == self.size else shape.narrow(flat, 0, 0, size), target)
    return shape.reshape(join.pad(flat, (0, size - self.size)), target)


@faces("Tensor")
def ptp(self, axis=None, keepdims=False):
    """Maximum minus minimum.

    Args:
        axis: the dimension or dimensions; all of them by default.
        keepdims (bool): whether they stay, with size 1.

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0, 5.0]).ptp())
    4.0
    """
    return arithmetic.sub(reduce.amax(self, axis, keepdims), reduce.amin(self, axis, keepdims))


@faces("Tensor")
def trace(self, offset=None, axis1=0, axis2=1, dtype=None):
    """The sum of a diagonal; without an offset (0) the main diagonal of a matrix.

    Args:
        offset (int): the diagonal: above the main one for positive, below for negative numbers.
        axis1, axis2 (int): the two dimensions of the matrix.
        dtype: a mindspore dtype for the sum.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).trace())
    5.0
    """
    if (offset or 0, axis1, axis2, dtype) == (0, 0, 1, None) and (offset is None or len(self.shape) == 2):
        return basic.trace_ext(self)
    offset = offset or 0
    return reduce.sum(shape.diagonal(self, offset, axis1, axis2), -1, dtype=dtype)


@faces("Tensor")
def sum_to_size(self, *size):
    """The sum over the dimensions that broadcasting `size` to this shape would add.

    Args:
        size: the shape, as ints or as one tuple.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(1, 2))
    [[4. 6.]]
    """
    target = tuple(_many(size))
    extra = len(self.shape) - len(target)
    axes = tuple([i for i, n in enumerate(self.shape) if i < extra or (target[i - extra] == 1 and n != 1)])
    if not axes and target == self.shape:
        return self
    return shape.reshape(reduce.sum(self, axes) if axes else self, target)


@faces("Tensor")
def itemset(self, *args):
    """A copy with one element replaced; the index is flat or a tuple.

    Args:
        args: the index and the number; the number alone for a tensor of one element.

    Raises:
        IndexError: no index for a tensor of another shape than (1,).

    >>> from ms_compat import Tensor
    >>> print(Tensor([1.0, 2.0]).itemset(1, 9.0))
    [1. 9.]
    """
    if len(args) == 1:
        if self.size != 1 or not self.shape:
            raise IndexError("For 'Tensor.itemset', an index is needed unless the shape is (1,).")
        args = (0, *args)
    index = tuple(args[0]) if isinstance(args[0], (tuple, list)) else np.unravel_index(args[0], self.shape)
    one = np.zeros((), self.dtype.np_dtype)
    one[()] = args[1]
    out = self.copy()
    out[tuple(map(int, index))] = Tensor(one)
    return out


# -- in place --------------------------------------------------------------------------------------------------------
def in_place(fn: Callable, name: str) -> Callable:
    """A method that replaces the tensor's value by `fn(self, ...)`, whose shape and dtype must be the tensor's."""

    def method(self, *args, **kwargs):
        out = fn(self, *args, **kwargs)
        if out.shape != self.shape:
            raise ValueError(f"For 'Tensor.{name}', the result's shape {out.shape} must be the tensor's, {self.shape}.")
        if out.dtype is not self.dtype:
            out = _kept(name, out, self.dtype)
        if name == "copy_":
            tape.check_no_variable("Tensor.copy_", self)
        return shared_storage.write(self, out)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = _in_place_docstring(fn.__doc__, name)
    method.__wrapped__ = fn  # type: ignore[attr-defined]  # whose signature it has
    return method


def _in_place_docstring(text: str | None, name: str) -> str:
    """A method in place has its function's docstring, with the example if this calls the method."""
    said, sign, example = inspect.cleandoc(text or "").partition("\n\n>>>")
    head, _, rest = said.partition("\n\n")
    blocks = [f"`{name.rstrip('_')}` in place; returns the tensor, whose shape and dtype stay.", head, rest]
    if f".{name}(" in example:
        blocks.append(sign.strip() + example)
    return "\n\n".join(block for block in blocks if block) + "\n"


def _kept(name: str, out: Tensor, dtype: mstype.Type) -> Tensor:
    rank = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}
    if rank[out.dtype.np_dtype.kind] > rank[dtype.np_dtype.kind]:
        raise TypeError(f"For 'Tensor.{name}', a result of {out.dtype} cannot be stored in a tensor of {dtype}.")
    return new.cast(out, dtype)


@faces("Tensor Tensor.fill_")
def fill(self, value):
    """One value in the tensor's shape and dtype, as a new tensor.

    Args:
        value: a number.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.fill(7), x.fill_(5), x)
    [7. 7.] [5. 5.] [5. 5.]
    """
    return new.full_like(self, value)


@faces("Tensor.copy_")
def copy_from(self, src):
    """The values of `src`, broadcast and in the tensor's dtype.

    Args:
        src: a Tensor, or what one can be made of.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.copy_(Tensor(5)), x)
    [5. 5.] [5. 5.]
    """
    src = src if isinstance(src, Tensor) else Tensor(src)
    return new.cast(shape.broadcast_to(src, self.shape) if src.shape != self.shape else src, self.dtype)


@faces("Tensor Tensor.assign_value_cpp")
def assign_value(self, value):
    """Replace the value in place by another tensor's value, whatever its shape and dtype; returns the tensor.

    Tensors that shared the former storage keep it.

    Args:
        value (Tensor): the new value.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> print(x.assign_value(Tensor([3, 4, 5])))
    [3 4 5]
    """
    if value.has_init:
        value = no_init.filled_now(value)
    if (self._views is not None or self._alias is not None) and not scopes.tracing:
        views.leave_views(self)
    shared_storage.write(self, value)
    if self.has_init:
        self.init = None
    return self


@faces("Tensor.data:property")
def get_data(self):
    """The tensor's values in another tensor of the same storage; a constant for differentiation.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1.0, 2.0])
    >>> x.data[0] = 9.0
    >>> print(x)
    [9. 2.]
    """
    return assign.stop_gradient(self)


def set_data(self, value):
    """Replace the tensor's values; one that waits for its initializer waits no longer."""
    shared_storage.write(self, value)
    if self.has_init:
        self.init = None


@faces("Tensor.T:property")
def reversed_dims(self):
    """The dimensions in reverse order, a view in PYNATIVE_MODE; a tensor of fewer than two dimensions as it is.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2], [3, 4]]).T)
    [[1 3]
     [2 4]]
    """
    if len(self.shape) < 2:
        return self
    return shape.transpose(self, tuple(range(len(self.shape)))[::-1])


@faces("Tensor.mT:property")
def last_two_exchanged(self):
    """The last two dimensions exchanged; a view in PYNATIVE_MODE.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[[1, 2]]]).mT.shape)
    (1, 2, 1)
    """
    return shape.exchanged(self, -1, -2)


@faces("Tensor.H:property Tensor.mH:property")
def conjugate_transpose(self):
    """The matrix transposed and conjugated.

    Raises:
        ValueError: the tensor has fewer than two dimensions.

    >>> from ms_compat import Tensor
    >>> print(Tensor([[1, 2j]]).mH)
    [[1.-0.j]
     [0.-2.j]]
    """
    if len(self.shape) < 2:
        raise ValueError(f"For 'Tensor.mH', at least 2 dimensions are needed, but got the shape {self.shape}.")
    turned = shape.swapaxes(self, -1, -2)
    return math.conj(turned) if self.dtype in mstype.complex_type else turned


forbid(Tensor, "Tensor")
