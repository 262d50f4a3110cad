"""`mindspore.mint.special`."""

from ms_compat.ops.function.elementwise.math import erfc as erfc
from ms_compat.ops.function.elementwise.math import exp2 as exp2
from ms_compat.ops.function.elementwise.math import expm1 as expm1
from ms_compat.ops.function.elementwise.math import log1p as log1p
from ms_compat.ops.function.elementwise.math import round as round
from ms_compat.ops.function.elementwise.math import sinc as sinc


def log_softmax(input, dim=None, *, dtype=None):
    """log(softmax(x)) along a dimension."""
    from ms_compat.ops.function.elementwise.activation import log_softmax as general
    from ms_compat.ops.function.shape.create import cast

    x = input if dtype is None else cast(input, dtype)
    return general(x, (1 if len(x.shape) in (2, 4, 5) else 0) if dim is None else dim)
