"""Random crops that keep enough of an object (the sampler of TensorFlow's `sample_distorted_bounding_box`).

All attempts are drawn at once and the first that fits is taken, so the sampler has static shapes and compiles.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_length, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_bool, type_error
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import integer


def _whole(key: Any, low: Any, high: Any, shape: tuple) -> Any:
    """Random whole numbers from low to high, both included."""
    return jnp.floor(low + jax.random.uniform(key, shape) * (high - low + 1)).clip(low, high)


@random_op(static=("aspects", "areas", "attempts"))
def _sample(key, image_size, boxes, covered, aspects, areas, attempts):
    keys = jax.random.split(key, 4)
    height, width = image_size[0].astype(np.float32), image_size[1].astype(np.float32)
    aspect = jax.random.uniform(keys[0], (attempts,), np.float32, *aspects)
    least, most = (share * height * width for share in areas)
    low = jnp.round(jnp.sqrt(least / aspect))
    high = jnp.minimum(jnp.minimum(jnp.round(jnp.sqrt(most / aspect)), jnp.floor((width + 0.49) / aspect)), height)
    low = jnp.minimum(low, high)
    tall = _whole(keys[1], low, high, (attempts,))
    wide = jnp.round(tall * aspect)
    area = tall * wide
    y = _whole(keys[2], 0.0, jnp.maximum(height - tall, 0), (attempts,))
    x = _whole(keys[3], 0.0, jnp.maximum(width - wide, 0), (attempts,))
    box = boxes.reshape(-1, 4) * jnp.stack([height, width, height, width])
    inner = jnp.maximum(jnp.minimum(box[:, 2], (y + tall)[:, None]) - jnp.maximum(box[:, 0], y[:, None]), 0)
    inner = inner * jnp.maximum(jnp.minimum(box[:, 3], (x + wide)[:, None]) - jnp.maximum(box[:, 1], x[:, None]), 0)
    whole = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    enough = jnp.any((whole > 0) & (inner >= covered[0] * whole), 1)
    fits = (area >= least) & (area <= most) & (tall > 0) & (wide > 0) & (tall <= height) & (wide <= width) & enough
    at, found = jnp.argmax(fits), jnp.any(fits)

    def chosen(values, otherwise):
        return jnp.where(found, values[at], otherwise)

    top, left, tall, wide = chosen(y, 0), chosen(x, 0), chosen(tall, height), chosen(wide, width)
    dtype = image_size.dtype
    last = np.array(-1).astype(dtype)
    begin = jnp.stack([top.astype(dtype), left.astype(dtype), jnp.zeros((), dtype)])
    size = jnp.stack([tall.astype(dtype), wide.astype(dtype), last])
    corners = jnp.stack([top / height, left / width, (top + tall) / height, (left + wide) / width])
    return begin, size, corners.astype(np.float32).reshape(1, 1, 4)


@op
def _box_problem(image_size, boxes, covered):
    """0 if the values are in range, otherwise the number of the message."""
    outside = jnp.any((boxes < 0) | (boxes > 1))
    empty = jnp.any((boxes[..., 0] >= boxes[..., 2]) | (boxes[..., 1] >= boxes[..., 3]))
    share = jnp.any((covered < 0) | (covered > 1))
    return jnp.where(jnp.any(image_size <= 0), 1, jnp.where(outside, 2, jnp.where(empty, 3, jnp.where(share, 4, 0))))


PROBLEMS = (
    "",
    "the 'image_size' must be positive",
    "the 'bounding_boxes' must be in [0, 1]",
    "the 'bounding_boxes' must have a positive size",
    "the 'min_object_covered' must be in [0, 1]",
)


def check_settings(seed, seed2, aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes) -> None:
    """Checks the constructor's arguments of `ops.SampleDistortedBoundingBoxV2`."""
    api = "SampleDistortedBoundingBoxV2"
    integer(api, "seed", seed), integer(api, "seed2", seed2), integer(api, "max_attempts", max_attempts, 1)
    check_bool(api, "use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes)
    for name, value in (("aspect_ratio_range", aspect_ratio_range), ("area_range", area_range)):
        if not isinstance(value, (list, tuple)):
            raise type_error(api, name, "list or tuple of floats", value)
        if not all(isinstance(v, float) for v in value):
            raise TypeError(f"For '{api}', the '{name}' must hold floats, but got {value}.")
        check_length(api, name, value, 2)


def sample_distorted_bounding_box(
    draw, image_size, bounding_boxes, min_object_covered, seed, aspect_ratio_range, area_range, max_attempts, use_image
):
    """A random image crop that covers enough of at least one box.

    Args:
        draw: `random_func.draw`, which applies an operation's own seed.
        image_size (Tensor): [3]: height, width, channels.
        bounding_boxes (Tensor): Float32 [N, B, 4]: y0, x0, y1, x1 as shares of the image.
        min_object_covered (Tensor): Float32 [1], the share of a box that the crop must cover.
        seed (int): of this operation, or 0.
        aspect_ratio_range, area_range (tuple): bounds of width / height, and of the crop's share of the image.
        max_attempts (int): how many crops are tried before the whole image is taken.
        use_image (bool): without boxes, take the image as the box.

    Returns:
        Tuple of the crop's begin (y, x, 0) and size (height, width, -1) for a slice, of `image_size`'s type, and its
        box Float32 [1, 1, 4].

    Raises:
        ValueError: shapes or ranges that do not fit, no boxes.
        RuntimeError: values out of range (not in compiled code).
    """
    api = "SampleDistortedBoundingBoxV2"
    if image_size.shape != (3,) or len(bounding_boxes.shape) != 3 or bounding_boxes.shape[-1] != 4:
        raise ValueError(
            f"For '{api}', the shapes must be (3,) and (N, B, 4), but got {image_size.shape} and "
            f"{bounding_boxes.shape}."
        )
    check_shape(api, "min_object_covered", min_object_covered, (1,))
    for name, value, limit in (("aspect_ratio_range", aspect_ratio_range, np.inf), ("area_range", area_range, 1.0)):
        if not 0 < value[0] < value[1] <= limit:
            raise ValueError(f"For '{api}', the '{name}' must be positive and rising, up to {limit}, but got {value}.")
    if 0 in bounding_boxes.shape:
        if not use_image:
            raise ValueError(f"For '{api}', there are no 'bounding_boxes'; set 'use_image_if_no_bounding_boxes'.")
        bounding_boxes = Tensor(np.array([[[0, 0, 1, 1]]], np.float32))
    values = (image_size, bounding_boxes, min_object_covered)
    if not any(isinstance(v._v, Tracer) for v in values):
        problem = PROBLEMS[int(_box_problem(*values).asnumpy())]
        if problem:
            raise RuntimeError(f"For '{api}', {problem}.")
    return draw(_sample, api, seed, *values, tuple(aspect_ratio_range), tuple(area_range), max_attempts)
