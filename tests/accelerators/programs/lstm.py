"""A classifier of sequences by an LSTM, with a hand-written step under ms.jit. Usage: lstm.py [float32|bfloat16]"""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn, ops


class Classifier(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(1000, 128)
        self.rnn = nn.LSTM(128, 256, 2, batch_first=True)
        self.fc = nn.Dense(256, 10)

    def construct(self, ids):
        y, _ = self.rnn(self.words(ids))
        return self.fc(y[:, -1])


if __name__ == "__main__":
    net = Classifier()
    if "bfloat16" in sys.argv:
        net.fc.to_float(ms.bfloat16)
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    grad_fn = ms.value_and_grad(lambda ids, y: ops.cross_entropy(net(ids), y), None, optimizer.parameters)

    @ms.jit
    def train_step(ids, labels):
        loss, grads = grad_fn(ids, labels)
        optimizer(grads)
        return loss

    print(train_step(ms.Tensor(np.zeros((64, 64), np.int32)), ms.Tensor(np.zeros(64, np.int32))))
