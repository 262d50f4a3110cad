"""Fractional max pooling: windows of one size at places that a random number per sample and channel decides.

Graham, arXiv:1412.6071. Window i of n starts at floor((i + u) a) - floor(u a) for a = (size - kernel) / (n - 1), the
last one at the end.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import floating, sizes
from ms_compat.ops.function.pooling.windows import elements_at


@random_op(static=("shape",))
def _samples(key, shape):
    import jax

    return jax.random.uniform(key, shape, np.float32)


def _starts(sample: Any, size: int, kernel: int, count: int) -> Any:
    """Where the windows of one axis start: [N, C, count]."""
    if count == 1:
        return jnp.full((*sample.shape, 1), size - kernel)
    step = (size - kernel) / (count - 1)
    place = jnp.floor((jnp.arange(count) + sample[..., None]) * step) - jnp.floor(sample[..., None] * step)
    return jnp.where(jnp.arange(count) == count - 1, size - kernel, place).astype(np.int64)


@op(static=("api", "kernel", "target"), tensors="samples")
def _fractional(x, samples, api, kernel, target):
    axes = len(kernel)
    spatial = x.shape[2:]
    n, c = (
        jnp.arange(s).reshape([-1 if i == at else 1 for i in range(2 + 2 * axes)]) for at, s in enumerate(x.shape[:2])
    )
    index: list[Any] = []
    flat: Any = 0
    for a in range(axes):
        if kernel[a] + target[a] - 1 > spatial[a]:
            raise ValueError(f"For '{api}', a kernel of {kernel} has no {target} places in the shape {x.shape}.")
        # MindSpore's numbers belong to the axes from the last one on
        starts = _starts(samples[..., axes - 1 - a if axes == 2 else a], spatial[a], kernel[a], target[a])
        places = starts[..., None] + jnp.arange(kernel[a])
        shape = [1] * (2 + 2 * axes)
        shape[0], shape[1] = places.shape[:2]
        shape[2 + a], shape[2 + axes + a] = target[a], kernel[a]
        index.append(places.reshape(shape))
        flat = flat * spatial[a] + index[-1]
    windows = lax.stop_gradient(x)[(n, c, *index)]
    lead = (*x.shape[:2], *target)
    windows, flat = windows.reshape(*lead, -1), jnp.broadcast_to(flat, windows.shape).reshape(*lead, -1)
    flat = jnp.take_along_axis(flat, jnp.argmax(windows, -1)[..., None], -1)[..., 0]
    return elements_at(x, flat, axes), flat


def primitive(axes: int):
    """`(x, random_samples, kernel_size, output_size) -> (maxima, their places)`, which takes integers, too."""
    api = f"FractionalMaxPool{'3D' if axes == 3 else ''}WithFixedKsize"

    def pool(x, random_samples, kernel_size, output_size):
        check_rank(api, "input", x, axes + 2)
        target = sizes(api, "output_shape", output_size, axes)
        return _fractional(x, random_samples, api, sizes(api, "ksize", kernel_size, axes), target)

    return pool


def _make(axes: int):
    api = f"fractional_max_pool{axes}d"

    def pool(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        check_type(api, "input", input, Tensor)
        if _random_samples is not None:
            check_type(api, "_random_samples", _random_samples, Tensor)
        x = input if len(input.shape) == axes + 2 else input.reshape((1, *input.shape))
        floating(api, "input", x._v)
        if _random_samples is not None and _random_samples.dtype != input.dtype:
            raise TypeError(
                f"For '{api}', the '_random_samples' must have the input's dtype {input.dtype}, but got "
                f"{_random_samples.dtype}."
            )
        if (output_size is None) == (output_ratio is None):
            raise ValueError(f"For '{api}', one of 'output_size' and 'output_ratio' must be given.")
        if output_size is None:
            ratio = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * axes
            output_size = tuple([int(n * r) for n, r in zip(x.shape[2:], ratio, strict=True)])
        target = sizes(api, "output_size", output_size, axes)
        if _random_samples is None:
            _random_samples = _samples((*x.shape[:2], axes))
        out, where = _fractional(x, _random_samples, api, sizes(api, "kernel_size", kernel_size, axes), target)
        if len(input.shape) != axes + 2:
            out, where = out.reshape(out.shape[1:]), where.reshape(where.shape[1:])
        return (out, where) if return_indices else out

    pool.__name__ = pool.__qualname__ = api
    pool.__doc__ = f"""Maxima over windows at random places of [N, C, *] ({axes} spatial axes).

    Args:
        input (Tensor): floating type.
        kernel_size (Union[int, tuple]): of the windows.
        output_size (Union[int, tuple]): how many windows per axis.
        output_ratio (Union[float, tuple]): or how many as a share of the axis.
        return_indices (bool): also return the flat positions, Int64.
        _random_samples (Tensor): [N, C, {axes}] in [0, 1), in the place of new random numbers.

    Raises:
        ValueError: sizes that do not fit, none or both of `output_size` and `output_ratio`.
    """
    return pool


fractional_max_pool2d, fractional_max_pool3d = _make(2), _make(3)
table_faces(__name__, "fractional_max_pool2d fractional_max_pool3d", "ops")
