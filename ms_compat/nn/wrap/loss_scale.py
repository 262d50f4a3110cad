"""Training steps that scale the loss, for float16 gradients: a step whose gradients overflow changes nothing.

In GRAPH_MODE the update is computed and then chosen or not, Parameter by Parameter, within the compiled step; nothing
is read by the host. In PYNATIVE_MODE the host reads whether there was an overflow.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._autograd.engine import gradients
from ms_compat._autograd.recorded import call_and_linearize
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell
from ms_compat.nn.wrap.conditional import update_where


@op(name="any_overflow")
def any_overflow(values):
    """Whether any element in a tuple of arrays is infinite or NaN."""
    found = [~jnp.isfinite(v).all() for v in values]
    return jnp.stack(found).any() if found else jnp.zeros((), bool)


@op
def unscaled(gradients, scale):
    return tuple([(g.astype(jnp.float32) / scale.reshape(())).astype(g.dtype) for g in gradients])


@op
def _next_scale(scale, now, last, overflow, factor, window):
    overflow = overflow.reshape(())
    rises = ((now - last) % window == 0) & ~overflow
    lower = jnp.maximum(scale / factor, 1.0)
    new = jnp.where(overflow, lower, jnp.where(rises, scale * factor, scale)).astype(scale.dtype)
    return new, (now + 1).astype(now.dtype), jnp.where(overflow | rises, now, last).astype(last.dtype)


@faces("nn nn.wrap")
class DynamicLossScaleUpdateCell(Cell):
    """Halves the loss scale at an overflow and doubles it after some steps without.

    Args:
        loss_scale_value: the first scale.
        scale_factor: what it is multiplied or divided by.
        scale_window: steps without overflow after which it rises.

    Inputs of `construct`: the loss scale (a Parameter, which is changed) and whether there was an overflow (returned).

    >>> import ms_compat as ms
    >>> from ms_compat import Parameter, Tensor, nn
    >>> scale = Parameter(Tensor(16.0, ms.float32), name="scale")
    >>> _ = nn.DynamicLossScaleUpdateCell(16, 2, 1000)(scale, Tensor(True))
    >>> print(scale.value())
    8.0
    """

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.scale_window = Tensor(scale_window, mstype.int32)
        self.scale_factor = Tensor(scale_factor, mstype.float32)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, mstype.int32), name="last_overflow_iterator_step")

    def get_loss_scale(self):
        """The first loss scale."""
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        found = _next_scale(
            loss_scale, self.cur_iter, self.last_overflow_iter, overflow, self.scale_factor, self.scale_window
        )
        for parameter, new in zip((loss_scale, self.cur_iter, self.last_overflow_iter), found, strict=True):
            write_barrier.assign(parameter, new._v)
        return overflow


@faces("nn nn.wrap")
class FixedLossScaleUpdateCell(Cell):
    """Leaves the loss scale as it is.

    Args:
        loss_scale_value: the scale.

    >>> from ms_compat import nn
    >>> nn.FixedLossScaleUpdateCell(1024).get_loss_scale()
    1024
    """

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """The loss scale."""
        return self.loss_scale_value

    def construct(self, _, overflow):
        return overflow


@faces("nn nn.wrap")
class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step with a scaled loss; the optimizer runs only if all gradients are finite.

    Args:
        network: returns the loss.
        optimizer: updates its `parameters`.
        scale_sense: a Tensor of shape () or (1,), or a Cell such as `DynamicLossScaleUpdateCell`.

    Returns:
        `construct(*inputs)`: (loss, whether gradients overflowed, loss scale).

    Raises:
        TypeError: `scale_sense` is neither a Tensor nor a Cell.
        ValueError: it is a Tensor of another shape.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> step = nn.TrainOneStepWithLossScaleCell(
    ...     nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.125), Tensor(4.0, ms.float32)
    ... )
    >>> loss, overflow, scale = step(Tensor([[1.0, 1.0]]), Tensor([[0.0]]))
    >>> print(loss, overflow, scale)
    4.0 False 4.0
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer, sens=None)
        api = "TrainOneStepWithLossScaleCell"
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            value = Tensor(scale_sense.get_loss_scale(), mstype.float32)
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise ValueError(
                    f"For '{api}', the shape of 'scale_sense' must be () or (1,), but got {scale_sense.shape}."
                )
            value = Tensor(scale_sense)
        else:
            raise type_error(api, "scale_sense", "a Cell or a Tensor", scale_sense)
        self.scale_sense = Parameter(value, name="scale_sense")

    def construct(self, *inputs):
        weights = list(self.weights)
        api = "TrainOneStepWithLossScaleCell"
        linearized = call_and_linearize(self.network, inputs, weights, api)
        loss = linearized.out
        scale = wrap(self._read_scale())
        status, scale = self.start_overflow_check(loss, scale)
        sens = wrap(jnp.broadcast_to(scale._v.reshape(()).astype(loss._v.dtype), loss._v.shape))
        grads = tuple(gradients(linearized, weights, sens, api))
        grads = self.grad_reducer(unscaled(grads, scale))
        cond = self.get_overflow_status(status, grads)
        self._update_unless(self.process_loss_scale(cond), grads)
        return loss, cond, scale

    def _read_scale(self) -> Any:
        scope = scopes.current_scope()
        if scope is not None:
            scope.note_read(self.scale_sense)
        return self.scale_sense._v if scope is not None else jnp.copy(self.scale_sense._v)

    def _update_unless(self, overflow: Tensor, grads: tuple) -> None:
        changed = (*self.optimizer.get_parameters(), *self.weights)
        update_where(wrap(~overflow._v), lambda: self.optimizer(grads), changed)

    # -- the parts, for users' steps that derive from this one --------------------------------------------------------
    def set_sense_scale(self, sens):
        """Set the loss scale.

        Args:
            sens: a Tensor of the scale's shape.

        Raises:
            TypeError: it is not a Tensor.
        """
        check_type("set_sense_scale", "sens", sens, Tensor)
        self.scale_sense.set_data(sens.astype(self.scale_sense.dtype))

    def start_overflow_check(self, pre_cond, compute_input):
        """Nothing has to be started here: returns (False, `compute_input`)."""
        return wrap(jnp.zeros((), bool)), compute_input

    def get_overflow_status(self, status, compute_output):
        """Whether anything in `compute_output`, a Tensor or a tuple of them, is infinite or NaN; a bool Tensor."""
        values = compute_output if isinstance(compute_output, (tuple, list)) else (compute_output,)
        return any_overflow(tuple(values))

    def process_loss_scale(self, overflow):
        """Let the update Cell, if there is one, change the loss scale; returns `overflow`."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow
