"""Primitives that make, rearrange, read and write tensors."""

from __future__ import annotations

import math

import jax.numpy as jnp

from ms_compat._core.checks import check_dtype, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.dtype import float32, int32, int64
from ms_compat._core.errors import check_type
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.indexing import scatter, sort
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.shape import create, join, views
from ms_compat.ops.function.update import assign
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _ignoring_lock(fn):
    return lambda input_x, indices, updates, use_locking: fn(input_x, indices, updates)


def _plain(names: str) -> tuple[str, ...]:
    return tuple(names.split())


def _pad_v3(x, paddings, constant_value, mode, paddings_contiguous):
    pads = [int(p) for p in (paddings.asnumpy().reshape(-1) if isinstance(paddings, Tensor) else paddings)]
    if not paddings_contiguous:
        half = len(pads) // 2
        pads = [p for pair in zip(pads[:half], pads[half:], strict=True) for p in pair]
    if mode == "constant":
        value = constant_value.item() if isinstance(constant_value, Tensor) else constant_value
        return join.pad(x, pads, "constant", value)
    return join.pad(x, pads, "replicate" if mode == "edge" else mode)


def _range(start, limit, delta, maxlen):
    return create.range(start, limit, delta)


def _unstack(x, axis, num):
    return views.unstack(x, axis)


def _index_add(x, indices, y, axis, use_lock, check):
    return scatter.index_add(x, indices, y, axis, use_lock, check)


def _diagonal(x):
    check_tensors("DiagPart", input_x=x)
    rank = len(x.shape)
    half = x.shape[: rank // 2]
    if not rank or rank % 2 or half != x.shape[rank // 2 :]:
        raise ValueError(f"For 'DiagPart', the halves of the shape must be equal, but got {x.shape}.")
    size = math.prod(half)
    return views.reshape(views.diagonal(views.reshape(x, (size, size))), half)


def _unique(x):
    if isinstance(x, Tensor) and len(x.shape) != 1:
        raise RuntimeError(f"For 'Unique', the input must have 1 dimension, but got {x.shape}.")
    return sort.unique(x)


def _unique_consecutive(x, return_inverse, return_counts, dim):
    """Three tensors in any case, as MindSpore's kernel: a 0-d one stands for each one not requested."""
    if dim is not None and not -len(x.shape) <= dim < len(x.shape):
        raise ValueError(f"For 'UniqueConsecutive', the 'dim' does not fit the shape {x.shape}: {dim}.")
    found, *rest = sort.unique_consecutive(x, True, True, dim)
    none = create.zeros((), int64)
    return found, rest[0] if return_inverse else none, rest[1] if return_counts else none


def _split_v(x, size_splits, split_dim, num_split):
    if len(size_splits) != num_split:
        raise ValueError(f"For 'SplitV', the 'num_split' must be {len(size_splits)}, but got {num_split}.")
    return views.split(x, size_splits, split_dim)


def _parallel_concat(xs):
    for x in xs:
        if x.shape[:1] != (1,):
            raise ValueError(f"For 'ParallelConcat', the first size of each input must be 1, but got {x.shape}.")
    return join.concat(xs, 0)


def _bincount(array, size, weights):
    check_tensors("Bincount", array=array, size=size, weights=weights)
    check_dtype("Bincount", "array", array, int32)
    if array.shape != weights.shape:
        raise RuntimeError(f"For 'Bincount', the shapes must be equal, but got {array.shape} and {weights.shape}.")
    return _counted(weights, array, int(size))


@op(static=("size",), name="Bincount")
def _counted(weights, array, size):
    places = jnp.where(array < 0, size, array)  # what is out of range is left out
    return jnp.zeros(size, weights.dtype).at[places].add(weights, mode="drop")


def _fill_v2(size, value):
    check_type("FillV2", "value", value, Tensor)
    return create.full(size, value, dtype=value.dtype)


def _scalar_to_tensor(x, dtype):
    if isinstance(x, Tensor):
        raise TypeError("For 'ScalarToTensor', the input must be a number, but got a Tensor.")
    return create.scalar_to_tensor(x, dtype)


def _search(a, v, dtype, right):
    return sort.searchsorted(a, v, out_int32=dtype is int32, right=right)


def _triangular(a, b, lower, adjoint):
    return basic.triangular_solve(b, basic.adjoint(a) if adjoint else a, lower == adjoint)[0]


def _sort(x, axis, descending):
    return sort.sort(x, axis, descending)


_TABLE = {
    "ParallelConcat": Row(_parallel_concat, ("values",)),
    "Unstack": Row(_unstack, ("x",), {"axis": 0, "num": None}),
    "SplitV": Row(
        _split_v,
        ("x",),
        {"size_splits": REQUIRED, "split_dim": REQUIRED, "num_split": REQUIRED},
    ),
    "DiagPart": Row(_diagonal, ("x",)),
    "Meshgrid": Row(lambda xs, indexing: join.meshgrid(*xs, indexing=indexing), ("inputs",), {"indexing": "xy"}),
    "PadV3": Row(
        _pad_v3, ("x", "paddings", ("constant_value", None)), {"mode": "constant", "paddings_contiguous": True}
    ),
    "Unique": Row(_unique, ("x",)),
    "UniqueConsecutive": Row(
        _unique_consecutive, ("x",), {"return_inverse": False, "return_counts": False, "dim": None}
    ),
    "Sort": Row(_sort, ("x",), {"axis": -1, "descending": False}),
    "SearchSorted": Row(
        _search, _plain("sorted_sequence values"), {"dtype": int64, "right": False}
    ),
    "Bincount": Row(
        _bincount,
        _plain("array size weights"),
    ),
    **{
        f"TensorScatter{way.capitalize()}": Row(
            getattr(scatter, f"tensor_scatter_{way}"), _plain("input_x indices updates")
        )
        for way in ("update", "add", "sub", "mul", "div", "max", "min")
    },
    **{
        f"Scatter{way.capitalize()}": Row(
            _ignoring_lock(getattr(scatter, f"scatter_{way}")),
            _plain("input_x indices updates"),
            {"use_locking": way == "update"},
        )
        for way in ("update", "add", "sub", "mul", "div", "max", "min")
    },
    **{
        f"ScatterNd{way.capitalize()}": Row(
            _ignoring_lock(getattr(scatter, f"scatter_nd_{way}")),
            _plain("input_x indices updates"),
            {"use_locking": way == "update"},
        )
        for way in ("update", "add", "sub", "mul", "div", "max", "min")
    },
    "IndexAdd": Row(
        _index_add, _plain("x indices y"), {"axis": REQUIRED, "use_lock": True, "check_index_bound": True}
    ),
    "IndexFill": Row(
        lambda x, dim, index, value: scatter.index_fill(x, int(dim), index, value), _plain("x dim index value")
    ),
    "FillV2": Row(_fill_v2, _plain("shape value")),
    "Range": Row(_range, _plain("start limit delta"), {"maxlen": 1000000}),
    "TrilIndices": Row(
        create.tril_indices, (), {"row": REQUIRED, "col": REQUIRED, "offset": 0, "dtype": int32}
    ),
    "TriuIndices": Row(
        create.triu_indices, (), {"row": REQUIRED, "col": REQUIRED, "offset": 0, "dtype": int32}
    ),
    "ScalarToTensor": Row(_scalar_to_tensor, ("input_x", ("dtype", float32))),
    "ScalarToArray": Row(lambda x: Tensor(x), ("input_x",)),
    "DynamicShape": Row(lambda x, dtype: assign.dyn_shape(x), ("input_x",), {"dtype": 9}),
    "MatrixTriangularSolve": Row(
        _triangular,
        _plain("matrix rhs"),
        {"lower": True, "adjoint": False},
    ),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
