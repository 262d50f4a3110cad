"""The samples of numpy_samples.py: `mindspore.numpy` answers as MindSpore's, in value, dtype, shape and exception."""

import inspect
import re
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import numpy as np  # noqa: E402
import numpy_samples as samples  # noqa: E402
import replay  # noqa: E402

import ms_compat  # noqa: E402
import ms_compat.numpy as mnp  # noqa: E402
from ms_compat import Tensor  # noqa: E402

SETUP = samples.SETUP + "\nimport ms_compat.numpy as mnp"
RTOL = 3e-5
# MindSpore refuses numbers, lists or dtypes by name in some functions and takes them in others; here all take them.
NARROW = re.compile(
    r"[Ee]xpect Tensor|must be Tensor|has no attribute|hould be mindspore dtype|[Ee]xpect input to be|input argument|"
    r"not understood|only \[|must be array|input x' doesn|Failed calling|does not accept|input data must be|"
    r"must be mstype|should be tensor|must be scalar or Tensor|type must be same"
)
COARSE = {"x=h": 5e-3, "logaddexp": 1e-3, "(h": 5e-3, "mod(x1=p": 1e-4, "remainder(x1=p": 1e-4, "tanh(": 2e-5}


DIFFERENT = {
    "mnp.tanh(x=i)": "MindSpore's approximation exceeds 1",
    "mnp.exp2(u)": "what Int8 cannot hold is cut off",
    "mnp.amax(n,1)": "NaN wins everywhere, not only at some places of a row",
    "mnp.amin(n,1)": "likewise",
    "mnp.max(n,1)": "likewise",
    "mnp.min(n,1)": "likewise",
    "mnp.nanvar(b)": "Bool counts, as in sum",
    "mnp.trace(b)": "likewise",
    "mnp.cumprod([1,2,3])": "a list is Int32 as everywhere in numpy",
    "mnp.var(x,ddof=7)": "NaN, as with every divisor below 0",
    "mnp.trace(v)": "ValueError as of diagonal",
    "mnp.trace(q,axis1=0,axis2=0)": "likewise",
    "mnp.arange(True)": "TypeError: no number",
    "mnp.geomspace(1,8,1)": "one number is the first",
    "mnp.tri(0)": "a matrix without elements",
    "mnp.array([Tensor(1),2])": "a Tensor in a list is its number",
    "mnp.asfarray(x) is x": "nothing to copy",
    "mnp.mgrid[3]": "AttributeError as NumPy's",
    "mnp.mgrid[0:0]": "an empty tensor",
    "mnp.randint(True)": "TypeError: no number",
    "mnp.randn(2,dtype='float')": "'float' is Float32 as everywhere in numpy",
    "mnp.rand(2,dtype=float).dtype": "likewise",
    "mnp.repeat(x,0)": "an empty tensor",
    "mnp.stack((v,v),3)": "ValueError: there is no such axis",
    "mnp.hstack(x)": "a Tensor counts as the sequence of its rows",
    "mnp.atleast_1d(x) is x": "nothing to copy",
    "mnp.array_split(v,5)": "pieces may be empty, as NumPy's",
    "mnp.array_split(v,0)": "ValueError as of split",
    "mnp.hsplit(v,[1])": "vectors are split along their axis, as by NumPy",
    "mnp.select([],[])": "ValueError: nothing to choose from",
    "mnp.select([b],[i],Tensor(3.))": "a 0-d Tensor is a default",
    "mnp.clip(i,Tensor([[2],[3]]),5)": "the result has the tensor's dtype",
    "mnp.take(x,[1],5)": "IndexError: there is no such axis",
    "mnp.choose(1,[[1,2],[3,4]])": "a number is a position",
    "mnp.result_type('a')": "TypeError: no dtype for text",
    "mnp.ix_(Tensor([True,False]),k)": "positions of what is True, as NumPy's",
    "mnp.cross(v[:2],v[1:])": "a number, as NumPy's",
    "mnp.cross([1,2],[3,4])": "likewise",
    "mnp.norm(x,2)": "the norms of matrices are there",
    "mnp.norm(x,'nuc')": "likewise",
    "mnp.norm(x,-2)": "likewise",
    "mnp.norm(q,2)": "of the flat tensor",
    "mnp.interp(x,[],[])": "ValueError: no points",
    "mnp.correlate(v,v,mode=1)": "ValueError as for other modes that are not there",
    "mnp.histogram(x,v)": "ValueError: the bins must rise",
    "mnp.histogram(x,0)": "ValueError: no bins",
    "mnp.histogram(x,density=1)": "TypeError: no bool",
    "mnp.pad(x,-1)": "ValueError: nothing is cut off",
    "mnp.pad(v,2,'reflect',reflect_type='a')": "refused",
    "mnp.matrix_power(s,True)": "TypeError: no number",
    "mnp.linspace(x,1,3,axis=5)": "NumPy's AxisError, a ValueError",
}


def cases():
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for topic in samples.TOPICS
        for case in replay.load(f"ops_numpy_{topic}.json")
    ]


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
    replay.check_stated(case, outcome, DIFFERENT)


def test_parameters_have_mindspores_names():
    wanted = {
        "arccos": "(input, dtype=None)", "cos": "(x, dtype=None)", "negative": "(a, dtype=None)",
        "add": "(x1, x2, dtype=None)", "isclose": "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
        "roll": "(a, shift, axis=None)", "nanmean": "(a, axis=None, dtype=None, keepdims=False)",
        "std": "(x, axis=None, ddof=0, keepdims=False)", "promote_types": "(type1, type2)",
        "diagonal": "(a, offset=0, axis1=0, axis2=1)", "trace": "(a, offset=0, axis1=0, axis2=1, dtype=None)",
    }  # fmt: skip
    assert {name: str(inspect.signature(getattr(mnp, name))) for name in wanted} == wanted


def test_pad_calls_a_function_for_every_vector():
    def edges(vector, widths, axis, kwargs):
        vector[: widths[0]] = kwargs["value"] + axis
        vector[-widths[1] :] = kwargs["value"] + axis
        return vector

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    ours = mnp.pad(Tensor(x), ((1, 2), (3, 1)), mode=edges, value=9)
    assert np.array_equal(ours.asnumpy(), np.pad(x, ((1, 2), (3, 1)), mode=edges, value=9))
