"""Rules for pooling and its gradient, and for the division that makes a mean of a pooled sum."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._formats.mindir.arguments import encoded
from ms_compat._formats.mindir.lowering.elementwise import out_aval
from ms_compat._formats.mindir.lowering.rules import Lowering, Value, known_values, rule
from ms_compat._formats.mindir.writing import Ref

_PAD_VALID, _NCHW = encoded("pad_mode", "valid"), encoded("data_format", "NCHW")


class Windows:
    """The windows of a pooling, over any one or two axes, as the windows of a primitive that pools images (N, C, H, W).

    Args:
        shape: of what is pooled.
        params: `window_dimensions`, `window_strides` and `padding` of the equation.
    """

    def __init__(self, shape: tuple[int, ...], params: dict[str, Any]):
        self.shape = shape
        self.window, self.strides = list(params["window_dimensions"]), list(params["window_strides"])
        self.padding = [(int(a), int(b)) for a, b in params["padding"]]
        rank = len(shape)
        axes = [a for a in range(rank) if self.window[a] != 1 or self.strides[a] != 1 or self.padding[a] != (0, 0)]
        self.are_images = rank > len(axes) and 1 <= len(axes) <= 2
        if not self.are_images:
            return
        last = axes if len(axes) == 2 else [next(a for a in reversed(range(rank)) if a not in axes), *axes]
        self.order = [a for a in range(rank) if a not in last] + last
        self.kernel = tuple(int(self.window[a]) for a in last)
        self.steps = tuple(int(self.strides[a]) for a in last)
        known = not any(is_symbolic_size(shape[a]) for a in last)
        same = [_same(shape[a], self.window[a], self.strides[a]) for a in last if known]
        self.is_same = same == [self.padding[a] for a in last]

    def images(self, low: Lowering, x: Value) -> Value:
        """A tensor of the axes that are pooled, and the others, as images."""
        x = low.transpose(x, self.order)
        lead = x.shape[:-2]
        if len(lead) <= 2:
            return low.reshape(x, (*(1,) * (2 - len(lead)), *lead, *x.shape[-2:]))
        return low.reshape(x, (math.prod(lead[:-1]), lead[-1], *x.shape[-2:]))

    def back(self, low: Lowering, images: Value, shape: tuple[int, ...]) -> Value:
        """Images as a tensor of this shape."""
        return low.transpose(low.reshape(images, [shape[a] for a in self.order]), np.argsort(self.order))

    def padded(self, low: Lowering, x: Value, fill: np.ndarray) -> Value:
        return low.pad(x, [a for a, _ in self.padding], [b for _, b in self.padding], fill)

    def max_attributes(self) -> dict[str, Any]:
        """Of a primitive that takes the maximum; without padding of its own unless `is_same`."""
        mode = "SAME" if self.is_same and any(pair != (0, 0) for pair in self.padding) else "VALID"
        return {
            "kernel_size": (1, 1, *self.kernel),
            "strides": (1, 1, *self.steps),
            "pad_mode": mode,
            "format": "NCHW",
        }


@rule("reduce_window_max", "reduce_window_min", "reduce_window_sum")
def pooling(low: Lowering, eqn: Any, x: Value) -> Value:
    params = eqn.params
    shape, dtype = out_aval(eqn)
    if any(d != 1 for d in params["base_dilation"]):
        raise low.unsupported(eqn, "spreads its input, which no primitive does")
    kind = eqn.primitive.name.removeprefix("reduce_window_")
    windows, fill = Windows(x.shape, params), _fill(kind, dtype)
    simple = dtype in (np.float32, np.float16) and all(d == 1 for d in params["window_dilation"]) and kind != "min"
    if not simple or not windows.are_images:
        x = windows.padded(low, x, fill)
        return _by_axes(low, x, kind, windows.window, windows.strides, list(params["window_dilation"]))
    if kind == "sum" or not windows.is_same:
        x = windows.padded(low, x, fill)
    images = windows.images(low, x)
    pooled = (*images.shape[:2], *[shape[a] for a in windows.order[-2:]])
    if kind == "max":
        return windows.back(low, low.call("MaxPool", (images,), pooled, dtype, **windows.max_attributes()), shape)
    mean = low.call("AvgPool", (images, windows.kernel, windows.steps, _PAD_VALID, _NCHW), pooled, dtype)
    return windows.back(low, low.binary("Mul", mean, math.prod(windows.kernel)), shape)


@rule("select_and_scatter_add")
def max_pooling_gradient(low: Lowering, eqn: Any, cotangent: Value, x: Value) -> Value:
    params = eqn.params
    shape, dtype = out_aval(eqn)
    windows = Windows(x.shape, params)
    if params["select_prim"].name != "ge" or dtype not in (np.float32, np.float16) or not windows.are_images:
        raise low.unsupported(eqn, "is the gradient of a pooling that no primitive has")
    if not windows.is_same:
        x = windows.padded(low, x, _fill("max", dtype))
    images, cotangents = windows.images(low, x), windows.images(low, cotangent)
    attributes = windows.max_attributes()
    pooled = low.call("MaxPool", (images,), cotangents.shape, dtype, **attributes)
    out = windows.back(
        low, low.call("MaxPoolGrad", (images, pooled, cotangents), images.shape, dtype, **attributes), x.shape
    )
    if windows.is_same:
        return out
    begin = [before for before, _ in windows.padding]
    return low.slice(out, begin, [a + n for a, n in zip(begin, shape, strict=True)])


def _fill(kind: str, dtype: np.dtype) -> np.ndarray:
    if kind == "sum":
        return np.zeros((), dtype)
    if jnp.issubdtype(dtype, np.inexact):
        return np.asarray(-np.inf if kind == "max" else np.inf, dtype)
    info = np.iinfo(dtype)
    return np.asarray(info.min if kind == "max" else info.max, dtype)


def _same(length: int, window: int, stride: int) -> tuple[int, int]:
    """What MindSpore pads in its mode "SAME"."""
    total = max((-(-length // stride) - 1) * stride + window - length, 0)
    return total // 2, total - total // 2


def _by_axes(low: Lowering, x: Value, kind: str, window: list, strides: list, holes: list) -> Value:
    """Pooling as element-wise operations of shifted slices, one axis after the other."""
    op = {"max": "Maximum", "min": "Minimum", "sum": "Add"}[kind]
    for axis, (length, stride, hole) in enumerate(zip(window, strides, holes, strict=True)):
        if length == 1 and stride == 1:
            continue
        count = (x.shape[axis] - hole * (length - 1) - 1) // stride + 1
        found: Value | None = None
        for at in range(length):
            begin, end, steps = [0] * x.ndim, list(x.shape), [1] * x.ndim
            begin[axis], steps[axis] = at * hole, stride
            end[axis] = begin[axis] + (count - 1) * stride + 1
            part = low.slice(x, begin, end, steps)
            found = part if found is None else low.binary(op, found, part)
        x = found
    return x


@rule("div")
def div(low: Lowering, eqn: Any, x: Value, y: Value) -> Value:
    """Division; a pooled sum divided by its window's size gives the pooled mean back."""
    divisor = known_values(y)
    if isinstance(x, Ref) and divisor is not None and x.call and x.call.op == "Mul":
        mean, size = x.call.inputs
        if isinstance(mean, Ref) and mean.call and mean.call.op == "AvgPool" and np.all(np.asarray(size) == divisor):
            return mean
    integers = np.issubdtype(x.dtype, np.integer)
    return low.elementwise("TruncateDiv" if integers else "Div", (x, y), *out_aval(eqn))
