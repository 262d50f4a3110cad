"""`mindspore.numpy`'s parts of arrays and powers: splits, triangles, powers of matrices and in Float32."""

from __future__ import annotations

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces, table_faces
from ms_compat.numpy._array import tensor, to_dtype
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.shape import create, join, views


@faces("numpy")
def float_power(x1, x2, dtype=None):
    """Powers in Float32."""
    out = arithmetic.pow(create.cast(tensor(x1), mstype.float32), create.cast(tensor(x2), mstype.float32))
    return out if dtype is None else create.cast(out, to_dtype(dtype))


@faces("numpy")
def matrix_power(a, n):
    """Square matrices to the power of a natural number; with the power 1 themselves.

    Raises:
        TypeError: `n` is not an int.
        ValueError: `n` is negative.
    """
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"For 'numpy.matrix_power', the exponent must be an int, but got {n!r}.")
    if n < 0:
        raise ValueError(f"For 'numpy.matrix_power', the exponent must not be negative, but got {n}.")
    a = tensor(a)
    square = len(a.shape) > 1 and a.shape[-1] == a.shape[-2]
    return a if n == 1 and square else basic.matrix_power(a, n)


def _triangle(fn):
    def function(m, k=0):
        m = tensor(m)
        if len(m.shape) == 1:
            m = views.broadcast_to(m, m.shape * 2)
        return fn(m, k)

    function.__name__, function.__doc__ = fn.__name__, f"{fn.__doc__} A vector counts as the rows of a square matrix."
    return function


tril, triu = _triangle(join.tril), _triangle(join.triu)
table_faces(__name__, "tril triu", "numpy")


def _splitter(name: str, axis: int | None):
    even = axis is not None

    def function(x, indices_or_sections, axis=0 if axis is None else axis):
        x = tensor(x)
        at = 0 if name == "hsplit" and len(x.shape) == 1 else axis
        if even and isinstance(indices_or_sections, int) and len(x.shape) > at and x.shape[at] % indices_or_sections:
            raise ValueError(
                f"For 'numpy.{name}', axis {at} of the shape {x.shape} cannot be split into {indices_or_sections}."
            )
        if len(x.shape) <= at:
            raise ValueError(f"For 'numpy.{name}', the input must have more than {at} dimensions, but got {x.shape}.")
        out = views.tensor_split(x, indices_or_sections, at)
        return out if isinstance(indices_or_sections, int) else list(out)

    function.__name__, function.__doc__ = name, "Parts along an axis: a tuple of equal ones, or a list cut at indices."
    return function


vsplit, hsplit, dsplit = _splitter("vsplit", 0), _splitter("hsplit", 1), _splitter("dsplit", 2)
table_faces(__name__, "vsplit hsplit dsplit", "numpy")
array_split = faces("numpy")(_splitter("array_split", None))
