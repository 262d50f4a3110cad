"""Two Dense layers over 8 chips. Usage: parallel.py data|tensor: the batch is cut, or the weights are."""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn, ops
from mindspore.parallel import Layout
from mindspore.parallel.auto_parallel import AutoParallel


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up = nn.Dense(1024, 4096)
        self.down = nn.Dense(4096, 1024)

    def construct(self, x):
        return self.down(ops.relu(self.up(x)))


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    if sys.argv[1] == "tensor":
        layout = Layout((1, 8), ("dp", "mp"))
        plan = {"up.weight": layout("mp", "None"), "up.bias": layout("mp"), "down.weight": layout("None", "mp")}
        net.shard((layout("dp", "None"),), parameter_plan=plan)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    if sys.argv[1] == "data":
        step = AutoParallel(step)
    x = ms.Tensor(np.zeros((512, 1024), np.float32))
    step(x, x)
