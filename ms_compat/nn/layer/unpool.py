"""The inverse of maximum pooling, and pooling over windows of random places.

Fractional pooling is Graham, "Fractional Max-Pooling" (2014): window i of n over a size s with window k starts at
floor((i + u) a) - floor(u a), with a = (s - k) / (n - 1) and u uniform in [0, 1), the last one at s - k.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ms_compat import ops
from ms_compat._core.checks import check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_bool, type_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import is_positive
from ms_compat.nn.cell import Cell


class _MaxUnpool(Cell):
    _operation: Any = None

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None and stride != 0 else kernel_size
        self.padding = padding

    def construct(self, x, indices, output_size=None):
        return type(self)._operation(x, indices, self.kernel_size, self.stride, self.padding, output_size)


@faces("nn nn.layer")
class MaxUnpool1d(_MaxUnpool):
    """Maxima of [N, C, L] or [C, L] put back where they came from, zeros elsewhere.

    Args:
        kernel_size (Union[int, tuple]): window of the pooling.
        stride (Union[int, tuple]): its step; the window by default.
        padding (Union[int, tuple]): its padding.

    Inputs:
        x (Tensor): the maxima.
        indices (Tensor): flat positions in each channel, Int32 or Int64.
        output_size (tuple): sizes of the result; computed if None.

    Raises:
        ValueError: sizes that do not fit.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.MaxUnpool1d(2)(Tensor([[[4.0]]]), Tensor([[[1]]])))
    [[[0. 4.]]]
    """

    _operation = staticmethod(ops.max_unpool1d)


@faces("nn nn.layer")
class MaxUnpool2d(_MaxUnpool):
    """`MaxUnpool1d` for [N, C, H, W] or [C, H, W].

    >>> import ms_compat as ms
    >>> x, at = ms.Tensor([[[[4.0]]]]), ms.Tensor([[[[3]]]])
    >>> print(ms.nn.MaxUnpool2d(2)(x, at))
    [[[[0. 0.]
       [0. 4.]]]]
    """

    _operation = staticmethod(ops.max_unpool2d)


@faces("nn nn.layer")
class MaxUnpool3d(_MaxUnpool):
    """`MaxUnpool1d` for [N, C, D, H, W] or [C, D, H, W].

    >>> from ms_compat import Tensor, nn
    >>> x, at = Tensor([[[[[4.0]]]]]), Tensor([[[[[7]]]]])
    >>> print(nn.MaxUnpool3d(2)(x, at).flatten())
    [0. 0. 0. 0. 0. 0. 0. 4.]
    """

    _operation = staticmethod(ops.max_unpool3d)


@random_op(static=("shape", "dtype"))
def _uniform(key, shape, dtype):
    return jax.random.uniform(key, shape, jnp.dtype(dtype))


def _starts(u: Any, size: int, kernel: int, count: int) -> Any:
    """Where the windows of each plane start: [..., count]."""
    last = size - kernel
    if count == 1:
        return jnp.full((*u.shape, 1), last)
    alpha = jnp.asarray(last / (count - 1), u.dtype)
    inner = jnp.floor((jnp.arange(count - 1) + u[..., None]) * alpha) - jnp.floor(u[..., None] * alpha)
    return jnp.concatenate([inner.astype(jnp.int64), jnp.full((*u.shape, 1), last)], -1)


@op(static=("kernel", "out", "order"), name="FractionalMaxPool")
def _fractional(x, samples, kernel, out, order):
    axes = len(kernel)
    sizes = x.shape[2:]
    for size, window, count in zip(sizes, kernel, out, strict=True):
        if count < 1 or not is_positive(size - count - window + 2):
            raise ValueError(
                f"For 'FractionalMaxPool{axes}d', the windows {kernel} and the output size {out} do not fit in the "
                f"input's {sizes}."
            )
    check_shape(f"FractionalMaxPool{axes}d", "_random_samples", samples, (*x.shape[:2], axes))
    flat = jnp.zeros((*x.shape[:2], *(1,) * 2 * axes), jnp.int64)
    step = 1
    for axis in reversed(range(axes)):
        at = _starts(samples[..., order[axis]], sizes[axis], kernel[axis], out[axis])[..., None]
        at = at + jnp.arange(kernel[axis])
        shape = [*x.shape[:2], *(1,) * 2 * axes]
        shape[2 + axis], shape[2 + axes + axis] = out[axis], kernel[axis]
        flat = flat + at.reshape(shape) * step
        step *= sizes[axis]
    flat = flat.reshape(*x.shape[:2], *out, -1)
    values = x.reshape(*x.shape[:2], -1)
    found = jnp.take_along_axis(values, flat.reshape(*x.shape[:2], -1), -1).reshape(flat.shape)
    best = jnp.argmax(found, -1, keepdims=True)
    return jnp.take_along_axis(found, best, -1)[..., 0], jnp.take_along_axis(flat, best, -1)[..., 0]


class _FractionalMaxPool(Cell):
    _axes = 2
    _order: tuple[int, ...] = (1, 0)

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        self.kernel_size = self._sizes("kernel_size", kernel_size, int)
        self.output_size = None if output_size is None else self._sizes("output_size", output_size, int)
        self.output_ratio: Any = None if output_ratio is None else self._sizes("output_ratio", output_ratio, float)
        self.return_indices = check_bool(type(self).__name__, "return_indices", return_indices)
        self._random_samples = _random_samples

    def _sizes(self, name: str, value: Any, kind: type) -> tuple:
        api, text = type(self).__name__, kind.__name__
        values = value if isinstance(value, tuple) else (value,) * self._axes
        if any(isinstance(v, bool) or not isinstance(v, kind) for v in values):
            raise type_error(api, name, f"{text} or tuple of {self._axes} {text}s", value)
        if len(values) != self._axes or min(values) <= 0 or kind is float and max(values) >= 1:
            limit = "in (0, 1)" if kind is float else "> 0"
            raise ValueError(f"For '{api}', the '{name}' must be {self._axes} numbers {limit}, but got {value}.")
        return values

    def construct(self, input):
        api, axes = type(self).__name__, self._axes
        if input.ndim not in (axes + 1, axes + 2):
            raise ValueError(f"For '{api}', the input must have {axes + 1} or {axes + 2} dimensions, not {input.ndim}.")
        if self.output_size is None and self.output_ratio is None:
            raise ValueError(f"For '{api}', 'output_size' and 'output_ratio' can not both be None.")
        x = input.expand_dims(0) if input.ndim == axes + 1 else input
        out = self.output_size
        if out is None:
            out = tuple(int(s * r) for s, r in zip(x.shape[2:], self.output_ratio, strict=True))
        samples = self._random_samples
        if samples is None:
            samples = _uniform((*x.shape[:2], axes), "float64" if x.dtype._label == "Float64" else "float32")
        values, indices = _fractional(x, samples, self.kernel_size, out, self._order)
        if x is not input:
            values, indices = values.squeeze(0), indices.squeeze(0)
        return (values, indices) if self.return_indices else values


@faces("nn nn.layer")
class FractionalMaxPool2d(_FractionalMaxPool):
    """Maxima over windows of [N, C, H, W] or [C, H, W] whose places are drawn at every call.

    Args:
        kernel_size (Union[int, tuple]): window.
        output_size (Union[int, tuple]): sizes of the result.
        output_ratio (Union[float, tuple]): or their ratio to the input's, in (0, 1); used if `output_size` is None.
        return_indices (bool): also return the flat positions, Int64.
        _random_samples (Tensor): [N, C, 2] in [0, 1), in place of the drawn numbers: for columns, then for rows.

    Raises:
        ValueError: windows that do not fit, or neither size nor ratio.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> x = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    >>> nn.FractionalMaxPool2d(2, output_size=2)(x).shape
    (1, 1, 2, 2)
    """


@faces("nn nn.layer")
class FractionalMaxPool3d(_FractionalMaxPool):
    """`FractionalMaxPool2d` for [N, C, D, H, W] or [C, D, H, W]; `_random_samples` is [N, C, 3].

    >>> from ms_compat import nn
    >>> nn.FractionalMaxPool3d(2, output_ratio=0.5).output_ratio
    (0.5, 0.5, 0.5)
    """

    _axes = 3
    _order = (0, 1, 2)
