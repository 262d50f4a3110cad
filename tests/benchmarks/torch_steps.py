"""The four training steps of `networks.py` in PyTorch, not compiled, for the table of figures.

JAX and ms_compat are not imported, so PyTorch may be in another environment.
"""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

STAGES = ((1, 1), (1, 1), (2, 2), (2, 1), (4, 2), (4, 1), (8, 2), (8, 1))
VOCABULARY, HEADS, WIDTH, LENGTH, LAYERS = 1000, 4, 256, 128, 4


def lenet():
    convolutions = []
    for i, o in ((1, 6), (6, 16)):
        convolutions += [nn.Conv2d(i, o, 5, bias=False), nn.ReLU(), nn.MaxPool2d(2)]
    dense = [nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)]
    return nn.Sequential(*convolutions, nn.Flatten(), *dense)


class Block(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.down = nn.Identity()
        if stride != 1 or i != o:
            self.down = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o))

    def forward(self, x):
        return F.relu(self.b2(self.c2(F.relu(self.b1(self.c1(x))))) + self.down(x))


def resnet18(channels=64):
    outputs = [channels * factor for factor, _ in STAGES]
    widths = zip([channels, *outputs[:-1]], outputs, STAGES, strict=True)
    blocks = [Block(i, o, stride) for i, o, (_, stride) in widths]
    stem = [nn.Conv2d(3, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(outputs[-1], 10))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.triu(torch.full((LENGTH, LENGTH), -1e9), 1))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (part.reshape(b, t, HEADS, d // HEADS).transpose(1, 2) for part in self.qkv(x).split(d, 2))
        w = F.softmax(q @ k.transpose(2, 3) / math.sqrt(d // HEADS) + self.mask, -1)
        return self.proj((w @ v).transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(WIDTH), Attention())
        dense = [nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH)]
        self.mlp = nn.Sequential(nn.LayerNorm(WIDTH), *dense)

    def forward(self, x):
        x = x + self.attention(x)
        return x + self.mlp(x)


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCABULARY, WIDTH)
        self.pos = nn.Parameter(torch.randn(LENGTH, WIDTH) * 0.02)
        self.layers = nn.Sequential(*[Layer() for _ in range(LAYERS)])
        self.ln, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        return self.head(self.ln(self.layers(self.tok(ids) + self.pos))).reshape(-1, VOCABULARY)


class LSTMNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.fc = nn.Embedding(1000, 64), nn.LSTM(64, 128, batch_first=True), nn.Linear(128, 10)

    def forward(self, ids):
        return self.fc(self.rnn(self.emb(ids))[0][:, -1])


def _momentum(parameters):
    return torch.optim.SGD(parameters, 0.01, 0.9)


def _adam(parameters):
    return torch.optim.Adam(parameters, 1e-3)


# network, input's shape (of an image or of token numbers), classes, labels, optimizer
CASES = {
    "lenet": (lenet, (32, 1, 32, 32), 10, 32, _momentum),
    "resnet18": (resnet18, (16, 3, 32, 32), 10, 16, _momentum),
    "gpt": (GPT, (8, LENGTH), VOCABULARY, 8 * LENGTH, _adam),
    "lstm": (LSTMNet, (16, 64), 10, 16, _adam),
}


def step(name):
    """A function that trains one step of a case and returns the loss as a Python float."""
    net, shape, classes, labels, optimizer = CASES[name]
    r = np.random.RandomState(0)
    x = torch.tensor(r.randn(*shape).astype(np.float32) if len(shape) == 4 else r.randint(0, 1000, shape))
    y = torch.tensor(r.randint(0, classes, labels))
    net = net()
    optimizer = optimizer(net.parameters())

    def run() -> float:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return run
