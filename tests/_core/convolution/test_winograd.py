"""Convolutions of 3 places by Winograd's algorithm: equal to XLA's own. `values.py` has their transformations."""

import jax
import numpy as np
import pytest

from ms_compat._core.convolution import winograd
from tests import processes
from tests._core.convolution.test_few_inputs import eqn_of
from tests._core.convolution.values import BY_KERNELS

ONE = ((1, 1), (1, 1))
NONE = ((0, 0), (0, 0))
# Convolutions that are left: of second order, one with a larger kernel and result; for three axes, 3 for each program.
LEFT = {"second order without a stride": 1, "three axes": 9}
BY_WEIGHTS = ("CNHW", "IOHW", "CNHW")  # JAX's gradient by the weights


def function_for(eqn):
    return winograd.function_for([v.aval for v in eqn.invars], eqn.outvars[0].aval, eqn.params)


def results(x, w, given, random):
    """The program's result and XLA's, of values that a function of the shape makes."""
    eqn, conv = eqn_of(x, w, **given)
    x, w = random(x).astype(np.float32), random(w).astype(np.float32)
    found, wanted = jax.jit(function_for(eqn))(x, w), conv(x, w)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    return found, wanted


@pytest.fixture
def always(monkeypatch):
    """The program for small convolutions, too."""
    monkeypatch.setattr(winograd, "LEAST", -np.inf)
    monkeypatch.setattr(winograd, "LEAST_BY_WEIGHTS", -np.inf)


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        ((1, 4, 7, 9), (2, 4, 3, 3), {"pads": ((0, 3), (2, 1))}),
        ((3, 4, 6, 6), (5, 4, 3, 3), {"pads": ((-1, 1), (3, -1))}),
        ((4, 2, 9, 5), (5, 2, 3, 1), {"pads": ((1, 1), (0, 1))}),
        ((2, 2, 4, 5, 6), (3, 2, 1, 3, 3), {"pads": ((1, 0), *ONE), "strides": (1, 1, 1)}),
        ((3, 4, 7, 9), (3, 5, 7, 10), {"pads": ((1, 1), (-1, 4)), "layout": BY_WEIGHTS}),
        ((3, 4, 9), (3, 5, 7), {"pads": NONE[:1], "layout": ("CNH", "IOH", "CNH"), "strides": (1,)}),
        ((3, 4, 8, 6), (3, 5, 6, 6), {"pads": NONE, "layout": BY_WEIGHTS}),
    ],
)
def test_it_is_xlas_result(x, w, given, always):
    integers = np.random.RandomState(0)
    found, wanted = results(x, w, given, lambda shape: integers.randint(-9, 10, shape))
    np.testing.assert_array_equal(found, wanted)  # its factors are exact


def test_values_are_xlas_for_every_transformation():
    """In a process of its own: another lowering of JAX's primitive stays for the life of a process."""
    told = processes.told("-m", "tests._core.convolution.values", "kernels", MS_COMPAT_ONEDNN="0")
    assert set(told) == set(BY_KERNELS)
    for name, (error, same, calls, groups, others) in told.items():
        assert error < 1e-5, name
        assert same, name
        assert (calls, groups, others) == (0, 0, LEFT.get(name, 0)), name


def test_rounding_errors_are_those_of_another_order(always):
    """Beside Float64: at most 1.5 times the error of the plain sum's products, in the mean."""
    random = np.random.RandomState(0)
    x, w = random.randn(2, 64, 16, 16).astype(np.float32), random.randn(16, 64, 3, 3).astype(np.float32)
    eqn, conv = eqn_of(x.shape, w.shape, ONE)
    exact = eqn_of(x.shape, w.shape, ONE, dtype=np.float64)[1](x.astype(np.float64), w.astype(np.float64))
    found, plain = (np.abs(np.asarray(f(x, w)) - exact) for f in (jax.jit(function_for(eqn)), conv))
    assert exact.dtype == np.float64
    assert np.mean(found) < 1.5 * np.mean(plain)
    assert np.max(found) < 1e-5 * np.max(np.abs(exact))


LARGE = (16, 64, 32, 32), (64, 64, 3, 3)


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        (*LARGE, {"pads": ONE}),
        ((16, 512, 4, 4), (512, 512, 3, 3), {"pads": ONE}),
        ((1, 128, 28, 28), (128, 128, 3, 3), {"pads": ONE}),
        ((16, 64, 32, 32), (16, 64, 32, 32), {"pads": ONE, "layout": ("CNHW", "IOHW", "CNHW")}),
    ],
)
def test_large_ones_are_computed_by_it(x, w, given):
    assert function_for(eqn_of(x, w, **given)[0]) is not None


@pytest.mark.parametrize(
    ("x", "w", "given"),
    [
        (*LARGE, {"strides": (1, 2)}),
        (*LARGE, {"lhs_dilation": (1, 2)}),
        (*LARGE, {"rhs_dilation": (2, 1)}),
        (*LARGE, {"dtype": np.float64}),
        (*LARGE, {"dtype": np.float16}),
        ((16, 128, 32, 32), (64, 64, 3, 3), {"feature_group_count": 2}),
        ((16, 64, 32, 32), (64, 64, 5, 5), {}),
        ((16, 64, 32, 32), (64, 64, 1, 1), {}),
        ((4, 64, 16, 16, 16), (64, 64, 3, 3, 3), {"pads": (*ONE, (1, 1)), "strides": (1, 1, 1)}),
        ((16, 16, 32, 32), (16, 16, 3, 3), {}),  # the sums take longer than the products
        ((1, 512, 4, 4), (512, 512, 3, 3), {}),  # those of the weights
        ((64, 64, 256, 256), (64, 64, 3, 3), {}),  # much memory
        ((16, 32, 32, 64), (3, 3, 64, 64), {"layout": ("NHWC", "HWIO", "NHWC")}),
    ],
)
def test_others_are_left(x, w, given):
    assert function_for(eqn_of(x, w, **{"pads": NONE, **given})[0]) is None


LAYER = """
import json, sys
import jax, jax.numpy as jnp, numpy as np
from jax import lax
import ms_compat as ms
from ms_compat._core.convolution import winograd

winograd.LEAST = winograd.LEAST_BY_WEIGHTS = float("-inf")  # small ones, too
random = np.random.RandomState(0)
x, w = random.randn(2, 8, 8, 6), random.randn(4, 8, 3, 3) / 8

def plain(x, w):
    y = lax.conv_general_dilated(x, w, (1, 1), ((1, 1), (1, 1)))
    return (jnp.sin(y) * y).sum()

def twice(x, w):
    return sum((g**2).sum() for g in jax.grad(plain, (0, 1))(x, w))

wanted = jax.grad(twice, (0, 1))(x, w)  # in Float64, which stays XLA's

def layer(x, w):
    y = ms.ops.conv2d(x, w, padding=1, pad_mode="pad")
    return (ms.ops.sin(y) * y).sum()

def layer_twice(x, w):
    return sum((g**2).sum() for g in ms.grad(layer, (0, 1))(x, w))

errors = {}
for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    ms.set_context(mode=mode)
    given = [ms.Tensor(v.astype(np.float32)) for v in (x, w)]
    second = ms.grad(layer_twice, (0, 1))
    found = [g.asnumpy() for g in (ms.jit(second) if mode == ms.GRAPH_MODE else second)(*given)]
    errors[mode] = [float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(found, wanted)]
print(json.dumps(list(errors.values())))
"""


def test_gradients_of_second_order_in_both_modes():
    """Beside Float64."""
    told = processes.told("-c", LAYER, MS_COMPAT_ONEDNN="0", MS_COMPAT_COLD_TIER="0")
    assert len(told) == 2
    for errors in told:
        assert len(errors) == 2
        assert max(errors) < 2e-5, errors
