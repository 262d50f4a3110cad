"""Primitives that MindSpore defines in inner modules and exports nowhere: a table, and what it needs beside `ops`."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat import ops
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import drawing_from
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._inner.gradients.base import ints, pull, zeros
from ms_compat.common.generator import Generator
from ms_compat.nn._cell.precision import cast_tree
from ms_compat.nn.layer.clip import ClipByNorm as _ClipByNorm
from ms_compat.ops._scalars import _gradient_axes
from ms_compat.ops.function.shape.create import arange, differentiable_range
from ms_compat.ops.function.sparse import coordinates as coo
from ms_compat.ops.function.update import steps
from ms_compat.ops.primitive import REQUIRED, Primitive, Row, make_primitives
from ms_compat.ops.primitives.update import Update, make_rows
from ms_compat.scipy.linalg import _eigh, solve_triangular
from ms_compat.scipy.optimize import linear_sum_assignment

_COMPLETE = (mstype.float32, mstype.float64, mstype.complex64, mstype.complex128)


def _floating(api: str, x: Any) -> Tensor:
    if not isinstance(x, Tensor) or x.dtype not in _COMPLETE:
        raise TypeError(f"For '{api}', the input must be a Tensor of Float32, Float64 or a complex type, but got {x}.")
    return x


# -- matrices --------------------------------------------------------------------------------------------------------
def _symmetric_eigen(api: str) -> Any:
    def call(x: Tensor, compute_v: bool, lower: bool = True) -> Any:
        """Eigenvalues in rising order, in the type of the matrix, and eigenvectors as columns if requested."""
        values, vectors = _eigh(_floating(api, x), lower)
        return (values, vectors) if compute_v else values

    return call


def _self_adjoint(x: Tensor, compute_v: bool) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of Hermitian matrices; MindSpore's CPU kernel gives these in any case."""
    values, vectors = _eigh(_floating("SelfAdjointEig", x), True)
    return values, vectors


def _eigen(x: Tensor, compute_v: bool) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of any matrix, both complex; no eigenvectors are the number 0."""
    values, vectors = ops.eig(_floating("Eig", x))
    return values, vectors if compute_v else zeros((), values.dtype)


@op
def _lu(x):
    factors, pivots, permutation = jax.lax.linalg.lu(x)
    return factors, pivots, jax.nn.one_hot(permutation, x.shape[-2], dtype=jnp.int32)


@op(static=("partial_pivoting",))
def _tridiagonal_solve(diagonals, rhs, partial_pivoting):
    """The solution for matrices given by the diagonal above, whose last number is not read, the middle, and below."""
    upper, middle, lower = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    lower = lower.at[..., 0].set(0)
    upper = upper.at[..., -1].set(0)
    return jax.lax.linalg.tridiagonal_solve(lower, middle, upper, rhs)


# -- shapes and types ------------------------------------------------------------------------------------------------
def _gradient_axes_of(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """The axes that the gradients of two broadcast operands are summed over."""
    return tuple([Tensor(np.array(axes, np.int64)) for axes in _gradient_axes(ints(x), ints(y))])  # type: ignore[return-value]


def _concat_offset(axis: Any, parts: Any) -> tuple[Tensor, ...]:
    """Where each part begins when Tensors of these shapes are joined along an axis."""
    at, offsets = int(axis), []
    start = np.zeros(len(parts[0]), np.int32)
    for part in parts:
        offsets.append(Tensor(start.copy()))
        start[at] += int(part[at])
    return tuple(offsets)


def _tile_size(shape: tuple, out_shape: tuple, ndim: int) -> tuple[int, ...]:
    """How often a Tensor is repeated along each axis to get another shape."""
    sizes = [1] * ndim
    for at, (have, want) in enumerate(zip(shape, out_shape, strict=False)):
        if have != want:
            sizes[at] = want
    return tuple(sizes)


def _is_subclass(sub_type: Any, type_: Any) -> bool:
    """Whether a MindSpore type belongs to a kind: `float32` of `float_`, a Tensor type of `tensor_type`."""
    if not isinstance(type_, mstype.Type):
        raise TypeError(f"For 'IsSubClass', the 'type_' must be a type of MindSpore, but got {type_!r}.")
    return sub_type is type_ or sub_type in _KINDS.get(type_, ()) or _of_class(sub_type, type_)


_KINDS: dict[Any, tuple[mstype.Type, ...]] = {
    mstype.float_: mstype.float_type, mstype.int_: mstype.int_type, mstype.uint: mstype.uint_type,
    mstype.number: mstype.number_type,
}  # fmt: skip


def _of_class(sub_type: Any, type_: Any) -> bool:
    return type_ is mstype.tensor_type and isinstance(sub_type, mstype.TensorType)


def _is_instance(inst: Any, type_: Any) -> bool:
    """Whether a value has a MindSpore type."""
    return _is_subclass(ops.typeof(inst), type_)


def _same_type_shape(x: Tensor, y: Tensor) -> Tensor:
    """The first of two Tensors that share type and shape.

    Raises:
        TypeError: the types differ.
        ValueError: the shapes differ.
    """
    if x.dtype is not y.dtype:
        raise TypeError(f"For 'SameTypeShape', both must have one type, but got {x.dtype} and {y.dtype}.")
    if x.shape != y.shape:
        raise ValueError(f"For 'SameTypeShape', both must have one shape, but got {x.shape} and {y.shape}.")
    return x


# -- caches of rows --------------------------------------------------------------------------------------------------
def _update_cache(input_x: Tensor, indices: Tensor, updates: Tensor, max_num: Any) -> Tensor:
    """Write rows into a table in place; indices that are negative or not below `max_num` do not count."""
    places = indices.reshape(-1)
    kept = ops.logical_and(places >= 0, places < max_num)
    rows = updates.reshape(-1, *input_x.shape[1:])
    shared_storage.write(input_x, _rows_written(input_x, places, kept, rows))
    return zeros((1,), mstype.float32)


@op
def _rows_written(table, places, kept, rows):
    return table.at[jnp.where(kept, places, table.shape[0])].set(rows.astype(table.dtype), mode="drop")


def _pad_and_shift(input_x: Tensor, cum_sum_arr: Tensor, shift_idx: int) -> Tensor:
    """The first numbers at their place among all: -1 up to the `shift_idx`-th sum, then the numbers, then -1."""
    sums = ints(cum_sum_arr)
    start, end = sums[shift_idx], sums[shift_idx + 1]
    out = np.full((sums[-1],), -1, input_x.dtype.np_dtype)
    out[start:end] = input_x.asnumpy()[: end - start]
    return Tensor(out)


def _dynamic_assign(variable: Parameter, value: Tensor) -> Parameter:
    """Give a Parameter a value, of another shape if need be."""
    variable.set_data(value, slice_shape=True)
    return variable


# -- images and losses -----------------------------------------------------------------------------------------------
@op
def _adjust_contrast(images, contrast_factor):
    mean = images.mean((-3, -2), keepdims=True)
    return ((images - mean) * contrast_factor + mean).astype(images.dtype)


def _crop_grad_image(
    grads: Tensor, boxes: Tensor, box_index: Tensor, image_size: Any, kind: Any, method: str
) -> Tensor:
    """The gradient of `ops.crop_and_resize` with respect to the images, whose shape is `image_size`."""
    size = tuple(grads.shape[1:3])
    cropped = ops.CropAndResize(method)
    return pull(lambda x: cropped(x, boxes, box_index, size), grads, zeros(image_size, mstype.float32)).astype(kind)


def _crop_grad_boxes(grads: Tensor, images: Tensor, boxes: Tensor, box_index: Tensor, method: str) -> Tensor:
    """The gradient of `ops.crop_and_resize` with respect to the boxes."""
    size, cropped = tuple(grads.shape[1:3]), ops.CropAndResize(method)
    return pull(lambda b: cropped(images.astype(mstype.float32), b, box_index, size), grads, boxes)


def _sparse_cross_entropy(features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The loss of each row, and its gradient.

    Raises:
        RuntimeError: a label is not a class.
    """
    numbers = labels.asnumpy()
    if ((numbers < 0) | (numbers >= features.shape[-1])).any():
        raise RuntimeError(f"The 'labels' must be classes of the {features.shape[-1]}, but got {numbers}.")
    hit = ops.one_hot(labels, features.shape[-1], Tensor(1, features.dtype), Tensor(0, features.dtype))
    loss = -ops.reduce_sum(ops.log_softmax(features, -1) * hit, -1)
    return loss, ops.softmax(features, -1) - hit


def _conv3d_input_grad(weight: Tensor, doutput: Tensor, input_size: Any, *how: Any) -> Tensor:
    """The gradient of `ops.Conv3D` with respect to its input."""
    forward = ops.Conv3D(*how)
    return pull(lambda x: forward(x, weight), doutput, zeros(input_size, doutput.dtype))


_CONV3D = {
    "out_channel": REQUIRED, "kernel_size": REQUIRED, "mode": 1, "pad_mode": "valid", "pad": 0, "stride": 1,
    "dilation": 1, "group": 1, "data_format": "NCDHW",
}  # fmt: skip

_TABLE = {
    "AddV2": Row(ops.add, ("x", "y")),
    "AdjustContrastv2": Row(_adjust_contrast, ("images", "contrast_factor")),
    "ClipByNorm": Row(lambda x, clip_norm, axis: _ClipByNorm(axis)(x, clip_norm), ("x", "clip_norm"), {"axis": None}),
    "ConcatOffsetV1": Row(_concat_offset, ("axis", "x")),
    "Conv3DBackpropInput": Row(_conv3d_input_grad, ("weight", "doutput", "input_size"), _CONV3D),
    "ConvertToDynamic": Row(
        lambda x, *_: x, ("input",), {"is_dynamic_rank": False, "is_dynamic_shape": True, "node_name": ""}
    ),
    "CropAndResizeGradBoxes": Row(
        _crop_grad_boxes, ("grads", "images", "boxes", "box_index"), {"method": "bilinear"}
    ),
    "CropAndResizeGradImage": Row(
        _crop_grad_image, ("grads", "boxes", "box_index", "image_size"), {"T": REQUIRED, "method": "bilinear"}
    ),
    "DynamicAssign": Row(_dynamic_assign, ("variable", "value")),
    "DynamicBroadcastGradientArgs": Row(_gradient_axes_of, ("s0", "s1")),
    "DynamicBroadcastTo": Row(lambda x, shape: ops.broadcast_to(x, ints(shape)), ("x", "shape")),
    "Eig": Row(_eigen, ("a",), {"compute_v": True}, {"compute_v": (bool,)}),
    "Eigh": Row(
        _symmetric_eigen("Eigh"), ("A",), {"compute_eigenvectors": True, "lower": True},
        {"compute_eigenvectors": (bool,), "lower": (bool,)},
    ),
    "IsConstant": Row(ops.isconstant, ("x",)),
    "IsInstance": Row(_is_instance, ("inst", "type_")),
    "IsParameter": Row(lambda x: isinstance(x, Parameter), ("x",)),
    "IsSubClass": Row(_is_subclass, ("sub_type", "type_")),
    "LU": Row(_lu, ("x",)),
    "LinearSumAssignment": Row(
        lambda cost, limit, maximize: linear_sum_assignment(cost, maximize, limit),
        ("cost_matrix", "dimension_limit", "maximize"),
    ),
    "Load": Row(lambda variable, u=None: variable, ("variable", ("u", None))),
    "MixedPrecisionCast": Row(lambda dtype, x: cast_tree(x, dtype.np_dtype), ("dst_dtype", "input_x")),
    "PadAndShift": Row(_pad_and_shift, ("input_x", "cum_sum_arr", "shift_idx")),
    "RangeV2": Row(
        lambda start, limit, delta, _: differentiable_range(arange(start, limit, delta), start, delta),
        ("start", "limit", "delta"), {"maxlen": 1000000},
    ),
    "ReLUV3": Row(ops.relu, ("input_x",)),
    "SameTypeShape": Row(_same_type_shape, ("x", "y")),
    "SelfAdjointEig": Row(_self_adjoint, ("x",), {"compute_v": True}, {"compute_v": (bool,)}),
    "SolveTriangular": Row(
        lambda a, b, lower, unit, trans: solve_triangular(a, b, trans, lower, unit), ("a", "b"),
        {"lower": False, "unit_diagonal": False, "trans": "N"},
    ),
    "SparseSegmentMean": Row(coo.sparse_segment("SparseSegmentMean", 1.0, False), ("x", "indices", "segment_ids")),
    "SparseSoftmaxCrossEntropyWithLogitsV2": Row(_sparse_cross_entropy, ("features", "labels")),
    "TileSize": Row(_tile_size, ("shape", "out_shape", "ndim")),
    "TopTypeof": Row(lambda x: mstype.tensor_type if isinstance(x, Tensor) else ops.typeof(x), ("x",)),
    "TridiagonalSolve": Row(
        _tridiagonal_solve, ("diagonals", "rhs"), {"partial_pivoting": True}, {"partial_pivoting": (bool,)}
    ),
    "UpdateCache": Row(_update_cache, ("input_x", "indices", "updates", "max_num")),
}  # fmt: skip


_STATES = {
    "SparseApplyAdagradDA": Update(
        steps.adagrad_da, ("var", "total", "squares"), returns=1, sparse="rows",
        inputs=("var", "total", "squares", "grad", "indices", "lr", "l1", "l2", "global_step"),
    ),
    "SparseApplyCenteredRMSProp": Update(
        steps.centered_rms_prop, ("var", "mean_gradient", "mean_square", "moment"), returns=1, sparse="rows",
        inputs=(
            "var", "mean_gradient", "mean_square", "moment", "lr", "decay", "momentum", "epsilon", "grad", "indices",
        ),
    ),
    "SparseApplyMomentum": Update(
        steps.heavy_ball, ("var", "accum"), {"use_nesterov": False}, returns=1, sparse="rows",
        inputs=("var", "accum", "lr", "grad", "indices", "momentum"),
    ),
    "SparseApplyProximalGradientDescent": Update(
        steps.proximal_gradient_descent, ("var",), gradient="delta", sparse="rows"
    ),
}  # fmt: skip


class Uniform(Primitive):
    """Numbers between `minval` and `maxval` in the shape and type of a Tensor.

    Args:
        minval (float): the least.
        maxval (float): the bound.
        seed, offset (int): begin a stream of this primitive's own, unless both are 0.

    Raises:
        TypeError: the Tensor does not hold floats.
    """

    def __init__(self, minval: float = 0.0, maxval: float = 1.0, seed: int = 0, offset: int = 0):
        super().__init__("Uniform")
        self.minval, self.maxval, self.seed, self.offset = minval, maxval, seed, offset
        self._stream = Generator().manual_seed(seed + offset) if seed or offset else None

    def __call__(self, x: Tensor) -> Tensor:
        if not jnp.issubdtype(x._v.dtype, jnp.floating):
            raise TypeError(f"For 'Uniform', 'x' must be a Tensor of floats, but got {x.dtype}.")
        with drawing_from(self._stream, self.name):
            drawn = ops.rand_like(x, dtype=mstype.float32)
        return (drawn * (self.maxval - self.minval) + self.minval).astype(x.dtype)


PRIMITIVES = {**make_primitives({**_TABLE, **make_rows(_STATES)}, __name__), "Uniform": Uniform}
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
