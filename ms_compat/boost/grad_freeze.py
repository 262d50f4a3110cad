"""Training steps that update the last layers only, in a sequence that is drawn before the training.

A strategy is a sequence of group numbers, one a step. Group 0 has all Parameters; each further group begins later in
the network, so that a step of it computes no gradients for the layers before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ms_compat._autograd.engine import gradients
from ms_compat._autograd.recorded import call_and_linearize
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.boost.base import ParameterProcess, made_again
from ms_compat.boost.grad_accumulation import GradientAccumulation
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.basic import Identity
from ms_compat.nn.optim.base import Optimizer
from ms_compat.nn.optim.lars import LARS
from ms_compat.nn.wrap.micro_batch import DistributedGradReducer
from ms_compat.ops import full_like

_CONTINUOUS, _INTERVAL = 0, 1


class FreezeOpt(Cell):
    """An optimizer for each group of Parameters; `BoostTrainOneStepCell` chooses one of them in each step.

    Args:
        opt (Optimizer): the optimizer that is made again for each group.
        train_parameter_groups (Union[tuple, list]): lists of Parameters, or of an optimizer's dicts. By default there
            is one group of all Parameters.
        train_strategy (Union[tuple[int], list[int], Tensor]): the number of the group for each step, as a Tensor of
            Int32; by default the groups take turns. Where the learning rate is a list as well, each group's optimizer
            has the rates of its own steps.

    Raises:
        TypeError: an argument has another type.
        ValueError: there is a strategy without groups, or it is not of ints.

    >>> from ms_compat import boost, nn
    >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
    >>> parameters = net.trainable_params()
    >>> freeze = boost.FreezeOpt(nn.SGD(parameters, 0.1), [parameters, parameters[2:]], (0, 1, 1))
    >>> [len(optimizer.parameters) for optimizer in freeze.opts], print(freeze.train_strategy)
    [0 1 1]
    ([4, 2], None)
    """

    def __init__(self, opt: Any, train_parameter_groups: Any = None, train_strategy: Any = None) -> None:
        super().__init__()
        check_type("FreezeOpt", "opt", opt, Optimizer)
        if train_strategy is not None and train_parameter_groups is None:
            raise ValueError("For 'FreezeOpt', a 'train_strategy' needs 'train_parameter_groups'.")
        self.is_lars = isinstance(opt, LARS)
        self.single_opt = opt.opt if self.is_lars else opt
        self.parameters = self.single_opt.parameters
        self.learning_rate = self.single_opt.init_learning_rate
        self.dynamic_lr = self.single_opt.dynamic_lr
        if train_parameter_groups is None:
            train_parameter_groups = (tuple(opt.parameters),)
        check_type("FreezeOpt", "train_parameter_groups", train_parameter_groups, (tuple, list))
        self.groups_num = len(train_parameter_groups)
        self.train_strategy = _strategy(train_strategy)
        self.dynamic_learning_rate = self._rates_by_group()
        if self.learning_rate is None:  # a schedule
            self.learning_rate = self.single_opt.learning_rate
        self.opts = []
        for index, params in enumerate(train_parameter_groups):
            check_type("FreezeOpt", f"train_parameter_groups[{index}]", params, (tuple, list))
            rate = self.dynamic_learning_rate[index] or self.learning_rate
            made = made_again(opt, params, rate)
            weights = {id(parameter) for parameter in made.parameters}
            for parameter in made.get_parameters():
                if id(parameter) not in weights:
                    parameter.name = f"boost_{index}{parameter.name}"
            self.opts.append(made)

    def _rates_by_group(self) -> list[list[float]]:
        """The rates of each group's own steps; empty lists where there are fewer steps than rates, or one rate."""
        rates: list[list[float]] = [[] for _ in range(self.groups_num)]
        given, strategy = self.learning_rate, self.train_strategy
        if isinstance(given, list) and strategy is not None and len(given) <= strategy.shape[0]:
            for rate, group in zip(given, strategy.asnumpy().tolist(), strict=False):
                rates[group].append(rate)
        return rates


def _strategy(given: Any) -> Tensor | None:
    if isinstance(given, Tensor):
        if given.ndim != 1 or given.dtype != mstype.int32:
            raise value_error("FreezeOpt", "train_strategy", "a Tensor of one dimension and Int32", given)
    elif isinstance(given, (tuple, list)):
        if not all(isinstance(number, int) for number in given):
            raise value_error("FreezeOpt", "train_strategy", "a sequence of int", given)
        return Tensor(given, mstype.int32)
    elif given is not None:
        raise type_error("FreezeOpt", "train_strategy", "None, a tuple, a list or a Tensor", given)
    return given


class _TrainFreezeCell(Cell):
    """A training step of one group."""

    def __init__(
        self,
        net: Any,
        sens: Any,
        grad: Any,
        grad_reducer: Any,
        use_grad_accumulation: bool,
        optimizer: Any,
        max_accumulation_step: int = 1,
    ) -> None:
        super().__init__(auto_prefix=False)
        self.net, self.grad, self.grad_reducer, self.opt = net, grad, grad_reducer, optimizer
        net.set_grad()
        self.parameters = optimizer.parameters
        self.sens = sens
        self.use_grad_accumulation = use_grad_accumulation
        if use_grad_accumulation:
            self.grad_accumulation = GradientAccumulation(max_accumulation_step, optimizer)

    def construct(self, *inputs):
        weights = list(self.parameters)
        linearized = call_and_linearize(self.net, inputs, weights, "freeze_cell")
        loss = linearized.out
        grads = tuple(gradients(linearized, weights, full_like(loss, self.sens), "freeze_cell"))
        grads = self.grad_reducer(grads)
        if self.use_grad_accumulation:
            return self.grad_accumulation(loss, grads)
        self.opt(grads)
        return loss


class GradientFreeze:
    """Draws which layers are updated in which step.

    Args:
        param_groups (int): the number of groups.
        freeze_type (int): 0 for runs of steps with all layers that are followed by one step of each other group, 1 for
            steps of other groups among steps with all layers, drawn with NumPy's global generator.
        freeze_p (float): how often layers are left out.
        total_steps (int): the steps of the training.

    >>> from ms_compat import boost, nn
    >>> net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2), nn.Dense(2, 2))
    >>> freeze = boost.GradientFreeze(2, 0, 0.5, 6)
    >>> network, optimizer = freeze.freeze_generate(net, nn.SGD(net.trainable_params(), 0.1))
    >>> print(optimizer.train_strategy)
    [0 1 0 1 0 1]
    """

    def __init__(self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int) -> None:
        self._param_groups = param_groups
        self._freeze_type = freeze_type
        self._freeze_p = freeze_p
        self._total_steps = total_steps
        self.grad_reducer = Identity()

    def split_parameters_groups(self, net: Cell, freeze_para_groups_number: int) -> list[list[Parameter]]:
        """Return groups of Parameters: all of them, and for each further group only later ones.

        Args:
            net (Cell): the network. Biases and the Parameters of "bn" stay with the weight before them.
            freeze_para_groups_number (int): the number of groups.
        """
        layers: list[list[Parameter]] = [[]]
        for parameter in net.trainable_params():
            starts = "bn" not in parameter.name and "bias" not in parameter.name
            if starts and len(layers[-1]) >= 3:
                layers.append([])
            layers[-1].append(parameter)
        layers = [layer for layer in layers if layer]
        stride = len(layers) // freeze_para_groups_number
        return [sum(layers[group * stride :], []) for group in range(freeze_para_groups_number)]

    def generate_freeze_index_sequence(
        self, parameter_groups_number: int, freeze_strategy: int, freeze_p: float, total_steps: int
    ) -> list[int]:
        """Return the number of the group for each step, for 1 % more steps than there are.

        Args:
            parameter_groups_number (int): the number of groups.
            freeze_strategy (int): 0 or 1, as `freeze_type`.
            freeze_p (float): how often layers are left out.
            total_steps (int): the number of steps.

        Raises:
            ValueError: the strategy is unknown.
        """
        steps = int(total_steps * 1.01)
        others = list(range(1, parameter_groups_number))
        if parameter_groups_number <= 1:
            return [0] * steps
        if freeze_strategy == _CONTINUOUS:
            part = [0] * int(freeze_p * len(others) // (1 - freeze_p) + 0.5) + others
            return part * -(-steps // len(part))
        if freeze_strategy != _INTERVAL:
            raise ValueError(f"For 'GradientFreeze', the 'freeze_type' must be 0 or 1, but got {freeze_strategy}.")
        chances = [number / sum(others) for number in others]
        numbers = [0]
        frozen = 0
        while len(numbers) < steps:
            if frozen / len(numbers) < 1 - freeze_p:
                numbers.append(int(np.random.choice(others[::-1], p=chances)))
                frozen += 1
            else:
                numbers.append(0)
        return numbers

    def freeze_generate(self, network: Cell, optimizer: Any) -> tuple[Cell, FreezeOpt]:
        """Return the network and a `FreezeOpt` for it, with the groups and the sequence of this object.

        Args:
            network (Cell): the network that computes the loss.
            optimizer (Optimizer): the optimizer.
        """
        groups = self.split_parameters_groups(network, self._param_groups)
        given = optimizer.init_params["params"]
        params = [ParameterProcess.generate_group_params(group, given) for group in groups]
        sequence = self.generate_freeze_index_sequence(
            self._param_groups, self._freeze_type, self._freeze_p, self._total_steps
        )
        return network, FreezeOpt(optimizer, params, sequence)


def freeze_cell(
    reducer_flag: bool,
    network: Cell,
    optimizer: FreezeOpt,
    sens: float,
    grad: Any,
    use_grad_accumulation: bool,
    mean: bool | None = None,
    degree: int | None = None,
    max_accumulation_step: int = 1,
) -> tuple[Cell, ...]:
    """Return a training step for each group of a `FreezeOpt`.

    Args:
        reducer_flag (bool): whether the gradients are added up over processes.
        network (Cell): the network that computes the loss.
        optimizer (FreezeOpt): the optimizers.
        sens (float): the cotangent of the loss.
        grad (GradOperation): kept as the attribute `grad` of the steps.
        use_grad_accumulation (bool): whether the optimizers are called every few steps only.
        mean (bool): whether processes take the mean.
        degree (int): the number of processes.
        max_accumulation_step (int): the number of steps between updates.

    >>> import ms_compat as ms
    >>> from ms_compat import boost, nn, ops
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> optimizer = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.5))
    >>> (step,) = boost.freeze_cell(False, net, optimizer, 1.0, None, False)
    >>> print(step(ms.Tensor([[1.0]])), net.weight.asnumpy())
    [[1.]] [[0.5]]
    """
    reducers: Sequence[Any] = [Identity() for _ in optimizer.opts]
    if reducer_flag:
        process = ParameterProcess()
        reducers = [
            DistributedGradReducer(process.assign_parameter_group(opt.parameters), mean, degree)
            for opt in optimizer.opts
        ]
    return tuple(
        _TrainFreezeCell(network, sens, grad, reducer, use_grad_accumulation, opt, max_accumulation_step)
        for reducer, opt in zip(reducers, optimizer.opts, strict=True)
    )
