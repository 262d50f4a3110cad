"""Gradients summed over several steps before the optimizer is called once with their mean."""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.conditional import update_where
from ms_compat.ops import HyperMap, MultitypeFuncGraph, assign, assign_add, partial, zeros_like

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _add_share(steps: int, total: Any, gradient: Any) -> Tensor:
    return assign_add(total, (gradient / steps).astype(total.dtype))


@gradient_clear_op.register("Tensor")
def _clear(total: Tensor) -> Tensor:
    return assign(total, zeros_like(total))


class GradientAccumulation(Cell):
    """Add up gradients and call the optimizer with their mean every few steps.

    Args:
        max_accumulation_step (int): the number of steps.
        optimizer (Cell): the optimizer.

    Inputs of `construct`: the loss, which is returned, and the tuple of gradients.

    >>> import ms_compat as ms
    >>> from ms_compat import nn, ops
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> step = ms.boost.GradientAccumulation(2, nn.SGD(net.trainable_params(), 0.5))
    >>> for _ in range(3):
    ...     _ = step(ms.Tensor(0.0), (ms.Tensor([[1.0]]),))
    >>> net.weight.asnumpy().item()
    0.5
    """

    def __init__(self, max_accumulation_step: int, optimizer: Any):
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step: Any = Parameter(Tensor(0, dtype=mstype.int32), name="accumulation_step")

    def construct(self, loss, grads):
        self.hyper_map(partial(gradient_accumulation_op, self._max_accumulation_step), self._grad_accumulation, grads)
        self._accumulation_step += 1
        due = self._accumulation_step >= self._max_accumulation_step
        update_where(due, self._update, (*self.get_parameters(), *self.weights))
        return loss

    def _update(self) -> None:
        self.optimizer(self._grad_accumulation)
        assign(self._accumulation_step, 0)
        self.hyper_map(gradient_clear_op, self._grad_accumulation)
