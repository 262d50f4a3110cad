"""Layers of `mint`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn

RNG = np.random.RandomState(3)


IMAGE = Tensor(RNG.randn(2, 4, 6, 6).astype(np.float32))


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
