"""A Python number whose value compiled code knows at run time only.

`int(t)`, `float(t)`, `bool(t)`, `t.item()`, the counter of a loop and a `mutable` number are numbers to the program,
not Tensors: arithmetic with other numbers gives numbers, a Tensor keeps its dtype when it meets one, and the compiled
function returns them as Python numbers. As in MindSpore's compiled code an int has 64 bits, a float 32.

A `TracedNumber` is a Tensor without dimensions whose value is weakly typed, in JAX's terms.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import as_weak, is_weak
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes

_DTYPES = {"b": np.dtype(bool), "i": np.dtype(np.int64), "u": np.dtype(np.int64), "f": np.dtype(np.float32)}


class TracedNumber(Tensor):
    """A Python int, float or bool of a compiled function; see the module's docstring.

    >>> import ms_compat as ms
    >>> @ms.jit
    ... def halves(x):
    ...     count = 0
    ...     while x.sum() > 1:
    ...         x, count = x / 2, count + 1
    ...     return count
    >>> halves(ms.Tensor([10.0]))
    4
    """

    @property
    def python_class(self) -> type:
        """int, float or bool."""
        return {"b": bool, "i": int, "f": float}[self._v.dtype.kind]


def number(value: Any) -> TracedNumber:
    """The number that an array of one element is."""
    out: TracedNumber = object.__new__(TracedNumber)
    wide = value.dtype == np.float64 and not is_weak(value)  # a Tensor of Float64 gives a number as exact
    out._v = as_weak(value.reshape(()), value.dtype if wide else _DTYPES[np.dtype(value.dtype).kind])
    scope = scopes.current_scope()
    if scope is not None:
        scope.created[id(out)] = out
    return out


def is_number(value: Any) -> bool:
    """Whether a value is a number to the program, traced or not."""
    return isinstance(value, (TracedNumber, bool, int, float))


def _operands(*values: Any, divides: bool = False) -> list[Any]:
    """Numbers as arrays of one dtype: bool counts as int, and a constant takes the width of the other operand."""
    arrays = [value._v if isinstance(value, TracedNumber) else jnp.asarray(value) for value in values]
    traced = [array.dtype for value, array in zip(values, arrays, strict=True) if isinstance(value, TracedNumber)]
    if np.dtype(np.float64) in traced:
        return [array.astype(np.float64) for array in arrays]
    kind = "f" if divides or any(array.dtype.kind == "f" for array in arrays) else "i"
    return [array.astype(_DTYPES[kind]) for array in arrays]


def _between_numbers(name: str, compute: Callable) -> Callable:
    of_tensors = getattr(Tensor, name)

    def method(self, other):
        if is_number(other):
            return number(compute(*_operands(self, other, divides="truediv" in name)))
        if isinstance(other, (tuple, list, str)):
            return NotImplemented  # a sequence repeats itself
        return of_tensors(self, other)

    method.__name__ = method.__qualname__ = name
    return method


def _between_integers(name: str, compute: Callable) -> Callable:
    of_tensors = getattr(Tensor, name, None)

    def method(self, other):
        if not is_number(other):
            return NotImplemented if of_tensors is None else of_tensors(self, other)
        arrays = [value._v if isinstance(value, TracedNumber) else jnp.asarray(value) for value in (self, other)]
        kinds = {array.dtype.kind for array in arrays}
        if "f" in kinds:
            raise TypeError(f"For '{name}', the operands must be ints or bools, but one is a float.")
        of_bools = kinds == {"b"} and "shift" not in name
        return number(compute(*(arrays if of_bools else _operands(self, other))))

    method.__name__ = method.__qualname__ = name
    return method


def _of_number(name: str, compute: Callable) -> Callable:
    def method(self):
        return number(compute(*_operands(self)))

    method.__name__ = method.__qualname__ = name
    return method


def _quotient_and_rest(name: str) -> Callable:
    def method(self, other):
        if not is_number(other):
            return NotImplemented
        of, by = (other, self) if name == "rdivmod" else (self, other)
        return of // by, of % by

    method.__name__ = method.__qualname__ = f"__{name}__"
    return method


def _swapped(compute: Callable) -> Callable:
    return lambda a, b: compute(b, a)


def item(tensor: Tensor) -> TracedNumber:
    """`Tensor.item` of a tensor whose value is known at run time only."""
    scope = scopes.current_scope()
    if scope is not None and scope.numbers_are_asked:
        raise scopes.NeedsRewriting
    return number(jax.lax.stop_gradient(tensor._v))


def _no_key(self) -> int:
    """A set or dict needs the value: it finds its elements by it."""
    raise NotTraceableError("a number that is known at run time only is looked up in a dict or set.")


def attach() -> None:
    """Give the class its operators, over those that Tensor has by now."""
    binary: dict[str, Callable] = {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
        "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow,
    }  # fmt: skip
    for name, compute in binary.items():
        setattr(TracedNumber, f"__{name}__", _between_numbers(f"__{name}__", compute))
        setattr(TracedNumber, f"__r{name}__", _between_numbers(f"__r{name}__", _swapped(compute)))
        setattr(TracedNumber, f"__i{name}__", getattr(TracedNumber, f"__{name}__"))
    for name, symbol in {"and": "and_", "or": "or_", "xor": "xor", "lshift": "lshift", "rshift": "rshift"}.items():
        compute = getattr(operator, symbol)
        setattr(TracedNumber, f"__{name}__", _between_integers(f"__{name}__", compute))
        setattr(TracedNumber, f"__r{name}__", _between_integers(f"__r{name}__", _swapped(compute)))
    for name in ("divmod", "rdivmod"):
        setattr(TracedNumber, f"__{name}__", _quotient_and_rest(name))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(TracedNumber, f"__{name}__", _between_numbers(f"__{name}__", getattr(operator, name)))
    for name, unary in {"neg": jnp.negative, "abs": jnp.abs, "pos": jnp.positive}.items():
        setattr(TracedNumber, f"__{name}__", _of_number(f"__{name}__", unary))
    TracedNumber.__hash__ = _no_key  # type: ignore[method-assign]
