"""Rarer operations of networks against layers, PyTorch, or a loop; and their slopes, compiled forms and refusals."""

import itertools

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

RNG = np.random.RandomState(0)


def random(*shape):
    return RNG.randn(*shape).astype(np.float32)


def close(got, wanted, tolerance=1e-5):
    wanted = wanted.asnumpy() if isinstance(wanted, Tensor) else np.asarray(wanted)
    assert tuple(got.shape) == wanted.shape
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=tolerance, atol=tolerance)


# -- recurrent networks ----------------------------------------------------------------------------------------------
def gates(weight, order):
    """Rows of the gates i, f, g, o in another order."""
    parts = dict(zip("ifgo", np.split(weight, 4), strict=True))
    return np.concatenate([parts[gate] for gate in order])


def test_dynamic_rnn_and_basic_lstm_cell_are_the_lstm():
    net = nn.LSTM(3, 4)
    w_ih, w_hh, b_ih, b_hh = (
        getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    x, h, c = random(5, 2, 3), random(1, 2, 4), random(1, 2, 4)
    weight = np.concatenate([gates(w_ih, "igfo"), gates(w_hh, "igfo")], 1).T
    bias = gates(b_ih + b_hh, "igfo")
    out, (last_h, last_c) = net(Tensor(x), (Tensor(h), Tensor(c)))
    arguments = tuple(map(Tensor, (x, weight, bias)))
    got = ops.DynamicRNN()(*arguments, None, Tensor(h), Tensor(c))
    assert len(got) == 8
    close(got[0], out), close(got[1], out), close(got[1][-1:], last_h), close(got[2][-1:], last_c)
    compiled = ms.jit(lambda *a: ops.DynamicRNN()(*a, None, Tensor(h), Tensor(c)))(*arguments)
    for a, b in zip(got, compiled, strict=True):
        close(a, b)
    i, j, f, o, bounded = (v.asnumpy() for v in got[3:])
    cells = np.concatenate([c, got[2].asnumpy()[:-1]])
    close(got[2], f * cells + i * j), close(got[0], o * bounded)
    step = ops.BasicLSTMCell(forget_bias=0.0)(Tensor(x[0]), Tensor(h[0]), Tensor(c[0]), *arguments[1:])
    close(step[0], got[2][0]), close(step[1], got[1][0]), close(step[6], got[7][0])
    biased = ops.DynamicRNN(forget_bias=1.0, cell_clip=0.1)(*arguments, None, Tensor(h), Tensor(c))
    assert np.abs(biased[2].asnumpy()).max() <= 0.1
    halves = [Tensor(v).astype(ms.float16) for v in (x, weight, bias, h, c)]
    half = ops.DynamicRNN()(*halves[:3], None, *halves[3:])
    assert all(v.dtype is ms.float16 for v in half)
    np.testing.assert_allclose(half[0].asnumpy(), out.asnumpy(), atol=1e-2)


@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_dynamic_gru_is_the_gru(order):
    net = nn.GRU(3, 4)
    w_ih, w_hh, b_ih, b_hh = (
        getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    at = [0, 1, 2] if order == "rzh" else [1, 0, 2]
    w_ih, w_hh, b_ih, b_hh = (np.concatenate([np.split(v, 3)[i] for i in at]) for v in (w_ih, w_hh, b_ih, b_hh))
    original = [getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    x, h = random(5, 2, 3), random(2, 4)
    out, _ = net(Tensor(x), Tensor(h[None]))
    arguments = tuple(map(Tensor, (x, w_ih.T, w_hh.T, b_ih, b_hh)))
    got = ops.DynamicGRUV2(gate_order=order)(*arguments, None, Tensor(h))
    close(got[0], out), close(got[1], out)
    before = np.concatenate([h[None], out.asnumpy()[:-1]])
    update, reset, new, part = (v.asnumpy() for v in got[2:])
    close(got[0], new + update * (before - new))
    close(got[5], before @ np.split(original[1], 3)[2].T + np.split(original[3], 3)[2])
    plain = ops.DynamicGRUV2(gate_order=order)(*arguments[:3], None, None, None, Tensor(h))
    assert plain[0].shape == (5, 2, 4)
    early = ops.DynamicGRUV2(gate_order=order, reset_after=False)(*arguments, None, Tensor(h))
    reset = early[3].asnumpy()
    before = np.concatenate([h[None], early[1].asnumpy()[:-1]])
    close(early[5], (reset * before) @ np.split(original[1], 3)[2].T + np.split(original[3], 3)[2])


def test_the_lstm_of_one_vector_is_the_layer():
    net = nn.LSTM(3, 4, 2, bidirectional=True)
    ends = ["_l0", "_l0_reverse", "_l1", "_l1_reverse"]
    flat = [getattr(net, n + e).asnumpy().ravel() for e in ends for n in ("weight_ih", "weight_hh")]
    flat += [getattr(net, n + e).asnumpy().ravel() for e in ends for n in ("bias_ih", "bias_hh")]
    weights = Tensor(np.concatenate(flat).reshape(-1, 1, 1))
    x, h, c = (Tensor(random(*s)) for s in ((5, 2, 3), (4, 2, 4), (4, 2, 4)))
    primitive = ops.LSTM(3, 4, 2, True, True, 0.0)
    out, (last_h, last_c) = net(x, (h, c))
    got = primitive(x, h, c, weights)
    close(got[0], out), close(got[1], last_h), close(got[2], last_c)
    dropped = ops.LSTM(3, 4, 2, True, True, 0.5)(x, h, c, weights)
    assert np.abs(dropped[0].asnumpy() - out.asnumpy()).max() > 1e-3
    gradient = ms.grad(lambda w: (primitive(x, h, c, w)[0] ** 2).sum())(weights).asnumpy().ravel()
    wanted = ms.grad(lambda: (net(x, (h, c))[0] ** 2).sum(), None, net.trainable_params())()
    sums = {p.name: g.asnumpy().ravel() for p, g in zip(net.trainable_params(), wanted, strict=True)}
    np.testing.assert_allclose(gradient[:48], sums["weight_ih_l0"], rtol=1e-4, atol=1e-5)


# -- losses ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
@pytest.mark.parametrize("zero_infinity", [False, True])
def test_ctc_loss_is_that_of_pytorch(reduction, zero_infinity):
    torch = pytest.importorskip("torch", reason="a loss to compare with")
    scores = random(7, 3, 5)
    labels = np.array([[1, 2, 2], [3, 4, 1], [1, 1, 1]], np.int32)
    lengths, counts = np.array([7, 6, 4], np.int32), np.array([3, 2, 3], np.int32)
    leaf = torch.tensor(scores, requires_grad=True)
    wanted = torch.nn.functional.ctc_loss(
        leaf.log_softmax(-1), torch.tensor(labels), torch.tensor(lengths), torch.tensor(counts), 0, reduction,
        zero_infinity,
    )  # fmt: skip
    wanted.sum().backward()

    def loss(x):
        return ops.ctc_loss(
            ops.log_softmax(x, -1), *map(Tensor, (labels, lengths, counts)), 0, reduction, zero_infinity
        )[0]

    out = loss(Tensor(scores))
    np.testing.assert_allclose(out.asnumpy(), wanted.detach().numpy(), rtol=1e-5)
    np.testing.assert_allclose(ms.jit(loss)(Tensor(scores)).asnumpy(), out.asnumpy(), rtol=1e-6)
    gradient = ms.grad(lambda x: loss(x).sum())(Tensor(scores)).asnumpy()
    np.testing.assert_allclose(gradient, leaf.grad.numpy(), rtol=1e-4, atol=1e-6)


def test_ctc_loss_trains_in_both_modes_and_drops_over_steps():
    scores = Tensor(random(6, 2, 4))
    labels, lengths = Tensor(np.array([[1, 2], [3, 3]], np.int32)), (6, 5)

    def loss(x):
        return ops.ctc_loss(ops.log_softmax(x, -1), labels, lengths, (2, 2))[0]

    step = ms.jit(ms.value_and_grad(loss))
    values = []
    for _ in range(20):
        value, gradient = step(scores)
        values.append(float(value))
        scores = scores - 2 * gradient
    assert values[-1] < 0.3 * values[0]


def test_a_blank_among_the_labels_of_the_sparse_ctc_loss_ends_them():
    x = Tensor(np.array([[[0.3, 0.6, 0.6], [0.4, 0.3, 0.9]], [[0.9, 0.4, 0.2], [0.9, 0.9, 0.1]]], np.float32))
    lengths = Tensor(np.array([2, 2], np.int32))
    loss, _ = ops.CTCLoss()(x, Tensor([[0, 0], [1, 0]]), Tensor(np.array([2, 2], np.int32)), lengths)
    close(loss, [0.79628, 0.5995158])  # printed by the documentation
    padded = ops.CTCLoss()(x, Tensor([[0, 0], [0, 1], [1, 0]]), Tensor(np.array([1, 2, 0], np.int32)), lengths)
    plain = ops.CTCLoss()(x, Tensor([[0, 0], [1, 0]]), Tensor(np.array([1, 0], np.int32)), lengths)
    close(padded[0], plain[0]), close(padded[1], plain[1])
    with pytest.raises(RuntimeError, match="blank"):
        ops.CTCLoss()(x, Tensor([[0, 0], [0, 1], [1, 0]]), Tensor(np.array([2, 1, 0], np.int32)), lengths)


def test_transducer_loss_sums_over_all_paths():
    acts = random(2, 3, 3, 4)
    labels, lengths, counts = (
        np.array([[1, 2], [3, 1]], np.int32),
        np.array([3, 2], np.int32),
        np.array([2, 1], np.int32),
    )
    scores = acts - np.log(np.exp(acts).sum(-1, keepdims=True))
    wanted = []
    for b in range(2):
        total = 0.0
        moves = lengths[b] - 1 + counts[b]
        for emits in itertools.combinations(range(moves), counts[b]):
            t = u = 0
            path = 0.0
            for move in range(moves):
                if move in emits:
                    path += scores[b, t, u, labels[b, u]]
                    u += 1
                else:
                    path += scores[b, t, u, 0]
                    t += 1
            total += np.exp(path + scores[b, t, u, 0])
        wanted.append(-np.log(total))
    arguments = tuple(map(Tensor, (acts, labels, lengths, counts)))
    costs, gradient = ops.RNNTLoss(blank_label=0)(*arguments)
    close(costs, wanted)
    slope = np.zeros_like(acts)
    for at in itertools.product(*map(range, acts.shape)):
        ends = []
        for step in (1e-2, -1e-2):
            moved = acts.copy()
            moved[at] += step
            ends.append(ops.RNNTLoss()(Tensor(moved), *arguments[1:])[0].asnumpy().sum()) if at[3] == 1 else None
        slope[at] = (ends[0] - ends[1]) / 2e-2 if at[3] == 1 else gradient.asnumpy()[at]
    np.testing.assert_allclose(gradient.asnumpy(), slope, atol=2e-3)
    with pytest.raises(TypeError, match="labels"):
        ops.RNNTLoss()(arguments[0], Tensor(labels.astype(np.int64)), *arguments[2:])


def test_margin_losses_are_those_of_pytorch():
    torch = pytest.importorskip("torch", reason="losses to compare with")
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


# -- images ----------------------------------------------------------------------------------------------------------
def test_roi_align_compiles_and_needs_a_number_of_points_then():
    x, rois = Tensor(random(2, 3, 6, 7)), Tensor(np.array([[0, 1, 1, 5.5, 4], [1, 0, 2, 3, 6.5]], np.float32))
    fixed, free = ops.ROIAlign(2, 2, 1.0), ops.ROIAlign(2, 2, 1.0, 0)
    close(ms.jit(lambda a, b: fixed(a, b))(x, rois), fixed(x, rois))
    assert free(x, rois).shape == (2, 3, 2, 2)
    with pytest.raises(ms.UnsupportedError, match="sample_num"):
        ms.jit(lambda a, b: free(a, b), fullgraph=True)(x, rois)
    close(ms.jit(lambda a, b: free(a, b))(x, rois), free(x, rois))


def test_non_max_suppression():
    boxes = Tensor(np.array([[1, 2, 3, 4], [1, 3, 3, 4], [1, 3, 4, 4], [1, 1, 4, 4], [1, 1, 3, 4]], np.float32))
    scores = Tensor(np.array([0.4, 0.5, 0.72, 0.9, 0.45], np.float32))
    run = ops.NonMaxSuppressionV3()
    out = run(boxes, scores, Tensor(5, ms.int32), Tensor(0.5, ms.float32), Tensor(0, ms.float32))
    assert out.asnumpy().tolist() == [3, 2, 0] and out.dtype is ms.int32  # printed by the documentation
    assert run(boxes, scores, 2, 0.5, 0.0).asnumpy().tolist() == [3, 2]
    assert run(boxes, scores, -1, 0.5, 0.0).shape == (0,)
    assert run(boxes, scores, 5, 0.5, 0.6).asnumpy().tolist() == [3, 2]
    turned = Tensor(boxes.asnumpy()[:, [2, 3, 0, 1]])
    assert run(turned, scores, 5, 0.5, 0.0).asnumpy().tolist() == [3, 2, 0]
    for wrong in ((boxes[:, :3], scores, 5, 0.5, 0.0), (boxes, scores[:2], 5, 0.5, 0.0), (boxes, scores, 5, 1.5, 0.0)):
        with pytest.raises(ValueError):
            run(*wrong)
    with pytest.raises(ms.UnsupportedError, match="NMSWithMask"):
        ms.jit(lambda a, b: run(a, b, 5, 0.5, 0.0), fullgraph=True)(boxes, scores)


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


@pytest.mark.parametrize("name, way", [("FractionalMaxPool", np.max), ("FractionalAvgPool", np.mean)])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("pseudo", [False, True])
def test_fractional_pools_take_windows_between_their_borders(name, way, overlapping, pseudo):
    x = random(2, 11, 13, 3)
    primitive = getattr(ops, name)([1.0, 1.5, 2.3, 1.0], pseudo, overlapping)
    for run in (primitive, ms.jit(lambda v: primitive(v))):
        out, rows, columns = (v.asnumpy() for v in run(Tensor(x)))
        assert (rows[0], rows[-1], columns[0], columns[-1], len(rows), len(columns)) == (0, 11, 0, 13, 8, 6)
        assert {*np.diff(rows)} <= {1, 2} and {*np.diff(columns)} <= {2, 3}
        for i, j in np.ndindex(7, 5):
            part = x[:, rows[i] : rows[i + 1] + overlapping, columns[j] : columns[j + 1] + overlapping]
            np.testing.assert_allclose(out[:, i, j], way(part, (1, 2)), rtol=1e-5, atol=1e-6)
    fixed = getattr(ops, name)([1.0, 1.5, 2.3, 1.0], deterministic=True, seed=3)
    np.testing.assert_array_equal(fixed(Tensor(x))[1].asnumpy(), fixed(Tensor(x))[1].asnumpy())


def test_depthwise_convolution_is_a_convolution_of_groups():
    x, w = Tensor(random(2, 3, 5, 6)), random(1, 3, 2, 2)
    for mode in ("valid", "same"):
        out = ops.DepthwiseConv2dNative(1, 2, pad_mode=mode)(x, Tensor(w))
        close(out, ops.conv2d(x, Tensor(w.transpose(1, 0, 2, 3)), pad_mode=mode, groups=3))
    with pytest.raises(ms.UnsupportedError, match="channel_multiplier"):
        ops.DepthwiseConv2dNative(2, 2)(x, Tensor(w))


def test_deformable_offsets_are_what_the_convolution_multiplies():
    x, offsets, weight = random(1, 2, 5, 4), random(1, 12, 4, 3), random(3, 2, 2, 2)
    samples = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(Tensor(x), Tensor(offsets))
    out = ops.conv2d(samples, Tensor(weight), stride=2)
    wanted = ops.deformable_conv2d(*map(Tensor, (x, weight, offsets)), (2, 2), (1, 1, 1, 1), (0, 0, 0, 0))
    close(out, wanted, 1e-4)


def test_distorted_boxes_keep_their_promises():
    size, boxes = Tensor([60, 80, 3], ms.int32), Tensor(np.array([[[0.2, 0.3, 0.6, 0.7]]], np.float32))
    covered = Tensor(np.array([0.5], np.float32))
    run = ops.SampleDistortedBoundingBoxV2(aspect_ratio_range=(0.8, 1.2), area_range=(0.2, 0.9))
    seen = set()
    for draw in [run] * 5 + [ms.jit(lambda *a: run(*a))] * 5:
        begin, extent, box = (v.asnumpy() for v in draw(size, boxes, covered))
        (y, x, _), (h, w, last) = begin, extent
        assert last == -1 and y + h <= 60 and x + w <= 80
        np.testing.assert_allclose(box.ravel(), [y / 60, x / 80, (y + h) / 60, (x + w) / 80], rtol=1e-6)
        inner = max(min(y + h, 36) - max(y, 12), 0) * max(min(x + w, 56) - max(x, 24), 0)
        assert inner >= 0.5 * 24 * 32 and 0.2 * 4800 <= h * w <= 0.9 * 4800 and 0.75 < w / h < 1.3
        seen.add((y, x, h, w))
    assert len(seen) > 5
    for wrong in (
        (Tensor([0, 8, 3], ms.int32), boxes, covered),
        (size, boxes + 1, covered),
        (size, boxes, covered * 3),
    ):
        with pytest.raises(RuntimeError):
            run(*wrong)


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
