"""Nets that are exported: whole ones, layers of `nn`, and single operations. The recorder
`tests/conformance/record/mindir_export.py` runs their files in MindSpore."""

from __future__ import annotations

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn, ops


def floats(*shape, dtype=np.float32):
    """Numbers between -2 and 2, the same each time."""
    count = int(np.prod(shape))
    return Tensor((np.sin(np.arange(count) * 1.7 + 0.3) * 2).astype(dtype).reshape(shape))


def ints(*shape, below=5, dtype=np.int32):
    return Tensor((np.arange(int(np.prod(shape))) * 7 % below).astype(dtype).reshape(shape))


class Of(nn.Cell):
    """A Cell of a function."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, *inputs):
        return self.fn(*inputs)


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv1(x)))
        x = self.pool(ops.relu(self.conv2(x)))
        x = self.flatten(x)
        return self.fc3(ops.relu(self.fc2(ops.relu(self.fc1(x)))))


class Block(nn.Cell):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, pad_mode="pad", padding=1)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, pad_mode="pad", padding=1)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.SequentialCell(nn.Conv2d(cin, cout, 1, stride), nn.BatchNorm2d(cout))

    def construct(self, x):
        y = self.bn2(self.conv2(ops.relu(self.bn1(self.conv1(x)))))
        return ops.relu(y + (x if self.down is None else self.down(x)))


class ResNet(nn.Cell):
    def __init__(self, widths=(8, 16, 24, 32), depth=2):
        super().__init__()
        self.stem = nn.SequentialCell(
            nn.Conv2d(3, widths[0], 7, 2, pad_mode="pad", padding=3),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, pad_mode="same"),
        )
        blocks, width = [], widths[0]
        for index, to in enumerate(widths):
            for number in range(depth):
                blocks.append(Block(width, to, 2 if index and not number else 1))
                width = to
        self.blocks = nn.SequentialCell(*blocks)
        self.head = nn.Dense(width, 10)

    def construct(self, x):
        return self.head(ops.mean(self.blocks(self.stem(x)), (2, 3)))


class MobileBlock(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Conv2d(4, 8, 1), nn.BatchNorm2d(8), nn.ReLU6(),
            nn.Conv2d(8, 8, 3, 2, pad_mode="pad", padding=1, group=8), nn.BatchNorm2d(8), nn.HSwish(),
            nn.Conv2d(8, 4, 1), nn.BatchNorm2d(4),
        )  # fmt: skip

    def construct(self, x):
        return self.body(x)


class UNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.down1 = nn.Conv2d(3, 4, 3, has_bias=True)
        self.down2 = nn.Conv2d(4, 8, 3, has_bias=True)
        self.pool = nn.MaxPool2d(2, 2)
        self.up = nn.Conv2dTranspose(8, 4, 2, 2, has_bias=True)
        self.last = nn.Conv2d(8, 2, 1)

    def construct(self, x):
        a = ops.relu(self.down1(x))
        b = ops.relu(self.down2(self.pool(a)))
        y = self.last(ops.concat((a, self.up(b)), 1))
        return ops.interpolate(y, size=(20, 24), mode="bilinear", align_corners=True)


class Encoder(nn.Cell):
    """Attention and a feed-forward layer."""

    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv = nn.Dense(width, 3 * width)
        self.out = nn.Dense(width, width)
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.ff = nn.SequentialCell(nn.Dense(width, 32), nn.GELU(), nn.Dense(32, width))
        self.dropout = nn.Dropout(p=0.1)

    def construct(self, x, mask):
        n, t, c = x.shape
        qkv = self.qkv(self.norm1(x)).reshape((n, t, 3, self.heads, self.size)).transpose((2, 0, 3, 1, 4))
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = ops.matmul(q, k.transpose((0, 1, 3, 2))) / self.size**0.5
        scores = ops.masked_fill(scores, mask[:, None, None, :] == 0, -1e9)
        y = ops.matmul(ops.softmax(scores, -1), v).transpose((0, 2, 1, 3)).reshape((n, t, c))
        x = x + self.dropout(self.out(y))
        return x + self.ff(self.norm2(x))


class Classifier(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 8)
        self.head = nn.Dense(8, 3)

    def construct(self, ids):
        return ops.log_softmax(self.head(ops.mean(self.table(ids), 1)), -1)


class Recurrent(nn.Cell):
    def __init__(self, kind, **options):
        super().__init__()
        self.cell = kind(4, 5, **options)
        self.head = nn.Dense(10 if options.get("bidirectional") else 5, 2)

    def construct(self, x):
        y, _ = self.cell(x)
        return self.head(y[:, -1])


class Several(nn.Cell):
    """Inputs and outputs that are not single Tensors."""

    def construct(self, x, pair, none, factor):
        return x * factor, (pair[0] + pair[1][0], [x, 3, 2.5])


class Counter(nn.Cell):
    """A net that changes a Parameter."""

    def __init__(self):
        super().__init__()
        self.total = ms.Parameter(Tensor(np.zeros(3, np.float32)), name="total", requires_grad=False)

    def construct(self, x):
        before = self.total * 1
        ops.assign(self.total, self.total + x)
        return before, self.total * 2


class TrainedTwice(nn.Cell):
    """Two steps of a training: the losses, and what became of the last layer."""

    def __init__(self, net, optimizer):
        super().__init__()
        self.net = net
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        self.step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer(net.trainable_params()))
        self.set_train()

    def construct(self, x, y):
        return self.step(x, y), self.step(x, y), self.net.fc3.weight * 1


def _slope(cell):
    """The gradient of a Cell's output, weighed by numbers that differ."""

    def weighed(x):
        out = cell(x)
        return (out * ops.cos(ops.arange(out.size).astype(ms.float32)).reshape(out.shape)).sum()

    return lambda: Of(ms.grad(weighed))


def _trained(net):
    """Statistics that are not those of a new net."""
    for number, parameter in enumerate(net.get_parameters()):
        if "moving" in parameter.name:
            values = np.cos(np.arange(parameter.size) + number) * 0.2 + (1 if "variance" in parameter.name else 0)
            parameter.set_data(Tensor(values.astype(np.float32).reshape(parameter.shape)))
    return net


X4 = (2, 3, 8, 8)

NETS = {
    "mlp": (lambda: nn.SequentialCell(nn.Dense(6, 8), nn.Tanh(), nn.Dense(8, 3), nn.Softmax()), lambda: [floats(4, 6)]),
    "lenet": (LeNet, lambda: [floats(2, 1, 32, 32)]),
    "residual block": (lambda: _trained(Block(3, 6, 2)), lambda: [floats(*X4)]),
    "resnet18-like": (lambda: _trained(ResNet()), lambda: [floats(1, 3, 64, 64)]),
    "mobile block": (lambda: _trained(MobileBlock()), lambda: [floats(2, 4, 8, 8)]),
    "unet-like": (UNet, lambda: [floats(1, 3, 16, 16)]),
    "lstm": (lambda: Recurrent(nn.LSTM, batch_first=True), lambda: [floats(2, 6, 4)]),
    "bidirectional lstm of two layers": (
        lambda: Recurrent(nn.LSTM, batch_first=True, bidirectional=True, num_layers=2),
        lambda: [floats(2, 4, 4)],
    ),
    "gru": (lambda: Recurrent(nn.GRU, batch_first=True), lambda: [floats(2, 6, 4)]),
    "rnn": (lambda: Recurrent(nn.RNN, batch_first=True), lambda: [floats(2, 6, 4)]),
    "transformer encoder block": (Encoder, lambda: [floats(2, 5, 16), Tensor(np.array([[1, 1, 1, 0, 0], [1] * 5]))]),
    "nn.TransformerEncoderLayer": (
        lambda: nn.TransformerEncoderLayer(16, 4, 32, batch_first=True),
        lambda: [floats(2, 5, 16)],
    ),
    "embedding classifier": (Classifier, lambda: [ints(3, 4, below=20)]),
    "several inputs and outputs": (Several, lambda: [floats(2, 3), (floats(2, 3), [floats(3)]), None, 2.0]),
    "a changed parameter": (Counter, lambda: [floats(3)]),
    "training batch norm": (lambda: nn.BatchNorm2d(3).set_train(), lambda: [floats(*X4)]),
    "training steps": (
        lambda: TrainedTwice(LeNet(), lambda params: nn.Momentum(params, 0.1, 0.9)),
        lambda: [floats(4, 1, 32, 32), ints(4, below=10)],
    ),
    "identity": (lambda: Of(lambda x: x), lambda: [floats(2)]),
}

LAYERS = {
    "Dense": (lambda: nn.Dense(8, 4, activation="relu"), lambda: [floats(*X4)]),
    "BiDense": (lambda: nn.BiDense(3, 4, 2), lambda: [floats(5, 3), floats(5, 4)]),
    "Conv1d": (lambda: nn.Conv1d(3, 4, 3, 2, pad_mode="pad", padding=1), lambda: [floats(2, 3, 9)]),
    "Conv2d same": (lambda: nn.Conv2d(3, 4, 3, 2, has_bias=True), lambda: [floats(*X4)]),
    "Conv2d dilated": (lambda: nn.Conv2d(3, 4, 3, dilation=2), lambda: [floats(*X4)]),
    "Conv2d uneven": (lambda: nn.Conv2d(3, 4, (3, 2), pad_mode="pad", padding=(1, 2, 0, 1)), lambda: [floats(*X4)]),
    "Conv2d grouped": (lambda: nn.Conv2d(4, 6, 3, group=2), lambda: [floats(2, 4, 6, 6)]),
    "Conv3d": (lambda: nn.Conv3d(2, 4, 3), lambda: [floats(1, 2, 5, 6, 7)]),
    "Conv1dTranspose": (lambda: nn.Conv1dTranspose(3, 4, 3, 2), lambda: [floats(2, 3, 9)]),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(3, 4, 3, 2), lambda: [floats(*X4)]),
    "Conv2dTranspose padded": (
        lambda: nn.Conv2dTranspose(3, 4, 4, 2, pad_mode="pad", padding=1, has_bias=True),
        lambda: [floats(*X4)],
    ),
    "Conv2dTranspose grouped": (
        lambda: nn.Conv2dTranspose(4, 6, 3, 2, pad_mode="pad", padding=1, group=2),
        lambda: [floats(2, 4, 5, 5)],
    ),
    "Conv2dTranspose dilated": (
        lambda: nn.Conv2dTranspose(3, 4, 3, 2, pad_mode="pad", padding=1, dilation=2),
        lambda: [floats(*X4)],
    ),
    "Conv3dTranspose": (lambda: nn.Conv3dTranspose(2, 3, 3, 2), lambda: [floats(1, 2, 3, 4, 3)]),
    "BatchNorm1d": (lambda: _trained(nn.BatchNorm1d(3)), lambda: [floats(5, 3)]),
    "BatchNorm2d": (lambda: _trained(nn.BatchNorm2d(3)), lambda: [floats(*X4)]),
    "BatchNorm3d": (lambda: _trained(nn.BatchNorm3d(3)), lambda: [floats(2, 3, 4, 4, 4)]),
    "LayerNorm": (lambda: nn.LayerNorm((8, 8), 2, 2), lambda: [floats(*X4)]),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), lambda: [floats(2, 4, 3, 3)]),
    "InstanceNorm2d": (lambda: nn.InstanceNorm2d(3), lambda: [floats(*X4)]),
    "MaxPool1d": (lambda: nn.MaxPool1d(3, 2), lambda: [floats(2, 3, 9)]),
    "MaxPool2d valid": (lambda: nn.MaxPool2d(3, 2), lambda: [floats(*X4)]),
    "MaxPool2d same": (lambda: nn.MaxPool2d(3, 2, "same"), lambda: [floats(*X4)]),
    "MaxPool2d padded": (lambda: nn.MaxPool2d(3, 2, "pad", padding=1), lambda: [floats(*X4)]),
    "MaxPool2d dilated": (lambda: nn.MaxPool2d(3, 2, "pad", padding=1, dilation=2), lambda: [floats(*X4)]),
    "MaxPool3d": (lambda: nn.MaxPool3d(2, 2), lambda: [floats(1, 2, 6, 6, 6)]),
    "AvgPool1d": (lambda: nn.AvgPool1d(3, 2), lambda: [floats(2, 3, 9)]),
    "AvgPool2d valid": (lambda: nn.AvgPool2d(3, 2), lambda: [floats(*X4)]),
    "AvgPool2d same": (lambda: nn.AvgPool2d(3, 2, "same"), lambda: [floats(*X4)]),
    "AvgPool2d padded": (lambda: nn.AvgPool2d(3, 2, "pad", padding=1), lambda: [floats(*X4)]),
    "AvgPool3d": (lambda: nn.AvgPool3d(2, 2), lambda: [floats(1, 2, 4, 4, 4)]),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d((3, 2)), lambda: [floats(*X4)]),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d((4, 2)), lambda: [floats(*X4)]),
    "AdaptiveAvgPool1d": (lambda: nn.AdaptiveAvgPool1d(3), lambda: [floats(2, 3, 9)]),
    "LPPool2d": (lambda: nn.LPPool2d(2, 3), lambda: [floats(2, 3, 6, 6)]),
    "Embedding": (lambda: nn.Embedding(10, 4), lambda: [ints(2, 3, below=10)]),
    "EmbeddingLookup": (lambda: nn.EmbeddingLookup(10, 4), lambda: [ints(2, 3, below=10)]),
    "LSTMCell": (lambda: Of2(nn.LSTMCell(3, 4)), lambda: [floats(2, 3), floats(2, 4), floats(2, 4)]),
    "GRUCell": (lambda: nn.GRUCell(3, 4), lambda: [floats(2, 3), floats(2, 4)]),
    "RNNCell": (lambda: nn.RNNCell(3, 4), lambda: [floats(2, 3), floats(2, 4)]),
    "MultiheadAttention": (
        lambda: nn.MultiheadAttention(8, 2, batch_first=True),
        lambda: [floats(2, 4, 8), floats(2, 4, 8), floats(2, 4, 8)],
    ),
    "PReLU": (lambda: nn.PReLU(3), lambda: [floats(*X4)]),
    "Dropout": (lambda: nn.Dropout(p=0.5), lambda: [floats(2, 3)]),
    "Flatten": (nn.Flatten, lambda: [floats(*X4)]),
    "Pad": (lambda: nn.Pad(((0, 0), (1, 2)), "SYMMETRIC"), lambda: [floats(2, 3)]),
    "ReflectionPad2d": (lambda: nn.ReflectionPad2d(2), lambda: [floats(*X4)]),
    "ReplicationPad2d": (lambda: nn.ReplicationPad2d(1), lambda: [floats(*X4)]),
    "ConstantPad2d": (lambda: nn.ConstantPad2d((1, -1, 0, 2), 0.5), lambda: [floats(*X4)]),
    "ZeroPad2d": (lambda: nn.ZeroPad2d((1, 1, 0, 2)), lambda: [floats(*X4)]),
    "PixelShuffle": (lambda: nn.PixelShuffle(2), lambda: [floats(2, 4, 3, 3)]),
    "PixelUnshuffle": (lambda: nn.PixelUnshuffle(2), lambda: [floats(2, 1, 4, 4)]),
    "ChannelShuffle": (lambda: nn.ChannelShuffle(2), lambda: [floats(2, 4, 3, 3)]),
    "Upsample nearest": (lambda: nn.Upsample(size=(13, 11), mode="nearest"), lambda: [floats(*X4)]),
    "Upsample bilinear": (lambda: nn.Upsample(size=(13, 11), mode="bilinear"), lambda: [floats(*X4)]),
    "MaxPool1d gradient": (_slope(nn.MaxPool1d(3, 2)), lambda: [floats(2, 3, 9)]),
    "MaxPool2d gradient": (_slope(nn.MaxPool2d(2, 2)), lambda: [floats(*X4)]),
    "MaxPool2d same gradient": (_slope(nn.MaxPool2d(3, 2, pad_mode="same")), lambda: [floats(*X4)]),
    "MaxPool2d padded gradient": (
        _slope(nn.MaxPool2d(3, 2, pad_mode="pad", padding=1)),
        lambda: [floats(*X4)],
    ),
    "AvgPool2d gradient": (_slope(nn.AvgPool2d(2, 2)), lambda: [floats(*X4)]),
    "Unfold": (lambda: nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]), lambda: [floats(*X4)]),
    "Softmax2d": (nn.Softmax2d, lambda: [floats(*X4)]),
    "CrossEntropyLoss": (nn.CrossEntropyLoss, lambda: [floats(4, 3), ints(4, below=3)]),
    "BCEWithLogitsLoss": (nn.BCEWithLogitsLoss, lambda: [floats(4, 3), floats(4, 3)]),
    "SmoothL1Loss": (nn.SmoothL1Loss, lambda: [floats(4, 3), floats(3, 4).reshape((4, 3)) * 2]),
    "CTC-free KLDivLoss": (nn.KLDivLoss, lambda: [floats(4, 3), ops.abs(floats(4, 3))]),
    "CosineSimilarity": (lambda: Of(lambda a, b: ops.cosine_similarity(a, b, 1)), lambda: [floats(4, 3), floats(4, 3)]),
}
LAYERS["Conv3d grouped"] = (lambda: Of(lambda x, w: ops.conv3d(x, w, groups=2)),
                            lambda: [floats(1, 4, 5, 5, 5), floats(4, 2, 3, 3, 3)])  # fmt: skip
for _name in ("ReLU", "ReLU6", "Sigmoid", "Tanh", "GELU", "LeakyReLU", "ELU", "SeLU", "CELU", "SiLU", "Mish", "HSwish",
              "HSigmoid", "Softmax", "LogSoftmax", "LogSigmoid", "Softsign", "Softshrink", "HShrink", "Tanhshrink",
              "GLU", "Hardtanh", "FastGelu", "Softmin", "Identity"):  # fmt: skip
    if hasattr(nn, _name):
        LAYERS[_name] = (getattr(nn, _name), lambda: [floats(3, 4)])


class Of2(nn.Cell):
    """A recurrent cell whose state is a tuple."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x, h, c):
        return self.cell(x, (h, c))
