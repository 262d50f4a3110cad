"""Primitives of `mindspore.ops.operations.sparse_ops` that MindSpore exports nowhere else."""

from __future__ import annotations

import jax.numpy as jnp

from ms_compat.ops.function.sparse import coordinates as coo
from ms_compat.ops.function.sparse import csr, sets
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives

_COO = ("indices", "values", "shape")
_DENSE = ("x1_indices", "x1_values", "x1_shape", "x2")
_PAIR = ("x1_indices", "x1_values", "x1_shape", "x2_indices", "x2_values", "x2_shape")
_SEGMENT = ("x", "indices", "segment_ids")
_CSR_PAIR = tuple([name.replace("x_", f"x{number}_", 1) for number in (1, 2) for name in csr.CSR])
_SET = {"set_operation": "a-b", "validate_indices": True}

_TABLE = {
    "CSRSparseMatrixToDense": Row(csr.csr_to_dense, csr.CSR),
    "CSRSparseMatrixToSparseTensor": Row(csr.csr_to_coo, csr.CSR),
    "DenseToCSRSparseMatrix": Row(csr.dense_to_csr, ("dense_input", "indices")),
    "DenseToDenseSetOperation": Row(
        sets.dense_to_dense_set_operation, ("x1", "x2"), _SET, check=sets.check_operation
    ),
    "DenseToSparseSetOperation": Row(
        sets.dense_to_sparse_set_operation, ("x1", "x2_indices", "x2_values", "x2_shape"), _SET,
        check=sets.check_operation,
    ),
    "RaggedTensorToSparse": Row(
        coo.ragged_to_sparse, ("rt_nested_splits", "rt_dense_values"), {"Tsplits": REQUIRED}
    ),
    "SetSize": Row(sets.set_size, ("set_indices", "set_values", "set_shape"), {"validate_indices": True}),
    "SparseAdd": Row(coo.sparse_add, (*_PAIR, "thresh")),
    "SparseAddmm": Row(
        coo.sparse_addmm, ("indices", "values", "sparse_shape", "x2_dense", "x3_dense", "alpha", "beta")
    ),
    "SparseConcat": Row(
        coo.sparse_concat, ("sp_input_indices", "sp_input_values", "sp_input_shapes"), {"concat_dim": 0},
        {"concat_dim": (int,)},
    ),
    "SparseCountSparseOutput": Row(
        coo.sparse_count, ("indices", "values", "dense_shape", "weights"),
        {"binary_output": False, "minlength": -1, "maxlength": -1},
        {"binary_output": (bool,), "minlength": (int,), "maxlength": (int,)},
    ),
    "SparseDenseCwiseAdd": Row(coo.dense_cwise("SparseDenseCwiseAdd", jnp.add), _DENSE),
    "SparseDenseCwiseDiv": Row(coo.dense_cwise("SparseDenseCwiseDiv", jnp.divide), _DENSE),
    "SparseDenseCwiseMul": Row(coo.dense_cwise("SparseDenseCwiseMul", jnp.multiply), _DENSE),
    "SparseFillEmptyRows": Row(coo.sparse_fill_empty_rows, ("indices", "values", "dense_shape", "default_value")),
    "SparseMatrixAdd": Row(csr.csr_add, (*_CSR_PAIR, "alpha", "beta")),
    "SparseMatrixMatMul": Row(
        csr.csr_matmul, (*_CSR_PAIR[:5], "x2_dense"),
        dict.fromkeys(
            ("transpose_x1", "transpose_x2", "adjoint_x1", "adjoint_x2", "transpose_output", "conjugate_output"), False
        ),
        check=csr.check_matmul,
    ),
    "SparseMatrixNNZ": Row(csr.csr_nnz, csr.CSR),
    "SparseMatrixSoftmax": Row(csr.csr_softmax, csr.CSR, {"dtype": REQUIRED}),
    "SparseMatrixSparseMatMul": Row(
        csr.csr_csr_matmul, _CSR_PAIR, dict.fromkeys(("transpose_a", "transpose_b", "adjoint_a", "adjoint_b"), False)
    ),
    "SparseMatrixTranspose": Row(csr.csr_transpose, csr.CSR, {"conjugate": False}, {"conjugate": (bool,)}),
    "SparseReorder": Row(coo.sparse_reorder, _COO),
    "SparseReshape": Row(coo.sparse_reshape, ("indices", "shape", "new_shape")),
    "SparseSegmentMeanWithNumSegments": Row(
        coo.sparse_segment("SparseSegmentMeanWithNumSegments", 1.0, True), (*_SEGMENT, "num_segments")
    ),
    "SparseSegmentSqrtN": Row(coo.sparse_segment("SparseSegmentSqrtN", 0.5, False), _SEGMENT),
    "SparseSegmentSqrtNWithNumSegments": Row(
        coo.sparse_segment("SparseSegmentSqrtNWithNumSegments", 0.5, True), (*_SEGMENT, "num_segments")
    ),
    "SparseSegmentSum": Row(coo.sparse_segment("SparseSegmentSum", 0.0, False), _SEGMENT),
    "SparseSegmentSumWithNumSegments": Row(
        coo.sparse_segment("SparseSegmentSumWithNumSegments", 0.0, True), (*_SEGMENT, "num_segments")
    ),
    "SparseSoftmax": Row(coo.sparse_softmax, _COO),
    "SparseSparseMaximum": Row(coo.pairwise("SparseSparseMaximum", jnp.maximum), _PAIR),
    "SparseSparseMinimum": Row(coo.pairwise("SparseSparseMinimum", jnp.minimum), _PAIR),
    "SparseSplit": Row(coo.sparse_split, ("split_dim", *_COO), {"num_split": 1}, {"num_split": (int,)}),
    "SparseTensorToCSRSparseMatrix": Row(csr.coo_to_csr, ("x_indices", "x_values", "x_dense_shape")),
    "SparseToDenseV2": Row(
        coo.sparse_to_dense_v2, ("indices", "output_shape", "values", "default_value"), {"validate_indices": True},
        {"validate_indices": (bool,)},
    ),
    "Sspaddmm": Row(coo.sspaddmm, (*_PAIR, "x3_dense", "alpha", "beta")),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
