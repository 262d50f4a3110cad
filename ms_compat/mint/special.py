"""`mindspore.mint.special`."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr


def log_softmax(input, dim=None, *, dtype=None):
    """log(softmax(x)) along a dimension."""
    from ms_compat.ops.function.elementwise.activation import log_softmax as general
    from ms_compat.ops.function.shape.create import cast

    x = input if dtype is None else cast(input, dtype)
    if dim is None:
        dim = 1 if len(x.shape) in (2, 4, 5) else 0
    return general(x, dim)


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
