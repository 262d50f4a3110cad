"""`minimize`."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.scipy import optimize
from tests.scipy import recorded


@pytest.mark.parametrize("case", recorded.cases("optimize", "minimize("))
def test_answers_as_recorded(case):
    recorded.check(case)


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
