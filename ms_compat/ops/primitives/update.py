"""Primitives that make one step of an optimizer on one Parameter: a table over `function/update/steps.py`.

Each call writes the new values into its states (Parameters or Tensors) and returns them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_shape
from ms_compat._core.dispatch.op import Op
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._optim.transform import check_gradient
from ms_compat.ops.function.update import steps
from ms_compat.ops.function.update.results import without_gradient, written_without_gradient
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


class Update(NamedTuple):
    """One primitive.

    Args:
        rule: the formula.
        states: the arguments that are written; the first decides shape and dtype.
        parameters: `{name: default}` of the constructor, without `use_locking`.
        gradient: the argument that must have the first state's shape.
        returns: how many of the rule's results the call returns, from `first` on; None for all.
        sparse: 'rows' changes only the rows of the argument `indices`; 'all' sees zeros in the gradient's other rows.
        order: the constructor's parameters if `use_locking` is not the last of them.
        inputs: the call's arguments, if the rule's, and `indices` after them, are not.
        taken: which dtypes of gradients are taken, see `check_gradient`.
    """

    rule: Callable
    states: tuple[str, ...]
    parameters: dict[str, Any] = {}
    gradient: str = "grad"
    returns: int | None = None
    sparse: str | None = None
    order: tuple[str, ...] | None = None
    inputs: tuple[str, ...] | None = None
    taken: str = "narrower"


def _check(name: str, update: Update, values: dict[str, Any], indices: Any) -> None:
    first, grad = values[update.states[0]], values[update.gradient]
    for state in update.states:
        check_shape(name, state, values[state], first.shape)
    expected = (*indices.shape[:1], *first.shape[1:]) if update.sparse else first.shape
    check_shape(name, update.gradient, grad, expected)
    if not jnp.issubdtype(first.dtype, jnp.floating):
        raise TypeError(f"For '{name}', the dtype of '{update.states[0]}' must be a float, but got {first.dtype}.")
    check_gradient(name, update.states[0], grad, first, "narrower" if grad.dtype == np.float64 else update.taken)
    if update.sparse and (indices.ndim != 1 or not jnp.issubdtype(indices.dtype, jnp.integer)):
        raise TypeError(f"For '{name}', the 'indices' must be a 1-d Tensor of ints.")


def _make_op(name: str, update: Update) -> tuple[Op, tuple[str, ...]]:
    names = tuple(inspect.signature(update.rule).parameters)
    inputs = update.inputs or tuple(n for n in names if n not in update.parameters)
    dynamic = (*inputs, "indices") if update.sparse and "indices" not in inputs else inputs
    inputs = tuple(n for n in dynamic if n != "indices")

    def compute(*args):
        values = dict(zip((*dynamic, *update.parameters), args, strict=True))
        indices = values.pop("indices", None)
        first, grad = values[update.states[0]], values[update.gradient]
        _check(name, update, values, indices)
        kind = jnp.promote_types(first.dtype, jnp.float32)
        work: dict[str, Any] = {}
        for key in inputs:
            value = jnp.asarray(values[key], kind)
            scalar = key not in update.states and key != update.gradient and value.size == 1 and value.ndim == 1
            work[key] = value.reshape(()) if scalar else value
        for key in update.parameters:
            work[key] = values[key]
        touched: Any = None
        if update.sparse:
            work[update.gradient] = jnp.zeros(first.shape, kind).at[indices].add(work[update.gradient])
            touched = jnp.zeros(first.shape[:1], bool).at[indices].set(True)
            touched = touched.reshape(-1, *[1] * (first.ndim - 1))
        out = update.rule(*[work[key] for key in names])
        if update.sparse == "rows":
            out = [jnp.where(touched, o, work[s]) for o, s in zip(out, update.states, strict=True)]
        kinds = [values[s].dtype for s in update.states] + [grad.dtype] * (len(out) - len(update.states))
        return tuple([o.astype(k) for o, k in zip(out, kinds, strict=True)])

    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in (*dynamic, *update.parameters)]
    compute.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    compute.__doc__ = update.rule.__doc__
    return Op(compute, tuple(update.parameters), name), dynamic


def _face(name: str, update: Update) -> Row:
    operation, inputs = _make_op(name, update)
    positions = [inputs.index(s) for s in update.states]
    order = update.order or (*update.parameters, "use_locking")
    picked = [order.index(key) for key in update.parameters]
    count = len(inputs)

    def call(*args):
        given, constructor = args[:count], args[count:]
        for i in positions:
            if not isinstance(given[i], Tensor):
                raise TypeError(
                    f"For '{name}', the '{inputs[i]}' must be a Parameter or Tensor, but got {type(given[i]).__name__}."
                )
        out = operation(*given, *[constructor[i] for i in picked])
        states = [written_without_gradient(name, given[i], new) for i, new in zip(positions, out, strict=False)]
        results = (*states, *[without_gradient(new, name) for new in out[len(positions) :]])
        if update.returns is not None:
            results = results[update.returns :] if update.returns < 0 else results[: update.returns]
        return results[0] if len(results) == 1 else results

    call.__doc__ = update.rule.__doc__
    defaults = {"use_locking": False, **update.parameters}
    return Row(call, inputs, {key: defaults[key] for key in order})


def make_rows(updates: dict[str, Update]) -> dict[str, Row]:
    """The rows of primitives that make one step."""
    return {name: _face(name, update) for name, update in updates.items()}


_RATES = {"lr": REQUIRED, "l1": REQUIRED, "l2": REQUIRED, "lr_power": REQUIRED}
_SLOTS = {"update_slots": True}
_VMM = ("var", "m", "v")
_VAL = ("var", "accum", "linear")
_NESTEROV = {"use_nesterov": False}
_LOCK_FIRST = ("use_locking", "use_nesterov")

UPDATES = {
    "ApplyAdaMax": Update(steps.adamax, _VMM, order=()),
    "ApplyAdadelta": Update(steps.adadelta, ("var", "accum", "accum_update"), order=()),
    "ApplyAdagrad": Update(steps.adagrad, ("var", "accum"), _SLOTS, order=("update_slots",)),
    "ApplyAdagradV2": Update(
        steps.adagrad_v2, ("var", "accum"), {"epsilon": REQUIRED, **_SLOTS}, order=("epsilon", "update_slots")
    ),
    "ApplyAdagradDA": Update(steps.adagrad_da, ("var", "total", "squares"), returns=1),
    "ApplyAddSign": Update(steps.add_sign, ("var", "m"), order=()),
    "ApplyPowerSign": Update(steps.power_sign, ("var", "m"), order=()),
    "ApplyRMSProp": Update(steps.rms_prop, ("var", "mean_square", "moment"), returns=1, taken="same"),
    "ApplyCenteredRMSProp": Update(
        steps.centered_rms_prop, ("var", "mean_gradient", "mean_square", "moment"), returns=1, taken="same"
    ),
    "ApplyFtrl": Update(steps.ftrl, _VAL, returns=1),
    "ApplyGradientDescent": Update(steps.gradient_descent, ("var",), gradient="delta", order=()),
    "ApplyProximalGradientDescent": Update(steps.proximal_gradient_descent, ("var",), gradient="delta", order=()),
    "ApplyProximalAdagrad": Update(steps.proximal_adagrad, ("var", "accum")),
    "ApplyMomentum": Update(
        steps.momentum,
        ("variable", "accumulation"),
        {"use_nesterov": False, "gradient_scale": 1.0},
        "gradient",
        returns=1,
        order=("use_nesterov", "use_locking", "gradient_scale"),
    ),
    "FusedWeightScaleApplyMomentum": Update(
        steps.decayed_momentum, ("variable", "accumulation"), gradient="gradient", returns=1, order=()
    ),
    "ApplyKerasMomentum": Update(steps.keras_momentum, ("var", "accum"), _NESTEROV, order=_LOCK_FIRST),
    "ApplyAdamWithAmsgrad": Update(
        steps.adam_amsgrad, (*_VMM, "vhat"), {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8}
    ),
    "ApplyAdamWithAmsgradV2": Update(steps.adam_amsgrad_v2, (*_VMM, "vhat")),
    "SGD": Update(
        steps.sgd,
        ("parameters", "accum", "stat"),
        {"dampening": 0.0, "weight_decay": 0.0, "nesterov": False},
        "gradient",
        returns=1,
        order=("dampening", "weight_decay", "nesterov"),
        taken="any",
    ),
    "Adam": Update(steps.adam, _VMM, _NESTEROV, "gradient", order=_LOCK_FIRST),
    "AdamNoUpdateParam": Update(
        steps.adam_delta, ("m", "v"), _NESTEROV, "gradient", returns=-1, order=_LOCK_FIRST, taken="same"
    ),
    "AdamWeightDecay": Update(steps.adam_weight_decay, _VMM, gradient="gradient"),
    "FusedCastAdamWeightDecay": Update(steps.normed_adam_weight_decay, _VMM, gradient="gradient", taken="any"),
    "SparseApplyAdagrad": Update(steps.adagrad, ("var", "accum"), {"lr": REQUIRED, **_SLOTS}, sparse="rows"),
    "SparseApplyAdagradV2": Update(
        steps.adagrad_v2,
        ("var", "accum"),
        {"lr": REQUIRED, "epsilon": REQUIRED, **_SLOTS},
        sparse="rows",
        order=("lr", "epsilon", "use_locking", "update_slots"),
    ),
    "SparseApplyAdadelta": Update(
        steps.adadelta, ("var", "accum", "accum_update"), {"epsilon": REQUIRED}, sparse="rows"
    ),
    "SparseApplyRMSProp": Update(
        steps.sparse_rms_prop,
        ("var", "mean_square", "moment"),
        {"decay": REQUIRED, "momentum": REQUIRED, "epsilon": REQUIRED},
        sparse="rows",
    ),
    "SparseApplyFtrl": Update(steps.ftrl, _VAL, _RATES, sparse="rows"),
    "SparseApplyFtrlV2": Update(
        steps.ftrl_shrunk,
        _VAL,
        {"lr": REQUIRED, "l1": REQUIRED, "l2": REQUIRED, "l2_shrinkage": REQUIRED, "lr_power": REQUIRED},
        sparse="rows",
    ),
    "SparseApplyProximalAdagrad": Update(steps.proximal_adagrad, ("var", "accum"), sparse="rows"),
    "FusedSparseAdam": Update(steps.adam, _VMM, _NESTEROV, "gradient", sparse="all", order=_LOCK_FIRST),
    "FusedSparseLazyAdam": Update(steps.adam, _VMM, _NESTEROV, "gradient", sparse="rows", order=_LOCK_FIRST),
    "FusedSparseFtrl": Update(steps.ftrl, _VAL, _RATES, sparse="rows"),
    "FusedSparseProximalAdagrad": Update(steps.proximal_adagrad, ("var", "accum"), sparse="rows"),
}  # fmt: skip


_TABLE = make_rows(UPDATES)
_TABLE["LARSUpdate"] = Row(
    Op(steps.lars, ("epsilon", "hyperpara", "use_clip"), "LARSUpdate"),
    ("weight", "gradient", "norm_weight", "norm_gradient", "weight_decay", "learning_rate"),
    {"epsilon": 1e-5, "hyperpara": 1e-3, "use_clip": False},
)

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
