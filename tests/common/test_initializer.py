"""Initializers: names, errors and distributions as recorded on MindSpore, seeds, and classes of one's own."""

import math

import numpy as np
import pytest

import ms_compat as ms
from ms_compat.common import initializer as init
from ms_compat.common.initializer import Initializer, initializer

# MindSpore 2.10.0, 2026-11-20: mean and standard deviation of [2000, 50], and whether min and max lie at a hard limit.
DISTRIBUTIONS = [
    (init.Normal(), 0, 0.01, None),
    (init.Normal(0.5, 1), 1, 0.5, None),
    (init.Uniform(), 0, 0.0404, 0.07),
    (init.Uniform(0.3), 0, 0.1732, 0.3),
    (init.TruncatedNormal(), 0, 0.01, None),
    (init.TruncatedNormal(0.02, 1.0, -1.0, 1.0), 0.98408, 0.01205, None),
    (init.TruncatedNormal(1, 0, -2, 2), 0, 0.8787, 2),
    (init.XavierUniform(), 0, 0.0312, 0.0541),
    (init.XavierUniform(2), 0, 0.0625, 0.1082),
    (init.XavierNormal(), 0, 0.0312, None),
    (init.XavierNormal(2), 0, 0.0625, None),
    (init.HeUniform(), 0, 0.2, 0.3464),
    (init.HeUniform(math.sqrt(5)), 0, 0.0816, 0.14142),
    (init.HeUniform(mode="fan_out"), 0, 0.0316, 0.05477),
    (init.HeUniform(nonlinearity="tanh"), 0, 0.2354, 0.40825),
    (init.HeNormal(), 0, 0.2, None),
    (init.HeNormal(mode="fan_out", nonlinearity="relu"), 0, 0.0316, None),
    (init.HeNormal(nonlinearity="sigmoid"), 0, 0.1413, None),
    (init.VarianceScaling(), 0, 0.1414, 0.24495),
    (init.VarianceScaling(2.0, "fan_out", "uniform"), 0, 0.0316, 0.05477),
    (init.VarianceScaling(2.0, "fan_avg", "untruncated_normal"), 0, 0.0442, None),
    (init.Sparse(0.3, 0.5), 0, 0.4182, None),
    (init.Orthogonal(2.0), 0, 0.0447, None),
]


@pytest.mark.parametrize("case", DISTRIBUTIONS, ids=lambda c: f"{type(c[0]).__name__} {c[0]._kwargs}")
def test_distribution(case):
    how, mean, deviation, limit = case
    ms.set_seed(3)
    values = initializer(how, [2000, 50]).init_data().asnumpy().astype(np.float64)
    assert abs(values.mean() - mean) < 0.02 * max(deviation, 1e-3) + 1e-4
    assert abs(values.std() / deviation - 1) < 0.02
    if limit is not None:
        assert np.abs(values).max() <= limit * 1.0001
        assert np.abs(values).max() > 0.99 * limit


NAMES = {
    "zeros": "Zero", "zero": "Zero", "ONES": "One", "one": "One", "normal": "Normal", "NORMAL": "Normal",
    "uniform": "Uniform", "he_uniform": "HeUniform", "heuniform": "HeUniform", "HeNormal": "HeNormal",
    "xavierUniform": "XavierUniform", "xavier_normal": "XavierNormal", "TruncatedNormal": "TruncatedNormal",
    "identity": "Identity", "dirac": "Dirac", "orthogonal": "Orthogonal", "variancescaling": "VarianceScaling",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_name(name):
    assert type(initializer(name, [4, 4]).init).__name__ == NAMES[name]


# expression -> exception class, recorded on MindSpore 2.10.0, 2026-11-20
ERRORS = {
    "initializer('truncated_normal', [2])": ValueError,
    "initializer('constant', [2])": ValueError,
    "initializer('nope', [2])": ValueError,
    "initializer('sparse', [2, 2])": TypeError,
    "initializer('identity', [2]).init_data()": ValueError,
    "initializer(init.Dirac(), [3, 3]).init_data()": ValueError,
    "initializer(init.Dirac(3), [4, 2, 3]).init_data()": ValueError,
    "initializer(init.Sparse(0.5), [4]).init_data()": ValueError,
    "initializer('orthogonal', [3]).init_data()": ValueError,
    "initializer('he_normal', [3]).init_data()": ValueError,
    "initializer('xavier_uniform', []).init_data()": ValueError,
    "initializer(init.HeNormal(mode='x'), [4, 3]).init_data()": ValueError,
    "initializer(init.HeNormal(nonlinearity='selu'), [4, 3]).init_data()": ValueError,
    "initializer(init.HeUniform(negative_slope='a'), [4, 3]).init_data()": ValueError,
    "init.VarianceScaling(mode='x')": ValueError,
    "init.VarianceScaling(distribution='x')": ValueError,
    "init.VarianceScaling(scale=-1)": ValueError,
    "initializer(init.Normal('a'), [2]).init_data()": TypeError,
    "initializer(init.Uniform('a'), [2]).init_data()": TypeError,
    "initializer('normal', 2.5)": ValueError,
    "initializer('normal', [2, 0])": ValueError,
    "initializer('normal', [-1])": ValueError,
    "initializer('normal', [2], 'f')": TypeError,
    "initializer(init.Constant('a'), [2]).init_data()": ValueError,
    "initializer(init.Constant(np.arange(3)), [2, 3]).init_data()": ValueError,
    "initializer(None, [2])": TypeError,
    "initializer([1, 2], [2])": TypeError,
    "initializer(initializer('zeros', [2]), [4, 3])": ValueError,
    "initializer(ms.Tensor([1.0, 2.0]), [3])": ValueError,
    "initializer(ms.Tensor([1.0, 2.0]))": ValueError,
    "initializer(init.Normal, [2])": TypeError,
}


@pytest.mark.parametrize("text", ERRORS)
def test_error(text):
    with pytest.raises(ERRORS[text]):
        eval(text, {"init": init, "initializer": initializer, "ms": ms, "np": np})


def test_values_without_chance():
    def values(*args):
        return initializer(*args).init_data().asnumpy().tolist()

    assert values("zeros", [2]) == [0, 0]
    assert values(2.5, (2,)) == [2.5, 2.5]
    assert values(init.Constant(2), 2) == [2, 2]
    assert values("identity", [2, 3]) == [[1, 0, 0], [0, 1, 0]]
    assert values(init.Dirac(), [3, 2, 3]) == [[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 0]]]
    assert values(init.Dirac(2), [4, 2, 1]) == [[[1], [0]], [[0], [1]], [[1], [0]], [[0], [1]]]
    assert values("normal", [2], ms.int32) == [0, 0]
    assert initializer("normal", [2], ms.bfloat16).init_data().dtype is ms.bfloat16
    assert initializer("ones", [2], ms.bool_).init_data().asnumpy().tolist() == [True, True]


def test_waits_for_init_data():
    tensor = initializer("normal", [4, 3], ms.float16)
    assert tensor.has_init and tensor.shape == (4, 3) and tensor.dtype is ms.float16
    assert not tensor.init_data().has_init


def test_orthogonal_rows():
    matrix = initializer(init.Orthogonal(2.0), [3, 2, 2]).init_data().asnumpy().reshape(3, 4)
    np.testing.assert_allclose(matrix @ matrix.T, 4 * np.eye(3), atol=1e-5)


def test_sparse_columns():
    matrix = initializer(init.Sparse(0.3), [10, 6]).init_data().asnumpy()
    assert ((matrix == 0).sum(0) == 3).all()


def test_seed_repeats_and_draws_differ():
    draws = []
    for _ in range(2):
        ms.set_seed(5)
        draws.append([initializer("normal", [3]).init_data().asnumpy().tolist() for _ in range(2)])
    assert draws[0] == draws[1]
    assert draws[0][0] != draws[0][1]


def test_class_of_ones_own():
    class Seven(Initializer):
        def _initialize(self, arr):
            arr[:] = 7

    assert initializer(Seven(), [2], ms.bfloat16).init_data().asnumpy().tolist() == [7, 7]


def test_fans():
    assert init._calculate_fan_in_and_fan_out((3, 4, 5, 6)) == (120, 90)
    assert init._calculate_correct_fan((3, 4), "fan_in") == 4
    assert [init._calculate_gain(n) for n in ("sigmoid", "tanh", "linear")] == [1, 5 / 3, 1]
    assert init._calculate_gain("leaky_relu", 0.1) == pytest.approx(1.4071950894605838)


def test_a_tensor_is_its_own_initializer():
    tensor = ms.Tensor([1.0, 2.0])
    assert initializer(tensor, [2], ms.float16) is tensor
    assert ms.Parameter(initializer(tensor, (2,)), name="w").asnumpy().tolist() == [1, 2]
