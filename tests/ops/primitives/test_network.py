"""Primitives of images, blocks, losses and recurrent networks."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded
from tests.ops.arrays import close, generator


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


random = generator()


def test_margin_losses_are_those_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    a, b, c = random(4, 3), random(4, 3), random(4, 3)
    for swap, reduction in ((False, "mean"), (True, "none")):
        wanted = torch.nn.functional.triplet_margin_loss(*map(torch.tensor, (a, b, c)), 0.7, 2, swap=swap,
                                                         reduction=reduction)  # fmt: skip
        primitive = ops.TripletMarginLoss(2, swap, reduction=reduction)
        close(primitive(*map(Tensor, (a, b, c)), Tensor(0.7, ms.float32)), wanted.numpy(), 1e-4)
    labels = np.array([[0, 2, -1], [1, -1, 0], [2, 1, 0], [-1, 0, 1]], np.int32)
    wanted = torch.nn.functional.multilabel_margin_loss(torch.tensor(a), torch.tensor(labels).long(), reduction="none")
    out, named = ops.MultilabelMarginLoss("none")(Tensor(a), Tensor(labels))
    close(out, wanted.numpy())
    assert named.asnumpy().tolist() == [[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]] and named.dtype is ms.int32
    with pytest.raises(TypeError, match="margin"):
        ops.TripletMarginLoss()(*map(Tensor, (a, b, c)), Tensor([0.7]).astype(ms.float64))


@pytest.mark.parametrize("pad_mode", ["valid", "SAME"])
@pytest.mark.parametrize("stride, spread", [(1, 1), ((2, 1), (1, 2)), ((1, 1, 1, 2), 2)])
def test_dilation_is_a_maximum_of_sums(pad_mode, stride, spread):
    x, filter_ = random(2, 3, 6, 7), random(3, 2, 3)
    (sh, sw), (dh, dw) = ((v, v) if isinstance(v, int) else v[-2:] for v in (stride, spread))
    out = ops.Dilation2D(stride, spread, pad_mode)(Tensor(x), Tensor(filter_)).asnumpy()
    top = left = 0
    if pad_mode == "SAME":
        top = max((-(-6 // sh) - 1) * sh + dh + 1 - 6, 0) // 2
        left = max((-(-7 // sw) - 1) * sw + 2 * dw + 1 - 7, 0) // 2
    for r, c in np.ndindex(*out.shape[2:]):
        best = np.full((2, 3), -np.inf)
        for i, j in np.ndindex(2, 3):
            y, z = r * sh + i * dh - top, c * sw + j * dw - left
            if 0 <= y < 6 and 0 <= z < 7:
                best = np.maximum(best, x[:, :, y, z] + filter_[:, i, j])
        np.testing.assert_allclose(out[:, :, r, c], best, rtol=1e-6)
    ints = ops.Dilation2D(1, 1)(Tensor(np.arange(16).reshape(1, 1, 4, 4)), Tensor(np.zeros((1, 2, 2), np.int64)))
    assert ints.dtype is ms.int64 and ints.asnumpy()[0, 0, 0].tolist() == [5, 6, 7, 7]


def test_patches_of_images_are_the_columns_of_im2col():
    x = Tensor(random(2, 3, 5, 6))
    columns = ops.Im2Col((2, 2), 1, (2, 1))(x).asnumpy()
    patches = ops.ExtractImagePatches((2, 2), (1, 1), (2, 1), "VALID")(x)
    close(patches, columns.transpose(0, 2, 1, 3).reshape(2, 12, 3, 5))
    same = ops.ExtractImagePatches([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME")(x)
    assert same.shape == (2, 12, 3, 3)
    whole = ops.Im2Col(2)(Tensor(np.arange(9).reshape(1, 1, 3, 3)))
    assert whole.dtype is ms.int64 and whole.asnumpy()[0, 0, :, 0].tolist() == [0, 1, 3, 4]
    ones = ops.Col2Im((2, 2))(ops.Im2Col((2, 2))(ops.ones_like(x)), Tensor([5, 6], ms.int32))
    assert ones.asnumpy().max() == 4 and ones.asnumpy().min() == 1


def test_blocks_go_to_the_batch_and_back():
    x = Tensor(random(2, 3, 4, 6))
    there = ops.SpaceToBatch(2, [[0, 0], [0, 0]])(x)
    close(there, ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])(x))
    back = ops.BatchToSpace(2, [[0, 0], [0, 0]])
    close(back(there), x), close(ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])(there), x)
    close(ops.BatchToSpaceNDV2()(there, Tensor([2, 2]), [[0, 0], [0, 0]]), x)
    gradient = ms.grad(lambda v: (back(v) ** 2).sum())(there)
    close(gradient, 2 * there.asnumpy())
    with pytest.raises(ValueError, match="4 dimensions"):
        back(there[0])


def test_depthwise_convolution_is_a_convolution_of_groups():
    x, w = Tensor(random(2, 3, 5, 6)), random(1, 3, 2, 2)
    for mode in ("valid", "same"):
        out = ops.DepthwiseConv2dNative(1, 2, pad_mode=mode)(x, Tensor(w))
        close(out, ops.conv2d(x, Tensor(w.transpose(1, 0, 2, 3)), pad_mode=mode, groups=3))
    with pytest.raises(ms.UnsupportedError, match="channel_multiplier"):
        ops.DepthwiseConv2dNative(2, 2)(x, Tensor(w))


def test_glimpses_beyond_an_image_are_noise():
    x = Tensor(np.full((1, 4, 4, 1), 7.0, np.float32))
    size, middle = Tensor([8, 8], ms.int32), Tensor(np.zeros((1, 2), np.float32))
    uniform = ops.ExtractGlimpse()(x, size, middle).asnumpy()
    assert (uniform[:, 2:6, 2:6] == 7).all() and 0 <= uniform.min() and 30 < uniform.max() <= 255
    gaussian = ops.ExtractGlimpse(uniform_noise=False, noise="gaussian")(x, size, middle).asnumpy()
    assert (gaussian == 7).all()  # of the image's mean and deviation


SLOPES = [
    "ops.ROIAlign(2, 2, 1.0)(x.reshape(1, 2, 4, 3), rois)",
    "ops.Im2Col(2, 1, 1, 1)(x.reshape(1, 2, 4, 3))",
    "ops.ExtractVolumePatches(2, 1, 'VALID')(x.reshape(1, 1, 2, 4, 3))",
    "ops.Dilation2D(1, 1)(x.reshape(1, 2, 4, 3), y.reshape(2, 4, 3)[:, :2, :2])",
    "ops.CropAndResize('bilinear_v2')(x.reshape(1, 4, 3, 2), crops, at, (3, 3))",
    "ops.FractionalAvgPool([1.0, 2.0, 3.0, 1.0])(x.reshape(1, 4, 3, 2))[0]",
    "ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(x.reshape(1, 2, 4, 3), offsets)",
    "ops.conv3d_transpose(x.reshape(1, 1, 4, 3, 2), y[:8].reshape(1, 1, 2, 2, 2))",
    "ops.DynamicRNN()(x.reshape(4, 2, 3), y[:20].reshape(5, 4)[:, :4].tile((1, 2)), y[:8], None, None, None)[0]",
    "ops.DynamicGRUV2()(x.reshape(4, 2, 3), y[:18].reshape(3, 6), y[:12].reshape(2, 6), None, None, None, first)[0]",
    "ops.MultiMarginLoss(2)(x.reshape(4, 6), ops.arange(4))",
    "ops.CTCLossV2()(ops.log_softmax(x.reshape(6, 1, 4), -1), one, (6,), (2,))[0]",
]


@pytest.mark.parametrize("expression", SLOPES)
def test_gradient_is_the_slope_and_the_same_compiled(expression):
    names = {
        "ops": ops,
        "y": Tensor(np.sin(np.arange(24) * 2.3)),
        "first": Tensor(np.sin(np.arange(4)).reshape(2, 2)),
        "offsets": Tensor(np.tile(np.sin(np.arange(12) * 2.3).reshape(1, 12, 1, 1), (1, 1, 3, 2))),
        "rois": Tensor(np.array([[0, 0.2, 0.3, 1.7, 2.6]])),
        "crops": Tensor(np.array([[0, 0, 1, 1]], np.float32)),
        "at": Tensor(np.array([0], np.int32)),
        "one": Tensor(np.array([[1, 2]], np.int32)),
    }

    def loss(x):
        out = eval(expression, {**names, "x": x})
        return (out * Tensor(np.cos(np.arange(out.size)).reshape(out.shape), out.dtype)).sum()

    x = np.sin(np.arange(24) * 1.7) * 1.3
    gradient = ms.grad(loss)(Tensor(x)).asnumpy()
    step = 1e-2 if "Crop" in expression else 1e-6  # crops are Float32
    slope = [
        (float(loss(Tensor(x + step * unit))) - float(loss(Tensor(x - step * unit)))) / (2 * step)
        for unit in np.eye(24)
    ]
    tolerance = 1e-3 if "Crop" in expression else 2e-6
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=tolerance)
    compiled = ms.jit(ms.grad(loss))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(compiled, gradient, rtol=1e-6, atol=1e-9)


REFUSED = {
    "ops.DynamicRNN(use_peephole=True)": ms.UnsupportedError,
    "ops.DynamicRNN(keep_prob=0.5)": ms.UnsupportedError,
    "ops.DynamicGRUV2(num_proj=2)": ms.UnsupportedError,
    "ops.DynamicRNN()(x, x[0], x[0, 0], x, x, x)": ValueError,
    "ops.DynamicRNN()(x, x[0], x[0, 0], None, x, x)": ValueError,
    "ops.DynamicGRUV2()(x, x[0], x[0], None, None, None, x[0])": ValueError,
    "ops.BasicLSTMCell()(x, x, x, x, x)": ValueError,
    "ops.BasicLSTMCell(activation='relu')": ValueError,
    "ops.BasicLSTMCell(state_is_tuple=False)": ms.UnsupportedError,
    "ops.LSTM(3, 4, 1, False, False, 0.0)(x, x, x, x)": ValueError,
    "ops.conv3d_transpose(x, x)": ValueError,
    "ops.ExtractVolumePatches(2, 1, 'VALID')(x)": ValueError,
    "ops.ExtractVolumePatches(9, 1, 'VALID')(x.reshape(1, 1, 2, 4, 3))": ValueError,
    "ops.ExtractImagePatches(2, 1, 1, 'FULL')": ValueError,
    "ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(x, x)": ValueError,
    "ops.ctc_loss(x, x, (1,), (1,))": TypeError,
}


@pytest.mark.parametrize("expression", REFUSED)
def test_refusals(expression):
    with pytest.raises(REFUSED[expression]):
        eval(expression, {"ops": ops, "x": Tensor(np.ones((2, 4, 3), np.float32))})
