"""The four training steps of `networks.py`, and the same written by hand in JAX and optax, from equal weights.

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
from tests.benchmarks import networks
from tests.benchmarks.networks import F32, HEADS, STAGES, VOCABULARY

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
    length, width = net.pos.shape
    mask = jnp.asarray(np.triu(np.full((length, length), -1e9, F32), 1))

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
            q, k, v = (t.reshape(b, length, HEADS, width // HEADS).transpose(0, 2, 1, 3) for t in parts)
            w = jax.nn.softmax(q @ k.swapaxes(2, 3) * (width // HEADS) ** -0.5 + mask, -1)
            x = x + dense((w @ v).transpose(0, 2, 1, 3).reshape(b, length, width), layer["proj"])
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

    net: Callable  # without arguments
    by_hand: Callable
    data: Callable  # RandomState -> (input, labels)
    optimizer: Callable  # parameters -> Optimizer
    transform: optax.GradientTransformation


SGD, ADAM = optax.sgd(0.01, 0.9), optax.adam(1e-3)
_BY_HAND = {
    "lenet": (lenet_by_hand, SGD), "resnet18": (resnet_by_hand, SGD),
    "gpt": (gpt_by_hand, ADAM), "lstm": (lstm_by_hand, ADAM),
}  # fmt: skip


def cases(sizes: networks.Sizes) -> dict[str, Case]:
    """The cases by their names, with networks of these sizes."""
    return {
        name: Case(functools.partial(program.net, sizes), by_hand, program.data, program.optimizer, transform)
        for (name, program), (by_hand, transform) in zip(
            networks.programs(sizes).items(), _BY_HAND.values(), strict=True
        )
    }


CASES = cases(networks.SMALL)


class Ours(networks.Compiled):
    """The step as a MindSpore program, and what it was compiled to."""

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
