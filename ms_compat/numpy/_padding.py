"""`mindspore.numpy.pad`."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import tensor
from ms_compat.numpy._functions import _host as host
from ms_compat.numpy._functions import take
from ms_compat.ops.function.shape import join, views


@op(static=("width", "mode", "options"))
def _padded(x, width, mode, options):
    whole = mode == "mean" and x.dtype.kind in "iu"
    # a ramp's steps add up their rounding
    data = x.astype(np.float64) if mode == "linear_ramp" and x.dtype == np.float32 else x
    data = x.astype(np.float32) if whole else data
    return jnp.pad(data, width, mode, **dict(options)).astype(x.dtype)


_OPTIONS = {
    "constant": ("constant_values",), "linear_ramp": ("end_values",), "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",), "maximum": ("stat_length",), "minimum": ("stat_length",),
    "mean": ("stat_length",), "edge": (), "wrap": (), "empty": (),
}  # fmt: skip


def _frozen(value):
    value = host(value)
    value = value.tolist() if isinstance(value, np.ndarray) else value
    return tuple([_frozen(v) for v in value]) if isinstance(value, (tuple, list)) else value


_IGNORING_NEGATIVE = ("constant", "reflect", "symmetric", "linear_ramp", "empty")  # the others refuse such a width


@faces("numpy")
def pad(
    arr, pad_width, mode="constant", stat_length=None, constant_values=0, end_values=0, reflect_type="even", **kwargs
):
    """Elements added around the tensor, in NumPy's modes except "median"; "mean" of integers is truncated.

    Widths of 0 give the tensor as it is in most modes.

    A function as the mode is called as `mode(vector, widths, axis, kwargs)` for each vector along each axis, after the
    tensor was padded with zeros; it returns the vector, or has changed it.

    Raises:
        NotImplementedError: the mode "median".
        ValueError: another mode.

    >>> from ms_compat import Tensor, numpy
    >>> print(numpy.pad(Tensor([1, 2]), 1))
    [0 1 2 0]
    """
    arr = tensor(arr)
    width = np.broadcast_to(np.asarray(_frozen(pad_width)), (len(arr.shape), 2))
    if callable(mode):
        return _by_function(arr, _frozen(width), mode, kwargs)
    if mode == "median":
        raise NotImplementedError("For 'numpy.pad', the mode 'median' is not implemented, as in MindSpore.")
    check_choice("numpy.pad", "mode", mode, _OPTIONS)
    given = {
        "stat_length": stat_length, "constant_values": constant_values, "end_values": end_values,
        "reflect_type": reflect_type,
    }  # fmt: skip
    if not arr.shape:
        return arr
    if (width < 0).any():
        if mode == "wrap":  # which repeats the tensor without end, and shows a part of that
            for axis, (before, after) in enumerate(width.tolist()):
                if arr.shape[axis] + before + after < 1:
                    raise ValueError(f"For 'numpy.pad', widths of {before} and {after} leave nothing of {arr.shape}.")
                arr = take(arr, Tensor(np.arange(-before, arr.shape[axis] + after) % arr.shape[axis]), axis)
            return arr
        if mode in _IGNORING_NEGATIVE:
            width = np.maximum(width, 0)
    if mode in _IGNORING_NEGATIVE and not width.any():
        return arr
    options = tuple([(name, _frozen(given[name])) for name in _OPTIONS[mode] if given[name] is not None])
    return _padded(arr, _frozen(width), mode, options)


def _by_function(arr: Tensor, width: tuple, mode, kwargs: dict) -> Tensor:
    out = _padded(arr, width, "constant", ())
    for axis, sides in enumerate(width):
        rows = views.movedim(out, axis, -1)
        found = []
        for row in views.reshape(rows, (-1, rows.shape[-1])):
            row = row.copy()
            changed = mode(row, sides, axis, kwargs)
            found.append(row if changed is None else tensor(changed))
        out = views.movedim(views.reshape(join.stack(found, 0), rows.shape), -1, axis)
    return out
