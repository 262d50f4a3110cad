"""After `np.random.seed`, layers begin with MindSpore's weights, and numpy goes on as it would there."""

import threading

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import mint, nn
from ms_compat.common import _draws
from ms_compat.common import initializer as init
from ms_compat.common.initializer import initializer

# MindSpore 2.10.0, 2026-11-22, after np.random.seed(5): the sum of all weights' magnitudes, and np.random.rand().
RECORDED = {
    'nn.Dense(3, 4)': (5.085551, 0.206719),
    'nn.Dense(3, 4, weight_init="normal", bias_init="normal")': (0.144791, 0.206719),
    'nn.Conv1d(2, 3, 3, has_bias=True)': (4.462641, 0.206719),
    'nn.Conv2d(2, 3, 3, has_bias=True)': (6.927184, 0.206719),
    'nn.Conv3d(2, 3, 3, has_bias=True)': (12.027548, 0.206719),
    'nn.Conv2d(2, 3, 3, weight_init="normal")': (0.495464, 0.870732),
    'nn.Conv1dTranspose(2, 3, 3, has_bias=True)': (3.643731, 0.206719),
    'nn.Conv2dTranspose(2, 3, 3, has_bias=True)': (5.656022, 0.206719),
    'nn.Conv3dTranspose(2, 3, 3, has_bias=True)': (9.820451, 0.206719),
    'nn.Embedding(5, 3)': (0.141805, 0.870732),
    'nn.Embedding(5, 3, embedding_table="xavier_uniform")': (7.411831, 0.870732),
    'nn.EmbeddingLookup(5, 3)': (0.141805, 0.870732),
    'nn.MultiFieldEmbeddingLookup(5, 3, 2, target="CPU") ': (0.141805, 0.870732),
    'nn.LSTM(3, 4, 2, bidirectional=True)': (184.497406, 0.569726),
    'nn.GRU(3, 4, 2)': (57.998949, 0.154745),
    'nn.RNN(3, 4, 2)': (20.435908, 0.638878),
    'nn.LSTMCell(3, 4)': (33.617326, 0.347729),
    'nn.GRUCell(3, 4)': (28.196790, 0.364710),
    'nn.RNNCell(3, 4)': (9.018850, 0.029112),
    'nn.BiDense(3, 4, 5)': (19.766403, 0.206719),
    'nn.MultiheadAttention(4, 2)': (19.995389, 0.918611),
    'nn.TransformerEncoderLayer(4, 2, 8)': (44.208764, 0.518418),
    'nn.TransformerDecoderLayer(4, 2, 8)': (67.856967, 0.080741),
    'nn.Transformer(4, 2, 1, 1, 8)': (143.371824, 0.002214),
    'nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)': (87.647991, 0.879937),
    'nn.Conv2dBnAct(2, 3, 3, has_bn=True)': (6.495464, 0.870732),
    'nn.DenseBnAct(3, 4)': (0.120862, 0.870732),
    'nn.EmbeddingThor(5, 3)': (0.141805, 0.870732),
    'mint.nn.Linear(3, 4)': (5.085551, 0.206719),
    'mint.nn.Conv1d(2, 3, 3)': (4.462641, 0.206719),
    'mint.nn.Conv2d(2, 3, 3)': (6.927184, 0.206719),
    'mint.nn.Conv3d(2, 3, 3)': (12.027548, 0.206719),
    'mint.nn.ConvTranspose2d(2, 3, 3)': (5.656022, 0.206719),
    'mint.nn.Embedding(5, 3)': (14.180470, 0.870732),
    'mint.nn.Embedding(5, 3, padding_idx=1)': (11.862067, 0.870732),
    'nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.Dense(2, 3))': (6.307658, 0.918611),
    'nn.Conv2d(2, 3, 3, dtype=ms.float16)': (6.578251, 0.870732),
    'nn.Dense(3, 4, dtype=ms.float64)': (5.085551, 0.206719),
    'initializer("normal", (3,)).init_data()': (0.028917, 0.870732),
    'initializer(init.Normal(), (3,), ms.float64).init_data()': (0.028917, 0.870732),
    'initializer(init.Normal(2, 3), (3,), ms.int32).init_data()': (8.000000, 0.870732),
    'initializer(init.Normal(2, 3), (3,), ms.bfloat16).init_data()': (10.390625, 0.870732),
    'initializer(init.Sparse(.4), (5, 4)).init_data()': (0.115025, 0.158310),
    'initializer(init.Orthogonal(), (5, 4)).init_data()': (8.047019, 0.870732),
    'initializer(init.Orthogonal(2.), (2, 4, 2)).init_data()': (10.204305, 0.870732),
    'initializer(init.VarianceScaling(2, "fan_avg", "untruncated_normal"), (5, 4)).init_data()': (12.98173, 0.870732),
    'initializer(init.VarianceScaling(), (5, 4)).init_data()': (8.533188, 0.870732),
    'initializer(init.HeNormal(.3, "fan_out"), (5, 4)).init_data()': (11.796155, 0.870732),
    'initializer(init.XavierNormal(.3), (5, 4, 2)).init_data()': (3.911230, 0.870732),
    'ms.Tensor(shape=(2,), dtype=ms.float32, init=init.Normal()).init_data()': (0.023026, 0.870732),
}  # fmt: skip
NAMES = {"ms": ms, "nn": nn, "mint": mint, "init": init, "initializer": initializer}


def _weights(made):
    return [made] if isinstance(made, ms.Tensor) else list(made.get_parameters())


@pytest.mark.parametrize("seed", [np.random.seed, ms.set_seed], ids=["numpy", "set_seed"])
@pytest.mark.parametrize("source", RECORDED)
def test_weights_equal_recorded_ones(source, seed):
    seed(5)
    made = eval(source, NAMES)
    total = sum(np.abs(weight.astype(ms.float32).asnumpy().astype(np.float64)).sum() for weight in _weights(made))
    np.testing.assert_allclose((total, np.random.rand()), RECORDED[source], atol=2e-6, rtol=2e-6)


# MindSpore 2.10.0, 2026-11-22, after np.random.seed(3): the numbers 0, 1, 150,000 and 300,000 of 300,001.
LONG = {
    "init.Normal(1.0, 0.5)": [-1.22274, 1.0587193, 0.9988179, -0.03824146],
    "init.Uniform(0.3)": [-0.13688207, -0.0018163051, 0.22224405, -0.24393675],
    "init.TruncatedNormal(0.5, 0.1, -0.6, 0.8)": [-0.14975458, 0.09681876, 0.54001987, -0.39907396],
}


@pytest.mark.parametrize("source", LONG)
def test_long_weights_equal_recorded_ones(source):
    np.random.seed(3)
    values = initializer(eval(source, NAMES), [300001]).init_data().asnumpy()
    np.testing.assert_allclose(values[[0, 1, 150000, 300000]], np.float32(LONG[source]), rtol=1.2e-7)


def test_threads_do_not_change_the_numbers(monkeypatch):
    whole = _draws.normal(7, (300001,), 0.0, 1.0)
    monkeypatch.setattr(_draws, "_THREADS_FROM", 1 << 60)
    monkeypatch.setattr(threading.Thread, "start", None)
    np.testing.assert_array_equal(_draws.normal(7, (300001,), 0.0, 1.0), whole)


def test_intervals_far_from_the_mean():
    values = _draws.truncated_normal(1, (1000,), 20.0, 25.0, 0.0, 1.0)
    assert 20 <= values.min() < 20.001
    assert values.max() < 21
    np.testing.assert_array_equal(_draws.truncated_normal(1, (1000,), -25.0, -20.0, 0.0, 1.0) <= -20, True)


def test_truncated_numbers_need_a_deviation():
    with pytest.raises(RuntimeError, match="sigma"):
        initializer(init.TruncatedNormal(0.0), [2]).init_data()
    with pytest.raises(ValueError, match="deviation"):
        initializer(init.TruncatedNormal(-1.0), [2]).init_data()


def test_an_initializers_own_seed_leaves_numpy_alone():
    first, second = init.Normal(), init.Normal()
    first.seed = second.seed = 9
    np.random.seed(1)
    values = [initializer(each, [3]).init_data().asnumpy() for each in (first, second)]
    np.testing.assert_array_equal(*values)
    assert np.random.rand() == pytest.approx(0.417022)


def test_a_stack_keeps_a_layer_of_the_users_own():
    class Layer(nn.TransformerEncoderLayer):
        pass

    given = Layer(4, 2, 8)
    weight = given.dense1.weight.asnumpy()
    stack = nn.TransformerEncoder(given, 2)
    assert all(type(layer) is Layer for layer in stack.layers)
    np.testing.assert_array_equal(stack.layers[1].dense1.weight.asnumpy(), weight)
