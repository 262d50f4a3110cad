"""`mindspore.scipy.fft`: cosine transforms of type II, orthonormal.

>>> import ms_compat as ms
>>> from ms_compat.scipy.fft import dct
>>> print(dct(ms.Tensor([1.0, 1.0, 1.0, 1.0])))
[2. 0. 0. 0.]
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_int, check_type, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._names.resolve import unsupported_getattr


def _float(x: jax.Array) -> jax.Array:
    return x if x.dtype in (np.float64, np.complex64, np.complex128) else x.astype(np.float32)


def _fit(x: jax.Array, size: int | None, axis: int) -> jax.Array:
    """The array cut or padded with zeros to a size along an axis."""
    if size is None or size == x.shape[axis]:
        return x
    if size < x.shape[axis]:
        return jax.lax.slice_in_dim(x, 0, size, axis=axis)
    return jnp.pad(x, [(0, size - n if i == axis else 0) for i, n in enumerate(x.shape)])


@op(static=("sizes", "axes", "inverse"), name="dct")
def _dct(x, sizes, axes, inverse):
    x = _float(x)
    transform = jax.scipy.fft.idct if inverse else jax.scipy.fft.dct
    for size, axis in zip(sizes, axes, strict=True):
        x = _fit(x, size, axis)
        if jnp.iscomplexobj(x):
            parts = [transform(part, axis=axis, norm="ortho") for part in (x.real, x.imag)]
            x = jax.lax.complex(*parts)
        else:
            x = transform(x, axis=axis, norm="ortho")
    return x


def _check(api: str, x: Any, type: Any, norm: Any) -> None:
    check_type(api, "x", x, Tensor)
    if type != 2:
        raise value_error(api, "type", "2", type)
    if norm not in (None, "ortho"):
        raise value_error(api, "norm", "None or 'ortho', which both give the orthonormal transform", norm)


def _axis(api: str, x: Tensor, axis: Any) -> int:
    check_int(api, "axis", axis)
    if not -x.ndim <= axis < x.ndim:
        raise value_error(api, "axis", f"in [{-x.ndim}, {x.ndim})", axis)
    return axis % x.ndim


def _size(api: str, n: Any) -> Any:
    check_type(api, "n", n, (int, type(None)))
    if n is not None and n < 1:
        raise value_error(api, "n", "1 or more", n)
    return n


def _one(api: str, x: Any, type: Any, n: Any, axis: Any, norm: Any, inverse: bool) -> Tensor:
    _check(api, x, type, norm)
    return _dct(x, (_size(api, n),), (_axis(api, x, axis),), inverse)


def _many(api: str, x: Any, type: Any, s: Any, axes: Any, norm: Any, inverse: bool) -> Tensor:
    _check(api, x, type, norm)
    if axes is None:
        axes = tuple(range(x.ndim)) if s is None else tuple(range(x.ndim - len(s), x.ndim))
    axes = (axes,) if isinstance(axes, int) else tuple(axes)
    sizes = (None,) * len(axes) if s is None else tuple(s)
    if len(sizes) != len(axes):
        raise value_error(api, "s", f"as long as 'axes', {len(axes)}", s)
    return _dct(x, tuple([_size(api, n) for n in sizes]), tuple([_axis(api, x, a) for a in axes]), inverse)


def dct(x, type=2, n=None, axis=-1, norm=None):
    """The cosine transform along an axis.

    Args:
        x (Tensor): numbers; integers and Float16 give Float32.
        type (int): 2.
        n (int): length to which the axis is cut or padded with zeros.
        axis (int): the axis.
        norm (str): None or "ortho"; the transform is orthonormal in both cases, as MindSpore's.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: another `type` or `norm`, or an axis that is not there.
    """
    return _one("dct", x, type, n, axis, norm, False)


def idct(x, type=2, n=None, axis=-1, norm=None):
    """The inverse of `dct`; arguments as for `dct`."""
    return _one("idct", x, type, n, axis, norm, True)


def dctn(x, type=2, s=None, axes=None, norm=None):
    """The cosine transform along several axes.

    Args:
        x, type, norm: as of `dct`.
        s (tuple[int]): lengths to which the axes are cut or padded.
        axes (tuple[int]): the axes; None takes all, or the last `len(s)`.
    """
    return _many("dctn", x, type, s, axes, norm, False)


def idctn(x, type=2, s=None, axes=None, norm=None):
    """The inverse of `dctn`; arguments as for `dctn`."""
    return _many("idctn", x, type, s, axes, norm, True)


__getattr__ = unsupported_getattr(__name__)
