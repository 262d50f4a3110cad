"""Gradients of sparse tensors are slopes; those of compiled and of second order, too."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import CSRTensor, RowTensor, Tensor, nn, ops
from tests.ops.sparse_matrices import LEFT, PAIR, RIGHT, RNG, ROWS, SEGMENTS, SQUARE, TALL, WIDE, A, filled, rows

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


def test_gradient_of_a_sparse_input(mode):
    """A Tensor in PYNATIVE_MODE, a sparse tensor with the same places in GRAPH_MODE, where MindSpore's places are 0."""
    first, second = ms.grad(Loss(), (0, 1))(LEFT, TALL[:, :1])
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


def test_directional_derivative_of_a_sparse_input(mode):
    """As MindSpore: along the values of a sparse tangent, whose places do not matter."""
    vector = TALL[:, :1]
    out, tangent = ms.jvp(lambda x, v: x.mv(v), (LEFT, vector), (filled(LEFT, LEFT.values * 2), vector))
    assert np.allclose(out.asnumpy(), A @ vector.asnumpy())
    assert np.allclose(tangent.asnumpy(), 3 * A @ vector.asnumpy())
    with pytest.raises(TypeError, match="Tensor"):
        ms.vjp(lambda x, v: x.mv(v), LEFT, vector)
