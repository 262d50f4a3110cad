"""mindspore.scipy: MindSpore's recorded answers, SciPy's where MindSpore refuses, gradients and both modes."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.scipy import fft, linalg, optimize
from tests.conformance import programs, replay
from tests.scipy import scipy_samples as samples

# Expression -> why ms_compat answers where MindSpore refuses.
WIDER = {
    "linalg.lu(B)": "more rows than columns",
    "linalg.lu_solve(linalg.lu_factor(a),b)": "vectors as well as matrices, as documented",
    "linalg.lu(a,True)": "MindSpore multiplies matrices of two dtypes",
}


@pytest.mark.parametrize(
    "case",
    replay.params("scipy_{}.json", samples.TOPICS),
)
def test_answers_as_recorded(case):
    outcome = replay.evaluate({**case, "setup": samples.SETUP}, ms)
    if case["expr"] in WIDER:
        assert "error" in case and "error" not in outcome
    elif case.get("kernel"):
        assert outcome.get("error") in (None, case["error"])
    else:  # relative to the largest of an array: what should be zero is rounding
        how = replay if "Complex" in str(case.get("result")) else programs
        assert not how.differences({**case, "rtol": 1e-4}, outcome)


def test_the_recording_holds_the_samples():
    for topic in samples.TOPICS:
        assert [case["expr"] for case in replay.load(f"scipy_{topic}.json")] == samples.samples(topic)


A = np.array([[4.0, 1, 2], [1, 3, 0.5], [2, 0.5, 5]])
TALL = np.array([[1.0, 2], [3, 4], [5, 7]])


def test_tall_matrices_as_scipy():
    for got, wanted in zip(linalg.lu(Tensor(TALL)), scipy.linalg.lu(TALL), strict=True):
        assert np.allclose(got.asnumpy(), wanted)
    for got, wanted in zip(linalg.lu(Tensor(TALL), permute_l=True), scipy.linalg.lu(TALL, True), strict=True):
        assert np.allclose(got.asnumpy(), wanted)


def test_singular():
    assert not np.isfinite(linalg.inv(Tensor([[1.0, 2.0], [2.0, 4.0]])).asnumpy()).any()


SYMMETRIC = [[1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [3.0, 1.0, 1.0]]
SLOPES = {  # MindSpore's gradients of eigh where eigenvalues are equal
    "values": (lambda w, v: (w * Tensor([1.0, 2.0, 4.0])).sum(), [[1, 0, 0], [0, 2, 0], [0, 0, 4]]),
    "vectors": (lambda w, v: (v * v * Tensor(SYMMETRIC)).sum(), [[0, 0, 0]] * 3),
    "both": (lambda w, v: (ms.ops.matmul(v * w, v.T) * Tensor(SYMMETRIC)).sum(), [[1, 0, 0], [0, -1, 0], [6, 3, 1]]),
}


@pytest.mark.parametrize("way", SLOPES)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_gradients_of_equal_eigenvalues_are_mindspores(way, mode):
    measure, wanted = SLOPES[way]
    ms.set_context(mode=mode)
    found = ms.grad(lambda x: measure(*linalg.eigh(x)))(Tensor(np.diag([2.0, 2.0, 5.0]), ms.float32))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert np.allclose(found.asnumpy(), wanted, atol=1e-5)


FUNCTIONS = {
    "inv": linalg.inv,
    "det": linalg.det,
    "lu_solve": lambda a: linalg.lu_solve(linalg.lu_factor(a), a[0]),
    "cholesky": linalg.cholesky,
    "cho_solve": lambda a: linalg.cho_solve(linalg.cho_factor(a), Tensor([1.0, 2.0, 3.0], a.dtype)),
    "eigh": lambda a: linalg.eigh(a)[0],
    "lu_factor": lambda a: linalg.lu_factor(a)[0],
    "lu": lambda a: linalg.lu(a)[2],
    "solve_triangular": lambda a: linalg.solve_triangular(a, a + 1, "T"),
    "block_diag": lambda a: linalg.block_diag(a, a * a),
    "lstsq": lambda a: linalg.lstsq(a, a[0])[0],
    "dct": lambda a: fft.dct(a, n=4) ** 2,
    "idct": lambda a: fft.idct(a, axis=0) ** 2,
    "dctn": lambda a: fft.dctn(a) ** 2,
    "idctn": lambda a: fft.idctn(a, s=(2, 4)) ** 2,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_and_both_modes(name):
    function = FUNCTIONS[name]
    weights = Tensor(np.random.RandomState(0).randn(*function(Tensor(A)).shape))

    def total(a):
        return (function((a + a.T) / 2) * weights).sum()

    found = ms.grad(total)(Tensor(A)).asnumpy()
    step = 1e-6
    for i, j in ((0, 0), (1, 0), (2, 1)):
        move = np.zeros_like(A)
        move[i, j] = step
        numeric = (total(Tensor(A + move)) - total(Tensor(A - move))).asnumpy() / (2 * step)
        assert np.isclose(found[i, j], numeric, rtol=1e-5, atol=1e-7)
    compiled = ms.jit(lambda a: function(a))(Tensor(A, ms.float32)).asnumpy()
    assert np.allclose(compiled, function(Tensor(A, ms.float32)).asnumpy(), rtol=1e-5, atol=1e-6)


def test_assignments_in_a_compiled_function():
    cost = np.random.RandomState(1).randn(4, 6)
    rows, columns = ms.jit(lambda c: optimize.linear_sum_assignment(c, False))(Tensor(cost))
    wanted = scipy.optimize.linear_sum_assignment(cost)
    assert (rows.asnumpy() == wanted[0]).all() and (columns.asnumpy() == wanted[1]).all()


def rosen(x):
    return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()


@pytest.mark.parametrize("method", ["BFGS", "LBFGS"])
def test_minimize_many_variables(method):
    start = np.array([-1.2, 1.0, 2.0, 0.5])
    found = optimize.minimize(rosen, Tensor(start), method=method, options={"maxiter": 200})
    assert found.success and found.status == 0
    wanted = scipy.optimize.minimize(scipy.optimize.rosen, start, jac=scipy.optimize.rosen_der, method="BFGS").x
    assert np.allclose(found.x.asnumpy(), wanted, atol=1e-4)
    short = optimize.minimize(rosen, Tensor(start), method=method, options={"maxiter": 2})
    assert (short.success, short.status, short.nit) == (False, 1, 2)


def test_minimize_in_the_dtype_of_the_function():
    weight = Tensor([[2.0, 0.5], [0.5, 1.0]])  # a product of matrices takes one dtype
    found = optimize.minimize(lambda x: ms.ops.matmul(ms.ops.matmul(x, weight), x), Tensor([1.0, -1.0]), method="BFGS")
    assert np.allclose(found.x.asnumpy(), 0, atol=1e-4) and str(found.x.dtype) == "Float32"


def test_minimize_says_what_it_leaves_out(caplog):
    optimize.minimize(rosen, Tensor([0.5, 0.5]), method="BFGS", bounds=[(0, 1)] * 2, constraints=[rosen])
    assert "'bounds'" in caplog.text and "'constraints'" in caplog.text
    with pytest.raises(ms.UnsupportedError, match="LAGRANGE"):
        optimize.minimize(rosen, Tensor([0.5, 0.5]), method="LAGRANGE")
    with pytest.raises(ms.UnsupportedError, match="outside"):
        ms.jit(lambda x: optimize.minimize(rosen, x, method="BFGS").x, fullgraph=True)(Tensor([0.5, 0.5]))


def test_line_search_in_a_compiled_function():
    step = ms.jit(lambda x, p: optimize.line_search(rosen, x, p).a_k)(Tensor([-1.2, 1.0]), Tensor([215.6, 88.0]))
    assert np.isclose(step.asnumpy(), 0.00093831, rtol=1e-4)


def test_modules_of_a_function_are_called_as_it_is():
    code = """
import ms_compat
ms_compat.install()
import mindspore.scipy.optimize.linear_sum_assignment as assign
import mindspore.scipy.optimize.minimize as minimize
from mindspore import Tensor
print(assign(Tensor([[4.0, 1.0], [2.0, 5.0]]), False)[1])
print(minimize(lambda x: (x * x).sum(), Tensor([1.0]), method="BFGS").success)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split("\n")[:2] == ["[1 0]", "True"]


def test_least_squares_differentiate_the_solution_alone():
    tall = Tensor(np.array(TALL, np.float32))
    whole = ms.grad(lambda a: linalg.lstsq(a, a))(tall).asnumpy()
    solution = ms.grad(lambda a: linalg.lstsq(a, a)[0])(tall).asnumpy()
    assert np.array_equal(whole, solution)
    assert not ms.grad(lambda a: linalg.lstsq(a, a)[3])(tall).asnumpy().any()
