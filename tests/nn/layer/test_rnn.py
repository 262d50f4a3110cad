"""Recurrent layers and cells against recordings of MindSpore 2.10.0, against each other, and their random parts."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def rand(*shape):
    return Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))


@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
def test_a_layer_is_its_cell_step_by_step(name, mode):
    layer, cell = getattr(nn, name)(2, 3), getattr(nn, name + "Cell")(2, 3)
    for parameter in cell.get_parameters():
        parameter.set_data(getattr(layer, parameter.name + "_l0"))
    x = rand(5, 2, 2)
    y, last = layer(x)
    state = ops.zeros((2, 3))
    state = (state, state) if name == "LSTM" else state
    for t in range(5):
        state = cell(x[t], state)
        h = state[0] if name == "LSTM" else state
        np.testing.assert_allclose(y[t].asnumpy(), h.asnumpy(), rtol=1e-5, atol=1e-6)
    pairs = zip(last, state, strict=True) if name == "LSTM" else [(last, state)]
    for one, other in pairs:
        np.testing.assert_allclose(one[0].asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
def test_a_row_with_a_length_is_the_row_alone(name, mode):
    layer = getattr(nn, name)(2, 3, num_layers=2, bidirectional=True, batch_first=True)
    x, lengths = rand(3, 5, 2), [5, 1, 3]
    y, last = layer(x, None, Tensor(np.array(lengths, np.int32)))
    last = last[0] if name == "LSTM" else last
    for row, length in enumerate(lengths):
        alone, state = layer(x[row : row + 1, :length])
        state = state[0] if name == "LSTM" else state
        np.testing.assert_allclose(y[row, :length].asnumpy(), alone[0].asnumpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(last[:, row].asnumpy(), state[:, 0].asnumpy(), rtol=1e-5, atol=1e-6)
        assert not y[row, length:].asnumpy().any()


def test_dropout_lies_between_layers_and_in_training_only(mode):
    x = rand(5, 2, 2)
    net = nn.GRU(2, 3, num_layers=2, dropout=0.5)
    whole = net(x)[0].asnumpy()
    assert (whole == net(x)[0].asnumpy()).all()
    net.set_train()
    ms.set_seed(1)
    first, second = net(x)[0].asnumpy(), net(x)[0].asnumpy()
    ms.set_seed(1)
    again = net(x)[0].asnumpy()
    assert (first != second).any() and (first == again).all() and (first != whole).any()
    # the first layer is not touched, so its last state is that of the inference
    trained, inferred = net(x)[1][0].asnumpy(), net.set_train(False)(x)[1][0].asnumpy()
    # one is compiled, as what draws is, the other interpreted
    np.testing.assert_allclose(trained, inferred, rtol=1e-6, atol=1e-7)
    alone = nn.GRU(2, 3, dropout=0.5).set_train()
    assert (alone(x)[0].asnumpy() == alone(x)[0].asnumpy()).all()


@pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM", "RNNCell", "GRUCell", "LSTMCell"])
def test_weights_are_uniform_within_the_recorded_bound(name):
    for parameter in getattr(nn, name)(100, 400).get_parameters():
        value = np.abs(parameter.asnumpy())
        assert 0.0485 < value.max() <= 0.05001
        assert abs(value.mean() - 0.025) < 0.002


def test_lists_of_parameters():
    net = nn.LSTM(2, 3, 2, bidirectional=True)
    assert [p.name for p in net.w_ih_list] == [f"weight_ih_l{i}{end}" for i in range(2) for end in ("", "_reverse")]
    assert net.w_hh_list[0] is net.weight_hh_l0 and len(net.b_ih_list) == len(net.b_hh_list) == 4
    assert len(nn.LSTM(2, 3, has_bias=False).b_ih_list) == 0


def test_new_data_of_the_same_shape_compiles_nothing_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = nn.LSTM(2, 3)
        for length in (4, 2):
            net(rand(4, 2, 2), None, Tensor(np.array([length, 1], np.int32)))
        assert net._compiled_function().traces == 1
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
