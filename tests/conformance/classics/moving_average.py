"""Exponential moving averages of weights: a Cell, a callback that swaps weights, and in a step Cell."""

import copy

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.ops import composite as C

_ema_op = C.MultitypeFuncGraph("grad_ema_op")


@_ema_op.register("Tensor", "Tensor", "Tensor")
def _ema_weights(factor, ema_weight, weight):
    return ops.assign(ema_weight, ema_weight * factor + weight * (1 - factor))


class EMA(nn.Cell):
    def __init__(self, network, decay=0.5, updates=0):
        super().__init__()
        self.shadow = ParameterTuple(network.get_parameters()).clone(prefix="ema", init="same")
        self.weights = ParameterTuple(network.get_parameters())
        self.decay = decay
        self.updates = Parameter(Tensor(updates, ms.float32), name="ema.updates", requires_grad=False)
        self.hyper_map = C.HyperMap()

    def construct(self):
        ops.assign_add(self.updates, Tensor(1.0, ms.float32))
        factor = self.decay * (1 - ops.exp(-self.updates / 2))
        success = self.hyper_map(ops.partial(_ema_op, factor), self.shadow, self.weights)
        return ops.depend(factor, success)

    @ms.jit
    def clone_weights(self):
        for shadow, weight in zip(self.shadow, self.weights):
            ops.assign(shadow, weight)
        return True


class StepWithEMA(nn.TrainOneStepCell):
    def __init__(self, network, optimizer, ema):
        super().__init__(network, optimizer)
        self.ema = ema

    def construct(self, *inputs):
        loss = self.network(*inputs)
        grads = self.grad(self.network, self.weights)(*inputs, ops.fill(loss.dtype, loss.shape, self.sens))
        grads = self.grad_reducer(grads)
        loss = ops.depend(loss, self.optimizer(grads))
        self.ema()
        return loss


def program(fill):
    rng = np.random.default_rng(4)
    net = fill(nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dense(4, 2)))
    ema = EMA(net)
    ema.clone_weights()
    optimizer = nn.SGD(net.trainable_params(), 0.1, momentum=0.9, nesterov=True)
    step = StepWithEMA(nn.WithLossCell(net, nn.MSELoss()), optimizer, ema)
    step.set_train()
    losses = []
    for _ in range(4):
        x, y = rng.standard_normal((5, 3)), rng.standard_normal((5, 2))
        losses.append(step(Tensor(x, ms.float32), Tensor(y, ms.float32)))
    copied = copy.deepcopy(net)
    copied.set_train(False)
    for shadow, weight in zip(ema.shadow, copied.get_parameters()):
        weight.set_data(shadow)
    ones = Tensor(np.ones((2, 3)), ms.float32)
    return losses, copied(ones), net(ones), {p.name: p for p in ema.shadow}, ema.updates
