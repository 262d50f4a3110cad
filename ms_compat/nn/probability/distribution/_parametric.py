"""A family of distributions as a table: its parameters, their rules, and the formulas, which become operations.

A subclass states `_family`; every formula of its table becomes the method that `Distribution` looks for (`log_prob` ->
`_log_prob`), which binds its arguments to the parameters' names. A formula is one operation, compiled on its own.
"""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import jax.numpy as jnp

from ms_compat._core.dispatch.op import Op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_type
from ms_compat._core.tensor import Tensor
from ms_compat.nn.probability import _parameters
from ms_compat.nn.probability._parameters import keep_parameter
from ms_compat.nn.probability.distribution import _formulas
from ms_compat.nn.probability.distribution._base import COUNTS, FLOATS, Distribution, check_dtype
from ms_compat.ops.function.random.draws import draw

_OF_VALUE = "prob log_prob cdf log_cdf survival_function log_survival".split()


class Family(NamedTuple):
    """What a family is made of."""

    name: str
    formulas: _formulas.Table
    rules: dict[str, Any]  # parameter -> its rule, or None
    shown: tuple[str, ...] = ()  # the parameters' names in the text of an instance; none if it shows nothing
    arguments: tuple[str, ...] = ()  # the parameters' names as arguments of a call, where those differ
    discrete: bool = False
    typed: tuple[str, ...] = ()  # quantities that have the type of the samples


def _bind(api: str, names: tuple[str, ...], args: tuple, kwargs: dict) -> list[Any]:
    """Arguments in the order of `names`, None where nothing came; a name may end in _a."""
    if len(args) > len(names):
        raise TypeError(f"For '{api}', at most {len(names)} arguments are taken {names}, but got {len(args)}.")
    found = list(args) + [None] * (len(names) - len(args))
    for key, value in kwargs.items():
        name = key if key in names else key.removesuffix("_a")
        if name not in names or found[names.index(name)] is not None:
            raise TypeError(f"For '{api}', got an unexpected keyword argument '{key}'; it takes {names}.")
        found[names.index(name)] = value
    return found


def _sample_shape(api: str, shape: Any) -> tuple[int, ...]:
    check_type(api, "shape", shape, tuple)
    for size in shape:
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"For '{api}', the 'shape' must hold ints, but got {shape}.")
        if size <= 0:
            raise ValueError(f"For '{api}', the 'shape' must hold positive ints, but got {shape}.")
    return shape


class Parametric(Distribution):
    """Base class of the families; see the module's docstring."""

    _family: Family
    _operations: dict[str, Any]
    _arguments: tuple[str, ...]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        family = cls.__dict__.get("_family")
        if family is None:
            return
        cls._arguments = family.arguments or tuple(family.rules)
        cls._operations = {}
        for quantity, formula in family.formulas.items():
            if quantity == "sample":
                cls._operations[quantity] = random_op(static=("shape",), name=f"{family.name}.sample")(formula)
                continue
            checked = quantity in _OF_VALUE and family.name != "Categorical"
            cls._operations[quantity] = Op(_prepared(formula, checked), (), f"{family.name}.{quantity}")
            if quantity in _OF_VALUE:
                make = _of_value
            else:
                make = _of_two if quantity == "kl_loss" else _of_parameters
            setattr(cls, "_" + quantity, make(quantity))
        if "kl_loss" in family.formulas:
            cls._cross_entropy = _cross_entropy  # type: ignore[attr-defined]
        if "sample" in family.formulas:
            cls._sample = _sample  # type: ignore[attr-defined]
            cls._get_dist_args = _get_dist_args  # type: ignore[attr-defined]
            cls._get_dist_type = lambda self: family.name  # type: ignore[attr-defined]

    def _start(self, seed: Any, dtype: Any, name: Any, **given: Any) -> None:
        """What every constructor does: check and keep the parameters, as attributes too."""
        family = self._family
        check_dtype(family.name, dtype, COUNTS if family.discrete else FLOATS)
        param = {**given, "seed": seed, "dtype": dtype, "name": name, "param_dict": given}
        Distribution.__init__(self, seed, dtype, name, param)
        self._take(given)

    def _take(self, given: dict[str, Any]) -> None:
        for key, value in given.items():
            made = self._add_parameter(value, key)
            if made is not None:
                _parameters.check(self._family.name, key, made, self._family.rules[key])
            keep_parameter(self, "_" + key + "_value", made)

    def _given(self, args: tuple, kwargs: dict) -> tuple[Tensor, ...]:
        found = self._check_param_type(*_bind(self._family.name, self._arguments, args, kwargs))
        return found if isinstance(found, tuple) else (found,)

    def _typed(self, quantity: str, value: Any) -> Any:
        return value.astype(self._dtype) if quantity in self._family.typed else value

    def extend_repr(self):
        """The parameters, or their shape if they are not scalars."""
        shown = self._family.shown
        if not shown:
            return ""
        if self._is_scalar_batch:
            return ", ".join(f"{label} = {value}" for label, value in zip(shown, self.default_parameters, strict=True))
        return f"batch_shape = {self._broadcast_shape}"


def _prepared(formula: Any, checked: bool) -> Any:
    """The formula under a signature without private defaults; if asked, it checks that its arguments broadcast."""
    parameters = [p for p in inspect.signature(formula).parameters.values() if not p.name.startswith("_")]

    def call(*args):
        if checked:
            jnp.broadcast_shapes(*[x.shape for x in args])  # ValueError, where an operation raises TypeError
        return formula(*args)

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call


def _of_value(quantity: str) -> Any:
    def method(self, value, *args, **kwargs):
        value = self._check_value(value, "value")
        if value.dtype is not self.parameter_type:
            value = value.astype(self.parameter_type)
        return self._operations[quantity](value, *self._given(args, kwargs))

    return method


def _of_parameters(quantity: str) -> Any:
    def method(self, *args, **kwargs):
        return self._typed(quantity, self._operations[quantity](*self._given(args, kwargs)))

    return method


def _of_two(quantity: str) -> Any:
    def method(self, dist, *args, **kwargs):
        return self._operations[quantity](*_two(self, dist, args, kwargs))

    return method


def _two(self: Any, dist: Any, args: tuple, kwargs: dict) -> tuple[Tensor, ...]:
    """The parameters of a, then of b, all in one shape."""
    family = self._family.name
    if dist != family:
        raise ValueError(f"For '{family}', the 'dist' must be '{family}', but got {dist!r}.")
    names = tuple(name + "_b" for name in self._arguments)
    other = {name: kwargs.pop(name) for name in names if name in kwargs}
    count = len(names) - len(other)
    theirs = _bind(family, names, args[:count] if not other else args[: max(count, 0)], other)
    for name, value in zip(names, theirs, strict=True):
        check_type(family, name, value, Tensor)
    theirs = [value.astype(self.parameter_type) for value in theirs]
    ours = self._given(args[count:], kwargs)
    if self._family.name == "Categorical" or len({p.shape for p in (*ours, *theirs)}) == 1:
        return (*ours, *theirs)
    return _parameters.broadcast_together((*ours, *theirs))


def _cross_entropy(self, dist, *args, **kwargs):
    names = tuple(name + "_b" for name in self._arguments)
    given = sum(name in kwargs for name in names)
    mine = {name: value for name, value in kwargs.items() if name not in names}
    return self._entropy(*args[len(names) - given :], **mine) + self._kl_loss(dist, *args, **kwargs)


def _get_dist_args(self, *args, **kwargs):
    found = []
    bound = _bind(self._family.name, self._arguments, args, kwargs)
    for name, value, default in zip(self.parameter_names, bound, self.default_parameters, strict=True):
        if value is None:
            value = default
        if value is None:
            raise TypeError(f"For '{self._name}', the '{name}' must be a Tensor; it was not given to the constructor.")
        found.append(self._check_value(value, name))
    return tuple(found)


def _sample(self, shape=(), *args, **kwargs):
    shape = _sample_shape(self._family.name, shape)
    params = self._given(args, kwargs)
    full = shape + params[0].shape[: -1 if self._family.name == "Categorical" else None]
    out = draw(self._operations["sample"], self._family.name, self._seed, full, *params)
    return out if out.dtype is self._dtype else out.astype(self._dtype)
