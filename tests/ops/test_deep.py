"""The samples of deep_samples.py answer as MindSpore did: value, dtype, shape, and the class of the exception."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.conformance import departures, replay
from tests.ops import deep_samples as samples

RTOL = 1e-4  # MindSpore's kernels sum in other orders and approximate exp, log and the like
RTOL_HALF = 1e-3


def cases():
    return replay.params("ops_deep_{}.json", samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    case = {**case, "setup": samples.SETUP}
    result = str(case.get("result"))
    if "'DType'" not in result:
        case["rtol"] = RTOL_HALF if "loat16" in result else RTOL
    outcome = replay.evaluate(case, ms)
    replay.check_stated(case, outcome, departures.OPS_DEEP)


def test_the_recording_holds_the_samples():
    for topic in samples.TOPICS:
        assert [case["expr"] for case in replay.load(f"ops_deep_{topic}.json")] == samples.samples(topic)


def test_what_was_refused_once_is_taken_in_another_form():
    with pytest.raises(TypeError, match="size"):
        ops.zeros((5.0, 7))
    assert ops.zeros((5, 7)).shape == (5, 7)  # although (5.0, 7) == (5, 7)
    with pytest.raises(TypeError, match="size"):
        ops.zeros((5.0, 7))


@pytest.mark.parametrize("name", ["add", "mul", "atan2", "maximum", "less", "logical_and", "bitwise_and", "lerp"])
def test_none_and_sequences_are_refused_by_type(name):
    x = Tensor(np.ones(3, np.int32))
    rest = (x,) if name == "lerp" else ()
    for other in (None, [1, 2, 3], (1, 2, 3)):
        with pytest.raises(TypeError):
            getattr(ops, name)(x, other, *rest)


def test_numpys_float64_is_pythons_float_in_both_modes():
    x = Tensor(np.ones(3, np.float32))
    scale = np.sqrt(2)
    for found in (x * scale, ops.mul(scale, x), ms.jit(lambda x: x * scale)(x), ms.jit(lambda x: ops.add(x, scale))(x)):
        assert found.dtype is ms.float32
    assert ms.grad(lambda x: (x * scale).sum())(x).dtype is ms.float32


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 4, 4)])
@pytest.mark.parametrize("full", [False, True])
def test_singular_vectors_have_one_sign(shape, full):
    matrix = np.random.default_rng(3).normal(size=shape)
    for factor in (1, -1):
        s, u, v = ops.svd(Tensor(factor * matrix), full)
        count = s.shape[-1]
        first = [t.asnumpy()[..., :count] for t in (u, v)]
        rebuilt = (first[0] * s.asnumpy()[..., None, :]) @ np.swapaxes(first[1], -1, -2)
        np.testing.assert_allclose(rebuilt, factor * matrix, atol=1e-12)
        largest = np.take_along_axis(first[1], np.abs(first[1]).argmax(-2)[..., None, :], -2)
        assert (largest > 0).all()
    with pytest.raises(TypeError, match="Svd"):
        ops.svd(Tensor(matrix, ms.float16))


def test_a_bool_is_an_operand_of_logic():
    assert ops.LogicalAnd()(True, Tensor([True, False])).asnumpy().tolist() == [True, False]
    with pytest.raises(TypeError, match="LogicalAnd"):
        ops.LogicalAnd()(Tensor([True]), 3)
