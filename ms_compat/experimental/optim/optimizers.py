"""The optimizers of `experimental.optim`: each names a rule of `ms_compat._optim`, its settings and its state.

Common arguments: `params`, Parameters or dicts with "params" and their own settings; `lr`, a number or a Tensor;
`weight_decay`, added to the gradient times the Parameter; `maximize`, climb instead. A wrong type raises `TypeError`,
a value out of range `ValueError`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ms_compat._core.checks import check_above, check_within
from ms_compat._core.errors import check_bool, type_error
from ms_compat._core.faces import faces
from ms_compat._optim import rules
from ms_compat._optim.transform import centralized
from ms_compat.mint.optim._base import Optimizer as Optimizer
from ms_compat.mint.optim._base import RuleOptimizer


def _least(api: str, group: dict, name: str, low: float = 0.0, open_: bool = False, kinds: Any = (int, float)) -> None:
    value = group[name]
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise type_error(api, name, "float", value)
    if value < low or (open_ and value == low):
        raise ValueError(f"For '{api}', the '{name}' must be {'>' if open_ else '>='} {low}, but got {value}.")


def _pair(api: str, group: dict, name: str) -> tuple[float, float]:
    value = group[name]
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise type_error(api, name, "a tuple of two numbers", value)
    for item in value:
        if isinstance(item, bool) or not isinstance(item, (int, float)):
            raise type_error(api, name, "a tuple of two numbers", value)
    return value[0], value[1]


def _check_betas(api: str, group: dict) -> None:
    for number, beta in enumerate(_pair(api, group, "betas")):
        check_within(api, f"betas[{number}]", beta, 0, 1, "[)")


def _sgd(momentum: float, dampening: float, nesterov: bool, centralize: bool) -> Any:
    rule = rules.sgd(momentum, dampening, nesterov)
    return centralized(rule) if centralize else rule


def _adam(betas: tuple[float, float], eps: float, amsgrad: bool) -> Any:
    """`nn.Adam`'s rule: unlike AdamW's, it adds `eps` to the uncorrected root."""
    narrow = np.float32(betas[0]), np.float32(betas[1])
    rule = rules.adam(narrow, eps, amsgrad)
    return lambda g, p, lr, t, *state: rule(g, p, lr, tuple([beta**t for beta in narrow]), *state)


class _Decayed(RuleOptimizer):
    """An optimizer with a non-negative weight decay."""

    def _check_group(self, group):
        _least(type(self).__name__, group, "weight_decay")


@faces("experimental.optim")
class SGD(_Decayed):
    """Stochastic gradient descent.

    Args:
        params, lr, weight_decay, maximize: see the module.
        momentum (Union[int, float]): share of the old velocity.
        dampening (float): share of the gradient that does not enter the velocity.
        nesterov (bool): step along the next velocity; needs momentum, and no dampening.
    """

    _rule: Any = staticmethod(_sgd)
    _gradient_dtypes = "any"
    _decay_joins = False
    _state_names = ("accum", "stat")

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        super().__init__(params, {
            "lr": lr, "momentum": float(momentum) if type(momentum) is int else momentum, "dampening": dampening,
            "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize, "grad_centralization": False,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        _least("SGD", group, "momentum")
        _least("SGD", group, "dampening", float("-inf"))
        group["momentum"], group["dampening"] = float(group["momentum"]), float(group["dampening"])
        for name in ("nesterov", "maximize"):
            check_bool("SGD", name, group[name])
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError(
                f"For 'SGD', 'nesterov' needs a 'momentum' > 0 and a 'dampening' of 0, but got {group['momentum']} and "
                f"{group['dampening']}."
            )

    def _start(self, name, group):
        return 1.0 if name == "stat" else 0.0

    def _settings(self, group):
        return group["momentum"], group["dampening"], group["nesterov"], group["grad_centralization"]


@faces("experimental.optim")
class Adam(_Decayed):
    """Adam.

    Args:
        params, lr, weight_decay, maximize: see the module.
        betas (tuple[float, float]): decay of the moments.
        eps (float): added to the root of the second moment.
        amsgrad (bool): divide by the largest second moment so far.
    """

    _rule: Any = staticmethod(_adam)
    _state_names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    _step_name = "state_step"

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        _check_betas(type(self).__name__, group)
        _least(type(self).__name__, group, "eps")

    def _settings(self, group):
        return tuple(group["betas"]), group["eps"], bool(group["amsgrad"])


@faces("experimental.optim")
class AdamW(Adam):
    """Adam with decoupled weight decay: -lr * weight_decay * parameter joins the step.

    Args: as for `Adam`, with a `weight_decay` of 0.01.
    """

    _rule: Any = staticmethod(functools.partial(rules.adam, torch=True))
    _gradient_dtypes = "same"

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def _decays(self, group):
        return 0.0, group["weight_decay"]


@faces("experimental.optim")
class Adadelta(_Decayed):
    """Steps in the units of the Parameters.

    Args:
        params, lr, weight_decay, maximize: see the module.
        rho (float): decay of the means, in [0, 1].
        eps (float): added below the roots, > 0.
    """

    _rule: Any = staticmethod(rules.adadelta)
    _state_names = ("accum", "accum_update")

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False):
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def _check_group(self, group):
        super()._check_group(group)
        _least("Adadelta", group, "rho")
        if group["rho"] > 1:
            raise ValueError(f"For 'Adadelta', the 'rho' must be in [0, 1], but got {group['rho']}.")
        _least("Adadelta", group, "eps", open_=True)

    def _settings(self, group):
        return group["rho"], group["eps"]


@faces("experimental.optim")
class Adagrad(_Decayed):
    """Adaptive gradients.

    Args:
        params, lr, weight_decay, maximize: see the module.
        lr_decay (float): decay of the learning rate.
        initial_accumulator_value (float): what the sums of squares start from.
        eps (float): added to the root, > 0.
    """

    _rule: Any = staticmethod(rules.adagrad)
    _state_names = ("accum",)
    _step_name = "step_t"

    def __init__(
        self,
        params,
        lr=1e-2,
        lr_decay=0.0,
        weight_decay=0.0,
        initial_accumulator_value=0.0,
        eps=1e-10,
        *,
        maximize=False,
    ):
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        _least("Adagrad", group, "lr_decay")
        _least("Adagrad", group, "initial_accumulator_value")
        _least("Adagrad", group, "eps", open_=True)

    def _start(self, name, group):
        return group["initial_accumulator_value"]

    def _settings(self, group):
        return True, group["eps"], group["lr_decay"]


@faces("experimental.optim")
class Adamax(_Decayed):
    """Adam with the largest gradient in place of the second moment.

    Args:
        params, lr, weight_decay, maximize: see the module.
        betas (tuple[float, float]): decay of the moment and the largest gradient.
        eps (float): added to the gradient's size, > 0.
    """

    _rule: Any = staticmethod(functools.partial(rules.adamax, torch=True))
    _state_names = ("exp_avg", "exp_inf")
    _step_name = "step_t"
    _step_first = True

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False):
        super().__init__(
            params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize}
        )

    def _check_group(self, group):
        super()._check_group(group)
        _check_betas(type(self).__name__, group)
        _least(type(self).__name__, group, "eps", open_=True)

    def _settings(self, group):
        return tuple(group["betas"]), group["eps"]


@faces("experimental.optim")
class RAdam(Adamax):
    """Adam that waits until the variance of its scale is known.

    Args:
        params, lr, weight_decay: see the module.
        betas (tuple[float, float]): decay of the moments.
        eps (float): added to the root of the second moment, > 0.
    """

    _rule: Any = staticmethod(rules.radam)
    _state_names = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        Optimizer.__init__(self, params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})


@faces("experimental.optim")
class NAdam(Adamax):
    """Adam with Nesterov's momentum.

    Args:
        params, lr, weight_decay: see the module.
        betas (tuple[float, float]): decay of the moments.
        eps (float): added to the root of the second moment, > 0.
        momentum_decay (float): how fast the momentum grows to `betas[0]`.
    """

    _rule: Any = staticmethod(rules.nadam)
    _state_names = ("exp_avg", "exp_avg_sq")
    _inner_names = ("mu_product",)

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3):
        Optimizer.__init__(self, params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        _least("NAdam", group, "momentum_decay")

    def _start(self, name, group):
        return 1.0 if name == "mu_product" else 0.0

    def _settings(self, group):
        return tuple(group["betas"]), group["eps"], group["momentum_decay"]


@faces("experimental.optim")
class ASGD(_Decayed):
    """Averaged stochastic gradient descent; the averages are the Parameters `ax`.

    Args:
        params, lr, weight_decay, maximize: see the module.
        lambd (float): decay of the Parameters.
        alpha (float): power of the learning rate's decay.
        t0 (float): the step after which averaging starts.
    """

    _rule: Any = staticmethod(rules.asgd)
    _gradient_dtypes = "any"
    _state_names = ("ax",)
    _inner_names = ("eta", "mu")
    _step_name = "step_t"

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, maximize=False):
        super().__init__(params, {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        for name in ("lambd", "alpha", "t0"):
            _least("ASGD", group, name, float("-inf"), kinds=float)

    def _start(self, name, group):
        return 1.0 if name == "mu" else 0.0

    def _settings(self, group):
        return group["lambd"], group["alpha"], group["t0"]


@faces("experimental.optim")
class RMSprop(_Decayed):
    """Gradients over the root of their mean square.

    Args:
        params, lr, weight_decay, maximize: see the module.
        alpha (float): decay of the mean.
        eps (float): added to the root, > 0.
        momentum (float): share of the last step.
        centered (bool): subtract the square of the mean gradient.
    """

    _rule: Any = staticmethod(functools.partial(rules.rms_prop, torch=True))
    _gradient_dtypes = "same"
    _state_names = ("mean_grad", "mean_square", "moment")

    def __init__(
        self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False, maximize=False
    ):
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        super()._check_group(group)
        _least("RMSprop", group, "alpha")
        _least("RMSprop", group, "momentum")
        _least("RMSprop", group, "eps", open_=True)

    def _settings(self, group):
        return group["alpha"], group["momentum"], group["eps"], bool(group["centered"])


@faces("experimental.optim")
class Rprop(_Decayed):
    """Resilient steps, which depend on the gradient's sign alone.

    Args:
        params, lr, maximize: see the module; the learning rate is the first step size.
        etas (tuple[float, float]): factors of the step size when the sign changes, in (0, 1), and when not, > 1.
        step_sizes (tuple[float, float]): the smallest and the largest step.
    """

    _rule: Any = staticmethod(rules.rprop)
    _state_names = ("prev", "step_size")
    _step_name = "step_t"

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, maximize=False):
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def _check_group(self, group):
        super()._check_group(group)
        _pair("Rprop", group, "step_sizes")
        down, up = _pair("Rprop", group, "etas")
        check_within("Rprop", "etas[0]", down, 0, 1, "()")
        check_above("Rprop", "etas[1]", up, 1)

    def _settings(self, group):
        return tuple(group["etas"]), tuple(group["step_sizes"])
