"""Any optax `GradientTransformation` as a MindSpore optimizer.

The transformation's state lives in Parameters named `optax.<number>`, so that checkpoints hold it, a compiled training
step donates it, and `TrainOneStepCell`, `Model` and `value_and_grad` loops take the optimizer as any other.
"""

from __future__ import annotations

from typing import Any

import jax

from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat.nn.optim.base import Optimizer


class OptaxOptimizer(Optimizer):
    """An optimizer that applies an optax transformation.

    Args:
        params: list of Parameters.
        transformation: an `optax.GradientTransformation`; it brings its own learning rate.

    >>> import optax
    >>> from ms_compat import Parameter, Tensor
    >>> from ms_compat.interop.optax import OptaxOptimizer
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> _ = OptaxOptimizer([w], optax.sgd(0.5))((Tensor([1.0]),))
    >>> print(w.value())
    [0.5]
    """

    def __init__(self, params, transformation):
        super().__init__(0.0, params)
        if not hasattr(transformation, "init") or not hasattr(transformation, "update"):
            raise TypeError(
                "For 'OptaxOptimizer', 'transformation' must be an optax GradientTransformation, but got "
                f"{type(transformation).__name__}."
            )
        self._transform = transformation
        initial = transformation.init([p._v for p in self.parameters])
        leaves, tree = jax.tree_util.tree_flatten(initial)
        self._tree = tree
        self.optax_state = ParameterTuple(
            [
                Parameter(wrap(jax.numpy.asarray(leaf)), name=f"optax.{i}", requires_grad=False)
                for i, leaf in enumerate(leaves)
            ]
        )

    def construct(self, gradients):
        gradients = tuple(gradients)
        if len(gradients) != self.param_length:
            raise ValueError(
                f"For 'OptaxOptimizer', there are {self.param_length} parameters, but {len(gradients)} gradients."
            )
        current: Any = jax.tree_util.tree_unflatten(self._tree, [p._v for p in self.optax_state])
        values = [p._v for p in self.parameters]
        steps, new = self._transform.update([g._v for g in gradients], current, values)
        write_barrier.assign(self.global_step, self.global_step._v + 1)
        for p, step in zip(self.parameters, steps, strict=True):
            write_barrier.assign(p, (p._v + step).astype(p._v.dtype))
        for p, value in zip(self.optax_state, jax.tree_util.tree_leaves(new), strict=True):
            write_barrier.assign(p, value.astype(p._v.dtype))
        return Tensor(True)
