"""The primitives that MindSpore generates from its operator descriptions: `ops.auto_generate` and the layer below it.

`SumExt()(x, dim, keepdim, dtype)`, its instance `sum_ext_op`, the function `sum_ext` and the inner `reduce_max_impl`
are what `mint` and the public functions are made of on MindSpore; programs that patch or copy the framework call them
by name. Here each is a row of a table: the public function, or a lambda whose parameters are the primitive's. Names are
looked up at their first use. The gradients among them are in `gradients/`; gradients of most Ascend fused
kernels are not here, and `from ... import` says so.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ms_compat import mint, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat._inner.generated.communication import COMMUNICATION
from ms_compat._inner.generated.fused import BUILT_FUSED, FUSED
from ms_compat._inner.generated.in_place import IN_PLACE
from ms_compat._inner.generated.random import RANDOM
from ms_compat._inner.generated.shapes import SHAPES
from ms_compat._inner.generated.transforms import BUILT_TRANSFORMS, TRANSFORMS
from ms_compat.mint.nn import functional as F
from ms_compat.ops.primitive import REQUIRED, Primitive, Row, make_primitives

# Their inputs are the function's inputs.
_SAME: dict[str, Callable] = {
    "AcosExt": mint.acos, "AcoshExt": mint.acosh, "AsinExt": mint.asin, "AsinhExt": mint.asinh, "Atan2Ext": mint.atan2,
    "AtanExt": mint.atan, "BitwiseNot": mint.bitwise_not, "Clone": mint.clone, "Contiguous": mint.clone,
    "Copy": mint.clone, "Dot": mint.dot, "Exp2": mint.exp2, "Frac": mint.frac, "IsNegInf": mint.isneginf,
    "Log10": mint.log10, "Log2": mint.log2, "LogAddExp": mint.logaddexp, "LogAddExp2": mint.logaddexp2,
    "MatMulExt": mint.matmul, "BatchMatMulExt": mint.bmm, "Mm": mint.mm, "Mv": mint.mv, "Outer": mint.outer,
    "MatrixInverseExt": mint.inverse, "Max": mint.max, "Min": mint.min, "MedianExt": mint.median,
    "MishExt": F.mish, "SeLUExt": F.selu, "SiLU": F.silu, "Sub": ops.sub, "Divs": mint.div, "Muls": mint.mul,
    "EqualExt": mint.equal, "Tan": mint.tan, "TExt": mint.t, "TraceExt": mint.trace, "Take": mint.take,
    "BitwiseAndScalar": mint.bitwise_and, "BitwiseAndTensor": mint.bitwise_and, "BitwiseOrScalar": mint.bitwise_or,
    "BitwiseOrTensor": mint.bitwise_or, "BitwiseXorScalar": mint.bitwise_xor, "BitwiseXorTensor": mint.bitwise_xor,
    "FloorDivScalar": mint.floor_divide, "FmodScalar": mint.fmod, "FmodTensor": mint.fmod,
    "GreaterEqualScalar": mint.greater_equal, "PowScalarTensor": mint.pow, "PowTensorScalar": mint.pow,
    "RemainderScalarTensor": mint.remainder, "RemainderTensorScalar": mint.remainder,
    "RemainderTensorTensor": mint.remainder, "XLogYScalarOther": mint.xlogy, "XLogYScalarSelf": mint.xlogy,
    "ClampScalar": mint.clamp, "ClampTensor": mint.clamp, "LeakyReLUExt": F.leaky_relu, "Threshold": F.threshold,
    "Hardtanh": F.hardtanh, "CummaxExt": mint.cummax, "CumminExt": mint.cummin, "LogSigmoidExt": F.logsigmoid,
}  # fmt: skip

_MATH: dict[str, Callable] = {
    "AddExt": lambda input, other, alpha=1: mint.add(input, other, alpha=alpha),
    "AddScalar": lambda input, other, alpha=1: mint.add(input, other, alpha=alpha),
    "SubExt": lambda input, other, alpha=1: mint.sub(input, other, alpha=alpha),
    "SubScalar": lambda input, other, alpha=1: mint.sub(input, other, alpha=alpha),
    "DivMod": lambda input, other, rounding_mode=None: mint.div(input, other, rounding_mode=rounding_mode),
    "DivMods": lambda input, other, rounding_mode=None: mint.div(input, other, rounding_mode=rounding_mode),
    "Addbmm": lambda input, batch1, batch2, beta=1, alpha=1: mint.addbmm(input, batch1, batch2, beta=beta, alpha=alpha),
    "Addmm": lambda input, mat1, mat2, beta=1, alpha=1: mint.addmm(input, mat1, mat2, beta=beta, alpha=alpha),
    "Addmv": lambda input, mat, vec, beta=1, alpha=1: mint.addmv(input, mat, vec, beta=beta, alpha=alpha),
    "Baddbmm": lambda input, batch1, batch2, beta=1, alpha=1: mint.baddbmm(
        input, batch1, batch2, beta=beta, alpha=alpha
    ),
    "AddcdivExt": lambda input, tensor1, tensor2, value=1: mint.addcdiv(input, tensor1, tensor2, value=value),
    "AddcmulExt": lambda input, tensor1, tensor2, value=1: ops.add(input, ops.mul(ops.mul(tensor1, tensor2), value)),
    "GeluExt": lambda input, approximate="none": F.gelu(input, approximate=approximate),
    "SoftplusExt": lambda input, beta=1, threshold=20: F.softplus(input, beta, threshold),
    "LogSigmoid": lambda input: (F.logsigmoid(input), mint.exp(mint.neg(mint.abs(input)))),
    "Swiglu": lambda input, dim=-1: ops.swiglu(input, dim),
    "BinaryCrossEntropyWithLogits": lambda input, target, weight=None, posWeight=None, reduction="mean": (
        F.binary_cross_entropy_with_logits(input, target, weight, reduction, posWeight)
    ),
    "KLDiv": lambda input, target, reduction="mean", log_target=False: F.kl_div(input, target, reduction, log_target),
    "L1LossExt": lambda input, target, reduction="mean": F.l1_loss(input, target, reduction),
    "MSELossExt": lambda input, target, reduction="mean": F.mse_loss(input, target, reduction),
    "LinalgQr": lambda A, mode="reduced": mint.linalg.qr(A, mode),
    "TriangularSolve": lambda b, A, upper=True, transpose=False, unitriangular=False: mint.triangular_solve(
        b, A, upper, transpose, unitriangular
    ),
    "RotaryPositionEmbedding": lambda x, cos, sin, mode=0: ops.rotary_position_embedding(x, cos, sin, mode),
}

_REDUCTIONS: dict[str, Callable] = {
    "SumExt": lambda input, dim=None, keepdim=False, dtype=None: mint.sum(input, dim, keepdim, dtype=dtype),
    "MeanExt": lambda input, dim=None, keepdim=False, dtype=None: mint.mean(input, dim, keepdim, dtype=dtype),
    "ProdExt": lambda input, dim=None, keepdim=False, dtype=None: _prod(input, dim, keepdim, dtype),
    "Nansum": lambda input, dim=None, keepdim=False, dtype=None: mint.nansum(input, dim, keepdim, dtype=dtype),
    "MaxDim": lambda input, dim, keepdim=False: mint.max(input, dim, keepdim),
    "MinDim": lambda input, dim, keepdim=False: mint.min(input, dim, keepdim),
    "MedianDim": lambda input, dim=-1, keepdim=False: mint.median(input, dim, keepdim),
    "ArgMaxExt": lambda input, dim=None, keepdim=False: mint.argmax(input, dim, keepdim),
    "ArgMinExt": lambda input, dim=None, keepdim=False: mint.argmin(input, dim, keepdim),
    "ArgSort": lambda input, dim=-1, descending=False, stable=False: mint.argsort(input, dim, descending, stable),
    "SortExt": lambda input, dim=-1, descending=False, stable=False: mint.sort(
        input, dim=dim, descending=descending, stable=stable
    ),
    "TopkExt": lambda input, k, dim=-1, largest=True, sorted=True: mint.topk(input, k, dim, largest, sorted),
    "Kthvalue": lambda input, k, dim=-1, keepdim=False: mint.kthvalue(input, k, dim, keepdim),
    "CountNonZero": lambda input, dim=None: mint.count_nonzero(input, dim),
    "CumsumExt": lambda input, dim, dtype=None: mint.cumsum(input, dim, dtype=dtype),
    "LogSumExp": lambda input, dim, keepdim=False: mint.logsumexp(input, dim, keepdim),
    "Norm": lambda input, p=2.0, dim=None, keepdim=False, dtype=None: mint.norm(input, p, dim, keepdim, dtype=dtype),
    "LinalgVectorNorm": lambda x, ord=2, dim=None, keepdim=False, dtype=None: mint.linalg.vector_norm(
        x, ord, dim, keepdim, dtype=dtype
    ),
    "Std": lambda input, dim=None, correction=1, keepdim=False: mint.std(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "Var": lambda input, dim=None, correction=1, keepdim=False: mint.var(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "StdMean": lambda input, dim=None, correction=1, keepdim=False: mint.std_mean(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "VarMean": lambda input, dim=None, correction=1, keepdim=False: mint.var_mean(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "BincountExt": lambda input, weights=None, minlength=0: mint.bincount(input, weights, minlength),
    "HistcExt": lambda input, bins=100, min=0, max=0: mint.histc(input, bins, min, max),
    "Unique2": lambda input, sorted=True, return_inverse=False, return_counts=False: _unique(
        input, sorted, return_inverse, return_counts
    ),
    "UniqueDim": lambda input, sorted, return_inverse, dim: mint.unique(input, sorted, return_inverse, True, dim),
}

# What `pyboost_inner_prim` holds: functions named after the primitive, with the constructor's arguments at the end.
_INNER = {
    "argmax_with_value": lambda input, axis, keep_dims: ops.ArgMaxWithValue(axis, keep_dims)(input),
    "argmin_with_value": lambda input, axis, keep_dims: ops.ArgMinWithValue(axis, keep_dims)(input),
    "batch_mat_mul": lambda x, y, transpose_a, transpose_b: ops.BatchMatMul(transpose_a, transpose_b)(x, y),
    "binary_cross_entropy": lambda input, target, weight, reduction: F.binary_cross_entropy(
        input, target, weight, reduction
    ),
    "binary_cross_entropy_with_logits": lambda input, target, weight, posWeight, reduction: (
        F.binary_cross_entropy_with_logits(input, target, weight, reduction, posWeight)
    ),
    "broadcast_to": lambda input, shape: ops.broadcast_to(input, shape),
    "cdist": lambda x1, x2, p: ops.cdist(x1, x2, p),
    "concat": lambda tensors, axis: ops.concat(tensors, axis),
    "cross": lambda input, other, dim: ops.cross(input, other, dim),
    "cummax": lambda input, axis: ops.cummax(input, axis),
    "elu_ext": lambda input, alpha: F.elu(input, alpha),
    "glu": lambda x, axis: ops.glu(x, axis),
    "grid_sampler_2d": lambda x, grid, mode, padding_mode, align: ops.grid_sample(x, grid, mode, padding_mode, align),
    "grid_sampler_3d": lambda x, grid, mode, padding_mode, align: ops.grid_sample(x, grid, mode, padding_mode, align),
    "hshrink": lambda input, lambd: ops.hardshrink(input, lambd),
    "isclose": lambda input, other, rtol, atol, equal_nan: ops.isclose(input, other, rtol, atol, equal_nan),
    "log_softmax": lambda logits, axis: ops.log_softmax(logits, axis),
    "matmul": lambda input, mat2, transpose_a, transpose_b: ops.MatMul(transpose_a, transpose_b)(input, mat2),
    "meshgrid": lambda inputs, indexing: ops.meshgrid(*inputs, indexing=indexing),
    "nan_to_num": lambda input, nan, posinf, neginf: ops.nan_to_num(input, nan, posinf, neginf),
    "nllloss": lambda logits, labels, weight, reduction, ignore_index: ops.NLLLoss(reduction, ignore_index)(
        logits, labels, weight
    ),
    "one_hot_ext": lambda tensor, num_classes, on_value, off_value, axis: ops.OneHot(axis)(
        tensor, num_classes, on_value, off_value
    ),
    "reduce_all": lambda input, axis, keep_dims: ops.ReduceAll(keep_dims)(input, () if axis is None else axis),
    "reduce_any": lambda x, axis, keep_dims: ops.ReduceAny(keep_dims)(x, () if axis is None else axis),
    "reduce_max": lambda x, axis, keep_dims: ops.ReduceMax(keep_dims)(x, () if axis is None else axis),
    "reduce_min": lambda x, axis, keep_dims: ops.ReduceMin(keep_dims)(x, () if axis is None else axis),
    "reverse_v2": lambda input, axis: ops.flip(input, (axis,) if isinstance(axis, int) else tuple(axis)),
    "rms_norm": lambda x, gamma, epsilon: ops.rms_norm(x, gamma, epsilon),
    "roll": lambda input, shifts, dims: mint.roll(input, shifts, dims),
    "softmax": lambda input, axis: ops.Softmax(axis)(input),
    "softshrink": lambda input, lambd: ops.softshrink(input, lambd),
    "soft_margin_loss": lambda input, target, reduction: ops.soft_margin_loss(input, target, reduction),
    "smooth_l1_loss": lambda input, target, beta, reduction: ops.smooth_l1_loss(input, target, beta, reduction),
    "split": lambda input_x, axis, output_num: ops.Split(axis, output_num)(input_x),
    "squeeze": lambda input, axis: ops.Squeeze(axis)(input),
    "stack_ext": lambda tensors, dim: mint.stack(tensors, dim),
    "triu": lambda input, diagonal: ops.triu(input, diagonal),
    "unique_consecutive": lambda input, inverse, counts, dim: _consecutive(input, inverse, counts, dim),
}

# Primitives whose constructor takes arguments.
_BUILT = {
    "OneHotExt": Row(
        lambda tensor, num_classes, on_value, off_value, axis: ops.OneHot(axis)(
            tensor, num_classes, on_value, off_value
        ),
        ("tensor", "num_classes", "on_value", "off_value"),
        {"axis": -1},
    ),
    "StackExt": Row(lambda tensors, dim: mint.stack(tensors, dim), ("tensors",), {"dim": 0}),
    "MaxPoolWithIndices": Row(
        lambda x, *how: ops.MaxPoolWithArgmaxV2(*how)(x),
        ("x",),
        {
            "kernel_size": REQUIRED,
            "strides": None,
            "pads": 0,
            "dilation": (1, 1),
            "ceil_mode": False,
            "argmax_type": mstype.int64,
        },
    ),
}


def _prod(x: Any, dim: int | None, keepdim: bool, dtype: Any) -> Tensor:
    return mint.prod(x, dtype=dtype) if dim is None else mint.prod(x, dim, keepdim, dtype=dtype)


def _unique(x: Any, sort: bool, inverse: bool, counts: bool) -> tuple[Tensor, Tensor, Tensor]:
    """All three results in every case, as the primitive gives them; MindSpore leaves the unneeded ones empty."""
    values, positions, numbers = mint.unique(x, sort, True, True)
    empty = mint.zeros((0,), dtype=positions.dtype)
    return values, positions if inverse or counts else empty, numbers if counts else empty


def _consecutive(x: Any, inverse: bool, counts: bool, dim: int | None) -> tuple[Tensor, Tensor, Tensor]:
    """All three results, the number 0 for the unneeded ones."""
    values, positions, numbers = ops.unique_consecutive(x, True, True, dim)
    nothing = mint.zeros((), dtype=positions.dtype)
    return values, positions if inverse else nothing, numbers if counts else nothing


class FacePrimitive(Primitive):
    """A primitive without settings: its call is a function of the table."""

    _fn: Callable

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._fn(*args, **kwargs)


def make_faces(table: dict[str, Callable], module: str) -> dict[str, type[Primitive]]:
    """The classes that a table of functions defines."""
    return {
        name: type(name, (FacePrimitive,), {"_fn": staticmethod(fn), "__module__": module, "__doc__": fn.__doc__})
        for name, fn in table.items()
    }


_FACES = {
    **_SAME, **_MATH, **_REDUCTIONS, **SHAPES, **IN_PLACE, **RANDOM, **FUSED, **COMMUNICATION, **TRANSFORMS,
}  # fmt: skip
_CLASSES: dict[str, Any] = {
    **make_faces(_FACES, __name__),
    **make_primitives({**_BUILT, **BUILT_FUSED, **BUILT_TRANSFORMS}, __name__),
}
_BY_PLAIN_NAME = {name.lower(): name for name in _CLASSES}
_BY_PLAIN_NAME |= {"mmext": "Mm", "bmmext": "BatchMatMulExt", "inplaceindexadd": "InplaceIndexAddExt"}
globals().update(_CLASSES)
__all__ = list(_CLASSES)


@functools.cache
def module_attribute(name: str) -> Any:
    """`sum_ext_op` and `sum_ext` are an instance of the class `SumExt`, `reduce_max_impl` is an inner function."""
    stem, _, kind = name.rpartition("_")
    found: Any = None
    if kind == "impl":
        found = _INNER.get(stem)
    if found is None and kind in ("op", "impl", "ext"):
        plain = (name if kind == "ext" else stem).replace("_", "")
        if plain in _BY_PLAIN_NAME:
            named: Any = _CLASSES[_BY_PLAIN_NAME[plain]]
            needs_more = named._row is not None and REQUIRED in named._row.parameters.values()
            found = _function(named) if needs_more else named()
    return found


def _function(kind: Any) -> Callable:
    """A primitive as a function, which takes the constructor's arguments after the inputs."""
    row = kind._row
    if row is None:
        return kind()
    names = [item if isinstance(item, str) else item[0] for item in row.inputs]
    count = len(names)

    def call(*args: Any, **kwargs: Any) -> Any:
        settings = dict(zip(row.parameters, args[count:], strict=False))
        settings |= {key: kwargs.pop(key) for key in list(kwargs) if key in row.parameters}
        return kind(**settings)(*args[:count], **kwargs)

    return call


@functools.cache
def function_of(name: str) -> Callable | None:
    """The function that MindSpore makes of a primitive: `swiglu_grad` of `SwigluGrad`, `exp_` of `InplaceExp`."""
    from ms_compat._names import module_exports
    from ms_compat._names.resolve import served

    module = "mindspore.ops.auto_generate.gen_ops_prim"
    classes = {kind.lower(): kind for kind in module_exports.names(module) if kind[0].isupper()}
    plain = name.replace("_", "")
    for wanted in ("inplace" + plain, plain) if name.endswith("_") else (plain,):
        found = served(f"{module}.{classes[wanted]}") if wanted in classes else None
        if isinstance(found, type) and issubclass(found, Primitive):
            return _function(found)
    return None
