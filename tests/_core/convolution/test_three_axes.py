"""Convolutions along three axes as convolutions along two: equal to XLA's own. `values.py` transforms them."""

import jax
import numpy as np
import pytest

from ms_compat._core.convolution import three_axes
from tests._core.convolution.test_few_inputs import eqn_of

NONE = ((0, 0),) * 3
ONE = ((1, 1),) * 3
STEP = (1, 1, 1)
BY_WEIGHTS = ("CNDHW", "IODHW", "CNDHW")  # JAX's gradient by the weights


def function_for(eqn):
    return three_axes.function_for([v.aval for v in eqn.invars], eqn.outvars[0].aval, eqn.params)


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        ((2, 3, 9, 6, 4), (4, 3, 2, 3, 1), {"pads": ((3, 0), (1, 0), (0, 1)), "strides": (2, 1, 2)}),
        ((2, 3, 9, 6, 4), (4, 3, 3, 2, 2), {"pads": ((2, 1), *NONE[1:]), "rhs_dilation": (3, 2, 1)}),
        ((2, 3, 4, 3, 4), (4, 3, 3, 3, 3), {"pads": ((-1, 2), (2, -1), (2, 2)), "lhs_dilation": (2, 3, 1)}),
        ((3, 2, 8, 5, 7), (3, 4, 3, 5, 7), {"pads": ONE, "layout": BY_WEIGHTS, "rhs_dilation": (2, 1, 1)}),
        ((2, 5, 6, 4, 3), (3, 3, 1, 3, 4), {"pads": ONE, "layout": ("NDHWC", "DHWIO", "NDHWC")}),
    ],
)
def test_it_is_xlas_result(x, w, given, monkeypatch):
    monkeypatch.setattr(three_axes, "LEAST", 1)
    eqn, conv = eqn_of(x, w, **{"strides": STEP, **given})
    random = np.random.RandomState(0)
    x, w = (random.randint(-9, 10, shape).astype(np.float32) for shape in (x, w))
    found, wanted = jax.jit(function_for(eqn))(x, w), conv(x, w)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_array_equal(found, wanted)  # sums of small integers are exact


LARGE = (2, 16, 16, 16, 16), (16, 16, 3, 3, 3)


def test_a_large_one_is_computed_along_two_axes():
    eqn, _ = eqn_of(*LARGE, ONE, strides=STEP)
    program = jax.make_jaxpr(function_for(eqn))(*[v.aval for v in eqn.invars])
    found = [one for one in program.eqns if one.primitive.name == "conv_general_dilated"]
    assert [one.outvars[0].aval.ndim for one in found] == [4, 4, 4]


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        (*LARGE, {"dtype": np.float64}),
        ((2, 32, 16, 16, 16), (16, 16, 3, 3, 3), {"feature_group_count": 2}),
        ((2, 16, 5, 5, 5), (16, 16, 3, 3, 3), {}),  # small
        ((2, 16, 40, 8, 8), (16, 16, 20, 3, 3), {}),  # many places
        ((16, 64, 32, 32), (64, 64, 3, 3), {"pads": NONE[:2], "strides": STEP[:2]}),
    ],
)
def test_others_are_left(x, w, given):
    assert function_for(eqn_of(x, w, **{"pads": NONE, "strides": STEP, **given})[0]) is None
