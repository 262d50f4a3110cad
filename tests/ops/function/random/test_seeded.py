"""Draws with a seed of their own: which calls MindSpore 2.10 (CPU) repeats, and which go on."""

import copy

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

EVEN = Tensor(np.ones((1, 100)), ms.float32)
SIZE, RATE = Tensor([8]), Tensor([50.0])
random_ops = ops.operations.random_ops
# name: (a new primitive, how it is called)
PRIMITIVES = {
    "StandardNormal": (lambda: ops.StandardNormal(seed=3), lambda p: p((8,))),
    "UniformReal": (lambda: ops.UniformReal(seed2=3), lambda p: p((8,))),
    "UniformInt": (lambda: ops.UniformInt(seed=3), lambda p: p((8,), Tensor(0, ms.int32), Tensor(1000, ms.int32))),
    "StandardLaplace": (lambda: ops.StandardLaplace(seed=3), lambda p: p((8,))),
    "Multinomial": (lambda: ops.Multinomial(seed=3), lambda p: p(EVEN[0], 8)),
    "RandomCategorical": (ops.RandomCategorical, lambda p: p(EVEN, 8, 3)),
    "RandomShuffle": (lambda: ops.RandomShuffle(seed=3), lambda p: p(Tensor(np.arange(20)))),
    "RandomChoiceWithMask": (lambda: ops.RandomChoiceWithMask(8, 3), lambda p: p(Tensor(np.ones(100, bool)))[0]),
    "UniformCandidateSampler": (
        lambda: ops.UniformCandidateSampler(1, 5, True, 100, 3),
        lambda p: p(Tensor([[1]]))[0],
    ),
    "LogUniformCandidateSampler": (
        lambda: ops.LogUniformCandidateSampler(1, 5, True, 100, 3),
        lambda p: p(Tensor([[1]]))[0],
    ),
    "Dropout": (lambda: ops.Dropout(0.5, 3, 4), lambda p: p(Tensor(np.ones(40), ms.float32))[0]),
    "RandomGamma": (lambda: random_ops.RandomGamma(seed=3), lambda p: p(SIZE, RATE)),
    "RandomPoisson": (lambda: random_ops.RandomPoisson(seed=3), lambda p: p(SIZE, RATE)),
}
# the same numbers at each call
REPEATED = {
    "randperm": lambda: ops.randperm(20),
    "randperm(seed)": lambda: ops.randperm(20, 3, 2),
    "RandpermV2": lambda: ops.RandpermV2(3)(Tensor([20])),
    "bernoulli(seed)": lambda: ops.bernoulli(Tensor(np.zeros(40), ms.float32), 0.5, seed=3),
    "multinomial_with_replacement": lambda: ops.multinomial_with_replacement(EVEN, 2, 5, 8),
    "random_categorical(seed)": lambda: ops.random_categorical(EVEN, 8, 7),
    "uniform_candidate_sampler(seed)": lambda: ops.uniform_candidate_sampler(Tensor([[1]]), 1, 5, True, 100, 7)[0],
    "log_uniform_candidate_sampler": lambda: ops.log_uniform_candidate_sampler(Tensor([[1]]), 1, 5, True, 100)[0],
}
CONTINUED = {
    "standard_normal(seed)": lambda: ops.standard_normal((8,), seed=7),
    "uniform(seed)": lambda: ops.uniform((8,), Tensor(0.0), Tensor(1.0), seed=7),
    "shuffle(seed)": lambda: ops.shuffle(Tensor(np.arange(20)), seed=7),
    "multinomial(seed)": lambda: ops.multinomial(EVEN[0], 8, seed=7),
    "random_categorical": lambda: ops.random_categorical(EVEN, 8),
    "uniform_candidate_sampler": lambda: ops.uniform_candidate_sampler(Tensor([[1]]), 1, 5, True, 100)[0],
}


class Drawing(nn.Cell):
    def __init__(self, name):
        super().__init__()
        make, self.call = PRIMITIVES[name]
        self.primitive = make()

    def construct(self):
        return self.call(self.primitive)


def drawn(net):
    return net().asnumpy().tolist()


@pytest.mark.parametrize("name", PRIMITIVES)
def test_a_primitive_with_a_seed_has_a_sequence_of_its_own(mode, name):
    first, second = Drawing(name), Drawing(name)
    sequence = [drawn(first) for _ in range(3)]
    assert sequence[0] != sequence[1] != sequence[2]
    assert [drawn(second) for _ in range(3)] == sequence


def test_both_modes_and_copies_go_on_in_one_sequence():
    whole = Drawing("StandardNormal")
    sequence = [drawn(whole) for _ in range(4)]
    net = Drawing("StandardNormal")
    assert drawn(net) == sequence[0]
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert drawn(net) == sequence[1]
        assert drawn(net) == sequence[2]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert drawn(copy.deepcopy(net)) == drawn(net) == sequence[3]
    assert not list(net.get_parameters())


@pytest.mark.parametrize("name", REPEATED)
def test_repeated(name):
    draw = REPEATED[name]
    assert draw().asnumpy().tolist() == draw().asnumpy().tolist()


@pytest.mark.parametrize("name", CONTINUED)
def test_continued(name):
    draw = CONTINUED[name]
    assert draw().asnumpy().tolist() != draw().asnumpy().tolist()


def test_a_seed_and_an_offset_make_another_order():
    assert ops.randperm(20, 3, 2).asnumpy().tolist() != ops.randperm(20, 3, 1).asnumpy().tolist()
    assert ops.randperm(20, 3, 2).asnumpy().tolist() != ops.randperm(20, 2, 2).asnumpy().tolist()
