"""Sequences of numbers: `arange`, `linspace`, `logspace`, `geomspace`."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import flag, tensor, to_dtype
from ms_compat.numpy._functions import _cast
from ms_compat.ops.function.shape import create


@faces("numpy")
def arange(start, stop=None, step=None, dtype=None):
    """Numbers from `start` up to (without) `stop`: Int32 if all are ints, else Float32.

    Args:
        start: a number; the end, if it is the only one.
        stop: a number, which is left out.
        step: a number.
        dtype: a mindspore dtype, a NumPy or Python type, or a name.

    >>> from ms_compat import numpy
    >>> print(numpy.arange(3), numpy.arange(1, 7, 2))
    [0 1 2] [1 3 5]
    """
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    whole = all(isinstance(v, int) for v in (start, stop, step))
    kind = to_dtype(dtype) or (mstype.int32 if whole else mstype.float32)
    if step == 0:
        raise ZeroDivisionError("For 'numpy.arange', the 'step' must not be 0.")
    if (stop - start) * step <= 0:
        raise ValueError(f"For 'numpy.arange', there is no number from {start} to {stop} in steps of {step}.")
    return create.differentiable_range(create.arange(start, stop, step, dtype=kind), start, step)


@op(static=("num", "endpoint", "axis"))
def _spread(start, stop, num, endpoint, axis):
    points, step = jnp.linspace(start.astype(np.float64), stop.astype(np.float64), num, endpoint, True, axis=axis)
    return points.astype(np.float32), step.astype(np.float32)


@op(static=("num", "endpoint", "base", "axis"))
def _powers(start, stop, num, endpoint, base, axis):
    exponents = jnp.linspace(start.astype(np.float64), stop.astype(np.float64), num, endpoint, axis=axis)
    return jnp.power(float(base), exponents).astype(np.float32)


@op(static=("num", "endpoint", "axis"))
def _geometric(start, stop, num, endpoint, axis):
    first, last = jnp.broadcast_arrays(start.astype(np.float32), stop.astype(np.float32))
    steps = num - 1 if endpoint else num
    factor = jnp.power(last / first, np.float32(1 / steps))
    powers = np.arange(num, dtype=np.float32).reshape(-1, *[1] * first.ndim)
    return jnp.moveaxis(first * jnp.power(factor, powers), 0, axis)


def _has_tensors(*limits) -> bool:
    """Whether a limit of an interval is a Tensor, which may have a gradient."""
    return any(isinstance(limit, Tensor) for limit in limits)


@faces("numpy")
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """`num` numbers evenly spread over an interval, in Float32 unless another dtype is given.

    >>> from ms_compat import numpy
    >>> print(numpy.linspace(0, 1, 5))
    [0.   0.25 0.5  0.75 1.  ]
    """
    flag("linspace", endpoint=endpoint, retstep=retstep)
    for name, value in (("start", start), ("stop", stop)):
        if not isinstance(value, (int, float, list, tuple, Tensor, np.ndarray)):
            raise TypeError(f"For 'numpy.linspace', the '{name}' must be numbers, but got {value!r:.60}.")
    if num == 0:
        raise ValueError("For 'numpy.linspace', the 'num' must be positive, but got 0.")
    if _has_tensors(start, stop):
        out, step = _spread(tensor(start), tensor(stop), num, endpoint, axis)
    else:
        out, step = np.linspace(start, stop, num, endpoint=endpoint, retstep=True, axis=axis)
        out, step = Tensor(out.astype(np.float32)), Tensor(np.asarray(step, np.float32))
    out = _cast(out, dtype)
    if not retstep:
        return out
    return out, step if num > 1 or not endpoint else float("nan")


@faces("numpy")
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """`base` to the power of evenly spread numbers."""
    if _has_tensors(start, stop):
        return _cast(_powers(tensor(start), tensor(stop), num, endpoint, base, axis), dtype)
    return _cast(Tensor(np.logspace(start, stop, num, endpoint, base, axis=axis).astype(np.float32)), dtype)


@faces("numpy")
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """Numbers that grow by one factor.

    As in MindSpore each is `start` times a power of that factor, which is rounded: the last differs from `stop` in its
    last digits, and all but the first are NaN where the signs of `start` and `stop` differ.
    """
    if not isinstance(num, int):
        raise TypeError(f"For 'numpy.geomspace', 'num' must be an int, but got {type(num).__name__}.")
    if num < 1:
        raise ValueError(f"For 'numpy.geomspace', 'num' must be at least 1, but got {num}.")
    first, last = (v if isinstance(v, Tensor) else Tensor(np.asarray(v, np.float32)) for v in (start, stop))
    return _cast(_geometric(first, last, num, endpoint, axis), dtype)
