"""Layers of `mint` with weights."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint

RNG = np.random.RandomState(3)


IMAGE = Tensor(RNG.randn(2, 4, 6, 6).astype(np.float32))


def test_a_transposed_convolution_reaches_the_size_asked_for():
    net = mint.nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1)
    assert net(IMAGE).shape == (2, 3, 11, 11)
    assert net(IMAGE, (12, 12)).shape == (2, 3, 12, 12)


def test_embedding_starts_with_zeros_in_the_padded_row():
    table = mint.nn.Embedding(50, 20, padding_idx=-1).weight.asnumpy()
    assert not table[-1].any() and 0.9 < table[:-1].std() < 1.1


class _Conv1dBySubclass(mint.nn.Conv2d):
    """As libraries make a 1-D convolution: the inner function and paddings of the 2-D one."""

    def construct(self, x):
        x = mint.nn.functional.pad(x[:, :, None], self._reversed_padding, self.padding_mode)
        return self.conv2d(x, self.weight, self.bias, self.stride, (0, 0), self.dilation, self.groups)[:, :, 0]


def test_subclasses_of_convolutions_call_what_is_inside(mode):
    x = Tensor(np.random.default_rng(0).normal(size=(2, 3, 7)), ms.float32)
    net = _Conv1dBySubclass(3, 4, (1, 3), padding=(0, 1), padding_mode="reflect")
    assert net._reversed_padding == (1, 1, 0, 0) and net.output_padding == (0, 0) and not net.transposed
    same = mint.nn.Conv1d(3, 4, 3, padding=1, padding_mode="reflect")
    same.weight.set_data(net.weight[:, :, 0])
    same.bias.set_data(net.bias)
    assert np.allclose(net(x).asnumpy(), same(x).asnumpy(), atol=1e-6)
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_output_padding_of_transposed_convolutions():
    net = mint.nn.ConvTranspose2d(2, 2, 3, stride=2, padding=1)
    x = Tensor(np.ones((1, 2, 4, 5)), ms.float32)
    assert net.transposed and net._output_padding(x, None, net.stride, net.padding, net.kernel_size, 2) == (0, 0)
    assert net._output_padding(x, (8, 9), net.stride, net.padding, net.kernel_size, 2, net.dilation) == (1, 0)
    assert net(x, (8, 9)).shape == (1, 2, 8, 9)
    with pytest.raises(ValueError, match="output_size"):
        net(x, (10, 9))
