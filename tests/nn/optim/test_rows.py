"""Gradients of rows."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, RowTensor, Tensor, nn

W = np.arange(12, dtype=np.float32).reshape(6, 2) / 10


PLACES = [[1, 3], [3, 5], [0, 3]]


VALUES = [[[1, 2], [3, -4]], [[-1, 1], [2, 2]], [[0.5, 1], [1, 0]]]


BY_ROWS = ["LazyAdam", "FTRL", "ProximalAdagrad"]


DENSE = {
    "Adam": {}, "AdamOffload": {}, "SGD": {"momentum": 0.9}, "Momentum": {"momentum": 0.9}, "Adagrad": {},
    "RMSProp": {}, "AdaMax": {}, "AdamWeightDecay": {}, "Lamb": {},
}  # fmt: skip


class Step(nn.Cell):
    """An optimizer's step inside a Cell, which makes the RowTensor."""

    def __init__(self, optimizer):
        super().__init__()
        self.optimizer = optimizer

    def construct(self, places, values):
        return self.optimizer((RowTensor(places, values, (6, 2)),))


def trained(name, sparse, settings, rows=None):
    """The weights, and the state of each kind, after the steps; `rows` are those that there are."""
    rows = np.arange(6) if rows is None else rows
    weights = ParameterTuple([Parameter(Tensor(W[rows]), name="w")])
    optimizer = getattr(nn, name)(weights, learning_rate=0.1, **settings)
    step = Step(optimizer)
    for places, values in zip(PLACES, VALUES, strict=True):
        if sparse:
            step(Tensor(places, ms.int32), Tensor(values, ms.float32))
        else:
            dense = np.zeros((6, 2), np.float32)
            dense[places] = values
            optimizer((Tensor(dense[rows]),))
    return weights[0].asnumpy(), [p.asnumpy() for p in optimizer.get_parameters() if p.shape == weights[0].shape]


@pytest.mark.parametrize("name", DENSE)
def test_a_row_tensor_stands_for_its_dense_gradient(name, mode):
    sparse, dense = (trained(name, kind, DENSE[name]) for kind in (True, False))
    assert np.allclose(sparse[0], dense[0], rtol=1e-5)
    for one, other in zip(sparse[1], dense[1], strict=True):
        assert np.allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("name", BY_ROWS)
def test_other_rows_keep_weights_and_state(name, mode):
    found, states = trained(name, True, {})
    assert np.array_equal(found[[2, 4]], W[[2, 4]]) and not np.isclose(found[[0, 1, 3, 5]], W[[0, 1, 3, 5]]).all()
    dense, dense_states = trained(name, False, {}, np.array([3]))  # row 3 has a gradient in every step
    assert np.allclose(found[3], dense[0], rtol=1e-5)
    for one, other in zip(states, dense_states, strict=True):
        assert np.allclose(one[3], other[0], rtol=1e-5)
        assert np.ptp(one[[2, 4]] - (W[[2, 4]] if np.allclose(one[2], W[2]) else 0)) == 0


def test_other_rows_do_not_decay(mode):
    for name in ("Adam", "LazyAdam"):
        found, _ = trained(name, True, {"weight_decay": 0.1})
        assert np.array_equal(found[[2, 4]], W[[2, 4]])


def test_rows_that_occur_twice_count_with_their_sum(mode):
    def after(places, values):
        weight = Parameter(Tensor(W), name="w")
        Step(nn.SGD([weight], learning_rate=1.0))(Tensor(places, ms.int32), Tensor(values, ms.float32))
        return weight.asnumpy()

    assert np.array_equal(after([1, 1], [[1, 2], [3, 4]]), after([1], [[4, 6]]))


def test_one_gradient_of_rows_and_one_dense():
    first, second = Parameter(Tensor(W), name="a"), Parameter(Tensor(W[0]), name="b")
    optimizer = nn.LazyAdam([first, second], learning_rate=0.1)
    optimizer((RowTensor(Tensor([2]), Tensor([[1.0, 1.0]]), (6, 2)), Tensor([1.0, 1.0])))
    assert np.allclose(first.asnumpy()[2], W[2] - 0.1, atol=1e-5) and np.array_equal(first.asnumpy()[:2], W[:2])
    assert np.allclose(second.asnumpy(), W[0] - 0.1, atol=1e-5)


def test_row_tensors_that_do_not_fit():
    weight = Parameter(Tensor(W), name="w")
    optimizer = nn.Adam([weight])
    for indices, values, shape, error in (
        ([1], [[1.0, 2, 3]], (6, 2), RuntimeError),
        ([1, 2], [[1.0, 2]], (6, 2), RuntimeError),
        ([1], [[1.0, 2]], (5, 2), ValueError),  # as for a dense gradient of another shape
    ):
        with pytest.raises(error, match="shape"):
            optimizer((RowTensor(Tensor(indices), Tensor(values), shape),))
    assert np.array_equal(weight.asnumpy(), W)
