"""Each sample by two ways: PYNATIVE against traced, gradients of the tape against JAX's and against differences; and
a count: other values of the same shapes compile nothing.
"""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor
from ms_compat._core.compiled.interpreter import tier
from tests.compilations import Compiled
from tests.conformance import replay
from tests.ops import samples

# Samples that need values while they are traced: sizes that depend on data, values on the host, Python's own protocols.
ON_HOST = re.compile(
    r"nonzero|unique|masked_select|argwhere|bincount|allclose|tolist|\.item\(|array_equal|intersect1d|setdiff1d|histogram|"
    r"interp\(|unravel_index|sequence_mask|repeat_interleave\(x,Tensor|cat\(\[|is_nonzero|mint\.equal|polyval|mgrid|"
    r"combinations|scalar_to|range\(Tensor|linspace\(Tensor|np\.|copy_|itemset|view\(ms|LinSpace|x\.T\.|mint\.where\(b\)|"
    r"storage|stride|asnumpy|mnp\.array\(|mnp\.as|mnp\.select"
)


def answered(topic):
    """The samples that give a Tensor, or a tuple of them, in MindSpore."""
    out = []
    for case in replay.load(f"ops_a_{topic}.json"):
        result = case.get("result", {})
        kinds = {item.get("type") for item in result.get("items", [result])}
        if kinds == {"Tensor"} and not ON_HOST.search(case["expr"]) and re.search(r"\b[xibhdlu]\b", case["expr"]):
            out.append(case["expr"])
    return out


TRACEABLE = [e for topic in ("reduce", "math", "array", "method", "mint", "numpy") for e in answered(topic)]


def names(x_values):
    """The namespace of a sample with other values of x."""
    space = replay.namespace(ms)
    exec(samples.SETUP + "\nimport ms_compat.numpy as mnp", space)
    space["x"] = Tensor(x_values)
    space["h"], space["d"] = space["x"].astype(ms.float16), space["x"].astype(ms.float64)
    return space


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def leaves(out):
    return [t._v for t in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(t, Tensor)]


# what MindSpore itself answers otherwise in each mode: test_method_overloads.py, function/test_numbers_in_choices.py
OF_MODES = ("x.max(", "x.min(", "x.transpose(", "ops.where(b,1,2)", "ops.select(b,1,2)")
CHUNKS = [TRACEABLE[at : at + 24] for at in range(0, len(TRACEABLE), 24)]  # compiled together: one jit each is slow


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk[0])
def test_compiled_equals_pynative(chunk):
    space = names(X)

    def run(x, i, b, h, d, l, u):  # noqa: E741
        tensors = {"x": x, "i": i, "b": b, "h": h, "d": d, "l": l, "u": u}
        return [eval(expression, {**space, **tensors}) for expression in chunk]

    variables = [space[k] for k in "xibhdlu"]
    for expression, one, other in zip(chunk, run(*variables), ms.jit(run)(*variables), strict=True):
        if expression.startswith(OF_MODES):
            continue
        for a, b in zip(leaves(one), leaves(other), strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape and not b.weak_type, expression
            kind = np.float32 if a.dtype.kind == "V" else a.dtype
            left, right = np.asarray(a).astype(kind), np.asarray(b).astype(kind)
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-6, err_msg=expression)


def test_other_values_compile_nothing():
    with tier.compiled_only():
        for expression in TRACEABLE:
            eval(expression, names(X))
        with Compiled() as compiled:
            for values in (X + 1, X * 2):
                space = names(values)
                for expression in TRACEABLE:
                    eval(expression, space)
    # Both later rounds together: samples whose result depends on an int made of x's values would show here.
    assert compiled == []


SMOOTH = """
ops.exp(x); ops.sin(x); ops.cos(x); ops.tanh(x) ; ops.erf(x); ops.square(x); ops.sqrt(x * x + 1); ops.log(x * x + 1);
ops.reciprocal(x); ops.atan(x); ops.sinh(x / 3); ops.asinh(x); ops.expm1(x / 3); ops.log1p(x * x); ops.add(x, x * 2);
ops.mul(x, x); ops.div(x, x * x + 1); ops.sub(2, x); ops.pow(x, 2); ops.pow(x, 3); ops.pow(x * x + 1, 0.7);
ops.maximum(x, 0.3); ops.minimum(x, x * 2 + 1); ops.clamp(x, -3, 4.2); ops.abs(x); ops.lerp(x, x * 2, 0.3);
ops.addcmul(x, x, x, 2); ops.hypot(x, x + 9); ops.logaddexp(x, x * 2); ops.floor_mod(x, 7.0); ops.neg(x);
ops.sum(x, 1); ops.mean(x, 0); ops.prod(x, 1); ops.amax(x, 1); ops.max(x, 1)[0]; ops.min(x, 0)[0]; ops.std(x, 1);
ops.var(x, 0, 1); ops.logsumexp(x, 1); ops.norm(x); ops.cumsum(x, 1); ops.cumprod(x, 1); ops.median(x, 1)[0];
ops.ReduceSum(True)(x, 0); ops.cummax(x, 1)[0]; ops.logcumsumexp(x, 1); ops.diff(x);
ops.matmul(x, x.T); ops.MatMul(False, True)(x, x); ops.einsum("ij,kj->ik", x, x); ops.outer(x[0], x[1]);
ops.tensor_dot(x, x, ((1,), (1,))); ops.addmm(x @ x.T, x, x.T); ops.inverse(x @ x.T / 40); ops.det(x @ x.T / 40);
ops.cdist(x, x * 2 + 1); ops.kron(x, x[0]);
ops.reshape(x, (3, 2)); ops.transpose(x, (1, 0)); ops.squeeze(x[None]); ops.broadcast_to(x, (2, 2, 3)); ops.tile(x,
(2, 1)); ops.concat((x, x * 2), 1); ops.stack((x, x * 2)); ops.split(x, 1, 1)[1]; ops.unbind(x)[1]; ops.flip(x, (1,));
ops.roll(x, 1, 1); ops.pad(x, (1, 1), mode="reflect"); ops.pad(x, (1, 2)); ops.tril(x); ops.diag(x[0]); ops.diagonal(x);
ops.gather(x, Tensor([1, 0, 1]), 0); ops.gather_d(x, 1, Tensor([[2, 0], [1, 1]])); ops.gather_nd(x, Tensor([[0, 1],
[1, 2]])); ops.where(b, x, x * 2); ops.masked_fill(x, b, 3.0); ops.sort(x)[0]; ops.topk(x, 2)[0]; ops.strided_slice(x,
(0, 0), (2, 3), (1, 2)); ops.scatter(x, 1, Tensor([[0], [1]]), x[:, 2:] * 2); ops.tensor_scatter_add(x, Tensor([[0],
[0]]), x * 3); ops.tensor_scatter_update(x, Tensor([[0, 0]]), x[1, :1]); 
ops.index_fill(x, 1, Tensor([0], ms.int32), 5.0);
ops.repeat_interleave(x, 2, 1); ops.unsorted_segment_sum(x, Tensor([0, 0]), 2); ops.unsorted_segment_max(x, Tensor([0,
1]), 2); x.view(-1) * x.reshape(6); ops.masked_select(x, b); ops.unique(x)[0]; ops.cast(x, ms.float32) * 2; x.T @ x;
x.sum(0) + x.mean(1, True); x ** 2 / (x * x + 1)
"""
SMOOTH = [e.strip() for e in SMOOTH.replace("\n", " ").split(";") if e.strip() and "tanh" not in e]


def numeric_gradient(function, values):
    values = values.astype(np.float64)
    gradient, step = np.zeros_like(values), 1e-6
    for at in np.ndindex(values.shape):
        up, down = values.copy(), values.copy()
        up[at] += step
        down[at] -= step
        gradient[at] = (function(up) - function(down)) / (2 * step)
    return gradient


@pytest.mark.parametrize("expression", SMOOTH)
def test_gradient_is_the_slope(expression):
    space = names(X)
    expression = expression.replace("ms.float32", "ms.float64")

    def loss(x):
        out = eval(expression, {**space, "x": x})
        weights = np.cos(np.arange(out.size)).reshape(out.shape)
        return (out * Tensor(weights, out.dtype)).sum()

    x = Tensor(X.astype(np.float64))
    tape = ms.grad(loss)(x).asnumpy()
    slope = numeric_gradient(lambda values: float(loss(Tensor(values)).asnumpy()), X)
    np.testing.assert_allclose(tape, slope, rtol=2e-5, atol=2e-6)
    if not ON_HOST.search(expression):
        direct = jax.jit(jax.grad(lambda v: loss(ms._core.tensor.wrap(v))._v))(x._v)
        np.testing.assert_allclose(tape, np.asarray(direct), rtol=1e-9, atol=1e-9)


# -- writing into views ----------------------------------------------------------------------------------------------
def test_a_gradient_flows_through_a_write_into_a_view():
    def loss(x):
        y = x * 1
        y.view(-1).add_(Tensor(np.arange(6, dtype=np.float32)))
        return (y * y).sum()

    expected = 2 * (X + np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_allclose(ms.grad(loss)(Tensor(X)).asnumpy(), expected, rtol=1e-6)


def test_chains_of_views_share_storage_in_both_directions():
    x = Tensor(X)
    y = x.reshape(3, 2).transpose(1, 0)
    z = x.view(6)
    y.fill_(7)
    assert (x.asnumpy() == 7).all() and (z.asnumpy() == 7).all()
    x.zero_()
    assert (y.asnumpy() == 0).all() and (z.asnumpy() == 0).all()
    z.copy_(Tensor(np.arange(6, dtype=np.float32)))
    np.testing.assert_array_equal(y.asnumpy(), np.arange(6).reshape(3, 2).T)


def test_views_that_nobody_holds_are_forgotten():
    p = Parameter(Tensor(X), name="p")
    for _ in range(1000):
        p.reshape(-1)
    assert len(p._views.refs) < 40


def test_a_part_of_a_tensor_writes_back_its_elements_alone():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    x.narrow(1, 1, 1).fill_(9)
    x.split(1)[1].add_(10)
    ms.ops.diagonal(x).zero_()
    np.testing.assert_array_equal(x.asnumpy(), [[0, 9, 2], [13, 0, 15]])


def test_weak_types_do_not_escape():
    assert not (Tensor([1.0]) + 1)._v.weak_type
    assert not ms.ops.full((2,), 3)._v.weak_type
    assert jnp.asarray(ms.ops.add(1, 2)._v).dtype == np.int64


def test_an_index_that_passed_is_checked_again_once_it_changes():
    x, index = Tensor(X), Tensor([0, 1])
    rows = Tensor([[0, 1]])
    for _ in range(2):
        assert ms.ops.gather(x, index, 0).shape == (2, 3) and ms.ops.gather_nd(x, rows).shape == (1,)
    with pytest.raises(RuntimeError):
        ms.ops.gather(x[:1], index, 0)
    index.fill_(7), rows.fill_(7)
    with pytest.raises(RuntimeError):
        ms.ops.gather(x, index, 0)
    with pytest.raises(RuntimeError):
        ms.ops.gather_nd(x, rows)


def test_zeros_keep_their_sign_as_numbers_of_an_operation():
    signs = [float(ms.ops.copysign(Tensor([1.0]), zero)) for zero in (0.0, -0.0, 0.0)]
    assert signs == [1.0, -1.0, 1.0]


def test_a_range_is_compiled_once_for_all_its_starts():
    with tier.compiled_only():
        ms.ops.arange(3, 8, 2), ms.ops.arange(0, 3)
        with Compiled() as compiled:
            assert ms.ops.arange(5, 10, 2).asnumpy().tolist() == [5, 7, 9] and ms.ops.arange(0, 3).dtype == ms.int64
    assert compiled == []


def test_sequences_of_tensors_and_of_tracers_are_one_operation():
    x, y = Tensor(X), Parameter(Tensor(X), name="y")
    whole = ms.ops.concat([x, y])
    np.testing.assert_array_equal(ms.jit(lambda a: ms.ops.concat((a, y)))(x).asnumpy(), whole.asnumpy())
    np.testing.assert_array_equal(ms.grad(lambda a: (ms.ops.concat((a, a * 2)) * 3).sum())(x).asnumpy(), 9 + 0 * X)
    with pytest.raises(TypeError):
        ms.ops.concat((x, "y"))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_views_of_what_a_compiled_function_changes_follow(mode):
    weight = Parameter(Tensor(X), name="weight")
    view, row = weight.view(-1), weight[1]
    ms.set_context(mode=mode)
    ms.nn.SGD([weight], 0.5)((Tensor(np.ones_like(X)),))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_array_equal(view.asnumpy(), (X - 0.5).reshape(-1))
    flat = Tensor(X).view(6)
    whole = flat.view(2, 3)
    ms.jit(lambda: flat.add_(1))()
    np.testing.assert_array_equal(whole.asnumpy(), X + 1)
    assert row.shape == (3,)
