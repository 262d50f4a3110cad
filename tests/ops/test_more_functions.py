"""The samples of more_samples.py: answers as MindSpore's, both modes, and gradients against differences."""

import numpy as np
import pytest

import ms_compat
from ms_compat import Tensor, ops
from tests.conformance import departures, replay
from tests.ops import more_samples as samples

RTOL = 3e-5


def cases():
    return replay.params("ops_more_{}.json", samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    case = {**case, "setup": samples.SETUP + "\nimport ms_compat.numpy as mnp"}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = RTOL
    outcome = replay.evaluate(case, ms_compat)
    replay.check_stated(case, outcome, departures.OPS_MORE, departures.OPS_MORE_WIDER)


X = np.array([[1.5, 2, 3], [4, 5, 6.5]], np.float32)
M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)
SMOOTH = {
    "irfft": (lambda x: ops.irfft(ops.rfft(x) * 2), X),
    "stft": (lambda x: ops.stft(x, 4, 1, center=False) ** 2, X.repeat(2, 1)),
    "cov": (ops.cov, X),
    "cond": (ops.cond, M),
    "lu_solve": (lambda x: ops.lu_solve(x, x, Tensor([1, 2, 3], ms_compat.int32)), M),
    "matrix_diag": (lambda x: ops.matrix_diag(x, 1) ** 2, X),
    "matrix_set_diag": (lambda x: ops.matrix_set_diag(x, x[0]) ** 2, M),
    "pdist": (ops.pdist, M),
    "reverse_sequence": (lambda x: ops.reverse_sequence(x, Tensor([2, 3]), 1) ** 2, X),
    "bessel_j0": (ops.bessel_j0, X),
    "bessel_y1": (ops.bessel_y1, X),
    "bessel_k0": (ops.bessel_k0, X),
    "masked_scatter": (lambda x: x.masked_scatter(x > 2.5, x * 3), X),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_modes_and_gradients(name):
    fn, x = SMOOTH[name]

    def total(x):
        return ops.sum(fn(x).abs())

    assert np.allclose(
        ms_compat.jit(lambda x: fn(x))(Tensor(x)).asnumpy(), fn(Tensor(x)).asnumpy(), rtol=1e-5, atol=1e-5
    )
    found = ms_compat.grad(total)(Tensor(x)).asnumpy()
    x = x.astype(np.float64)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        difference = (total(Tensor(x + step)).item() - total(Tensor(x - step)).item()) / 2e-6
        assert abs(found[place] - difference) <= 2e-3 * max(1, abs(difference)), (place, found[place], difference)


@pytest.mark.parametrize(("name", "signed"), [("fmod", 1), ("mod", -2), ("remainder", -2)])
def test_numpys_remainder_of_a_division_by_zero_is_zero(name, signed):  # recorded from MindSpore 2.10.0
    function = getattr(ms_compat.numpy, name)
    found = function(Tensor([7, -7, 5, 0]), Tensor([0, 0, 3, 2]))
    assert found.dtype == ms_compat.int64 and found.asnumpy().tolist() == [0, 0, 2, 0]
    assert function(Tensor([7]), -3).asnumpy().tolist() == [signed]
    assert np.isnan(function(Tensor([7.5]), 0.0).asnumpy()).all()


@pytest.mark.parametrize("mode", [ms_compat.PYNATIVE_MODE, ms_compat.GRAPH_MODE])
@pytest.mark.parametrize("largest", [True, False])
def test_all_elements_out_of_order_stay_where_they_are(mode, largest):
    ms_compat.set_context(mode=mode)
    x = Tensor([[3.0, 1.0, float("nan")], [5.0, 4.0, 9.0]])
    try:
        for dim, k in ((1, 3), (0, 2), (None, 3)):
            values, places = ops.topk(x, k, dim, largest, False)
            np.testing.assert_array_equal(values.asnumpy(), x.asnumpy())
            np.testing.assert_array_equal(places.asnumpy(), np.indices(x.shape)[1 if dim is None else dim])
            assert places.dtype == ms_compat.int32
        assert ops.TopK(False)(x[1], 3)[1].asnumpy().tolist() == [0, 1, 2]
        slope = ms_compat.grad(lambda a: ops.topk(a, 3, sorted=False)[0] * Tensor([1.0, 2.0, 3.0]))(x)
        assert slope.asnumpy().tolist() == [[1, 2, 3], [1, 2, 3]]
    finally:
        ms_compat.set_context(mode=ms_compat.PYNATIVE_MODE)


def test_sinc_near_zero_and_at_integers_as_recorded():
    """MindSpore rounds at integers and has no overflow in the slope of tiny numbers."""
    x = Tensor(np.array([0, 1e-30, 1e-8, 0.5, 1, 2, -1, np.nan], np.float32))
    values = [1.0, 1.0, 1.0, 0.6366197466850281, -2.7827534054836178e-08, 2.7827534054836178e-08]
    assert np.allclose(ops.sinc(x).asnumpy()[:6], np.array(values, np.float32), rtol=1e-6, atol=0)
    slopes = [0.0, 0.0, 0.0, -1.2732396125793457, -1.0, 0.5, 1.0, np.nan]
    assert np.allclose(ms_compat.grad(ops.sinc)(x).asnumpy(), slopes, rtol=1e-6, atol=0, equal_nan=True)


@pytest.mark.parametrize("jitted", [False, True])
def test_a_number_of_segments_in_a_tensor(jitted):
    """The sum takes it with a dimension, too; the others refuse that."""
    x, ids = Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), Tensor([0, 1, 0], ms_compat.int32)
    number = Tensor([2])
    total = lambda x, ids: ops.unsorted_segment_sum(x, ids, number)  # noqa: E731
    total = ms_compat.jit(total) if jitted else total
    assert total(x, ids).asnumpy().tolist() == [[6.0, 8.0], [3.0, 4.0]]
    with pytest.raises(TypeError, match="num_segments"):
        ops.unsorted_segment_max(x, ids, number)


def test_sometrue_takes_any_number_as_keepdims():
    x = Tensor(np.array([[True, False], [False, False]]))
    assert ms_compat.numpy.sometrue(x, axis=(0, 1), keepdims=-1).asnumpy().tolist() == [[True]]
    assert ms_compat.numpy.sometrue(x, axis=1, keepdims=0).asnumpy().tolist() == [True, False]
