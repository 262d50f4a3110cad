"""Primitives of arithmetic, comparison, reduction and linear algebra."""

from __future__ import annotations

from ms_compat._core.checks import check_tensors
from ms_compat._core.dtype import int32
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise import arithmetic, compare, math
from ms_compat.ops.function.linalg import basic, norms
from ms_compat.ops.function.reduction import reduce
from ms_compat.ops.function.shape import create
from ms_compat.ops.function.shape.create import cast
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _trace(x):
    return cast(basic.trace(x), x.dtype) if isinstance(x, Tensor) else basic.trace(x)


def _accumulate(xs):
    if isinstance(xs, (tuple, list)) and len({x.shape for x in xs if isinstance(x, Tensor)}) > 1:
        raise ValueError("For 'AccumulateNV2', all inputs must have one shape.")
    return arithmetic.addn(xs)


def _outer(x, y):
    check_tensors("Ger", x1=x, x2=y)
    if len(x.shape) != 1 or len(y.shape) != 1:
        raise ValueError(f"For 'Ger', both inputs must have 1 dimension, but got {x.shape} and {y.shape}.")
    return basic.ger(x, y)


def _approximate_equal(x, y, tolerance):
    for v in (x, y):
        if not isinstance(v, (Tensor, int, float)):
            raise TypeError(f"For 'ApproximateEqual', the inputs must be Tensors, but got {type(v).__name__}.")
    if not any(v.dtype.np_dtype.kind == "f" if isinstance(v, Tensor) else isinstance(v, float) for v in (x, y)):
        raise TypeError("For 'ApproximateEqual', the inputs must be Tensors of floats.")
    shapes = [v.shape if isinstance(v, Tensor) else () for v in (x, y)]
    if shapes[0] != shapes[1]:
        raise RuntimeError(f"For 'ApproximateEqual', the shapes must be equal, but got {shapes[0]} and {shapes[1]}.")
    return compare.approximate_equal(x, y, tolerance)


def _renorm(x, p, dim, maxnorm):
    if maxnorm < 0:
        raise RuntimeError(f"For 'Renorm', the 'maxnorm' must not be negative, but got {maxnorm}.")
    return norms.renorm(x, p, dim, maxnorm)


def _svd(x, full_matrices, compute_uv):
    """Three tensors in any case, as MindSpore's kernel: a zero stands for U and for V if they are not requested."""
    if compute_uv:
        return basic.svd(x, full_matrices, True)
    empty = create.zeros((1,), x.dtype)
    return basic.svd(x, full_matrices, False), empty, empty


_ONE = {
    "AccumulateNV2": _accumulate, "Trace": _trace,
    "ComplexAbs": lambda x: math.real(math.abs(x)),
}  # fmt: skip

_TWO = {
    "Ger": _outer,
}  # fmt: skip

_KEEP = {"keep_dims": False}


def _reduce_sum(x, axis, keep_dims, skip_mode):
    if skip_mode and axis in ((), None):
        return create.identity_cast(x, x.dtype)
    return reduce.reduce_sum(x, axis, keep_dims)


def _reduced(fn):
    return lambda x, axis, keep_dims: fn(x, axis, keep_dims)


def _reduce_std(x, axis, unbiased, keep_dims):
    return reduce.std_mean(x, tuple(axis) if isinstance(axis, list) else axis, int(unbiased), keep_dims)


def _argextreme(fn):
    return lambda x, axis, output_type: fn(x, axis, output_type)


_TABLE = {
    **{name: Row(fn) for name, fn in _ONE.items()},
    **{name: Row(fn, ("input", "other")) for name, fn in _TWO.items()},
    "Einsum": Row(lambda xs, equation: basic.einsum(equation, *xs), ("operands",), {"equation": REQUIRED}),
    "ReduceSum": Row(_reduce_sum, ("x", ("axis", ())), {"keep_dims": False, "skip_mode": False}),
    "ReduceStd": Row(_reduce_std, ("x",), {"axis": [], "unbiased": True, "keep_dims": False}),
    "EuclideanNorm": Row(lambda x, axis, keep: norms.vector_norm(x, 2, axis, keep), ("x", ("axis", ())), _KEEP),
    "LpNorm": Row(norms.lp_norm, ("x",), {"axis": REQUIRED, "p": 2, "keep_dims": False, "epsilon": 1e-12}),
    "Argmax": Row(_argextreme(reduce.argmax_typed), ("x",), {"axis": -1, "output_type": int32}),
    "Argmin": Row(_argextreme(reduce.argmin_typed), ("x",), {"axis": -1, "output_type": int32}),
    "CountNonZero": Row(lambda x, dims: reduce.count_nonzero(x, dims, False), ("x",), {"dims": None}),
    "ApproximateEqual": Row(_approximate_equal, ("x", "y"), {"tolerance": 1e-05}),
    "Cross": Row(
        lambda a, b, dim: basic.cross(a, b, None if dim == -65530 else dim), ("x1", "x2"), {"dim": -65530}
    ),
    "MatrixInverse": Row(
        lambda x, adjoint: basic.inverse(basic.adjoint(x) if adjoint else x), ("x",), {"adjoint": False}
    ),
    "MatrixSolve": Row(
        lambda a, b, adjoint: basic.matrix_solve(basic.adjoint(a) if adjoint else a, b),
        ("matrix", "rhs"),
        {"adjoint": False},
    ),
    "Svd": Row(_svd, ("x",), {"full_matrices": False, "compute_uv": True}),
    "Qr": Row(
        lambda x, full: basic.qr(x, "complete" if full else "reduced"), ("x",), {"full_matrices": False}
    ),
    "Renorm": Row(_renorm, ("x",), {"p": REQUIRED, "dim": REQUIRED, "maxnorm": REQUIRED}),
    "SquareSumAll": Row(lambda x, y: (reduce.sum(math.square(x)), reduce.sum(math.square(y))), ("x", "y")),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
