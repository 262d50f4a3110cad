"""Distributions: recorded answers, SciPy's formulas, samples, gradients and both modes."""

import numpy as np
import pytest
import scipy.stats

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.nn.probability import distribution as msd
from tests.nn import probability_samples as samples
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


SCIPY = {
    "Normal": ((1.0, 2.0), scipy.stats.norm(1.0, 2.0)),
    "Uniform": ((0.0, 2.0), scipy.stats.uniform(0.0, 2.0)),
    "Exponential": ((2.0,), scipy.stats.expon(scale=0.5)),
    "Logistic": ((1.0, 2.0), scipy.stats.logistic(1.0, 2.0)),
    "Gumbel": ((1.0, 2.0), scipy.stats.gumbel_r(1.0, 2.0)),
    "LogNormal": ((0.0, 0.5), scipy.stats.lognorm(0.5)),
    "Beta": (([2.0], [3.0]), scipy.stats.beta(2.0, 3.0)),
    "Gamma": (([2.0], [3.0]), scipy.stats.gamma(2.0, scale=1 / 3)),
    "Bernoulli": ((0.3,), scipy.stats.bernoulli(0.3)),
    "Geometric": ((0.3,), scipy.stats.geom(0.3, loc=-1)),
    "Poisson": (([2.0],), scipy.stats.poisson(2.0)),
}


@pytest.mark.parametrize("name", SCIPY)
def test_agrees_with_scipy(name):
    args, reference = SCIPY[name]
    made = getattr(msd, name)(*args)
    discrete = hasattr(reference, "pmf") and name in ("Bernoulli", "Geometric", "Poisson")
    at = np.array([0.0, 1.0, 3.0] if discrete else [0.1, 0.4, 0.95, 1.7], np.float32)
    at = at[:2] if name == "Bernoulli" else at[:3] if name == "Beta" else at
    wanted = {"prob": reference.pmf if discrete else reference.pdf}
    if name != "Beta":
        wanted |= {"cdf": reference.cdf, "log_survival": reference.logsf}
    for quantity, function in wanted.items():
        with np.errstate(divide="ignore"):
            expected = function(at.astype(np.float64))
        assert np.allclose(getattr(made, quantity)(Tensor(at)).asnumpy(), expected, rtol=2e-4, atol=2e-6), quantity
    for quantity, value in {"mean": reference.mean(), "sd": reference.std(), "var": reference.var()}.items():
        assert np.allclose(getattr(made, quantity)().asnumpy(), value, rtol=1e-4), quantity


@pytest.mark.parametrize("name", [*SCIPY, "Cauchy", "Categorical"])
def test_samples_follow_the_distribution(name):
    if name == "Cauchy":
        args, reference = (1.0, 2.0), scipy.stats.cauchy(1.0, 2.0)
    elif name == "Categorical":
        args, reference = ([0.2, 0.3, 0.5],), scipy.stats.rv_discrete(values=([0, 1, 2], [0.2, 0.3, 0.5]))
    else:
        args, reference = SCIPY[name]
    made = getattr(msd, name)(*args, seed=7)
    drawn = made.sample((4000,)).asnumpy().astype(np.float64).ravel()
    for q in (0.2, 0.5, 0.8):  # the share below the quantile, within five standard errors
        point = reference.ppf(q)
        share = (drawn <= point).mean()
        assert abs(share - reference.cdf(point)) < 5 * np.sqrt(0.25 / 4000)
    assert (made.sample((8,)).asnumpy() != made.sample((8,)).asnumpy()).any()


class Net(nn.Cell):
    def __init__(self, distribution):
        super().__init__()
        self.distribution = distribution

    def construct(self, x):
        return self.distribution("log_prob", x), self.distribution.cdf(x), self.distribution("sample", (3,))


@pytest.mark.parametrize("name", ["Normal", "Logistic", "Exponential", "Gumbel", "LogNormal"])
def test_both_modes(name):
    args = SCIPY[name][0]
    x = Tensor([0.3, 1.1, 2.0])
    answers = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            ms.set_seed(3)
            answers.append([part.asnumpy() for part in Net(getattr(msd, name)(*args))(x)])
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    for eager, compiled in zip(*answers, strict=True):
        assert np.allclose(eager, compiled, rtol=1e-5)


@pytest.mark.parametrize("name", ["Normal", "Logistic", "Cauchy", "Gumbel", "LogNormal", "Laplace"])
def test_gradients(name):
    made = getattr(msd, name)(0.5, 1.5)
    x = np.array([0.3, 1.1, 2.0], np.float32)
    found = ms.grad(lambda t: made.log_prob(t).sum())(Tensor(x)).asnumpy()
    wide = getattr(msd, name)(0.5, 1.5, dtype=ms.float64)
    step = 1e-6
    up, down = (wide.log_prob(Tensor(x.astype(np.float64) + s)).asnumpy() for s in (step, -step))
    assert np.allclose(found, (up - down) / (2 * step), rtol=1e-4, atol=1e-5)


def test_a_parameter_is_trained():
    mean = ms.Parameter(Tensor([0.0]), name="mean")
    net = msd.Normal(mean, 1.0)
    assert [p.name for p in net.trainable_params()] == ["mean"]
    optimizer = nn.SGD(net.trainable_params(), 0.5)
    step = ms.value_and_grad(lambda x: -net.log_prob(x).mean(), None, optimizer.parameters)
    for _ in range(30):
        _, grads = step(Tensor([2.0, 4.0]))
        optimizer(grads)
    assert np.allclose(mean.asnumpy(), 3.0, atol=1e-3)


def test_a_seed_of_its_own():
    first, again = (msd.Normal(0.0, 1.0, seed=5) for _ in range(2))
    ms.set_seed(1)
    one = first.sample((4,)).asnumpy()
    ms.set_seed(1)
    assert (again.sample((4,)).asnumpy() == one).all()
    ms.set_seed(1)
    assert (msd.Normal(0.0, 1.0).sample((4,)).asnumpy() != one).any()


class Triangle(msd.Distribution):
    """A user's distribution on [0, 1] with density 2 x."""

    def __init__(self, top, seed=None, dtype=ms.float32, name="Triangle"):
        super().__init__(seed, dtype, name, {**locals(), "param_dict": {"top": top}})
        self.top = self._add_parameter(top, "top")

    def _prob(self, value, top=None):
        value, top = self._check_value(value, "value"), self._check_param_type(top)
        return 2 * value / top**2

    def _cdf(self, value, top=None):
        return (value / self._check_param_type(top)) ** 2

    def _var(self, top=None):
        return self._check_param_type(top) ** 2 / 18


def test_a_distribution_of_the_users():
    made = Triangle(1.0)
    x = Tensor([0.25, 0.5])
    assert np.allclose(made.log_prob(x).asnumpy(), np.log([0.5, 1.0]))
    assert np.allclose(made("survival_function", x, Tensor([2.0])).asnumpy(), [1 - 1 / 64, 1 - 1 / 16])
    assert np.allclose(made.log_survival(x).asnumpy(), np.log([15 / 16, 0.75]))
    assert np.allclose(made.sd().asnumpy(), np.sqrt(1 / 18))
    with pytest.raises(NotImplementedError, match="entropy"):
        made.entropy()


FAMILIES = (
    "Normal Uniform Exponential Logistic Cauchy Gumbel LogNormal Beta Gamma HalfNormal Laplace StudentT Bernoulli "
    "Geometric Poisson Categorical"
).split()


@pytest.mark.parametrize("name", FAMILIES)
def test_made_in_a_compiled_function(name):
    given, _, batch = samples.FAMILIES[name]
    values = eval(f"[{batch}]")
    x = Tensor([0.1, 0.5, 0.9])

    def both(*params):
        return getattr(msd, name)(*params).log_prob(x)

    params = [Tensor(np.asarray(value, np.float32)) for value in values]
    assert np.allclose(ms.jit(both)(*params).asnumpy(), both(*params).asnumpy(), rtol=1e-5)
    assert np.allclose(ms.jit(both)(*[p * 1 for p in params]).asnumpy(), both(*params).asnumpy(), rtol=1e-5)


class Policy(nn.Cell):
    """What reinforcement learning does: the network gives the parameters of a distribution kept in the Cell."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.scale = ms.Parameter(Tensor([0.0, 0.5]), name="scale")
        self.normal = msd.Normal()

    def construct(self, x, action):
        mean = self.dense(x)
        sd = ms.ops.exp(self.scale) * ms.ops.ones_like(mean)
        return self.normal.log_prob(action, mean, sd).sum() + self.normal("entropy", mean, sd).mean()


def test_parameters_from_a_network():
    net = Policy()
    x, action = Tensor(np.ones((4, 3), np.float32)), Tensor(np.zeros((4, 2), np.float32))
    answers = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            answers.append(ms.value_and_grad(net, None, net.trainable_params())(x, action))
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    (one, grads), (other, compiled) = answers
    assert np.allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)
    for g, c in zip(grads, compiled, strict=True):
        assert np.abs(g.asnumpy()).sum() > 0 and np.allclose(g.asnumpy(), c.asnumpy(), rtol=1e-5)


def test_a_parameter_is_trained_by_a_compiled_step():
    net = msd.Normal(ms.Parameter(Tensor([0.0]), name="mean"), 1.0)

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.normal = net

        def construct(self, x):
            return -self.normal.log_prob(x).mean()

    loss = Loss()
    step = nn.TrainOneStepCell(loss, nn.SGD(loss.trainable_params(), 0.5))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        for _ in range(30):
            step(Tensor([2.0, 4.0]))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert np.allclose(loss.trainable_params()[0].asnumpy(), 3.0, atol=1e-3)
