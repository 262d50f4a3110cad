"""The weights of recurrent layers."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, nn


def test_weights_of_recurrent_layers_are_replaced_by_lists(mode):
    net = nn.LSTM(2, 3)
    shapes = {"w_ih": (12, 2), "w_hh": (12, 3), "b_ih": (12,), "b_hh": (12,)}
    for name, shape in shapes.items():
        own = getattr(net, f"{name}_list")[0].name
        ones = Parameter(Tensor(np.ones(shape), ms.float32), name=own)
        setattr(net, f"{name}_list", ParameterTuple([ones]))
        assert getattr(net, f"{name}_list")[0] is ones
    out = net(Tensor(np.ones((2, 1, 2)), ms.float32))[0].asnumpy()
    np.testing.assert_allclose(out.ravel(), [0.7400966] * 3 + [0.9604866] * 3, rtol=1e-6)
    assert sorted(p.name for p in net.trainable_params()) == [
        "bias_hh_l0", "bias_ih_l0", "weight_hh_l0", "weight_ih_l0",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="weight_ih"):
        net.w_ih_list = ParameterTuple([])
