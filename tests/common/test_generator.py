"""Generators, the default stream's state, and JitConfig."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import ops


def test_state_repeats_the_numbers_that_follow():
    state = ms.get_rng_state()
    first = ops.standard_normal((4,)).asnumpy().tolist()
    second = ops.standard_normal((4,)).asnumpy().tolist()
    ms.set_rng_state(state)
    assert ops.standard_normal((4,)).asnumpy().tolist() == first != second
    assert state.dtype == ms.uint8


def test_manual_seed_repeats_and_is_reported():
    ms.manual_seed(7)
    assert ms.initial_seed() == 7
    first = ops.standard_normal((4,)).asnumpy().tolist()
    ms.manual_seed(7)
    assert ops.standard_normal((4,)).asnumpy().tolist() == first
    assert ms.seed() != 7


def test_generators_are_separate():
    a, b = ms.Generator().manual_seed(1), ms.Generator().manual_seed(2)
    b.set_state(a.get_state())
    assert b.initial_seed() == 2 and b.get_state().asnumpy().tolist() == a.get_state().asnumpy().tolist()


def test_wrong_seeds_and_states_are_refused():
    with pytest.raises(TypeError, match="seed"):
        ms.manual_seed(1.5)
    with pytest.raises(TypeError, match="state"):
        ms.set_rng_state(ms.Tensor([1, 2]))


@pytest.mark.parametrize("option", ["jit_level", "exc_mode", "jit_syntax_level", "debug_level", "infer_boost"])
def test_jit_config_checks_its_values(option):
    with pytest.raises(ValueError, match=option):
        ms.JitConfig(**{option: "no such"})
    assert ms.JitConfig(foo=1).jit_config_dict["foo"] == 1


def test_a_step_gives_the_seed_and_the_counter(mode):
    generator = ms.Generator().manual_seed(5)

    class Step(ms.nn.Cell):
        def construct(self):
            return generator._step(ms.Tensor(2))

    net = Step()
    steps = [tuple(map(int, net())) for _ in range(3)]
    assert steps == [(5, 0), (5, 2), (5, 4)]
    state = generator.get_state()
    last = generator._step(ms.Tensor(1))
    generator.set_state(state)
    assert [int(v) for v in generator._step(ms.Tensor(1))] == [int(v) for v in last] == [5, 6]


def test_the_default_generator_is_the_one_that_seeds():
    ms.manual_seed(7)
    assert ms.default_generator.initial_seed() == 7
    first = ms.ops.randn(3).asnumpy()
    ms.manual_seed(7)
    np.testing.assert_array_equal(ms.ops.randn(3).asnumpy(), first)
