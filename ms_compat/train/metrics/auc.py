"""`auc`: the area under a curve."""

from __future__ import annotations

import numpy as np

from ms_compat._core.checks import check_same_length
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces


@faces("nn train train.metrics")
def auc(x, y, reorder=False):
    """The area under a curve by the trapezoidal rule.

    Args:
        x, y: arrays of the coordinates, 1-d or of shape (N, 1).
        reorder: sort the points by x first; otherwise x must rise or fall throughout.

    Returns:
        float.

    Raises:
        TypeError: `x` or `y` is not an array.
        ValueError: a wrong shape or order.

    >>> import numpy as np
    >>> from ms_compat.train import auc
    >>> print(auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.75, 1.0])))
    0.625
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise TypeError(
            f"For 'auc', 'x' and 'y' must be numpy.ndarray, but got {type(x).__name__} and {type(y).__name__}."
        )
    check_bool("auc", "reorder", reorder)
    x, y = _flat("x", x), _flat("y", y)
    check_same_length("auc", x=x, y=y)
    if x.shape[0] < 2:
        raise ValueError(f"For 'auc', there must be at least 2 points, but got {x.shape[0]}.")
    direction = 1
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    else:
        steps = np.diff(x)
        if np.any(steps < 0):
            if not np.all(steps <= 0):
                raise ValueError("For 'auc', 'x' must rise or fall throughout, or set 'reorder' to True.")
            direction = -1
    return direction * np.trapezoid(y, x)


def _flat(name: str, values: np.ndarray) -> np.ndarray:
    if values.ndim == 1 or (values.ndim == 2 and values.shape[1] == 1):
        return values.ravel()
    raise ValueError(f"For 'auc', '{name}' must be 1-d or of shape (N, 1), but got {values.shape}.")
