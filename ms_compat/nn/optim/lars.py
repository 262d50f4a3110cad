"""`LARS`: an optimizer around another that scales each gradient by the ratio of the norms."""

from __future__ import annotations

import jax.numpy as jnp

from ms_compat._compile.function import CompiledFunction
from ms_compat._core.checks import check_callable
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes
from ms_compat._optim import layerwise
from ms_compat._optim.transform import check_gradient, wide
from ms_compat.nn.optim.base import Optimizer


def _default_filter(parameter):
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


@faces("nn nn.optim")
class LARS(Optimizer):
    """Scales the gradients of another optimizer layer by layer, and takes over its weight decay.

    The gradient becomes coefficient * |p| / (|g| + decay * |p| + epsilon) * (g + decay * p); with `use_clip` the ratio
    is divided by the learning rate and is 1 at most. Source: You, Gitman and Ginsburg, 2017.

    Args:
        optimizer (Optimizer): the optimizer that takes the gradients.
        epsilon (float): added to the denominator.
        coefficient (float): factor of the ratio.
        use_clip (bool): bound the ratio.
        lars_filter (Callable): which Parameters are scaled; by default those without "LayerNorm" and "bias" in their
            name.

    Raises:
        TypeError: an argument of a wrong type.

    >>> import ms_compat as ms
    >>> w = ms.Parameter(ms.Tensor([3.0, 4.0]), name="w")
    >>> optimizer = ms.nn.LARS(ms.nn.SGD([w], 1.0), epsilon=0.0, coefficient=0.1)
    >>> _ = optimizer((ms.Tensor([0.0, 1.0]),))
    >>> print(w.asnumpy())
    [3.  3.5]
    """

    def __init__(self, optimizer, epsilon=1e-05, coefficient=0.001, use_clip=False, lars_filter=_default_filter):
        check_type("LARS", "optimizer", optimizer, Optimizer)
        check_type("LARS", "epsilon", epsilon, float)
        check_type("LARS", "coefficient", coefficient, float)
        check_type("LARS", "use_clip", use_clip, bool)
        check_callable("LARS", "lars_filter", lars_filter)
        # The three Parameters that MindSpore's checkpoints have for LARS itself; the step is the optimizer's.
        super().__init__(0.0, [Parameter(Tensor(0.0), name="fake_param")])
        self.learning_rate = Parameter(Tensor(0.0), name="fake_lr")
        self.global_step = optimizer.global_step
        self.opt = optimizer
        self.parameters = optimizer.parameters
        self.decay_flags = optimizer.decay_flags
        self.epsilon, self.coefficient, self.use_clip = epsilon, coefficient, use_clip
        self.lars_flag = tuple(bool(lars_filter(p)) for p in optimizer.parameters)
        self._decayed = optimizer.decay_flags if optimizer.exec_weight_decay else (False,) * len(self.lars_flag)
        # as in MindSpore, Parameters that are not scaled are not decayed either
        optimizer.decay_flags = (False,) * len(self.lars_flag)
        optimizer.exec_weight_decay = False

    def construct(self, gradients):
        """Scale the gradients and hand them to the optimizer; returns its result."""
        optimizer = self.opt
        decays = optimizer.get_weight_decay()
        rates = optimizer.get_lr()
        scaled = []
        scale = optimizer.loss_scale
        for i, (g, p) in enumerate(zip(tuple(gradients), optimizer.parameters, strict=True)):
            if not self.lars_flag[i]:
                scaled.append(g)
                continue
            check_gradient("LARS", p.name, g._v, p._v, "same")
            decay = decays[i] if isinstance(decays, tuple) else decays
            decay = jnp.asarray(getattr(decay, "_v", decay), jnp.float32) / scale if self._decayed[i] else 0.0
            rate = rates[i] if isinstance(rates, tuple) else rates
            weight, grad = wide(p._v), wide(g._v) / scale
            value = layerwise.lars(
                grad, weight, rate._v.reshape(()), jnp.sum(weight * weight), jnp.sum(grad * grad),
                coefficient=self.coefficient, decay=decay, eps=self.epsilon, clip=self.use_clip,
            )  # fmt: skip
            scaled.append(wrap((value * scale).astype(g._v.dtype)))
        return optimizer.construct(tuple(scaled))

    def __call__(self, *args, **kwargs):
        if scopes.tracing and scopes.current_scope() is not None:
            return self.construct(*args, **kwargs)
        if self._update is None:
            object.__setattr__(self, "_update", CompiledFunction(self.construct, self, "LARS"))
        gradients = args[0] if args else kwargs["gradients"]
        return self._update(tuple(gradients))
