"""New tensors from shapes and ranges, and casts."""

import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor, mint, ops
from ms_compat._core.compiled.interpreter import tier
from tests.compilations import Compiled
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_what_was_refused_once_is_taken_in_another_form():
    with pytest.raises(TypeError, match="size"):
        ops.zeros((5.0, 7))
    assert ops.zeros((5, 7)).shape == (5, 7)  # although (5.0, 7) == (5, 7)
    with pytest.raises(TypeError, match="size"):
        ops.zeros((5.0, 7))


def test_weak_types_do_not_escape():
    assert not (Tensor([1.0]) + 1)._v.weak_type
    assert not ms.ops.full((2,), 3)._v.weak_type
    assert jnp.asarray(ms.ops.add(1, 2)._v).dtype == np.int64


def test_a_range_is_compiled_once_for_all_its_starts():
    with tier.compiled_only():
        ms.ops.arange(3, 8, 2), ms.ops.arange(0, 3)
        with Compiled() as compiled:
            assert ms.ops.arange(5, 10, 2).asnumpy().tolist() == [5, 7, 9] and ms.ops.arange(0, 3).dtype == ms.int64
    assert compiled == []


def filled(value):
    return mint.full((1, 2, 3), value)


def test_a_value_that_fills_has_no_gradient_in_mint(mode):
    for value in (Tensor(6.0), Tensor(6)):
        gradient = ms.grad(filled)(value)
        assert gradient.dtype == value.dtype and gradient.asnumpy() == 0
    assert ms.grad(lambda value: ops.full((1, 2, 3), value))(Tensor(6.0)).asnumpy() == 6


START, STEP = Tensor(1.5), Tensor(2.0)


@pytest.mark.parametrize(
    ("fn", "wanted"),
    [
        (lambda a, d: mnp.arange(a, 9.0, d) * Tensor([1.0, 2, 3, 4]), [10, 20]),
        (lambda a, d: mnp.arange(0.0, 9.0, d) * 2, [0, 20]),
        (lambda a, d: mnp.arange(a, 9.0), [8, 0]),
        (lambda a, d: mnp.arange(a), [0, 0]),
        (lambda a, d: ops.arange(a, 9.0, d), [0, 0]),
        (lambda a, d: ops.operations.array_ops.RangeV2()(a, Tensor(9.0), d), [4, 6]),
    ],
)
def test_gradients_by_start_and_step(fn, wanted, mode):
    found = ms.grad(lambda a, d: fn(a, d).sum(), (0, 1))(START, STEP)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert [float(g.asnumpy()) for g in found] == wanted
