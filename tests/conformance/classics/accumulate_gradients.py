"""Gradients summed over several batches by `assign_add`, applied and cleared by `assign`."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

_sum_op = ops.MultitypeFuncGraph("grad_sum_op")
_clear_op = ops.MultitypeFuncGraph("clear_op")


@_sum_op.register("Tensor", "Tensor")
def _cumulative_grad(grad_sum, grad):
    """Apply grad sum to cumulative gradient."""
    return ops.assign_add(grad_sum, grad)


@_clear_op.register("Tensor", "Tensor")
def _clear_grad_sum(grad_sum, zero):
    return ops.assign(grad_sum, zero)


class TrainForwardBackward(nn.Cell):
    def __init__(self, network, optimizer, grad_sum, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.network.add_flags(defer_inline=True)
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad_sum = grad_sum
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.hyper_map = ops.HyperMap()

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad(self.network, weights)(*inputs, sens)
        return ops.depend(loss, self.hyper_map(ops.partial(_sum_op), self.grad_sum, grads))


class TrainOptim(nn.Cell):
    def __init__(self, optimizer, grad_sum):
        super().__init__(auto_prefix=False)
        self.optimizer, self.grad_sum = optimizer, grad_sum

    def construct(self):
        return self.optimizer(self.grad_sum)


class TrainClear(nn.Cell):
    def __init__(self, grad_sum, zeros):
        super().__init__(auto_prefix=False)
        self.grad_sum, self.zeros = grad_sum, zeros
        self.hyper_map = ops.HyperMap()

    def construct(self):
        return self.hyper_map(ops.partial(_clear_op), self.grad_sum, self.zeros)


class Accumulator:
    """The functional style: `Accumulator(optimizer, n)(grads)` inside a compiled step."""

    def __init__(self, optimizer, accumulate_step):
        self.optimizer = optimizer
        self.inner_grads = optimizer.parameters.clone(prefix="accumulate_", init="zeros")
        self.zeros = optimizer.parameters.clone(prefix="zeros_", init="zeros")
        self.counter = Parameter(Tensor(1, ms.int32), "counter_")
        assert accumulate_step > 0
        self.accumulate_step = accumulate_step
        self.map = ops.HyperMap()

    def __call__(self, grads):
        self.map(ops.partial(ops.assign_add), self.inner_grads, grads)
        if self.counter % self.accumulate_step == 0:
            self.optimizer(self.inner_grads)
            self.map(ops.partial(ops.assign), self.inner_grads, self.zeros)
        ops.assign_add(self.counter, Tensor(1, ms.int32))
        return True


def functional(fill, rng):
    net = fill(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2)), 7)
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    accumulator = Accumulator(optimizer, 2)

    def forward_fn(data, label):
        logits = net(data)
        loss = loss_fn(logits, label)
        return loss / 2

    grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params())

    @ms.jit
    def train_step(data, label):
        loss, grads = grad_fn(data, label)
        accumulator(grads)
        return loss

    out = []
    for _ in range(5):
        x, y = rng.standard_normal((4, 3)), rng.integers(0, 2, 4)
        out.append((train_step(Tensor(x, ms.float32), Tensor(y, ms.int32)), net[0].weight[0].asnumpy()))
    return out, accumulator.counter, [p for p in accumulator.inner_grads]


def program(fill):
    rng = np.random.default_rng(2)
    net = fill(nn.Dense(3, 2))
    loss_net = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    optimizer = nn.Momentum(net.trainable_params(), 0.5, 0.9)
    grad_sum = optimizer.parameters.clone(prefix="grad_sum", init="zeros")
    zeros = optimizer.parameters.clone(prefix="zeros", init="zeros")
    forward = TrainForwardBackward(loss_net, optimizer, grad_sum)
    optim, clear = TrainOptim(optimizer, grad_sum), TrainClear(grad_sum, zeros)
    forward.set_train()
    out = []
    for number in range(6):
        x, y = rng.standard_normal((4, 3)).astype(np.float32), rng.integers(0, 2, 4).astype(np.int32)
        out.append(forward(Tensor(x), Tensor(y)))
        if (number + 1) % 3 == 0:
            out.append([g.asnumpy().copy() for g in grad_sum])
            optim()
            clear()
    return out, {p.name: p for p in net.get_parameters()}, [p.name for p in grad_sum], functional(fill, rng)
