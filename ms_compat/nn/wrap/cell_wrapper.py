"""`WithLossCell`, `TrainOneStepCell`, `WithEvalCell` and `ForwardValueAndGrad`.

A training step runs its network once: the loss and the gradients come from one linearization. In GRAPH_MODE the
forward, the backward and the optimizer's update are one compiled program, with parameters and optimizer state donated.
"""

from __future__ import annotations

from typing import Any

from ms_compat._autograd.engine import gradients, linearize
from ms_compat._autograd.grad import GradOperation
from ms_compat._autograd.recorded import call_and_linearize
from ms_compat._autograd.select import ALL, check_weights, select_inputs
from ms_compat._core import dtype as mstype
from ms_compat._core import interrupts
from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_bool, check_type, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.settings import context
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import ParameterTuple
from ms_compat._core.trace import scopes, write_barrier
from ms_compat.communication.collectives import broadcast
from ms_compat.communication.management import get_group_size, members
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.basic import Identity
from ms_compat.nn.optim.adasum import AdaSum
from ms_compat.ops.function.shape.create import full_like


def _check_cell(api: str, name: str, value: Any) -> None:
    if not isinstance(value, Cell) and not callable(value):
        raise TypeError(
            f"For '{api}', the argument '{name}' must be a Cell or a function, but got {type(value).__name__}."
        )


@faces("nn nn.wrap")
class WithLossCell(Cell):
    """A network with its loss: `construct(data, label)` returns `loss_fn(backbone(data), label)`.

    Args:
        backbone: the network, of one input.
        loss_fn: the loss, of the output and the label.

    >>> from ms_compat import Tensor, nn
    >>> cell = nn.WithLossCell(nn.ReLU(), nn.MSELoss())
    >>> print(cell(Tensor([1.0, -1.0]), Tensor([0.0, 0.0])))
    0.5
    """

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        _check_cell("WithLossCell", "backbone", backbone)
        _check_cell("WithLossCell", "loss_fn", loss_fn)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data, label):
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network without its loss."""
        return self._backbone


@faces("nn nn.wrap")
class WithEvalCell(Cell):
    """A network for evaluation: `construct(data, label)` returns `(loss, output, label)`.

    Args:
        network: the network, of one input.
        loss_fn: the loss; None gives 0 as loss.
        add_cast_fp32: cast the output to float32 before the loss.

    >>> from ms_compat import Tensor, nn
    >>> loss, output, label = nn.WithEvalCell(nn.ReLU(), nn.MSELoss())(Tensor([2.0]), Tensor([1.0]))
    >>> print(loss, output, label)
    1.0 [2.] [1.]
    """

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__(auto_prefix=False)
        _check_cell("WithEvalCell", "network", network)
        check_bool("WithEvalCell", "add_cast_fp32", add_cast_fp32)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data, label):
        outputs = self._network(data)
        if self.add_cast_fp32:
            label = label.astype(mstype.float32) if label.dtype in mstype.float_type else label
            outputs = outputs.astype(mstype.float32)
        loss = self._loss_fn(outputs, label) if self._loss_fn is not None else 0
        return loss, outputs, label


@faces("nn nn.wrap")
class TrainOneStepCell(Cell):
    """One training step: the loss, its gradients, and the optimizer's update.

    In the parallel modes "data_parallel" and "hybrid_parallel" the gradients are added up over the processes, and with
    `parameter_broadcast` the processes begin with the Parameters of process 0. An optimizer for adaptive summation,
    such as `AdaSumByGradWrapCell`, gets each process's own gradients and combines them itself.

    Args:
        network: returns the loss (or a tuple of outputs that are all differentiated).
        optimizer: updates its `parameters`.
        sens: the cotangent of the loss (a loss scale); None means 1.
        return_grad: also return the gradients, as a dict name -> gradient.

    Returns:
        `construct(*inputs)`: the loss, or `(loss, gradients)`.

    Raises:
        TypeError: `sens` is not a number, or `return_grad` not a bool.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.125))
    >>> print(step(Tensor([[1.0, 1.0]]), Tensor([[0.0]])))
    4.0
    >>> print(net.weight.asnumpy())
    [[0.5 0.5]]
    """

    def __init__(self, network, optimizer, sens=None, return_grad=False):
        super().__init__(auto_prefix=False)
        _check_cell("TrainOneStepCell", "network", network)
        check_type("TrainOneStepCell", "sens", sens, (int, float, Tensor, type(None)))
        check_bool("TrainOneStepCell", "return_grad", return_grad)
        self.network = network
        if isinstance(network, Cell):
            self.network.set_grad()
        if not hasattr(optimizer, "parameters"):
            raise AttributeError(
                f"For 'TrainOneStepCell', the 'optimizer' must be an Optimizer, but got {value_and_type(optimizer)}."
            )
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sense_flag = sens is not None
        self.sens = 1.0 if sens is None else sens
        self.return_grad = return_grad
        self.grad_reducer = _reducer(network, optimizer)
        self.reducer_flag = not isinstance(self.grad_reducer, Identity)
        if return_grad:
            self.weights_name = [p.name for p in optimizer.parameters]

    def __call__(self, *args, **kwargs):
        """Run a step. After an interrupt, all its changes are there or none: weights as well as statistics."""
        if scopes.tracing or context.state.mode != context.PYNATIVE_MODE or interrupts.in_whole_step():
            return super().__call__(*args, **kwargs)
        with interrupts.whole_step():
            try:
                return super().__call__(*args, **kwargs)
            finally:
                interrupts.end_step()

    def construct(self, *inputs):
        weights = list(self.weights)
        linearized = call_and_linearize(self.network, inputs, weights, "TrainOneStepCell")
        loss = linearized.out
        sens = _fill(loss, self.sens) if self.sense_flag else None
        grads = tuple(gradients(linearized, weights, sens, "TrainOneStepCell"))
        grads = self.grad_reducer(grads)
        self.optimizer(grads)
        if self.return_grad:
            return loss, dict(zip(self.weights_name, grads, strict=True))
        return loss


def _reducer(network: Any, optimizer: Any) -> Cell:
    """What adds the gradients up in the present parallel mode."""
    mode = get_auto_parallel_context("parallel_mode")
    if mode == "stand_alone" or get_group_size() == 1:
        return Identity()
    adaptive = isinstance(optimizer, AdaSum)
    if mode not in ("data_parallel", "hybrid_parallel") and not adaptive:
        return Identity()  # one program computes the gradients of the whole batch
    from ms_compat.nn.wrap.micro_batch import DistributedGradReducer

    if get_auto_parallel_context("parameter_broadcast"):
        found = [*optimizer.get_parameters(), *(network.get_parameters() if isinstance(network, Cell) else ())]
        broadcast_parameters(list({id(p): p for p in found if not p.layerwise_parallel}.values()))
    return Identity() if adaptive else DistributedGradReducer(optimizer.parameters)


def broadcast_parameters(parameters: list[Any], root: int = 0, group: str | None = None) -> None:
    """Give Parameters the values that they have in one process of a group.

    Args:
        parameters: the same ones in every process.
        root: the number of the process among all.
        group: the group's name; None for all processes.

    Raises:
        RuntimeError: `mindspore.communication.init` was not called.
        ValueError: `root` is not in the group.
    """
    ranks = members("parameter_broadcast", group, needs_init=False)
    check_choice("parameter_broadcast", "root", root, ranks)
    if len(ranks) > 1 and parameters:
        for parameter, new in zip(parameters, broadcast(tuple(parameters), ranks, ranks.index(root)), strict=True):
            write_barrier.assign(parameter, new._v)


def _fill(out: Any, sens: Any) -> Any:
    """The sensitivity in the structure of the output."""
    if isinstance(out, (tuple, list)):
        return tuple([_fill(item, sens) for item in out])
    return sens if isinstance(sens, Tensor) and sens.shape == out.shape else full_like(out, float(sens))


@faces("nn nn.wrap")
class ForwardValueAndGrad(Cell):
    """A network's output together with its gradients.

    Args:
        network: the Cell or function.
        weights: ParameterTuple (or list) whose gradients `get_by_list` requests.
        get_all: gradients of all inputs; with neither flag, of the first input.
        get_by_list: gradients of `weights`; with `get_all` too, `((inputs), (weights))`.
        sens_param: the last input is the cotangent of the output; otherwise ones.

    Returns:
        `construct(*inputs[, sens])`: `(output, gradients)`.

    Raises:
        TypeError: a flag is not a bool, or `weights` are not Parameters.

    >>> from ms_compat import Tensor, nn
    >>> value, gradient = nn.ForwardValueAndGrad(nn.ReLU())(Tensor([1.0, -1.0]))
    >>> print(value, gradient)
    [1. 0.] [1. 0.]
    """

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        api = "ForwardValueAndGrad"
        if not callable(network):
            raise TypeError(f"For '{api}', 'network' must be a Cell or a function, but got {type(network).__name__}.")
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            check_bool(api, name, value)
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise TypeError(
                f"For '{api}', with 'get_by_list' the weights must be a ParameterTuple or list, but got "
                f"{type(weights).__name__}."
            )
        self.network = network
        if isinstance(network, Cell):
            self.network.set_grad()
        self.weights = ParameterTuple(weights) if weights is not None else None
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        self.grad = GradOperation(get_all, get_by_list, sens_param)

    def construct(self, *inputs):
        api = "ForwardValueAndGrad"
        sens = None
        if self.sens_param:
            inputs, sens = inputs[:-1], inputs[-1]
        weights, _ = check_weights(self.weights if self.get_by_list else None, api)
        position: Any = None if self.get_by_list else 0
        if self.get_all:
            position = ALL
        selection = select_inputs(inputs, position, api)
        tensors = [*selection.tensors, *weights]
        linearized = call_and_linearize(self.network, inputs, tensors, api)
        count = len(selection.tensors)
        grads = gradients(linearized, tensors, sens, api, count)
        of_inputs, of_weights = selection.pack(grads[:count]), tuple(grads[count:])
        if self.get_all and self.get_by_list:
            return linearized.out, (of_inputs, of_weights)
        if self.get_all:
            return linearized.out, of_inputs
        return linearized.out, of_weights if self.get_by_list else of_inputs[0]


@faces("nn nn.wrap")
class WithGradCell(Cell):
    """The gradients of a network with its loss with respect to its trainable Parameters.

    Args:
        network: the network, of one input.
        loss_fn: the loss, of the output and the label; None if the network returns the loss.
        sens: the cotangent of the loss; None means 1.

    Returns:
        `construct(*inputs)`: a tuple of gradients.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    >>> print(nn.WithGradCell(net, nn.MSELoss())(Tensor([[1.0, 1.0]]), Tensor([[0.0]]))[0])
    [[4. 4.]]
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        _check_cell("WithGradCell", "network", network)
        if loss_fn is not None:
            _check_cell("WithGradCell", "loss_fn", loss_fn)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs):
        weights = list(self.weights)
        linearized = linearize(self.network_with_loss, inputs, {}, weights, False, False, "WithGradCell")
        sens = None if self.sens is None else _fill(linearized.out, self.sens)
        return tuple(gradients(linearized, weights, sens, "WithGradCell"))
