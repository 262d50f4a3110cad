"""The samples of more_samples.py: answers as MindSpore's, both modes, and gradients against differences."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import more_samples as samples  # noqa: E402
import numpy as np  # noqa: E402
import replay  # noqa: E402

import ms_compat  # noqa: E402
from ms_compat import Tensor, ops  # noqa: E402

RTOL = 3e-5
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
WIDER = {
    "value=7.0": "both spellings of an argument are taken everywhere",
    "ops.cond(x)": "the 2-norm's condition needs no inverse",
    "matrix_diag_part(x,1,9.)": "numbers as well as Tensors, as matrix_diag takes them",
    "adaptive_max_pool3d(q,(1,2,None))": "None keeps a size, as documented",
    "mnp.ediff1d([1": "lists as everywhere in numpy",
    "mnp.ix_([1,2]": "likewise",
}
DIFFERENT = {
    "ops.rfft(c)": "TypeError: the imaginary part would be dropped",
    "mnp.fft.ihfftn(x)": "MindSpore calls hfftn",
}
DIFFERENT |= {
    f"x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]]),reduce='{way}')": "MindSpore's CPU kernel leaves reduce out"
    for way in ("add", "multiply")
}


def cases():
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for topic in samples.TOPICS
        for case in replay.load(f"ops_more_{topic}.json")
    ]


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    case = {**case, "setup": samples.SETUP + "\nimport ms_compat.numpy as mnp"}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = RTOL
    outcome = replay.evaluate(case, ms_compat)
    replay.check_stated(case, outcome, DIFFERENT, WIDER)


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
