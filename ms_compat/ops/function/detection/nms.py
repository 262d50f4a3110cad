"""Suppression of duplicates among scored boxes: as a mask, which compiles, or a list with a data-dependent length."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_within
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import floating


@faces(primitive="NMSWithMask(iou_threshold=0.5)(bboxes)")
@op(static=("iou_threshold",), name="NMSWithMask")
def nms_with_mask(bboxes, iou_threshold=0.5):
    """Boxes by falling score, and which of them stay when each takes away the lower ones that overlap it.

    Args:
        bboxes: [N, 5] of x0, y0, x1, y1 and the score.
        iou_threshold (float): boxes that overlap by more are doubles.

    Returns:
        A tuple of the sorted boxes [N, 5], their Int32 places [N] in that order and the Bool mask [N].

    Raises:
        TypeError: the dtype is not a float.
        ValueError: another shape.
    """
    if floating("NMSWithMask", "bboxes", bboxes).ndim != 2 or bboxes.shape[-1] != 5:
        raise ValueError(f"For 'NMSWithMask', the 'bboxes' must be of shape (N, 5), but got {bboxes.shape}.")
    x = bboxes.astype(jnp.promote_types(bboxes.dtype, jnp.float32))
    count = x.shape[0]
    order = jnp.argsort(-x[:, 4], stable=True)
    x = x[order]
    area = (x[:, 2] - x[:, 0]) * (x[:, 3] - x[:, 1])
    wide = jnp.maximum(jnp.minimum(x[:, None, 2], x[None, :, 2]) - jnp.maximum(x[:, None, 0], x[None, :, 0]), 0)
    high = jnp.maximum(jnp.minimum(x[:, None, 3], x[None, :, 3]) - jnp.maximum(x[:, None, 1], x[None, :, 1]), 0)
    common = wide * high
    # the quotient; it is not doubled for NaN or for a negative area, whose corners are exchanged
    double = common / (area[:, None] + area[None] - common) > iou_threshold
    later = jnp.arange(count)

    def step(i, keep):
        return keep & ~(keep[i] & double[i] & (later > i))

    keep = jax.lax.fori_loop(0, count, step, jnp.ones(count, bool))
    return x.astype(bboxes.dtype), jnp.arange(count, dtype=jnp.int32), keep


# -- suppression whose result's length depends on the values: on the host ----------------------------------------------
_NUMBERS = ("limit", "threshold", "least")  # may be numbers as well as Tensors


def _host(api: str, **values: Any) -> list[np.ndarray]:
    out = []
    for name, value in values.items():
        if isinstance(getattr(value, "_v", None), Tracer):
            raise UnsupportedError(
                f"For '{api}', the size of the result depends on the values. Call it outside of the compiled function, "
                "or use ops.NMSWithMask, which gives a mask."
            )
        if name in _NUMBERS and isinstance(value, (int, float)):
            value = Tensor(value)
        out.append(check_type(api, name, value, Tensor).asnumpy())
    return out


def _overlaps(boxes: np.ndarray, one: int) -> np.ndarray:
    """Intersections over unions of one box with all; corners in any order."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    common = np.prod(np.maximum(np.minimum(high, high[one]) - np.maximum(low, low[one]), 0), 1)
    areas = np.prod(high - low, 1)
    whole = areas + areas[one] - common
    return np.where((areas > 0) & (areas[one] > 0), common / np.where(whole > 0, whole, 1), 0)


def _greedy(scores: np.ndarray, limit: int, threshold: float, least: float, overlaps: Any) -> list[int]:
    """Places by falling score whose overlap with no higher one exceeds the threshold."""
    order = np.argsort(-scores, kind="stable")
    alive = scores > least
    chosen: list[int] = []
    for place in order:
        if len(chosen) >= limit:
            break
        if alive[place]:
            chosen.append(int(place))
            alive &= ~(overlaps(place) > threshold)
    return chosen


def _scalar(api: str, name: str, value: np.ndarray) -> Any:
    if value.ndim:
        raise ValueError(f"For '{api}', the '{name}' must be a scalar, but got shape {value.shape}.")
    return value.item()


def _check_scores(api: str, scores: np.ndarray, count: int) -> None:
    if scores.shape != (count,):
        raise ValueError(f"For '{api}', the length of 'scores' must be {count}, but got shape {scores.shape}.")


@faces(
    primitive="NonMaxSuppressionWithOverlaps()(overlaps, scores, max_output_size, overlap_threshold, score_threshold)"
)
def non_max_suppression_with_overlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold):
    """Places of boxes by falling score, without those that a higher one overlaps too much: Int32 [M].

    Args:
        overlaps (Tensor): [N, N], of each box (row) with those that are chosen (column).
        scores (Tensor): [N].
        max_output_size (Union[Tensor, int]): the largest M, not negative.
        overlap_threshold (Union[Tensor, float]): a larger overlap takes the lower box away.
        score_threshold (Union[Tensor, float]): boxes must have a higher score.

    Raises:
        ValueError: shapes that do not fit, a negative size.
        UnsupportedError: in compiled code.
    """
    api = "NonMaxSuppressionWithOverlaps"
    table, score, limit, threshold, least = _host(
        api, overlaps=overlaps, scores=scores, limit=max_output_size, threshold=overlap_threshold, least=score_threshold
    )
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"For '{api}', the 'overlaps' must be square, but got shape {table.shape}.")
    _check_scores(api, score, len(table))
    if _scalar(api, "max_output_size", limit) < 0:
        raise ValueError(f"For '{api}', the 'max_output_size' must not be negative, but got {limit}.")
    levels = _scalar(api, "overlap_threshold", threshold), _scalar(api, "score_threshold", least)
    return Tensor(np.array(_greedy(score, limit.item(), *levels, lambda place: table[:, place]), np.int32))


@faces(primitive="NonMaxSuppressionV3()(boxes, scores, max_output_size, iou_threshold, score_threshold)")
def non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold):
    """Places of boxes by falling score, without those that overlap a higher one too much: Int32 [M].

    Args:
        boxes (Tensor): [N, 4], two opposite corners.
        scores (Tensor): [N].
        max_output_size (Union[Tensor, int]): the largest M; a negative one counts as zero.
        iou_threshold (Union[Tensor, float]): in [0, 1]; a larger intersection over union takes the lower box away.
        score_threshold (Union[Tensor, float]): boxes must have a higher score.

    Raises:
        ValueError: shapes that do not fit, a threshold out of range.
        UnsupportedError: in compiled code.
    """
    api = "NonMaxSuppressionV3"
    box, score, limit, threshold, least = _host(
        api, boxes=boxes, scores=scores, limit=max_output_size, threshold=iou_threshold, least=score_threshold
    )
    if box.ndim != 2 or box.shape[1] != 4:
        raise ValueError(f"For '{api}', the 'boxes' must have shape (N, 4), but got {box.shape}.")
    _check_scores(api, score, len(box))
    if not 0 <= _scalar(api, "iou_threshold", threshold) <= 1:
        raise ValueError(f"For '{api}', the 'iou_threshold' must be in [0, 1], but got {threshold}.")
    size, lowest = max(_scalar(api, "max_output_size", limit), 0), _scalar(api, "score_threshold", least)
    return Tensor(np.array(_greedy(score, size, threshold.item(), lowest, lambda at: _overlaps(box, at)), np.int32))


@faces(
    primitive="CombinedNonMaxSuppression(pad_per_class: bool = False, clip_boxes: bool = True)(boxes, scores, "
    "max_output_size_per_class, max_total_size, iou_threshold, score_threshold)"
)
def combined_non_max_suppression(
    boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class, clip_boxes
):
    """Suppression in every class of every image, then the best of all classes.

    Args:
        boxes (Tensor): Float32 [N, B, Q, 4], two opposite corners; Q is 1 or the number of classes.
        scores (Tensor): Float32 [N, B, classes].
        max_output_size_per_class (Tensor): Int32, how many of a class at most.
        max_total_size (Tensor): Int32, how many of an image at most.
        iou_threshold (Tensor): Float32 in [0, 1].
        score_threshold (Tensor): Float32.
        pad_per_class (bool): the results are as long as all classes' limits together, at most `max_total_size`.
        clip_boxes (bool): move the resulting corners into [0, 1].

    Returns:
        Tuple of boxes [N, D, 4], scores [N, D] and classes [N, D], Float32, and how many of each image are meant,
        Int32 [N]; zeros behind them.

    Raises:
        ValueError: shapes that do not fit, a number out of range.
        UnsupportedError: in compiled code.
    """
    api = "CombinedNonMaxSuppression"
    box, score, per_class, total, threshold, least = _host(
        api, boxes=boxes, scores=scores, a=max_output_size_per_class, b=max_total_size, c=iou_threshold,
        d=score_threshold,
    )  # fmt: skip
    if box.ndim != 4 or score.ndim != 3 or box.shape[:2] != score.shape[:2] or box.shape[3] != 4:
        raise ValueError(f"For '{api}', the shapes of boxes {box.shape} and scores {score.shape} do not fit.")
    if box.shape[2] not in (1, score.shape[2]):
        raise ValueError(f"For '{api}', there must be 1 or {score.shape[2]} boxes per place, but got {box.shape}.")
    names = ("max_output_size_per_class", "max_total_size", "iou_threshold", "score_threshold")
    limit, most, level, lowest = (
        _scalar(api, name, value) for name, value in zip(names, (per_class, total, threshold, least), strict=True)
    )
    if limit <= 0 or most <= 0:
        raise ValueError(f"For '{api}', the sizes must be greater than 0, but got {limit} and {most}.")
    check_within(api, "iou_threshold", level, 0, 1)
    count, classes = len(box), score.shape[2]
    length = min(most, limit * classes) if pad_per_class else most
    places, labels = np.zeros((2, count, length), np.int32)
    valid = np.zeros(count, np.int32)
    for image in range(count):
        found = []
        for kind in range(classes):
            own = box[image, :, kind if box.shape[2] > 1 else 0]
            chosen = _greedy(score[image, :, kind], limit, level, lowest, functools.partial(_overlaps, own))
            found += [(score[image, at, kind], kind, at) for at in chosen]
        found.sort(key=lambda item: -item[0])
        valid[image] = min(len(found), length)
        for place, (_, kind, at) in enumerate(found[:length]):
            places[image, place], labels[image, place] = at, kind
    meant = Tensor(valid)
    taken = _taken(boxes, scores, Tensor(places), Tensor(labels), meant, clip_boxes)
    return *taken, Tensor(labels.astype(np.float32)), meant


@op(static=("clip",))
def _taken(boxes, scores, places, kinds, valid, clip):
    """The boxes and scores at places of classes, zeros behind the valid ones of each image."""
    images = jnp.arange(len(places))[:, None]
    corners = boxes[images, places, kinds if boxes.shape[2] > 1 else 0].astype(np.float32)
    meant = jnp.arange(places.shape[1]) < valid[:, None]
    corners = jnp.where(meant[..., None], jnp.clip(corners, 0, 1) if clip else corners, 0)
    return corners, jnp.where(meant, scores[images, places, kinds], 0).astype(np.float32)
