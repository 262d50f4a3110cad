"""`mindspore.mint.optim`: PyTorch's optimizers, called with the gradients.

>>> import ms_compat as ms
>>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
>>> optimizer = ms.mint.optim.SGD([w], lr=0.1)
>>> _ = optimizer((ms.Tensor([1.0]),))
>>> print(w.asnumpy())
[0.9]
"""

from __future__ import annotations

import functools
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_type, type_error
from ms_compat._names.resolve import unsupported_getattr
from ms_compat._optim import rules
from ms_compat.mint.optim._base import RuleOptimizer, check_number


class SGD(RuleOptimizer):
    """Stochastic gradient descent; see `rules.sgd` for the formula.

    Args:
        params: Parameters, or dicts of them with their own settings.
        lr (Union[float, int, Tensor]): learning rate.
        momentum (float): share of the old velocity.
        dampening (float): share of the gradient that does not enter the velocity.
        weight_decay (float): added to the gradient, times the Parameter.
        nesterov (bool): step along the velocity to come.
        maximize (bool): climb instead.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a negative number, or `nesterov` without momentum or with dampening.
    """

    _rule: Any = staticmethod(rules.sgd)
    _gradient_dtypes = "any"
    _decay_joins = False
    _state_names = ("momentum_buf",)
    _step_name = "step_t"

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "weight_decay": float(weight_decay), "dampening": dampening,
            "nesterov": nesterov, "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        for name in ("momentum", "weight_decay"):
            check_number("SGD", name, group[name])
        check_number("SGD", "dampening", group["dampening"], float("-inf"))
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError(
                f"For 'SGD', 'nesterov' needs a 'momentum' > 0 and a 'dampening' of 0, but got {group['momentum']} and "
                f"{group['dampening']}."
            )

    def _settings(self, group):
        return group["momentum"], group["dampening"], group["nesterov"]


class Adam(RuleOptimizer):
    """Adaptive moment estimation; see `rules.adam` for the formula.

    Args:
        params: Parameters, or dicts of them with their own settings.
        lr (Union[float, int, Tensor]): learning rate.
        betas (tuple): decay rates of the two moments, in [0, 1).
        eps (float): added to the denominator.
        weight_decay (float): added to the gradient, times the Parameter.
        amsgrad (bool): divide by the largest second moment so far.
        maximize (bool): climb instead.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a number out of range.
    """

    _rule: Any = staticmethod(functools.partial(rules.adam, torch=True))
    _gradient_dtypes = "any"
    _state_names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    _step_name = "state_step"
    _step_form = ((1,), mstype.float32)
    _decoupled = False

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False
    ):
        if not amsgrad:
            object.__setattr__(self, "_state_names", ("exp_avg", "exp_avg_sq"))
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
            "maximize": maximize,
        })  # fmt: skip

    def _check_group(self, group):
        api = type(self).__name__
        betas = group["betas"]
        if not isinstance(betas, (tuple, list)) or len(betas) != 2:
            raise type_error(api, "betas", "a tuple of two floats", betas)
        for number, beta in enumerate(betas):
            check_type(api, f"betas[{number}]", beta, float)
            check_within(api, f"betas[{number}]", beta, 0, 1, "[)")
        check_number(api, "eps", group["eps"])
        check_number(api, "weight_decay", group["weight_decay"])

    def _decays(self, group):
        decay = group["weight_decay"]
        return (0.0, decay) if self._decoupled else (decay, 0.0)

    def _settings(self, group):
        return tuple(group["betas"]), group["eps"], bool(group["amsgrad"])


class AdamW(Adam):
    """Adam with decoupled weight decay: -lr * weight_decay * parameter joins the step.

    Args: as of `Adam`, with a `weight_decay` of 0.01.
    """

    _gradient_dtypes = "narrower"
    _decoupled = True

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class FusedAdamW(AdamW):
    """`AdamW`; every update is fused here."""


__getattr__ = unsupported_getattr(__name__)
