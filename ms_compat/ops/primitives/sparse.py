"""Primitives of sparse tensors and of segments."""

from __future__ import annotations

from ms_compat._core.faces import table_faces
from ms_compat.ops.function.indexing import gather
from ms_compat.ops.function.reduction import segment
from ms_compat.ops.function.sparse import dense, host
from ms_compat.ops.primitive import Row, make_primitives

_SEGMENT = ("input_x", "segment_ids")
_ADJOINT = {"adjoint_st": False, "adjoint_dt": False}

_TABLE = {
    "Coalesce": Row(host.coalesce, ("x_indices", "x_values", "x_shape")),
    "SegmentMax": Row(segment.segment_max, _SEGMENT),
    "SegmentMean": Row(segment.segment_mean, _SEGMENT),
    "SegmentMin": Row(segment.segment_min, _SEGMENT),
    "SegmentProd": Row(segment.segment_prod, _SEGMENT),
    "SegmentSum": Row(segment.segment_sum, _SEGMENT),
    "SparseGatherV2": Row(gather.gather, ("input_params", "input_indices", "axis")),
    "SparseSlice": Row(host.sparse_slice, ("indices", "values", "shape", "start", "size")),
    "SparseTensorDenseAdd": Row(dense.sparse_tensor_dense_add, ("x1_indices", "x1_values", "x1_shape", "x2")),
    "SparseTensorDenseMatmul": Row(
        dense.sparse_tensor_dense_matmul,
        ("indices", "values", "sparse_shape", "dense"),
        _ADJOINT,
        {"adjoint_st": (bool,), "adjoint_dt": (bool,)},
    ),
    "SparseToDense": Row(dense.sparse_to_dense, ("indices", "values", "sparse_shape")),
}

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
