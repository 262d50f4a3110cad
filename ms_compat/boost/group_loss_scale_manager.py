"""`GroupLossScaleManager`: a loss scale for each group of layers."""

from __future__ import annotations

from typing import Any

import jax

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat.nn.cell import Cell


@jax.custom_vjp
def _same(x, scale):
    return x


def _forward(x, scale):
    return x, scale


def _backward(scale, cotangent):
    return cotangent * scale.astype(cotangent.dtype), scale * 0


_same.defvjp(_forward, _backward)


@op
def _scaled_gradient(x, scale):
    """`x`, whose gradient is multiplied by `scale`."""
    return _same(x, scale)


class GroupLossScaleManager(Cell):
    """Scale each layer group's gradients by a number of its own.

    A network calls it between groups: `x = manager(x, group, next_group)`. The output is the input, and the gradient is
    multiplied by the quotient of the two groups' scales. `BoostTrainOneStepWithLossScaleCell` multiplies a group's
    scale by 2 ** 0.001 after a step whose gradients are finite in the group, and by 2 ** -0.5 after another one.

    Args:
        init_loss_scale (float): the first scale of all groups.
        loss_scale_groups (list[list[Parameter]]): the Parameters of each group. The list may be set as an attribute
            later.

    Inputs:
        x (Tensor): what goes from one group to the next.
        layer1 (int): the number of the group before, from 1 on; 0 stands for the input.
        layer2 (int): the number of the group after.

    >>> import ms_compat as ms
    >>> from ms_compat import boost
    >>> manager = boost.GroupLossScaleManager(8, [])
    >>> manager.set_loss_scale_status(2, 8.0)
    >>> print(ms.grad(lambda x: manager(x, 2, 3))(ms.Tensor(1.0)))
    8.0
    """

    def __init__(self, init_loss_scale: Any, loss_scale_groups: list) -> None:
        super().__init__()
        self._loss_scale = init_loss_scale
        self.loss_scale_groups = loss_scale_groups
        self.loss_scale_number = 0
        self.layer_loss_scale: Any = None
        self.dynamic_loss_scale: Any = None

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: Any) -> None:
        """Make the scales: 1 for what is outside all groups, and one for each group.

        Args:
            loss_scale_number (int): the number of groups.
            init_loss_scale (Union[float, list[float]]): the scale of all groups, or of each.
        """
        self.loss_scale_number = loss_scale_number
        self.layer_loss_scale = (_scaled_gradient,) * (loss_scale_number + 1)
        values = init_loss_scale if isinstance(init_loss_scale, list) else [init_loss_scale] * loss_scale_number
        self.dynamic_loss_scale = ParameterTuple(
            Parameter(Tensor(float(value), mstype.float32), name=f"layer_loss_scale_{index}", requires_grad=False)
            for index, value in enumerate([1.0, *values, 1.0])
        )

    def update_loss_scale_status(self, layer: int, update_ratio: Any) -> Tensor:
        """Multiply the scale of a group by a number, and return it.

        Args:
            layer (int): the number of the group, from 0 on.
            update_ratio (float): the number.
        """
        parameter = self.dynamic_loss_scale[layer + 1]
        new = parameter * update_ratio
        write_barrier.assign(parameter, new._v)
        return new

    def construct(self, x, layer1, layer2):
        return self.layer_loss_scale[layer1](x, self.dynamic_loss_scale[layer1] / self.dynamic_loss_scale[layer2])

    def get_loss_scale(self) -> Any:
        """Return the first scale."""
        return self._loss_scale

    def get_update_cell(self) -> GroupLossScaleManager:
        """Return this object, which changes the scales itself."""
        return self
