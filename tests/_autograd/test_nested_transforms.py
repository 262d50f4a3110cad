"""All transformations inside all others, against the same in JAX: values, gradients of the input and of a Parameter."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X = np.array([0.5, -1.2, 2.0], np.float32)
W = np.array([1.5, 0.7, -0.4], np.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(W), name="w")

    def construct(self, x):
        return ops.sin(x) * self.w * x


class Plain(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


class Rule(Plain):
    def bprop(self, x, out, dout):
        return (dout * 3 * x,)


def both(f):
    def run(x):
        out, pull = ms.vjp(f, x)
        return out + pull(ops.ones_like(x))[0]

    return run


def twice(f):
    def run(x):
        _, pull = ms.vjp(f, x)
        return pull(ops.ones_like(x))[0] + pull(x)[0]

    return run


def value_and_gradient(f):
    def run(x):
        value, gradient = ms.value_and_grad(f)(x)
        return value * gradient

    return run


def with_aux(f):
    def run(x):
        gradient, (aux,) = ms.grad(lambda v: (f(v), f(v) * 2), has_aux=True)(x)
        return gradient + aux

    return run


def stopped(f):
    return lambda x: f(x) + ops.stop_gradient(f(x)) * x


def hooked(f):
    def run(x):
        y = f(x) * 1
        y.register_hook(lambda gradient: gradient * 2)
        return y

    return run


def recomputed(f):
    cell = Plain(f)
    cell.recompute()
    return cell


def gradient(f):
    return jax.grad(lambda x: f(x).sum())


@jax.custom_jvp
def doubled(y):
    return y


@doubled.defjvp
def _doubled_jvp(primals, tangents):
    return doubled(primals[0]), tangents[0] * 2


@jax.custom_jvp
def ruled(x, y):
    return y


@ruled.defjvp
def _ruled_jvp(primals, tangents):
    return ruled(*primals), tangents[0] * 3 * primals[0]


# the transformation here, and in JAX
TRANSFORMATIONS = {
    "grad": (lambda f: ms.grad(f), gradient),
    "GradOperation": (lambda f: lambda x: ops.GradOperation(get_all=True)(f)(x)[0], gradient),
    "sens": (
        lambda f: lambda x: ops.GradOperation(sens_param=True)(f)(x, x * 2),
        lambda f: lambda x: jax.vjp(f, x)[1](x * 2)[0],
    ),
    "value": (lambda f: lambda x: ms.value_and_grad(f)(x)[0], lambda f: f),
    "value_and_grad": (value_and_gradient, lambda f: lambda x: f(x) * gradient(f)(x)),
    "get_grad": (lambda f: lambda x: ops.get_grad(ms.grad(f, 0, return_ids=True)(x), 0), gradient),
    "vjp's output": (lambda f: lambda x: ms.vjp(f, x)[0], lambda f: f),
    "vjp's pullback": (lambda f: lambda x: ms.vjp(f, x)[1](ops.ones_like(x))[0], gradient),
    "vjp": (both, lambda f: lambda x: f(x) + gradient(f)(x)),
    "pullback twice": (twice, lambda f: lambda x: gradient(f)(x) + jax.vjp(f, x)[1](x)[0]),
    "jvp's output": (lambda f: lambda x: ms.jvp(f, x, ops.ones_like(x))[0], lambda f: f),
    "jvp": (lambda f: lambda x: ms.jvp(f, x, x)[1], lambda f: lambda x: jax.jvp(f, (x,), (x,))[1]),
    "linearize": (lambda f: lambda x: ops.linearize(f, x)[1](x), lambda f: lambda x: jax.jvp(f, (x,), (x,))[1]),
    "jacfwd": (lambda f: lambda x: ms.jacfwd(f)(x).sum(axis=1), lambda f: lambda x: jax.jacfwd(f)(x).sum(1)),
    "jacrev": (lambda f: lambda x: ms.jacrev(f)(x).sum(axis=0), lambda f: lambda x: jax.jacrev(f)(x).sum(0)),
    "vmap": (lambda f: lambda x: ms.vmap(f)(ops.stack((x, x * 2)))[0], lambda f: f),
    "stop_gradient": (stopped, lambda f: lambda x: f(x) + jax.lax.stop_gradient(f(x)) * x),
    "recompute": (recomputed, lambda f: f),
    "jit": (ms.jit, lambda f: f),
    "hook": (hooked, lambda f: lambda x: doubled(f(x))),
    "bprop": (Rule, lambda f: lambda x: ruled(x, jax.lax.stop_gradient(f(x)))),
    "aux": (with_aux, lambda f: lambda x: gradient(f)(x) + f(x) * 2),
}
PAIRS = list(itertools.product(TRANSFORMATIONS, repeat=2))
TRIPLES = list(itertools.product(TRANSFORMATIONS, repeat=3))


def in_jax(chain):
    def of(w):
        function = lambda x: jnp.sin(x) * w * x  # noqa: E731
        for name in reversed(chain):
            function = TRANSFORMATIONS[name][1](function)
        return function

    value = jax.jit(lambda x, w: of(w)(x))(X, W)
    return value, *jax.jit(jax.grad(lambda x, w: of(w)(x).sum(), (0, 1)))(X, W)


def here(chain):
    net = Net()
    function = net
    for name in reversed(chain):
        function = TRANSFORMATIONS[name][0](function)
    of_x, of_w = ms.grad(lambda x: function(x).sum(), 0, net.w)(Tensor(X))
    return function(Tensor(X)), of_x, of_w


def check(chain):
    for what, found, expected in zip(("value", "of x", "of w"), here(chain), in_jax(chain), strict=True):
        scale = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(
            found.asnumpy(), expected, rtol=2e-3, atol=2e-3 * scale, err_msg=f"{what} of {' of '.join(chain)}"
        )


# A share of the pairs and triples, spread over all of them.
@pytest.mark.parametrize("chain", PAIRS[::13], ids=" of ".join)
def test_pairs(chain):
    check(chain)


@pytest.mark.parametrize("chain", PAIRS[::61], ids=" of ".join)
def test_pairs_compiled(chain):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        check(chain)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("chain", TRIPLES[::1331], ids=" of ".join)
def test_triples(chain):
    check(chain)


@pytest.mark.parametrize("outer", ["jvp", "linearize", "jacfwd"])
@pytest.mark.parametrize("inner", ["hook", "bprop"])
def test_forward_mode_goes_through_backward_rules(mode, outer, inner):
    check((outer, inner))


def test_a_gradient_within_a_rule_does_not_reach_the_parameters_outside():
    of_x, of_w = here(("bprop", "grad"))[1:]
    np.testing.assert_allclose(of_x.asnumpy(), 3 * X, rtol=1e-6)
    assert of_w.asnumpy().tolist() == [0, 0, 0]
