"""`Adam` and `AdamWeightDecay`."""

from __future__ import annotations

import inspect
import logging

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above
from ms_compat._core.dispatch import keywords
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._optim import rules
from ms_compat._optim.transform import transformation
from ms_compat.nn.optim.base import Optimizer

logger = logging.getLogger("ms_compat")


def _check_betas(beta1, beta2, eps, api) -> None:
    for name, value in (("beta1", beta1), ("beta2", beta2)):
        check_type(api, name, value, float)
        if not 0.0 < value < 1.0:
            raise ValueError(f"For '{api}', '{name}' must be in (0.0, 1.0), but got {value}.")
    check_type(api, "eps", eps, float)
    check_above(api, "eps", eps, 0)


@faces("nn nn.optim")
class Adam(Optimizer):
    """Adaptive moment estimation (Kingma and Ba, 2015).

    For each Parameter `p` with the gradient `g`, at step `t`::

        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        rate = learning_rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t)
        p = p - rate * m / (sqrt(v) + eps)

    Differs from PyTorch's, which adds `eps` to the corrected root, `sqrt(v / (1 - beta2 ** t)) + eps`. A weight
    decay joins the gradient first: `g + weight_decay * p`.

    Args:
        params, learning_rate, weight_decay, loss_scale: see `Optimizer`.
        beta1, beta2: decay rates of the moments, in (0, 1).
        eps: added to the denominator, > 0.
        use_locking: MindSpore's lock around the update; updates are never interleaved here.
        use_nesterov: look ahead along the first moment.
        use_amsgrad: divide by the largest second moment so far.
        use_lazy, use_offload: MindSpore's sparse and host-memory variants (keywords); not available.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.Adam([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> w.asnumpy().round(4).tolist()
    [0.8999999761581421]
    """

    _missing_error = ValueError

    _state_names: tuple[str, ...] = ("beta1_power", "beta2_power", "moment1", "moment2")

    def __init__(
        self,
        params,
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.999,
        eps=1e-8,
        use_locking=False,
        use_nesterov=False,
        weight_decay=0.0,
        loss_scale=1.0,
        use_amsgrad=False,
        **kwargs,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_betas(beta1, beta2, eps, "Adam")
        for name, value in (("use_locking", use_locking), ("use_nesterov", use_nesterov), ("use_amsgrad", use_amsgrad)):
            check_type("Adam", name, value, bool)
        for name, value in kwargs.items():
            if name not in ("use_lazy", "use_offload"):
                hint = keywords.hint(name, [known for known in inspect.signature(Adam).parameters if known != "kwargs"])
                raise KeyError(f"For 'Adam', there is no argument '{name}'. {hint}")
            if check_type("Adam", name, value, bool) and use_amsgrad:
                raise ValueError(
                    f"For lazy Adam and Adam with offload, there is no parameter named 'use_amsgrad'. '{name}' is True."
                )
            logger.debug("Adam: %s=%s; gradients are dense and the update runs where the parameters are", name, value)
        if kwargs.get("use_lazy") and kwargs.get("use_offload"):
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' can not both be True.")
        if kwargs.get("use_offload"):
            self._gradient_dtypes, self._centralizes = "same", False
        if use_locking:
            logger.debug("Adam: use_locking has no effect; updates are never interleaved")
        self.beta1, self.beta2, self.eps = [Tensor(value, mstype.float32) for value in (beta1, beta2, eps)]
        self.use_nesterov = use_nesterov
        self.use_amsgrad = use_amsgrad
        self.beta1_power = Parameter(Tensor(1.0, mstype.float32), name="beta1_power")
        self.beta2_power = Parameter(Tensor(1.0, mstype.float32), name="beta2_power")
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")
        if use_amsgrad:
            self.vhat = self.parameters.clone(prefix="vhat", init="zeros")
            self._state_names = (*Adam._state_names, "vhat")
        betas = np.float32(beta1), np.float32(beta2)  # 1 - beta is taken of Float32, as in MindSpore
        self._transform = transformation(
            rules.adam, betas, eps, use_amsgrad, use_nesterov,
            starts=(0.0,) * (3 if use_amsgrad else 2), powers=betas,
        )  # fmt: skip


@faces("nn nn.optim")
class AdamWeightDecay(Optimizer):
    """Adam with decoupled weight decay and no bias correction, the optimizer of BERT.

    For each Parameter `p` with the gradient `g`, at step `t`::

        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        p = p - learning_rate * (m / (sqrt(v) + eps) + weight_decay * p)

    Source: Devlin et al., 2019.

    Args:
        params, learning_rate: see `Optimizer`.
        beta1, beta2: decay rates of the moments, in (0, 1).
        eps: added to the denominator, > 0.
        weight_decay: the decoupled decay.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.AdamWeightDecay([w], learning_rate=0.01)((Tensor([1.0]),))
    >>> bool(w.value() < 1)
    True
    """

    _state_names = ("moments1", "moments2")
    _gradient_dtypes = "any"
    _decoupled_decay = True

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        _check_betas(beta1, beta2, eps, "AdamWeightDecay")
        self.beta1, self.beta2, self.eps = [Tensor([value], mstype.float32) for value in (beta1, beta2, eps)]
        self.moments1 = self.parameters.clone(prefix="adam_m", init="zeros")
        self.moments2 = self.parameters.clone(prefix="adam_v", init="zeros")
        betas = np.float32(beta1), np.float32(beta2)
        self._transform = transformation(rules.adam_weight_decay, betas, eps, starts=(0.0, 0.0))


@faces("nn nn.optim")
class LazyAdam(Adam):
    """Adam that, with a RowTensor as gradient, leaves the other rows and their state alone; `Adam` with a dense one.

    Args:
        params, learning_rate, weight_decay, loss_scale: see `Optimizer`.
        beta1, beta2, eps, use_locking, use_nesterov: see `Adam`.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.LazyAdam([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.9]
    """

    _by_rows = True

    def __init__(
        self,
        params,
        learning_rate=1e-3,
        beta1=0.9,
        beta2=0.999,
        eps=1e-8,
        use_locking=False,
        use_nesterov=False,
        weight_decay=0.0,
        loss_scale=1.0,
    ):
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)
        self.beta1_power = Parameter(Tensor([1.0], mstype.float32), name="beta1_power")
        self.beta2_power = Parameter(Tensor([1.0], mstype.float32), name="beta2_power")


@faces("nn nn.optim")
class AdamOffload(LazyAdam):
    """Adam with its state in host memory in MindSpore; the state is where the Parameters are, and this is `Adam`.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.AdamOffload([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.9]
    """

    _by_rows = False
    _gradient_dtypes = "same"
    _centralizes = False


@faces("nn nn.optim")
class AdaMax(Optimizer):
    """Adam with the largest gradient in place of the second moment.

    For each Parameter `p` with the gradient `g`, at step `t`::

        m = beta1 * m + (1 - beta1) * g
        u = max(beta2 * u, abs(g))
        p = p - learning_rate / (1 - beta1 ** t) * m / (u + eps)

    Source: Kingma and Ba, 2015, section 7.1.

    Args:
        params, learning_rate, weight_decay, loss_scale: see `Optimizer`.
        beta1, beta2: decay rates, in (0, 1).
        eps: added to the denominator, > 0.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = nn.AdaMax([w], learning_rate=0.1)((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.9]
    """

    _state_names = ("beta1_power", "moment1", "moment2")

    def __init__(self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_betas(beta1, beta2, eps, "AdaMax")
        self.beta1_power = Parameter(Tensor([1.0], mstype.float32), name="beta1_power")
        self.moment1 = self.parameters.clone(prefix="moment1", init="zeros")
        self.moment2 = self.parameters.clone(prefix="moment2", init="zeros")
        self.beta1, self.beta2, self.eps = [Tensor(value, mstype.float32) for value in (beta1, beta2, eps)]
        betas = np.float32(beta1), np.float32(beta2)
        self._transform = transformation(rules.adamax, betas, eps, starts=(0.0, 0.0), powers=betas[:1])
