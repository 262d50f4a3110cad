"""Suppression of the doubles among scored boxes."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from ms_compat._core.op import op
from ms_compat.ops.function.nn_checks import floating


@op(static=("iou_threshold",), name="NMSWithMask")
def nms_with_mask(bboxes, iou_threshold=0.5):
    """Boxes by falling score, and which of them stay when each takes away the lower ones that overlap it.

    Args:
        bboxes: [N, 5] of x0, y0, x1, y1 and the score.
        iou_threshold (float): boxes that overlap by more are doubles.

    Returns:
        A tuple of the sorted boxes [N, 5], their Int32 places [N] in that order and the Bool mask [N].

    Raises:
        TypeError: the dtype is no float.
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
    double = common > iou_threshold * (area[:, None] + area[None] - common)
    later = jnp.arange(count)

    def step(i, keep):
        return keep & ~(keep[i] & double[i] & (later > i))

    keep = jax.lax.fori_loop(0, count, step, jnp.ones(count, bool))
    return x.astype(bboxes.dtype), jnp.arange(count, dtype=jnp.int32), keep
