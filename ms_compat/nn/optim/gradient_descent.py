"""`Momentum` and `SGD`."""

from __future__ import annotations

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_number, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._optim import rules
from ms_compat._optim.transform import transformation
from ms_compat.nn.optim.base import Optimizer


def _check_momentum(value, api) -> float:
    check_number(api, "momentum", value)
    check_at_least(api, "momentum", value, 0.0)
    return float(value)


@faces("nn nn.optim")
class Momentum(Optimizer):
    """Gradient descent with momentum.

    For each Parameter `p` with the gradient `g`, at step `t`::

        v = momentum * v + g
        p = p - learning_rate * v

    With `use_nesterov`, `g + momentum * v` stands for `v` in the second line.

    Args:
        params, learning_rate, weight_decay, loss_scale: see `Optimizer`.
        momentum: the factor of the velocity, >= 0.
        use_nesterov: look ahead along the velocity.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Momentum([w], learning_rate=0.1, momentum=0.9)((Tensor([1.0]),))
    >>> print(w.value())
    [0.9]
    """

    _state_names = ("moments",)

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_type("Momentum", "momentum", momentum, float)
        check_type("Momentum", "use_nesterov", use_nesterov, bool)
        self.momentum = Parameter(Tensor(_check_momentum(momentum, "Momentum"), mstype.float32), name="momentum")
        self.use_nesterov = use_nesterov
        self.moments = self.parameters.clone(prefix="moments", init="zeros")
        self._transform = transformation(rules.momentum, nesterov=use_nesterov, starts=(0.0,))

    def _extra(self):
        return {"momentum": self.momentum._v}


@faces("nn nn.optim")
class SGD(Optimizer):
    """Stochastic gradient descent.

    For each Parameter `p` with the gradient `g`, at step `t`::

        v = momentum * v + (1 - dampening) * g
        p = p - learning_rate * v

    The first `v` is `g`. With `nesterov`, `g + momentum * v` stands for `v` in the second line.

    Args:
        params, learning_rate, weight_decay, loss_scale: see `Optimizer`.
        momentum: the factor of the velocity, >= 0.
        dampening: the fraction of the gradient that the velocity leaves out.
        nesterov: look ahead along the velocity; needs a positive momentum and no dampening.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.SGD([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.value())
    [0.9]
    """

    _shape_error = RuntimeError
    _state_names = ("accum", "stat")
    _gradient_dtypes = "any"

    def __init__(
        self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, loss_scale=1.0
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_weight_decay:
            raise TypeError(
                "For 'SGD', dynamic weight decay is currently not supported, the argument 'weight_decay' or "
                "'weight_decay' set in grouped 'params' must be float or int type."
            )
        momentum = _check_momentum(momentum, "SGD")
        if isinstance(dampening, int) and not isinstance(dampening, bool):
            dampening = float(dampening)
        check_type("SGD", "dampening", dampening, float)
        check_type("SGD", "nesterov", nesterov, bool)
        check_at_least("SGD", "dampening", dampening, 0.0)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(
                f"For 'SGD', 'nesterov' needs momentum > 0 and dampening = 0, but got {momentum} and {dampening}."
            )
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.dampening, self.nesterov = dampening, nesterov
        self.accum = self.parameters.clone(prefix="accum", init="zeros")
        self.stat = self.parameters.clone(prefix="stat", init="ones")
        self._transform = transformation(rules.sgd, dampening=dampening, nesterov=nesterov, starts=(0.0, 1.0))

    def _extra(self):
        return {"momentum": self.momentum._v}
