"""Tensor's operators: which operands each takes, by tests/conformance/data/promotion.json and tensor_protocol.json.

Numbers of Python and NumPy are alike (by kind, without a dtype of their own). `+`, `-` and `//` also take a list or
tuple of numbers, in the tensor's dtype; in compiled code all but `tensor ** list` do, and Tensors in the list are
stacked. There `&`, `|` and `^` take an int on the left, too. `==` and `!=` answer False and True for anything that is
neither a number nor a Tensor.
Augmented assignments are in `augmented.py`. A NumPy array on the left answers itself, with an array; on the right
it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.traced_number import TracedNumber
from ms_compat._core.trace import scopes
from ms_compat._tensor.augmented import augmented
from ms_compat.ops.function.elementwise import arithmetic, compare, math
from ms_compat.ops.function.linalg import basic

_DIRECT = frozenset((Tensor, Parameter, int, float))


def _operand(name: str, tensor: Tensor, other: Any, sequences: bool) -> Any:
    """The other operand in a form that operations take; TypeError for what MindSpore refuses."""
    if isinstance(other, np.generic) and other.dtype.kind in "biuf":
        return other.item()  # np.float64 first of all, which is a float of Python, too
    if isinstance(other, (Tensor, bool, int, float)):
        return other
    if isinstance(other, (list, tuple)) and (sequences or name != "__pow__" and scopes.as_compiled()):
        return sequence_operand(tensor, other)
    expected = "a Tensor, a number or a list" if sequences else "a Tensor or a number"
    raise TypeError(
        f"For 'Tensor.{name}', the other operand must be {expected}, but got {other!r:.80} of type "
        f"{type(other).__name__}."
    )


def sequence_operand(tensor: Tensor, other: Any) -> Any:
    """A list or tuple as a Tensor in the tensor's dtype; anything else as it is.

    In compiled functions the Tensors of a sequence keep their dtype.
    """
    if not isinstance(other, (list, tuple)):
        return other
    if any(isinstance(item, TracedNumber) for item in other):  # variables of compiled code
        other = [wrap(item._v.astype(tensor._v.dtype)) if isinstance(item, TracedNumber) else item for item in other]
    if not any(isinstance(item, Tensor) for item in other):
        return Tensor(other, tensor.dtype)
    return _stacked(other) if scopes.as_compiled() else _stacked(other).astype(tensor.dtype)


def _stacked(items: Any) -> Tensor:
    """A sequence with Tensors in it as one Tensor."""
    from ms_compat.ops.function.shape.join import stack  # few programs need it; `import ms_compat` does without

    dtype = next(item.dtype for item in items if isinstance(item, Tensor))
    tensors = [item if isinstance(item, Tensor) else Tensor(item, dtype) for item in items]
    if any(item.dtype != dtype for item in tensors):
        raise TypeError(f"Tensors of a sequence must have one dtype, but got {[str(item.dtype) for item in tensors]}.")
    return stack(tensors)


def _forward(name: str, fn: Callable, sequences: bool = False) -> Callable:
    def operator(self, other):
        if other.__class__ in _DIRECT:  # or a symbol for a size, which says that it is an int
            return fn(self, other)
        if isinstance(other, Sparse):
            return NotImplemented  # the sparse tensor answers, if it can
        return fn(self, _operand(name, self, other, sequences))

    operator.__name__ = operator.__qualname__ = name
    return operator


def _scaling(name: str, fn: Callable, scaled: Callable, sequences: bool = False) -> Callable:
    """An operator that also takes `alpha`, a factor of the other operand, where it is called by its name."""

    def operator(self, other, *, alpha=None):
        if alpha is None:
            if other.__class__ in _DIRECT:
                return fn(self, other)
            if isinstance(other, Sparse):
                return NotImplemented
            return fn(self, _operand(name, self, other, sequences))
        return scaled(self, _operand(name, self, other, sequences), alpha)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _reflected(name: str, fn: Callable, sequences: bool = False) -> Callable:
    def operator(self, other):
        if other.__class__ in _DIRECT:
            return fn(other, self)
        return fn(_operand(name, self, other, sequences), self)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _equality(name: str, fn: Callable, otherwise: bool) -> Callable:
    def operator(self, other):
        if other.__class__ in _DIRECT or isinstance(other, (Tensor, bool)):
            return fn(self, other)
        if isinstance(other, np.float64):
            return fn(self, float(other))
        if isinstance(other, np.generic) and other.dtype.kind in "biuf" and isinstance(self._v, Tracer):
            return fn(self, other.item())  # in compiled code
        return otherwise

    operator.__name__ = operator.__qualname__ = name
    return operator


def _matmul(self, other):
    if not isinstance(other, Tensor):
        raise TypeError(f"For 'Tensor.__matmul__', the other operand must be a Tensor, but got {type(other).__name__}.")
    return basic.matmul(self, other)


def _rmatmul(self, other):
    if isinstance(other, Tensor):
        return basic.matmul(other, self)
    raise TypeError(f"For 'Tensor.__rmatmul__', the other operand must be a Tensor, but got {type(other).__name__}.")


def _pow(self, exponent, modulus=None):
    if modulus is not None:
        raise TypeError("For 'Tensor.__pow__', a modulus is not supported.")
    if exponent.__class__ in _DIRECT:
        return arithmetic.pow(self, exponent)
    return arithmetic.pow(self, _operand("__pow__", self, exponent, False))


def _rpow(self, base, modulus=None):
    return arithmetic.pow(_operand("__rpow__", self, base, True), self)


def _integer_operand(name: str, fn: Callable) -> Callable:
    def operator(self, other):
        if isinstance(other, np.bool_) or isinstance(other, np.generic) and isinstance(self._v, Tracer):
            other = other.item()  # in compiled code all numbers of NumPy's are Python's
        if not isinstance(other, (Tensor, bool, int)):
            raise TypeError(
                f"For 'Tensor.{name}', the other operand must be a Tensor, an int or a bool, but got "
                f"{type(other).__name__}."
            )
        return fn(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _reflected_bits(name: str, fn: Callable) -> Callable:
    """`number & tensor`, which MindSpore's compiler takes; Python does not."""

    def operator(self, other):
        if not scopes.as_compiled() or not isinstance(other, int):
            return NotImplemented
        return fn(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


_UFUNCS = {
    "add": arithmetic.add,
    "subtract": arithmetic.sub,
    "multiply": arithmetic.mul,
    "divide": arithmetic.div,
    "true_divide": arithmetic.div,
    "floor_divide": arithmetic.floor_div,
    "remainder": arithmetic.floor_mod,
    "power": arithmetic.pow,
    "matmul": basic.matmul,
    "equal": compare.equal,
    "not_equal": compare.not_equal,
    "less": compare.less,
    "less_equal": compare.less_equal,
    "greater": compare.greater,
    "greater_equal": compare.greater_equal,
    "maximum": arithmetic.maximum,
    "minimum": arithmetic.minimum,
    "bitwise_and": compare.bitwise_and,
    "bitwise_or": compare.bitwise_or,
    "bitwise_xor": compare.bitwise_xor,
}


def _array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """A NumPy function of a Tensor gives a NumPy array; in compiled code a number of NumPy's is one of Python's."""
    if any(isinstance(x, Tensor) and isinstance(x._v, Tracer) for x in inputs):
        numbers = (np.generic, np.ndarray) if "OO->?" in ufunc.types else np.generic  # some are compared as arrays
        operands = [x.item() if isinstance(x, numbers) and not x.ndim and x.dtype.kind in "biuf" else x for x in inputs]
        operation = _UFUNCS.get(ufunc.__name__) if method == "__call__" and not kwargs else None
        if operation is None or any(isinstance(x, (np.generic, np.ndarray)) for x in operands):
            raise NotTraceableError(
                f"'numpy.{ufunc.__name__}' needs the values of a Tensor, which are known at run time only: use the "
                "function of 'mindspore.ops' or 'mindspore.numpy'."
            )
        return operation(*operands)
    plain = [x.asnumpy() if isinstance(x, Tensor) else x for x in inputs]
    return getattr(ufunc, method)(*plain, **kwargs)


def _round(self, decimals=0):
    return math.round(self, decimals)


OPERATORS: dict[str, Callable] = {
    "__add__": _scaling("__add__", arithmetic.add, arithmetic.add_scaled, sequences=True),
    "__radd__": _reflected("__radd__", arithmetic.add, sequences=True),
    "__iadd__": augmented("+", _scaling("__add__", arithmetic.add, arithmetic.add_scaled)),
    "__sub__": _scaling("__sub__", arithmetic.sub, arithmetic.sub_scaled, sequences=True),
    "__rsub__": _reflected("__rsub__", arithmetic.sub, sequences=True),
    "__isub__": augmented("-", _scaling("__sub__", arithmetic.sub, arithmetic.sub_scaled)),
    "__mul__": _forward("__mul__", arithmetic.mul),
    "__rmul__": _reflected("__rmul__", arithmetic.mul),
    "__imul__": augmented("*", _forward("__mul__", arithmetic.mul)),
    "__truediv__": _forward("__truediv__", arithmetic.div),
    "__rtruediv__": _reflected("__rtruediv__", arithmetic.div),
    "__itruediv__": augmented("/", _forward("__truediv__", arithmetic.div)),
    "__floordiv__": _forward("__floordiv__", arithmetic.floor_div, sequences=True),
    "__rfloordiv__": _reflected("__rfloordiv__", arithmetic.floor_div, sequences=True),
    "__ifloordiv__": augmented("//", _forward("__floordiv__", arithmetic.floor_div)),
    "__mod__": _forward("__mod__", arithmetic.floor_mod),
    "__rmod__": _reflected("__rmod__", arithmetic.floor_mod),
    "__imod__": augmented("%", _forward("__mod__", arithmetic.floor_mod)),
    "__pow__": _pow,
    "__rpow__": _rpow,
    "__matmul__": _matmul,
    "__rmatmul__": _rmatmul,
    "__and__": _integer_operand("__and__", compare.bitwise_and),
    "__or__": _integer_operand("__or__", compare.bitwise_or),
    "__xor__": _integer_operand("__xor__", compare.bitwise_xor),
    "__rand__": _reflected_bits("__rand__", compare.bitwise_and),
    "__ror__": _reflected_bits("__ror__", compare.bitwise_or),
    "__rxor__": _reflected_bits("__rxor__", compare.bitwise_xor),
    "__lt__": _forward("__lt__", compare.less),
    "__le__": _forward("__le__", compare.less_equal),
    "__gt__": _forward("__gt__", compare.greater),
    "__ge__": _forward("__ge__", compare.greater_equal),
    "__eq__": _equality("__eq__", compare.equal, False),
    "__ne__": _equality("__ne__", compare.not_equal, True),
    "__neg__": lambda self: math.neg(self),
    "__pos__": lambda self: self,
    "__abs__": lambda self: math.abs(self),
    "__invert__": lambda self: compare.logical_not(self),
    "__round__": _round,
    "__array_ufunc__": _array_ufunc,
}
