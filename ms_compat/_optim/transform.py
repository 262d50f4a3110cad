"""A rule for many Parameters: `each`, and optax's form of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

if TYPE_CHECKING:
    import optax

Rule = Callable[..., tuple]


def wide(x: Any) -> Any:
    """An array in Float32 if its dtype is a narrower float, because small numbers like `eps` are zero in Float16."""
    return None if x is None else x.astype(jnp.promote_types(x.dtype, jnp.float32))


NO_PARAMETERS = (
    "A Cell lists the Parameters of its attributes, and finds none in a Python list, tuple or dict: use 'nn.CellList' "
    "or 'nn.CellDict' for Cells, and 'ParameterTuple' for Parameters. Those with requires_grad=False are not trained, "
    "and an iterator gives its items once."
)


def check_gradients(
    api: str,
    gradients: Sequence,
    parameters: Sequence,
    missing: type[Exception] = TypeError,
    shape: type[Exception] = ValueError,
) -> None:
    """Raise for gradients that do not belong to an optimizer's Parameters.

    Args:
        api: the optimizer.
        gradients: Tensors, one for each Parameter.
        parameters: the Parameters.
        missing: raised for None in the place of a gradient.
        shape: raised for another shape.

    Raises:
        RuntimeError: another number of gradients.
        TypeError: an item that is not a Tensor.
    """
    if len(gradients) != len(parameters):
        raise RuntimeError(
            f"For '{api}', there must be a gradient for each of {len(parameters)} Parameters, but got {len(gradients)}."
        )
    for g, p in zip(gradients, parameters, strict=True):
        if g is None:
            raise missing(f"For '{api}', the gradient of '{p.name}' must be a Tensor, but got None.")
        if not hasattr(g, "_v"):
            hint = " 'mindspore.Tensor(array)' makes a Tensor of it." if hasattr(g, "__array__") else ""
            raise TypeError(
                f"For '{api}', the gradient of '{p.name}' must be a Tensor, but got {type(g).__name__}.{hint}"
            )
        if g.shape != p.shape:
            raise shape(f"For '{api}', the gradient of '{p.name}' must have its shape {p.shape}, but got {g.shape}.")


def is_of(gradients: Any, parameters: Sequence) -> bool:
    """Whether the rows of one Tensor have the shapes of the Parameters."""
    rows = (gradients.shape[1:],) * gradients.shape[0] if gradients.shape else ()
    return rows == tuple([p.shape for p in parameters])


def not_a_tuple(api: str, gradient: Any, count: int) -> RuntimeError:
    """The error for one Tensor in the place of the gradients, such as the loss."""
    return RuntimeError(
        f"For '{api}', the gradients must be a tuple with one for each of {count} Parameters, but got a Tensor of "
        f"shape {gradient.shape}. 'mindspore.value_and_grad' gives the loss first, then the gradients."
    )


def check_gradient(api: str, name: str, gradient: Any, parameter: Any, taken: str) -> None:
    """Raise TypeError for a gradient whose dtype an optimizer does not take.

    Args:
        api, name: the optimizer's and the Parameter's.
        gradient, parameter: arrays.
        taken: "same", the Parameter's dtype only; "narrower", also one that it can hold; "any".
    """
    kind, own = gradient.dtype, parameter.dtype
    if kind == own or taken == "any" or (taken == "narrower" and jnp.promote_types(kind, own) == own):
        return
    raise TypeError(
        f"For '{api}', the gradient of '{name}' must have its dtype {own}"
        f"{' or a narrower one' if taken == 'narrower' else ''}, but got {kind}. Convert it with 'astype'."
    )


def each(
    rule: Rule, grads: Sequence, params: Sequence, rates: Sequence, t: Any, state: Sequence, decays: Any = None
) -> tuple[list[Any], list[list[Any]]]:
    """The changes and the new state of many Parameters.

    Rules compute in Float32 at least. The changes stay so, and are rounded after they were added to the Parameters; the
    new state has the old one's dtypes.

    Args:
        rule: see the package.
        grads, params, rates: one array for each Parameter.
        t: see the package.
        state: for each part of the state one array (or None) for each Parameter.
        decays: for rules that decay, an array, or None, for each Parameter.
    """
    rows = []
    for i, (g, p, lr) in enumerate(zip(grads, params, rates, strict=True)):
        options = {} if decays is None else {"decay": decays[i]}
        old = [part[i] for part in state]
        change, *new = rule(wide(g), wide(p), lr, t, *map(wide, old), **options)
        rows.append((change, *[v.astype(o.dtype) for v, o in zip(new, old, strict=True)]))
    changes, *parts = zip(*rows, strict=True)
    return list(changes), [list(part) for part in parts]


def adjusted(rule: Rule, weight_decay: float, maximize: bool) -> Rule:
    """A rule of the negated gradient if it is to `maximize`, plus `weight_decay` times the Parameter."""

    def call(g, p, lr, t, *state, **decay):
        g = -g if maximize else g
        g = g + weight_decay * p if weight_decay else g
        return rule(g, p, lr, t, *state, **decay)

    return call


def centralized(rule: Rule) -> Rule:
    """A rule of the gradient less its mean over all axes but the first."""

    def call(g, p, lr, t, *state, **decay):
        g = g - g.mean(tuple(range(1, g.ndim)), keepdims=True) if g.ndim > 1 else g
        return rule(g, p, lr, t, *state, **decay)

    return call


def transformation(
    factory: Callable[..., Rule],
    *settings: Any,
    starts: tuple[float | Callable[[Any], Any], ...],
    powers: tuple[Any, ...] = (),
    **options: Any,
) -> optax.GradientTransformationExtraArgs:
    """The optax transformation of the rule `factory(*settings, **options)`, on lists of arrays; composes as any other.

    `update` takes more arguments by name: `learning_rate`, one or a list with one for each Parameter; `step`, counted
    from 1, which rules without it ignore; `weight_decay`, None or a list, for rules that decay; and settings of the
    rule that change from step to step.

    Args:
        factory: makes the rule.
        settings, options: what it is made with.
        starts: for each part of the state the number it is filled with, or a function from the Parameter to it.
        powers: betas whose powers begin the state, one array each; the rule gets them in place of the step.

    >>> import jax.numpy as jnp, optax
    >>> from ms_compat._optim import rules
    >>> halved = optax.chain(optax.scale(0.5), transformation(rules.adagrad, starts=(0.1,)))
    >>> params = [jnp.ones(2)]
    >>> changes, _ = halved.update([2 * jnp.ones(2)], halved.init(params), params, learning_rate=jnp.float32(0.1))
    >>> print(changes[0].round(4))
    [-0.0953 -0.0953]
    """
    count = len(powers)

    def init(params):
        ones = [jnp.ones((), jnp.float32) for _ in powers]
        made = [start if callable(start) else functools.partial(jnp.full_like, fill_value=start) for start in starts]
        return (*ones, *[[start(p) for p in params] for start in made])

    def update(grads, state, params=None, *, learning_rate, step=None, weight_decay=None, **dynamic):
        rates = learning_rate if isinstance(learning_rate, (list, tuple)) else [learning_rate] * len(grads)
        params = [None] * len(grads) if params is None else params
        grown = tuple([power * beta for power, beta in zip(state[:count], powers, strict=True)])
        t = tuple([power.reshape(()) for power in grown]) if count else step
        rule = factory(*settings, **options, **dynamic)
        changes, parts = each(rule, grads, params, rates, t, state[count:], weight_decay)
        return changes, (*grown, *parts)

    import optax  # 0.1 s, which programs without an optimizer need not wait for

    return optax.GradientTransformationExtraArgs(init, update)
