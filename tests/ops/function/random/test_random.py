"""Random operations: their distributions, seeds, and that every call draws anew, compiled or not."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

SIZE = (200, 500)


def tensor(value):
    return Tensor(np.asarray(value, np.float32))


# name: (call, mean, standard deviation)
MOMENTS = {
    "standard_normal": (lambda: ops.standard_normal(SIZE), 0, 1),
    "normal": (lambda: ops.normal(SIZE, 2.0, 3.0), 2, 3),
    "uniform": (lambda: ops.uniform(SIZE, tensor(-1.0), tensor(3.0)), 1, 4 / 12**0.5),
    "uniform int": (lambda: ops.uniform(SIZE, Tensor(0, ms.int32), Tensor(5, ms.int32), dtype=ms.int32), 2, 2**0.5),
    "rand": (lambda: ops.rand(*SIZE), 0.5, 1 / 12**0.5),
    "randn": (lambda: ops.randn(SIZE), 0, 1),
    "randint": (lambda: ops.randint(-2, 3, SIZE), 0, 2**0.5),
    "laplace": (lambda: ops.laplace(SIZE, tensor(1.0), tensor(2.0)), 1, 8**0.5),
    "gamma": (lambda: ops.gamma(SIZE, tensor(4.0), tensor(2.0)), 2, 1),
    "poisson": (lambda: ops.random_poisson(ms.Tensor(SIZE), tensor(3.0)), 3, 3**0.5),
    "bernoulli": (lambda: ops.bernoulli(ops.zeros(SIZE), 0.3), 0.3, 0.21**0.5),
    "dropout": (lambda: ops.dropout(ops.ones(SIZE), 0.2), 1, 0.5),
    "dropout2d": (lambda: ops.dropout2d(ops.ones((200, 500, 1, 1)), 0.5), 1, 1),
    "multinomial": (lambda: ops.multinomial(tensor([0.5, 0.0, 0.5]), 50000), 1, 1),
    "categorical": (lambda: ops.random_categorical(tensor(np.zeros((4, 5))), 20000), 2, 2**0.5),
    "truncated": (lambda: ops.TruncatedNormal()(Tensor([200, 500])), 0, 0.8796),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_moments(name):
    call, mean, deviation = MOMENTS[name]
    ms.set_seed(11)
    values = call().asnumpy().astype(np.float64)
    assert abs(values.mean() - mean) < 5 * deviation / values.size**0.5
    assert abs(values.std() - deviation) < 0.02 * deviation


@pytest.mark.parametrize("name", MOMENTS)
def test_two_calls_differ_and_a_seed_repeats(name):
    call = MOMENTS[name][0]
    ms.set_seed(11)
    first, second = call().asnumpy(), call().asnumpy()
    ms.set_seed(11)
    assert (first != second).any()
    assert (call().asnumpy() == first).all()


def test_compiled_calls_differ_and_repeat():
    @ms.jit
    def noise(x):
        return ops.dropout(x, 0.5) + ops.rand(4, 8)

    x = ops.ones((4, 8))
    ms.set_seed(7)
    first, second = noise(x).asnumpy(), noise(x).asnumpy()
    ms.set_seed(7)
    assert (first != second).any()
    assert (noise(x).asnumpy() == first).all()


def test_modes_draw_the_same_numbers():
    def draw():
        return ops.standard_normal((5,))

    ms.set_seed(7)
    eager = draw().asnumpy()
    ms.set_seed(7)
    assert np.allclose(ms.jit(draw)().asnumpy(), eager, rtol=1e-6)


def test_permutations():
    assert sorted(ops.randperm(20).asnumpy().tolist()) == list(range(20))
    x = np.arange(12).reshape(6, 2)
    rows = ops.shuffle(Tensor(x)).asnumpy().tolist()
    assert sorted(rows) == x.tolist()


def test_without_replacement_no_class_comes_twice():
    drawn = ops.multinomial(tensor(np.ones((50, 6))), 6, False).asnumpy()
    assert (np.sort(drawn, 1) == np.arange(6)).all()


def test_dropout_gradient_uses_the_forward_mask():
    x = ops.ones((50,))
    out, grad = ms.value_and_grad(lambda v: ops.reduce_sum(ops.dropout(v, 0.5)))(x)
    assert set(grad.asnumpy().tolist()) == {0.0, 2.0}
    assert out.asnumpy() == grad.asnumpy().sum()


def test_choice_with_mask_points_at_true_places():
    mask = np.zeros((4, 5), bool)
    mask[1, 2] = mask[3, 4] = True
    places, real = ops.choice_with_mask(Tensor(mask), 5)
    assert real.asnumpy().tolist() == [True, True, False, False, False]
    assert {tuple(p) for p in places.asnumpy()[:2].tolist()} == {(1, 2), (3, 4)}


@pytest.mark.parametrize(
    ("error", "shape", "rate", "dtype"),
    [
        (TypeError, (3, 5), tensor([0.5]), ms.float32),
        (TypeError, ms.Tensor([3, 5], ms.float32), tensor([0.5]), ms.float32),
        (ValueError, ms.Tensor([[3, 5]]), tensor([0.5]), ms.float32),
        (ValueError, ms.Tensor(3), tensor([0.5]), ms.float32),
        (TypeError, ms.Tensor([3, 5]), ms.Tensor([True]), ms.float32),
        (TypeError, ms.Tensor([3, 5]), ms.Tensor([1], ms.int8), ms.float32),
        (TypeError, ms.Tensor([3, 5]), tensor([0.5]), ms.bool_),
        (TypeError, ms.Tensor([3, 5]), tensor([0.5]), ms.uint8),
    ],
)
def test_random_poisson_takes_what_mindspores_does(mode, error, shape, rate, dtype):
    with pytest.raises(error):
        ops.random_poisson(shape, rate, 1, dtype)
