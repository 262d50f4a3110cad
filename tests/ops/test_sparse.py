"""Sparse tensors answer as MindSpore did, compute what their dense forms do, compile, and have gradients."""

import copy
import pickle
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import replay  # noqa: E402
import sparse_samples  # noqa: E402

import ms_compat as ms  # noqa: E402
from ms_compat import COOTensor, CSRTensor, RowTensor, SparseTensor, Tensor, UnsupportedError, nn, ops  # noqa: E402

DIFFERENT = {
    "ops.coo_concat((coo(i8), coo(i8)), 2)": "IndexError, as MindSpore without synchronisation; RuntimeError with it",
}
ROUGH = ("parts(ops.c", "stepped(")  # MindSpore's kernels approximate exp, log and the like
CASES = replay.load("ops_sparse.json")


@pytest.mark.parametrize("case", [c for c in CASES if c["expr"] not in DIFFERENT], ids=replay.case_id)
def test_answers_as_recorded(case):
    rough = {"rtol": 1e-4} if case["expr"].startswith(ROUGH) else {}
    case = {**case, "setup": sparse_samples.SETUP, **rough}
    assert not replay.differences(case, replay.evaluate(case, ms))


def test_the_recording_holds_the_samples():
    assert [(case["expr"], case.get("graph")) for case in CASES] == [
        (case["expr"], case.get("graph")) for case in sparse_samples.CASES
    ]


# -- against the dense form --------------------------------------------------------------------------------------------
RNG = np.random.default_rng(7)


def matrix(rows, columns, dtype=np.float64, density=0.4):
    """A random matrix with zeros, and a row without anything."""
    dense = RNG.integers(-9, 10, (rows, columns)) * (RNG.random((rows, columns)) < density)
    dense[rows // 2] = 0
    return dense.astype(dtype)


def coordinates(dense, index=ms.int64):
    """The COOTensor of a matrix, its elements in a random order."""
    at = np.stack(np.nonzero(dense), 1)
    RNG.shuffle(at)
    return COOTensor(Tensor(at, index), Tensor(dense[at[:, 0], at[:, 1]]), dense.shape)


A, B, SQUARE = matrix(6, 5), matrix(5, 7), matrix(6, 5)
TURNED = {(False, False): (A, B), (True, False): (A.T, B), (False, True): (A, B.T), (True, True): (A.T, B.T)}


@pytest.mark.parametrize("turned", TURNED)
def test_csr_mm_is_the_dense_product(turned):
    left, right = [Tensor(x.copy()).to_csr() for x in TURNED[turned]]
    product = ops.csr_mm(left, right, trans_a=turned[0], trans_b=turned[1])
    assert isinstance(product, CSRTensor) and product.shape == (6, 7)
    assert np.array_equal(product.to_dense().asnumpy(), A @ B)
    if not any(turned):
        assert np.array_equal(left.mm(right).to_dense().asnumpy(), A @ B)


def test_csr_mm_of_an_adjoint_conjugates():
    x, y = A + 1j * SQUARE, B.astype(np.complex128)
    left, right = Tensor(x.conj().T.copy()).to_csr(), Tensor(y.conj().T.copy()).to_csr()
    product = ops.csr_mm(left, right, adjoint_a=True, adjoint_b=True)
    assert np.allclose(product.to_dense().asnumpy(), x @ y)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "float32", "float64", "complex64", "int16", "bool"])
@pytest.mark.parametrize("index", [ms.int16, ms.int32, ms.int64], ids=str)
def test_conversions_and_products_in_any_dtype(dtype, index):
    dense = matrix(6, 5, dtype)
    coo = coordinates(dense, index)
    csr = coo.to_csr()
    assert csr.indptr.dtype is index and csr.indices.dtype is index and csr.dtype is coo.dtype
    assert np.array_equal(csr.to_dense().asnumpy(), dense)
    assert np.array_equal(csr.to_coo().to_csr().to_dense().asnumpy(), dense)
    vector, many = Tensor(B[:, :1].astype(dtype)), Tensor(B.astype(dtype))
    if dtype != "bool":
        assert np.array_equal(coo.to_dense().asnumpy(), dense)
        assert np.array_equal(csr.sum(1).asnumpy(), dense.sum(1, keepdims=True, dtype=dtype))
        for product, right in ((csr.mv(vector), vector), (csr.mm(many), many)):
            assert product.dtype is coo.dtype
            assert np.allclose(product.asnumpy(), dense @ right.asnumpy())


def test_sums_bring_coordinates_together():
    twice = Tensor(np.concatenate([np.stack(np.nonzero(A), 1)] * 2))
    doubled = COOTensor(twice, Tensor(np.concatenate([A[A != 0]] * 2)), A.shape)
    once = doubled.coalesce()
    assert once.size == (A != 0).sum() and np.array_equal(once.to_dense().asnumpy(), 2 * A)
    total = coordinates(A) + coordinates(SQUARE)
    assert np.array_equal(total.to_dense().asnumpy(), A + SQUARE)
    assert np.array_equal(total.indices.asnumpy(), np.stack(np.nonzero((A != 0) | (SQUARE != 0)), 1))
    left, right = Tensor(A).to_csr(), Tensor(SQUARE).to_csr()
    both = left.add(right, Tensor(2.0), Tensor(-3.0))
    assert np.array_equal(both.to_dense().asnumpy(), 2 * A - 3 * SQUARE)
    assert np.array_equal((left - right).to_dense().asnumpy(), A - SQUARE)


def test_places_get_a_wider_dtype_where_they_need_one():
    short = ms.int16
    many = COOTensor(Tensor(np.zeros((40_000, 2)), short), Tensor(np.ones(40_000, np.int32)), (2, 30_000)).to_csr()
    assert many.indptr.dtype is ms.int32 and many.indptr.asnumpy().tolist() == [0, 40_000, 40_000]
    tall = CSRTensor(Tensor(np.arange(40_001) // 40_000, short), Tensor([5], short), Tensor([2.0]), (40_000, 9))
    assert tall.to_coo().indices.asnumpy().tolist() == [[39_999, 5]]
    wide = COOTensor(Tensor([[1, 29_999]], short), Tensor([1.0]), (2, 30_000))
    assert ops.coo_concat((wide, wide), 1).indices.asnumpy().tolist() == [[1, 29_999], [1, 59_999]]
    assert ops.csr_mm(tall, tall, trans_b=True).indices.asnumpy().tolist() == [39_999]


def test_nothing_to_keep():
    empty = Tensor(np.zeros((3, 4), np.float32))
    csr, coo = empty.to_csr(), empty.to_coo()
    assert csr.size == coo.size == 0
    assert np.array_equal(csr.mm(Tensor(np.ones((4, 2), np.float32))).asnumpy(), np.zeros((3, 2)))
    assert np.array_equal((coo + coo).to_dense().asnumpy(), empty.asnumpy())
    assert np.array_equal(coo.to_csr().to_dense().asnumpy(), csr.to_coo().to_dense().asnumpy())
    assert np.array_equal(csr.mm(Tensor(np.zeros((4, 2), np.float32)).to_csr()).to_dense().asnumpy(), np.zeros((3, 2)))


def test_a_dense_row_is_gathered_by_columns():
    csr = Tensor(A).to_csr()
    at = csr.to_coo().indices.asnumpy()
    for dense in (B[:, 0], B[None, :, 0], SQUARE[:, :1], SQUARE):
        wide = np.broadcast_to(dense, A.shape)[at[:, 0], at[:, 1]]
        assert np.array_equal(ops.csr_gather(csr.indptr, csr.indices, Tensor(dense), A.shape).asnumpy(), wide)
        assert np.array_equal((csr * Tensor(dense)).values.asnumpy(), csr.values.asnumpy() * wide)


def test_indices_outside():
    wrong = CSRTensor(Tensor([0, 1, 2]), Tensor([0, 5]), Tensor([1.0, 2.0]), (2, 3))
    ones = Tensor(np.ones((3, 1), np.float32))
    with pytest.raises(ValueError, match="indices"):
        wrong.mv(ones)
    compiled = ms.jit(lambda x, v: x.mv(v))(wrong, ones).asnumpy()
    assert compiled[0] == 1 and np.isnan(compiled[1])
    for broken in (lambda: wrong + wrong, lambda: ops.csr_mm(wrong, wrong, trans_b=True)):
        with pytest.raises(ValueError, match="indices"):
            broken()
    with pytest.raises(ValueError, match="indptr"):
        CSRTensor(Tensor([0, 2, 1]), Tensor([0, 1]), Tensor([1.0, 2.0]), (2, 3)).add(wrong, Tensor(1.0), Tensor(1.0))
    outside = COOTensor(Tensor([[0, 9]]), Tensor([1.0]), (2, 3))
    with pytest.raises(ValueError, match="do not lie"):
        ops.coo_add(outside, outside, Tensor(0.0))


ERRORS = {
    "ops.csr_mm(csr(), csr())": ValueError,
    "coo(i8).add(COOTensor(at(i8), Tensor([1, 2]), (3, 5)), Tensor(0))": ValueError,
    "ops.csr_add(csr(), csr(), Tensor([1, 2]), Tensor(1))": ValueError,
    "ops.csr_add(csr(), csr(), 1, Tensor(1))": TypeError,
    "ops.csr_add(csr(), CSRTensor(Tensor([0, 1]), Tensor([0]), four[:1], (1, 5)), Tensor(1), Tensor(1))": ValueError,
    "ops.coo_concat((coo(i8), coo(i8, shape=(4, 5))))": ValueError,
    "ops.coo_concat((coo(i8), coo(i4)))": TypeError,
    "ops.coo_concat(coo(i8))": TypeError,
    "ops.coo_add(coo(), coo(), 0)": TypeError,
    "ops.coo_add(coo(), 1, Tensor(0))": TypeError,
    "coo() * 2": TypeError,
    "coo() + 1": TypeError,
    "coo() - csr(shape=(3, 4))": TypeError,
    "csr() + 2": TypeError,
    "csr() - Tensor(np.ones((4, 5)))": TypeError,
    "ops.csr_mul(csr(), [1, 2])": TypeError,
    "ops.csr_mv(coo(), Tensor([1.]))": TypeError,
    "ops.csr_mv(csr(), 1)": TypeError,
    "ops.csr2coo(Tensor([0., 1]), 1)": TypeError,
    "ops.coo2csr(Tensor([[0, 1]]), 1)": TypeError,
    "ops.coo2csr(Tensor([0, 1]), 1.5)": TypeError,
    "ops.coo_tensor_get_values(csr())": TypeError,
    "ops.row_tensor_get_values(coo())": TypeError,
    "ops.row_tensor_add(coo(), coo())": TypeError,
    "ops.row_tensor_add(row([1], [[1.]]), 1)": TypeError,
    "ops.row_tensor_add(row([1], [[1.]]), Tensor([[1.]]))": ValueError,
    "RowTensor([0], Tensor([1, 2]), (3, 2))": TypeError,
    "ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(3, 4))": ValueError,
    "ops.SparseTensorDenseMatmul()(at(i8), four[:2], 'x', grid(3, 4))": TypeError,
    "ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), 1)": TypeError,
    "ops.SparseToDense()(at(), four[:2], (3, 4, 5))": ValueError,
    "ops.SparseToDense()([0], four[:2], (3, 4, 5))": TypeError,
    "ops.SparseSlice()(Tensor(picked, i4), four, box, Tensor([0, 0]), Tensor([1, 1]))": TypeError,
    "ops.SegmentSum()(1, ids)": TypeError,
    "ops.SegmentSum()(four, [0, 0])": TypeError,
    "ops.sparse_segment_mean(table, Tensor([0, 1, 5], i4), Tensor([1, 2, 2], i4))": RuntimeError,
    "ops.sparse_segment_mean(table, Tensor([0, 1, 1], i4), Tensor([1, 0, 2], i4))": RuntimeError,
}


@pytest.mark.parametrize("expression", ERRORS)
def test_errors(expression):
    names = replay.namespace(ms)
    exec(sparse_samples.SETUP, names)
    if "shape=(3, 4))" in expression and "csr(" in expression:
        names["csr"] = lambda shape: CSRTensor(Tensor([0, 1, 1, 1]), Tensor([0]), Tensor([1.0]), shape)
    with pytest.raises(ERRORS[expression]):
        eval(expression, names)


# -- gradients ---------------------------------------------------------------------------------------------------------
LEFT, RIGHT = Tensor(A).to_csr(), Tensor(B).to_csr()
PAIR = coordinates(A), coordinates(SQUARE)
WIDE, TALL = Tensor(RNG.normal(size=(6, 5))), Tensor(RNG.normal(size=(5, 3)))
ROWS, SEGMENTS = Tensor(RNG.normal(size=(4, 2))), Tensor([0, 0, 2, 3])


def filled(like, values):
    return like._with_values(values)


# Functions of the values of LEFT (or of the first of PAIR), or of ROWS.
DIFFERENTIABLE = {
    "mv": lambda v: filled(LEFT, v).mv(TALL[:, :1]),
    "mm": lambda v: filled(LEFT, v).mm(TALL),
    "csr_mm": lambda v: ops.csr_mm(filled(LEFT, v), RIGHT).values,
    "csr_mm of two": lambda v: ops.csr_mm(filled(LEFT, v), filled(LEFT, v), trans_b=True).values,
    "sum": lambda v: filled(LEFT, v).sum(1),
    "mul": lambda v: (filled(LEFT, v) * WIDE).values,
    "div": lambda v: (filled(LEFT, v) / WIDE).values,
    "softmax": lambda v: ops.csr_softmax(filled(LEFT, v / 9), ms.float64).values,
    "csr_add": lambda v: ops.csr_add(filled(LEFT, v), Tensor(SQUARE).to_csr(), Tensor(2.0), Tensor(3.0)).values,
    "csr to_dense": lambda v: filled(LEFT, v).to_dense(),
    "csr to_coo": lambda v: filled(LEFT, v).to_coo().values,
    "tanh": lambda v: ops.csr_tanh(filled(LEFT, v / 9)).values,
    "coo_add": lambda v: (filled(PAIR[0], v) + PAIR[1]).values,
    "coo_add, thresh": lambda v: filled(PAIR[0], v).add(PAIR[1], Tensor(5.0)).values,
    "coo - coo": lambda v: (PAIR[1] - filled(PAIR[0], v)).values,
    "coo + dense": lambda v: filled(PAIR[0], v) + WIDE,
    "dense - coo": lambda v: WIDE - filled(PAIR[0], v),
    "coo * dense": lambda v: (filled(PAIR[0], v) * WIDE).values,
    "coo / dense": lambda v: (filled(PAIR[0], v) / WIDE).values,
    "coo to_csr": lambda v: filled(PAIR[0], v).to_csr().values,
    "coo to_dense": lambda v: filled(PAIR[0], v).to_dense(),
    "coalesce": lambda v: filled(PAIR[0], v).coalesce().values,
    "coo_concat": lambda v: ops.coo_concat((filled(PAIR[0], v), PAIR[1]), 1).values,
    "SparseTensorDenseMatmul": lambda v: ops.SparseTensorDenseMatmul()(PAIR[0].indices, v, (6, 5), TALL),
    "SparseToDense": lambda v: ops.SparseToDense()(PAIR[0].indices, v, (6, 5)),
    "SparseTensorDenseAdd": lambda v: ops.SparseTensorDenseAdd()(PAIR[0].indices, v, (6, 5), WIDE),
    "SegmentSum": lambda v: ops.SegmentSum()(rows(v), SEGMENTS),
    "SegmentMean": lambda v: ops.SegmentMean()(rows(v), SEGMENTS),
    "SegmentMax": lambda v: ops.SegmentMax()(rows(v), SEGMENTS),
    "SegmentMin": lambda v: ops.SegmentMin()(rows(v), SEGMENTS),
    "SegmentProd": lambda v: ops.SegmentProd()(rows(v), SEGMENTS),
    "sparse_segment_mean": lambda v: ops.sparse_segment_mean(rows(v), Tensor([3, 0, 0, 1]), SEGMENTS),
    "dense_to_sparse": lambda v: ops.square(rows(v)).to_csr().values,
    "row_tensor_add": lambda v: ops.row_tensor_add(RowTensor(SEGMENTS, rows(v), (4, 2)), ROWS).values,
}


def rows(values):
    return values[:8].reshape(4, 2)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_slopes(name):
    fn = DIFFERENTIABLE[name]
    values = PAIR[0].values if "oo" in name.split()[0] else LEFT.values
    direction = Tensor(RNG.normal(size=values.shape))

    def loss(v):
        return ops.sin(fn(v) / 10).sum()

    step = 1e-6
    slope = (loss(values + step * direction) - loss(values - step * direction)).item() / (2 * step)
    assert np.isclose((ms.grad(loss)(values) * direction).sum().item(), slope, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("product", ["mv", "mm"])
def test_gradient_of_the_dense_operand(product):
    dense = TALL[:, :1] if product == "mv" else TALL
    found = ms.grad(lambda d: ops.sin(getattr(LEFT, product)(d)).sum())(dense)
    expected = jax.grad(lambda d: jax.numpy.sin(A @ d).sum())(dense.asnumpy())
    assert np.allclose(found.asnumpy(), expected)


def test_second_gradients():
    values = LEFT.values

    def loss(v):
        return ops.square(filled(LEFT, v).mm(TALL)).sum()

    def dense(v):
        return jax.numpy.square(jax.numpy.zeros(A.shape).at[np.nonzero(A)].set(v) @ TALL.asnumpy()).sum()

    found = ms.grad(lambda v: ops.square(ms.grad(loss)(v)).sum())(values)
    expected = jax.grad(lambda v: jax.numpy.square(jax.grad(dense)(v)).sum())(values.asnumpy())
    assert np.allclose(found.asnumpy(), expected)


class Loss(nn.Cell):
    def construct(self, x, v):
        return ops.sin(x.mv(v)).sum()


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_gradient_of_a_sparse_input(mode):
    """A Tensor in PYNATIVE_MODE, a sparse tensor with the same places in GRAPH_MODE, where MindSpore's places are 0."""
    ms.set_context(mode=mode)
    try:
        first, second = ms.grad(Loss(), (0, 1))(LEFT, TALL[:, :1])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    if mode == ms.GRAPH_MODE:
        assert isinstance(first, CSRTensor)
        assert np.array_equal(first.indices.asnumpy(), LEFT.indices.asnumpy())
        first = first.values
    expected = jax.grad(lambda a, d: jax.numpy.sin(a @ d).sum(), (0, 1))(A, TALL.asnumpy()[:, :1])
    assert np.allclose(first.asnumpy(), expected[0][np.nonzero(A)]) and np.allclose(second.asnumpy(), expected[1])


@pytest.mark.parametrize("compiled", [False, True])
def test_stop_gradient_holds_for_sparse_tensors(compiled):
    def loss(v):
        return ops.stop_gradient(filled(LEFT, v)).sum(1).sum() + filled(LEFT, v).sum(1).sum()

    gradient = ms.grad(loss)
    assert (gradient(LEFT.values) if not compiled else ms.jit(gradient)(LEFT.values)).asnumpy().tolist() == [
        1
    ] * LEFT.size


# -- compiled ----------------------------------------------------------------------------------------------------------
COMPILED = {
    "mv": lambda coo, csr, d: csr.mv(d[:, :1]),
    "mm": lambda coo, csr, d: csr.mm(d),
    "sum": lambda coo, csr, d: csr.sum(1),
    "forms": lambda coo, csr, d: (coo.to_csr(), csr.to_coo(), coo.to_dense(), csr.to_dense()),
    "arithmetic": lambda coo, csr, d: (csr * 2, csr / 2, csr * d[:, 0], csr / (d[:, 0] + 20), -coo, coo * WIDE),
    "dense": lambda coo, csr, d: (coo + WIDE, WIDE - coo, WIDE * coo, coo / WIDE, coo - WIDE),
    "unary": lambda coo, csr, d: (ops.coo_sin(coo), ops.csr_exp(csr * WIDE), coo.abs(), csr.astype(ms.float32)),
    "softmax": lambda coo, csr, d: ops.csr_softmax(csr, ms.float64),
    "concat": lambda coo, csr, d: ops.coo_concat((coo, coo), 1),
    "facts": lambda coo, csr, d: (coo.shape, csr.size, coo.dtype, csr.ndim, coo.to_tuple()),
    "parts": lambda coo, csr, d: (ops.csr2coo(csr.indptr, csr.size), ops.coo2csr(coo.indices[:, 0], 6)),
    "primitive": lambda coo, csr, d: ops.SparseTensorDenseMatmul()(coo.indices, coo.values, (6, 5), d),
    "made": lambda coo, csr, d: ops.make_csr_tensor(csr.indptr, csr.indices, csr.values * 2, csr.shape),
    "row": lambda coo, csr, d: ops.row_tensor_add(ops.make_row_tensor(coo.indices[:5, 0], d, (6, 3)),
                                                  ops.make_row_tensor_inner(coo.indices[:5, 1], d, (6, 3))),
}  # fmt: skip


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, (COOTensor, CSRTensor)):
        return [type(value), *leaves(value.to_tuple())]
    if isinstance(value, RowTensor):
        return [type(value), *leaves((value.indices, value.values, value.dense_shape))]
    return [(value.dtype, value.asnumpy())] if isinstance(value, Tensor) else [value]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_is_pynative(name):
    args = coordinates(np.sort(A)), LEFT, TALL
    eager, compiled = leaves(COMPILED[name](*args)), leaves(ms.jit(COMPILED[name])(*args))
    assert len(eager) == len(compiled)
    for one, two in zip(eager, compiled, strict=True):
        if isinstance(one, tuple):
            assert one[0] is two[0] and np.allclose(one[1], two[1], rtol=1e-12)
        else:
            assert one == two


def test_values_are_variables_and_the_shape_is_a_constant():
    double = ms.jit(lambda x: x.mv(TALL[:, :1]))
    for factor in (1.0, 2.0, 3.0):
        double(filled(LEFT, LEFT.values * factor))
    assert double.traces == 1
    double(CSRTensor(LEFT.indptr, LEFT.indices, LEFT.values, (6, 5)))
    assert double.traces == 1
    double(Tensor(np.vstack([A, A])).to_csr())
    assert double.traces == 2


@pytest.mark.parametrize(
    "name, fn, hint",
    [
        ("coalesce", lambda x: x.to_coo().coalesce(), "outside of compiled"),
        ("coo_add", lambda x: x.to_coo() + x.to_coo(), "outside of compiled"),
        ("csr_add", lambda x: x + x, "outside of compiled"),
        ("csr_mm", lambda x: ops.csr_mm(x, x, trans_b=True), "outside of compiled"),
        ("dense_to_sparse_csr", lambda x: x.to_dense().to_csr(), "outside of compiled"),
        ("SegmentSum", lambda x: ops.SegmentSum()(x.values, x.indices), "unsorted_segment_sum"),
    ],
)
def test_sizes_that_depend_on_values_do_not_compile(name, fn, hint):
    with pytest.raises(UnsupportedError, match=f"{name}.*{hint}"):
        ms.jit(fn)(LEFT)


def test_places_may_be_constants_of_a_compiled_function():
    added = ms.jit(lambda v: (LEFT + filled(LEFT, v)).values)
    assert np.array_equal(added(LEFT.values).asnumpy(), 2 * LEFT.values.asnumpy())
    summed = ms.jit(lambda v: ops.SegmentSum()(v, SEGMENTS))
    assert np.allclose(summed(ROWS).asnumpy(), ops.SegmentSum()(ROWS, SEGMENTS).asnumpy())


@ms.jit
def repeated(x, times):
    while times > 0:
        x = x * WIDE
        times = times - 1
    if x.values.sum() > 0:
        y = -x
    else:
        y = x
    return y


def test_control_flow_over_sparse_tensors():
    found = repeated(LEFT, Tensor(3))
    by_hand = LEFT.values.asnumpy() * WIDE.asnumpy()[np.nonzero(A)] ** 3
    assert isinstance(found, CSRTensor)
    assert np.allclose(found.values.asnumpy(), -by_hand if by_hand.sum() > 0 else by_hand)


# -- neighbours --------------------------------------------------------------------------------------------------------
def test_every_class_is_a_pytree():
    for x in (PAIR[0], LEFT, RowTensor(SEGMENTS, ROWS, (9, 2)), SparseTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 3))):
        doubled = jax.jit(lambda t: jax.tree.map(lambda leaf: leaf * 2, t))(x)
        assert type(doubled) is type(x)
        assert np.array_equal(doubled.values.asnumpy(), x.values.asnumpy() * 2)
        assert all(np.array_equal(a[1], b[1]) for a, b in zip(leaves(copy.deepcopy(x).values), leaves(x.values)))  # noqa: B905
        assert str(pickle.loads(pickle.dumps(x))) == str(x)


def test_functions_by_type_name():
    scale = ops.MultitypeFuncGraph("scale")

    @scale.register("Tensor", "Tensor")
    def _tensor(s, g):
        return g * s

    @scale.register("Tensor", "RowTensor")
    def _row(s, g):
        return RowTensor(g.indices, g.values * s, g.dense_shape)

    @scale.register("Tensor", "CSRTensor")
    def _csr(s, g):
        return CSRTensor(g.indptr, g.indices, g.values * s, g.shape)

    @scale.register("Tensor", "COOTensor")
    def _coo(s, g):
        return COOTensor(g.indices, g.values * s, g.shape)

    many = (ROWS, RowTensor(SEGMENTS, ROWS, (9, 2)), LEFT, PAIR[0])
    both = [ops.HyperMap()(ops.partial(scale, Tensor(3.0, ms.float64)), many)]
    both.append(ms.jit(lambda s, *xs: ops.HyperMap()(ops.partial(scale, s), xs))(Tensor(3.0, ms.float64), *many))
    for outs in both:
        assert [type(x) for x in outs] == [Tensor, RowTensor, CSRTensor, COOTensor]
        for out, x in zip(outs, many, strict=True):
            one, two = (out, x) if isinstance(x, Tensor) else (out.values, x.values)
            assert np.allclose(one.asnumpy(), 3 * two.asnumpy())
    with pytest.raises(RuntimeError, match="SparseTensor"):
        scale.register("Tensor", "SparseTensor")


def test_row_tensors_add_up():
    x = ops.make_row_tensor(Tensor([1, 2]), Tensor([[1.0], [2.0]]), (3, 1))
    y = ops.make_row_tensor_inner(Tensor([2]), Tensor([[5.0]]), (3, 1))
    both, dense = ops.row_tensor_add(x, y), ops.row_tensor_add(x, Tensor([[7.0], [8.0], [9.0]]))
    assert both.indices.asnumpy().tolist() == [1, 2, 2] and both.values.asnumpy().tolist() == [[1], [2], [5]]
    assert dense.indices.asnumpy().tolist() == [1, 2, 0, 1, 2] and dense.dense_shape == (3, 1)
    assert ops.row_tensor_get_indices(y).asnumpy().tolist() == [2] and ops.row_tensor_get_dense_shape(y) == (3, 1)
    assert ops.row_tensor_get_values(y).asnumpy().tolist() == [[5]]
    assert isinstance(ops.make_sparse_tensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 3)), COOTensor)
    assert ops.make_coo_tensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 3)).shape == (2, 3)


def test_gather_of_a_sparse_row():
    x = Tensor(np.arange(12.0).reshape(3, 4))
    assert np.array_equal(ops.SparseGatherV2()(x, Tensor([2, 0]), 0).asnumpy(), x.asnumpy()[[2, 0]])
    assert np.array_equal(ops.SparseGatherV2()(x, Tensor([2, 0]), 1).asnumpy(), x.asnumpy()[:, [2, 0]])


PATHS = {
    "mindspore": "COOTensor CSRTensor RowTensor SparseTensor",
    "mindspore.common": "COOTensor CSRTensor RowTensor RowTensorInner SparseTensor",
    "mindspore.common.tensor": "COOTensor CSRTensor RowTensor SparseTensor",
    "mindspore.common.sparse_tensor": "COOTensor CSRTensor RowTensor RowTensorInner SparseTensor",
    "mindspore._c_expression": "COOTensor CSRTensor RowTensor",
    "mindspore.nn.sparse": "SparseToDense SparseTensorDenseMatmul",
    "mindspore.nn.sparse.sparse": "SparseToDense",
    "mindspore.ops.operations": "SparseToDense SparseTensorDenseMatmul SegmentSum",
    "mindspore.ops.operations.sparse_ops": "SparseToDense SparseTensorDenseMatmul",
    "mindspore.ops.operations._csr_ops": "CSRReduceSum CSRMV CSRMM CSRMul CSRDiv CSRGather CSR2COO COO2CSR",
    "mindspore.ops.function.sparse_func": "coo_add csr_mm",
    "mindspore.ops.function.sparse_unary_func": "csr_abs coo_relu6",
}


@pytest.mark.parametrize("path", PATHS)
def test_names_under_their_paths(path):
    from ms_compat._core.absent import Absent, resolve

    for name in PATHS[path].split():
        assert not isinstance(resolve(f"{path}.{name}"), Absent)


def test_inner_csr_primitives_take_parts():
    from ms_compat.ops.primitives import csr as csr_ops

    indptr, indices, values, shape = LEFT.to_tuple()
    dense = Tensor(SQUARE)
    assert np.array_equal(csr_ops.CSRReduceSum()(indptr, indices, values, shape, 1).asnumpy(), LEFT.sum(1).asnumpy())
    assert np.array_equal(csr_ops.CSRMul()(indptr, indices, values, shape, dense).asnumpy(), (LEFT * dense).values)
    assert np.array_equal(csr_ops.CSRMM()(indptr, indices, values, shape, TALL).asnumpy(), LEFT.mm(TALL).asnumpy())
