"""Generated primitives of Fourier and cosine transforms, views, comparison and least squares; see `primitives.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat import mint, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat._inner.gradients.base import ints, pull
from ms_compat.mint.nn import functional as F
from ms_compat.numpy import correlate
from ms_compat.ops.function.nn.checks import axis_of
from ms_compat.ops.primitive import Row
from ms_compat.scipy import fft as scipy_fft
from ms_compat.scipy.linalg import solve_triangular


def _cosine(transform: Callable) -> Callable:
    def call(x: Any, type: int = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Tensor:
        if norm not in (None, "ortho"):
            raise ValueError(f"The 'norm' must be 'ortho', but got {norm!r}.")
        return transform(x, type, n, axis, "ortho")

    return call


def _many(transform: Callable) -> Callable:
    call = _cosine(transform)
    return lambda x, type=2, s=None, axes=None, norm=None: call(x, type, s, axes, norm)


def _ortho(input: Any, axes: Any = None, forward: bool = True) -> Tensor:
    """A cosine transform's result with its orthonormal weights (`forward`), or without them."""
    axes = range(input.ndim) if axes is None else ints(axes)
    for axis in axes:
        size = input.shape[axis]
        first = Tensor([1.0 if place == 0 else 2**0.5 for place in range(size)], input.dtype) / (2 * size**0.5)
        weight = first.reshape([size if place == axis % input.ndim else 1 for place in range(input.ndim)])
        input = input * weight if forward else input / weight
    return input


def _fitted(input: Any, shape: Any) -> Tensor:
    """The Tensor cut, or padded with zeros at the ends, to a shape."""
    wanted = ints(shape)
    cut = input[tuple([slice(0, size) for size in wanted])]
    lacking = [size - have for size, have in zip(wanted, cut.shape, strict=True)]
    return F.pad(cut, tuple([side for size in reversed(lacking) for side in (0, size)])) if any(lacking) else cut


def _copy_slices(x: Any, value: Any, begin: Any, end: Any, strides: Any) -> Tensor:
    """The Tensor with `value` in the slices."""
    out = x.copy()
    out[tuple([slice(*place) for place in zip(ints(begin), ints(end), ints(strides), strict=True)])] = value
    return out


@op
def _solution(a, b):
    flat = b[:, None] if b.ndim == 1 else b
    out = jnp.linalg.pinv(a) @ flat
    return out[:, 0] if b.ndim == 1 else out


def _least_squares(a: Any, b: Any, driver: Any = None) -> tuple[Tensor, ...]:
    """The solution, the residuals, the rank and the singular values; drivers "gelsd" and "gelss" give all four."""
    solution, values = _solution(a, b), mint.linalg.svdvals(a) if hasattr(mint.linalg, "svdvals") else ops.svd(a)[0]
    floor = values.max() * max(a.shape) * jnp.finfo(a.dtype.np_dtype).eps
    rank, nothing = (values > floor).sum().astype(mstype.int64), mint.zeros((0,), dtype=a.dtype)
    if driver not in ("gelsd", "gelss"):
        return solution, nothing, rank, nothing
    errors = ops.square(ops.sub(ops.matmul(a, solution), b)).sum(0)
    full = a.shape[0] > a.shape[1] and int(rank) == a.shape[1]
    return solution, errors.reshape(-1) if full else nothing, rank, values


TRANSFORMS: dict[str, Callable] = {
    **{
        name.upper(): getattr(ops, name)
        for name in (
            "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 hfft2 ihfft2 fftn ifftn rfftn irfftn hfftn ihfftn"
        ).split()
    },
    "FFTFreq": lambda n, d=1.0, dtype=None: ops.fftfreq(n, d, dtype),
    "FFTOrtho": _ortho,
    "FFTShapeCopy": _fitted,
    "FFTShift": lambda input, dim=None: ops.fftshift(input, dim),
    "IFFTShift": lambda input, dim=None: ops.ifftshift(input, dim),
    "RFFTFreq": lambda n, d=1.0, dtype=None: ops.rfftfreq(n, d, dtype),
    "DCT": _cosine(scipy_fft.dct),
    "IDCT": _cosine(scipy_fft.idct),
    "DCTN": _many(scipy_fft.dctn),
    "IDCTN": _many(scipy_fft.idctn),
    # views and copies
    "DiagonalView": lambda input, offset=0, dim1=0, dim2=1: ops.diagonal(input, offset, dim1, dim2),
    "Detach": lambda input: ops.stop_gradient(input),
    "Empty": lambda size, dtype=None, device=None: mint.empty(ints(size), dtype=dtype),
    "EmptyLike": lambda input, dtype=None, device=None: mint.empty_like(input, dtype=dtype),
    "GatherNdExt": lambda input, indices: ops.gather_nd(input, indices),
    "ImagView": lambda input: ops.imag(input),
    "NewEmpty": lambda input, size, dtype=None, device=None: mint.empty(ints(size), dtype=dtype or input.dtype),
    "NewFull": lambda input, size, fill_value, dtype=None: mint.full(
        ints(size), fill_value, dtype=dtype or input.dtype
    ),
    "RealView": lambda input: ops.real(input),
    "TensorCopySlices": _copy_slices,
    "ToDevice": lambda input, device=None, dtype=None, non_blocking=False, copy=False: _to(input, dtype, copy),
    "ToDtype": lambda input, dtype=None, non_blocking=False, copy=False: _to(input, dtype, copy),
    "ToOther": lambda input, other, non_blocking=False, copy=False: _to(input, other.dtype, copy),
    "View": lambda input, shape: input.view(ints(shape)),
    "ViewDtype": lambda input, dtype: input.view(dtype),
    # numbers
    "Any": lambda input: mint.any(input),
    "AnyExt": lambda input, dim, keepdim=False: mint.any(input, dim, keepdim),
    "BoolNot": lambda input: Tensor(not input),
    "CosineEmbeddingLoss": lambda input1, input2, target, margin=0.0, reduction="mean": ops.cosine_embedding_loss(
        input1, input2, target, margin, reduction
    ),
    "EinsumExt": lambda equation, operands: ops.einsum(equation, *operands),
    "EqScalar": lambda input, other: ops.equal(input, other),
    "LessScalar": lambda input, other: ops.less(input, other),
    "LstsqV2": _least_squares,
    "LstsqV2Grad": lambda gX, A, B: pull(_solution, gX, A, B),
    "MaskedFillScalar": lambda input_x, mask, value: ops.masked_fill(input_x, mask, value),
    "SolveTriangular": lambda a, b, trans=0, lower=False, unit_diagonal=False: solve_triangular(
        a, b, trans, lower, unit_diagonal
    ),
    "TraceV2": lambda input, offset=0, axis1=1, axis2=0, dtype=None: _trace(input, offset, axis1, axis2, dtype),
    "TraceV2Grad": lambda dout, shape, offset=0, axis1=1, axis2=0: _trace_grad(dout, shape, offset, axis1, axis2),
    "Vdot": lambda input, other: ops.reduce_sum(ops.mul(ops.conj(input), other)),
    # in place
    "InplaceAddr": lambda input, vec1, vec2, beta=1, alpha=1: shared_storage.write(
        input, ops.addr(input, vec1, vec2, beta, alpha)
    ),
    "InplaceIndexCopy": lambda variable, dim, index, tensor: variable.index_copy_(dim, index, tensor),
    "InplaceIndexFillScalar": lambda input, dim, index, value: input.index_fill_(dim, index, value),
    "InplaceIndexFillTensor": lambda input, dim, index, value: input.index_fill_(dim, index, value),
    "InplaceMatmulAdd": lambda x, weight, C: shared_storage.write(
        C, ops.add(C, ops.matmul(ops.swapaxes(x, -1, -2), weight))
    ),
    "InplaceSiLU": lambda input: shared_storage.write(input, F.silu(input)),
}


@op(static=("p",))
def _distance_grad(grad, x, y, cdist, p):
    """The gradient of `ops.cdist` with respect to its first points, given the distances; 0 where points coincide."""
    apart = x[..., :, None, :] - y[..., None, :, :]
    share = jnp.sign(apart) * jnp.abs(apart) ** (p - 1) / jnp.where(cdist == 0, 1, cdist)[..., None] ** (p - 1)
    return (grad[..., None] * jnp.where(cdist[..., None] == 0, 0, share)).sum(-2).astype(x.dtype)


def _to(input: Tensor, dtype: Any, copy: bool) -> Tensor:
    out = input if dtype is None or dtype is input.dtype else input.astype(dtype)
    return out.copy() if copy and out is input else out


def _trace(input: Tensor, offset: int, axis1: int, axis2: int, dtype: Any) -> Tensor:
    """The sum of a diagonal, in Int64 for integers that are smaller."""
    out = ops.diagonal(input, offset, axis1, axis2)
    whole = dtype is None and input.dtype in (*mstype.int_type, *mstype.uint_type)
    return out.sum(-1, dtype=mstype.int64 if whole else dtype or input.dtype)


@op(static=("shape", "offset", "rows", "columns"))
def _on_diagonal(dout, shape, offset, rows, columns):
    """Zeros of a shape with `dout` in every place of the diagonal that runs along the axes `rows` and `columns`."""
    flat = jnp.zeros((shape[rows], shape[columns], *dout.shape), dout.dtype)
    count = max(0, min(shape[rows] + min(offset, 0), shape[columns] - max(offset, 0)))
    places = jnp.arange(count)
    return jnp.moveaxis(flat.at[places - min(offset, 0), places + max(offset, 0)].set(dout), (0, 1), (rows, columns))


def _trace_grad(dout: Tensor, shape: Any, offset: int, axis1: int, axis2: int) -> Tensor:
    """The gradient of `TraceV2` for an input of a shape."""
    sizes = ints(shape)
    rows, columns = (axis_of("TraceV2Grad", "axis", axis, len(sizes)) for axis in (axis1, axis2))
    if rows == columns:
        raise ValueError(f"For 'TraceV2Grad', 'axis1' and 'axis2' must differ, but both are {axis1}.")
    return _on_diagonal(dout, sizes, offset, rows, columns)


BUILT_TRANSFORMS: dict[str, Row] = {
    "CdistGrad": Row(
        lambda grad, x, y, cdist, p: _distance_grad(grad, x, y, cdist, p),
        ("grad", "x", "y", "cdist"),
        {"p": 2.0},
    ),
    "Correlate": Row(lambda a, v, mode: correlate(a, v, mode), ("a", "v"), {"pad_mode": "valid"}),
    "Diagonal": Row(ops.diagonal, ("input",), {"offset": 0, "dim1": 0, "dim2": 1}),
    "EluExt": Row(lambda input_x, alpha: F.elu(input_x, alpha), ("input_x",), {"alpha": 1.0}),
}
