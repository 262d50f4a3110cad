"""Boxes of object detection, (x0, y0, x1, y1) with both corners inside: validity, overlap, codes, crops."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.indexing.bounds import check_index
from ms_compat.ops.function.nn.checks import floating, tensor

_SMALL_INTEGERS = (np.dtype(np.int16), np.dtype(np.uint8))


def _four(api: str, argument: str, value: Any, others: tuple = ()) -> Any:
    if tensor(api, argument, value).dtype not in others:
        floating(api, argument, value)
    if value.ndim != 2 or value.shape[-1] != 4:
        raise ValueError(f"For '{api}', the '{argument}' must have shape (N, 4), but got {value.shape}.")
    return value


@faces("ops", primitive="CheckValid()(bboxes, img_metas)")
@op(tensors="img_metas")
def check_valid(bboxes, img_metas):
    """Whether boxes are inside an image: Bool [N].

    Args:
        bboxes (Tensor): [N, 4].
        img_metas (Tensor): height, width and the ratio that both are multiplied with.
    """
    b = _four("check_valid", "bboxes", bboxes, _SMALL_INTEGERS)
    if b.dtype in _SMALL_INTEGERS:
        b, img_metas = b.astype(np.float32), img_metas.astype(np.float32)
    check_shape("CheckValid", "img_metas", img_metas, (3,))
    height, width = img_metas[0] * img_metas[2], img_metas[1] * img_metas[2]
    return (b[:, 0] >= 0) & (b[:, 1] >= 0) & (b[:, 2] <= width - 1) & (b[:, 3] <= height - 1)


def check_mode(mode: str) -> None:
    """KeyError for an unknown mode of `iou`."""
    if mode not in ("iou", "iof"):
        raise KeyError(f"For 'iou', the 'mode' must be 'iou' or 'iof', but got {mode!r}.")


@faces("ops")
@op(static=("mode",))
def iou(anchor_boxes, gt_boxes, mode="iou"):
    """Overlaps of each ground-truth box (row) with each anchor (column).

    Args:
        anchor_boxes (Tensor): [N, 4].
        gt_boxes (Tensor): [M, 4].
        mode (str): "iou" divides by the union, "iof" by the ground truth's area.

    Raises:
        KeyError: another mode.
    """
    check_mode(mode)
    a, g = (_four("iou", n, v).astype(np.float32) for n, v in (("anchor_boxes", anchor_boxes), ("gt_boxes", gt_boxes)))
    a, g = a[None], g[:, None]
    sides = jnp.minimum(a[..., 2:], g[..., 2:]) - jnp.maximum(a[..., :2], g[..., :2]) + 1
    inside = jnp.prod(jnp.maximum(sides, 0), -1)
    areas = [jnp.prod(v[..., 2:] - v[..., :2] + 1, -1) for v in (a, g)]
    whole = areas[0] + areas[1] - inside if mode == "iou" else areas[1]
    return jnp.where(whole == 0, 0, inside / jnp.where(whole == 0, 1, whole)).astype(anchor_boxes.dtype)


def _centred(box: Any) -> tuple[Any, Any]:
    return (box[:, :2] + box[:, 2:]) * 0.5, box[:, 2:] - box[:, :2] + 1


@faces(
    "ops",
    primitive="BoundingBoxEncode(means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0))(anchor_box, groundtruth_box)",
)
@op(static=("means", "stds"))
def bounding_box_encode(anchor_box, groundtruth_box, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)):
    """Offsets of centres relative to the anchors' sizes, and logarithms of size ratios; standardised.

    Args:
        anchor_box (Tensor): [N, 4].
        groundtruth_box (Tensor): [N, 4].
        means, stds (tuple): of the four numbers.
    """
    a, g = (
        _four("BoundingBoxEncode", "anchor_box", anchor_box),
        _four("BoundingBoxEncode", "groundtruth_box", groundtruth_box),
    )
    (at, size), (to, wanted) = _centred(a), _centred(g)
    code = jnp.concatenate([(to - at) / size, jnp.log(wanted / size)], 1)
    return (code - jnp.asarray(means, code.dtype)) / jnp.asarray(stds, code.dtype)


@faces(
    "ops",
    primitive="BoundingBoxDecode(max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), "
    "wh_ratio_clip=0.016)(anchor_box, deltas)",
)
@op(static=("max_shape", "means", "stds", "wh_ratio_clip"))
def bounding_box_decode(
    anchor_box, deltas, max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016
):
    """The boxes of codes, inside an image of `max_shape` (height, width); the inverse of `bounding_box_encode`.

    Args:
        anchor_box (Tensor): [N, 4].
        deltas (Tensor): [N, 4].
        max_shape (tuple): height and width.
        means, stds (tuple): of the four numbers.
        wh_ratio_clip (float): limit of the size ratio, and of its inverse.
    """
    a, d = _four("BoundingBoxDecode", "anchor_box", anchor_box), _four("BoundingBoxDecode", "deltas", deltas)
    d = d * jnp.asarray(stds, d.dtype) + jnp.asarray(means, d.dtype)
    limit = float(abs(np.log(wh_ratio_clip)))
    at, size = _centred(a)
    to, wanted = at + size * d[:, :2], size * jnp.exp(jnp.clip(d[:, 2:], -limit, limit))
    corners = jnp.concatenate([to - wanted * 0.5 + 0.5, to + wanted * 0.5 - 0.5], 1)
    return jnp.clip(corners, 0, jnp.asarray([max_shape[1], max_shape[0]] * 2, corners.dtype))


def _at(low: Any, high: Any, size: int, count: int) -> Any:
    """The places of `count` samples between two fractions of an axis: [boxes, count]."""
    if count == 1:
        return (0.5 * (low + high) * (size - 1))[:, None]
    return (low[:, None] + jnp.arange(count) * ((high - low) / (count - 1))[:, None]) * (size - 1)


def _crop_whole_pixels(data: Any, boxes: Any, sizes: tuple, crop_size: tuple) -> Any:
    """The method "bilinear_v2": boxes begin and end at whole pixels, samples are at the middles of equal parts.

    Points outside the image take its nearest pixel.
    """
    places = []
    for axis in (0, 1):
        low, high = (jnp.trunc(boxes[:, axis + end] * sizes[axis]) for end in (0, 2))
        count = jnp.maximum(high - low + 1, 1)[:, None]
        at = (jnp.arange(crop_size[axis]) + np.float32(0.5)) * (count / crop_size[axis]) - np.float32(0.5)
        share = jnp.where(at < 0, 0, at - jnp.floor(at))
        ends = [jnp.clip(jnp.floor(at) + step, 0, count - 1) + low[:, None] for step in (0, 1)]
        places.append((*[jnp.clip(end, 0, sizes[axis] - 1).astype(np.int32) for end in ends], share))
    (top, bottom, down), (left, right, aside) = places
    row = jnp.arange(data.shape[0])[:, None, None]

    def pick(rows, columns):
        return data[row, rows[:, :, None], columns[:, None, :]]

    aside, down = aside[:, None, :, None], down[:, :, None, None]
    upper = pick(top, left) * (1 - aside) + pick(top, right) * aside
    return upper * (1 - down) + (pick(bottom, left) * (1 - aside) + pick(bottom, right) * aside) * down


@op(static=("crop_size", "method"), tensors="image boxes box_indices")
def _crop_and_resize(image, boxes, box_indices, crop_size, method, outside):
    api = "crop_and_resize"
    check_rank(api, "image", image, 4)
    check_one_of(api, "method", method, ("bilinear", "nearest", "bilinear_v2"))
    boxes, data = boxes.astype(np.float32), image.astype(np.float32)[box_indices]
    sizes = image.shape[1:3]
    if method == "bilinear_v2":
        return _crop_whole_pixels(data, boxes, sizes, crop_size)
    y, x = (_at(boxes[:, i], boxes[:, i + 2], sizes[i], crop_size[i]) for i in (0, 1))
    inside = [(v >= 0) & (v <= n - 1) for v, n in zip((y, x), sizes, strict=True)]
    inside = (inside[0][:, :, None] & inside[1][:, None, :])[..., None]
    row = jnp.arange(data.shape[0])[:, None, None]

    def pick(rows, columns):
        rows, columns = (jnp.clip(v, 0, n - 1).astype(np.int32) for v, n in zip((rows, columns), sizes, strict=True))
        return data[row, rows[:, :, None], columns[:, None, :]]

    if method == "nearest":
        out = pick(jnp.floor(y + 0.5), jnp.floor(x + 0.5))
    else:
        top, left = jnp.floor(y), jnp.floor(x)
        down, right = (y - top)[:, :, None, None], (x - left)[:, None, :, None]
        upper = pick(top, left) * (1 - right) + pick(top, jnp.ceil(x)) * right
        lower = pick(jnp.ceil(y), left) * (1 - right) + pick(jnp.ceil(y), jnp.ceil(x)) * right
        out = upper * (1 - down) + lower * down
    return jnp.where(inside, out, jnp.asarray(outside, np.float32))


@faces("ops")
def crop_and_resize(image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0):
    """Boxes cut out of images and resized: Float32 [boxes, height, width, channels].

    Args:
        image (Tensor): [N, H, W, C].
        boxes (Tensor): [boxes, 4]: (y0, x0, y1, x1) as fractions of the image.
        box_indices (Tensor): the image of each box, Int32.
        crop_size (tuple): height and width.
        method (str): "bilinear", "nearest", or "bilinear_v2", whose boxes begin and end at whole pixels and which
            takes the nearest pixel for points outside the image.
        extrapolation_value (float): the value outside the image.
    """
    if isinstance(image, Tensor) and image.ndim and isinstance(box_indices, Tensor):
        check_index("crop_and_resize", box_indices, image.shape[0], 0, "box_indices", ValueError)
    return _crop_and_resize(image, boxes, box_indices, tuple(crop_size), method, float(extrapolation_value))
