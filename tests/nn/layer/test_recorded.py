"""Layers and losses against recordings of MindSpore 2.10.0: values, gradients, errors and printing, in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.conformance import departures, programs

# layers of other files, tested there
_ELSEWHERE = (
    "RNN",
    "LSTM",
    "GRU",
    "Transformer",
    "Multihead",
    "opt",
    "Optim",
    "Momentum",
    "Adam",
    "SGD",
    "LossCell",
    "TrainOne",
)
# MindSpore computes the Float64 kernels and these with approximations
_APPROXIMATE = {"float64": 1e-7, "nn.Tanh()": 3e-5, "nn.Tanhshrink()": 2e-5, "nn.Mish()": 1e-4}


def cases(name):
    for case in programs.load(name):
        plain = case["id"].rpartition("[")[0]
        text = case["expr"] + case["setup"].rpartition("\n\n")[2]
        if any(word in text for word in _ELSEWHERE):
            continue
        for key, rtol in _APPROXIMATE.items():
            if plain == key or plain.endswith("/" + key):
                case = {**case, "rtol": rtol}
        yield pytest.param(case, id=case["id"])


@pytest.mark.parametrize("case", list(cases("nn_cells.json")))
def test_trees(case):
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


@pytest.mark.parametrize("case", list(cases("nn_activations.json")))
def test_activations(case):
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


@pytest.mark.parametrize("case", list(cases("nn_layers.json")))
def test_layers(case):
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


@pytest.mark.parametrize("case", list(cases("nn_pools.json")))
def test_options_of_pools(case):
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


@pytest.mark.parametrize("case", list(cases("nn_losses.json")))
def test_losses(case):
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


# -- random layers -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.Dropout, (64, 8)),
        (nn.Dropout1d, (64, 8, 3)),
        (nn.Dropout2d, (64, 8, 3, 2)),
        (nn.Dropout3d, (64, 8, 2, 2, 2)),
    ],
)
def test_dropout_scales_what_it_keeps(layer, shape):
    net = layer(p=0.25).set_train()
    ones = Tensor(np.ones(shape, np.float32))
    out = net(ones).asnumpy()
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert abs(float(out.mean()) - 1.0) < 0.15
    if layer is not nn.Dropout:
        flat = out.reshape(*shape[:2], -1)
        assert (flat == flat[..., :1]).all()
    assert net.set_train(False)(ones) is ones


def test_dropout_draws_anew_and_repeats_with_the_seed():
    net, ones = nn.Dropout(p=0.5).set_train(), Tensor(np.ones(64, np.float32))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            ms.set_seed(3)
            first, second = net(ones).asnumpy(), net(ones).asnumpy()
            ms.set_seed(3)
            again = net(ones).asnumpy()
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        assert (first != second).any() and (first == again).all()


# -- initial weights ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "bound"),
    [
        (lambda: nn.Dense(400, 300), 0.05),
        (lambda: nn.Conv2d(40, 300, 3, has_bias=True), 0.0527),
        (lambda: nn.Conv1d(40, 300, 3, has_bias=True), 0.0913),
        (lambda: nn.Conv3d(20, 100, 3, has_bias=True), 0.0430),
        (lambda: nn.Conv2dTranspose(40, 300, 3, has_bias=True), 0.01925),
        (lambda: nn.Conv2d(40, 300, 3, has_bias=True, group=4), 0.1054),
        (lambda: nn.BiDense(40, 50, 60), 0.1581),
    ],
)
def test_default_weights_are_uniform_within_the_recorded_bound(make, bound):
    for parameter in make().get_parameters():
        value = np.abs(parameter.asnumpy())
        assert value.max() <= bound * 1.002 and value.max() > bound * 0.93
        assert abs(value.mean() - bound / 2) < bound * 0.08


def test_embedding_tables_are_normal():
    assert abs(nn.Embedding(400, 300).embedding_table.asnumpy().std() - 0.01) < 1e-4
    assert abs(nn.EmbeddingExt(400, 300).weight.asnumpy().std() - 1.0) < 1e-2
    assert not nn.Embedding(4, 3, padding_idx=1).embedding_table.asnumpy()[1].any()


def test_an_embedding_of_given_vectors_has_zeros_for_the_padding():
    given = ms.Tensor(np.ones((4, 3), np.float32))
    table = nn.Embedding(4, 3, embedding_table=given, padding_idx=1).embedding_table
    assert table.asnumpy().sum(1).tolist() == [3, 0, 3, 3]
    assert given.asnumpy().all()


# -- moving statistics -------------------------------------------------------------------------------------------------
def test_moving_statistics_under_a_gradient_are_those_of_a_call():
    x = Tensor(np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = nn.BatchNorm2d(2).set_train()
            ms.grad(net, 0, net.trainable_params())(x)
            net(x)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        np.testing.assert_allclose(net.moving_mean.asnumpy(), [1.045, 1.805], rtol=1e-6)


def test_batch_norm_in_half_precision_keeps_float32_statistics():
    net = nn.BatchNorm2d(3).to_float(ms.float16).set_train()
    out = net(Tensor(np.ones((1, 3, 5, 5), np.float32)))
    assert out.dtype is ms.float16 and net.moving_mean.dtype is ms.float32
    np.testing.assert_allclose(net.moving_mean.asnumpy(), [0.1, 0.1, 0.1], rtol=1e-6)
