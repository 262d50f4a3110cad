"""Parameters without initial values."""

from ms_compat import nn


def test_parameters_without_initialisation():
    with nn.no_init_parameters():
        net = nn.Dense(2, 1)
    assert not net.weight.asnumpy().any()
