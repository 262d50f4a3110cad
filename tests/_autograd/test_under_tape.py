"""Gradients through vmap, jvp and Jacobians in PYNATIVE_MODE; recorded values stand in nested_transforms.json."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

X, Y = Tensor(np.array([1, 2], np.float32)), Tensor(np.array([3, 4, 5], np.float32))
M = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))


@pytest.mark.usefixtures("mode")
def test_a_tensor_of_a_closure():
    def through(x):
        y = x * 2
        return ops.vmap(lambda a: a * y)(Y).sum()

    np.testing.assert_allclose(ms.grad(through)(X).asnumpy(), [24, 24])


@pytest.mark.usefixtures("mode")
def test_weights_of_a_mapped_cell():
    net = nn.Dense(2, 3)

    def mapped(m):
        return (ops.vmap(net)(m.reshape(3, 1, 2)) ** 2).sum()

    def plain(m):
        return (net(m) ** 2).sum()

    found = ms.grad(mapped, 0, net.trainable_params())(M)
    wanted = ms.grad(plain, 0, net.trainable_params())(M)
    np.testing.assert_allclose(found[0].asnumpy(), wanted[0].asnumpy(), rtol=1e-5)
    for one, other in zip(found[1], wanted[1], strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5)


class Counts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = ms.Parameter(Tensor(np.float32(0)), name="calls", requires_grad=False)

    def construct(self, x):
        self.calls += 1
        return x * x


@pytest.mark.usefixtures("mode")
def test_state_that_a_mapped_cell_changes():
    net = Counts()
    for i in range(1, 3):
        np.testing.assert_allclose(ms.grad(lambda m: ms.vmap(net)(m).sum())(M).asnumpy(), 2 * M.asnumpy())
        assert net.calls.asnumpy() == i


@pytest.mark.usefixtures("mode")
def test_linearize():
    def through(x):
        out, along = ops.linearize(lambda a: a**3, x)
        return (out + along(Tensor(np.array([1, 0.5], np.float32)))).sum()

    np.testing.assert_allclose(ms.grad(through)(X).asnumpy(), [3 + 6, 12 + 6], rtol=1e-6)


def test_the_function_runs_once():
    calls = []

    def noted(a):
        calls.append(1)
        return a * a

    ms.grad(lambda x: ops.vmap(noted)(x * 1).sum())(X)
    assert len(calls) == 1


def test_nothing_is_left_on_the_arguments():
    ms.grad(lambda x: ops.vmap(lambda a: a * a)(x).sum())(X)
    assert X._node is None
    np.testing.assert_allclose(X.asnumpy(), [1, 2])


def test_integers_beside_what_is_differentiated():
    at = Tensor(np.array([1, 0], np.int32))
    found = ms.grad(lambda x: ops.vmap(lambda i, row: row[i] * 2, (0, None))(at, x).sum())(X)
    np.testing.assert_allclose(found.asnumpy(), [2, 2])


@pytest.mark.usefixtures("mode")
def test_complex_numbers():
    c = Tensor(np.array([1 + 2j, 3 - 1j], np.complex64))
    wanted = ms.grad(lambda x: (x * x * c).real().sum())(c).asnumpy()
    np.testing.assert_allclose(
        ms.grad(lambda x: ops.vmap(lambda a, b: a * a * b)(x, c).real().sum())(c).asnumpy(), wanted
    )


def test_the_gradient_of_a_compiled_function_is_not_that_of_the_function():
    runs = []

    def plain(x):
        runs.append(1)
        return (x * x).sum()

    ms.grad(plain)(X)
    compiled = ms.jit(plain)
    for _ in range(3):
        ms.grad(compiled)(X)
    assert compiled.traces == 1
