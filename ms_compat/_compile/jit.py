"""`jit`, `jit_class`, `ms_function`: the decorators over `CompiledFunction`.

MindSpore's options choose compiler back ends and levels that XLA does not have; they are checked as MindSpore checks
them, and logged at debug level.
"""

from __future__ import annotations

import difflib
import functools
import logging
import weakref
from collections.abc import Callable
from typing import Any

from ms_compat._compile import control_flow
from ms_compat._compile.function import CompiledFunction
from ms_compat._core.errors import check_bool

logger = logging.getLogger("ms_compat")

# The attribute in which `enable_dynamic` leaves what checks the calls of a function once it is compiled.
DECLARED = "_ms_compat_declared_shapes"

_CHOICES = {
    "capture_mode": ("ast", "bytecode", "trace"),
    "jit_level": ("O0", "O1", "O2", ""),
    "backend": ("", "ms_backend", "GE", "default"),
}


class JitFunction:
    """A function under `jit`: a plain call compiles; as a method it compiles once per instance."""

    def __init__(self, fn: Callable, fullgraph: bool = False):
        self.fn = fn
        functools.update_wrapper(self, fn)
        self._fullgraph = fullgraph
        self._compiled = CompiledFunction(fn, fullgraph=fullgraph, jitted=True)
        self._bound: dict[int, _BoundCompiled] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._compiled(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return self._for(instance)

    def _for(self, instance: Any) -> BoundMethod:
        key = id(instance)
        found = self._bound.get(key)
        if found is None or found.owner() is not instance:
            found = _BoundCompiled(self.fn, instance, self._fullgraph)
            self._bound[key] = found
            weakref.finalize(instance, self._bound.pop, key, None)
        return BoundMethod(found, instance)

    @property
    def traces(self) -> int:
        """How often the function was traced."""
        return self._compiled.traces

    def reachable(self) -> list[Any]:
        """What a trace of this function can touch."""
        return [self.fn]


class _BoundCompiled(CompiledFunction):
    """The compiled form of a method for one instance, which it does not keep alive."""

    def __init__(self, fn: Callable, instance: Any, fullgraph: bool):
        self.owner = weakref.ref(instance)
        super().__init__(_WeakMethod(fn, self.owner), None, fn.__qualname__, fullgraph, jitted=True)


class BoundMethod(CompiledFunction):
    """What `instance.method` gives: the compiled form for the instance, which it keeps alive as bound methods do.

    Args:
        compiled: the form, whose attributes this has.
        instance: what the method is bound to.
    """

    __slots__ = ("_instance", "_of")

    def __init__(self, compiled: _BoundCompiled, instance: Any):
        self.__dict__ = compiled.__dict__
        self._of = compiled
        self._instance = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._of(*args, **kwargs)  # what is compiled may not refer to this, and so to the instance

    def compile(self, *args: Any, **kwargs: Any) -> None:
        self._of.compile(*args, **kwargs)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, BoundMethod) and self._of is other._of

    def __hash__(self) -> int:
        return hash(self._of)


class _WeakMethod:
    """A bound method that does not keep its instance alive."""

    def __init__(self, fn: Callable, owner: Callable[[], Any]):
        self.fn = fn
        self.owner = owner
        self.__module__ = fn.__module__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return control_flow.converted(self.fn)(self.owner(), *args, **kwargs)

    def reachable(self) -> list[Any]:
        return [self.fn.__get__(self.owner())]


def _check_options(capture_mode, jit_level, dynamic, fullgraph, backend, options) -> None:
    for name, value in (("capture_mode", capture_mode), ("jit_level", jit_level), ("backend", backend)):
        if value not in _CHOICES[name]:
            raise ValueError(
                f"For 'jit', the argument '{name}' must be one of {list(_CHOICES[name])}, but got {value!r}."
            )
    if isinstance(dynamic, bool) or not isinstance(dynamic, int):
        raise TypeError(f"For 'jit', the argument 'dynamic' must be an int, but got {dynamic!r}.")
    if dynamic not in (0, 1):
        raise ValueError(f"For 'jit', the argument 'dynamic' must be 0 or 1, but got {dynamic!r}.")
    check_bool("jit", "fullgraph", fullgraph)
    for name in options:
        close = difflib.get_close_matches(name, (*_CHOICES, "dynamic", "fullgraph"), 1, 0.8)
        if close:  # MindSpore takes any option, and ignores what it does not know
            logger.warning("jit: there is no option '%s', which has no effect; the nearest is '%s'", name, close[0])
    logger.debug("jit: XLA has one level; capture_mode=%s jit_level=%s backend=%s options=%s have no effect",
                 capture_mode, jit_level, backend, sorted(options))  # fmt: skip


def jit(function=None, *, capture_mode="ast", jit_level="O0", dynamic=0, fullgraph=False, backend="", **options):
    """Compile a function or a Cell with XLA.

    Tensors are variables; numbers, strings, tuples, lists and dicts are constants, so another value compiles again (see
    `mutable`). XLA compiles per shape; what meets more than a few runs padded, or operation by operation, see
    `fallback/shape_policy.py`.

    Args:
        function: a function, method or Cell; None to use it as a decorator with options.
        fullgraph: whether what XLA cannot compile as a whole is an error, and every shape is compiled. Otherwise the
            function runs in Python there, and the Cells and compiled functions that it calls are compiled each for
            itself.
        capture_mode, jit_level, dynamic, backend, options: as in MindSpore; checked, without effect on XLA.

    Returns:
        The compiled function.

    Raises:
        ValueError: an option has a value that MindSpore does not know.
        TypeError: `function` is not callable; or, with `fullgraph`, it needs values that are known at run time only.
        AttributeError: with `fullgraph`, a call of `Tensor.asnumpy`, which the strict syntax refuses.

    >>> import ms_compat as ms
    >>> @ms.jit
    ... def double(x):
    ...     return x + x
    >>> print(double(ms.Tensor([1, 2])))
    [2 4]
    """
    _check_options(capture_mode, jit_level, dynamic, fullgraph, backend, options)

    def wrap(fn: Any) -> Any:
        if isinstance(fn, (JitFunction, CompiledFunction)):
            return fn
        if hasattr(fn, DECLARED):
            check = getattr(fn, DECLARED)
            return fn if check is None else check(JitFunction(fn, fullgraph))
        if hasattr(type(fn), "construct") and hasattr(type(fn), "_all_parameters"):
            return CompiledFunction(fn._call_inside, fn, type(fn).__name__, fullgraph, jitted=True)
        if not callable(fn):
            raise TypeError(f"For 'jit', a function or a Cell is needed, but got {type(fn).__name__}.")
        if hasattr(fn, "__self__") and hasattr(fn, "__func__"):
            return CompiledFunction(fn, None, fn.__qualname__, fullgraph, jitted=True)
        return JitFunction(fn, fullgraph)

    return wrap if function is None else wrap(function)


def ms_function(fn=None, input_signature=None, hash_args=None, jit_config=None):
    """The name of `jit` before MindSpore 2.0; the same thing.

    >>> import ms_compat as ms
    >>> print(ms.ms_function(lambda x: x * 2)(ms.Tensor([2])))
    [4]
    """
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


def jit_class(cls):
    """Mark a class so that compiled functions may use its instances. Any class may be used here; the mark is kept.

    Raises:
        TypeError: `cls` is not a class, or is a Cell.

    >>> import ms_compat as ms
    >>> @ms.jit_class
    ... class Scale:
    ...     def __init__(self, factor):
    ...         self.factor = factor
    ...     def run(self, x):
    ...         return x * self.factor
    >>> print(Scale(2.0).run(ms.Tensor([1.0, 3.0])))
    [2. 6.]
    """
    if not isinstance(cls, type):
        raise TypeError(f"For 'jit_class', a class is needed, but got {type(cls).__name__}.")
    if hasattr(cls, "construct"):
        raise TypeError(f"For 'jit_class', '{cls.__name__}' is a Cell, which is compiled by jit or GRAPH_MODE.")
    cls.__ms_class__ = True  # type: ignore[attr-defined]
    return cls
