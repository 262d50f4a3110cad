"""`coo_abs` to `csr_tanh`: functions of one number for the values of a sparse tensor, made from a table of names.

Each applies the dense function of its name to the stored values, also where it does not leave 0 at 0 (`cos`, `exp`).
"""

from __future__ import annotations

from collections.abc import Callable

from ms_compat._core.faces import table_faces
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor, Sparse
from ms_compat.ops.function.elementwise import activation, compare, math

_FUNCTIONS: dict[str, Callable] = {
    **{
        name: getattr(math, name)
        for name in (
            "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv log log1p neg round sin sinh sqrt "
            "square tan"
        ).split()
    },
    **{name: getattr(compare, name) for name in "isfinite isinf isnan".split()},
    **{name: getattr(activation, name) for name in "relu relu6 sigmoid softsign tanh".split()},
}


def _make(prefix: str, cls: type[Sparse], name: str, dense: Callable) -> Callable:
    full = f"{prefix}_{name}"

    def function(x):
        if not isinstance(x, cls):
            raise TypeError(f"For '{full}', the 'x' must be a {cls.__name__}, but got {type(x).__name__}.")
        return x._with_values(dense(x.values))

    function.__name__ = function.__qualname__ = full
    function.__doc__ = (
        f"`ops.{name}` of a {cls.__name__}'s values, at the same places.\n\nArgs:\n    x ({cls.__name__}): the "
        f"sparse tensor.\n\nRaises:\n    TypeError: it is not a {cls.__name__}.\n"
    )
    return function


_MADE = {
    f"{prefix}_{name}": _make(prefix, cls, name, dense)
    for prefix, cls in (("coo", COOTensor), ("csr", CSRTensor))
    for name, dense in _FUNCTIONS.items()
}
globals().update(_MADE)
table_faces(__name__, _MADE, "ops")
