"""The samples of numpy_samples.py: `mindspore.numpy` answers as MindSpore's, in value, dtype, shape and exception."""

import inspect
import re

import numpy as np
import pytest

import ms_compat
import ms_compat.numpy as mnp
from ms_compat import Tensor
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
