"""The samples of face_samples.py and member_samples.py answer as MindSpore did, and compiled as in PYNATIVE_MODE."""

import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from tests.conformance import departures, replay
from tests.ops import face_samples, member_samples

SETS = {"face": face_samples, "member": member_samples}
RTOL = {"Float16": 6e-3}  # both round elementary functions of half precision
REFUSALS = ("TypeError", "ValueError", "RuntimeError", "NotImplementedError")
# What writes into a tensor of the setup, which is made anew before it; the other samples share one.
WRITES = re.compile(r"_\(|Scatter|IndexAdd|Inplace|Assign|put|after|__i")
SPACES = {}


def namespace(kind):
    names = replay.namespace(ms)
    exec(SETS[kind].SETUP + "\nimport ms_compat.numpy as mnp", names)
    return names


def evaluate(expression, kind):
    """The outcome of a sample, as replay.evaluate has it."""
    if WRITES.search(expression):
        names = namespace(kind)
    else:
        names = SPACES[kind] = SPACES.get(kind) or namespace(kind)
    try:
        return {"result": replay.describe(eval(expression, names))}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)[:300]}


def cases(kind):
    samples = SETS[kind]
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for topic in samples.TOPICS
        for case in replay.load(f"ops_{kind}_{topic}.json")
    ]


def refused_by_mindspore(case):
    return "error" in case and (
        any(part in case["expr"] for part in departures.FACES_WIDER)
        or case["expr"].startswith("mnp.")
        and "'a'" not in case["expr"]
        and any(text in case["message"] for text in departures.TENSORS_ONLY)
    )


def check(case, kind):
    text = str(case.get("result", ""))
    if re.search("'dtype': '(Float|Complex)", text):
        case |= {"rtol": next((rtol for dtype, rtol in RTOL.items() if dtype in text), 1e-4), "atol": 3e-6}
    outcome = evaluate(case["expr"], kind)
    if case["expr"] in departures.FACES:
        assert replay.differences(case, outcome), "no longer different"
    elif case.get("kernel"):  # MindSpore's CPU backend has no kernel: there is no answer to compare with
        assert outcome.get("error") in (None, case["error"], *REFUSALS), outcome
    elif refused_by_mindspore(case):
        assert outcome.get("error") in (None, *REFUSALS), outcome
    else:
        assert not replay.differences(case, outcome)


@pytest.mark.parametrize("case", cases("face"))
def test_primitives_answer_as_recorded(case):
    check(case, "face")


@pytest.mark.parametrize("case", cases("member"))
def test_members_answer_as_recorded(case):
    check(case, "member")


@pytest.mark.parametrize("kind", SETS)
def test_the_recordings_hold_the_samples(kind):
    for topic in SETS[kind].TOPICS:
        assert [case["expr"] for case in replay.load(f"ops_{kind}_{topic}.json")] == SETS[kind].samples(topic)


def test_departures_are_of_recorded_samples():
    known = {case.values[0]["expr"] for kind in SETS for case in cases(kind)}
    assert not set(departures.FACES) - known
    assert not [part for part in departures.FACES_WIDER if not any(part in expression for expression in known)]


# -- compiled ---------------------------------------------------------------------------------------------------------
VARIABLES = "x y p i j b c h d l u n s q".split()
# Samples that need values while they are traced, change tensors in place, or draw random numbers.
ON_HOST = re.compile(
    r"put\(|after\(|ops\.Scatter|ops\.Inplace|Unique|unique|NonZero|nonzero|Masked|masked|Bincount|EditDistance|Dropout|Sampler|andom|Accidental|"
    r"Ragged|Range|TensorShape|CheckNumerics|ApplyA|Scalar|ToTuple|DynamicShape|FillV2|normal|uniform|bernoulli|xponential|"
    r"Window|Sparse|Fused|Depend|_\(|NthElement|Cauchy|Poisson|Gamma\(|NonDeterm|Truncated|isnonzero|item|__(array|iter|"
    r"deepcopy|contains|bool|int|float|index|i[a-z]+)__|argwhere|np\.|mnp\.(histogram|logspace|og|bl|ba|ha|isscalar)|shape|"
    r"Histogram|PadV3|MirrorPad|mirror_pad|EuclideanNorm|Expand|SearchSorted|IndexFill|operator\.|AffineGrid|"
    r"ogspace|MatrixDiag|MatrixSet|Resize|TrilInd|TriuInd|eps|Eps|move|Move|Morph|Summary|Quantile|quantile|UpdateState|'a'"
)


def traceable(kind):
    out = []
    for case in cases(kind):
        case = case.values[0]
        found = case.get("result", {})
        kinds = {item.get("type") for item in found.get("items", [found])}
        expression = case["expr"]
        if expression in departures.FACES:
            continue
        if kinds == {"Tensor"} and not ON_HOST.search(expression) and re.search(r"\b[xypijbchdlunsq]\b", expression):
            out.append(expression)
    return out


CHUNKS = [
    (kind, found[at : at + 40]) for kind in SETS for found in [traceable(kind)[::10]] for at in range(0, len(found), 40)
]  # a tenth of the samples, compiled together: one jit each is slow


def leaves(out):
    return [t._v for t in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(t, Tensor)]


@pytest.mark.parametrize(("kind", "chunk"), CHUNKS, ids=lambda value: value if isinstance(value, str) else value[0])
def test_compiled_equals_pynative(kind, chunk):
    space = namespace(kind)
    names = [name for name in VARIABLES if name in space]

    def run(*tensors):
        return [eval(expression, {**space, **dict(zip(names, tensors, strict=True))}) for expression in chunk]

    variables = [space[name] for name in names]
    for expression, one, other in zip(chunk, run(*variables), ms.jit(run)(*variables), strict=True):
        for a, b in zip(leaves(one), leaves(other), strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape and not b.weak_type, expression
            kind = np.float32 if a.dtype.name == "bfloat16" else a.dtype
            left, right = np.asarray(a).astype(kind), np.asarray(b).astype(kind)
            rtol = 5e-3 if a.dtype == np.float16 else 2e-5
            np.testing.assert_allclose(left, right, rtol=rtol, atol=2e-6, err_msg=expression)
