"""One declaration and one call path for every operation.

`@op(static=("axis",))` turns a pure function of jax arrays into an `Op`. The functional `ops.x`, the method `Tensor.x`,
`mint.x`, `mindspore.numpy.x` and the primitive class `ops.X` are thin faces of the same Op. A call unwraps its
arguments in one positional loop and then (a) under a trace runs the plain function inline, (b) on a recorded tensor
runs and records it on the tape, (c) otherwise calls the op's own cached `jax.jit`, one per set of static arguments.
Plain `jnp` calls cost 20-280 us eagerly; a cached jit costs 3-6 us and the wrapping here adds under one
(tests/benchmarks/test_dispatch.py).

Static arguments are the key of that cache, each with its type (`1`, `True` and `1.0` are different keys), tuples with
their elements' types. All others are dynamic: Tensors, numbers (`x + 2`), None, and lists or tuples of these.
Argument checks live inside the function, so they run when a signature is new and cost nothing afterwards.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
import operator
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import jax
import numpy as np

from ms_compat._core import tape
from ms_compat._core.compiled import integer_grad
from ms_compat._core.dispatch import dtype_checks as taken
from ms_compat._core.dispatch import interception, keywords
from ms_compat._core.dispatch.argument_aliases import OTHER_NAMES
from ms_compat._core.dispatch.operands import NOT_A_NUMBER
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import (
    ArrayImpl,
    Tracer,
    UnexpectedTracerError,
    array_of_size,
    eval_context,
    is_symbolic_size,
    is_watched,
    of_scalar,
)
from ms_compat._core.tape import CompiledOp
from ms_compat._core.tensor import Tensor, no_init
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import concurrency, scopes
from ms_compat._core.trace.precision import current_precision

# operations whose result holds the values of their first argument in the same order
_VALUES_KEPT = frozenset(("Cast", "reshape", "squeeze", "expand_dims", "flatten", "view", "ravel", "unsqueeze"))

_REQUIRED = inspect.Parameter.empty
_new = object.__new__

# Device copies of Python numbers seen as dynamic arguments: handing jit an int or float costs 4 us more than an array.
# Weakly typed, so that the promotion table sees a Python number. -0.0 == 0.0, so the negative one is left out.
_scalars: dict[Any, Any] = {}
_SCALAR_LIMIT = 512


def _scalar(value: Any, kind: type) -> Any:
    key = (kind, value)
    found = _scalars.get(key)
    if found is None or not value:
        if not value and kind is float and math.copysign(1.0, value) < 0 or value != value:
            return value
        if found is not None:
            return found
        if len(_scalars) >= _SCALAR_LIMIT:
            _scalars.clear()
        try:
            with eval_context():  # also under a user's jax.jit, whose tracer must not be kept
                found = _scalars[key] = of_scalar(value)
        except OverflowError:
            raise OverflowError(f"The integer {value} does not fit into 64 bits.") from None
    return found


class Op:
    """An operation; see the module's docstring. Call it with Tensors."""

    # A subclass whose calls may say where the result goes has a method of this name. It takes the calls whose arguments
    # are not one for each parameter: `(args, kwargs)`.
    _call_or_write: Any = None

    def __init__(
        self,
        fn: Callable,
        static: tuple[str, ...],
        name: str | None,
        takes: dict[str, str] | None = None,
        alike: tuple[str, ...] = (),
        tensors: str = "",
    ):
        if tensors:
            takes = {**dict.fromkeys(tensors.split(), "any"), **(takes or {})}
        self.fn = fn
        self.__name__ = self.name = name or fn.__name__.rstrip("_")
        self.__qualname__ = self.__name__
        self.__doc__ = fn.__doc__
        self.__module__ = fn.__module__
        self.__wrapped__ = fn
        parameters = inspect.signature(fn).parameters
        unknown = set(static) - set(parameters)
        if unknown:
            raise ValueError(f"op {self.name}: static names {sorted(unknown)} are not parameters of the function")
        self.names = tuple(parameters)
        self.arity = len(self.names)
        self.defaults = tuple(p.default for p in parameters.values())
        self.statics = tuple(i for i, name in enumerate(self.names) if name in static)
        self.dynamics = tuple(i for i, name in enumerate(self.names) if name not in static)
        self.random = self.names[:1] == ("pair",)
        self.flags = taken.flags_of(self.names, self.defaults, self.statics)
        self._behind_checks = taken.checked(fn, self.name, self.names, takes or {}, alike) if takes or alike else fn
        self._plain = CompiledOp(self._explained(self._behind_checks), self.name) if not self.statics else None
        self._entries: dict[Any, CompiledOp] = {}
        self._layouts: dict[Any, CompiledOp] = {}
        self._orders: dict[tuple, Callable[[tuple], tuple]] = {}  # by the ways in which arguments are given

    def __repr__(self) -> str:
        return f"<op {self.name}({', '.join(self.names)})>"

    def __reduce_ex__(self, protocol):
        """Pickled and copied by its place: the public one, which stays where files move, or its function's place."""
        for home in ("ms_compat.ops", self.__module__):
            module = sys.modules.get(home)
            for name in (self.__name__, self.fn.__name__):
                if getattr(module, name, None) is self:
                    return _of_module, (home, name)
        return object.__reduce_ex__(self, protocol)

    def _explained(self, fn: Callable) -> Callable:
        @functools.wraps(fn)
        def explained(*args):
            try:
                return fn(*args)
            except AttributeError:
                _refuse_no_tensors(self, args)
                raise
            except (TypeError, ValueError, IndexError) as error:
                own = _as_mindspore_raises(self, args, error)
                if own is None:
                    raise
                raise own from None

        return explained

    def __get__(self, instance, owner=None):
        return self if instance is None else _BoundOp(self, instance)

    # -- the hot path --------------------------------------------------------------------------------------------
    def __call__(self, *args, **kwargs):
        # Written out and not cut into helpers, whose calls would cost more than the tests in them (see the head). What
        # is not a Tensor leaves the loop at once, for a way that may be slow.
        if kwargs or len(args) != self.arity:
            if self._call_or_write is not None:
                return self._call_or_write(args, kwargs)
            args = self._bind(args, kwargs)
        if scopes.tracing:
            return self._call_general(args)
        values: list[Any] = []
        links: list[Any] | None = None  # the nodes of the values, once one of them is on the tape
        for i in self.dynamics:
            a = args[i]
            kind = a.__class__
            if kind is Tensor or kind is Parameter:
                v = a._v
                if v.__class__ is not ArrayImpl:
                    return self._call_general(args)
                node = a._node
                if links is not None:
                    links.append(node)
                elif node is not None:
                    links = [*[None] * len(values), node]
                values.append(v)
                continue
            if kind is float or kind is int:
                values.append(_scalar(a, kind))
            elif a is None or kind is np.ndarray and self.random:  # the pair of a draw, which nobody else holds
                values.append(a)
            elif kind is tuple or kind is list:
                return self._call_sequences(args)
            else:
                return self._call_general(args)
            if links is not None:
                links.append(None)
        entry = self._plain
        if entry is None:  # `_known`, written out: a call saved
            key: list[Any] = []
            for i in self.statics:
                a = args[i]
                if a.__class__ is tuple:
                    key += map(type, a)
                else:
                    key.append(a.__class__)
                key.append(a)
            try:
                entry = self._entries[tuple(key)]
            except (KeyError, TypeError):
                entry = self._entry(args)
        try:
            if links is not None:
                return tape.run(entry, values, links)
            out = entry.jit(*values)
        except (RuntimeError, ValueError):
            if not concurrency.changed_meanwhile(values, [args[i] for i in self.dynamics]):
                raise
            return self(*args)
        if out.__class__ is ArrayImpl:
            t = _new(Tensor)
            t._v = out
            return t
        return tape.wrap_all(out)

    def _call_sequences(self, args: tuple) -> Any:
        """Concrete Tensors and lists or tuples of them, as `concat` and `stack` are called; else `_call_general`."""
        values, links, counts = [], [], []
        taped = False
        for i in self.dynamics:
            a = args[i]
            if a.__class__ is tuple or a.__class__ is list:
                counts.append(len(a))
            else:
                counts.append(-1)
                a = (a,)
            for t in a:
                if t.__class__ is not Tensor and t.__class__ is not Parameter or t._v.__class__ is not ArrayImpl:
                    return self._call_general(args)
                values.append(t._v)
                node = t._node
                links.append(node)
                if node is not None:
                    taped = True
        entry = self._plain or self._known(args)
        key = (entry, *counts)
        found = self._layouts.get(key)
        if found is None:
            layout = tuple([0 if n < 0 else (0,) * n for n in counts])
            found = self._layouts[key] = self._layout_entry(entry, layout)
        try:
            if taped:
                return tape.run(found, values, links)
            return tape.wrap_all(found.jit(*values))
        except (RuntimeError, ValueError):
            given = [args[i] if args[i].__class__ in (tuple, list) else (args[i],) for i in self.dynamics]
            if not concurrency.changed_meanwhile(values, [t for part in given for t in part]):
                raise
            return self(*args)

    def _known(self, args: tuple) -> CompiledOp:
        """The CompiledOp for these static arguments, found by the arguments as they are if they can be a key."""
        key = static_key([args[i] for i in self.statics])
        try:
            return self._entries[key]
        except (KeyError, TypeError):
            return self._entry(args)

    # -- everything unusual --------------------------------------------------------------------------------------
    def _bind(self, args: tuple, kwargs: dict) -> tuple:
        key = (len(args), *kwargs)
        order = self._orders.get(key)
        if order is None:
            order = self._orders[key] = self._order(len(args), kwargs)
        return order((*args, *kwargs.values(), *self.defaults))

    def _order(self, count: int, kwargs: dict) -> Callable[[tuple], tuple]:
        """How a call's arguments, with the defaults behind them, become one for each parameter: a function of tuples.

        Args:
            count: of the positional arguments.
            kwargs: the others.

        Raises:
            TypeError: the arguments are too many, unknown, given twice or missing.
        """
        if count > self.arity:
            raise TypeError(f"For 'ops.{self.name}', at most {self.arity} arguments are taken, but got {count}.")
        behind = count + len(kwargs)
        places = [*range(count), *range(behind + count, behind + self.arity)]
        for place, name in enumerate(kwargs, count):
            try:
                i = self.names.index(name)
            except ValueError:
                i = self._otherwise_named(name, kwargs)
            if i < count:
                raise TypeError(f"For 'ops.{self.name}', the argument '{name}' was given twice.")
            places[i] = place
        for i, place in enumerate(places):
            if place >= behind and self.defaults[i] is _REQUIRED:
                raise TypeError(f"For 'ops.{self.name}', the argument '{self.names[i]}' is missing.")
        return operator.itemgetter(*places) if len(places) > 1 else lambda given: tuple([given[i] for i in places])

    def _otherwise_named(self, name: str, given: dict) -> int:
        own = OTHER_NAMES.get(self.name, {}).get(name)
        if own is None:
            raise TypeError(f"For 'ops.{self.name}', there is no argument '{name}'. {keywords.hint(name, self.names)}")
        if own in given:
            raise TypeError(f"For 'ops.{self.name}', the argument '{own}' was given twice, also as '{name}'.")
        return self.names.index(own)

    def _entry(self, args: tuple) -> CompiledOp:
        """The CompiledOp for these static arguments, made on first use."""
        for i in self.statics:
            if args[i].__class__ is np.ndarray:
                self._refuse(self.names[i], args[i])
        statics = [freeze(args[i], self.name, self.names[i]) for i in self.statics]
        if is_watched(statics):
            made = CompiledOp(self._specialise(tuple(statics)), self.name)
            made.open = True
            return made
        key = static_key(statics)
        found = self._entries.get(key)
        if found is None:
            for i in self.flags:
                taken.check_flag(self.name, self.names[i], statics[self.statics.index(i)])
            found = self._entries[key] = CompiledOp(self._specialise(tuple(statics)), self.name, tuple(statics))
        return found

    def _specialise(self, statics: tuple) -> Callable:
        fn, static_at, dynamic_at, arity = self._explained(self._behind_checks), self.statics, self.dynamics, self.arity

        def specialised(*dynamic):
            full = [None] * arity
            for i, value in zip(static_at, statics, strict=True):
                full[i] = value
            for i, value in zip(dynamic_at, dynamic, strict=True):
                full[i] = value
            return fn(*full)

        specialised.__name__ = self.name
        return specialised

    def _call_general(self, args: tuple) -> Any:
        """Sequences of Tensors, numpy arrays, subclasses, tracers, Parameters inside a trace, a level of precision."""
        # One function for all of these, as a call may have several at once.
        if interception.watched and interception.sees():
            return interception.of_operation(self, args)
        precision = current_precision()
        if precision is not None:
            args = precision(self, args)
        flat: list[Any] = []
        layout = [self._flatten(args[i], self.names[i], flat) for i in self.dynamics]
        values = [item._v if isinstance(item, Tensor) else item for item in flat]
        scope = scopes.current_scope()
        if scope is None and scopes.tracing and any(isinstance(v, Tracer) for v in values):
            with scopes.lock:  # another thread traces with tracers in these Parameters: wait until it has put them back
                values = [item._v if isinstance(item, Tensor) else item for item in flat]
        blanks = [item for v, item in zip(values, flat, strict=True) if v is None and isinstance(item, Tensor)]
        if blanks:
            for item in blanks:
                no_init.require(item, f"ops.{self.name}")
            values = [item._v if isinstance(item, Tensor) else item for item in flat]
        if any(v.__class__ is np.ndarray and v.dtype.kind in "SU" for v in values):
            raise TypeError(f"For 'ops.{self.name}', a Tensor of strings was given, with which nothing is computed.")
        entry = self._plain or self._entry(args)
        if any(part != 0 for part in layout):
            entry = self._layout_entry(entry, tuple(layout))
        if scope is None and not any(isinstance(v, Tracer) for v in values):
            links = [getattr(item, "_node", None) for item in flat]
            try:
                if any(node is not None for node in links):
                    return tape.run(entry, values, links)
                return tape.wrap_all(entry.jit(*values))
            except (RuntimeError, ValueError):
                if not concurrency.changed_meanwhile(values, flat):
                    raise
                return self(*args)
        if scope is None and scopes.tracing and concurrency.traced_elsewhere(values, flat):
            return self(*args)
        return _call_traced(entry, flat, values, scope)

    def _flatten(self, value: Any, name: str, flat: list[Any]) -> Any:
        """Append the leaves of one argument to `flat`; the layout is 0 for a leaf, a tuple for a sequence.

        A bool is not a leaf. The layout holds it as the text "True" or "False", because `True == 1` and a layout is
        part of a cache key.
        """
        if isinstance(value, Tensor):
            flat.append(value)
            return 0
        if isinstance(value, (list, tuple)):
            return tuple([self._flatten(item, name, flat) for item in value])
        if is_symbolic_size(value):
            flat.append(array_of_size(value))
            return 0
        if isinstance(value, np.generic) and value.dtype.kind in "biufc":
            value = value.item()  # a number of Python's, without a dtype of its own, as in MindSpore
        if value is True or value is False:
            return str(value)  # stays Python's: as an array it would not be known from a Tensor
        if value is None or isinstance(value, (int, float, complex, Tracer, jax.Array)):
            flat.append(value)
            return 0
        if name == "pair" and self.random:
            flat.append(value)
            return 0
        self._refuse(name, value)

    def _refuse(self, name: str, value: Any) -> NoReturn:
        got, hint = f"{value!r:.80} of type {type(value).__name__}", ""
        if isinstance(value, np.ndarray):
            got, hint = f"a NumPy array of shape {value.shape}", " 'mindspore.Tensor(array)' makes a Tensor of it."
        raise TypeError(
            f"For 'ops.{self.name}', the argument '{name}' must be a Tensor or a number, but got {got}.{hint}"
        )

    def _layout_entry(self, entry: CompiledOp, layout: tuple) -> CompiledOp:
        key = (entry.fn, layout)
        found = self._layouts.get(key)
        if found is None:
            fn = entry.fn

            def gathered(*flat):
                leaves = iter(flat)
                return fn(*[rebuild(part, leaves) for part in layout])

            found = self._layouts[key] = CompiledOp(gathered, self.name, (entry.statics, layout))
        return found


def static_key(statics: Sequence) -> tuple:
    """The key of static arguments: each after its type, a tuple after its elements' types, as (2.0,) equals (2,)."""
    key: list[Any] = []
    for a in statics:
        key += map(type, a) if a.__class__ is tuple else (a.__class__,)
        key.append(a)
    return tuple(key)


def _refuse_no_tensors(operation: Op, args: Sequence) -> None:
    """Raise TypeError, in place of an AttributeError, for an argument that must be a Tensor and is not one."""
    for i in operation.dynamics:
        value = args[i]
        if value is None or isinstance(value, (tuple, list, int, float, complex)):
            raise TypeError(
                f"For 'ops.{operation.name}', the argument '{operation.names[i]}' must be a Tensor or a number, but "
                f"got {'None' if value is None else 'a ' + type(value).__name__}."
            ) from None


# The messages of JAX, NumPy and Python about shapes that do not fit, in errors of any class.
_SHAPES_DO_NOT_FIT = re.compile(
    "incompatible shapes|cannot reshape|too many indices|index out of range|out of bounds for axis|same shapes"
    "|contracting dimension|at least two.?dimensional|at least 2-d|same number of dimensions|requires ndim"
    "|does not match previous terms",
    re.IGNORECASE,
)


def _as_mindspore_raises(operation: Op, args: Sequence, error: Exception) -> Exception | None:
    """The error that MindSpore raises where JAX, with other classes, refused arguments that do not fit.

    Shapes that do not fit are a ValueError in MindSpore, and None in place of a number is a TypeError. Messages
    of this package's own checks begin with the API's name and are left as they are, like JAX's errors about
    traced values.
    """
    text = str(error)
    if text.startswith("For ") or isinstance(error, jax.errors.JAXTypeError):
        return None
    if text.startswith(NOT_A_NUMBER):
        return TypeError(f"For 'ops.{operation.name}', {text}")
    if "None is not a valid value" in text or "Invalid argument to dtype: None" in text:
        missing = [operation.names[i] for i in operation.dynamics if args[i] is None]
        return TypeError(f"For 'ops.{operation.name}', None is not a value for {' or '.join(map(repr, missing))}.")
    if _SHAPES_DO_NOT_FIT.search(text):
        given = [v for arg in args for v in (arg if isinstance(arg, (tuple, list)) else (arg,))]
        shapes = [tuple(v.shape) for v in given if hasattr(v, "shape")]
        return ValueError(f"For 'ops.{operation.name}', the shapes of the inputs do not fit: {shapes}. {text[:200]}")
    return None


def rebuild(part: Any, leaves: Iterator) -> Any:
    """One argument of a layout: 0 is a leaf, a tuple a sequence, a text a bool."""
    if part == 0:
        return next(leaves)
    return part == "True" if part.__class__ is str else tuple([rebuild(item, leaves) for item in part])


def _call_traced(entry: CompiledOp, flat: list[Any], values: list[Any], scope) -> Any:
    """Run inline into the open trace. What depends on constants alone is computed now, so that it stays concrete."""
    # One long function, because it runs for each operation of a trace and calls cost more than the tests in it.
    constant = not entry.open
    for item, value in zip(flat, values, strict=True):
        if isinstance(value, Tracer):
            constant = False
        elif isinstance(item, Parameter) and scope is not None:
            scope.note_read(item)
            constant = False
        if scope is not None and scope.taped_reads is not None and tape.live_node(item) is not None:
            scope.taped_reads[id(item)] = item
            constant = False
    if constant:
        with eval_context():
            out = entry.jit(*values)
    else:
        out = entry.fn(*values) if scope is not None else _run_unscoped(entry, values)
    result = tape.wrap_all(out)
    if scope is not None:
        if scope.inputs and entry.name in _VALUES_KEPT and id(values[0]) in scope.inputs and result.__class__ is Tensor:
            scope.inputs[id(result._v)] = scope.inputs[id(values[0])]
        if scope.integers or (scope.trace is not None and entry.name in integer_grad.CASTS):
            integer_grad.check_traced(entry, flat, values, result, scope)
        if scope.casts is not None and (scope.casts.tensors or entry.name in integer_grad.CASTS):
            scope.casts.note(entry, flat, values, result)
        if scope.written is not None:
            scope.written.note_use(flat, scope)
        for t in result if result.__class__ is tuple else (result,):
            scope.created[id(t)] = t
    return result


def _run_unscoped(entry: CompiledOp, values: list[Any]) -> Any:
    """Run in a trace of JAX's alone; compiled functions of this package make a graph break of what is refused here."""
    try:
        return entry.fn(*values)
    except UnexpectedTracerError:
        raise RuntimeError(
            f"For 'ops.{entry.name}', a Tensor has outlived the function that made it, as one in a list outside of "
            "a function under 'vmap' or 'jax.jit' does: its values were never computed. Return it instead."
        ) from None


def freeze(value: Any, op_name: str, arg: str) -> Any:
    """A hashable form of a static argument: lists become tuples, concrete integer Tensors become Python numbers."""
    if isinstance(value, (list, tuple)):
        return tuple([freeze(item, op_name, arg) for item in value])
    if isinstance(value, Tensor):
        if isinstance(value._v, Tracer):
            raise NotTraceableError(
                f"For 'ops.{op_name}', the argument '{arg}' decides the shape or kind of the result and must be a "
                "constant when compiled, but got a Tensor that is only known at run time."
            )
        return freeze(value.asnumpy().tolist(), op_name, arg)
    if isinstance(value, np.ndarray):
        return freeze(value.tolist(), op_name, arg)
    if isinstance(value, np.generic):
        return value.item()
    return value


class LookingOp(Op):
    """An operation that looks at values before it runs, such as class numbers; operations on the hot path do not."""

    look: Callable

    def __call__(self, *args, **kwargs):
        if kwargs or len(args) != self.arity:
            args = self._bind(args, kwargs)
        self.look(*args)
        return super().__call__(*args)


def _of_module(module: str, name: str) -> Any:
    """The operation that a pickle names."""
    return getattr(importlib.import_module(module), name)


class _BoundOp:
    """`tensor.method` for an Op that is an attribute of Tensor; to editors and `pickle` it is a bound method."""

    __slots__ = ("_op", "_self")

    def __init__(self, op: Op, instance: Any):
        self._op = op
        self._self = instance

    __doc__ = property(lambda self: self._op.__doc__)
    __name__ = property(lambda self: self._op.__name__)
    __self__ = property(lambda self: self._self)
    __func__ = property(lambda self: self._op)

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self._op)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __reduce__(self) -> Any:
        name = self._op.__name__
        if getattr(type(self._self), name, None) is not self._op:  # an operation that is a method of another name
            name = next(n for n in dir(type(self._self)) if vars(Tensor).get(n) is self._op)
        return getattr, (self._self, name)

    def __call__(self, *args, **kwargs):
        return self._op(self._self, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<bound {self._op!r}>"


def op(
    fn: Callable | None = None,
    *,
    static: tuple[str, ...] = (),
    name: str | None = None,
    look: Callable | None = None,
    takes: dict[str, str] | None = None,
    alike: tuple[str, ...] = (),
    tensors: str = "",
) -> Any:
    """Declare an operation.

    Args:
        fn: pure function of jax arrays. Its parameters named in `static` are Python constants; all others are arrays,
            numbers, None, or tuples of arrays.
        static: names of the constants.
        name: the public name, if it differs from the function's.
        look: called with all arguments, as Tensors, before the operation runs; raises where their values are refused
            (`ops/function/indexing/bounds.py`).
        takes: what dtypes parameters take (`dtype_checks.py`); others raise TypeError.
        alike: the parameters whose Tensors must have one dtype.
        tensors: the parameters, a space between two, for which MindSpore refuses numbers: they take Tensors of any
            dtype, or None.

    >>> from ms_compat import Tensor
    >>> from ms_compat._core.dispatch.op import op
    >>> @op(static=("times",))
    ... def scaled(x, times=2):
    ...     return x * times
    >>> print(scaled(Tensor([1, 2]), times=3))
    [3 6]
    """
    if fn is None:
        return lambda f: op(f, static=static, name=name, look=look, takes=takes, alike=alike, tensors=tensors)
    if look is None:
        return Op(fn, static, name, takes, alike, tensors)
    out = LookingOp(fn, static, name, takes, alike, tensors)
    out.look = look
    return out
