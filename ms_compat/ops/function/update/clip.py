"""Norm clipping for one tensor, and for many tensors together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import to_float
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise.slopes import magnitude, root
from ms_compat.ops.function.nn.checks import real, wide


def _norm_of(values: Any, order: float, sqrt: Callable = root) -> Any:
    """The norm of all elements together."""
    if order == np.inf:
        return jnp.max(jnp.stack([jnp.max(magnitude(wide(v))) for v in values]))
    total = sum(jnp.sum(lax.square(wide(v)) if order == 2 else magnitude(wide(v)) ** order) for v in values)
    return sqrt(total) if order == 2 else total ** (1.0 / order)


def _whole_norm(values: Any, order: float) -> Any:
    """The norm of integers, which MindSpore cuts to an integer for each Tensor and for all together."""
    if order == np.inf:
        return _norm_of([to_float(v) for v in values], order)
    return jnp.trunc(_norm_of([jnp.trunc(_norm_of([to_float(v)], order)) for v in values], order))


@op(static=("max_norm", "norm_type"))
def _norm_factor(values, max_norm, norm_type):
    if all(v.dtype.kind in "iu" for v in values):
        return max_norm / (_whole_norm(values, norm_type) + 1e-6)
    return max_norm / (_norm_of([to_float(v) for v in values], norm_type) + 1e-6)


@op
def _scaled_down(values, factor):
    values = [to_float(v) for v in values]
    return tuple([jnp.where(factor < 1, wide(v) * factor, v).astype(v.dtype) for v in values])


@faces("ops")
def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales a Tensor, or a list or tuple together, down to a norm.

    Args:
        x (Union[Tensor, tuple, list]): real type; integers that are scaled give Float32, and their norm is cut to an
            integer first.
        max_norm (Union[int, float]): the largest norm left.
        norm_type (Union[int, float]): order of the norm.
        error_if_nonfinite (bool): refuse a norm of infinity or NaN.

    Returns:
        `x` scaled by max_norm / (norm + 1e-6), a tuple for a list or tuple. If this is not below 1, PYNATIVE_MODE
        returns `x` itself; it reads the norm on the host.

    Raises:
        TypeError: an argument of a wrong type.
        RuntimeError: the norm is not finite and `error_if_nonfinite` is set.
    """
    real("clip_by_norm", "max_norm", max_norm), real("clip_by_norm", "norm_type", norm_type)
    single = isinstance(x, Tensor)
    if not single and not isinstance(x, (tuple, list)):
        raise TypeError(f"For 'clip_by_norm', the 'x' must be a Tensor, list or tuple, but got {type(x).__name__}.")
    values = (x,) if single else tuple(x)
    if error_if_nonfinite:
        norm = float(_norm_of([v._v for v in values], norm_type))
        if not np.isfinite(norm):
            raise RuntimeError(f"For 'clip_by_norm', the norm of order {norm_type} is not finite: {norm}.")
    factor = _norm_factor(values, float(max_norm), float(norm_type))
    if not isinstance(factor._v, Tracer) and not float(factor.asnumpy()) < 1:
        return x
    out = _scaled_down(values, factor)
    return out[0] if single else out


@op
def _global_norm_clip(values, clip_norm):
    norm = _norm_of(values, 2, jnp.sqrt)
    bound = jnp.asarray(clip_norm, norm.dtype)
    factor = bound / jnp.maximum(norm, bound)
    scaled = [(wide(v) * factor).astype(v.dtype) for v in values]
    return tuple(v if v.ndim else v.reshape(1) for v in scaled)  # MindSpore gives a 0-d tensor one dimension


@faces("ops")
def clip_by_global_norm(x, clip_norm=1.0, use_norm=None):
    """Scales Tensors together, so that the norm of all elements does not exceed a number.

    Args:
        x (Union[Tensor, tuple, list]): Tensors of floating types.
        clip_norm (Union[int, float]): the largest norm left, > 0.
        use_norm (None): None; MindSpore takes nothing else.

    Returns:
        Tuple of Tensors (a Tensor for a Tensor): x * clip_norm / max(norm, clip_norm).

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `clip_norm` is not positive, `use_norm` is not None.

    >>> from ms_compat import Tensor, ops
    >>> clipped = ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 1.0)
    >>> print([round(part.item(), 4) for part in clipped])
    [0.6, 0.8]
    """
    if real("clip_by_global_norm", "clip_norm", clip_norm) <= 0:
        raise value_error("clip_by_global_norm", "clip_norm", "> 0", clip_norm)
    if use_norm is not None:
        raise value_error("clip_by_global_norm", "use_norm", "None", use_norm)
    if isinstance(x, Tensor):
        return _global_norm_clip((x,), clip_norm)[0]
    check_type("clip_by_global_norm", "x", x, (tuple, list))
    return _global_norm_clip(tuple(x), clip_norm)
