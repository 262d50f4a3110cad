"""Generated primitives that write into their first input; see `primitives.py`. Each is a method of Tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat import mint, ops
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.tensor import Tensor
from ms_compat.mint.nn import functional as F


def _write(target: Any, out: Any) -> Tensor:
    if out.shape != target.shape:
        raise ValueError(f"A result of shape {out.shape} does not fit into a tensor of shape {target.shape}.")
    out = out if out.dtype is target.dtype else out.astype(target.dtype)
    return shared_storage.write(target, out)


def _written(fn: Callable) -> Callable:
    def call(input: Any, *args: Any, **kwargs: Any) -> Tensor:
        return _write(input, fn(input, *args, **kwargs))

    return call


IN_PLACE: dict[str, Callable] = {
    "InplaceAddExt": lambda input, other, alpha=1: _write(input, mint.add(input, other, alpha=alpha)),
    "InplaceAddsExt": lambda input, other, alpha=1: _write(input, mint.add(input, other, alpha=alpha)),
    "InplaceSubExt": lambda input, other, alpha=1: _write(input, mint.sub(input, other, alpha=alpha)),
    "InplaceSubScalar": lambda input, other, alpha=1: _write(input, mint.sub(input, other, alpha=alpha)),
    "InplaceMul": _written(mint.mul),
    "InplaceMuls": _written(mint.mul),
    "InplaceDiv": _written(mint.div),
    "InplaceDivs": _written(mint.div),
    "InplaceDivMod": lambda input, other, rounding_mode=None: _write(
        input, mint.div(input, other, rounding_mode=rounding_mode)
    ),
    "InplaceDivMods": lambda input, other, rounding_mode=None: _write(
        input, mint.div(input, other, rounding_mode=rounding_mode)
    ),
    "InplaceFloorDivide": _written(mint.floor_divide),
    "InplaceFloorDivides": _written(mint.floor_divide),
    "InplaceRemainderTensorTensor": _written(mint.remainder),
    "InplaceRemainderTensorScalar": _written(mint.remainder),
    "InplaceAddmm": lambda input, mat1, mat2, beta=1, alpha=1: _write(
        input, mint.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    ),
    "InplaceClampScalar": _written(mint.clamp),
    "InplaceClampTensor": _written(mint.clamp),
    "InplaceElu": lambda input, alpha=1.0: _write(input, F.elu(input, alpha)),
    "InplaceErfinv": _written(mint.erfinv),
    "InplaceExp": _written(mint.exp),
    "InplaceFloor": _written(mint.floor),
    "InplaceLog": _written(mint.log),
    "InplaceReLU": _written(F.relu),
    "InplaceTanh": _written(mint.tanh),
    "InplaceSigmoid": _written(mint.sigmoid),
    "InplaceSign": _written(mint.sign),
    "InplaceHardtanh": lambda input, min_val=-1, max_val=1: _write(input, F.hardtanh(input, min_val, max_val)),
    "InplaceThreshold": lambda input, threshold, value: _write(input, F.threshold(input, threshold, value)),
    "InplaceZero": lambda input: input.zero_(),
    "InplaceCopy": lambda input, src, non_blocking=False: input.copy_(src),
    "InplaceFillScalar": lambda input, value: input.fill_(value),
    "InplaceFillTensor": lambda input, value: input.fill_(value),
    "InplaceFillDiagonal": lambda input, fill_value, wrap=False: input.fill_diagonal_(fill_value, wrap),
    "InplaceMaskedFillScalar": lambda input, mask, value: input.masked_fill_(mask, value),
    "InplaceMaskedFillTensor": lambda input, mask, value: input.masked_fill_(mask, value),
    "InplaceMaskedScatter": lambda input, mask, source: input.masked_scatter_(mask, source),
    "InplaceIndexAddExt": lambda input, dim, index, source, alpha=1: input.index_add_(dim, index, source, alpha=alpha),
    "InplaceIndexPut": lambda input, indices, values, accumulate=False: input.index_put_(indices, values, accumulate),
    "InnerInplaceIndexPut": lambda input, indices, values, accumulate=False: input.index_put_(
        indices, values, accumulate
    ),
    "InplaceScatterAdd": lambda input, dim, index, src: input.scatter_add_(dim, index, src),
    "InplaceScatterSrc": lambda input, dim, index, src: input.scatter_(dim, index, src),
    "InplaceScatterSrcReduce": lambda input, dim, index, src, reduce: input.scatter_(dim, index, src, reduce=reduce),
    "InplaceScatterValue": lambda input, dim, index, value: input.scatter_(dim, index, value),
    "InplaceScatterValueReduce": lambda input, dim, index, value, reduce: input.scatter_(
        dim, index, value, reduce=reduce
    ),
    "InplaceStopGradient": lambda input: ops.stop_gradient_(input),
}
