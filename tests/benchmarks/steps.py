"""Four training steps, each as a MindSpore program and written by hand in JAX and optax, from equal weights.

The hand-written step is what a layer over JAX can reach: one jitted function of loss, gradient and update with donated
state. It names its dtypes, because 64-bit types are on in this process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

F32 = np.float32


class LeNet(nn.Cell):
    def __init__(self):
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


# an eighth of ResNet-18's widths: as many operations, fewer multiplications
STAGES = ((8, 1), (8, 1), (16, 2), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1))
FIRST, LAST = STAGES[0][0], STAGES[-1][0]


class ResNet18(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem, self.bn = nn.Conv2d(3, FIRST, 3, pad_mode="pad", padding=1), nn.BatchNorm2d(FIRST)
        self.relu = nn.ReLU()
        widths = [FIRST, *(o for o, _ in STAGES)]
        self.blocks = nn.SequentialCell(*[Block(i, o, s) for i, (o, s) in zip(widths, STAGES, strict=False)])
        self.fc = nn.Dense(LAST, 10)

    def construct(self, x):
        return self.fc(ops.mean(self.blocks(self.relu(self.bn(self.stem(x)))), (2, 3)))


VOCABULARY, LENGTH, WIDTH, HEADS, LAYERS = 1000, 64, 128, 4, 2


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.qkv, self.proj = nn.Dense(WIDTH, 3 * WIDTH), nn.Dense(WIDTH, WIDTH)
        self.mask = Tensor(np.triu(np.full((LENGTH, LENGTH), -1e9, F32), 1))

    def construct(self, x):
        b, t, d = x.shape
        q, k, v = ops.split(self.qkv(x), d, axis=2)
        q = q.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 1, 3)
        k = k.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 3, 1)
        v = v.reshape(b, t, HEADS, d // HEADS).transpose(0, 2, 1, 3)
        w = ops.softmax(ops.matmul(q, k) * (d // HEADS) ** -0.5 + self.mask, axis=-1)
        return self.proj(ops.matmul(w, v).transpose(0, 2, 1, 3).reshape(b, t, d))


class GPT(nn.Cell):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCABULARY, WIDTH)
        self.pos = Parameter(Tensor(np.random.RandomState(1).randn(LENGTH, WIDTH).astype(F32) * 0.02), name="pos")
        self.layers = nn.CellList([nn.SequentialCell(nn.LayerNorm((WIDTH,)), Attention()) for _ in range(LAYERS)])
        self.mlps = nn.CellList(
            [
                nn.SequentialCell(
                    nn.LayerNorm((WIDTH,)), nn.Dense(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dense(4 * WIDTH, WIDTH)
                )
                for _ in range(LAYERS)
            ]
        )
        self.ln, self.head = nn.LayerNorm((WIDTH,)), nn.Dense(WIDTH, VOCABULARY, has_bias=False)

    def construct(self, ids):
        x = self.tok(ids) + self.pos
        for i in range(len(self.layers)):
            x = x + self.layers[i](x)
            x = x + self.mlps[i](x)
        return self.head(self.ln(x)).reshape(-1, VOCABULARY)


class LSTMNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.fc = nn.Embedding(1000, 64), nn.LSTM(64, 128, batch_first=True), nn.Dense(128, 10)

    def construct(self, ids):
        y, _ = self.rnn(self.emb(ids))
        return self.fc(y[:, -1])


# -- by hand -----------------------------------------------------------------------------------------------------------
# Each function takes the network for its initial weights and returns params, statistics and loss(params, stats, x, y).


def _a(parameter):
    return jnp.asarray(parameter.asnumpy().copy())


def _dense(cell):
    return _a(cell.weight).T + 0, None if cell.bias is None else _a(cell.bias)


def _conv(x, w, stride=1, padding="VALID"):
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=("NCHW", "OIHW", "NCHW"))


def _entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def lenet_by_hand(net):
    params = {
        "conv": [_a(net.conv1.weight), _a(net.conv2.weight)],
        "fc": [_dense(c) for c in (net.fc1, net.fc2, net.fc3)],
    }

    def loss(p, stats, x, y):
        for w in p["conv"]:
            x = jax.nn.relu(_conv(x, w))
            x = lax.reduce_window(x, F32(-np.inf), lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
        x = x.reshape(x.shape[0], -1)
        for w, b in p["fc"][:2]:
            x = jax.nn.relu(x @ w + b)
        w, b = p["fc"][2]
        return _entropy(x @ w + b, y), stats

    return params, {}, loss


def resnet_by_hand(net):
    params, stats = {}, {}

    def unit(name, conv, bn):
        params[name] = (_a(conv.weight), _a(bn.gamma), _a(bn.beta))
        stats[name] = (_a(bn.moving_mean), _a(bn.moving_variance))

    unit("stem", net.stem, net.bn)
    for k, block in enumerate(net.blocks):
        unit(f"1.{k}", block.c1, block.b1)
        unit(f"2.{k}", block.c2, block.b2)
        if block.down is not None:
            unit(f"down.{k}", block.down[0], block.down[1])
    params["fc"] = _dense(net.fc)

    def loss(p, stats, x, y):
        new = {}

        def unit(name, x, stride, padding):
            w, gamma, beta = p[name]
            x = _conv(x, w, stride, padding)
            mean = x.mean((0, 2, 3))
            centred = x - mean[:, None, None]
            var = (centred**2).mean((0, 2, 3))
            new[name] = (0.9 * stats[name][0] + 0.1 * mean, 0.9 * stats[name][1] + 0.1 * var)
            return centred * (lax.rsqrt(var + 1e-5) * gamma)[:, None, None] + beta[:, None, None]

        one = ((1, 1), (1, 1))
        x = jax.nn.relu(unit("stem", x, 1, one))
        for k, (_, stride) in enumerate(STAGES):
            h = unit(f"2.{k}", jax.nn.relu(unit(f"1.{k}", x, stride, one)), 1, one)
            x = jax.nn.relu(h + (unit(f"down.{k}", x, stride, "SAME") if f"down.{k}" in p else x))
        w, b = p["fc"]
        return _entropy(x.mean((2, 3)) @ w + b, y), new

    return params, stats, loss


def gpt_by_hand(net):
    def norm_of(cell):
        return _a(cell.gamma), _a(cell.beta)

    params = {
        "tok": _a(net.tok.embedding_table), "pos": _a(net.pos), "ln": norm_of(net.ln), "head": _dense(net.head)[0],
        "layers": [
            {"ln1": norm_of(a[0]), "qkv": _dense(a[1].qkv), "proj": _dense(a[1].proj),
             "ln2": norm_of(m[0]), "up": _dense(m[1]), "down": _dense(m[3])}
            for a, m in zip(net.layers, net.mlps, strict=True)
        ],
    }  # fmt: skip
    mask = jnp.asarray(np.triu(np.full((LENGTH, LENGTH), -1e9, F32), 1))

    def norm(x, scale):
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(var + 1e-7) * scale[0] + scale[1]

    def dense(x, weights):
        return x @ weights[0] + weights[1]

    def loss(p, stats, ids, y):
        x = p["tok"][ids] + p["pos"]
        b = x.shape[0]
        for layer in p["layers"]:
            parts = jnp.split(dense(norm(x, layer["ln1"]), layer["qkv"]), 3, 2)
            q, k, v = (t.reshape(b, LENGTH, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3) for t in parts)
            w = jax.nn.softmax(q @ k.swapaxes(2, 3) * (WIDTH // HEADS) ** -0.5 + mask, -1)
            x = x + dense((w @ v).transpose(0, 2, 1, 3).reshape(b, LENGTH, WIDTH), layer["proj"])
            x = x + dense(jax.nn.gelu(dense(norm(x, layer["ln2"]), layer["up"])), layer["down"])
        return _entropy((norm(x, p["ln"]) @ p["head"]).reshape(-1, VOCABULARY), y), stats

    return params, {}, loss


def lstm_by_hand(net):
    rnn = net.rnn
    params = {
        "emb": _a(net.emb.embedding_table), "fc": _dense(net.fc), "w_ih": _a(rnn.weight_ih_l0).T + 0,
        "w_hh": _a(rnn.weight_hh_l0).T + 0, "b": _a(rnn.bias_ih_l0) + _a(rnn.bias_hh_l0),
    }  # fmt: skip

    def loss(p, stats, ids, y):
        x = p["emb"][ids].swapaxes(0, 1) @ p["w_ih"] + p["b"]

        def cell(state, gates):
            h, c = state
            i, f, g, o = jnp.split(gates + h @ p["w_hh"], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

        zeros = jnp.zeros((x.shape[1], 128), F32)
        (h, _), _ = lax.scan(cell, (zeros, zeros), x)
        return _entropy(h @ p["fc"][0] + p["fc"][1], y), stats

    return params, {}, loss


# -- the pairs ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Case:
    """What both programs share: the network, its hand-written loss, the data and the optimizers."""

    net: Callable
    by_hand: Callable
    data: Callable  # RandomState -> (input, labels)
    optimizer: Callable  # parameters -> Optimizer
    transform: optax.GradientTransformation


def _images(batch, *shape):
    return lambda r: (r.randn(batch, *shape).astype(F32), r.randint(0, 10, batch).astype(np.int32))


def _tokens(batch, length, classes, labels):
    return lambda r: (
        r.randint(0, 1000, (batch, length)).astype(np.int32), r.randint(0, classes, labels).astype(np.int32)
    )  # fmt: skip


def _momentum(parameters):
    return nn.Momentum(parameters, 0.01, 0.9)


def _adam(parameters):
    return nn.Adam(parameters, 1e-3)


SGD, ADAM = optax.sgd(0.01, 0.9), optax.adam(1e-3)
CASES = {
    "lenet": Case(LeNet, lenet_by_hand, _images(32, 1, 32, 32), _momentum, SGD),
    "resnet18": Case(ResNet18, resnet_by_hand, _images(4, 3, 32, 32), _momentum, SGD),
    "gpt": Case(GPT, gpt_by_hand, _tokens(8, LENGTH, VOCABULARY, 8 * LENGTH), _adam, ADAM),
    "lstm": Case(LSTMNet, lstm_by_hand, _tokens(16, 64, 10, 16), _adam, ADAM),
}


class Ours:
    """The step as a MindSpore program; a call returns the loss as a Python float."""

    def __init__(self, case: Case, net):
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        self.net = net
        self.step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), case.optimizer(net.trainable_params()))
        self.step.set_train()
        self.data = [Tensor(v) for v in case.data(np.random.RandomState(0))]

    def __call__(self) -> float:
        return float(self.step(*self.data).asnumpy())

    @property
    def compiled(self):
        """The CompiledFunction behind the step."""
        return self.step._compiled_function()

    def executable(self):
        """The compiled program, for its text and its memory; after at least one call."""
        (kept,) = self.compiled._specialised.values()
        leaves = [t._v for t in self.data]
        pair = np.zeros(2, np.uint32)
        return kept.jit.lower(
            leaves, [t._v for t in kept.mutated], [t._v for t in kept.read], kept.consts, pair
        ).compile()


class ByHand:
    """The same step in JAX and optax."""

    def __init__(self, case: Case, net):
        params, stats, loss = case.by_hand(net)
        self.state = (params, stats, case.transform.init(params))
        self.data = [jnp.asarray(v) for v in case.data(np.random.RandomState(0))]

        @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
        def step(params, stats, memory, x, y):
            (value, stats), grads = jax.value_and_grad(loss, has_aux=True)(params, stats, x, y)
            updates, memory = case.transform.update(grads, memory, params)
            return optax.apply_updates(params, updates), stats, memory, value

        self.step = step

    def __call__(self) -> float:
        *state, loss = self.step(*self.state, *self.data)
        self.state = tuple(state)
        return float(loss)

    def executable(self):
        """The compiled program."""
        return self.step.lower(*self.state, *self.data).compile()


def pair(name: str) -> tuple[Ours, ByHand]:
    """Both programs of a case with equal weights, not yet compiled. GRAPH_MODE must be on."""
    case = CASES[name]
    ms.set_seed(0)
    net = case.net()
    return Ours(case, net), ByHand(case, net)
