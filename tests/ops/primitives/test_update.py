"""Primitives of optimizers."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_an_update_in_compiled_code_changes_the_parameters():
    values = []
    for compiled in (False, True):
        p, m = (Parameter(Tensor(X.copy()), name=name) for name in "pm")
        step = ops.ApplyMomentum(use_nesterov=True)

        def run(grad, step=step, p=p, m=m):
            return step(p, m, 0.1, grad, 0.9)

        out = (ms.jit(run) if compiled else run)(Tensor(X))
        values.append(np.stack([out.asnumpy(), p.asnumpy(), m.asnumpy()]))
    np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
    np.testing.assert_allclose(values[0][0], X - 0.1 * (X + 0.9 * (0.9 * X + X)), rtol=1e-6)


def test_an_update_that_fails_changes_nothing():
    p, m = (Parameter(Tensor(X.copy()), name=name) for name in "pm")
    with pytest.raises(ValueError, match="gradient"):
        ops.ApplyMomentum()(p, m, 0.1, Tensor(X[:1]), 0.9)
    np.testing.assert_array_equal(p.asnumpy(), X)
    np.testing.assert_array_equal(m.asnumpy(), X)
