"""Training steps with the ways of `AutoBoost`: frozen layers, accumulated gradients, steps in few dimensions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import jax.numpy as jnp

from ms_compat._autograd.engine import gradients
from ms_compat._autograd.recorded import call_and_linearize
from ms_compat._compile.control_flow.branches import is_traced, select_call
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import type_error
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat.boost.adasum import AdaSum
from ms_compat.boost.boost import AutoBoost
from ms_compat.boost.dim_reduce import DimReduce
from ms_compat.boost.grad_accumulation import gradient_accumulation_op, gradient_clear_op
from ms_compat.boost.grad_freeze import FreezeOpt, freeze_cell
from ms_compat.boost.principal_components import load_local
from ms_compat.communication.management import get_group_size, get_rank
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell, broadcast_parameters
from ms_compat.nn.wrap.conditional import update_where
from ms_compat.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell, any_overflow, unscaled
from ms_compat.ops import HyperMap, full_like, partial

_GROWTH, _REDUCTION = 2 ** (1 / 1000), 2**-0.5


class BoostTrainOneStepCell(TrainOneStepCell):
    """A training step with the ways that `AutoBoost` is configured for.

    Args:
        network (Cell): the network that computes the loss.
        optimizer (Optimizer): the optimizer, or a `FreezeOpt`.
        sens (float): the cotangent of the loss; 1 by default.

    Inputs:
        *inputs (tuple[Tensor]): the network's inputs.

    Returns:
        The loss. MindSpore returns None where `sens` is not given and layers are not frozen.

    >>> import ms_compat as ms
    >>> from ms_compat import boost, nn
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25))
    >>> print(step(ms.Tensor([[1.0]]), ms.Tensor([[3.0]])), net.weight.asnumpy())
    4.0 [[2.]]
    """

    def __init__(self, network: Cell, optimizer: Any, sens: Any = None) -> None:
        super().__init__(network, optimizer, sens)
        self.hyper_map = HyperMap()
        self.freeze = isinstance(optimizer, FreezeOpt)
        self.train_strategy = getattr(optimizer, "train_strategy", None)
        self.auto_boost = AutoBoost()
        config, self.parallel_mode = self.auto_boost.boost_config, get_auto_parallel_context("parallel_mode")
        self.max_accumulation_step = self.auto_boost.grad_accumulation_step
        self.use_grad_accumulation = bool(
            config["grad_accumulation"]
            and self.max_accumulation_step > 1
            and self.parallel_mode in ("data_parallel", "stand_alone")
        )
        self.accumulation_step: Any = Parameter(Tensor(0, mstype.int32), name="accumulation_step")
        if self.use_grad_accumulation:
            self.grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self.enable_dim_reduce = bool(getattr(optimizer, "dim_reduce", None))
        if self.enable_dim_reduce:
            self._init_dim_reduce()
        self.step: Any = Parameter(Tensor(0, mstype.int32), name="step")
        self.freeze_nets: Any = None
        if self.freeze:
            mean = get_auto_parallel_context("gradients_mean") if self.reducer_flag else None
            degree = get_group_size() if self.reducer_flag else None
            self.freeze_nets = freeze_cell(
                self.reducer_flag, network, optimizer, self.sens, self.grad, self.use_grad_accumulation, mean, degree,
                self.max_accumulation_step,
            )  # fmt: skip
        self.sync_tensor = Parameter(Tensor(0, mstype.int32), name="sync_tensor")
        self.enable_adasum = self.check_adasum_enable()
        if self.enable_adasum:
            self._init_adasum()

    def construct(self, *inputs):
        if self.freeze:
            return self.gradient_freeze_process(*inputs)
        weights = list(self.weights)
        linearized = call_and_linearize(self.network, inputs, weights, "BoostTrainOneStepCell")
        loss = linearized.out
        sens = full_like(loss, float(self.sens))
        grads = tuple(gradients(linearized, weights, sens, "BoostTrainOneStepCell"))
        return self._update(loss, self.grad_reducer(grads), sens, *inputs)

    def _update(self, loss: Any, grads: Any, sens: Any, *inputs: Any) -> Any:
        if self.use_grad_accumulation:
            return self.gradient_accumulation_process(loss, grads, sens, *inputs)
        self._apply(loss, grads, sens, *inputs)
        return loss

    def _apply(self, loss: Any, grads: Any, sens: Any, *inputs: Any) -> None:
        if self.enable_dim_reduce:
            self.dim_reduce(loss, grads, sens, self.weights, self.weights_clone, *inputs)
        elif self.enable_adasum:
            self.adasum_process(loss, grads)
        else:
            self.optimizer(grads)

    def _state(self) -> tuple:
        """All Parameters that a step may change."""
        return (*self.get_parameters(), *self.weights, *self.optimizer.get_parameters())

    def gradient_freeze_process(self, *inputs: Any) -> Any:
        """Run the step of the group whose turn it is, and return the loss.

        Args:
            *inputs (tuple[Tensor]): the network's inputs.
        """
        strategy = self.train_strategy
        count = len(self.freeze_nets) if strategy is None else strategy.shape[0]
        turn = self.step.value()
        group = turn if strategy is None else strategy[turn]
        if is_traced(group):
            loss = select_call(group, self.freeze_nets, "BoostTrainOneStepCell")(*inputs)
        else:
            loss = self.freeze_nets[int(group)](*inputs)
        write_barrier.assign(self.step, ((turn + 1) % count)._v.astype(jnp.int32))
        return loss

    def gradient_accumulation_process(self, loss: Any, grads: Any, sens: Any, *inputs: Any) -> Any:
        """Add a step's share of the mean gradient, update the weights where it is complete, and return the loss.

        Args:
            loss (Tensor): the loss.
            grads (tuple[Tensor]): the gradients.
            sens (Tensor): the cotangent of the loss.
            *inputs (tuple[Tensor]): the network's inputs.
        """
        add = partial(gradient_accumulation_op, self.max_accumulation_step)
        self.hyper_map(add, self.grad_accumulation, grads)
        self.accumulation_step += 1

        def update() -> None:
            self._apply(loss, self.grad_accumulation, sens, *inputs)
            write_barrier.assign(self.accumulation_step, jnp.zeros((), jnp.int32))
            self.hyper_map(gradient_clear_op, self.grad_accumulation)

        update_where(self.accumulation_step >= self.max_accumulation_step, update, self._state())
        return loss

    def adasum_process(self, loss: Any, grads: Any) -> Any:
        """Make a step, add all processes' steps adaptively, and return the loss.

        Args:
            loss (Tensor): the loss.
            grads (tuple[Tensor]): the gradients.
        """
        self.optimizer(grads)
        own = self.weights[self.start[self.server_rank] : self.end[self.server_rank]]
        self.adasum([old - new for old, new in zip(self.grad_clone, own, strict=True)], own, self.grad_clone)
        for place in range(self.device_number):
            part = list(self.weights[self.start[place] : self.end[place]])
            if self.device_number > 1:
                broadcast_parameters(part, self._first_rank + place, self._server_group)
        for clone, parameter in zip(self.grad_clone, own, strict=True):
            write_barrier.assign(clone, parameter.value()._v)
        return loss

    def check_adasum_enable(self) -> bool:
        """Whether the optimizer is marked for adaptive sums, and there are 2, 4, 8, ... groups of processes."""
        if not getattr(self.optimizer, "adasum", None) or not self.reducer_flag:
            return False
        groups = get_group_size() // self.auto_boost.device_number
        return groups > 1 and groups & (groups - 1) == 0

    def check_dim_reduce_enable(self) -> bool:
        """Whether the optimizer is marked for steps in few dimensions."""
        return self.enable_dim_reduce

    def _init_dim_reduce(self) -> None:
        boost = self.auto_boost
        alone = self.parallel_mode == "stand_alone"
        rank, count = (0, 1) if alone else (get_rank(), get_group_size())
        self.weights_clone = ParameterTuple(self.weights).clone(prefix="weights_clone", init="same")
        self.dim_reduce = DimReduce(
            self.network, self.optimizer, self.weights, load_local(boost.local_pca_mat_path, boost.timeout),
            boost.n_components, boost.rho, boost.gamma, boost.alpha, boost.sigma, rank, count,
        )  # fmt: skip

    def _init_adasum(self) -> None:
        from ms_compat.communication.management import create_group
        from ms_compat.nn.wrap.micro_batch import DistributedGradReducer

        rank, devices = get_rank(), self.auto_boost.device_number
        self.device_number, self.server_rank = devices, rank % devices
        size = len(self.weights) // devices
        self.start = [place * size for place in range(devices)]
        self.end = [*self.start[1:], len(self.weights)]
        own = self.weights[self.start[self.server_rank] : self.end[self.server_rank]]
        self.grad_clone = ParameterTuple(own).clone(prefix="delta_weight")
        self.adasum = AdaSum(rank, devices, get_group_size() // devices, self.grad_clone)
        self._first_rank = rank - self.server_rank
        self._server_group = f"allreduce_{rank // devices}"
        create_group(self._server_group, list(range(self._first_rank, self._first_rank + devices)))
        mean = get_auto_parallel_context("gradients_mean")
        self.grad_reducer = DistributedGradReducer(self.weights, mean, devices, group=self._server_group)


class BoostTrainOneStepWithLossScaleCell(BoostTrainOneStepCell, TrainOneStepWithLossScaleCell):
    """A training step with a scaled loss and the ways of `AutoBoost`.

    Args:
        network (Cell): the network that computes the loss.
        optimizer (Optimizer): the optimizer.
        scale_sense (Union[Tensor, Cell]): the loss scale of shape () or (1,), a Cell such as
            `nn.DynamicLossScaleUpdateCell`, or a `GroupLossScaleManager` where `AutoBoost` has "loss_scale_group".

    Inputs:
        *inputs (tuple[Tensor]): the network's inputs.

    Returns:
        (loss, whether gradients overflowed, loss scale).

    Raises:
        TypeError: `scale_sense` is something else.
        ValueError: it is a Tensor of another shape.

    >>> import ms_compat as ms
    >>> from ms_compat import boost, nn
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> loss, optimizer = nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25)
    >>> step = boost.BoostTrainOneStepWithLossScaleCell(loss, optimizer, ms.Tensor(8.0))
    >>> print(*step(ms.Tensor([[1.0]]), ms.Tensor([[3.0]])), net.weight.asnumpy())
    4.0 False 8.0 [[2.]]
    """

    def __init__(self, network: Cell, optimizer: Any, scale_sense: Any) -> None:
        super().__init__(network, optimizer, scale_sense)  # the other base makes Parameters of the scale
        self.enable_enhanced_amp = bool(self.auto_boost.boost_config["loss_scale_group"])
        if self.enable_enhanced_amp:
            if not hasattr(scale_sense, "set_loss_scale_status"):
                raise type_error(type(self).__name__, "scale_sense", "a GroupLossScaleManager", scale_sense)
            self.loss_scale_groups = scale_sense.loss_scale_groups
            self._init_groups()

    def _init_groups(self) -> None:
        places = {id(p): place for place, group in enumerate(self.loss_scale_groups) for p in group}
        missing = [p.name for p in self.weights if id(p) not in places]
        if missing:
            raise ValueError(f"For '{type(self).__name__}', no group of 'loss_scale_groups' has {missing}.")
        self._groups = [places[id(p)] for p in self.weights]
        self.optimizer_loss_scale = [count for _, count in sorted(Counter(self._groups).items())]
        manager: Any = self.loss_scaling_manager
        manager.set_loss_scale_status(len(self.loss_scale_groups), manager.get_loss_scale())

    def construct(self, *inputs):
        weights = list(self.weights)
        api = "BoostTrainOneStepWithLossScaleCell"
        linearized = call_and_linearize(self.network, inputs, weights, api)
        loss = linearized.out
        if self.enable_enhanced_amp:
            grads = tuple(gradients(linearized, weights, full_like(loss, 1.0), api))
            return (loss, *self._update_by_groups(self.grad_reducer(grads)))
        scale = wrap(self._read_scale())
        sens = wrap(jnp.broadcast_to(scale._v.reshape(()).astype(loss._v.dtype), loss._v.shape))
        grads = self.grad_reducer(unscaled(tuple(gradients(linearized, weights, sens, api)), scale))
        cond = self.get_overflow_status(None, grads)
        overflow = self.process_loss_scale(cond)
        update_where(wrap(~overflow._v), lambda: self._update(loss, grads, sens, *inputs), self._state())
        return loss, cond, scale

    def _update_by_groups(self, grads: Any) -> tuple[Tensor, Tensor]:
        """Update the weights if all gradients are finite; returns the number of bad groups and the first scale."""
        overflows, scales = [], []
        manager: Any = self.loss_scaling_manager
        for group in range(len(self.loss_scale_groups)):
            part = tuple(g for g, place in zip(grads, self._groups, strict=True) if place == group)
            overflow = any_overflow(part)
            ratio = wrap(jnp.where(overflow._v, jnp.float32(_REDUCTION), jnp.float32(_GROWTH)))
            scales.append(manager.dynamic_loss_scale[group + 1].value())
            manager.update_loss_scale_status(group, ratio)
            overflows.append(overflow._v)
        count = jnp.stack(overflows).sum(dtype=jnp.int32)
        plain = tuple((g / scales[place]).astype(g.dtype) for g, place in zip(grads, self._groups, strict=True))
        update_where(wrap(count == 0), lambda: self.optimizer(plain), self._state())
        return wrap(count), manager.dynamic_loss_scale[1].value()
