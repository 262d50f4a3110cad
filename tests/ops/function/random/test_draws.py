"""Random numbers: moments, seeds, modes and arguments."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("name", ["bernoulli_", "exponential_", "normal_", "random_", "uniform_"])
def test_random_numbers_in_place(name):
    x = Tensor(np.full((200, 50), 0.5, np.float32))
    ms.set_seed(5)
    assert getattr(ops, name)(x) is x
    first = x.asnumpy()
    expected = {"bernoulli_": (0.5, 0.5), "exponential_": (1, 1), "normal_": (0, 1), "uniform_": (0.5, 12**-0.5)}
    mean, deviation = expected.get(name, (2**23, 2**24 / 12**0.5))
    assert abs(first.mean() - mean) < 0.05 * deviation and abs(first.std() - deviation) < 0.05 * deviation
    ms.set_seed(5)
    assert (getattr(ops, name)(x).asnumpy() == first).all()
    assert (getattr(ops, name)(x).asnumpy() != first).any()


@pytest.mark.parametrize("x", [2, 2.5, True])
def test_what_is_no_tensor_is_not_shuffled(x):
    with pytest.raises(TypeError):
        ops.shuffle(x, seed=3)


@pytest.mark.parametrize("dtype", [ms.float16, ms.float32, ms.float64], ids=str)
def test_rand_like_keeps_the_type(dtype):
    assert ops.rand_like(Tensor([1, 2], dtype)).dtype == dtype


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
