"""The primitives of `mindspore.ops.operations._csr_ops`, which take a CSR tensor by its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._core.tensor.sparse import CSRTensor
from ms_compat.ops.function.sparse import operations
from ms_compat.ops.primitive import Row, make_primitives


def _by_parts(fn: Callable) -> Callable:
    """The function of a CSRTensor and one more argument, on parts; for a CSRTensor result, the values."""

    def call(indptr: Any, indices: Any, values: Any, dense_shape: Any, other: Any) -> Any:
        out = fn(CSRTensor(indptr, indices, values, tuple(dense_shape)), other)
        return out.values if isinstance(out, CSRTensor) else out

    return call


_PARTS = ("indptr", "indices", "values", "dense_shape")

PRIMITIVES = make_primitives(
    {
        "COO2CSR": Row(operations.coo2csr, ("row_indices", "height")),
        "CSR2COO": Row(operations.csr2coo, ("indptr", "nnz")),
        "CSRDiv": Row(_by_parts(operations.csr_div), (*_PARTS, "dense")),
        "CSRGather": Row(operations.csr_gather, ("indptr", "indices", "dense", "sparse_shape")),
        "CSRMM": Row(_by_parts(operations.csr_mm_dense), (*_PARTS, "dense")),
        "CSRMV": Row(_by_parts(operations.csr_mv), (*_PARTS, "dense")),
        "CSRMul": Row(_by_parts(operations.csr_mul), (*_PARTS, "dense")),
        "CSRReduceSum": Row(_by_parts(operations.csr_reduce_sum), (*_PARTS, "axis")),
    },
    __name__,
)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
