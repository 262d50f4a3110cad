"""Mixed precision by lists of classes: what is listed computes in low precision, what comes out is Float32."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, amp, nn, ops

X = np.array([[1.0, 2.0], [0.5, -1.0]], np.float32)


class Net(nn.Cell):
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
    exact = [t.asnumpy() for t in Net()(Tensor(X))]
    out = amp.custom_mixed_precision(Net(), **lists)(Tensor(X))
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
        amp.custom_mixed_precision(Net(), **kwargs)
    with pytest.raises(TypeError):
        amp.custom_mixed_precision(3, white_list=[])
