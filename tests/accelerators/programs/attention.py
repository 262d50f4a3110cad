"""Attention over several chips, unchanged from a script for as many cards. Usage: attention.py HOW CHIPS LENGTH

HOW: batch (the batch is cut, by the mode "data_parallel"), strategies (the batch and the heads, by strategies of the
primitive), layouts (the same as Layouts), places (the batch and the sequences, by strategies).
"""

import sys

import numpy as np

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.parallel import Layout

BATCH, HEADS, SIZE = 16, 8, 128
LATER = ms.Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))


class Net(nn.Cell):
    def __init__(self, cuts=None):
        super().__init__()
        self.gain = Parameter(ms.Tensor(np.ones(SIZE), ms.bfloat16))
        self.score = ops.operations.nn_ops.FlashAttentionScore(
            HEADS, scale_value=SIZE**-0.5, input_layout="BNSD", sparse_mode=2
        )
        if cuts is not None:
            self.score.shard(cuts)

    def construct(self, q, k, v):
        y = self.score(q * self.gain, k * self.gain, v * self.gain, None, None, None, LATER)[3]
        return (y.astype(ms.float32) ** 2).mean()


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    how, chips, length = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    dp, mp = (4, chips // 4) if chips > 4 else (chips, 1)
    cut = {"batch": None, "strategies": (dp, mp, 1, 1), "layouts": (dp, mp, 1, 1), "places": (dp, 1, mp, 1)}[how]
    cuts = None if cut is None else (cut, cut, cut, (1, 1))
    if how == "layouts":
        layout = Layout((dp, mp), ("dp", "mp"))
        cuts = (layout("dp", "mp", "None", "None"),) * 3 + (layout("None", "None"),)
    if how == "batch":
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    else:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", dataset_strategy=(cut, cut, cut))
    net = Net(cuts)
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    step.set_train()
    x = ms.Tensor(np.zeros((BATCH, HEADS, length, SIZE)), ms.bfloat16)
    step(x, x, x)
