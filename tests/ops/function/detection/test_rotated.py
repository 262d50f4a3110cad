"""Overlaps of rotated boxes against polygons that are clipped in NumPy, in Float64; MindSpore has them for Ascend."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

BOXES = np.array(
    [
        [[0, 0, 2, 2, 0], [1, 1, 4, 2, 30], [5, 5, 1, 1, 10]],
        [[0, 0, 3, 1, 90], [2, 0, 2, 2, -45], [0, 0, 0, 0, 0]],
    ],
    np.float64,
)
QUERIES = np.array([[[0, 0, 2, 2, 45], [0.5, 0, 2, 1, 200]], [[0.3, 0.2, 1, 1, 33], [1, 0, 6, 0.5, 400]]])


def corners(box):
    x, y, w, h, angle = box
    angle = np.deg2rad(angle)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return [turn @ (sx * w / 2, sy * h / 2) + (x, y) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def side(a, b, p):
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def area(points):
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(points, points[1:] + points[:1], strict=True)) / 2


def common(a, b):
    """The area that two boxes share, by Sutherland and Hodgman's loops."""
    points, sides = corners(a), corners(b)
    for start, end in zip(sides, sides[1:] + sides[:1], strict=True):
        kept = []
        for p, q in zip(points, points[1:] + points[:1], strict=True):
            here, there = side(start, end, p), side(start, end, q)
            if here >= 0:
                kept.append(p)
            if (here >= 0) != (there >= 0):
                kept.append(p + here / (here - there) * (q - p))
        points = kept
    return area(points) if points else 0.0


def expected(boxes, queries, mode=0):
    out = np.zeros((*boxes.shape[:2], queries.shape[1]))
    for b, i, j in np.ndindex(out.shape):
        first, second = boxes[b, i], queries[b, j]
        shared = common(first, second)
        whole = first[2] * first[3] + (0 if mode == 1 else second[2] * second[3] - shared)
        out[b, i, j] = shared / whole if first[2] * first[3] > 0 and whole > 0 else 0
    return out


@pytest.mark.parametrize("mode", [0, 1, 2])
@pytest.mark.parametrize("compiled", [False, True])
def test_overlaps_equal_clipped_polygons(mode, compiled):
    def call(a, b):
        return ops.rotated_iou(a, b, mode=mode)

    out = (ms.jit(call) if compiled else call)(Tensor(BOXES, ms.float32), Tensor(QUERIES, ms.float32))
    assert out.dtype == ms.float32 and out.shape == (2, 3, 2)
    np.testing.assert_allclose(out.asnumpy(), expected(BOXES, QUERIES, mode), rtol=1e-5, atol=1e-6)


def test_many_boxes_far_from_the_origin():
    random = np.random.default_rng(0)

    def draw(count):
        parts = [random.uniform(*span, (1, count, size)) for *span, size in ((995, 1005, 2), (1, 6, 2), (-180, 180, 1))]
        return np.concatenate(parts, -1)

    a, b = draw(20).astype(np.float32), draw(30).astype(np.float32)
    out = ops.rotated_iou(Tensor(a), Tensor(b)).asnumpy()
    np.testing.assert_allclose(out, expected(a.astype(np.float64), b.astype(np.float64)), atol=2e-5)


@pytest.mark.parametrize("angle", [0, 30, 45, 90, 123.4])
def test_a_box_overlaps_itself_and_its_half_turn(angle):
    box = Tensor([[[3, 4, 5, 2, angle]]], ms.float32)
    turned = Tensor([[[3, 4, 5, 2, angle + 180], [3, 4, 2, 5, angle - 90]]], ms.float32)
    np.testing.assert_allclose(ops.rotated_iou(box, box).asnumpy(), [[[1]]], atol=1e-5)
    np.testing.assert_allclose(ops.rotated_iou(box, turned).asnumpy(), [[[1, 1]]], atol=1e-5)


def test_boxes_by_their_corners():
    by_corners = []
    for x in (BOXES, QUERIES):
        half = x[..., 2:4] / 2
        by_corners.append(np.concatenate([x[..., :2] - half, x[..., :2] + half, x[..., 4:]], -1))
    out = ops.rotated_iou(*[Tensor(x, ms.float32) for x in by_corners], trans=True)
    np.testing.assert_allclose(out.asnumpy(), expected(BOXES, QUERIES), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_half_precision(dtype):
    whole = np.round(BOXES)  # numbers that both dtypes hold
    out = ops.rotated_iou(Tensor(whole, dtype), Tensor(np.round(QUERIES), ms.float32))
    assert out.dtype == dtype
    np.testing.assert_allclose(out.astype(ms.float32).asnumpy(), expected(whole, np.round(QUERIES)), atol=4e-3)


def test_gradient():
    boxes, queries = BOXES[:, :2], QUERIES

    def loss(a, b):
        return (ops.rotated_iou(a, b) ** 2).sum()

    step = 1e-6
    for grad in (ms.grad(loss, (0, 1)), ms.jit(ms.grad(loss, (0, 1)))):
        found = grad(Tensor(boxes, ms.float32), Tensor(queries, ms.float32))
        for i, array in enumerate((boxes, queries)):
            for at in np.ndindex(array.shape):
                values = []
                for sign in (1, -1):
                    moved = [boxes.copy(), queries.copy()]
                    moved[i][at] += sign * step
                    values.append((expected(*moved) ** 2).sum())
                difference = (values[0] - values[1]) / (2 * step)
                np.testing.assert_allclose(found[i].asnumpy()[at], difference, rtol=1e-3, atol=1e-4)


ONE, TWO = Tensor(np.ones((1, 2, 5), np.float32)), Tensor(np.ones((2, 2, 5), np.float32))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.rotated_iou(1, ONE), TypeError),
        (lambda: ops.rotated_iou(ONE, 1), TypeError),
        (lambda: ops.rotated_iou(ONE, TWO), ValueError),
        (lambda: ops.rotated_iou(ONE, ONE[..., :4]), ValueError),
        (lambda: ops.rotated_iou(ONE[0], ONE), ValueError),
        (lambda: ops.rotated_iou(ONE.astype(ms.float64), ONE), ValueError),
        (lambda: ops.rotated_iou(ONE, ONE.astype(ms.int32)), ValueError),
        (lambda: ops.rotated_iou(ONE, ONE, mode="iou"), TypeError),
        (lambda: ops.rotated_iou(ONE, ONE, trans=1), TypeError),
        (lambda: ops.rotated_iou(ONE, ONE, v_threshold="0"), TypeError),
        (lambda: ops.rotated_iou(ONE, ONE, is_cross=False), ms.UnsupportedError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()
