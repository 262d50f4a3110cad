"""The neural-network operations against MindSpore: every recorded case, and the same call traced."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat._core.tensor import wrap
from tests.conformance import nn_cases, replay

TOPICS = ("activation", "conv", "pool", "norm", "loss", "embedding", "interpolate", "clip", "random")
CASES = [(topic, case) for topic in TOPICS for case in replay.load(f"ops_nn_{topic}.json")]
RANDOM = (
    "dropout Dropout rand ormal Random uniform Uniform bernoulli Bernoulli multinomial Multinomial Gamma gamma oisson "
    "aplace shuffle( choice rrelu gumbel"
).split()


def case_id(pair):
    topic, case = pair
    inputs = " ".join(f"{k}:{v}" for k, v in case["inputs"].items())[:40]
    return f"{topic} {case['expr'][:70]} [{inputs}] {'grad' if 'wrt' in case else ''}".encode(
        "ascii", "replace"
    ).decode()


def gradients(function, tensors):
    """The gradients by tracing: the function sees Tensors that hold tracers."""
    grads = jax.jit(jax.grad(lambda *v: function(*[wrap(x) for x in v])._v, tuple(range(len(tensors)))))(
        *[t._v for t in tensors]
    )
    return tuple(wrap(g) for g in grads)


def agree(case, outcome):
    if case.get("error") == "ABORT":
        return
    if case.get("wider"):
        assert "error" not in outcome, outcome
    else:
        assert not nn_cases.disagreements(case, outcome), nn_cases.disagreements(case, outcome)


@pytest.mark.parametrize("pair", CASES, ids=case_id)
def test_recorded(pair):
    _, case = pair
    agree(case, nn_cases.outcome(case, ms, gradients))


def one_per_operation(wanted):
    seen = {}
    for topic, case in CASES:
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

    traced, taped = (nn_cases.outcome(case, ms, how) for how in (gradients, by_tape))
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


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("kernel", "padding", "stride", "dilation"),
    [(2, (2, 0, 2, 0), 1, 1), (3, (4, 0, 3, 1), 1, 1), (2, (3, 1, 0, 4), 2, 2), (1, (1, 0, 0, 1), 1, 1)],
)
def test_padding_beyond_the_kernels_reach_has_the_gradient_of_an_explicit_one(
    kernel, padding, stride, dilation, compiled
):
    random = np.random.RandomState(0)
    x = ms.Tensor(random.randn(1, 2, 6, 7).astype(np.float32))
    w = ms.Tensor(random.randn(3, 2, kernel, kernel).astype(np.float32))

    settings = {"pad_mode": "pad", "stride": stride, "dilation": dilation}

    def loss(pad):
        def function(x, w):
            explicit = ms.ops.pad(x, (*padding[2:], *padding[:2])) if pad == 0 else x
            return ms.ops.sin(ms.ops.Conv2D(3, kernel, pad=pad, **settings)(explicit, w)).sum()

        return ms.grad(function, (0, 1))

    found, expected = (ms.jit(loss(pad)) if compiled else loss(pad) for pad in (padding, 0))
    for mine, other in zip(found(x, w), expected(x, w), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-4)
    out = ms.ops.Conv2D(3, kernel, pad=padding, **settings)(x, w)
    g = ms.Tensor(random.randn(*out.shape).astype(np.float32))
    back = ms.ops.Conv2DBackpropInput(3, kernel, pad=padding, **settings)(g, w, x.shape)
    assert float((back * x).sum()) == pytest.approx(float((g * out).sum()), rel=1e-3, abs=1e-3)
