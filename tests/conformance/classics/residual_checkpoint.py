"""Residual blocks of CellList and SequentialCell, Dropout and BatchNorm by mode, a bprop of one's own, checkpoints."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Parameter, Tensor, load_checkpoint, load_param_into_net, save_checkpoint
from mindspore.common.initializer import HeNormal, initializer


class Block(nn.Cell):
    expansion = 2

    def __init__(self, channels, width, stride=1, down_sample=None):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 1, weight_init=HeNormal(mode="fan_out", nonlinearity="relu"))
        self.norm1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width * self.expansion, 3, stride, pad_mode="pad", padding=1)
        self.norm2 = nn.BatchNorm2d(width * self.expansion)
        self.relu = nn.ReLU()
        self.down_sample = down_sample

    def construct(self, x):
        identity = x
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        if self.down_sample is not None:
            identity = self.down_sample(x)
        return self.relu(out + identity)


class Scale(nn.Cell):
    """The gradient is doubled by a bprop of one's own."""

    def __init__(self):
        super().__init__()
        self.factor = Tensor([0.5], ms.float32)

    def construct(self, x):
        return x * self.factor

    def bprop(self, x, out, dout):
        return (dout * 2 * self.factor,)


class ResNet(nn.Cell):
    def __init__(self, classes=3):
        super().__init__()
        self.stem = nn.SequentialCell([nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2, 2, "same")])
        self.layers = nn.CellList()
        self.layers.append(self._make(2, 2, 2, 1))
        self.layers.append(self._make(4, 3, 1, 2))
        self.scale = Scale()
        self.pool = ops.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.drop = nn.Dropout(p=0.5)
        self.head = nn.Dense(6, classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Dense):
                cell.weight.set_data(initializer("normal", cell.weight.shape, cell.weight.dtype))
            elif isinstance(cell, nn.BatchNorm2d):
                cell.gamma.set_data(initializer("ones", cell.gamma.shape, cell.gamma.dtype))

    @staticmethod
    def _make(channels, width, count, stride):
        out = width * Block.expansion
        down = nn.SequentialCell([nn.Conv2d(channels, out, 1, stride), nn.BatchNorm2d(out)])
        blocks = [Block(channels, width, stride, down)]
        for _ in range(1, count):
            blocks.append(Block(out, width))
        return nn.SequentialCell(*blocks)

    def construct(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        x = self.flatten(self.pool(self.scale(x), (2, 3)))
        return self.head(self.drop(x))


def program(fill):
    rng = np.random.default_rng(0)
    net = fill(ResNet())
    net.drop.p, net.drop.keep_prob = 0.0, 1.0
    images = Tensor(rng.standard_normal((3, 1, 8, 8)), ms.float32)
    labels = Tensor(np.array([0, 2, 1]), ms.int32)
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        return loss_fn(net(x), y)

    net.set_train(False)
    before = net(images)
    for cell in net.cells():
        if isinstance(cell, nn.Dropout):
            cell.set_train(False)
    net.stem.set_train(True)
    net.layers.set_train(True)
    loss, grads = ms.value_and_grad(forward, None, net.trainable_params())(images, labels)
    net.set_train(False)
    after = net(images)
    for param in net.layers[0].get_parameters():
        param.requires_grad = False
    frozen = [p.name for p in net.trainable_params()]

    save_checkpoint(net, "net.ckpt", append_dict={"epoch": 3, "rate": 0.5})
    loaded = load_checkpoint("net.ckpt", filter_prefix="head")
    other = fill(ResNet(4), 9)
    params = load_checkpoint("net.ckpt")
    epoch, rate = int(params.pop("epoch").asnumpy()), float(params["rate"].asnumpy())
    for name in list(params):
        if "head" in name:
            del params[name]
    left = load_param_into_net(other, params, strict_load=False)
    only = load_checkpoint("net.ckpt", choice_func=lambda name: name.startswith("stem"))
    try:
        load_param_into_net(other, {"head.weight": Parameter(Tensor(np.ones((3, 6)), ms.float32))}, strict_load=True)
    except RuntimeError as error:
        refused = "head.weight" in str(error)
    total = sum(p.size for p in net.trainable_params())
    return (
        before,
        loss,
        {p.name: g for p, g in zip(net.trainable_params(), grads)} and [g for g in grads],
        after,
        frozen,
        sorted(loaded),
        epoch,
        rate,
        [sorted(part) for part in left],
        sorted(only),
        refused,
        total,
        other.stem[0].weight,
        [name for name, _ in net.cells_and_names()][:6],
        {p.name: p for p in net.get_parameters() if "moving" in p.name},
    )
