"""A training whose steps are compared with formulas in NumPy."""

import numpy as np

import ms_compat as ms
from ms_compat import Parameter, Tensor

RNG = np.random.RandomState(0)


SHAPES = {"w": (3, 2), "bias": (4,), "k": (2, 3, 2, 2)}


START = {name: RNG.randn(*shape) for name, shape in SHAPES.items()}


GRADS = [{name: RNG.randn(*shape) for name, shape in SHAPES.items()} for _ in range(4)]


def train(make, compiled):
    params = [Parameter(Tensor(value.astype(np.float32)), name=name) for name, value in START.items()]
    optimizer = make(params)
    step = ms.jit(lambda *g: optimizer(g)) if compiled else lambda *g: optimizer(g)
    for grads in GRADS:
        step(*[Tensor(g.astype(np.float32)) for g in grads.values()])
    return {p.name: p.asnumpy() for p in params}


def check(found, rule, state):
    for name in SHAPES:
        value, kept = START[name], {k: v(name) for k, v in state.items()}
        for t, grads in enumerate(GRADS, 1):
            value = rule(name, value, grads[name], kept, t)
        assert np.allclose(found[name], value, rtol=2e-5, atol=2e-6), name
