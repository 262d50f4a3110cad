"""Convolutions of few input channels as sums: equal to XLA's own. `values.py` has their transformations."""

import jax
import numpy as np
import pytest
from jax import lax

from ms_compat._core.convolution import few_inputs

LAYOUTS = {3: ("NCH", "OIH", "NCH"), 4: ("NCHW", "OIHW", "NCHW"), 5: ("NCDHW", "OIDHW", "NCDHW")}
NONE = ((0, 0), (0, 0))


def eqn_of(x, w, pads, layout=None, strides=(1, 1), **options):
    """The equation of a convolution of arrays with these shapes, and the convolution."""
    dtype = options.pop("dtype", np.float32)
    options |= {"dimension_numbers": layout or LAYOUTS[len(x)], "window_strides": strides, "padding": pads}

    def conv(x, w):
        return lax.conv_general_dilated(x, w, **options)

    arrays = (jax.ShapeDtypeStruct(shape, dtype) for shape in (x, w))
    return jax.make_jaxpr(conv)(*arrays).eqns[0], jax.jit(conv)


def function_for(eqn):
    return few_inputs.function_for([v.aval for v in eqn.invars], eqn.outvars[0].aval, eqn.params)


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        ((4, 1, 9, 8), (6, 1, 5, 3), {"pads": NONE}),
        ((4, 3, 9, 8), (6, 3, 3, 2), {"pads": ((1, 2), (0, 3)), "rhs_dilation": (2, 1)}),
        ((4, 2, 9, 8), (1, 2, 3, 3), {"pads": ((-1, 1), (2, -2))}),
        ((4, 2, 9), (5, 2, 4), {"pads": ((3, 3),), "strides": (1,)}),
        ((2, 2, 5, 6, 4), (3, 2, 2, 3, 1), {"pads": ((1, 1), *NONE), "strides": (1, 1, 1)}),
        ((9, 4, 8, 2), (3, 3, 6, 2), {"pads": NONE, "layout": ("HNWC", "HWOI", "HCNW")}),
    ],
)
def test_it_is_xlas_result(x, w, given, monkeypatch):
    monkeypatch.setattr(few_inputs, "LEAST", 1)
    eqn, conv = eqn_of(x, w, **given)
    random = np.random.RandomState(0)
    x, w = random.randn(*x).astype(np.float32), random.randn(*w).astype(np.float32)
    found, wanted = jax.jit(function_for(eqn))(x, w), conv(x, w)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


LARGE = (32, 1, 32, 32), (6, 1, 5, 5)


def test_a_first_layer_is_a_sum():
    assert function_for(eqn_of(*LARGE, NONE)[0]) is not None


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        (*LARGE, {"strides": (1, 2)}),
        (*LARGE, {"lhs_dilation": (1, 2)}),
        (*LARGE, {"dtype": np.float16}),
        ((32, 6, 32, 32), (6, 3, 5, 5), {"feature_group_count": 2}),
        ((32, 4, 32, 32), (6, 4, 5, 5), {}),  # many terms
        ((8, 1, 32, 32), (6, 1, 5, 5), {}),  # small
        ((32, 32, 32, 1), (5, 5, 1, 6), {"layout": ("NHWC", "HWIO", "NHWC")}),
    ],
)
def test_others_are_left_to_xla(x, w, given):
    assert function_for(eqn_of(x, w, NONE, **given)[0]) is None
