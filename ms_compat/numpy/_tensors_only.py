"""The functions of `mindspore.numpy` that take Tensors where others take numbers, lists and tuples as well.

MindSpore refuses everything else: most with a TypeError, a few with an AttributeError.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.tensor import Tensor

# Which of its operands a function takes as Tensors only.
_OPERANDS = {
    **dict.fromkeys(
        """
        abs absolute amax amin arccos arccosh arcsin arcsinh arctan arctanh array_split array_str average broadcast_to
        cos cosh count_nonzero cumsum deg2rad diag diagflat diagonal diff dsplit ediff1d expand_dims fabs fix flip
        fliplr flipud hsplit inner isneginf isposinf log10 log2 max min moveaxis nancumsum positive ptp rad2deg radians
        ravel reshape roll rollaxis rot90 sin sinh split squeeze swapaxes take_along_axis tan tanh tile trace transpose
        unique vsplit
        """.split(),
        slice(0, 1),
    ),
    **dict.fromkeys(
        """
        append arctan2 dot float_power less_equal logaddexp2 logical_xor matmul multiply not_equal outer take tensordot
        """.split(),
        slice(0, 2),
    ),
    "apply_along_axis": slice(2, 3),
}
_EACH = frozenset("atleast_1d atleast_2d atleast_3d broadcast_arrays ix_ meshgrid".split())
_ITEMS = frozenset("column_stack concatenate dstack hstack stack vstack".split())
# These raise an AttributeError, except for what is from NumPy.
_ATTRIBUTE_ERROR = frozenset("abs absolute count_nonzero diagonal fabs log10 log2 trace".split())
_ATTRIBUTE_ERROR_OF_ITEMS = _ITEMS - {"concatenate", "stack"}


def tensor_arguments(name: str, function: Callable) -> list[str]:
    """The arguments of a function that must be Tensors."""
    return list(inspect.signature(function).parameters)[_OPERANDS[name]] if name in _OPERANDS else []


def checked(name: str, function: Callable) -> Callable:
    """The function, with a check if it takes Tensors only.

    Raises:
        TypeError, AttributeError: by the checked function, where an operand is not a Tensor.
    """
    if name not in _OPERANDS and name not in _EACH | _ITEMS:
        return function
    at = _OPERANDS.get(name, slice(0, None if name in _EACH else 1))
    words = tensor_arguments(name, function)

    @functools.wraps(function)
    def of_tensors(*args, **kwargs):
        operands = [*args[at], *[kwargs[word] for word in words if word in kwargs]]
        for operand in operands:
            if name in _ITEMS and isinstance(operand, (list, tuple)):
                for item in operand:
                    _check(name, item, AttributeError if name in _ATTRIBUTE_ERROR_OF_ITEMS else TypeError)
            elif name not in _ITEMS:
                numpys = isinstance(operand, (np.ndarray, np.generic))
                _check(name, operand, AttributeError if name in _ATTRIBUTE_ERROR and not numpys else TypeError)
        return function(*args, **kwargs)

    return of_tensors


def _check(name: str, operand: Any, error: type[Exception]) -> None:
    if not isinstance(operand, Tensor):
        maker = "Tensor" if isinstance(operand, (np.ndarray, np.generic)) else "numpy.array"
        raise error(
            f"'mindspore.numpy.{name}' takes Tensors, but got {type(operand).__name__}. "
            f"Convert it with 'mindspore.{maker}'."
        )
