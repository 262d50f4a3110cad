"""LeNet-5 on images of 32 x 32, trained by `Model`. Usage: lenet.py [float32|bfloat16]"""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(400, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc3(self.relu(self.fc2(x)))


if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE)
    net = LeNet5()
    if "bfloat16" in sys.argv:
        net.to_float(ms.bfloat16)
    images = np.random.rand(64, 1, 32, 32).astype(np.float32)
    labels = np.random.randint(0, 10, 64).astype(np.int32)
    data = ms.dataset.NumpySlicesDataset((images, labels), shuffle=False).batch(32)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    ms.Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9)).train(1, data)
