"""The common part of the `mint` and `experimental` optimizers: Parameter groups with their own settings.

`param_groups` is a list of dicts, as in PyTorch, and is read at every call: a scheduler or the user may replace a
group's learning rate (a Parameter, or a number) or another setting. The update of a group is one compiled function of
the gradients, Parameters and state; the learning rate and the step are dynamic, other settings are constants of it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core import errors
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import scopes, write_barrier
from ms_compat._optim.transform import NO_PARAMETERS, adjusted, check_gradient, check_gradients, each
from ms_compat.nn.cell import Cell


def _value(x: Any) -> Any:
    """The array of a number or a Tensor; a Parameter read in a compiled function becomes an input of it."""
    if isinstance(x, Parameter):
        scope = scopes.current_scope()
        if scope is not None:
            scope.note_read(x)
    return x._v.reshape(()) if isinstance(x, Tensor) else jnp.asarray(x, jnp.float32)


def check_number(api: str, name: str, value: Any, least: float = 0.0) -> Any:
    """A float or int that is at least `least`."""
    errors.check_number(api, name, value)
    if value < least:
        raise ValueError(f"For '{api}', the '{name}' must be at least {least}, but got {value}.")
    return value


@faces("experimental.optim")
class Optimizer(Cell):
    """Base of the `mint` and `experimental` optimizers, and of users' own, which define `construct`.

    Args:
        params: Parameters, or dicts with "params" and their own settings.
        defaults: the settings of groups that give none; "lr" among them.

    Raises:
        TypeError: something that is not a Parameter.
        ValueError: no Parameters, or one that occurs twice.
    """

    _state_names: tuple[str, ...] = ()  # members like the Parameters, part of a checkpoint
    _inner_names: tuple[str, ...] = ()  # scalars for each Parameter that are not members
    _gradient_dtypes = "narrower"  # see `check_gradient`
    _step_name = ""  # the counter of steps; "" for none
    _step_first = False  # whether the counter comes before the other members
    _step_form: tuple[tuple[int, ...], Any] = ((), mstype.int32)  # shape and dtype of the counter, for checkpoints

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        api = type(self).__name__
        if isinstance(params, (Parameter, str, dict)) or not isinstance(params, Iterable):
            raise type_error(api, "params", "an iterable of Parameters or dicts", params)
        items = list(params)
        if not items:
            raise ValueError(f"For '{api}', the 'params' must not be empty. {NO_PARAMETERS}")
        groups = items if isinstance(items[0], dict) else [{"params": items}]
        object.__setattr__(self, "defaults", dict(defaults))
        object.__setattr__(self, "param_groups", [])
        object.__setattr__(self, "group_start_id", [0])
        for group in groups:
            self._append(group)
        self._finish()

    def _append(self, group: dict) -> None:
        api = type(self).__name__
        if not isinstance(group, dict) or "params" not in group:
            kind = KeyError if isinstance(group, dict) else TypeError
            raise kind(f"For '{api}', a group must be a dict with 'params', but got {group!r:.80}.")
        found = group["params"]
        found = [found] if isinstance(found, Parameter) else list(found)
        if not found:
            raise ValueError(f"For '{api}', a group of 'params' must not be empty. {NO_PARAMETERS}")
        for p in found:
            check_type(api, "params", p, Parameter)
        known = {id(p) for other in self.param_groups for p in other["params"]}
        if len({id(p) for p in found} - known) != len(found):
            raise ValueError(f"For '{api}', a Parameter must stand in one group, once.")
        full: dict[str, Any] = {"params": found}
        full.update({name: group.get(name, value) for name, value in self.defaults.items()})
        full.update({name: value for name, value in group.items() if name not in full})
        full.setdefault("weight_decay", 0.0)
        rate = full["lr"]
        if not isinstance(rate, Tensor):
            check_number(api, "lr", rate)
        elif rate.size != 1:
            raise ValueError(f"For '{api}', the 'lr' must be one number, but got {rate.size}.")
        name = f"learning_rate_group_{len(self.param_groups)}"
        full["lr"] = Parameter(Tensor(rate, mstype.float32), name=name)
        self._check_group(full)
        self.param_groups.append(full)
        self.group_start_id.append(self.group_start_id[-1] + len(found))

    def _check_group(self, group: dict) -> None:
        """Checks the settings of one group; overridden."""

    def _finish(self) -> None:
        names = [p.name for group in self.param_groups for p in group["params"]]
        if len(set(names)) != len(names):
            raise ValueError(f"For '{type(self).__name__}', the names of 'params' must differ, but got {names}.")
        self.parameters = ParameterTuple([p for group in self.param_groups for p in group["params"]])
        if self._step_first:
            self._make_counter()
        for name in self._state_names:
            setattr(self, name, self.parameters.clone(prefix=name, init="zeros"))
            self._fill(name)
        for name in self._inner_names:
            made = [Parameter(Tensor(0.0, mstype.float32), name=f"{name}.{p.name}") for p in self.parameters]
            object.__setattr__(self, name, made)
            self._fill(name)
        if not self._step_first:
            self._make_counter()

    def _make_counter(self) -> None:
        if self._step_name:
            shape, dtype = self._step_form
            zero = Tensor(jnp.zeros(shape, dtype.np_dtype))
            counter = Parameter(zero, name=self._step_name, requires_grad=False)
            setattr(self, self._step_name, counter)

    def _fill(self, name: str) -> None:
        """Give a new part of the state the values that `_start` says."""
        at = 0
        for group in self.param_groups:
            start = self._start(name, group)
            for p in list(getattr(self, name))[at : at + len(group["params"])]:
                if start:
                    p.set_data(Tensor(jnp.full_like(p._v, start)))
            at += len(group["params"])

    def _start(self, name: str, group: dict) -> float:
        """The value that a part of the state starts from; overridden where it is not zero."""
        return 0.0

    def add_param_group(self, param_group):
        """Add a dict of "params" and their settings; all state starts over."""
        self._append(param_group)
        self._finish()

    @property
    def lrs(self) -> list:
        """The learning rate of each group."""
        return [group["lr"] for group in self.param_groups]

    @property
    def state(self) -> dict[str, Any]:
        """The optimizer's own Parameters by name."""
        return {p.name: p for p in self.get_parameters() if all(p is not q for q in self.parameters)}

    def _update(self, group: dict) -> Any:
        """The compiled update for a group's settings; overridden."""
        raise NotImplementedError(f"'{type(self).__name__}' must define construct(self, gradients).")

    def _taken(self, group: dict) -> str:
        """Which dtypes of gradients a group takes, see `check_gradient`."""
        return self._gradient_dtypes

    def construct(self, gradients):
        gradients = tuple(gradients)
        api = type(self).__name__
        check_gradients(api, gradients, self.parameters, shape=RuntimeError)
        taken = [self._taken(group) for group in self.param_groups for _ in group["params"]]
        for g, p, kind in zip(gradients, self.parameters, taken, strict=True):
            check_gradient(api, p.name, g._v, p._v, kind)
        step = jnp.asarray(1, jnp.int32)
        if self._step_name:
            counter = getattr(self, self._step_name)
            step = _value(counter).astype(jnp.int32) + 1
            write_barrier.assign(counter, step.astype(counter._v.dtype).reshape(counter.shape))
        at = 0
        for group in self.param_groups:
            to = at + len(group["params"])
            fields = [list(getattr(self, name))[at:to] for name in (*self._state_names, *self._inner_names)]
            values = [[_value_of(p) for p in field] for field in fields]
            params = [_value_of(p) for p in group["params"]]
            grads = [g._v for g in gradients[at:to]]
            new, kept = self._update(group)(grads, values, params, _value(group["lr"]), step)
            for p, v in zip(group["params"], new, strict=True):
                write_barrier.assign(p, v)
            for field, many in zip(fields, kept, strict=True):
                for p, v in zip(field, many, strict=True):
                    write_barrier.assign(p, v)
            at = to
        return True

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
            for key in sorted(group):
                if key != "params":
                    value = group[key]
                    lines.append(f"    {key}: {(value.asnumpy() if isinstance(value, Tensor) else value)!s}")
        return "\n".join([*lines, ")"])


def _value_of(p: Parameter) -> Any:
    scope = scopes.current_scope()
    if scope is not None:
        scope.note_read(p)
    return p._v


@functools.lru_cache(maxsize=256)
def compiled(factory: Any, maximize: bool, weight_decay: float, decoupled: float, *settings: Any) -> Any:
    """One compiled update for a rule and its settings: new values for the Parameters and the state."""
    rule = adjusted(factory(*settings), weight_decay, maximize)

    def run(grads, values, params, learning_rate, step):
        decays = [decoupled] * len(grads) if decoupled else None
        rates = [learning_rate] * len(grads)
        steps, kept = each(rule, grads, params, rates, step.astype(jnp.float32), values, decays)
        return [(p + s).astype(p.dtype) for p, s in zip(params, steps, strict=True)], kept

    jitted = jax.jit(run)

    def call(grads, values, params, learning_rate, step):
        traced = any(isinstance(v, Tracer) for v in (*grads, *params, learning_rate, step))
        return (run if traced else jitted)(grads, values, params, learning_rate, step)

    return call


class RuleOptimizer(Optimizer):
    """An optimizer whose update is a rule of `ms_compat._optim`."""

    _rule: Any = None
    _decay_joins = True  # whether a gradient must have the Parameter's dtype where a decay joins it
    _settings: Any  # a method: the arguments of the rule's maker for a group

    def _decays(self, group: dict) -> tuple[float, float]:
        """The decay that joins the gradient, and the decoupled one."""
        return group["weight_decay"], 0.0

    def _taken(self, group):
        return "same" if self._decay_joins and self._decays(group)[0] else self._gradient_dtypes

    def _update(self, group):
        maximize = bool(group.get("maximize", False))
        return compiled(type(self)._rule, maximize, *self._decays(group), *self._settings(group))
