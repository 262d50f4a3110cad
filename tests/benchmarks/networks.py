"""Four training steps as MindSpore programs, for ms_compat and for MindSpore itself.

`MS_BENCHMARK_PACKAGE=mindspore` runs them on MindSpore, with its own interpreter; JAX is not imported then.
"""

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ms = importlib.import_module(os.environ.get("MS_BENCHMARK_PACKAGE", "ms_compat"))
nn, ops, Parameter, Tensor = ms.nn, ms.ops, ms.Parameter, ms.Tensor

F32 = np.float32
STAGES = ((1, 1), (1, 1), (2, 2), (2, 1), (4, 2), (4, 1), (8, 2), (8, 1))  # widths by the first, and strides
VOCABULARY, HEADS = 1000, 4


@dataclass(frozen=True)
class Sizes:
    """What the sizes of the networks and their data depend on.

    Attributes:
        channels: of the ResNet's first convolution.
        images: in the ResNet's batch.
        width, length, layers: of the GPT.
    """

    channels: int
    images: int
    width: int
    length: int
    layers: int


# SMALL has as many operations as FULL in a ResNet, and fewer multiplications.
SMALL = Sizes(channels=8, images=4, width=128, length=64, layers=2)
FULL = Sizes(channels=64, images=16, width=256, length=128, layers=4)


class LeNet(nn.Cell):
    def __init__(self, sizes):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()
        self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


class Block(nn.Cell):
    def __init__(self, i, o, stride):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, stride=stride, pad_mode="pad", padding=1), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, pad_mode="pad", padding=1), nn.BatchNorm2d(o)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or i != o:
            self.down = nn.SequentialCell(nn.Conv2d(i, o, 1, stride=stride), nn.BatchNorm2d(o))

    def construct(self, x):
        y = self.b2(self.c2(self.relu(self.b1(self.c1(x)))))
        return self.relu(y + (x if self.down is None else self.down(x)))


class ResNet18(nn.Cell):
    def __init__(self, sizes):
        super().__init__()
        width = sizes.channels
        self.stem, self.bn = nn.Conv2d(3, width, 3, pad_mode="pad", padding=1), nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        outputs = [width * factor for factor, _ in STAGES]
        blocks = [Block(i, o, s) for i, o, (_, s) in zip([width, *outputs[:-1]], outputs, STAGES, strict=True)]
        self.blocks = nn.SequentialCell(*blocks)
        self.fc = nn.Dense(outputs[-1], 10)

    def construct(self, x):
        return self.fc(ops.mean(self.blocks(self.relu(self.bn(self.stem(x)))), (2, 3)))


class Attention(nn.Cell):
    def __init__(self, width, length):
        super().__init__()
        self.qkv, self.proj = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, F32), 1))

    def construct(self, x):
        b, t, d = x.shape
        q, k, v = ops.split(self.qkv(x), d, axis=2)
        q = q.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 1, 3)
        k = k.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 3, 1)
        v = v.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 1, 3)
        w = ops.softmax(ops.matmul(q, k) * (d // HEADS) ** -0.5 + self.mask, axis=-1)
        return self.proj(ops.matmul(w, v).transpose(0, 2, 1, 3).reshape(b, t, d))


class GPT(nn.Cell):
    def __init__(self, sizes):
        super().__init__()
        width, length, layers = sizes.width, sizes.length, sizes.layers
        self.tok = nn.Embedding(VOCABULARY, width)
        self.pos = Parameter(Tensor(np.random.RandomState(1).randn(length, width).astype(F32) * 0.02), name="pos")
        self.layers = nn.CellList(
            [nn.SequentialCell(nn.LayerNorm((width,)), Attention(width, length)) for _ in range(layers)]
        )
        self.mlps = nn.CellList([self.mlp(width) for _ in range(layers)])
        self.ln, self.head = nn.LayerNorm((width,)), nn.Dense(width, VOCABULARY, has_bias=False)

    @staticmethod
    def mlp(width):
        return nn.SequentialCell(
            nn.LayerNorm((width,)), nn.Dense(width, 4 * width), nn.GELU(), nn.Dense(4 * width, width)
        )

    def construct(self, ids):
        x = self.tok(ids) + self.pos
        for i in range(len(self.layers)):
            x = x + self.layers[i](x)
            x = x + self.mlps[i](x)
        return self.head(self.ln(x)).reshape(-1, VOCABULARY)


class LSTMNet(nn.Cell):
    def __init__(self, sizes):
        super().__init__()
        self.emb, self.rnn, self.fc = nn.Embedding(1000, 64), nn.LSTM(64, 128, batch_first=True), nn.Dense(128, 10)

    def construct(self, ids):
        y, _ = self.rnn(self.emb(ids))
        return self.fc(y[:, -1])


@dataclass(frozen=True)
class Program:
    """A network, its data and its optimizer.

    Attributes:
        net: makes the network from the sizes.
        data: gives the input and the labels from a RandomState and the sizes.
        optimizer: makes the optimizer from the parameters.
    """

    net: Callable
    data: Callable
    optimizer: Callable


def images(batch, *shape):
    """The data of a network for images."""
    return lambda r: (r.randn(batch, *shape).astype(F32), r.randint(0, 10, batch).astype(np.int32))


def tokens(batch, length, classes, labels):
    """The data of a network for texts."""
    return lambda r: (
        r.randint(0, 1000, (batch, length)).astype(np.int32), r.randint(0, classes, labels).astype(np.int32)
    )  # fmt: skip


def programs(sizes):
    """The programs by their names."""
    length = sizes.length
    return {
        "lenet": Program(LeNet, images(32, 1, 32, 32), momentum),
        "resnet18": Program(ResNet18, images(sizes.images, 3, 32, 32), momentum),
        "gpt": Program(GPT, tokens(8, length, VOCABULARY, 8 * length), adam),
        "lstm": Program(LSTMNet, tokens(16, 64, 10, 16), adam),
    }


def momentum(parameters):
    return nn.Momentum(parameters, 0.01, 0.9)


def adam(parameters):
    return nn.Adam(parameters, 1e-3)


def loss_function():
    return nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


class Compiled:
    """The step in GRAPH_MODE; a call returns the loss as a Python float."""

    def __init__(self, program, net):
        self.net = net
        with_loss = nn.WithLossCell(net, loss_function())
        self.step = nn.TrainOneStepCell(with_loss, program.optimizer(net.trainable_params()))
        self.step.set_train()
        self.data = [Tensor(v) for v in program.data(np.random.RandomState(0))]

    def __call__(self) -> float:
        return float(self.step(*self.data).asnumpy())


class Recorded:
    """The step in PYNATIVE_MODE, with a function of loss and gradients; a call returns the loss as a Python float."""

    def __init__(self, program, net):
        net.set_train()
        loss = loss_function()
        self.optimizer = program.optimizer(net.trainable_params())
        self.data = [Tensor(v) for v in program.data(np.random.RandomState(0))]
        self.gradients = ms.value_and_grad(lambda x, y: loss(net(x), y), None, self.optimizer.parameters)

    def __call__(self) -> float:
        value, gradients = self.gradients(*self.data)
        self.optimizer(gradients)
        return float(value.asnumpy())
