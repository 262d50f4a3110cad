"""mint.nn's layers against mindspore.nn's and against hand-written formulas; names and defaults are PyTorch's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn

RNG = np.random.RandomState(3)
IMAGE = Tensor(RNG.randn(2, 4, 6, 6).astype(np.float32))
ROWS = Tensor(RNG.randn(3, 4).astype(np.float32))

# layer: what MindSpore prints
PRINTED = {
    "BatchNorm2d(3)": "BatchNorm2d(num_features=3, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
    "LayerNorm(4)": "LayerNormExt(normalized_shape=(4,), eps=1e-05, elementwise_affine=True)",
    "GroupNorm(2, 4)": "GroupNorm(num_groups=2, num_channels=4, eps=1e-05, affine=True)",
    "Linear(3, 4, bias=False)": "Linear(input_features=3, output_features=4)",
    "Dropout(0.3)": "DropoutExt()",
    "AdaptiveAvgPool2d(2)": "AdaptiveAvgPool2d(output_size=2)",
    "MaxPool2d(2)": "MaxPool2dExt()",
}
# layer: names and shapes of its Parameters, as MindSpore's
PARAMETERS = {
    "BatchNorm1d(3)": "weight (3,) bias (3,) running_mean (3,) running_var (3,) num_batches_tracked ()",
    "BatchNorm2d(3, affine=False)": "running_mean (3,) running_var (3,) num_batches_tracked ()",
    "BatchNorm2d(3, track_running_stats=False)": "weight (3,) bias (3,)",
    "LayerNorm((3, 4), bias=False)": "weight (3, 4)",
    "GroupNorm(2, 4, affine=False)": "weight (4,) bias (4,)",
    "Conv1d(4, 6, 3, groups=2)": "weight (6, 2, 3) bias (6,)",
    "ConvTranspose2d(3, 4, 3, bias=False)": "weight (3, 4, 3, 3)",
    "Embedding(5, 3)": "weight (5, 3)",
    "PReLU(3)": "weight (3,)",
}
# mint layer: (layer of mindspore.nn that computes the same, input)
SAME = {
    "ReLU6()": ("ReLU6()", IMAGE),
    "GELU()": ("GELU(False)", IMAGE),
    "Softmax(1)": ("Softmax(1)", IMAGE),
    "Hardswish()": ("HSwish()", IMAGE),
    "ELU(1.0)": ("ELU()", IMAGE),
    "GLU(1)": ("GLU(1)", IMAGE),
    "Flatten()": ("Flatten()", IMAGE),
    "AvgPool2d(2)": ("AvgPool2d(2, 2)", IMAGE),
    "MaxPool2d(3, 2)": ("MaxPool2d(3, 2)", IMAGE),
    "AdaptiveAvgPool2d(2)": ("AdaptiveAvgPool2d(2)", IMAGE),
    "ZeroPad2d((1, 0, 2, 1))": ("ZeroPad2d((1, 0, 2, 1))", IMAGE),
    "ReflectionPad2d(2)": ("ReflectionPad2d(2)", IMAGE),
    "ReplicationPad2d(1)": ("ReplicationPad2d(1)", IMAGE),
    "ConstantPad1d(1, 2.5)": ("ConstantPad1d(1, 2.5)", IMAGE),
    "PixelShuffle(2)": ("PixelShuffle(2)", IMAGE),
    "LayerNorm(6)": ("LayerNorm((6,), epsilon=1e-5)", IMAGE),
    "GroupNorm(2, 4)": ("GroupNorm(2, 4)", IMAGE),
    "BatchNorm2d(4).set_train()": ("BatchNorm2d(4).set_train()", IMAGE),
    "Dropout(0.5)": ("Dropout(p=0.5)", IMAGE),
}
REFUSED = {
    "GroupNorm(3, 4)": ValueError,
    "LayerNorm('a')": TypeError,
    "Linear(0, 4)": ValueError,
    "Conv2d(3, 4, 3, groups=2)": ValueError,
    "Conv2d(3, 4, 3, padding='full')": ValueError,
    "Conv2d(3, 4, 3, padding='same', stride=2)": ValueError,
    "Conv2d(3, 4, 3, padding_mode='x')": ValueError,
    "Embedding(5, 3, padding_idx=7)": ValueError,
    "ReflectionPad1d((1, 2, 3))": ValueError,
    "ConstantPad1d('a', 1)": ValueError,
    "ConstantPad1d(True, 1)": TypeError,
    "ZeroPad2d((1, 1, 1.5, 1))": TypeError,
    "ReflectionPad2d(0)": ValueError,
    "ReflectionPad1d((1, -1))": ValueError,
    "ReplicationPad1d(-1)": ValueError,
    "ReplicationPad1d(True)": TypeError,
    "ReplicationPad2d((1, 1, True, 1))": TypeError,
    "ReplicationPad3d((1, 1, 0, 0, -1, 0))": ValueError,
}


def layer(text, module=mint.nn):
    return eval(f"module.{text}", {"module": module})


@pytest.mark.parametrize("text", PRINTED)
def test_prints(text):
    assert repr(layer(text)) == PRINTED[text]


@pytest.mark.parametrize("text", PARAMETERS)
def test_parameters(text):
    assert " ".join(f"{p.name} {p.shape}" for p in layer(text).get_parameters()) == PARAMETERS[text]


@pytest.mark.parametrize("text", SAME)
def test_same_as_nn(text):
    other, x = SAME[text]
    net = layer(text)
    out, wanted = net(x).asnumpy(), layer(other, nn)(x).asnumpy()
    assert out.dtype == wanted.dtype and np.allclose(out, wanted, rtol=1e-5, atol=1e-6)
    compiled = ms.jit(lambda v: net(v))
    assert np.allclose(compiled(x).asnumpy(), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("text", REFUSED)
def test_refuses(text):
    with pytest.raises(REFUSED[text]):
        layer(text)


def test_batch_norm_keeps_statistics_in_the_sense_of_pytorch():
    net = mint.nn.BatchNorm1d(4).set_train()
    net(ROWS)
    x = ROWS.asnumpy()
    assert np.allclose(net.running_mean.asnumpy(), 0.1 * x.mean(0), atol=1e-6)
    assert np.allclose(net.running_var.asnumpy(), 0.9 + 0.1 * x.var(0, ddof=1), atol=1e-6)
    assert net.num_batches_tracked.item() == 1


def test_batch_norm_without_momentum_averages_all_batches():
    net = mint.nn.BatchNorm1d(4, momentum=None).set_train()
    batches = [RNG.randn(5, 4).astype(np.float32) for _ in range(3)]
    for batch in batches:
        net(Tensor(batch))
    assert np.allclose(net.running_mean.asnumpy(), np.mean([b.mean(0) for b in batches], 0), atol=1e-6)
    assert np.allclose(net.running_var.asnumpy(), np.mean([b.var(0, ddof=1) for b in batches], 0), atol=1e-6)


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


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_subclasses_of_convolutions_call_what_is_inside(mode):
    ms.set_context(mode=mode)
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
