"""Compiled code computes what PYNATIVE_MODE does, for the recorded samples, and compiles nothing for other values."""

import re

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.tensor import wrap
from tests.compilations import Compiled
from tests.conformance import departures, nn_cases, replay
from tests.ops import face_samples, member_samples, recorded, samples

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)
M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)


def leaves(out):
    return [t._v for t in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(t, Tensor)]


def gives_tensors(case):
    """Whether MindSpore gives a Tensor or a tuple of them."""
    result = case.get("result", {})
    return {item.get("type") for item in result.get("items", [result])} == {"Tensor"}


def check_compiled(expressions, space, half, rtol, atol):
    """Compare PYNATIVE_MODE with one compiled function of all expressions: one function each is slow."""
    names = [name for name in space if isinstance(space[name], Tensor) and len(name) == 1]

    def run(*tensors):
        return [eval(expression, {**space, **dict(zip(names, tensors, strict=True))}) for expression in expressions]

    tensors = [space[name] for name in names]
    for expression, one, other in zip(expressions, run(*tensors), ms.jit(run)(*tensors), strict=True):
        for a, b in zip(leaves(one), leaves(other), strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape and not b.weak_type, expression
            kind = np.float32 if a.dtype.kind == "V" else a.dtype
            left, right = np.asarray(a).astype(kind), np.asarray(b).astype(kind)
            close = half if a.dtype == np.float16 else rtol
            np.testing.assert_allclose(left, right, rtol=close, atol=atol, err_msg=expression)


# -- the samples of functions -----------------------------------------------------------------------------------------
# Samples that need values while they are traced: sizes that depend on data, values on the host, Python's own protocols.
ON_HOST = re.compile(
    r"nonzero|unique|masked_select|argwhere|bincount|allclose|tolist|\.item\(|array_equal|intersect1d|setdiff1d|histogram|"
    r"interp\(|unravel_index|sequence_mask|repeat_interleave\(x,Tensor|cat\(\[|is_nonzero|mint\.equal|polyval|mgrid|"
    r"combinations|scalar_to|range\(Tensor|linspace\(Tensor|np\.|copy_|itemset|view\(ms|LinSpace|x\.T\.|mint\.where\(b\)|"
    r"storage|stride|asnumpy|mnp\.array\(|mnp\.as|mnp\.select"
)
# What MindSpore itself answers otherwise in each mode: _tensor/test_overloads.py, ops/function/shape/test_join.py.
OF_MODES = ("x.max(", "x.min(", "x.transpose(", "ops.where(b,1,2)", "ops.select(b,1,2)")
TRACEABLE = [
    case["expr"]
    for topic, case in recorded.recordings("ops")
    if topic not in ("primitive", "refusal")
    and gives_tensors(case)
    and not ON_HOST.search(case["expr"])
    and re.search(r"\b[xibhdlu]\b", case["expr"])
]
COMPARED = [expression for expression in TRACEABLE if not expression.startswith(OF_MODES)]
CHUNKS = [COMPARED[at : at + 24] for at in range(0, len(COMPARED), 24)]


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk[0])
def test_functions_compiled_equal_pynative(chunk):
    check_compiled(chunk, recorded.namespace(samples), 1e-5, 1e-5, 1e-6)


def with_values(values):
    """The names of the samples with other values of x."""
    space = recorded.namespace(samples)
    x = space["x"] = Tensor(values)
    space["h"], space["d"] = x.astype(ms.float16), x.astype(ms.float64)
    return space


def test_other_values_compile_nothing():
    with tier.compiled_only():
        # Twice: a signature that another test has interpreted clears the cache of its operation, and JAX keeps 2,048
        # programs besides.
        for expression in [*TRACEABLE, *TRACEABLE]:
            eval(expression, with_values(X))
        with Compiled() as compiled:
            for values in (X + 1, X * 2):
                space = with_values(values)
                for expression in TRACEABLE:
                    eval(expression, space)
    # Both later rounds together: samples whose result depends on an int made of x's values would show here.
    assert compiled == []


# -- the samples of primitives and members ----------------------------------------------------------------------------
# Samples that need values while they are traced, change tensors in place, or draw random numbers.
FACES_ON_HOST = re.compile(
    r"put\(|after\(|ops\.Scatter|ops\.Inplace|Unique|unique|NonZero|nonzero|Masked|masked|Bincount|EditDistance|Dropout|Sampler|andom|Accidental|"
    r"Ragged|Range|TensorShape|CheckNumerics|ApplyA|Scalar|ToTuple|DynamicShape|FillV2|normal|uniform|bernoulli|xponential|"
    r"Window|Sparse|Fused|Depend|_\(|NthElement|Cauchy|Poisson|Gamma\(|NonDeterm|Truncated|isnonzero|item|__(array|iter|"
    r"deepcopy|contains|bool|int|float|index|i[a-z]+)__|argwhere|np\.|mnp\.(histogram|logspace|og|bl|ba|ha|isscalar)|shape|"
    r"Histogram|PadV3|MirrorPad|mirror_pad|EuclideanNorm|Expand|SearchSorted|IndexFill|operator\.|AffineGrid|"
    r"ogspace|MatrixDiag|MatrixSet|Resize|TrilInd|TriuInd|eps|Eps|move|Move|Morph|Summary|Quantile|quantile|UpdateState|'a'"
)
GROUPS = {"face": face_samples, "member": member_samples}


def traceable(group):
    return [
        case["expr"]
        for _, case in recorded.recordings(group)
        if case["expr"] not in departures.FACES
        and gives_tensors(case)
        and not FACES_ON_HOST.search(case["expr"])
        and re.search(r"\b[xypijbchdlunsq]\b", case["expr"])
    ]


SOME = {group: traceable(group)[::10] for group in GROUPS}  # a tenth of them


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("part", range(4))
def test_primitives_and_members_compiled_equal_pynative(group, part):
    check_compiled(SOME[group][part::4], recorded.namespace(GROUPS[group]), 5e-3, 2e-5, 2e-6)


COMPILED = {
    "ops.Bucketize": (lambda x: ops.Bucketize([0.0, 2.0])(x), X),
    "ops.Histogram": (lambda x: ops.Histogram(5)(x), X),
    "ops.HistogramFixedWidth": (lambda x: ops.HistogramFixedWidth(3)(x, x[0, :2]), X),
    "ops.ConfusionMatrix": (lambda x: ops.ConfusionMatrix(7)(x[0], x[1]), np.array([[1, 2, 3], [4, 2, 3]])),
    "ops.intopk": (lambda x: ops.intopk(x, Tensor([0, 1]), 2), X),
    "ops.UnravelIndex": (lambda x: ops.UnravelIndex()(x, Tensor([2, 4])), np.array([1, 5, 7])),
    "ops.MapUniform": (lambda x: ops.MapUniform()(x, 4, 2), np.arange(8)),
    "ops.CheckNumerics": (lambda x: ops.CheckNumerics()(x), X),
    "ops.Eig": (lambda x: ops.Eig()(x)[0], M),
    "ops.CopyWithSlice": (lambda x: ops.CopyWithSlice()(x * 1, x + 1), X),
    "ops.hyper_add": (lambda x: ops.hyper_add((x, x), (x, x))[1], X),
    "ops.augassign_mul": (lambda x: ops.augassign_mul(x, 2), X),
    "ops.scalar_add": (lambda x: x + ops.scalar_add(1, ops.shape_mul(x.shape)), X),
    "ops.move_to": (lambda x: ops.move_to(x, "CPU") + ops.MoveTo()(x, "Ascend"), X),
}


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_computes_the_same(name):
    fn, x = COMPILED[name]
    eager, compiled = fn(Tensor(x)), ms.jit(lambda x: fn(x))(Tensor(x))
    assert eager.dtype is compiled.dtype
    np.testing.assert_allclose(compiled.asnumpy(), eager.asnumpy(), rtol=1e-6)


# -- the samples of networks ------------------------------------------------------------------------------------------
RANDOM = (
    "dropout Dropout rand ormal Random uniform Uniform bernoulli Bernoulli multinomial Multinomial Gamma gamma oisson "
    "aplace shuffle( choice rrelu gumbel"
).split()


def case_id(pair):
    return recorded.case_id("nn", *pair)


def one_per_operation(wanted):
    seen = {}
    for topic, case in recorded.recordings("nn"):
        if wanted(topic, case) and not any(word in case["expr"] for word in RANDOM):
            seen.setdefault(case["expr"].split("(")[0], (topic, case))
    return list(seen.values())


@pytest.mark.parametrize("pair", one_per_operation(lambda t, c: "wrt" in c and "error" not in c), ids=case_id)
def test_tape_gradient_equals_the_traced_one(pair):
    """PYNATIVE's tape and JAX's trace run the same program."""
    _, case = pair

    def by_tape(function, tensors):
        out = ms.grad(function, tuple(range(len(tensors))))(*tensors)
        return out if isinstance(out, tuple) else (out,)

    traced, taped = (nn_cases.outcome(case, ms, how) for how in (recorded.traced_gradients, by_tape))
    assert "error" not in taped, taped
    assert not nn_cases.disagreements({**traced, "rtol": 1e-5}, taped)


def plain(topic, case):
    drawn = all(nn_cases._SPEC.match(text) for text in case["inputs"].values())
    tensors = case.get("result", {}).get("type") in ("Tensor", "tuple")
    changes = case["expr"].startswith(("(ops.batch_norm", "ops.BatchNorm(True"))
    return drawn and tensors and not changes and "wrt" not in case and topic != "random" and "ops." in case["expr"]


@pytest.mark.parametrize("pair", one_per_operation(plain), ids=case_id)
def test_traced_equals_eager(pair):
    """One compiled program around the call gives what the eager call gives."""
    _, case = pair
    given = nn_cases.inputs(case, ms)
    names = {**replay.namespace(ms), "ops": ms.ops}

    def run(*values):
        out = eval(case["expr"], {**names, **dict(zip(given, map(wrap, values), strict=True))})
        return [t._v for t in (out if isinstance(out, tuple) else (out,))]

    eager = run(*[t._v for t in given.values()])
    traced = jax.jit(run)(*[t._v for t in given.values()])
    for a, b in zip(eager, traced, strict=True):
        assert a.dtype == b.dtype
        assert not getattr(b, "weak_type", False)
        tolerance = 4e-3 if a.dtype.itemsize == 2 else 1e-5
        np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=tolerance, atol=tolerance)
