"""Printing, assertions, summaries, and hooks on gradients."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_a_failed_assertion_of_compiled_code_raises_after_the_run(capsys):
    @ms.jit
    def run(x):
        ops.Assert(2)(x.sum() > 100, [x])
        return x

    with pytest.raises(RuntimeError, match="Assert"):
        run(Tensor(X))
    assert "input data: [ 1.5 -2. ]" in capsys.readouterr().out
    assert run(Tensor(X + 100)).shape == (2, 3)


def test_print_shows_a_value_a_line_in_both_modes(capsys):
    def show(x):
        ops.Print()("x:", x, 3)
        return x

    eager, compiled = " [ 1.00000000e+00,  2.00000000e+00]", "[ 1.00000000e+00  2.00000000e+00]"
    for fn, values in ((show, eager), (ms.jit(show), compiled)):
        fn(Tensor([1.0, 2.0])).asnumpy()
        jax.effects_barrier()
        assert capsys.readouterr().out == f"x:\nTensor(shape=[2], dtype=Float32, value={values})\n3\n"
