"""Nets whose files serve every batch. The recorder runs them in MindSpore, too, with other batches than exported."""

from __future__ import annotations

import numpy as np

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Parameter, Tensor, mint, nn, ops
from tests._formats.mindir.nets import LeNet, Of, floats


class Weighted(nn.Cell):
    """A Cell of a function of the input and a Parameter."""

    def __init__(self, fn, *shape):
        super().__init__()
        self.weight = Parameter(floats(*shape), name="weight")
        self.fn = fn

    def construct(self, x):
        return self.fn(x, self.weight)


def until(x, w):
    while x.sum() < 50:
        x = ops.abs(x) * 1.5 + w + x.shape[0]
    return x


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Dense(8, 8) for _ in range(3))
        self.mask = Tensor(np.triu(np.full((4, 4), -1e9, np.float32), 1))

    def construct(self, x):
        b, n, c = x.shape
        q, k, v = (f(x).reshape(b, n, 2, c // 2).transpose(0, 2, 1, 3) for f in (self.q, self.k, self.v))
        weights = ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.5 + self.mask, -1)
        return ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(b, n, c)


def heads(x):
    b, c, n = x.shape
    return ops.reshape(x, (b * c, n)).sum(-1).reshape((b, c)), ops.reshape(x, (b, n, c))


def shuffled(x):
    b, c, h, w = x.shape
    return x.reshape(b, 2, c // 2, h, w).transpose(0, 2, 1, 3, 4).reshape(b, c, h, w)


def with_token(x, token):
    return ops.cat((ops.tile(token, (x.shape[0], 1, 1)), x), 1)


_FUNCTIONS = {
    "opsflatten": (lambda x: ops.flatten(x), (2, 3, 4)),
    "flatten2": (lambda x: ops.flatten(x, start_dim=2), (2, 3, 4, 5)),
    "view": (lambda x: x.view(x.shape[0], -1), (2, 3, 4)),
    "view_m1": (lambda x: x.view(-1, 12), (2, 3, 4)),
    "view_m1b": (lambda x: x.view((-1, 4)), (2, 3, 4)),
    "reshape": (lambda x: x.reshape(x.shape[0], -1), (2, 3, 4)),
    "swap": (lambda x: ops.transpose(x, (1, 0, 2)).reshape(3, -1), (2, 3, 4)),
    "meanb": (lambda x: x.mean(0), (2, 3, 4)),
    "meanall": (lambda x: x.mean(), (2, 3, 4)),
    "summean": (lambda x: x.sum(0) / x.shape[0], (2, 3, 4)),
    "arith": (lambda x: x * x.shape[0] + x.shape[0], (2, 3, 4)),
    "bcast": (lambda x: ops.broadcast_to(x[:, :1], (x.shape[0], 5, 4)) + 1, (2, 3, 4)),
    "tile": (lambda x: ops.tile(x, (1, 2, 1)), (2, 3, 4)),
    "zeros": (lambda x: ops.zeros(x.shape, ms.float32) + x, (2, 3, 4)),
    "ones_like": (lambda x: ops.ones_like(x) * 3, (2, 3, 4)),
    "concat": (lambda x: ops.cat((ops.zeros((x.shape[0], 1, 4), ms.float32), x), 1), (2, 3, 4)),
    "bmm": (lambda x: ops.bmm(x, x.swapaxes(1, 2)), (2, 3, 4)),
    "bmmop": (lambda x: ops.BatchMatMul(transpose_b=True)(x, x), (2, 3, 4)),
    "softmax": (lambda x: ops.softmax(x, -1), (2, 3, 4)),
    "logsoftmax": (lambda x: ops.log_softmax(x, 1), (2, 3, 4)),
    "maskfill": (lambda x: ops.masked_fill(x, x > 3, 0.0), (2, 3, 4)),
    "where": (lambda x: ops.where(x > 3, x, ops.zeros_like(x)), (2, 3, 4)),
    "select0": (lambda x: x[:, 0], (2, 3, 4)),
    "slice": (lambda x: x[:, 1:, ::2], (2, 3, 4)),
    "stack": (lambda x: ops.stack((x, x + 1), 1), (2, 3, 4)),
    "onehot": (lambda x: ops.one_hot(x.astype(ms.int32), 30, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)), (2, 3)),
    "cumsum0": (lambda x: ops.cumsum(x, 0), (2, 3)),
    "l2n": (lambda x: x / ops.sqrt((x * x).sum(1, keepdims=True) + 1), (2, 3)),
    "interp": (lambda x: ops.interpolate(x, size=(8, 8), mode="nearest"), (2, 3, 4, 4)),
    "interpb": (lambda x: ops.interpolate(x, size=(8, 8), mode="bilinear"), (2, 3, 4, 4)),
    "pad": (lambda x: ops.pad(x, (1, 1, 2, 2)), (2, 3, 4, 4)),
    "pixsh": (lambda x: ops.pixel_shuffle(x, 2), (2, 4, 4, 4)),
    "arange": (lambda x: x + ops.arange(x.shape[1]), (2, 3)),
    "arangeb": (lambda x: x + ops.arange(x.shape[0]).reshape(-1, 1), (2, 3)),
    "full": (lambda x: ops.full((x.shape[0], 2), 3.0), (2, 3)),
    "multi": (lambda x: (x + 1, x.sum(0), x.reshape(-1)), (2, 3)),
    "rev": (lambda x: ops.flip(x, (1,)), (2, 3)),
    "var": (lambda x: x.var(0), (2, 3)),
    "repeat": (lambda x: ops.repeat_interleave(x, 2, 1), (2, 3)),
    "expand": (lambda x: x.expand_dims(1).broadcast_to((x.shape[0], 4, 3)), (2, 3)),
    "scatterm": (lambda x: ops.concat((x, x), 0), (2, 3)),
    "last": (lambda x: x[x.shape[0] - 1], (2, 3)),
    "sizes in arithmetic": (lambda x: x / (x.shape[0] * 2 + 1) + x.shape[0] // 2 * x.size, (2, 3)),
    "one row more": (lambda x: ops.ones((x.shape[0] + 1, 2)), (2, 3)),
    "mint": (lambda x: mint.flatten(mint.transpose(x, 1, 2), 1), (2, 3, 4)),
    "mnp": (lambda x: mnp.reshape(x, (x.shape[0], -1)).mean(axis=0), (2, 3, 4)),
    "heads": (heads, (2, 3, 4)),
    "shuffled channels": (shuffled, (2, 4, 3, 3)),
}
_CELLS = {
    "LeNet": (LeNet, (2, 1, 32, 32)),
    "attention": (Attention, (2, 4, 8)),
    "Flatten and Dense": (lambda: nn.SequentialCell(nn.Flatten(), nn.Dense(12, 2)), (2, 3, 4)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(3), (2, 3, 4, 4)),
    "BatchNorm2d in training": (lambda: nn.BatchNorm2d(3).set_train(), (2, 3, 4, 4)),
    "LayerNorm": (lambda: nn.LayerNorm((4,)), (2, 3, 4)),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), (2, 4, 4, 4)),
    "Conv1d": (lambda: nn.Conv1d(3, 4, 3), (2, 3, 6)),
    "Conv2d": (lambda: nn.Conv2d(4, 4, 3, group=2), (2, 4, 6, 6)),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(3, 4, 3, 2), (2, 3, 5, 5)),
    "MaxPool2d": (lambda: nn.MaxPool2d(2, 2), (2, 3, 6, 6)),
    "AvgPool2d": (lambda: nn.AvgPool2d(3, 2, "same"), (2, 3, 6, 6)),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d(1), (2, 3, 6, 6)),
    "LSTM": (lambda: nn.LSTM(4, 5, batch_first=True), (2, 3, 4)),
    "Dense": (lambda: nn.Dense(4, 2, activation="relu"), (2, 3, 4)),
    "Embedding": (lambda: nn.SequentialCell(Of(lambda x: ops.abs(x).astype(ms.int32)), nn.Embedding(9, 4)), (2, 3)),
    "a token": (lambda: Weighted(with_token, 1, 1, 4), (2, 3, 4)),
    "broadcast": (lambda: Weighted(lambda x, w: w.broadcast_to((x.shape[0], 4)) * 2, 1, 4), (2, 3)),
    "tiled": (lambda: Weighted(lambda x, w: ops.tile(w, (x.shape[0], 1)) + 1, 2, 4), (2, 3)),
    "matrices": (lambda: Weighted(lambda x, w: ops.matmul(x, w), 4, 5), (2, 3, 4)),
    "while": (lambda: Weighted(until, 3), (2, 3)),
    "ReplicationPad2d": (lambda: nn.ReplicationPad2d(1), (2, 3, 4, 4)),
}
# name -> (what makes the net, the shape that it is exported with)
BATCHES = {name: ((lambda fn=fn: Of(fn)), shape) for name, (fn, shape) in _FUNCTIONS.items()} | _CELLS
