"""The samples of numpy_samples.py: `mindspore.numpy` answers as MindSpore's, in value, dtype, shape and exception."""

import inspect
import re

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor, ops
from tests.conformance import departures, replay
from tests.ops import numpy_samples as samples

SETUP = samples.SETUP + "\nimport ms_compat.numpy as mnp"
RTOL = 3e-5
# MindSpore refuses numbers, lists or dtypes by name in some functions and takes them in others; here all take them.
NARROW = re.compile(
    r"[Ee]xpect Tensor|must be Tensor|has no attribute|hould be mindspore dtype|[Ee]xpect input to be|input argument|"
    r"not understood|only \[|must be array|input x' doesn|Failed calling|does not accept|input data must be|"
    r"must be mstype|should be tensor|must be scalar or Tensor|type must be same"
)
COARSE = {"x=h": 5e-3, "logaddexp": 1e-3, "(h": 5e-3, "mod(x1=p": 1e-4, "remainder(x1=p": 1e-4, "tanh(": 2e-5}


def cases():
    return replay.params("ops_numpy_{}.json", samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    expression = case["expr"]
    case = {**case, "setup": SETUP, "atol": 1e-6}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = max([RTOL, *[v for k, v in COARSE.items() if k in expression]])
    outcome = replay.evaluate(case, ms_compat)
    narrow = NARROW.search(case.get("message", ""))
    if narrow and outcome.get("error") in (None, "TypeError", "ValueError", "RuntimeError"):
        return
    replay.check_stated(case, outcome, departures.NUMPY)


def test_parameters_have_mindspores_names():
    wanted = {
        "arccos": "(input, dtype=None)", "cos": "(x, dtype=None)", "negative": "(a, dtype=None)",
        "add": "(x1, x2, dtype=None)", "isclose": "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
        "roll": "(a, shift, axis=None)", "nanmean": "(a, axis=None, dtype=None, keepdims=False)",
        "std": "(x, axis=None, ddof=0, keepdims=False)", "promote_types": "(type1, type2)",
        "diagonal": "(a, offset=0, axis1=0, axis2=1)", "trace": "(a, offset=0, axis1=0, axis2=1, dtype=None)",
    }  # fmt: skip
    assert {name: str(inspect.signature(getattr(mnp, name))) for name in wanted} == wanted


@pytest.mark.parametrize("make", [mnp.eye, mnp.tri, mnp.identity])
def test_ones_of_no_type_are_refused(make):
    with pytest.raises(TypeError, match="dtype"):
        make(2, dtype=None)


def test_pad_calls_a_function_for_every_vector():
    def edges(vector, widths, axis, kwargs):
        vector[: widths[0]] = kwargs["value"] + axis
        vector[-widths[1] :] = kwargs["value"] + axis
        return vector

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    ours = mnp.pad(Tensor(x), ((1, 2), (3, 1)), mode=edges, value=9)
    assert np.array_equal(ours.asnumpy(), np.pad(x, ((1, 2), (3, 1)), mode=edges, value=9))


# -- weights and edges: values are MindSpore's ------------------------------------------------------------------------
def test_average_with_weights_of_one_axis(mode):
    x = Tensor(np.arange(6.0).reshape(2, 3), ms.float32)
    weights = Tensor([1.0, 3.0], ms.float32)
    mean, total = mnp.average(x, 0, weights, True)
    assert mean.asnumpy().tolist() == [2.25, 3.25, 4.25] and total.asnumpy().tolist() == [4, 4, 4]
    slope = ms.grad(lambda w: mnp.average(x, 0, w))(weights)
    np.testing.assert_allclose(slope.asnumpy(), [-1.6875, 0.5625])
    deep = Tensor(np.arange(24.0).reshape(2, 3, 4), ms.float32)
    np.testing.assert_allclose(mnp.average(deep, 1, Tensor([1.0, 2, 3], ms.float32)).asnumpy()[0, 0], 16 / 3, 1e-6)
    for axis, weights, error in (((0, 1), [1.0, 2], TypeError), (1, [1.0, 2], ValueError), (None, [1.0, 2], TypeError)):
        with pytest.raises(error):
            mnp.average(x, axis, Tensor(weights, ms.float32))


def test_histograms_have_gradients():
    x = Tensor([1.0, 2, 4, 7], ms.float32)
    assert ms.grad(lambda x: mnp.histogram(x, 3)[1])(x).asnumpy().tolist() == [2, 0, 0, 2]
    assert ms.grad(lambda x: mnp.histogram_bin_edges(x, 3))(x).asnumpy().tolist() == [2, 0, 0, 2]
    assert ms.grad(lambda x: mnp.histogram(x, 3, (0.0, 8.0))[1])(x).asnumpy().tolist() == [0] * 4
    assert ms.grad(lambda x: mnp.histogram(x, 3)[0])(x).asnumpy().tolist() == [0] * 4
    density = ms.grad(lambda x: mnp.histogram(x, 3, density=True)[0])(x).asnumpy()
    np.testing.assert_allclose(density, [1 / 12, 0, 0, -1 / 12], 1e-5, 1e-8)
    assert ms.grad(lambda w: mnp.histogram(x, 3, weights=w)[0])(x).asnumpy().tolist() == [1] * 4
    count, edges = mnp.histogram(x, 3, weights=x, density=True)
    np.testing.assert_allclose(count.asnumpy(), [3 / 28, 1 / 7, 1 / 4], 1e-6)
    assert edges.asnumpy().tolist() == [1, 3, 5, 7]


# Values of MindSpore 2.10: numbers become Int32 and Float32 Tensors before they meet the other operand.
NUMBERS = {
    "mnp.add(h, 1.0)": ("Float32", [1.25, 2.5]),
    "mnp.subtract(2, k)": ("Int32", [1, 0]),
    "mnp.power(h, 2.0)": ("Float32", [0.0625, 2.25]),
    "mnp.add(b, 1)": ("Int32", [2, 1]),
    "mnp.divide(h, 2.0)": ("Float32", [0.125, 0.75]),
    "mnp.divide(d, 2)": ("Float32", [0.125, 0.75]),
    "mnp.true_divide(d, d)": ("Float32", [1, 1]),
    "mnp.divide(d, 2.0)": ("Float64", [0.125, 0.75]),
    "mnp.maximum(k, 1.5)": ("Int8", [1, 2]),
    "mnp.maximum(h, 1.0)": ("Float16", [1, 1.5]),
    "mnp.minimum(Tensor(0.5, ms.float16), 1.0)": ("Float32", 0.5),
    "mnp.stack((d, d), 3)": ("Float64", [[0.25, 0.25], [1.5, 1.5]]),
    "mnp.stack(Tensor([[1, 2], [3, 4]]), 3)": ("Int64", [[1, 3], [2, 4]]),
    "mnp.var(d, ddof=3)": ("Float64", -0.78125),
    "mnp.std(d, ddof=3)": ("Float64", np.nan),
    "ops.var(h, None, 2)": ("Float16", np.inf),
    "d.std(None, 2)": ("Float64", np.inf),
}


@pytest.mark.parametrize("expression", NUMBERS)
def test_numbers_beside_tensors(expression, mode):
    names = {"mnp": ms_compat.numpy, "ms": ms_compat, "ops": ms_compat.ops, "Tensor": ms_compat.Tensor}
    names |= {
        "h": ms_compat.Tensor([0.25, 1.5], ms_compat.float16),
        "d": ms_compat.Tensor([0.25, 1.5], ms_compat.float64),
        "k": ms_compat.Tensor([1, 2], ms_compat.int8),
        "b": ms_compat.Tensor([True, False]),
    }
    out = eval(expression, names)
    dtype, values = NUMBERS[expression]
    assert str(out.dtype) == dtype
    np.testing.assert_allclose(out.asnumpy(), values, rtol=1e-3)


def test_where_a_whole_dtype_cuts_floats():
    x = Tensor([[-1.41, -1.2], [-0.29, -1.86]], ms.float32)  # sums and elements are cut in turn, as recorded
    whole = ms.int32
    assert ops.nansum(x, 0, dtype=whole).asnumpy().tolist() == [-1, -3]
    assert ops.sum(x, 0, dtype=whole).asnumpy().tolist() == [-1, -2]
    assert x.cumsum(0, whole).asnumpy().tolist() == mnp.cumsum(x, 0, whole).asnumpy().tolist() == [[-1, -1], [-1, -3]]
    assert ops.cumsum(x, 0, whole).asnumpy().tolist() == [[-1, -1], [-1, -2]]
    assert mnp.cumprod(x, 0, whole).asnumpy().tolist() == [[-1, -1], [0, 2]]
    assert mnp.trace(x, dtype=whole).asnumpy() == -2


def test_geomspace_computes_powers_of_a_rounded_factor():
    assert np.isnan(mnp.geomspace(-1.0, 8.0, 3).asnumpy()).tolist() == [False, True, True]
    assert mnp.geomspace(1, 8, 3, dtype=mnp.int32).asnumpy().tolist() == [1, 2, 7]  # 8 comes out as 7.9999995
    assert np.isnan(mnp.geomspace(0.0, 8.0, 3).asnumpy()).tolist() == [False, True, True]
    with pytest.raises(ZeroDivisionError):
        mnp.geomspace(1.0, 8.0, 1)


def test_negative_widths_of_pad():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for mode in ("constant", "reflect", "symmetric", "linear_ramp", "empty"):
        assert mnp.pad(x, -1, mode=mode).asnumpy().tolist() == x.asnumpy().tolist()
    assert mnp.pad(x, (1, -1), mode="reflect").asnumpy().tolist() == [[5, 4, 5, 6], [2, 1, 2, 3], [5, 4, 5, 6]]
    assert mnp.pad(x, ((-1, 1), (0, 0)), mode="wrap").asnumpy().tolist() == [[4, 5, 6], [1, 2, 3]]
    assert mnp.pad(x, (-1, 0), mode="wrap").asnumpy().tolist() == [[5, 6]]
    for mode in ("edge", "mean", "maximum", "minimum"):
        with pytest.raises(ValueError):
            mnp.pad(x, -1, mode=mode)
