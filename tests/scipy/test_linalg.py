"""Linear algebra of `mindspore.scipy`."""

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.scipy import fft, linalg
from tests.scipy import recorded


@pytest.mark.parametrize("case", recorded.cases("linalg"))
def test_answers_as_recorded(case):
    recorded.check(case)


A = np.array([[4.0, 1, 2], [1, 3, 0.5], [2, 0.5, 5]])


TALL = np.array([[1.0, 2], [3, 4], [5, 7]])


def test_tall_matrices_as_scipy():
    for got, wanted in zip(linalg.lu(Tensor(TALL)), scipy.linalg.lu(TALL), strict=True):
        assert np.allclose(got.asnumpy(), wanted)
    for got, wanted in zip(linalg.lu(Tensor(TALL), permute_l=True), scipy.linalg.lu(TALL, True), strict=True):
        assert np.allclose(got.asnumpy(), wanted)


def test_singular():
    assert linalg.inv(Tensor([[1.0, 2.0], [2.0, 4.0]])).asnumpy().tolist() == [[0, 0], [0, 0.25]]  # as MindSpore


SYMMETRIC = [[1.0, 2.0, 3.0], [0.5, -1.0, 2.0], [3.0, 1.0, 1.0]]


SLOPES = {  # MindSpore's gradients of eigh where eigenvalues are equal
    "values": (lambda w, v: (w * Tensor([1.0, 2.0, 4.0])).sum(), [[1, 0, 0], [0, 2, 0], [0, 0, 4]]),
    "vectors": (lambda w, v: (v * v * Tensor(SYMMETRIC)).sum(), [[0, 0, 0]] * 3),
    "both": (lambda w, v: (ms.ops.matmul(v * w, v.T) * Tensor(SYMMETRIC)).sum(), [[1, 0, 0], [0, -1, 0], [6, 3, 1]]),
}


@pytest.mark.parametrize("way", SLOPES)
def test_gradients_of_equal_eigenvalues_are_mindspores(way, mode):
    measure, wanted = SLOPES[way]
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


def test_least_squares_differentiate_the_solution_alone():
    tall = Tensor(np.array(TALL, np.float32))
    whole = ms.grad(lambda a: linalg.lstsq(a, a))(tall).asnumpy()
    solution = ms.grad(lambda a: linalg.lstsq(a, a)[0])(tall).asnumpy()
    assert np.array_equal(whole, solution)
    assert not ms.grad(lambda a: linalg.lstsq(a, a)[3])(tall).asnumpy().any()
