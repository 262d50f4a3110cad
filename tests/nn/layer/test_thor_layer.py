"""nn.Conv2dThor and nn.EmbeddingLookupThor: the layers they are named after, and MindSpore's Parameters.

MindSpore's CPU backend constructs them, and calls the second; these are its names, dtypes and texts.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def described(net):
    return [(p.name, p.shape, str(p.dtype), p.requires_grad) for p in net.get_parameters()]


def test_conv():
    net = nn.Conv2dThor(4, 6, (3, 2), stride=2, pad_mode="pad", padding=1, has_bias=True)
    assert described(net) == [
        ("weight", (6, 4, 3, 2), "Float32", True),
        ("bias", (6,), "Float32", True),
        ("a_normalizer", (1,), "Float32", False),
        ("g_normalizer", (1,), "Float32", False),
        ("matrix_a", (24, 24), "Float32", False),
        ("matrix_g", (6, 6), "Float32", False),
    ]
    assert repr(net) == (
        "Conv2dThor(input_channels=4, output_channels=6, kernel_size=(3, 2), stride=(2, 2), pad_mode=pad, padding=1, "
        "dilation=(1, 1), group=1, has_bias=True, bias_init=zeros)"
    )
    x = Tensor(np.random.RandomState(0).randn(2, 4, 8, 8).astype(np.float32))
    plain = nn.Conv2d(4, 6, (3, 2), 2, "pad", 1, has_bias=True, weight_init=net.weight, bias_init=net.bias)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            assert np.allclose(net(x).asnumpy(), plain(x).asnumpy(), rtol=1e-5, atol=1e-6)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)


def test_embedding_lookup():
    net = nn.EmbeddingLookupThor(5, 3)
    assert described(net) == [
        ("embedding_table", (5, 3), "Float16", True),
        ("matrix_a", (5,), "Float32", False),
        ("matrix_g", (3, 3), "Float32", False),
    ]
    found = net(Tensor([[0, 1], [4, 2]], ms.int32))
    assert str(found.dtype) == "Float16"
    assert (found.asnumpy() == net.embedding_table.asnumpy()[[[0, 1], [4, 2]]]).all()


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: nn.Conv2dThor(3, 4, 3, group=3), ValueError),
        (lambda: nn.Conv2dThor(3.0, 4, 3), TypeError),
        (lambda: nn.EmbeddingLookupThor(0, 3), ValueError),
        (lambda: nn.EmbeddingLookupThor(5, 3, target="X"), ValueError),
        (lambda: nn.EmbeddingLookupThor(5, 3, sparse=1), TypeError),
        (lambda: nn.EmbeddingLookupThor(5, 3, sparse=False), ValueError),
    ],
)
def test_refuses(make, error):
    with pytest.raises(error):
        make()
