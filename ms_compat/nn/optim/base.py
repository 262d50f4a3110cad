"""`Optimizer`: parameter groups, learning rates, weight decay, and one compiled update of all parameters.

A built-in optimizer names a rule of `ms_compat._optim`, made an optax transformation, and the Parameters that hold its
state; the base class runs them. Outside a compiled step the update is a separate compiled function (in both modes):
parameters and state are donated, learning rate and step are dynamic, so changes do not recompile it. Inside one it is
inlined.

A user's optimizer that derives from this class and writes `construct` in MindSpore operations works as in MindSpore.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._compile.function import CompiledFunction
from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.settings.parallel_context import get_ps_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import scopes, write_barrier
from ms_compat._optim.transform import check_gradient, check_gradients, is_of, not_a_tuple
from ms_compat.nn.cell import Cell
from ms_compat.nn.container import CellList
from ms_compat.nn.learning_rate_schedule import LearningRateSchedule
from ms_compat.nn.optim import rebuilding, rows
from ms_compat.nn.optim.groups import check_learning_rate, check_weight_decay, split_groups
from ms_compat.ops.function.indexing.bounds import look

logger = logging.getLogger("ms_compat")


class _IteratorLearningRate(LearningRateSchedule):
    """A learning rate per step from a list, kept as a Parameter, in the shape of the step.

    Steps beyond the list raise RuntimeError, see `bounds`; on an accelerator their rate is NaN.
    """

    def __init__(self, values: Any, name: str):
        super().__init__()
        self.learning_rate = Parameter(Tensor(np.asarray(values, np.float32)), name=name)
        self._length = len(values)
        if not self._length:
            raise RuntimeError("For 'Optimizer', the list of learning rates is empty.")

    def _check(self, step):
        if step.size and not -self._length <= step.max() < self._length:
            raise RuntimeError(
                f"For 'Optimizer', the list of learning rates has {self._length} values, but this is step "
                f"{step.max() + 1}. Make the list as long as the training."
            )

    def construct(self, global_step):
        check_type("Optimizer", "global_step", global_step, Tensor)
        if global_step.dtype not in (mstype.int32, mstype.int64):
            raise type_error("Optimizer", "global_step", "a Tensor of Int32 or Int64", global_step)
        look(global_step, self._length, self._check)
        return wrap(jnp.take(self.learning_rate._v, global_step._v, mode="fill"))


class _ConstantLearningRate(LearningRateSchedule):
    """One learning rate, as a schedule among the schedules of other groups."""

    def __init__(self, rate: Parameter):
        super().__init__()
        self.learning_rate = rate

    def construct(self, global_step):
        return wrap(self.learning_rate._v)


class _Replaceable:
    """A property that an instance may set: MindSpore keeps plain attributes, which optimizers of others assign."""

    def __init__(self, value_of: Callable):
        self.value_of = value_of
        self.__doc__ = value_of.__doc__

    def __get__(self, optimizer: Any, owner: type) -> Any:
        return self if optimizer is None else self.value_of(optimizer)


@faces("nn nn.optim")
class Optimizer(Cell):
    """Base class of all optimizers.

    Args:
        learning_rate: a number, a Tensor (0-d: constant; 1-d: one value per step), an iterable of numbers (one per
            step) or a `LearningRateSchedule`.
        parameters: a list of Parameters with different names, or of dicts with "params" and any of "lr",
            "weight_decay", "grad_centralization", and "order_params".
        weight_decay: a number, or a Cell of the step.
        loss_scale: gradients are divided by it.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: no parameters, equal names, a negative weight decay, or a loss scale that is not positive.

    >>> from ms_compat import nn
    >>> net = nn.Dense(2, 3)
    >>> groups = [{"params": [net.weight], "lr": 0.25}, {"params": [net.bias], "weight_decay": 0.0}]
    >>> optimizer = nn.Momentum(groups, learning_rate=0.5, momentum=0.9)
    >>> [float(optimizer.get_lr_parameter(p).asnumpy()) for p in (net.weight, net.bias)]
    [0.25, 0.5]
    """

    def __new__(cls, /, *args: Any, **kwargs: Any):
        made = super().__new__(cls, *args, **kwargs)
        rebuilding.note(made, args, kwargs)
        return made

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        if isinstance(loss_scale, int) and not isinstance(loss_scale, bool):
            loss_scale = float(loss_scale)
        if not isinstance(loss_scale, float):
            raise TypeError(f"For 'Optimizer', 'loss_scale' must be a number, but got {type(loss_scale).__name__}.")
        check_above("Optimizer", "loss_scale", loss_scale, 0)
        groups = split_groups(parameters, type(self).__name__)
        self.is_group = groups.grouped
        self.is_group_lr = groups.has_learning_rates
        self.is_group_params_ordered = groups.ordered
        self.loss_scale = loss_scale
        self.need_scale = loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / loss_scale, mstype.float32)
        self.global_step = Parameter(Tensor(np.zeros(1, np.int32)), name="global_step")
        self.global_step_increase_tensor = Tensor([1], mstype.int32)
        self.grad_centralization = False
        self.grad_centralization_flags = tuple(groups.grad_centralization)
        self.decay_flags = groups.decay_flags(weight_decay)
        self._set_learning_rates(groups, learning_rate)
        self._set_weight_decays(groups, weight_decay)
        self.parameters = ParameterTuple(groups.parameters)
        self.param_length = len(self.parameters)
        self._params_list = list(self.parameters)
        self._unique = True
        self._target = "CPU"
        self._update: Any = None  # a CompiledFunction from the first call on

    # -- what it was made with --------------------------------------------------------------------------------------
    @_Replaceable
    def init_args(self) -> dict[str, Any]:
        """The constructor's arguments besides the Parameters and the learning rate, defaults included."""
        left_out = ("params", "learning_rate", "optimizer")
        return {k: v for k, v in rebuilding.arguments(self).items() if k not in left_out}

    @_Replaceable
    def init_params(self) -> dict[str, Any]:
        """The constructor's Parameters or groups of them, as a dict with the key "params"."""
        given = rebuilding.arguments(self).get("params")
        return {"params": given if isinstance(given, (list, tuple)) else list(self.parameters)}

    @_Replaceable
    def init_learning_rate(self) -> Any:
        """The constructor's learning rate as a float or a list of floats; None for a schedule."""
        rate = rebuilding.arguments(self)["learning_rate"]
        if isinstance(rate, LearningRateSchedule):
            return None
        if isinstance(rate, (Tensor, np.ndarray)):
            return np.asarray(rate.asnumpy() if isinstance(rate, Tensor) else rate).tolist()
        return rate

    # -- learning rate and weight decay --------------------------------------------------------------------------
    def _set_learning_rates(self, groups, learning_rate) -> None:
        self.dynamic_lr = False
        made: dict[int, Any] = {}
        lengths: dict[str, int] = {}

        def rate(value, name):
            value = check_learning_rate(value, type(self).__name__)
            if isinstance(value, LearningRateSchedule):
                self.dynamic_lr = True
                return value
            if isinstance(value, np.ndarray):
                self.dynamic_lr = True
                if len(value) != lengths.setdefault("first", len(value)):
                    raise ValueError(
                        f"For '{type(self).__name__}', the lists of learning rates must have one length, but got "
                        f"{lengths['first']} and {len(value)}."
                    )
                return _IteratorLearningRate(value, name)
            return Parameter(Tensor(float(value), mstype.float32), name=name)

        if not groups.has_learning_rates:
            self.learning_rate = rate(learning_rate, "learning_rate")
            return
        check_learning_rate(learning_rate, type(self).__name__)  # also where each group has its own
        self._group_rates: list[Any] = []
        rates = []
        for number, value in groups.learning_rates:
            key = -1 if value is None else number  # one for all groups without their own
            if key not in made and value is None:
                made[key] = rate(learning_rate, "learning_rate")
            elif key not in made:
                made[key] = rate(value, f"learning_rate_group_{number}")
            rates.append(made[key])
        self._insert_rates(rates)

    def _insert_rates(self, rates: list[Any]) -> None:
        """Make one rate for each Parameter members of this Cell; a Cell among them makes Cells of all."""
        if any(isinstance(r, Cell) for r in rates):
            cells = {id(r): r if isinstance(r, Cell) else _ConstantLearningRate(r) for r in rates}
            rates = [cells[id(r)] for r in rates]
        distinct = list({id(r): r for r in rates}.values())
        for number, r in enumerate(distinct):
            if isinstance(r, Parameter):
                self.insert_param_to_cell(r.name, r)
            else:
                self.insert_child_to_cell(f"learning_rate_{number}", r)
        constant = all(isinstance(r, Parameter) for r in rates)
        held = ParameterTuple(rates) if constant else CellList(rates, auto_prefix=False)
        object.__setattr__(self, "learning_rate", held)

    def _set_weight_decays(self, groups, weight_decay) -> None:
        self.dynamic_weight_decay = False

        def decay(value):
            value = check_weight_decay(value, type(self).__name__)
            if isinstance(value, Cell):
                self.dynamic_weight_decay = True
                return value
            return value * self.loss_scale

        if groups.has_weight_decays:
            values: Any = [decay(weight_decay if v is None else v) for v in groups.weight_decays]
            values = tuple(v if isinstance(v, Cell) else Tensor(v, mstype.float32) for v in values)
        else:
            values = decay(weight_decay)
            values = values if isinstance(values, Cell) else Tensor(values, mstype.float32)
        if isinstance(values, Cell):
            values.update_parameters_name("weight_decay.")
            self.insert_child_to_cell("weight_decay", values)
        else:
            object.__setattr__(self, "weight_decay", values)
        self.exec_weight_decay = isinstance(values, (tuple, Cell)) or weight_decay > 0

    def _rate_value(self, rate: Any) -> Tensor:
        return wrap(rate(self.global_step)._v.reshape(())) if isinstance(rate, Cell) else rate

    def get_lr(self) -> Any:
        """The learning rate of the current step: a Tensor, or a tuple with one per parameter for grouped rates.

        The step counter is advanced by the update, not by this.

        >>> from ms_compat import nn
        >>> print(nn.SGD(nn.Dense(2, 3).trainable_params(), 0.5).get_lr())
        Parameter (name=learning_rate, shape=(), dtype=Float32, requires_grad=True)
        """
        if self.is_group_lr:
            values = {id(r): self._rate_value(r) for r in self.learning_rate}
            found = [values[id(r)] for r in self.learning_rate]
            return ParameterTuple(found) if all(isinstance(r, Parameter) for r in found) else tuple(found)
        rate = self.learning_rate
        return self._rate_value(rate)

    def get_weight_decay(self) -> Any:
        """The weight decay of the current step: a number or Tensor, or one per parameter for grouped values.

        >>> from ms_compat import nn
        >>> print(nn.SGD(nn.Dense(2, 3).trainable_params(), weight_decay=0.5).get_weight_decay())
        0.5
        """
        decay = self.weight_decay
        if isinstance(decay, tuple):
            return tuple([self._decay_of_step(d) for d in decay])
        return self._decay_of_step(decay)

    def _decay_of_step(self, decay: Any) -> Any:
        """A number or Tensor as it is, with the loss scale in it already, and what a Cell gives, times the scale."""
        if not isinstance(decay, Cell):
            return decay
        value = decay(self.global_step)
        return value * self.loss_scale if self.need_scale else value

    def get_lr_parameter(self, param: Any) -> Any:
        """The rate (a Parameter, also for a list of rates, or a schedule) of a Parameter, or of each in a list.

        >>> from ms_compat import nn
        >>> net = nn.Dense(2, 3)
        >>> optimizer = nn.SGD(net.trainable_params(), 0.5)
        >>> print(optimizer.get_lr_parameter(net.weight).asnumpy())
        0.5
        """
        single = isinstance(param, Parameter)
        if not single and not isinstance(param, list):
            raise TypeError(
                f"For 'get_lr_parameter', 'param' must be a Parameter or a list, but got {type(param).__name__}."
            )
        found = []
        for wanted in [param] if single else param:
            if not isinstance(wanted, Parameter):
                raise TypeError(
                    f"For 'get_lr_parameter', each item must be a Parameter, but got {type(wanted).__name__}."
                )
            at = [i for i, p in enumerate(self.parameters) if p.name == wanted.name]
            if not at:
                raise ValueError(f"For 'get_lr_parameter', the optimizer has no parameter named '{wanted.name}'.")
            rate = self.learning_rate[at[0]] if self.is_group_lr else self.learning_rate
            held = isinstance(rate, (_IteratorLearningRate, _ConstantLearningRate))
            found.append(rate.learning_rate if held else rate)
        return found[0] if single else found

    # -- the steps of an update, for users' optimizers ---------------------------------------------------------------
    def _is_dynamic_lr_or_weight_decay(self) -> bool:
        """Whether the learning rate or the weight decay changes with the steps."""
        return self.dynamic_lr or self.dynamic_weight_decay

    def _set_base_target(self, value: str) -> None:
        Optimizer.target.fset(self, value)  # type: ignore[attr-defined]

    def _grad_sparse_indices_deduplicate(self, gradients):
        """Gradients; repeated rows of a sparse one are added up in any case."""
        return gradients

    def flatten_gradients(self, gradients):
        """Gradients as one tuple; MindSpore joins them per memory chunk, which XLA does by itself.

        >>> from ms_compat import Parameter, Tensor, nn
        >>> optimizer = nn.SGD([Parameter(Tensor([2.0]), name="w")])
        >>> print(optimizer.flatten_gradients((Tensor([4.0]),))[0])
        [4.]
        """
        return tuple(gradients)

    def scale_grad(self, gradients):
        """Gradients divided by the loss scale.

        >>> from ms_compat import Tensor, nn
        >>> optimizer = nn.SGD(nn.Dense(2, 3, has_bias=False).trainable_params(), loss_scale=2.0)
        >>> print(optimizer.scale_grad((Tensor([4.0]),))[0])
        [2.]
        """
        if not self.need_scale:
            return gradients
        scale = 1.0 / self.loss_scale
        return tuple([wrap(g._v * jnp.asarray(scale, g._v.dtype)) for g in gradients])

    def decay_weight(self, gradients):
        """Gradients plus weight decay times parameter, where the parameter is decayed.

        >>> from ms_compat import Parameter, Tensor, nn
        >>> optimizer = nn.SGD([Parameter(Tensor([2.0]), name="w")], weight_decay=0.5)
        >>> print(optimizer.decay_weight((Tensor([4.0]),))[0])
        [5.]
        """
        if not self.exec_weight_decay:
            return gradients
        out = []
        decays = self._decay_values()
        for g, p, decay in zip(gradients, self.parameters, decays, strict=True):
            if decay is not None:
                check_gradient(type(self).__name__, p.name, g._v, p._v, "same")
                g = wrap(g._v + p._v * decay.astype(p._v.dtype))
            out.append(g)
        return tuple(out)

    def _decay_values(self) -> list[Any]:
        """The decay of each parameter as an array, or None where it is not decayed."""
        decay = self.get_weight_decay()
        values = decay if isinstance(decay, tuple) else (decay,) * self.param_length
        arrays = [jnp.asarray(v._v if isinstance(v, Tensor) else v, jnp.float32).reshape(()) for v in values]
        return [a if flag else None for a, flag in zip(arrays, self.decay_flags, strict=True)]

    def gradients_centralization(self, gradients):
        """Gradients of 3 dimensions or more less their mean over all but the first, for the groups that enable it.

        >>> from ms_compat import Parameter, Tensor, nn
        >>> optimizer = nn.SGD([Parameter(Tensor([2.0]), name="w")])
        >>> print(optimizer.gradients_centralization((Tensor([4.0]),))[0])
        [4.]
        """
        flags = self.grad_centralization_flags if self.is_group else (self.grad_centralization,) * self.param_length
        if not any(flags):
            return gradients
        out = []
        for g, flag in zip(gradients, flags, strict=True):
            if flag and g.ndim > 2:  # as measured: matrices are left as they are
                g = wrap(g._v - g._v.mean(tuple(range(1, g.ndim)), keepdims=True))
            out.append(g)
        return tuple(out)

    def broadcast_params(self, optim_result):
        """In MindSpore's data-parallel optimizer the other ranks' parameters; JAX's arrays are global already."""
        return optim_result

    @property
    def target(self) -> str:
        """Where MindSpore would run the update."""
        return self._target

    @target.setter
    def target(self, value: str) -> None:
        check_type("Optimizer", "target", value, str)
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(f"For 'Optimizer', 'target' must be 'CPU', 'Ascend' or 'GPU', but got {value!r}.")
        logger.debug("Optimizer.target=%s: the update runs where the parameters are", value)
        self._target = value

    @property
    def unique(self) -> bool:
        """Whether MindSpore adds up repeated rows of a sparse gradient; here they always are."""
        return self._unique

    @unique.setter
    def unique(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(f"For 'Optimizer', the property 'unique' must be bool, but got {type(value)}.")
        logger.debug("Optimizer.unique=%s: rows of one index are added up in any case", value)
        self._unique = value

    # -- the built-in update -----------------------------------------------------------------------------------------
    _transform: Any = None

    _state_names: tuple[str, ...] = ()

    def _fields(self) -> list[Any]:
        """The Parameters of the transformation's state: per field a Parameter, or a list of them."""
        return [getattr(self, name) for name in self._state_names]

    def _extra(self) -> dict[str, Any]:
        """Settings of the transformation's rule that change from step to step."""
        return {}

    _gradient_dtypes = "narrower"  # see `check_gradient`; gradients that a decay joins must have the Parameter's
    _missing_error: type[Exception] = TypeError  # as MindSpore's operation has it for None
    _shape_error: type[Exception] = ValueError
    _decoupled_decay = False
    _centralizes = True
    _returns_one = False
    _by_rows = False  # with a RowTensor as gradient other rows keep their state, too

    def _adjusted(self, gradients: tuple, touched: list[Any] | None) -> tuple:
        """The gradients as the transformation takes them; `touched` are the rows of RowTensors, see `rows.dense`."""
        if not self._decoupled_decay:
            gradients = self.decay_weight(gradients)
        if touched is not None:
            gradients = rows.without_others(gradients, touched)
        if self._centralizes:
            gradients = self.gradients_centralization(gradients)
        return self.scale_grad(gradients)

    def construct(self, *hyper_params):
        if type(self) is Optimizer:
            raise NotImplementedError("'Optimizer' is a base class: use one of its subclasses, such as 'nn.SGD'.")
        [gradients] = hyper_params
        gradients = tuple(gradients)
        gradients, touched = rows.dense(gradients)
        check_gradients(type(self).__name__, gradients, self.parameters, self._missing_error, self._shape_error)
        for g, p in zip(gradients, self.parameters, strict=True):
            check_gradient(type(self).__name__, p.name, g._v, p._v, self._gradient_dtypes)
        extra = self._extra()
        if self._decoupled_decay:
            extra["weight_decay"] = self._decay_values() if self.exec_weight_decay else [None] * self.param_length
        gradients = self._adjusted(gradients, touched)
        rates = self.get_lr()
        rates = rates if isinstance(rates, tuple) else (rates,) * self.param_length
        write_barrier.assign(self.global_step, self.global_step._v + 1)
        step = self.global_step._v.reshape(()).astype(jnp.float32)
        fields = self._fields()
        values = [[p._v for p in f] if isinstance(f, (list, tuple)) else f._v for f in fields]
        params = [p._v for p in self.parameters]
        steps, new_state = self._transform.update(
            [g._v for g in gradients],
            tuple(values),
            params,
            learning_rate=[r._v.reshape(()) for r in rates],
            step=step,
            **extra,
        )
        untouched = touched if self._by_rows and touched is not None else [None] * self.param_length
        for p, step, at in zip(self.parameters, steps, untouched, strict=True):
            write_barrier.assign(p, rows.kept((p._v + step).astype(p._v.dtype), p._v, at))
        for field, new in zip(fields, new_state, strict=True):
            if isinstance(field, (list, tuple)):
                for p, value, at in zip(field, new, untouched[: len(field)], strict=True):
                    write_barrier.assign(p, rows.kept(value.astype(p._v.dtype), p._v, at))
            else:
                write_barrier.assign(field, new.astype(field._v.dtype))
        return True if self._returns_one else tuple([True] * self.param_length)

    def __call__(self, *args, **kwargs):
        if get_ps_context("enable_ps"):
            from ms_compat.communication.server import averaged  # most programs need no processes

            if args:
                args = (averaged(self._params_list, args[0]), *args[1:])
            elif "gradients" in kwargs:
                kwargs["gradients"] = averaged(self._params_list, kwargs["gradients"])
        if self._transform is None or (scopes.tracing and scopes.current_scope() is not None):
            return super().__call__(*args, **kwargs)
        if self._update is None:
            update = CompiledFunction(self.construct, self, type(self).__name__)
            update.takes_whole = True
            object.__setattr__(self, "_update", update)
        if not args and "gradients" not in kwargs:
            raise TypeError(f"For '{type(self).__name__}', the argument 'gradients' is missing.")
        gradients = args[0] if args else kwargs["gradients"]
        if isinstance(gradients, Tensor) and not is_of(gradients, self.parameters):
            raise not_a_tuple(type(self).__name__, gradients, self.param_length)
        if isinstance(gradients, Iterable) and not isinstance(gradients, tuple):
            gradients = tuple(gradients)
        return self._update(gradients)
