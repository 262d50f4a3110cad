"""The optimizers that are a rule and its state: Adagrad, RMSProp, Adadelta, FTRL, ProximalAdagrad, ASGD, Rprop..."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._optim import layerwise, proximal, rules
from ms_compat._optim.transform import transformation
from ms_compat.nn.optim.base import Optimizer


def checked(api: str, name: str, value: Any, low: float | None = None, *, open_: bool = False, high: Any = None) -> Any:
    """A float within a range.

    Raises:
        TypeError: it is not a float.
        ValueError: it is out of range.
    """
    check_type(api, name, value, float)
    if low is not None and (value <= low if open_ else value < low):
        raise value_error(api, name, f"{'>' if open_ else '>='} {low}", value)
    if high is not None and (value >= high if open_ else value > high):
        raise value_error(api, name, f"{'<' if open_ else '<='} {high}", value)
    return value


class RuleOptimizer(Optimizer):
    """Base class: an optimizer whose state is some Parameters for each of its own."""

    def _set_rule(self, factory: Any, *settings: Any, **state: tuple[str, float]) -> None:
        """Take a rule, and make its state: attribute -> (prefix of the names, number to fill with)."""
        starts = []
        self._state_names = tuple(state)
        for attribute, (prefix, start) in state.items():
            made = self.parameters.clone(prefix=prefix, init="zeros")
            if start:
                for parameter in made:
                    parameter.set_data(Tensor(start, parameter.dtype).broadcast_to(parameter.shape))
            setattr(self, attribute, made)
            starts.append(start)
        self._transform = transformation(factory, *settings, starts=tuple(starts))


@faces("nn nn.optim")
class Adagrad(RuleOptimizer):
    """Adaptive gradients.

    For each Parameter `p` with the gradient `g`, at step `t`::

        a = a + g * g
        p = p - learning_rate * g / sqrt(a)

    Source: Duchi et al., 2011.

    Args:
        params, learning_rate, loss_scale, weight_decay: see `Optimizer`.
        accum: what the sums of squares start from, >= 0.
        update_slots: whether the sums grow.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Adagrad([w], accum=3.0, learning_rate=0.5)((Tensor([1.0]),))
    >>> print(w.asnumpy())
    [0.75]
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        checked("Adagrad", "accum", accum, 0.0)
        check_type("Adagrad", "update_slots", update_slots, bool)
        self._set_rule(rules.adagrad, update_slots, accum=("accum", accum))


@faces("nn nn.optim")
class RMSProp(RuleOptimizer):
    """Gradients over the root of their mean square.

    For each Parameter `p` with the gradient `g`, at step `t`::

        s = decay * s + (1 - decay) * g * g
        v = momentum * v + learning_rate * g / sqrt(s + epsilon)
        p = p - v

    `s` starts from 1. With `centered`, `s - mean(g) ** 2` stands for `s` in the root. Sources: Hinton's lecture 6e;
    Graves, 2013.

    Args:
        params, learning_rate, loss_scale, weight_decay: see `Optimizer`.
        decay: decay of the mean, >= 0.
        momentum: factor of the last change, >= 0.
        epsilon: added below the root, > 0.
        use_locking: MindSpore's lock around the update; updates are never interleaved here.
        centered: subtract the square of the mean gradient.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.RMSProp([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(4))
    [0.9]
    """

    _missing_error = AttributeError
    _gradient_dtypes = "same"

    def __init__(
        self,
        params,
        learning_rate=0.1,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        api = "RMSProp"
        checked(api, "decay", decay, 0.0)
        checked(api, "momentum", momentum, 0.0)
        checked(api, "epsilon", epsilon, 0.0, open_=True)
        check_type(api, "use_locking", use_locking, bool)
        self.centered = check_type(api, "centered", centered, bool)
        state = {"ms": ("mean_square", 1.0), "moment": ("moment", 0.0)}
        if centered:
            state = {"mg": ("mean_grad", 0.0), **state}
        self._set_rule(rules.rms_prop, decay, momentum, epsilon, centered, **state)


@faces("nn nn.optim")
class Adadelta(RuleOptimizer):
    """Steps in the units of the Parameters.

    For each Parameter `p` with the gradient `g`, at step `t`::

        a = rho * a + (1 - rho) * g * g
        u = sqrt(b + epsilon) / sqrt(a + epsilon) * g
        b = rho * b + (1 - rho) * u * u
        p = p - learning_rate * u

    Source: Zeiler, 2012.

    Args:
        params, learning_rate, loss_scale, weight_decay: see `Optimizer`.
        rho: decay of the means, in [0, 1].
        epsilon: added below the roots, >= 0.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Adadelta([w], learning_rate=1.0, rho=0.9, epsilon=0.01)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(4))
    [0.6985]
    """

    def __init__(self, params, learning_rate=1.0, rho=0.9, epsilon=1e-6, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        checked("Adadelta", "rho", rho, 0.0, high=1.0)
        checked("Adadelta", "epsilon", epsilon, 0.0)
        self._set_rule(rules.adadelta, rho, epsilon, accum=("accum", 0.0), accum_update=("accum_update", 0.0))


@faces("nn nn.optim")
class FTRL(RuleOptimizer):
    """Follow the regularized leader.

    For each Parameter `p` with the gradient `g`, at step `t`::

        n = a + g * g
        z = z + g - (n ** -lr_power - a ** -lr_power) / learning_rate * p
        p = (sign(z) * l1 - z) / (n ** -lr_power / learning_rate + 2 * l2) if abs(z) > l1 else 0
        a = n

    Source: McMahan et al., 2013.

    Args:
        params, learning_rate, loss_scale, weight_decay: see `Optimizer`.
        initial_accum: what the sums of squares start from, >= 0.
        lr_power: <= 0.
        l1, l2: regularization, >= 0.
        use_locking: MindSpore's lock around the update; updates are never interleaved here.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.FTRL([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(4))
    [0.6031]
    """

    _missing_error = ValueError
    _by_rows = True

    def __init__(
        self,
        params,
        initial_accum=0.1,
        learning_rate=0.001,
        lr_power=-0.5,
        l1=0.0,
        l2=0.0,
        use_locking=False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length  # as measured: gamma and beta are decayed too
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError("For 'FTRL', the 'learning_rate' must be one number for all parameters and steps.")
        check_type("FTRL", "learning_rate", learning_rate, float)
        checked("FTRL", "initial_accum", initial_accum, 0.0)
        checked("FTRL", "lr_power", lr_power, high=0.0)
        checked("FTRL", "l1", l1, 0.0)
        checked("FTRL", "l2", l2, 0.0)
        check_type("FTRL", "use_locking", use_locking, bool)
        rule = proximal.change(proximal.ftrl)
        self._set_rule(rule, lr_power, l1, l2, moments=("moments", initial_accum), linear=("linear", 0.0))


@faces("nn nn.optim")
class ProximalAdagrad(RuleOptimizer):
    """Adagrad with l1 and l2.

    For each Parameter `p` with the gradient `g`, at step `t`::

        a = a + g * g
        rate = learning_rate / sqrt(a)
        q = p - rate * g
        p = sign(q) * max(abs(q) - rate * l1, 0) / (1 + rate * l2)

    Source: Duchi and Singer, 2009.

    Args:
        params, learning_rate, loss_scale, weight_decay: see `Optimizer`.
        accum: what the sums of squares start from, >= 0.
        l1, l2: regularization, >= 0.
        use_locking: MindSpore's lock around the update; updates are never interleaved here.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.ProximalAdagrad([w], accum=3.0, learning_rate=0.5)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(4))
    [0.75]
    """

    _missing_error = ValueError
    _by_rows = True

    def __init__(
        self,
        params,
        accum=0.1,
        learning_rate=0.001,
        l1=0.0,
        l2=0.0,
        use_locking=False,
        loss_scale=1.0,
        weight_decay=0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        checked("ProximalAdagrad", "accum", accum, 0.0)
        checked("ProximalAdagrad", "l1", l1, 0.0)
        checked("ProximalAdagrad", "l2", l2, 0.0)
        check_type("ProximalAdagrad", "use_locking", use_locking, bool)
        self._set_rule(proximal.change(proximal.adagrad), l1, l2, accum=("accum", accum))


@faces("nn nn.optim")
class ASGD(RuleOptimizer):
    """Averaged stochastic gradient descent.

    For each Parameter `p` with the gradient `g`, at step `t`::

        p = p * (1 - lambd * eta) - eta * g
        ax = ax + mu * (p - ax)
        eta = learning_rate / (1 + lambd * learning_rate * t) ** alpha
        mu = 1 / max(1, t - t0)

    The state `ax` is the mean of the Parameter. Source: Polyak and Juditsky, 1992.

    Args:
        params, learning_rate, weight_decay: see `Optimizer`.
        lambd: decay of the Parameters.
        alpha: power of the learning rate's decay.
        t0: the step after which averaging starts.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.ASGD([w], learning_rate=0.5)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.5]
    """

    _returns_one = True
    _gradient_dtypes = "any"

    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            checked("ASGD", name, value)
        starts = (0.0, lambda p: jnp.zeros((), jnp.float32), lambda p: jnp.ones((), jnp.float32))
        self._transform = transformation(rules.asgd, lambd, alpha, t0, starts=starts)
        self.mu = ParameterTuple([Parameter(Tensor(1.0, mstype.float32), name="mu_" + p.name) for p in self.parameters])
        self.eta = ParameterTuple(
            [Parameter(Tensor(0.0, mstype.float32), name="eta_" + p.name) for p in self.parameters]
        )
        self.ax = self.parameters.clone(prefix="ax_", init="zeros")
        self._state_names = ("ax", "eta", "mu")


@faces("nn nn.optim")
class Rprop(RuleOptimizer):
    """Resilient steps.

    For each Parameter `p` with the gradient `g`, at step `t`::

        size = clip(size * etas[1], *step_sizes) where g * previous > 0
        size = clip(size * etas[0], *step_sizes), g = 0 where g * previous < 0
        p = p - sign(g) * size

    The first size is the learning rate. Source: Riedmiller and Braun, 1993.

    Args:
        params, learning_rate, weight_decay: see `Optimizer`; the first step size is the learning rate of the
            Parameter's group, and what the rate is later has no effect.
        etas: factors of the step size when the gradient's sign changes, in (0, 1), and when not, > 1.
        step_sizes: the smallest and the largest step.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Rprop([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(4))
    [0.9]
    """

    _returns_one = True
    _gradient_dtypes = "any"

    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        api = "Rprop"
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            check_type(api, name, value, tuple)
            if len(value) != 2:
                raise value_error(api, name, "a tuple of two", value)
        checked(api, "etaminus", etas[0], 0.0, open_=True, high=1.0)
        checked(api, "etaplus", etas[1], 1.0, open_=True)
        checked(api, "min_step_sizes", step_sizes[0])
        checked(api, "max_step_sizes", step_sizes[1])
        if step_sizes[0] > step_sizes[1]:
            raise value_error(api, "step_sizes", "rising", step_sizes)
        self._set_rule(rules.rprop, etas, step_sizes, prev=("prev", 0.0), step_size=("step_size", 0.0))


@faces("nn nn.optim")
class Lamb(Optimizer):
    """Adam's direction scaled layer by layer.

    For each Parameter `p` with the gradient `g`, at step `t`::

        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        u = m / (1 - beta1 ** t) / (sqrt(v / (1 - beta2 ** t)) + eps) + weight_decay * p
        p = p - learning_rate * norm(p) / norm(u) * u

    Source: You et al., 2020.

    Args:
        params, learning_rate, weight_decay: see `Optimizer`; decay is decoupled.
        beta1, beta2: decay rates of the moments, in (0, 1).
        eps: added to the denominator, > 0.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Lamb([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.9]
    """

    _state_names = ("moments1", "moments2")
    _gradient_dtypes = "any"
    _decoupled_decay = True

    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        checked("Lamb", "beta1", beta1, 0.0, open_=True, high=1.0)
        checked("Lamb", "beta2", beta2, 0.0, open_=True, high=1.0)
        checked("Lamb", "eps", eps, 0.0, open_=True)
        self.moments1 = self.parameters.clone(prefix="lamb_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="lamb_v", init="zeros")
        self.beta1, self.beta2, self.eps = [Tensor([value], mstype.float32) for value in (beta1, beta2, eps)]
        self._transform = transformation(layerwise.lamb, beta1, beta2, eps, starts=(0.0, 0.0))
