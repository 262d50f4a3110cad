"""Sparse tensors answer as MindSpore did and compute what their dense forms do."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import COOTensor, CSRTensor, Tensor, ops
from tests.conformance import departures, replay
from tests.ops import sparse_samples
from tests.ops.sparse_matrices import LEFT, SQUARE, TALL, A, B, coordinates, matrix

ROUGH = ("parts(ops.c", "stepped(")  # MindSpore's kernels approximate exp, log and the like
CASES = replay.load("ops_sparse.json")


@pytest.mark.parametrize("case", [c for c in CASES if c["expr"] not in departures.SPARSE], ids=replay.case_id)
def test_answers_as_recorded(case):
    rough = {"rtol": 1e-4} if case["expr"].startswith(ROUGH) else {}
    case = {**case, "setup": sparse_samples.SETUP, **rough}
    assert not replay.differences(case, replay.evaluate(case, ms))


@pytest.mark.parametrize("expression", [*departures.SPARSE_WIDER, *departures.SPARSE])
def test_departures(expression):
    case = {"setup": sparse_samples.SETUP, "expr": expression}
    reason = {**departures.SPARSE_WIDER, **departures.SPARSE}[expression]
    error = next((name for name in ("TypeError", "ValueError", "IndexError") if reason.startswith(name)), None)
    assert replay.evaluate(case, ms).get("error") == error


def test_the_recording_holds_the_samples():
    assert [(case["expr"], case.get("graph")) for case in CASES] == [
        (case["expr"], case.get("graph")) for case in sparse_samples.CASES
    ]


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
    with pytest.raises(ValueError, match="indices"):
        ms.jit(lambda x, v: x.mv(v))(wrong, ones)
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
    "ops.coo_concat((coo(i8), coo(i8, shape=(4, 5))))": RuntimeError,
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
    from ms_compat._names.placeholder import Placeholder
    from ms_compat._names.resolve import resolve

    for name in PATHS[path].split():
        assert not isinstance(resolve(f"{path}.{name}"), Placeholder)


def test_inner_csr_primitives_take_parts():
    from ms_compat.ops.primitives import csr as csr_ops

    indptr, indices, values, shape = LEFT.to_tuple()
    dense = Tensor(SQUARE)
    assert np.array_equal(csr_ops.CSRReduceSum()(indptr, indices, values, shape, 1).asnumpy(), LEFT.sum(1).asnumpy())
    assert np.array_equal(csr_ops.CSRMul()(indptr, indices, values, shape, dense).asnumpy(), (LEFT * dense).values)
    assert np.array_equal(csr_ops.CSRMM()(indptr, indices, values, shape, TALL).asnumpy(), LEFT.mm(TALL).asnumpy())


@pytest.mark.parametrize("jitted", [False, True])
def test_shape_and_dtype_of_what_is_sparse(jitted):
    coo = ms.COOTensor(Tensor([[0, 1], [1, 2]]), Tensor([1.0, 2.0]), (3, 4))
    csr = ms.CSRTensor(Tensor([0, 1, 2, 2]), Tensor([0, 1]), Tensor([1.0, 2.0]), (3, 4))
    of = lambda x: (ops.shape(x), ops.dtype(x))  # noqa: E731
    of = ms.jit(of) if jitted else of
    assert of(coo) == of(csr) == ((3, 4), ms.float32)
    with pytest.raises(TypeError, match="rank"):
        ops.rank(coo)


def test_no_gradient_goes_to_the_places_in_graph_mode(graph):
    """As in MindSpore, whether the places are returned or the values."""
    places = Tensor([0, 1, 4, 6]), Tensor([3, 0, 1, 2, 1, 3]), Tensor(np.arange(6) - 3.5, ms.float32)

    def made(pointers, columns, values):
        return CSRTensor(pointers, columns, values, (3, 4))

    for function, of_values in (
        (made, 1),
        (lambda *parts: made(*parts).indptr, 0),
        (lambda *parts: made(*parts).to_coo(), 1),
    ):
        found = ops.GradOperation(get_all=True)(ms.jit(function))(*places)
        assert [np.unique(part.asnumpy()).tolist() for part in found] == [[0], [0], [of_values]]
