"""Primitives of MindSpore's compiler for numbers, shapes, tuples, lists and dicts: a table over Python's own operators.

In MindSpore a compiled function computes on constants through these; here it does so in Python. Some scripts call them
by name. Tensors pass through the arithmetic ones as well.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._core import dtype as mstype
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import MutableList, MutableTuple
from ms_compat._core.tensor.traced_number import TracedNumber
from ms_compat.ops.composite import HyperMap, MultitypeFuncGraph
from ms_compat.ops.primitive import Primitive


def _divided(name: str, fn: Callable) -> Callable:
    def divide(x, y):
        if not isinstance(y, Tensor) and y == 0:
            raise ValueError(f"For '{name}', the divisor must not be 0.")
        return fn(x, y)

    return divide


def _replaced(kind: type) -> Callable:
    def replaced(items, index, value):
        out = list(items)
        out[index] = value
        return kind(out)

    return replaced


def _product(shape: Any) -> Any:
    if not isinstance(shape, tuple):
        raise ValueError(f"For 'shape_mul', the input must be a tuple, but got {type(shape).__name__}.")
    return functools.reduce(operator.mul, shape, 1)


def _reduced_shape(shape: tuple, axis: Any) -> tuple:
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    rank = len(shape)
    for a in axes:
        if not -rank <= a < rank:
            raise RuntimeError(f"For 'reduced_shape', the 'axis' must be in [{-rank}, {rank}), but got {a}.")
    gone = {a % rank for a in axes} if axes else set(builtins.range(rank))
    return tuple([1 if i in gone else n for i, n in enumerate(shape)])


def _gradient_axes(x: tuple, y: tuple) -> tuple[tuple, tuple]:
    """The axes that a gradient of the broadcast shape is summed over, for each of two operands."""
    rank = max(len(x), len(y))
    left, right = (1,) * (rank - len(x)) + tuple(x), (1,) * (rank - len(y)) + tuple(y)
    if any(a != b and 1 not in (a, b) for a, b in zip(left, right, strict=True)):
        raise RuntimeError(f"For 'broadcast_gradient_args', the shapes {x} and {y} cannot be broadcast.")
    if tuple(x) == tuple(y):
        return (), ()
    return tuple([i for i, n in enumerate(left) if n == 1]), tuple([i for i, n in enumerate(right) if n == 1])


def _range(*args: Any) -> tuple:
    for a in args:
        if isinstance(a, bool) or not isinstance(a, int):
            raise TypeError(f"For 'make_range', each input must be an int, but got {a!r:.60} of {type(a).__name__}.")
    if len(args) == 3 and args[2] == 0:
        raise RuntimeError("For 'make_range', the argument 'step' must not be 0.")
    return tuple(builtins.range(*args))


def _slice_part(item: slice, part: str) -> Any:
    if part not in ("start", "stop", "step"):
        raise AttributeError(f"For 'SliceGetItem', the part must be 'start', 'stop' or 'step', but got {part!r}.")
    return getattr(item, part)


_TYPES: tuple[tuple[type | tuple, Any], ...] = (
    (bool, mstype.bool_),
    (int, mstype.int64),
    (float, mstype.float32),
    (mstype.Type, mstype.type_type),
)


def _typeof(x: Any) -> Any:
    if isinstance(x, Tensor):
        return mstype.TensorType(x.dtype)
    for kind, found in _TYPES:
        if isinstance(x, kind):
            return found
    return mstype.pytype_to_dtype(type(x))


def _is_constant(x: Any) -> bool:
    variable = isinstance(x, TracedNumber) or isinstance(x, Tensor) and (x._mutable or is_traced(x))
    return not variable and not isinstance(x, (MutableList, MutableTuple))


def _tuple_quotient(x: tuple, y: tuple) -> tuple:
    if len(x) != len(y):
        raise RuntimeError(f"For 'tuple_div', both tuples must have one length, but got {len(x)} and {len(y)}.")
    for a, b in zip(x, y, strict=True):
        if type(a) is not int or type(b) is not int:
            raise RuntimeError(f"For 'tuple_div', the elements must be int, but got {a} and {b}.")
        if b == 0:
            raise RuntimeError("The divisor value should not be 0 in 'tuple_div'.")
        if a % b:
            raise RuntimeError(f"The inputs of 'tuple_div' operator should be divisible, but got {a} and {b}.")
    return tuple([a // b for a, b in zip(x, y, strict=True)])


# name -> (function, what it does)
TABLE: dict[str, tuple[Callable, str]] = {
    "scalar_add": (operator.add, "x + y"),
    "scalar_sub": (operator.sub, "x - y"),
    "scalar_mul": (operator.mul, "x * y"),
    "scalar_div": (_divided("scalar_div", operator.truediv), "x / y; ValueError for a divisor of 0"),
    "scalar_floordiv": (_divided("scalar_floordiv", operator.floordiv), "x // y; ValueError for a divisor of 0"),
    "scalar_mod": (_divided("scalar_mod", operator.mod), "x % y; ValueError for a divisor of 0"),
    "scalar_pow": (operator.pow, "x ** y"),
    "scalar_log": (math.log, "the natural logarithm of a number"),
    "scalar_uadd": (lambda x: x, "+x"),
    "scalar_usub": (operator.neg, "-x"),
    "scalar_max": (max, "the greater of two numbers"),
    "scalar_min": (min, "the smaller of two numbers"),
    "scalar_eq": (operator.eq, "x == y"),
    "scalar_ne": (operator.ne, "x != y"),
    "scalar_lt": (operator.lt, "x < y"),
    "scalar_le": (operator.le, "x <= y"),
    "scalar_gt": (operator.gt, "x > y"),
    "scalar_ge": (operator.ge, "x >= y"),
    "bool_and": (lambda x, y: bool(x and y), "x and y"),
    "bool_or": (lambda x, y: bool(x or y), "x or y"),
    "bool_eq": (lambda x, y: bool(x) is bool(y), "whether two truth values are the same"),
    "bool_not": (operator.not_, "not x"),
    "string_eq": (operator.eq, "whether two strings are equal"),
    "string_concat": (operator.add, "two strings joined"),
    "is_": (operator.is_, "x is y"),
    "is_not": (operator.is_not, "x is not y"),
    "in_dict": (lambda key, items: key in items, "whether a dict has a key"),
    "not_in_dict": (lambda key, items: key not in items, "whether a dict lacks a key"),
    "isconstant": (_is_constant, "whether a value is known while compiling"),
    "typeof": (_typeof, "the mindspore type of a value: a dtype, or `tensor[dtype]`"),
    "make_tuple": (lambda *items: items, "the inputs as a tuple"),
    "make_list": (lambda *items: list(items), "the inputs as a list"),
    "make_dict": (lambda keys, values: dict(zip(keys, values, strict=True)), "a dict of keys and values"),
    "make_slice": (slice, "slice(start, stop, step)"),
    "SliceGetItem": (_slice_part, "a slice's part by name: 'start', 'stop' or 'step'"),
    "make_range": (_range, "the ints of range(start, stop, step) as a tuple"),
    "tuple_len": (len, "the number of elements"),
    "list_len": (len, "the number of elements"),
    "tuple_getitem": (operator.getitem, "the element at an index"),
    "list_getitem": (operator.getitem, "the element at an index"),
    "dict_getitem": (operator.getitem, "the value of a key"),
    "tuple_setitem": (_replaced(tuple), "a tuple with one element replaced"),
    "list_setitem": (_replaced(list), "a list with one element replaced"),
    "dict_setitem": (lambda items, key, value: {**items, key: value}, "a dict with one value set"),
    "tuple_equal": (operator.eq, "whether two tuples are equal"),
    "list_equal": (operator.eq, "whether two lists are equal"),
    "tuple_reversed": (lambda items: tuple(reversed(items)), "the elements from the last to the first"),
    "tuple_div": (_tuple_quotient, "the quotients of two tuples' elements"),
    "shape_mul": (_product, "the product of a shape's sizes"),
    "reduced_shape": (_reduced_shape, "a shape with size 1 in the axes that are reduced; () for all"),
    "broadcast_gradient_args": (_gradient_axes, "the axes to sum a gradient over, for each of two broadcast shapes"),
}


class ScalarPrimitive(Primitive):
    """One row of the table, called like MindSpore's primitive of that name."""

    def __init__(self, name: str):
        super().__init__(name)
        self._fn, text = TABLE[name]
        self.__doc__ = f"{text[0].upper()}{text[1:]}."

    def __call__(self, *args) -> Any:
        return self._fn(*args)


SCALARS = {name: ScalarPrimitive(name) for name in TABLE}
globals().update(SCALARS)


def _augmented(name: str, fn: Callable, in_place: Callable) -> MultitypeFuncGraph:
    """`x op= y` as compiled code has it: a Tensor is written; numbers, strings and sequences stay as they are."""
    graph = MultitypeFuncGraph(f"augassign_{name}")

    @graph.register("Any", "Any")
    def apply(x, y):
        return in_place(x, y) if isinstance(x, Tensor) else fn(x, y)

    return graph


AUGMENTED = {
    f"augassign_{name}": _augmented(name, fn, in_place)
    for name, fn, in_place in (
        ("add", operator.add, operator.iadd),
        ("sub", operator.sub, operator.isub),
        ("mul", operator.mul, operator.imul),
        ("div", operator.truediv, operator.itruediv),
        ("floordiv", operator.floordiv, operator.ifloordiv),
        ("mod", operator.mod, operator.imod),
    )
}
globals().update(AUGMENTED)
hyper_add = HyperMap(operator.add)

# The numbers that MindSpore's C++ type ids have (`core/type_id.h`), which operators take as arguments.
_TYPE_IDS = {
    mstype.bool_: 30, mstype.int8: 32, mstype.int16: 33, mstype.int32: 34, mstype.int64: 35, mstype.uint8: 37,
    mstype.uint16: 38, mstype.uint32: 39, mstype.uint64: 40, mstype.float16: 42, mstype.float32: 43,
    mstype.float64: 44, mstype.bfloat16: 45, mstype.complex64: 51, mstype.complex128: 52, mstype.qint4x2: 53,
    mstype.string: 12,
}  # fmt: skip


class DtypeToEnum(Primitive):
    """The number of a dtype among MindSpore's types; call it with (op_name, arg_name, dtype).

    Raises:
        TypeError: at the call, for what is not a dtype.
    """

    def __init__(self) -> None:
        super().__init__("DtypeToEnum")

    def __call__(self, op_name: str, arg_name: str, dtype: Any) -> int:
        if not isinstance(dtype, mstype.Type) or dtype not in _TYPE_IDS:
            raise TypeError(f"For '{op_name}', the '{arg_name}' must be a mindspore dtype, but got {dtype!r:.60}.")
        return _TYPE_IDS[dtype]


__all__ = ["DtypeToEnum", "hyper_add", *SCALARS, *AUGMENTED]
table_faces(__name__, __all__, "ops")
