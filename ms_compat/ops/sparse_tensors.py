"""The functions of sparse tensors, re-exported from the files that declare them; `ms_compat.ops` takes all."""

from ms_compat.ops.function.reduction.segment import sparse_segment_mean as sparse_segment_mean
from ms_compat.ops.function.sparse.host import coalesce as coalesce
from ms_compat.ops.function.sparse.host import coo_add as coo_add
from ms_compat.ops.function.sparse.host import coo_concat as coo_concat
from ms_compat.ops.function.sparse.host import csr_add as csr_add
from ms_compat.ops.function.sparse.host import csr_mm as csr_mm
from ms_compat.ops.function.sparse.host import dense_to_sparse_coo as dense_to_sparse_coo
from ms_compat.ops.function.sparse.host import dense_to_sparse_csr as dense_to_sparse_csr
from ms_compat.ops.function.sparse.operations import coo2csr as coo2csr
from ms_compat.ops.function.sparse.operations import csr2coo as csr2coo
from ms_compat.ops.function.sparse.operations import csr_div as csr_div
from ms_compat.ops.function.sparse.operations import csr_gather as csr_gather
from ms_compat.ops.function.sparse.operations import csr_mul as csr_mul
from ms_compat.ops.function.sparse.operations import csr_mv as csr_mv
from ms_compat.ops.function.sparse.operations import csr_reduce_sum as csr_reduce_sum
from ms_compat.ops.function.sparse.operations import csr_softmax as csr_softmax
from ms_compat.ops.function.sparse.operations import csr_to_coo as csr_to_coo
from ms_compat.ops.function.sparse.operations import csr_to_dense as csr_to_dense
from ms_compat.ops.function.sparse.parts import coo_tensor_get_dense_shape as coo_tensor_get_dense_shape
from ms_compat.ops.function.sparse.parts import coo_tensor_get_indices as coo_tensor_get_indices
from ms_compat.ops.function.sparse.parts import coo_tensor_get_values as coo_tensor_get_values
from ms_compat.ops.function.sparse.parts import csr_tensor_get_dense_shape as csr_tensor_get_dense_shape
from ms_compat.ops.function.sparse.parts import csr_tensor_get_indices as csr_tensor_get_indices
from ms_compat.ops.function.sparse.parts import csr_tensor_get_indptr as csr_tensor_get_indptr
from ms_compat.ops.function.sparse.parts import csr_tensor_get_values as csr_tensor_get_values
from ms_compat.ops.function.sparse.parts import make_coo_tensor as make_coo_tensor
from ms_compat.ops.function.sparse.parts import make_csr_tensor as make_csr_tensor
from ms_compat.ops.function.sparse.parts import make_row_tensor as make_row_tensor
from ms_compat.ops.function.sparse.parts import make_row_tensor_inner as make_row_tensor_inner
from ms_compat.ops.function.sparse.parts import make_sparse_tensor as make_sparse_tensor
from ms_compat.ops.function.sparse.parts import row_tensor_add as row_tensor_add
from ms_compat.ops.function.sparse.parts import row_tensor_get_dense_shape as row_tensor_get_dense_shape
from ms_compat.ops.function.sparse.parts import row_tensor_get_indices as row_tensor_get_indices
from ms_compat.ops.function.sparse.parts import row_tensor_get_values as row_tensor_get_values
from ms_compat.ops.function.sparse.unary import *  # noqa: F403  (the names are the table's)
