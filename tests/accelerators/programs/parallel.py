"""Two Dense layers over several chips, unchanged from a script for as many cards. Usage: parallel.py HOW CHIPS [layers]

HOW: data (the batch is cut, by AutoParallel), mode (by the mode "data_parallel"), reducer (the same with a step written
out and DistributedGradReducer), tensor (the weights, by Cell.shard), strategies (both, by strategies of primitives),
layouts (strategies as Layouts), auto (strategies within AutoParallel), optimizer (the batch, and the weights with what
the optimizer keeps of them), hsdp (the same by AutoParallel), recompute (as strategies, without keeping what is within
a block), stages (as strategies, in two stages of a pipeline through which four parts of the batch go), parts (the same
without stages).
"""

import math
import sys

import numpy as np

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.communication import get_group_size, init
from mindspore.parallel import Layout
from mindspore.parallel.auto_parallel import AutoParallel

WIDTH, INNER, BATCH = 1024, 4096, 4096


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up = nn.Dense(WIDTH, INNER)
        self.down = nn.Dense(INNER, WIDTH)

    def construct(self, x):
        return self.down(ops.relu(self.up(x)))


class Block(nn.Cell):
    """The same of primitives with strategies: `dp` parts of the batch and `mp` of the weights."""

    def __init__(self, dp, mp, layout=None):
        super().__init__()
        rows, table, hidden = ((dp, 1), (mp, 1), (dp, mp))
        if layout is not None:
            rows, table, hidden = layout("dp", "None"), layout("mp", "None"), layout("dp", "mp")
        self.up = Parameter(ms.common.initializer.initializer("normal", (INNER, WIDTH)), name="up")
        self.down = Parameter(ms.common.initializer.initializer("normal", (INNER, WIDTH)), name="down")
        self.first = ops.MatMul(transpose_b=True).shard((rows, table))
        self.relu = ops.ReLU().shard((hidden,))
        self.second = ops.MatMul().shard((hidden, table), (rows,))

    def construct(self, x):
        return self.second(self.relu(self.first(x, self.up)), self.down)


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    how, chips, layers = sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or [1])[0])
    if how in ("mode", "reducer"):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    elif how in ("strategies", "layouts", "optimizer", "recompute", "stages", "parts"):
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", enable_parallel_optimizer=how == "optimizer")
        ms.set_auto_parallel_context(dataset_strategy="data_parallel" if how == "optimizer" else "full_batch")
    if how in ("stages", "parts"):
        net = nn.SequentialCell([Block(2, chips // 4) for _ in range(layers)])
        if how == "stages":
            ms.set_auto_parallel_context(pipeline_stages=2)
            for i, block in enumerate(net):
                block.pipeline_stage = 2 * i // layers
    elif how in ("strategies", "layouts", "auto", "recompute"):
        dp = 2 ** (int(math.log2(chips)) // 2)
        layout = Layout((dp, chips // dp), ("dp", "mp")) if how == "layouts" else None
        net = nn.SequentialCell([Block(dp, chips // dp, layout) for _ in range(layers)])
    else:
        net = nn.SequentialCell([Net() for _ in range(layers)])
    if how == "recompute":
        for block in net:
            block.recompute()
    if how == "tensor":
        layout = Layout((1, chips), ("dp", "mp"))
        plan = {"up.weight": layout("mp", "None"), "up.bias": layout("mp"), "down.weight": layout("None", "mp")}
        for block in net:
            block.shard((layout("dp", "None"),), parameter_plan=plan)
    loss = nn.WithLossCell(net, nn.MSELoss())
    if how in ("stages", "parts"):
        loss = nn.PipelineCell(loss, 4)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(loss, optimizer)
    if how in ("data", "auto", "hsdp"):
        step = AutoParallel(step)
    if how == "auto":
        step.dataset_strategy("full_batch")
    if how == "hsdp":
        step.hsdp()
    if how == "reducer":
        init()
        grad_fn = ms.value_and_grad(loss, None, optimizer.parameters)
        reducer = nn.DistributedGradReducer(optimizer.parameters, True, get_group_size())

        @ms.jit
        def step(x, label):
            value, grads = grad_fn(x, label)
            optimizer(reducer(grads))
            return value

    x = ms.Tensor(np.zeros((BATCH, WIDTH), np.float32))
    step(x, x)
