"""ResNet-50 on 64 images of 224 x 224, one step Cell.

Usage: resnet50.py [blocks of a stage at most] [float32|bfloat16]
"""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn


def conv(inputs, outputs, size, stride=1):
    return nn.Conv2d(inputs, outputs, size, stride=stride, pad_mode="pad", padding=size // 2)


class Bottleneck(nn.Cell):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.conv1 = conv(inputs, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = conv(width, width, 3, stride)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = conv(width, 4 * width, 1)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or inputs != 4 * width:
            self.down = nn.SequentialCell(conv(inputs, 4 * width, 1, stride), nn.BatchNorm2d(4 * width))

    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        if self.down is not None:
            x = self.down(x)
        return self.relu(x + y)


class ResNet50(nn.Cell):
    def __init__(self, most=6, classes=1000):
        super().__init__()
        self.stem = nn.SequentialCell(
            conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, pad_mode="same")
        )
        blocks, inputs = [], 64
        for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
            for i in range(min(count, most)):
                blocks.append(Bottleneck(inputs, width, stride if i == 0 else 1))
                inputs = 4 * width
        self.blocks = nn.SequentialCell(*blocks)
        self.fc = nn.Dense(inputs, classes)

    def construct(self, x):
        x = self.blocks(self.stem(x))
        return self.fc(x.mean((2, 3)))


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    net = ResNet50(*[int(word) for word in sys.argv[1:] if word.isdigit()])
    if "bfloat16" in sys.argv:
        net = ms.amp.auto_mixed_precision(net, "O2", ms.bfloat16)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.1, 0.9, weight_decay=1e-4))
    step.set_train()
    step(ms.Tensor(np.zeros((64, 3, 224, 224), np.float32)), ms.Tensor(np.zeros(64, np.int32)))
