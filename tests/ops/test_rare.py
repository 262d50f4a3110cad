"""The samples of rare_samples.py answer as MindSpore did, compiled code as PYNATIVE, and gradients are slopes.

What MindSpore has no CPU kernel for is compared with NumPy and SciPy.
"""

import pickle

import numpy as np
import pytest
import scipy.linalg

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, ops
from tests.conformance import departures, replay
from tests.ops import rare_samples as samples

RTOL = 3e-5


def cases():
    return replay.params("ops_rare_{}.json", samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    case = {**case, "setup": samples.SETUP}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = RTOL
    outcome = replay.evaluate(case, ms)
    replay.check_stated(case, outcome, departures.OPS_RARE, departures.OPS_RARE_WIDER)


def test_the_recording_holds_the_samples():
    for topic in samples.TOPICS:
        assert [case["expr"] for case in replay.load(f"ops_rare_{topic}.json")] == samples.samples(topic)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)
M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)
C = (M + 1j * M.T[::-1] / 4).astype(np.complex128)


def tensors(*arrays):
    return [Tensor(np.asarray(a)) for a in arrays]


def in_place(function):
    def call(x):
        y = x * 1
        out = function(y)
        return out * y

    return call


# Functions of one tensor, and where they are taken.
SMOOTH = {
    "ops.NuclearNorm": (lambda x: ops.NuclearNorm()(x), X),
    "ops.TridiagonalMatMul": (lambda x: ops.TridiagonalMatMul()(x[:1], x[1:2], x[2:], x) ** 2, M),
    "ops.MatrixSolveLs": (lambda x: ops.MatrixSolveLs()(x, x + 1, Tensor(0.5, ms.float64)), X),
    "ops.MatrixLogarithm": (
        lambda x: ops.MatrixLogarithm()(ops.cast(x, ms.complex128) + ops.cast(Tensor(1j * M.T), ms.complex128)),
        M + 4 * np.eye(3, dtype=np.float32),
    ),
    "ops.NthElement": (lambda x: ops.NthElement()(x, 1) ** 2, X),
    "ops.Median": (lambda x: ops.Median(False, 1)(x)[0] ** 2, X),
    "ops.Quantile": (lambda x: ops.Quantile(1)(x, 0.3) ** 2, X),
    "ops.IdentityN": (lambda x: ops.IdentityN()((x, x * x))[1], X),
    "ops.Reusing": (lambda x: ops.Reusing()(x) ** 2, X),
    "ops.SelectView": (lambda x: ops.SelectView()(x, 1, 0) ** 2, X),
    "ops.TransposeView": (lambda x: ops.TransposeView()(x, (1, 0)) ** 2, X),
    "ops.Expand": (lambda x: ops.Expand()(x, Tensor([2, 2, 3])) ** 2, X),
    "ops.LerpScalar": (lambda x: ops.LerpScalar()(x, x * x, 0.25), X),
    "ops.clamp_": (in_place(lambda y: ops.clamp_(y, -1.0, 4.5)), X),
    "ops.tanh_": (in_place(ops.tanh_), X / 4),
    "ops.inplace_sigmoid": (in_place(ops.inplace_sigmoid), X / 4),
    "ops.erfinv_": (in_place(ops.erfinv_), X / 10),
    "ops.zero_": (lambda x: ops.zero_(x * 1) + x, X),
    "ops.put_": (lambda x: ops.put_(x * 1, Tensor([0, -1]), x[0, 1:] * x[0, 1:]), X),
    "Tensor.put_": (lambda x: (x * x).put_(Tensor([0, 0]), x[0, 1:], True), X),
    "Tensor.index_copy_": (lambda x: (x * x).index_copy_(1, Tensor([2, 0]), x[:, :2]), X),
    "mint.addr_": (lambda x: mint.addr_(x * 1, x[:, 0], x[0], alpha=2), X),
    "ops.MaskedScatter": (lambda x: ops.MaskedScatter()(x, x > 2.5, x * 3) ** 2, X),
    "ops.mixed_precision_cast": (lambda x: ops.mixed_precision_cast(ms.float64, (x, 1))[0] ** 2, X),
    "ops.DropoutDoMask": (
        lambda x: ops.DropoutDoMask()(x, Tensor(np.full(16, 37, np.uint8)), Tensor(0.5, ms.float32)) ** 2, X
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_modes_and_gradients(name):
    fn, x = SMOOTH[name]

    def total(x):
        return ops.sum(fn(x).abs().astype(ms.float64))

    np.testing.assert_allclose(ms.jit(lambda x: fn(x))(Tensor(x)).asnumpy(), fn(Tensor(x)).asnumpy(), 1e-5, 1e-6)
    found = ms.grad(total)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(ms.jit(ms.grad(total))(Tensor(x)).asnumpy(), found, 1e-4, 1e-6)
    x = x.astype(np.float64)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-6
        difference = (total(Tensor(x + step)).item() - total(Tensor(x - step)).item()) / 2e-6
        assert abs(found[place] - difference) <= 2e-3 * max(1, abs(difference)), (place, found[place], difference)


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


def test_what_mindspore_has_no_kernel_for():
    labels, predictions = [0, 1, 1, 3], [1, 2, 1, 3]
    expected = np.zeros((4, 4))
    np.add.at(expected, (labels, predictions), [1.0, 2.0, 3.0, 4.0])
    found = ops.ConfusionMatrix(4, "float32")(*tensors(labels, predictions), Tensor([1.0, 2.0, 3.0, 4.0]))
    assert found.dtype is ms.float32 and found.asnumpy().tolist() == expected.tolist()
    values = Tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15], ms.float16)
    assert ops.HistogramFixedWidth(5)(values, Tensor([0.0, 5.0], ms.float16)).asnumpy().tolist() == [2, 1, 1, 0, 2]
    rows, places, weights = ops.ComputeAccidentalHits(2)(*tensors([[1, 2], [0, 4], [3, 3]], [0, 1, 2, 3, 4]))
    assert (rows.dtype, places.dtype, weights.dtype) == (ms.int32, ms.int64, ms.float32)
    assert rows.asnumpy().tolist() == [0, 0, 1, 1, 2, 2] and places.asnumpy().tolist() == [1, 2, 0, 4, 3, 3]
    assert weights.asnumpy().tolist() == [np.finfo(np.float32).min] * 6
    np.testing.assert_allclose(
        ops.Quantile(1)(Tensor(X), Tensor([0.25, 0.5])).asnumpy(), np.quantile(X, [0.25, 0.5], 1)
    )
    with_nan = np.where(X > 4.5, np.nan, X)
    found = ops.Quantile(1, True, True)(Tensor(with_nan), 0.5)
    np.testing.assert_allclose(found.asnumpy(), np.nanquantile(with_nan, 0.5, 1, keepdims=True))
    summed = Parameter(Tensor(np.arange(4.0, dtype=np.float32)))
    ops.ScatterNonAliasingAdd()(summed, Tensor([[1], [1]]), Tensor([5.0, 6.0]))
    assert summed.asnumpy().tolist() == [0, 12, 2, 3]
    packed, tau = ops.geqrf(Tensor(M))
    q = scipy.linalg.qr(M)[0]
    np.testing.assert_allclose(np.abs(ops.Ormqr()(packed, tau, Tensor(M)).asnumpy()), np.abs(q @ M), 1e-4)
    np.testing.assert_allclose(
        ops.baddbmm_ext(*tensors(M[None], M[None], M[None]), beta=2).asnumpy()[0], M * 2 + M @ M, 1e-5
    )


def test_the_logarithm_undoes_the_exponential():
    for matrix in (C, np.array([[4, 1], [0, 4]], complex), np.eye(2, dtype=complex)):
        found = ops.MatrixLogarithm()(Tensor(matrix)).asnumpy()
        np.testing.assert_allclose(scipy.linalg.expm(found), matrix, atol=1e-11)
    small = ops.MatrixLogarithm()(Tensor(scipy.linalg.expm(C / 8)))
    np.testing.assert_allclose(small.asnumpy(), C / 8, atol=1e-11)


def test_in_place_changes_reach_the_views():
    x = Tensor(X)
    view = x.view(-1)
    assert ops.put_(x, Tensor([0]), Tensor([9.0])) is x and view[0] == 9
    ops.clamp_(view, -1.0, 1.0)
    assert x.asnumpy().tolist() == np.clip(np.where(X == 1.5, 9, X), -1, 1).tolist()
    ops.zero_(x[0:1])
    x.index_copy_(0, Tensor([1]), Tensor([[7.0, 8.0, 9.0]]))
    assert view.asnumpy()[3:].tolist() == [7, 8, 9]
    assert x.to_("CPU") is x and x.to_(device="Ascend:0") is x
    row, last = x[1], x[0:1]
    assert x.set_(Tensor([1])).shape == (1,) and x.dtype is ms.int64
    assert row.asnumpy().tolist() == view.asnumpy()[3:].tolist() == [7, 8, 9]
    row[0] = 5  # no longer of one storage
    assert view[3] == 7 and x.asnumpy().tolist() == [1]
    last.set_(Tensor([2.0]))
    assert view[0] == 0 and x.set_().shape == (0,)


@pytest.mark.parametrize("name", ["bernoulli_", "exponential_", "normal_", "random_", "uniform_"])
def test_random_numbers_in_place(name):
    x = Tensor(np.full((200, 50), 0.5, np.float32))
    ms.set_seed(5)
    assert getattr(ops, name)(x) is x
    first = x.asnumpy()
    expected = {"bernoulli_": (0.5, 0.5), "exponential_": (1, 1), "normal_": (0, 1), "uniform_": (0.5, 12**-0.5)}
    mean, deviation = expected.get(name, (2**23, 2**24 / 12**0.5))
    assert abs(first.mean() - mean) < 0.05 * deviation and abs(first.std() - deviation) < 0.05 * deviation
    ms.set_seed(5)
    assert (getattr(ops, name)(x).asnumpy() == first).all()
    assert (getattr(ops, name)(x).asnumpy() != first).any()


def test_distributions():
    ms.set_seed(1)
    drawn = ops.Cauchy([4000], 3.0, 2.0)().asnumpy()
    assert abs(np.median(drawn) - 3) < 0.2 and abs(np.subtract(*np.quantile(drawn, [0.75, 0.25])) - 4) < 0.5
    logs = np.log(ops.LogNormalReverse(2.0, 0.5)(Tensor(np.zeros(4000), ms.float64)).asnumpy())
    assert abs(logs.mean() - 2) < 0.05 and abs(logs.std() - 0.5) < 0.05
    rows = ops.ParameterizedTruncatedNormal()(
        Tensor([2, 4000]), *[Tensor(v, ms.float32) for v in ([0.0, 5.0], [1.0, 2.0], [-1.0, 4.0], [1.0, 9.0])]
    ).asnumpy()
    assert rows.shape == (2, 4000) and (rows.min(1) >= [-1, 4]).all() and (rows.max(1) <= [1, 9]).all()
    assert abs(rows[0].mean()) < 0.05
    ints = ops.NonDeterministicInts(ms.int32)(Tensor([40, 40])).asnumpy()
    assert ints.min() < -(2**30) and ints.max() > 2**30
    assert ops.bernoulli_ext(Tensor(np.full(4000, 0.25, np.float32))).asnumpy().mean() == pytest.approx(0.25, abs=0.03)


def test_dropout_in_two_parts():
    x = Tensor(np.ones((30, 50), np.float32))
    mask = ops.DropoutGenMask(1, 2)((30, 50), Tensor(0.75, ms.float32))
    assert mask.dtype is ms.uint8 and mask.shape == (192,)
    out = ops.DropoutDoMask()(x, mask, Tensor(0.75, ms.float32)).asnumpy()
    assert set(np.unique(out)) == {0, np.float32(1 / 0.75)} and abs(out.mean() - 1) < 0.05
    compiled = ms.jit(lambda x: ops.DropoutDoMask()(x, ops.DropoutGenMask()(x.shape, 0.75), 0.75))
    assert (compiled(x).asnumpy() != compiled(x).asnumpy()).any()
    with pytest.raises(ValueError, match="mask"):
        ops.DropoutDoMask()(x, mask[:16], 0.75)


def test_log_uniform_candidates():
    ms.set_seed(3)
    true = Tensor([[0], [9]])
    drawn, expected, of_drawn = ops.log_uniform_candidate_sampler(true, 1, 4000, False, 10)
    share = np.log((np.arange(10) + 2) / (np.arange(10) + 1)) / np.log(11)
    counts = np.bincount(drawn.asnumpy(), minlength=10)
    np.testing.assert_allclose(counts / 4000, share, atol=0.03)
    np.testing.assert_allclose(expected.asnumpy()[:, 0], 4000 * share[[0, 9]], 1e-5)
    np.testing.assert_allclose(of_drawn.asnumpy(), 4000 * share[drawn.asnumpy()], 1e-5)
    for _ in range(5):
        drawn, expected, _ = ops.LogUniformCandidateSampler(1, 10, True, 10)(true)
        assert sorted(drawn.asnumpy().tolist()) == list(range(10))
        assert expected.asnumpy()[0] > expected.asnumpy()[1]
    first = ops.uniform_candidate_sampler(true, 1, 3, True, 4)[0]
    assert len(set(first.asnumpy().tolist())) == 3


def test_tensors_are_written_to_files(tmp_path):
    def files():
        return sorted(p.name for p in tmp_path.iterdir())

    ops.tensordump(str(tmp_path / "a.npy"), Tensor(X))
    ops.TensorDump("in")(str(tmp_path / "b"), Tensor([1.0], ms.bfloat16))
    a, b = files()
    assert a.startswith("a_float32_") and b.startswith("b_in_bfloat16_")
    assert np.load(tmp_path / a).tolist() == X.tolist() and np.load(tmp_path / b).dtype == np.float32

    @ms.jit
    def dumped(x):
        ops.tensordump(str(tmp_path / "c"), x + 1)
        return x

    dumped(Tensor(X)).asnumpy()
    ms.runtime.synchronize()
    assert np.load(tmp_path / files()[2]).tolist() == (X + 1).tolist()


def test_checks_of_values_in_compiled_code():
    @ms.jit
    def checked(x):
        return ops.CheckNumerics()(x) + 1

    assert (checked(Tensor(X)).asnumpy() == X + 1).all()
    with pytest.raises(RuntimeError, match="Inf"):
        checked(Tensor(X) / 0).asnumpy()

    @ms.jit
    def unravelled(x):
        return ops.UnravelIndex()(x, Tensor([2, 2]))

    with pytest.raises(ValueError, match="UnravelIndex"):
        unravelled(Tensor([9])).asnumpy()


def test_python_functions_in_compiled_code():
    add = ops.PyFunc(lambda a, b: (a + b, (a * b).sum()), [ms.float32] * 2, [(2,)] * 2, [ms.float32] * 2, [(2,), ()])
    pair = tensors(np.float32([1, 2]), np.float32([3, 4]))

    @ms.jit
    def compiled(a, b):
        return add((a, b))

    for out in (add(*pair), compiled(*pair)):
        assert [o.asnumpy().tolist() for o in out] == [[4, 6], 11]
    with pytest.raises(TypeError, match="input 1"):
        add(pair[0], Tensor([1, 2]))
    with pytest.raises(TypeError, match="promised"):
        ops.PyFunc(lambda a: (a, a), [ms.float32], [(2,)], [ms.float32], [(2,)])(pair[0])
    with pytest.raises(TypeError, match="fn"):
        ops.PyFunc(3, [], [], [], [])


@pytest.mark.parametrize(
    "name", ["ComputeAccidentalHits", "EditDistance", "RaggedRange", "TensorToTuple"],
)  # fmt: skip
def test_shapes_that_depend_on_values_are_refused_in_compiled_code(name):
    primitive = getattr(ops, name)(ms.int32) if name == "RaggedRange" else getattr(ops, name)()
    count = {"ComputeAccidentalHits": 2, "EditDistance": 6, "RaggedRange": 3, "TensorToTuple": 1}[name]

    @ms.jit(fullgraph=True)
    def compiled(x):
        return primitive(*[x] * count)

    with pytest.raises(ms.UnsupportedError, match=name):
        compiled(Tensor([1, 2]))


def test_forward_and_reverse_derivatives_stand_in_ops_too():
    x = Tensor(X[0])
    assert np.allclose(ops.jvp(lambda v: v * v, x, x)[1].asnumpy(), 2 * X[0] ** 2)
    assert np.allclose(ops.vjp(lambda v: v * v, x)[1](x)[0].asnumpy(), 2 * X[0] ** 2)
    for jacobian in (ops.jacfwd, ops.jacrev):
        assert np.allclose(jacobian(lambda v: v * v)(x).asnumpy(), np.diag(2 * X[0]))


def test_scalars_that_mindspore_cannot_call_by_themselves():
    assert ops.scalar_ne(1, 2) and ops.bool_and(True, True) and not ops.bool_or(False, False)
    assert ops.bool_eq(True, True) and ops.bool_not(False)
    assert ops.string_eq("a", "a") and ops.string_concat("a", "b") == "ab"
    assert ops.make_dict(("a",), (1,)) == {"a": 1} and ops.dict_setitem({"a": 1}, "b", 2) == {"a": 1, "b": 2}
    assert ops.SliceGetItem(slice(1, 2, 3), "stop") == 2
    assert repr(ops.scalar_add) == "Prim[scalar_add]"
    with pytest.raises(AttributeError, match="SliceGetItem"):
        ops.SliceGetItem(slice(1), "end")


def test_marks_of_a_tensor():
    x = Tensor(X)
    x.set_init_flag(True)
    assert x.is_init() and x.init_flag
    p = Parameter(Tensor(X))
    p.requires_grad_(False)
    assert p.requires_grad is False and not p.init_flag and p.param_info.obj is p


def test_overloads_are_those_of_mint():
    x = Tensor([[True, False], [True, True]])
    assert ops.functional_overload.any(x, dim=1).asnumpy().tolist() == [True, True]
    assert ops.functional_overload.max is mint.max and ops.functional_overload.clip is mint.clip
    for name in dir(ops.functional_overload):
        assert callable(getattr(ops.functional_overload, name)) or name.startswith(("_", "annotations"))


def test_classes_print_under_their_names_in_mindspore():
    assert repr(type(Tensor(1))) == "<class 'mindspore.common.tensor.Tensor'>"
    assert str(Parameter) == "<class 'mindspore.common.parameter.Parameter'>"
    assert repr(type("Mine", (Tensor,), {"__module__": "here"})) == "<class 'here.Mine'>"
    assert pickle.loads(pickle.dumps((Tensor, Parameter))) == (Tensor, Parameter)


def test_the_shape_of_a_cache_is_what_was_set():
    first, second = (ms.Parameter(ms.Tensor([1.0]), name=name) for name in "ab")
    first.cache_shape = [1, 2]
    assert (first.cache_shape, second.cache_shape) == ([1, 2], [])
