"""The overlap of rotated rectangles: one polygon clipped by the four sides of the other.

The clipping is Sutherland and Hodgman's, "Reentrant polygon clipping" (1974). A corner or a crossing that is not there
repeats another one, so all polygons have one shape, and areas change continuously with the boxes.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError, check_bool, check_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor

_DTYPES = ("Float16", "Float32", "BFloat16")


def _corners(box: Any) -> Any:
    """[..., 4, 2], counterclockwise, of boxes [..., 5]: centre, width, height and angle in degrees."""
    angle = box[..., 4] * np.float32(np.pi / 180)
    across = jnp.stack([jnp.cos(angle), jnp.sin(angle)], -1) * box[..., 2:3] / 2
    along = jnp.stack([-jnp.sin(angle), jnp.cos(angle)], -1) * box[..., 3:4] / 2
    sides = [-across - along, across - along, across + along, along - across]
    return box[..., None, :2] + jnp.stack(sides, -2)


def _cross(a: Any, b: Any) -> Any:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _clipped(polygon: Any, start: Any, end: Any) -> Any:
    """The part of a convex polygon [..., n, 2] on the left of a line, with n + 1 corners; zeros if there is none."""
    inside = _cross((end - start)[..., None, :], polygon - start[..., None, :])
    after, ahead = jnp.roll(polygon, -1, -2), jnp.roll(inside, -1, -1)
    crosses = (inside >= 0) != (ahead >= 0)
    part = inside / jnp.where(crosses, inside - ahead, 1)
    crossing = polygon + part[..., None] * (after - polygon)
    points = jnp.stack([polygon, crossing], -2).reshape(*polygon.shape[:-2], -1, 2)
    there = jnp.stack([inside >= 0, crosses], -1).reshape(*polygon.shape[:-2], -1)
    order = jnp.argsort(~there, axis=-1, stable=True)[..., : polygon.shape[-2] + 1]
    points = jnp.take_along_axis(points, order[..., None], -2)
    there = jnp.take_along_axis(there, order, -1)[..., None]
    return jnp.where(there, points, jnp.where(there[..., :1, :], points[..., :1, :], 0))


@op(static=("corners", "mode"), name="rotated_iou")
def _overlaps(boxes, query_boxes, corners, mode):
    wide = [x.astype(np.float32) for x in (boxes, query_boxes)]
    if corners:
        wide = [
            jnp.concatenate([(x[..., :2] + x[..., 2:4]) / 2, x[..., 2:4] - x[..., :2], x[..., 4:]], -1) for x in wide
        ]
    first, second = wide[0][:, :, None], wide[1][:, None]
    areas = [x[..., 2] * x[..., 3] for x in (first, second)]
    shift = jnp.concatenate([first[..., :2], jnp.zeros_like(first[..., 2:])], -1)
    first, second = first - shift, second - shift  # small numbers keep more digits
    sides = _corners(second)
    polygon = jnp.broadcast_to(_corners(first), sides.shape)
    for i in range(4):
        polygon = _clipped(polygon, sides[..., i, :], sides[..., (i + 1) % 4, :])
    common = _cross(polygon, jnp.roll(polygon, -1, -2)).sum(-1) / 2
    common = jnp.where((areas[0] > 0) & (areas[1] > 0), jnp.maximum(common, 0), 0)
    whole = areas[0] if mode == 1 else areas[0] + areas[1] - common
    return jnp.where(whole > 0, common / jnp.where(whole > 0, whole, 1), 0).astype(boxes.dtype)


@faces("ops")
def rotated_iou(boxes, query_boxes, trans=False, mode=0, is_cross=True, v_threshold=0.0, e_threshold=0.0):
    """The overlap of each rotated box with each rotated query box.

    Angles are in degrees; positive ones turn the x-axis towards the y-axis. Areas are exact up to rounding, so the
    tolerances of MindSpore's kernel are not needed. Sums are in Float32.

    Args:
        boxes (Tensor): [B, N, 5], Float16, BFloat16 or Float32: centre x, centre y, width, height, angle.
        query_boxes (Tensor): [B, K, 5], of these dtypes.
        trans (bool): whether boxes are given as x0, y0, x1, y1, angle: the corners before they are rotated.
        mode (int): 1 divides the common area by the area of `boxes`; other numbers divide it by the union.
        is_cross (bool): True, each box with each.
        v_threshold, e_threshold (float): accepted, see above.

    Returns:
        Tensor [B, N, K] with the dtype of `boxes`; 0 where an area is not positive.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: another dtype, or shapes that do not fit.
        UnsupportedError: `is_cross` is False.

    >>> import ms_compat as ms
    >>> box = ms.Tensor([[[0.0, 0.0, 2.0, 2.0, 0.0]]])
    >>> query = ms.Tensor([[[0.0, 0.0, 2.0, 2.0, 90.0], [1.0, 0.0, 2.0, 2.0, 0.0]]])
    >>> print((100 * ms.ops.rotated_iou(box, query, mode=1)).round())
    [[[100.  50.]]]
    """
    api = "rotated_iou"
    for name, x in (("boxes", boxes), ("query_boxes", query_boxes)):
        check_type(api, name, x, Tensor)
        if x.dtype._label not in _DTYPES:
            raise value_error(api, name, f"of a dtype in {_DTYPES}", x.dtype)
        if x.ndim != 3 or x.shape[2] != 5:
            raise value_error(api, name, "of the shape (B, N, 5)", x.shape)
    if boxes.shape[0] != query_boxes.shape[0]:
        raise ValueError(f"For '{api}', the first sizes must be equal, but got {boxes.shape} and {query_boxes.shape}.")
    check_bool(api, "trans", trans)
    check_int(api, "mode", mode)
    for name, value in (("v_threshold", v_threshold), ("e_threshold", e_threshold)):
        check_type(api, name, value, float)
    if not check_bool(api, "is_cross", is_cross):
        raise UnsupportedError(
            f"{api}(is_cross=False)", "Take the diagonal of the result for is_cross=True: 'ops.diagonal(out, 0, 1, 2)'."
        )
    if v_threshold or e_threshold:
        no_effect(api, "areas are exact up to rounding", v_threshold=v_threshold, e_threshold=e_threshold)
    return _overlaps(boxes, query_boxes, trans, int(mode == 1))
