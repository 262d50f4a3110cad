"""Primitives of pools in three dimensions and their inverses, of the CTC loss, and of candidate sampling."""

from __future__ import annotations

from ms_compat._core.checks import check_choice
from ms_compat._core.dtype import int32, int64
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.pooling import adaptive, windows
from ms_compat.ops.function.pooling import fractional as pool_fractional
from ms_compat.ops.function.random import draws
from ms_compat.ops.function.shape import create, views
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _max_pool3d(x, ksize, strides, pads, dilation, ceil_mode, data_format, argmax_type):
    if data_format != "NCDHW":
        raise ValueError(f"For 'MaxPool3DWithArgmax', the 'data_format' must be 'NCDHW', but got {data_format!r}.")
    if argmax_type not in (int32, int64):
        raise TypeError(f"For 'MaxPool3DWithArgmax', the 'argmax_type' must be int32 or int64, but got {argmax_type}.")
    out, where = windows.max_pool3d(x, ksize, strides, pads, dilation, ceil_mode, True)
    return out, where if where.dtype is argmax_type else create.identity_cast(where, argmax_type)


def _unpool(fn, count: int):
    formats = ("NCHW", "NHWC") if count == 2 else ("NCDHW", "NDHWC")
    last = (0, *range(2, count + 2), 1)
    first = (0, count + 1, *range(1, count + 1))

    def unpool(x, argmax, ksize, strides, pads, output_shape, data_format):
        check_choice(f"MaxUnpool{count}D", "data_format", data_format, formats)
        size = tuple(output_shape) or None
        if data_format == formats[0]:
            return fn(x, argmax, ksize, strides or None, pads, size)
        size = size and (size[0], size[-1], *size[1:-1])
        x, argmax = views.transpose(x, first), views.transpose(argmax, first)
        return views.transpose(fn(x, argmax, ksize, strides or None, pads, size), last)

    return unpool


def _adaptive(x, output_size):
    if isinstance(output_size, Tensor):
        output_size = tuple(output_size.asnumpy().reshape(-1).tolist())
    return adaptive.adaptive_max_pool3d(x, output_size, True)


def _fractional(fn, count: int):
    formats = ("NCHW", "NHWC") if count == 2 else ("NCDHW", "NDHWC")
    last = (0, *range(2, count + 2), 1)
    first = (0, count + 1, *range(1, count + 1))

    def fractional(x, random_samples, ksize, output_shape, data_format):
        if data_format not in formats:
            raise ValueError(f"The 'data_format' must be one of {formats}, but got {data_format!r}.")
        size = tuple(int(k) for k in ksize) if isinstance(ksize, (tuple, list)) else int(ksize)
        target = tuple(int(s) for s in output_shape) if isinstance(output_shape, (tuple, list)) else int(output_shape)
        if data_format == formats[0]:
            return fn(x, random_samples, size, target)
        out, where = fn(views.transpose(x, first), random_samples, size, target)
        return views.transpose(out, last), views.transpose(where, last)

    return fractional


_UNPOOL = {"ksize": REQUIRED, "strides": 0, "pads": 0, "output_shape": ()}
_FIXED = {"ksize": REQUIRED, "output_shape": REQUIRED}

_TABLE = {
    "MaxPool3DWithArgmax": Row(
        _max_pool3d,
        ("x",),
        {
            "ksize": REQUIRED,
            "strides": REQUIRED,
            "pads": REQUIRED,
            "dilation": (1, 1, 1),
            "ceil_mode": False,
            "data_format": "NCDHW",
            "argmax_type": int64,
        },
    ),
    "MaxUnpool2D": Row(_unpool(windows.max_unpool2d, 2), ("x", "argmax"), {**_UNPOOL, "data_format": "NCHW"}),
    "MaxUnpool3D": Row(_unpool(windows.max_unpool3d, 3), ("x", "argmax"), {**_UNPOOL, "data_format": "NCDHW"}),
    "AdaptiveMaxPool3D": Row(_adaptive, ("x", "output_size")),
    "FractionalMaxPoolWithFixedKsize": Row(
        _fractional(pool_fractional.primitive(2), 2),
        ("input_x", "random_samples"),
        {**_FIXED, "data_format": "NCHW"},
    ),
    "FractionalMaxPool3DWithFixedKsize": Row(
        _fractional(pool_fractional.primitive(3), 3),
        ("x", "random_samples"),
        {**_FIXED, "data_format": "NCDHW"},
    ),
    "MultinomialWithReplacement": Row(
        lambda x, seed, offset, numsamples, replacement: draws.multinomial_with_replacement(
            x, int(seed), int(offset), numsamples, replacement
        ),
        ("x", "seed", "offset"),
        {"numsamples": REQUIRED, "replacement": False},
    ),
}

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
