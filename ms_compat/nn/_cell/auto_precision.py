"""Level "auto" of mixed precision: each single operation computes in low precision, in float32, or as it is given.

While a Cell or function with this level runs, operations take their unusual path, which asks `current_precision` for
other arguments; nothing else pays for it. The two lists are MindSpore's, by the names that operations have here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import Op
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace.precision import computing_in
from ms_compat.nn._cell.precision import cast_tree

# Names without "_" and in lower case: `matmul` is also the primitive MatMul.
LOW = frozenset(
    "conv conv1d conv2d conv3d convpads convtranspose conv1dtranspose conv2dtranspose conv3dtranspose convtranspose1d "
    "convtranspose2d convtranspose3d conv2dbackpropinput matmul matmulext batchmatmul bmm mm mv addmm addbmm baddbmm "
    "einsum prelu dense linear".split()
)
FLOAT32 = frozenset(
    "pow acos asin cosh erfinv exp expm1 log log10 log1p log2 reciprocal rsqrt sinh tan softplus layernorm batchnorm "
    "groupnorm kldiv kldivloss smoothl1loss multilabelmarginloss softmarginloss tripletmarginloss multimarginloss "
    "bcewithlogitsloss binarycrossentropywithlogits pdist cdist renorm prod reduceprod softmax logsoftmax cumprod "
    "cumsum sum sumext l1loss mseloss nllloss nllloss2d crossentropy".split()
)
PROMOTED = frozenset(("concat", "addn", "stack"))  # float32 where the types of the inputs differ


class AutoPrecision:
    """What level "auto" makes of an operation's arguments.

    Args:
        low: float16 or bfloat16.
    """

    def __init__(self, low: Any):
        self.low = low

    def __eq__(self, other: Any) -> bool:  # compiled functions have it in their keys
        return isinstance(other, AutoPrecision) and self.low == other.low

    def __hash__(self) -> int:
        return hash((AutoPrecision, self.low))

    def __call__(self, operation: Op, args: tuple) -> tuple:
        name = operation.name.replace("_", "").lower()
        if name in LOW:
            to = self.low
        elif name in FLOAT32 or name in PROMOTED and len(_dtypes([args[i] for i in operation.dynamics])) > 1:
            to = mstype.float32
        else:
            return args
        full = list(args)
        # the bias of the layer is added in the bias's own type, as by MindSpore's BiasAdd
        for i in operation.dynamics[:2] if operation.name == "Dense" else operation.dynamics:
            full[i] = cast_tree(args[i], to.np_dtype)
        return tuple(full)


def _dtypes(values: Any) -> set:
    if isinstance(values, (tuple, list)):
        return {dtype for item in values for dtype in _dtypes(item)}
    return {values.dtype} if isinstance(values, Tensor) else set()


def in_precision(function: Callable, precision: AutoPrecision) -> Callable:
    """A function whose operations compute so, what it calls included."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with computing_in(precision):
            return function(*args, **kwargs)

    return run


def has_precision(cell: Any) -> bool:
    """Whether a Cell computes at level "auto"."""
    return cell.__dict__.get("_auto_precision") is not None


def call_in_precision(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    with computing_in(cell.__dict__["_auto_precision"]):
        return inner(*args, **kwargs)
