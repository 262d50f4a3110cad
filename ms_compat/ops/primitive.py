"""Primitives: MindSpore's classes of operations (`ops.MatMul(transpose_b=True)(x, y)`), a thin face of the functions.

A primitive is declared where its function is written (`_core/faces.py`), or is a row of a table (`ops/primitives/`) if
it is more than that function: what computes it, the names of its inputs, and the parameters of its constructor with
their defaults. The function takes the inputs first and the parameters after them, so that a call is one concatenation
of two tuples.
"""

from __future__ import annotations

import ast
import enum
import functools
import inspect
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch import interception
from ms_compat._core.dispatch.random import counting
from ms_compat._core.errors import check_bool, check_non_negative_int, check_type
from ms_compat._core.faces import faces, primitives
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes
from ms_compat._names.resolve import unsupported_method
from ms_compat.ops import _primitive_rules as rules
from ms_compat.ops import _strategies
from ms_compat.ops._primitive_metadata import PrimitiveMetadata
from ms_compat.ops.signature import Signature

_REQUIRED = object()


class Row(NamedTuple):
    """One primitive of a table.

    Args:
        fn: called as `fn(*inputs, *parameters)`.
        inputs: names of the call's arguments; `("axis", ())` gives one with a default.
        parameters: `{name: default}` of the constructor; `REQUIRED` for one without a default.
        types: `{name: types}` of parameters that are checked.
        variadic: whether the call takes any number of inputs, which are passed as one tuple.
        check: called with the constructor's parameters; raises for values that are wrong.
    """

    fn: Callable
    inputs: tuple = ("input",)
    parameters: dict[str, Any] = {}
    types: dict[str, tuple] = {}
    variadic: bool = False
    check: Callable | None = None


REQUIRED = _REQUIRED
_TYPES = {kind.__name__: kind for kind in (bool, int, float, str, tuple, list)}
_TYPED = r": [a-z |]+(?= =|,|$)"  # an argument's types in a declaration's text
_TYPED_NAME = r"(\w+): ([a-z |]+)(?= =|,|$)"


class prim_type(enum.Enum):  # MindSpore's name
    """How MindSpore runs a primitive."""

    unknown = 0
    builtin = 1
    py_infer_shape = 2
    user_custom = 3
    py_infer_check = 4


@faces("ops")
class Primitive(PrimitiveMetadata):
    """The base of all primitives: a name and attributes.

    Args:
        name: the primitive's name.

    >>> from ms_compat import ops
    >>> ops.MatMul(transpose_b=True)
    Prim[MatMul]<transpose_a=False, transpose_b=True>
    """

    _row: Row | None = None
    if not TYPE_CHECKING:  # a checker would take any attribute
        __getattr__ = unsupported_method("mindspore.ops.Primitive")

    def __init__(self, name: str):
        check_type("Primitive", "name", name, str)
        self.name = name
        self.attrs: dict[str, Any] = {}

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        """Set an attribute; returns the primitive."""
        setattr(self, name, value)
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str) -> Primitive:
        """Take an attribute away; returns the primitive."""
        if name in self.__dict__ and name in self.attrs:
            del self.__dict__[name]
            del self.attrs[name]
        return self

    def set_device(self, device_target: str) -> Primitive:
        """Say where to run; JAX places computations by itself, so this is kept as an attribute only."""
        return self.add_prim_attr("primitive_target", device_target)

    def set_prim_instance_name(self, name: str) -> Primitive:
        """Set this primitive's name."""
        check_type("set_prim_instance_name", "name", name, str)
        self.instance_name = name
        return self

    def set_stage(self, stage: int) -> Primitive:
        """Kept as an attribute; JAX places pipeline stages."""
        return self.add_prim_attr("stage", stage)

    def shard(self, in_strategy=None, out_strategy=None) -> Primitive:
        """Set the sharding of inputs and outputs over the devices.

        It counts in compiled programs of the modes "semi_auto_parallel" and "auto_parallel", and of `AutoParallel`, and
        is an attribute elsewhere. Results match one device.

        Args:
            in_strategy: for each Tensor among the inputs a tuple with each dimension's number of pieces, or a
                Layout.
            out_strategy: likewise for each output.

        Returns:
            The primitive.

        Raises:
            TypeError: a strategy of another type.
            ValueError: `out_strategy` alone, or one as tuples and the other as Layouts; in the call: a strategy that
                does not fit the shapes or the devices.

        >>> from ms_compat import ops
        >>> ops.MatMul().shard(((2, 1), (1, 4)))
        Prim[MatMul]<transpose_a=False, transpose_b=False, in_strategy=((2, 1), (1, 4))>
        """
        _strategies.check(self.name, in_strategy, out_strategy)
        for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if strategy is not None:
                self.add_prim_attr(name, strategy)
        if in_strategy is not None:
            _strategies.follow(self)
            self.__dict__["_strategies"] = (in_strategy, out_strategy)
        return self

    def place(self, role: str, rank_id: int) -> None:
        """Kept as attributes; JAX places computations by itself.

        Raises:
            TypeError: `rank_id` is not an int.
            ValueError: `role` is not "MS_WORKER"; `rank_id` is negative.
        """
        check_choice("Primitive.place", "role", role, ("MS_WORKER",))
        check_non_negative_int("Primitive.place", "rank_id", rank_id)
        self.add_prim_attr("ms_role", role)
        self.add_prim_attr("rank_id", rank_id)

    def recompute(self, mode: bool = True) -> Primitive:
        """Compute the result again in the backward pass of a compiled gradient instead of keeping it: memory for time.

        It counts for what is compiled from then on. In PYNATIVE_MODE it is an attribute, as in MindSpore;
        `Cell.recompute` acts there, too.

        Args:
            mode: False to keep it.

        Returns:
            The primitive.

        Raises:
            TypeError: `mode` is not a bool.

        >>> from ms_compat import ops
        >>> ops.ReLU().recompute()
        Prim[ReLU]<recompute=True>
        """
        check_bool("recompute", "mode", mode)
        _strategies.follow(self)
        return self.add_prim_attr("recompute", mode)

    def init_prim_io_names(self, inputs: list[str], outputs: list[str]) -> None:
        """Name the inputs and outputs."""
        self.input_names, self.output_names = list(inputs), list(outputs)

    def set_prim_type(self, kind: prim_type) -> None:
        """Keep how MindSpore would run the primitive; here its class decides.

        Raises:
            TypeError: `kind` is not a `prim_type`.

        >>> from ms_compat import ops
        >>> from ms_compat.ops.primitive import prim_type
        >>> ops.ReLU().set_prim_type(prim_type.py_infer_shape)
        """
        self.prim_type = check_type("set_prim_type", "kind", kind, prim_type)

    def set_signatures(self, signatures: list[Signature]) -> None:
        """Keep descriptions of the inputs, as `__mindspore_signature__` does; calls pass their arguments unchanged.

        Args:
            signatures: made by `ops.signature.make_sig`.

        Raises:
            TypeError: it is not a list of them.

        >>> from ms_compat import ops
        >>> ops.ReLU().set_signatures([ops.signature.make_sig("x")])
        """
        check_type("set_signatures", "signatures", signatures, list)
        for one in signatures:
            check_type("set_signatures", "item of signatures", one, Signature)
        self.signatures = signatures

    def check_elim(self, *args) -> tuple[bool, Any]:
        """Whether the result is known without computing; never the case here."""
        return False, None

    @property
    def update_parameter(self) -> bool:
        """Whether the attribute of this name says that the primitive changes a Parameter."""
        return bool(self.attrs.get("update_parameter", False))

    def __repr__(self) -> str:
        attributes = ", ".join(f"{k}={v}" for k, v in self.attrs.items())
        return f"Prim[{self.name}]<{attributes}>" if attributes else f"Prim[{self.name}]"

    __str__ = __repr__

    def __call__(self, *args, **kwargs) -> Any:
        raise NotImplementedError(f"The primitive '{self.name}' has no computation; define '__call__' in its class.")


@faces("ops")
class PrimitiveWithInfer(Primitive):
    """A primitive that users define together with functions that infer its result; kept for their `isinstance`."""


@faces("ops")
class PrimitiveWithCheck(Primitive):
    """A primitive that users define together with argument checks; kept for their `isinstance`."""


class _Signature:
    """`__signature__` of a table's primitive: a class has its settings, an instance its inputs."""

    def __get__(self, instance: Any, owner: type[_TablePrimitive]) -> inspect.Signature:
        row: Row | None = owner._row
        if row is None:
            raise AttributeError("__signature__")
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        if instance is None:
            named = list(row.parameters.items())
        elif row.variadic:
            return inspect.Signature([inspect.Parameter("inputs", inspect.Parameter.VAR_POSITIONAL)])
        else:
            named = [i if isinstance(i, tuple) else (i, _REQUIRED) for i in row.inputs]
        empty = inspect.Parameter.empty
        return inspect.Signature(
            [inspect.Parameter(name, kind, default=empty if d is _REQUIRED else d) for name, d in named]
        )


class _Documentation:
    """`__doc__` of a table's primitive, made when it is read: a thousand texts would slow the import."""

    def __get__(self, instance: Any, owner: type[_TablePrimitive]) -> str:
        from ms_compat.ops._documentation.primitives import described

        return described(owner._name, owner._row, owner._types, _REQUIRED)


class _TablePrimitive(Primitive):
    """A primitive that is a row of a table."""

    __signature__ = _Signature()
    _row: Row
    _name: str
    _count: int
    _tail: tuple
    _types: dict[str, tuple]
    _values: dict[str, Callable]
    _shown: dict[str, Callable]

    def __init__(self, *args, **kwargs):
        # One check, with its own message, for each kind of wrong argument.
        row, name = self._row, self._name
        names = tuple(row.parameters)
        if len(args) > len(names):
            raise TypeError(f"{name}() takes at most {len(names)} arguments, but got {len(args)}.")
        given = dict(zip(names, args, strict=False))
        for key, value in kwargs.items():
            if key not in row.parameters:
                raise TypeError(f"{name}() got an unexpected argument '{key}'. It takes: {', '.join(names) or 'none'}.")
            if key in given:
                raise TypeError(f"{name}() got the argument '{key}' twice.")
            given[key] = value
        values = {key: given.get(key, default) for key, default in row.parameters.items()}
        for key, value in values.items():
            if value is _REQUIRED:
                raise TypeError(f"{name}() misses the argument '{key}'.")
            types = self._types.get(key)
            if types and (not isinstance(value, types) or isinstance(value, bool) and bool not in types):
                wanted = ", ".join(t.__name__ for t in types)
                raise TypeError(f"For '{name}', the '{key}' must be one of {wanted}, but got {type(value).__name__}.")
        for key, check in self._values.items():
            check(name, key, values[key])
        if row.check is not None:
            row.check(*values.values())
        self.name = name
        self._tail = tuple(values.values())
        for key, shown in self._shown.items():
            values[key] = shown(values[key])
        self.attrs = values
        self.__dict__.update(values)

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        super().add_prim_attr(name, value)
        self._tail = tuple([self.attrs[key] for key in self._row.parameters])
        return self

    def __call__(self, *args, **kwargs) -> Any:
        if interception.watched and interception.sees():
            return self._seen(args, kwargs)
        if self._row.variadic:
            return self._row.fn(args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args, *self._tail)
        if kwargs or len(args) != self._count:
            args = self._complete(args, kwargs)
        return self._row.fn(*args, *self._tail)

    def _seen(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call that functions of the program see."""
        if not self._row.variadic:
            args = self._complete(args, kwargs)
        return interception.run(self.name, self, args, primitive=True)

    def _complete(self, args: tuple, kwargs: dict[str, Any]) -> tuple:
        inputs = [i if isinstance(i, tuple) else (i, _REQUIRED) for i in self._row.inputs]
        if len(args) > len(inputs):
            raise TypeError(f"{self.name}.__call__() takes {len(inputs)} arguments, but {len(args)} were given.")
        unknown = kwargs.keys() - {key for key, _ in inputs[len(args) :]}
        if unknown and scopes.compiling():  # as MindSpore's compiler, which binds arguments itself
            raise RuntimeError(f"{self.name}.__call__() got unexpected arguments {sorted(unknown)}.")
        out = list(args)
        for key, default in inputs[len(args) :]:
            value = kwargs.pop(key, default)
            if value is _REQUIRED:
                raise TypeError(f"{self.name}.__call__() misses the argument '{key}'.")
            out.append(value)
        if kwargs:
            raise TypeError(f"{self.name}.__call__() got unexpected arguments {sorted(kwargs)}.")
        return tuple(out)


class _CheckedPrimitive(_TablePrimitive):
    """A primitive whose inputs have a rule."""

    _inputs: rules.InputRule

    def __call__(self, *args, **kwargs) -> Any:
        if interception.watched and interception.sees():
            return self._seen(args, kwargs)
        if kwargs or len(args) != self._count:
            args, kwargs = self._complete(args, kwargs), {}
        self._inputs.check(self._name, args)
        return self._row.fn(*args, *self._tail)


class _SeededPrimitive(_TablePrimitive):
    """A primitive that may have a seed; with a seed, its draws form their own sequence."""

    drawn: Parameter | None = None  # how many draws; not made for a primitive whose seeds are 0

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._count_draws()

    def add_prim_attr(self, name: str, value: Any) -> Primitive:
        super().add_prim_attr(name, value)
        self._count_draws()
        return self

    def _count_draws(self) -> None:
        seeds = _SEEDS & self.attrs.keys()
        if self.drawn is None and (not seeds or any(self.attrs[name] for name in seeds)):
            self.drawn = Parameter(Tensor(np.zeros((), np.uint32)), name="drawn", requires_grad=False)

    def __call__(self, *args, **kwargs) -> Any:
        with counting(self):
            return super().__call__(*args, **kwargs)


_DOCUMENTATION = _Documentation()
_SEEDS = frozenset(("seed", "seed2", "Seed0", "Seed1"))


def _bases(row: Row, inputs: Any) -> tuple[type, ...]:
    base = _TablePrimitive if inputs is None else _CheckedPrimitive
    names = [i[0] if isinstance(i, tuple) else i for i in (*row.inputs, *row.parameters)]
    if _SEEDS.isdisjoint(names):
        return (base,)
    return (_SeededPrimitive,) if base is _TablePrimitive else (_SeededPrimitive, base)


def make_primitives(table: dict[str, Row], module: str) -> dict[str, type[Primitive]]:
    """The classes of a table."""
    out = {}
    for name, row in table.items():
        body: dict[str, Any] = {"_row": row, "_name": name, "_count": len(row.inputs)}
        body |= {"__module__": module, "__doc__": _DOCUMENTATION}
        body["_types"] = {**rules.PARAMETER_TYPES.get(name, {}), **row.types}
        body["_values"] = rules.PARAMETER_VALUES.get(name, {})
        body["_shown"] = rules.SHOWN.get(name, {})
        body["_inputs"] = rules.INPUTS.get(name)
        out[name] = type(name, _bases(row, body["_inputs"]), body)
    return out


def _arguments(text: str) -> list[tuple[str, tuple[type, ...], Any]]:
    """The arguments that a declaration writes between parentheses: (name, types, default)."""
    node = ast.parse(f"lambda {re.sub(_TYPED, '', text)}: 0", mode="eval").body
    arguments = cast("ast.Lambda", node).args
    required = len(arguments.args) - len(arguments.defaults)
    defaults = [_REQUIRED] * required + [ast.literal_eval(default) for default in arguments.defaults]
    types = {
        name: tuple([_TYPES[kind] for kind in kinds.split(" | ")]) for name, kinds in re.findall(_TYPED_NAME, text)
    }
    return [(a.arg, types.get(a.arg, ()), default) for a, default in zip(arguments.args, defaults, strict=True)]


@functools.cache
def declared_primitive(name: str) -> type[Primitive]:
    """The class of a primitive that an imported operation declares (`_core/faces.py`)."""
    fn, form = primitives[name]
    settings, _, inputs = form.removeprefix(f"{name}(").removesuffix(")").rpartition(")(")
    parameters = _arguments(settings)
    row = Row(
        fn,
        tuple([given if default is _REQUIRED else (given, default) for given, _, default in _arguments(inputs)]),
        {given: default for given, _, default in parameters},
        {given: types for given, types, _ in parameters if types},
    )
    return make_primitives({name: row}, "ms_compat.ops")[name]


@faces("ops ops.prim_arg_register")
def prim_attr_register(fn: Callable) -> Callable:
    """Decorator of a user primitive's `__init__`: its arguments become attributes."""
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def wrapped(self, *args, **kwargs):
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
        return fn(self, *args, **kwargs)

    return wrapped


prim_arg_register = prim_attr_register


@faces("ops ops._primexpr")
def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Mark a function as computed on the host while compiling; here every function of constants is.

    Args:
        fn: the function.
        get_instance, name, reuse_result, check: accepted; they concern MindSpore's compiler.
    """
    if fn is None:
        return constexpr
    return fn


_primexpr = constexpr
