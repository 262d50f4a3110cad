"""What the methods of `COOTensor` and `CSRTensor` call, handed to `_core/tensor/sparse.py`, which is a lower layer."""

from __future__ import annotations

import functools
from types import SimpleNamespace

from ms_compat._core.tensor.sparse import Sparse


@functools.cache
def _operations() -> SimpleNamespace:
    """The operations by their names, imported by the first method that is called."""
    from ms_compat.ops.function.elementwise import math
    from ms_compat.ops.function.indexing import gather, scatter
    from ms_compat.ops.function.sparse import host, operations
    from ms_compat.ops.function.update import assign

    found = {
        math: "abs neg",
        gather: "gather_nd",
        scatter: "tensor_scatter_add",
        operations: "coo_to_csr coo_to_dense csr_to_coo csr_to_dense csr_mv csr_mm_dense csr_mul csr_div "
        "csr_reduce_sum",
        host: "coalesce_coo coo_add csr_add csr_mm",
        assign: "stop_gradient",
    }
    return SimpleNamespace(**{name: getattr(module, name) for module, names in found.items() for name in names.split()})


def attach() -> None:
    """Give the sparse classes what they compute with."""
    Sparse._operations = staticmethod(_operations)
