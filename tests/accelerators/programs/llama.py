"""A Llama over several chips, unchanged from a script for as many cards. Usage: llama.py SIZE HOW CHIPS [layers]

SIZE: 70b, 7b, tiny. HOW: strategies (the batch and the weights are cut, by strategies of primitives), optimizer (the
batch, and the weights with what the optimizer keeps of them), both (strategies, and weights further along the batch's
devices), one (nothing is cut). What is within a block is computed again in the backward pass.
"""

import sys

import numpy as np

import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import initializer

SIZES = {  # layers, width, heads, heads of keys, inner width, words, length
    "70b": (80, 8192, 64, 8, 28672, 32000, 4096),
    "7b": (32, 4096, 32, 32, 11008, 32000, 4096),
    "tiny": (2, 64, 8, 8, 128, 96, 32),
}
LATER = ms.Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))


def weight(rows, columns):
    return Parameter(initializer("normal", (rows, columns), ms.bfloat16))


class Linear(nn.Cell):
    """X W^T, whose weight is cut along what it makes, or (`by_inputs`) along what it takes."""

    def __init__(self, inputs, outputs, dp, mp, by_inputs=False):
        super().__init__()
        self.weight = weight(outputs, inputs)
        cuts = ((dp, mp), (1, mp)) if by_inputs else ((dp, 1), (mp, 1))
        self.product = ops.MatMul(transpose_b=True).shard(cuts)

    def construct(self, x):
        return self.product(x, self.weight)


class RMSNorm(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.weight = Parameter(initializer("ones", (width,), ms.bfloat16))

    def construct(self, x):
        return ops.rms_norm(x, self.weight, 1e-5)[0]


class Attention(nn.Cell):
    def __init__(self, width, heads, groups, length, dp, mp):
        super().__init__()
        self.heads, self.groups, self.length, self.size = heads, groups, length, width // heads
        self.q = Linear(width, width, dp, mp)
        self.k = Linear(width, groups * self.size, dp, mp)
        self.v = Linear(width, groups * self.size, dp, mp)
        self.out = Linear(width, width, dp, mp, by_inputs=True)
        self.score = ops.operations.nn_ops.FlashAttentionScore(
            heads, scale_value=self.size**-0.5, input_layout="BNSD", sparse_mode=2
        ).shard(((dp, mp, 1, 1), (dp, mp, 1, 1), (dp, mp, 1, 1), (1, 1)))
        angles = np.outer(np.arange(length), 1e4 ** -(np.arange(0, self.size, 2) / self.size))
        self.cos, self.sin = (
            ms.Tensor(np.concatenate([f(angles)] * 2, -1).astype(np.float32), ms.bfloat16) for f in (np.cos, np.sin)
        )

    def split(self, x, heads):
        return x.reshape(-1, self.length, heads, self.size).transpose(0, 2, 1, 3)

    def rotate(self, x):
        low, high = ops.chunk(x, 2, axis=-1)
        return x * self.cos + ops.cat((-high, low), axis=-1) * self.sin

    def construct(self, x):
        q, k = self.rotate(self.split(self.q(x), self.heads)), self.rotate(self.split(self.k(x), self.groups))
        y = self.score(q, k, self.split(self.v(x), self.groups), None, None, None, LATER)[3]
        return self.out(y.transpose(0, 2, 1, 3).reshape(x.shape))


class Block(nn.Cell):
    def __init__(self, width, heads, groups, inner, length, dp, mp):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(width), RMSNorm(width)
        self.attention = Attention(width, heads, groups, length, dp, mp)
        self.gate, self.up = Linear(width, inner, dp, mp), Linear(width, inner, dp, mp)
        self.down = Linear(inner, width, dp, mp, by_inputs=True)

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        y = self.norm2(x)
        return x + self.down(ops.silu(self.gate(y)) * self.up(y))


class Llama(nn.Cell):
    def __init__(self, layers, width, heads, groups, inner, words, length, dp, mp):
        super().__init__()
        self.words = weight(words, width)
        self.find = ops.Gather().shard(((mp, 1), (dp, 1)))
        self.blocks = nn.CellList([Block(width, heads, groups, inner, length, dp, mp) for _ in range(layers)])
        self.norm = RMSNorm(width)
        self.head = Linear(width, words, dp, mp)
        for block in self.blocks:
            block.recompute()

    def construct(self, ids):
        x = self.find(self.words, ids, 0).reshape(-1, self.words.shape[1])
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).astype(ms.float32)


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    (depth, *sizes, words, length), how, chips = SIZES[sys.argv[1]], sys.argv[2], int(sys.argv[3])
    layers = int((sys.argv[4:] or [depth])[0])
    dp = {"optimizer": chips, "both": chips // 8, "strategies": chips // 8, "one": 1}[how]
    mp = {"optimizer": 1, "both": 8, "strategies": 8, "one": 1}[how]
    if how != "one":
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel",
            dataset_strategy=((dp, 1), (dp, 1)),
            enable_parallel_optimizer=how in ("optimizer", "both"),
        )
    net = Llama(layers, *sizes, words, length, dp, mp)
    optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-4)

    class Loss(nn.Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net

        def construct(self, ids, labels):
            return ops.cross_entropy(self.net(ids), labels.reshape(-1))

    step = nn.TrainOneStepCell(Loss(net), optimizer)
    step.set_train()
    ids = ms.Tensor(np.zeros((dp, length), np.int32))
    print(step(ids, ids))
