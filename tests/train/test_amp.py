"""Training steps of mixed precision, and lists of what computes in half precision."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, amp, nn, ops


def test_a_training_step_is_made_of_its_parts():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    step = ms.train.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss())
    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))
    assert float(step(x, y)) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), 1 - 0.1 * 3 * np.ones((2, 3)), rtol=1e-6)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 10)
        self.norm = nn.BatchNorm1d(10)

    def construct(self, x):
        return self.norm(self.dense(x))


@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_the_step_is_in_training_mode(mode, level):
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.001, 0.9)
    step = amp.build_train_network(net, optimizer, nn.SoftmaxCrossEntropyWithLogits(), level=level)
    assert step.training and net.training
    loss = step(Tensor(np.ones((3, 4)), ms.float32), Tensor(np.eye(3, 10), ms.float32))
    loss = loss[0] if isinstance(loss, tuple) else loss  # O2 scales the loss, and gives the scale
    assert np.allclose(loss.asnumpy(), np.log(10), atol=1e-2)  # equal rows are zeros behind the batch's own statistics


@pytest.mark.parametrize("scale", [0.5, 1.0, 16.0])
def test_a_scale_for_several_losses(mode, scale):
    net = nn.Dense(4, 3, weight_init="ones", bias_init="zeros")
    with_loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits())
    step = nn.TrainOneStepCell(with_loss, nn.SGD(net.trainable_params(), 0.1), sens=scale)
    step(Tensor(np.arange(12).reshape(3, 4) / 10, ms.float32), Tensor(np.eye(3)[[0, 0, 1]], ms.float32))
    assert np.allclose(net.bias.asnumpy(), [0.1 * scale, 0.0, -0.1 * scale], atol=1e-6)


X = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32)


class Mixed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init=Tensor([[1.0003, 2.0], [0.3, 0.4]]), bias_init="zeros")
        self.mm = ops.MatMul()
        self.norm = nn.LayerNorm((2,))

    def construct(self, x):
        a = self.fc(x)
        b = self.mm(x, x * 1.0003)
        return a, b, self.norm(x)


def half(values):
    return values.astype(np.float16).astype(np.float32)


@pytest.mark.parametrize(
    ("lists", "low"),
    [
        ({"white_list": [nn.Dense]}, (True, False, False)),
        ({"white_list": [ops.MatMul]}, (False, True, False)),
        ({"white_list": amp.get_white_list()}, (True, True, False)),
        ({"white_list": []}, (False, False, False)),
        ({"black_list": [nn.Dense]}, (False, True, True)),
    ],
)
def test_what_is_listed_computes_in_float16(lists, low):
    exact = [t.asnumpy() for t in Mixed()(Tensor(X))]
    out = amp.custom_mixed_precision(Mixed(), **lists)(Tensor(X))
    for value, expected, lowered in zip(out, exact, low, strict=True):
        assert value.dtype is ms.float32
        np.testing.assert_allclose(value.asnumpy(), expected, rtol=2e-3, atol=2e-3)
        if lowered:
            np.testing.assert_array_equal(value.asnumpy(), half(value.asnumpy()))
    assert not low[0] or (out[0].asnumpy() != exact[0]).any()


def test_the_network_itself_may_be_listed():
    out = amp.custom_mixed_precision(nn.Dense(2, 2), white_list=[nn.Dense], dtype=ms.bfloat16)(Tensor(X))
    assert out.dtype is ms.float32


def test_the_lists_are_new_ones():
    amp.get_white_list().clear(), amp.get_black_list().clear()
    assert nn.Conv2d in amp.get_white_list() and ops.BatchMatMul in amp.get_white_list()
    assert amp.get_black_list() == [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({}, ValueError),
        ({"white_list": [], "black_list": []}, ValueError),
        ({"white_list": [nn.Dense], "dtype": ms.float32}, ValueError),
        ({"white_list": 3}, TypeError),
        ({"black_list": [ops.MatMul]}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(kwargs, error):
    with pytest.raises(error):
        amp.custom_mixed_precision(Mixed(), **kwargs)
    with pytest.raises(TypeError):
        amp.custom_mixed_precision(3, white_list=[])


def test_loss_scalers_keep_the_kind_of_container_and_have_trainable_state():
    scaler = ms.amp.DynamicLossScaler(4, 2, 1)
    assert scaler.scale_value.requires_grad and scaler.counter.requires_grad
    scaled = scaler.scale([Tensor(1.0), (Tensor(2.0),)])
    assert type(scaled) is list and type(scaled[1]) is tuple
    assert type(scaler.unscale((Tensor(1.0),))) is tuple


def test_a_level_of_any_other_type_is_a_value_error():
    for level in (3, None):
        with pytest.raises(ValueError):
            ms.amp.auto_mixed_precision(nn.Dense(1, 1), level)
