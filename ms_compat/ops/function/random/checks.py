"""Checks for the arguments of random operations."""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.tensor import Tensor

_SIZES = (mstype.int32, mstype.int64)
_NUMBERS = (mstype.float16, mstype.float32, mstype.float64, *_SIZES)


def shape_of(api: str, shape: Any, argument: str = "shape") -> tuple[int, ...]:
    """A shape from an int, a tuple, a list or a Tensor of ints; TypeError for others, ValueError if a size is < 0."""
    if isinstance(shape, Tensor):
        shape = shape.asnumpy().tolist()
    if isinstance(shape, int) and not isinstance(shape, bool):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        raise type_error(api, argument, "int, tuple or Tensor of ints", shape)
    out = []
    for size in shape:
        if isinstance(size, Tensor):
            size = int(size)
        if isinstance(size, bool) or not isinstance(size, int):
            raise type_error(api, argument, "int, tuple or Tensor of ints", shape)
        if size < 0:
            raise value_error(api, argument, "of sizes that are not negative", shape)
        out.append(size)
    return tuple(out)


def check_poisson(shape: Any, rate: Any, dtype: Any) -> None:
    """Check what `random_poisson` takes: a `shape` that is a Tensor of one dimension, and five types of numbers."""
    if not isinstance(shape, (Tensor, int)) or isinstance(shape, Tensor) and shape.dtype not in _SIZES:
        raise type_error("random_poisson", "shape", "an Int32 or Int64 Tensor", shape)
    if isinstance(shape, int):
        raise value_error("random_poisson", "shape", "a Tensor of 1 dimension", shape)
    check_rank("random_poisson", "shape", shape, 1)
    if isinstance(rate, Tensor) and rate.dtype not in _NUMBERS:
        raise type_error("random_poisson", "rate", "Float16, Float32, Float64, Int32 or Int64", rate.dtype)
    if dtype not in _NUMBERS:
        raise type_error("random_poisson", "dtype", "float16, float32, float64, int32 or int64", dtype)
