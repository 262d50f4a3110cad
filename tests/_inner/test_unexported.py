"""Primitives that MindSpore exports nowhere answer as recorded with MindSpore 2.10, and differentiate."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._names.resolve import resolve
from tests._inner import unexported_samples
from tests.conformance import replay


def names():
    space = {"ms": ms, "np": np, "Tensor": Tensor, "ops": ops}
    exec(unexported_samples.SETUP, space)
    return space


def cases():
    return replay.params("unexported_{}.json", unexported_samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    # MindSpore's least squares are good to five digits only.
    rough = 1e-4 if "Lstsq" in case["expr"] else 2e-5
    case = {**case, "setup": unexported_samples.SETUP, "rtol": rough, "atol": 1e-6}
    assert not replay.differences(case, replay.evaluate(case, ms))


def test_the_recording_holds_the_samples():
    for topic in unexported_samples.TOPICS:
        recorded = [case["expr"] for case in replay.load(f"unexported_{topic}.json")]
        assert recorded == unexported_samples.samples(topic)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_eigenvectors_are_such(dtype):
    matrix = np.array([[2, 1, 0.5], [1, 3, -1], [0.5, -1, 4]], dtype)
    for name, lower in (("operations.linalg_ops.Eigh", True), ("operations.linalg_ops.Eigh", False)):
        values, vectors = resolve(f"mindspore.ops.{name}")(True, lower)(Tensor(matrix))
        assert values.dtype is vectors.dtype is Tensor(matrix).dtype
        np.testing.assert_allclose(matrix @ vectors.asnumpy(), vectors.asnumpy() * values.asnumpy(), atol=1e-5)
    assert resolve("mindspore.ops.operations.linalg_ops.Eigh")(False)(Tensor(matrix)).shape == (3,)
    values, vectors = resolve("mindspore.scipy.ops.Eig")()(Tensor(matrix))
    np.testing.assert_allclose(matrix @ vectors.asnumpy(), vectors.asnumpy() * values.asnumpy(), atol=1e-5)


@pytest.mark.parametrize(
    "name", ["ops.operations.linalg_ops.Eigh", "scipy.ops.Eig", "ops.operations.math_ops.SelfAdjointEig"]
)
def test_eigenvalues_of_integers_are_refused(name):
    with pytest.raises(TypeError):
        resolve(f"mindspore.{name}")()(Tensor([[1]]))


def test_factors_multiply_to_the_matrix():
    matrix = np.array([[0, 1, 2], [3, 1, 1], [2, 2, 5]], np.float32)
    packed, pivots, permutation = (t.asnumpy() for t in resolve("mindspore.scipy.ops.LU")()(Tensor(matrix)))
    product = (np.tril(packed, -1) + np.eye(3)) @ np.triu(packed)
    np.testing.assert_allclose(permutation @ matrix, product, atol=1e-6)
    assert pivots.dtype == np.int32


# What MindSpore's CPU kernels answer wrongly, or have no kernel for: what the operation says.
def test_sets_reshapes_and_splits():
    space = names()
    S, at, val, shape = (space[name] for name in ("S", "at", "val", "shape"))
    assert S.SetSize()(at, Tensor([1, 2, 2]), shape).asnumpy().tolist() == [1, 1, 0]
    places, sizes = S.SparseReshape()(at, shape, Tensor([2, -1]))
    assert (places.asnumpy().tolist(), sizes.asnumpy().tolist()) == ([[0, 1], [0, 4], [1, 0]], [2, 6])
    with pytest.raises(ValueError):
        S.SparseReshape()(at, shape, Tensor([5, -1]))
    places, values, sizes = S.SparseSplit(2)(Tensor([1]), at, val, shape)
    again = S.SparseConcat(1)(places, values, sizes)
    for part, whole in zip(again, (at, val, shape), strict=True):
        assert part.asnumpy().tolist() == whole.asnumpy().tolist()
    dense = S.CSRSparseMatrixToDense()(*space["sq"]).asnumpy()
    squared = S.CSRSparseMatrixToDense()(*S.SparseMatrixSparseMatMul(transpose_a=True)(*space["sq"], *space["sq"]))
    np.testing.assert_allclose(squared.asnumpy(), dense.T @ dense)
    sets = Tensor([[1, 2, 3], [4, 4, 5]]), Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([9, 1, 4]), Tensor([2, 2])
    union = S.DenseToSparseSetOperation("union")(*sets)
    assert [t.asnumpy().tolist() for t in union[1:]] == [[1, 2, 3, 9, 4, 5], [2, 4]]
    quotient = S.SparseDenseCwiseDiv()(at, val, shape, space["dense"]).asnumpy()
    np.testing.assert_allclose(quotient, [4 / 3, 4 / 3, 1.5], rtol=1e-6)


def test_rows_are_written_into_a_table():
    table = ms.Parameter(Tensor(np.zeros((4, 2), np.float32)), name="table")
    update = resolve("mindspore.ops.operations._embedding_cache_ops.UpdateCache")()
    update(table, Tensor([1, 9, -1], ms.int32), Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), 4)
    assert table.asnumpy().tolist() == [[0, 0], [1, 2], [0, 0], [0, 0]]
    resolve("mindspore.ops.operations._embedding_cache_ops.DynamicAssign")()(table, Tensor([1.0]))
    assert table.asnumpy().tolist() == [1]


def test_numbers_between_bounds():
    draw = resolve("mindspore.ops.operations.random_ops.Uniform")
    x = Tensor(np.zeros((50, 4), np.float16))
    seeded = draw(2.0, 3.0, 7)
    first = seeded(x)
    assert first.dtype is ms.float16 and 2 <= first.min() and first.max() <= 3 and first.std() > 0.1
    assert (first == draw(2.0, 3.0, 7)(x)).all() and not (first == draw(2.0, 3.0)(x)).all()
    assert not (first == seeded(x)).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda s, x: s["S"].SparseAdd()(s["at"], x, s["shape"], s["at2"], s["val2"], s["shape"], Tensor(0.0))[1],
        lambda s, x: s["S"].SparseSoftmax()(s["at"], x, s["shape"]),
        lambda s, x: s["S"].SparseDenseCwiseMul()(s["at"], x, s["shape"], s["dense"]),
        lambda s, x: s["S"].SparseConcat(0)((s["at"], s["at2"]), (x, s["val2"]), (s["shape"], s["shape"]))[1],
        lambda s, x: s["S"].SparseMatrixMatMul()(*s["csr"][:4], x, Tensor(np.ones((4, 2), np.float32))),
        lambda s, x: s["S"].CSRSparseMatrixToDense()(*s["csr"][:4], x),
    ],
)
def test_gradients_reach_the_elements(call):
    space = names()
    weigh = lambda out: (out * out).sum()  # noqa: E731
    slope = ms.grad(lambda x: weigh(call(space, x)))(space["val"]).asnumpy()
    for place in range(3):
        step = np.zeros(3, np.float32)
        step[place] = 1e-2
        high, low = (weigh(call(space, space["val"] + Tensor(sign * step))) for sign in (1, -1))
        np.testing.assert_allclose(slope[place], float(high - low) / 2e-2, rtol=2e-2, atol=2e-2)


def test_compiled_functions_take_constant_coordinates():
    space = names()

    class Net(ms.nn.Cell):
        def construct(self, values):
            return space["S"].SparseToDenseV2()(space["at"], space["shape"], values, Tensor(0.0))

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        dense = Net()(space["val"])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert dense.asnumpy()[1].tolist() == [2, 0, 3, 0]
