"""Primitives of arithmetic, comparison, reduction and linear algebra."""

from __future__ import annotations

from ms_compat._core.dtype import int32
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise import arithmetic, compare, math, pairs
from ms_compat.ops.function.linalg import basic, norms
from ms_compat.ops.function.reduction import cumulative, reduce
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
    """Three tensors in any case, as MindSpore's kernel: a zero stands for U and for V if they are not asked for."""
    if compute_uv:
        return basic.svd(x, full_matrices, True)
    empty = create.zeros((1,), x.dtype)
    return basic.svd(x, full_matrices, False), empty, empty


_ONE = {
    "Abs": math.abs, "Neg": math.neg, "Exp": math.exp, "Log": math.log, "Log1p": math.log1p, "Expm1": math.expm1,
    "Sqrt": math.sqrt, "Rsqrt": math.rsqrt, "Square": math.square, "Sign": math.sign, "Floor": math.floor,
    "Ceil": math.ceil, "Round": lambda x: math.round(x), "Rint": math.rint, "Trunc": math.trunc, "Sin": math.sin,
    "Cos": math.cos, "Tan": math.tan, "Asin": math.asin, "ACos": math.acos, "Atan": math.atan, "Sinh": math.sinh,
    "Cosh": math.cosh, "Asinh": math.asinh, "Acosh": math.acosh, "Atanh": math.atanh, "Sinc": math.sinc,
    "Erf": math.erf, "Erfc": math.erfc, "Erfinv": math.erfinv, "Lgamma": math.lgamma, "Digamma": math.digamma,
    "Reciprocal": math.reciprocal, "Inv": math.inv, "Real": math.real, "Imag": math.imag, "Conj": math.conj,
    "Angle": math.angle, "BesselI0": math.bessel_i0, "BesselI0e": math.bessel_i0e, "BesselI1": math.bessel_i1,
    "BesselI1e": math.bessel_i1e, "IsNan": compare.isnan, "IsInf": compare.isinf, "IsFinite": compare.isfinite,
    "LogicalNot": compare.logical_not, "Invert": compare.invert, "PopulationCount": compare.population_count,
    "L2Loss": reduce.l2_loss, "AddN": arithmetic.addn, "AccumulateNV2": _accumulate, "Trace": _trace,
    "MatrixDeterminant": basic.det, "LogMatrixDeterminant": basic.slogdet, "MatrixExp": basic.matrix_exp,
    "ComplexAbs": lambda x: math.real(math.abs(x)),
}  # fmt: skip

_TWO = {
    "Add": arithmetic.add, "TensorAdd": arithmetic.add, "Sub": arithmetic.sub, "Mul": arithmetic.mul,
    "Div": lambda x, y: arithmetic.div(x, y), "RealDiv": arithmetic.real_div, "FloorDiv": arithmetic.floor_div,
    "FloorMod": arithmetic.floor_mod, "Mod": arithmetic.mod, "TruncateDiv": arithmetic.truncate_div,
    "TruncateMod": arithmetic.truncate_mod, "DivNoNan": pairs.div_no_nan, "MulNoNan": pairs.mul_no_nan,
    "Pow": arithmetic.pow, "Maximum": arithmetic.maximum, "Minimum": arithmetic.minimum, "Fmax": pairs.fmax,
    "Fmin": pairs.fmin, "Atan2": pairs.atan2, "Hypot": pairs.hypot, "Heaviside": pairs.heaviside,
    "Xlogy": pairs.xlogy, "Xdivy": pairs.xdivy, "SquaredDifference": pairs.squared_difference,
    "NextAfter": pairs.nextafter, "Igamma": pairs.igamma, "Igammac": pairs.igammac,
    "Zeta": pairs.zeta, "Gcd": pairs.gcd, "Lcm": pairs.lcm, "Equal": compare.equal,
    "NotEqual": compare.not_equal, "Less": compare.less, "LessEqual": compare.less_equal, "Greater": compare.greater,
    "GreaterEqual": compare.greater_equal, "LogicalAnd": compare.logical_and, "LogicalOr": compare.logical_or,
    "LogicalXor": compare.logical_xor, "BitwiseAnd": compare.bitwise_and, "BitwiseOr": compare.bitwise_or,
    "BitwiseXor": compare.bitwise_xor, "LeftShift": compare.bitwise_left_shift,
    "RightShift": compare.bitwise_right_shift, "Complex": math.complex, "Polar": math.polar, "Ger": _outer,
    "Polygamma": math.polygamma,
}  # fmt: skip

_PRODUCT = {"transpose_a": False, "transpose_b": False}
_KEEP = {"keep_dims": False}


def _reduce_sum(x, axis, keep_dims, skip_mode):
    if skip_mode and axis in ((), None):
        return x
    return reduce.reduce_sum(x, axis, keep_dims)


def _reduced(fn):
    return lambda x, axis, keep_dims: fn(x, axis, keep_dims)


def _lp_norm(x, axis, p, keep_dims, epsilon):
    return arithmetic.maximum(norms.vector_norm(x, p, axis, keep_dims), epsilon)


def _reduce_std(x, axis, unbiased, keep_dims):
    return reduce.std_mean(x, tuple(axis) if isinstance(axis, list) else axis, int(unbiased), keep_dims)


def _argextreme(fn):
    return lambda x, axis, output_type: fn(x, axis, output_type)


_TABLE = {
    **{name: Row(fn) for name, fn in _ONE.items()},
    **{name: Row(fn, ("input", "other")) for name, fn in _TWO.items()},
    "MatMul": Row(basic.matmul_2d, ("input", "mat2"), _PRODUCT),
    "BatchMatMul": Row(basic.matmul_batch, ("input", "mat2"), _PRODUCT),
    "Einsum": Row(lambda xs, equation: basic.einsum(equation, *xs), ("operands",), {"equation": REQUIRED}),
    "ReduceSum": Row(_reduce_sum, ("x", ("axis", ())), {"keep_dims": False, "skip_mode": False}),
    "ReduceMean": Row(_reduced(reduce.mean), ("x", ("axis", ())), _KEEP),
    "ReduceMax": Row(_reduced(reduce.amax), ("x", ("axis", ())), _KEEP),
    "ReduceMin": Row(_reduced(reduce.amin), ("x", ("axis", ())), _KEEP),
    "ReduceProd": Row(reduce.reduce_prod, ("x", ("axis", ())), _KEEP),
    "ReduceAll": Row(_reduced(reduce.all), ("x", ("axis", ())), _KEEP),
    "ReduceAny": Row(_reduced(reduce.any), ("x", ("axis", ())), _KEEP),
    "ReduceStd": Row(_reduce_std, ("x",), {"axis": [], "unbiased": True, "keep_dims": False}),
    "EuclideanNorm": Row(lambda x, axis, keep: norms.vector_norm(x, 2, axis, keep), ("x", ("axis", ())), _KEEP),
    "LpNorm": Row(_lp_norm, ("x",), {"axis": REQUIRED, "p": 2, "keep_dims": False, "epsilon": 1e-12}),
    "Argmax": Row(_argextreme(reduce.argmax_typed), ("x",), {"axis": -1, "output_type": int32}),
    "Argmin": Row(_argextreme(reduce.argmin_typed), ("x",), {"axis": -1, "output_type": int32}),
    "ArgMaxWithValue": Row(reduce.argmax_with_value, ("x",), {"axis": 0, "keep_dims": False}),
    "ArgMinWithValue": Row(reduce.argmin_with_value, ("x",), {"axis": 0, "keep_dims": False}),
    "CountNonZero": Row(lambda x, dims: reduce.count_nonzero(x, dims, False), ("x",), {"dims": None}),
    "CumSum": Row(cumulative.cumsum_primitive, ("x", "axis"), {"exclusive": False, "reverse": False}),
    "CumProd": Row(cumulative.cumprod_primitive, ("x", "axis"), {"exclusive": False, "reverse": False}),
    "Cummax": Row(cumulative.cummax, ("x",), {"axis": REQUIRED}),
    "Cummin": Row(cumulative.cummin, ("x",), {"axis": REQUIRED}),
    "IsClose": Row(compare.isclose, ("input", "other"), {"rtol": 1e-05, "atol": 1e-08, "equal_nan": False}),
    "ApproximateEqual": Row(_approximate_equal, ("x", "y"), {"tolerance": 1e-05}),
    "Lerp": Row(arithmetic.lerp, ("start", "end", "weight")),
    "Addcmul": Row(arithmetic.addcmul, ("input", "tensor1", "tensor2", ("value", 1))),
    "Addcdiv": Row(arithmetic.addcdiv, ("input", "tensor1", "tensor2", ("value", 1))),
    "NanToNum": Row(math.nan_to_num, ("x",), {"nan": None, "posinf": None, "neginf": None}),
    "Logit": Row(math.logit, ("x",), {"eps": -1.0}),
    "Mvlgamma": Row(math.mvlgamma, ("x",), {"p": REQUIRED}),
    "Cross": Row(
        lambda a, b, dim: basic.cross(a, b, None if dim == -65530 else dim), ("x1", "x2"), {"dim": -65530}
    ),
    "Cdist": Row(norms.cdist, ("x1", "x2"), {"p": 2.0}),
    "Cholesky": Row(basic.cholesky, ("x",), {"upper": False}),
    "CholeskySolve": Row(basic.cholesky_solve, ("x1", "x2"), {"upper": False}),
    "CholeskyInverse": Row(basic.cholesky_inverse, ("x",), {"upper": False}),
    "MatrixInverse": Row(
        lambda x, adjoint: basic.inverse(basic.adjoint(x) if adjoint else x), ("x",), {"adjoint": False}
    ),
    "MatrixSolve": Row(
        lambda a, b, adjoint: basic.matrix_solve(basic.adjoint(a) if adjoint else a, b),
        ("matrix", "rhs"),
        {"adjoint": False},
    ),
    "MatrixPower": Row(basic.matrix_power, ("x",), {"n": REQUIRED}),
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
