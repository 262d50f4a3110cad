"""Functions chosen by the types of their arguments, and functions applied to each element of nested sequences.

Older training cells use these: a `MultitypeFuncGraph` says what to do with one gradient, and a
`HyperMap` does it to all. They are plain Python here, in both modes: a trace unrolls them, and rewrites the control
flow of what they call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._compile.analysis.refusals import joined
from ms_compat._compile.control_flow import converted
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor, RowTensorInner
from ms_compat._core.trace import scopes
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.ops.primitive import Primitive


def _is_number(x: Any) -> bool:
    return isinstance(x, (bool, int, float, complex, np.number, np.bool_))


def _is_integer(x: Any) -> bool:
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


# MindSpore's type name -> whether a value is of the type.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "Tensor": lambda x: isinstance(x, Tensor),
    "Ref": lambda x: isinstance(x, Tensor),
    "Number": _is_number,
    "Bool": lambda x: isinstance(x, (bool, np.bool_)),
    "Int": _is_integer,
    "UInt": lambda x: isinstance(x, np.unsignedinteger),
    "Float": lambda x: isinstance(x, (float, np.floating)),
    "Complex": lambda x: isinstance(x, (complex, np.complexfloating)),
    "String": lambda x: isinstance(x, str),
    "None": lambda x: x is None,
    "Tuple": lambda x: isinstance(x, tuple),
    "List": lambda x: isinstance(x, list),
    "Dictionary": lambda x: isinstance(x, dict),
    "Slice": lambda x: isinstance(x, slice),
    "Ellipsis": lambda x: x is Ellipsis,
    "Function": lambda x: callable(x) and not isinstance(x, Tensor),
    "Func": lambda x: callable(x) and not isinstance(x, Tensor),
    "RowTensor": lambda x: isinstance(x, RowTensorInner),
    "COOTensor": lambda x: isinstance(x, COOTensor),
    "CSRTensor": lambda x: isinstance(x, CSRTensor),
    "MapTensor": lambda x: type(x).__name__ == "MapTensor",
    "Any": lambda x: True,
}
# The dtypes by name, each with the Python type of its numbers.
_PYTHON = {"Int64": int, "Float32": float, "Bool": bool}
_DTYPES = {str(t): t for t in mstype.number_type}


def _kind(name: Any) -> Callable[[Any], bool]:
    text = str(name)
    if text in _KINDS:
        return _KINDS[text]
    if text in _DTYPES:
        python = _PYTHON.get(text)
        np_dtype = _DTYPES[text].np_dtype
        return lambda x: type(x) is python or isinstance(x, np.generic) and x.dtype == np_dtype
    inner = text[len("Tensor[") : -1] if text.startswith("Tensor[") and text.endswith("]") else None
    if inner in _DTYPES:
        wanted = _DTYPES[inner]
        return lambda x: isinstance(x, Tensor) and x.dtype is wanted
    known = ", ".join(_KINDS)
    raise RuntimeError(
        f"For 'MultitypeFuncGraph.register', unsupported type name: {text}. It takes: {known} or a dtype."
    )


@faces("ops")
class MultitypeFuncGraph:
    """A function with one implementation for each combination of its arguments' types.

    Args:
        name (str): the name, for messages.
        read_value (bool): kept as an attribute; a Parameter and its value are one thing here.

    Raises:
        TypeError: `name` is not a str.

    >>> from ms_compat import Tensor, ops
    >>> double = ops.MultitypeFuncGraph("double")
    >>> @double.register("Tensor")
    ... def _(x):
    ...     return x * 2
    >>> @double.register("Number")
    ... def _(x):
    ...     return x + x
    >>> print(double(Tensor([1, 2])), double(3))
    [2 4] 6
    """

    def __init__(self, name: str, read_value: bool = False):
        check_type("MultitypeFuncGraph", "name", name, str)
        self.name = name
        self.read_value = read_value
        self.entries: list[tuple[tuple, Callable]] = []
        self._tests: list[tuple] = []

    def register(self, *type_names) -> Callable:
        """Decorator: the implementation for arguments of these types.

        Args:
            type_names: one name ('Tensor', 'Number', 'Tuple', 'Function', ...) or mindspore dtype per argument.

        Raises:
            RuntimeError: there is no such type.
        """
        tests = tuple([_kind(name) for name in type_names])

        def declare(fn: Callable) -> Callable:
            self.entries.append((type_names, fn))
            self._tests.append(tests)
            return fn

        return declare

    def set_doc_url(self, doc_url: str) -> None:
        """Keep the address of a page that explains the function."""
        self._doc_url = doc_url

    def set_need_raise(self) -> None:
        """Kept for programs that call it; a missing implementation always raises."""
        self.need_raise = True

    def __call__(self, *args) -> Any:
        # The first registered match serves, as in PYNATIVE_MODE on MindSpore: 'Number' before 'Bool' takes a bool.
        for tests, (_, fn) in zip(self._tests, self.entries, strict=True):
            if len(tests) == len(args) and all(test(arg) for test, arg in zip(tests, args, strict=True)):
                return joined(converted(fn)(*args))
        given = ", ".join(type(arg).__name__ for arg in args)
        known = "; ".join(", ".join(map(str, names)) for names, _ in self.entries) or "nothing"
        raise ValueError(
            f"For 'MultitypeFuncGraph', '{self.name}' has no implementation for ({given}). Registered: {known}."
        )


class _Mapping:
    """The common part of `Map` and `HyperMap`: the constructor or the call takes the operation."""

    def __init__(self, ops: Callable | None = None, reverse: bool = False):
        if ops is not None and not callable(ops):
            raise TypeError(f"For '{type(self).__name__}', the 'ops' must be a function, but got {type(ops).__name__}.")
        check_bool(type(self).__name__, "reverse", reverse)
        self.ops = ops
        self.reverse = reverse

    def _split(self, args: tuple) -> tuple[Callable, tuple]:
        if self.ops is not None:
            fn, rest = self.ops, args
        elif args:
            fn, rest = args[0], args[1:]
        else:
            fn, rest = None, ()
        if not callable(fn) or not rest:
            raise TypeError(f"For '{type(self).__name__}', a function and at least one input are needed.")
        return converted(fn), rest

    def _each(self, fn: Callable, args: tuple) -> Any:
        first = args[0]
        compiled = scopes.tracing or scopes.by_operations
        for other in args:
            if not isinstance(other, (tuple, list)):
                raise TypeError(
                    f"For '{type(self).__name__}', all inputs must be tuples or lists where the first is one, but got "
                    f"{type(other).__name__}."
                )
            if isinstance(other, list) is not isinstance(first, list) and scopes.as_compiled():
                kinds = f"{type(first).__name__} and {type(other).__name__}"
                raise RuntimeError(
                    f"the types of arguments in {type(self).__name__} must be consistent, but got {kinds}."
                )
            if len(other) != len(first) and compiled:
                raise RuntimeError(
                    f"The {'lists' if isinstance(first, list) else 'tuples'} in {type(self).__name__} should have the "
                    f"same length, but got {len(first)} and {len(other)}."
                )
        rows = list(zip(*args, strict=False))
        # Compiled code on MindSpore computes the rows from the end if `reverse` says so; results keep their places.
        out = [joined(fn(*row)) for row in (reversed(rows) if self.reverse and compiled else rows)]
        if self.reverse and compiled:
            out.reverse()
        return out if isinstance(first, list) and compiled else tuple(out)


@faces("ops")
class HyperMap(_Mapping):
    """Apply an operation to all elements of nested sequences.

    Args:
        ops: the operation; None takes it from the first input of the call.
        reverse (bool): under GRAPH_MODE, compute the elements from the last to the first.

    Returns:
        At the call, tuples in the nesting of the first input (compiled code keeps lists, and maps dicts).

    >>> from ms_compat import Tensor, ops
    >>> ops.HyperMap()(ops.partial(ops.mul, 2), ((1, 2), 3))
    ((Tensor(shape=[], dtype=Int64, value= 2), Tensor(shape=[], dtype=Int64, value= 4)), Tensor(shape=[], \
dtype=Int64, value= 6))
    """

    def __call__(self, *args) -> Any:
        fn, rest = self._split(args)
        return self._apply(fn, rest)

    def _apply(self, fn: Callable, args: tuple) -> Any:
        if scopes.as_compiled() and all(isinstance(item, dict) for item in args):
            return self._of_dicts(fn, args)
        if not isinstance(args[0], (tuple, list)):
            return fn(*args)
        return self._each(lambda *row: self._apply(fn, row), args)

    def _of_dicts(self, fn: Callable, args: tuple) -> dict:
        keys = args[-1].keys()
        for item in args:
            if len(item) != len(keys):
                raise RuntimeError(f"For 'HyperMap', the dicts must have one length, but got {len(item)}, {len(keys)}.")
            if item.keys() != keys:
                raise ValueError(f"For 'HyperMap', the dicts must have the same keys, but got {[*item]}, {[*keys]}.")
        return {key: self._apply(fn, tuple([item[key] for item in args])) for key in keys}


@faces("ops")
class Map(_Mapping):
    """Apply an operation to each element of sequences; arguments as for `HyperMap`, without nesting."""

    def __call__(self, *args) -> Any:
        fn, rest = self._split(args)
        return self._each(fn, rest)


@faces("ops")
class Partial(Primitive):
    """Bind the first arguments of a function: `Partial()(fn, *args)`, in compiled code also some by name.

    Raises:
        TypeError: the first argument is not a function, or arguments are named outside of compiled code.
    """

    def __init__(self):
        super().__init__("Partial")

    def __call__(self, *args, **kwargs) -> Callable:
        if not args or not callable(args[0]):
            raise TypeError("For 'Partial', the first argument must be a function.")
        if kwargs and not scopes.as_compiled():
            raise TypeError(f"For 'Partial', arguments by name ({', '.join(kwargs)}) are taken in compiled code only.")
        return functools.partial(args[0], *args[1:], **kwargs)


partial = faces("ops")(Partial())


@faces("ops")
def add_flags(fn: Any = None, **flags) -> Any:
    """Keep flags on a function, a class or a Cell; they concern MindSpore's compiler.

    Args:
        fn: what to mark; None gives a decorator.
        flags: names and values.

    >>> from ms_compat import ops
    >>> def double(x): return 2 * x
    >>> print(ops.add_flags(double, has_effect=True)(3))
    6
    """
    if fn is None:
        return functools.partial(add_flags, **flags)
    target = fn if not hasattr(fn, "add_flags") or isinstance(fn, type) else None
    if target is None:
        fn.add_flags(**flags)
        return fn
    target._func_graph_flags = {**getattr(target, "_func_graph_flags", {}), **flags}
    return fn


__getattr__ = unsupported_getattr(__name__)
