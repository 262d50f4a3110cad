"""Records what MindSpore computes from MindIR files that it has written.

Exports small nets, runs each file as a GraphCell, and writes the files to tests/conformance/data/mindir and the inputs,
outputs, names of Parameters and gradients to tests/conformance/data/mindir_load.json.

    python -m tests.conformance.record mindir_load
"""

import json
import os
import pathlib
import shutil

os.environ.setdefault("GLOG_v", "4")

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops
from mindspore.train import serialization

DATA = pathlib.Path(__file__).parents[1] / "data"
FILES = DATA / "mindir"
RNG = np.random.RandomState(7)
KEY = b"0123456789abcdef"


def floats(*shape, dtype=np.float32):
    return Tensor(RNG.randn(*shape).astype(dtype))


def whole(*values, dtype=np.int32):
    return Tensor(np.array(values if len(values) != 1 else values[0], dtype))


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3, pad_mode="valid", has_bias=True)
        self.bn = nn.BatchNorm2d(3)
        self.pool = nn.MaxPool2d(2, 2)
        self.drop = nn.Dropout(p=0.4)
        self.dense = nn.Dense(27, 4)

    def construct(self, x):
        x = self.pool(ops.relu(self.bn(self.conv(x))))
        return self.dense(self.drop(x.reshape(x.shape[0], -1)))


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(2, 4, 3, stride=2, pad_mode="pad", padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.second = nn.Conv2d(4, 4, 3, group=2)
        self.down = nn.Conv2d(2, 4, 1, stride=2)
        self.pool = nn.AvgPool2d(3, 3)

    def construct(self, x):
        out = self.second(ops.relu(self.norm(self.first(x))))
        return self.pool(ops.relu(out + self.down(x))).mean((2, 3))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 2)

    def construct(self, x, h, c):
        return self.lstm(x, (h, c))


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((4,))
        self.qkv = nn.Dense(4, 12, has_bias=False)
        self.up = nn.Dense(4, 6, activation=nn.GELU())
        self.down = nn.Dense(6, 4)

    def construct(self, x):
        y = self.qkv(self.norm(x)).reshape(2, 3, 3, 2, 2).transpose(2, 0, 3, 1, 4)
        scores = ops.softmax(ops.bmm(y[0], y[1].swapaxes(-1, -2)) / 1.5, -1)
        x = x + ops.bmm(scores, y[2]).swapaxes(1, 2).reshape(2, 3, 4)
        return x + self.down(self.up(x))


class Words(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(6, 3)

    def construct(self, x):
        found = self.table(x)
        return found, ops.gather(found, x[1] // 2, 1), ops.one_hot(x, 6), x > 2


class Kinds(nn.Cell):
    def construct(self, x, i, b, h):
        values, places = ops.topk(x, 2)
        either = ops.logical_or(b, x[0] > 0)
        return (
            (values, (places, either)),
            i // 2,
            ops.select(b, x[0], -x[0]),
            h * 2,
            ops.cast(x, ms.bfloat16) * 2,
            2.5,
            x.shape,
        )


class Mint(nn.Cell):
    def construct(self, x):
        out = mint.add(mint.sum(x, dim=1, keepdim=True, dtype=ms.float64), 1, alpha=3)
        return out, mint.argmax(x, 1), mint.cat((x, x), 1), ops.cumsum(x, 0), ops.clamp(x, -0.5, 0.5)


class If(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="w")

    def construct(self, x):
        if x.sum() > 0:
            y = x * self.w
        elif x[0] < -5:
            y = x - self.w
        else:
            y = -x
        return y + 1


class While(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor(np.array([0.5, 1.5], np.float32)), name="w")

    def construct(self, x, n):
        i = Tensor(0, ms.int32)
        while i < n:
            x = x * self.w + 1
            i = i + 1
        return x, i


class Break(nn.Cell):
    def construct(self, x, n):
        i = Tensor(0, ms.int32)
        while i < n:
            x = x + 1
            i = i + 1
            if x.sum() > 10:
                x = x * 10
                break
            if x[0] > 1:
                continue
            x = x * 2
        return x - 1, i


class Nested(nn.Cell):
    def construct(self, x, n):
        i = Tensor(0, ms.int32)
        while i < n:
            j = Tensor(0, ms.int32)
            while j < i:
                x = x + j
                j = j + 1
            if x.sum() > 3:
                x = x / 2
            i = i + 1
        return x


class Early(nn.Cell):
    def construct(self, x, n):
        i = Tensor(0, ms.int32)
        while i < n:
            x = x + i
            if x.sum() > 8:
                return x * 100
            i = i + 1
        return x


def step():
    """A whole step of training, with gradients and the optimizer."""
    net = nn.Dense(2, 1, activation="tanh")
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)


class Training(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.count = ms.Parameter(Tensor(np.int32(0)), name="count")
        self.kept = ms.Parameter(Tensor(np.zeros(2, np.float32)), name="kept")

    def construct(self, x):
        before = self.count + 0
        ops.assign_add(self.count, Tensor(2, ms.int32))
        ops.assign(self.kept, x[0] * self.count)
        return self.norm(x), before, self.count * 10


def tree(value):
    if isinstance(value, (tuple, list)):
        return {"tuple" if isinstance(value, tuple) else "list": [tree(item) for item in value]}
    if isinstance(value, Tensor):
        array = value.asnumpy() if value.dtype != ms.bfloat16 else value.float().asnumpy()
        return {"array": array.tolist(), "dtype": str(value.dtype), "shape": list(array.shape)}
    return value


def gradients(cell, inputs):
    """Of the sum of squares of the first output with respect to the Parameters."""

    def loss(*given):
        out = cell(*given)
        return ops.square(out[0] if isinstance(out, tuple) else out).sum()

    found = ms.grad(loss, None, cell.trainable_params())(*inputs)
    return {p.name: tree(g) for p, g in zip(cell.trainable_params(), found, strict=True)}


CASES = {
    "lenet": (LeNet, [[floats(2, 1, 8, 8)]], True),
    "block": (Block, [[floats(1, 2, 6, 6)]], False),
    "recurrent": (Recurrent, [[floats(4, 1, 3), floats(1, 1, 2), floats(1, 1, 2)]], False),
    "attention": (Attention, [[floats(2, 3, 4)]], True),
    "words": (Words, [[whole([1, 5], [2, 0])]], False),
    "kinds": (
        Kinds,
        [[floats(2, 3), whole(7, -7, 4), Tensor(np.array([True, False, False])), floats(2, dtype=np.float16)]],
        False,
    ),
    "mint": (Mint, [[floats(2, 3)]], False),
    "if": (If, [[Tensor(np.float32([1, 2]))], [Tensor(np.float32([-6, 2]))], [Tensor(np.float32([-1, 0]))]], True),
    "while": (While, [[floats(2), whole(3)], [floats(2), whole(0)]], True),
    "break": (Break, [[Tensor(np.float32([0, 0])), whole(n)] for n in (0, 1, 3, 9)], False),
    "nested": (Nested, [[Tensor(np.float32([0, 1])), whole(n)] for n in (1, 5)], False),
    "early": (Early, [[Tensor(np.float32([0, 1])), whole(n)] for n in (2, 9)], False),
    "step": (step, [[floats(3, 2), floats(3, 1)]] * 2, False),
    "training": (Training, [[floats(3, 2)], [floats(3, 2)]], False),
}


def main():
    ms.set_seed(3)
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    record = {}
    for name, (make, calls, differentiate) in CASES.items():
        ms.set_context(mode=ms.GRAPH_MODE)
        net = make()
        net.set_train(name in ("step", "training"))
        ms.export(net, *calls[0], file_name=str(FILES / name), file_format="MINDIR")
        load = lambda name=name: nn.GraphCell(ms.load(str(FILES / f"{name}.mindir")))  # noqa: E731
        cell = load()
        entry = record[name] = {"calls": []}
        for inputs in calls:
            entry["calls"].append({"inputs": [tree(x) for x in inputs], "output": tree(cell(*inputs))})
        entry["parameters"] = {p.name: tree(p) for p in cell.get_parameters()}
        entry["trainable"] = [p.name for p in cell.trainable_params()]
        if differentiate:
            ms.set_context(mode=ms.PYNATIVE_MODE)
            entry["gradients"] = gradients(net, calls[0])  # those of the GraphCell are zeros in MindSpore
    dense, x = nn.Dense(3, 2), floats(1, 3)
    ms.set_context(mode=ms.GRAPH_MODE)
    for mode in ("AES-GCM", "AES-CBC"):
        ms.export(dense, x, file_name=str(FILES / mode), file_format="MINDIR", enc_key=KEY, enc_mode=mode)
    serialization.TOTAL_SAVE = 0  # the size from which Parameters get files of their own
    ms.export(dense, x, file_name=str(FILES / "large"), file_format="MINDIR")
    ms.export(dense, x, file_name=str(FILES / "secret"), file_format="MINDIR", enc_key=KEY, enc_mode="AES-GCM")
    record["dense"] = {"input": tree(x), "output": tree(dense(x))}
    for path in FILES.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    text = json.dumps({"mindspore": ms.__version__, "cases": record})
    (DATA / "mindir_load.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
