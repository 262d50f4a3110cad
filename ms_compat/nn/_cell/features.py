"""What a Cell's call may do beyond `construct`, each feature in one place.

A call goes through the features that its Cell has, in this order, from the outside to `construct`. Whether a Cell has
one is checked when the call comes to it, since a hook may register another.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from ms_compat._autograd import saved
from ms_compat._compile.control_flow import converted
from ms_compat.nn._cell import auto_precision, custom_grad, hooks, precision, sharding


class Feature(NamedTuple):
    """One of them.

    Attributes:
        applies: whether a Cell has it; takes the Cell.
        around: the call under it; takes the Cell, the call inside, its positional and its keyword arguments.
    """

    applies: Callable[[Any], Any]
    around: Callable[[Any, Callable, tuple, dict], Any]


FEATURES = (
    Feature(custom_grad.has_bprop_around, custom_grad.call_with_bprop),
    Feature(hooks.has_pre_hooks, hooks.call_after_pre_hooks),
    Feature(custom_grad.has_backward_hooks, custom_grad.call_with_backward_hooks),
    Feature(hooks.has_forward_hooks, hooks.call_hooked),
    Feature(sharding.is_sharded, sharding.call_constrained),
    Feature(custom_grad.has_bprop_inside, custom_grad.call_with_bprop),
    Feature(custom_grad.is_recomputed, custom_grad.call_recomputed),
    Feature(saved.cell_has_hooks, saved.call_cell),
    Feature(auto_precision.has_precision, auto_precision.call_in_precision),
    Feature(hooks.has_parameter_hooks, hooks.call_with_parameters_hooked),
    Feature(precision.compute_dtype, precision.call_cast),
)


def is_special(cell: Any) -> bool:
    """Whether a Cell has any of them."""
    return any(feature.applies(cell) for feature in FEATURES)


def call(cell: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`construct` under all features of the Cell."""
    return _call_from(0, cell, *args, **kwargs)


def _call_from(at: int, cell: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The part of a call inside the features before number `at`."""
    while at < len(FEATURES):
        feature = FEATURES[at]
        at += 1
        if feature.applies(cell):
            return feature.around(cell, functools.partial(_call_from, at, cell), args, kwargs)
    return converted(cell.construct)(*args, **kwargs)
