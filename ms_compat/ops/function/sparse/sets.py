"""Rows of integers as sets: MindSpore's primitives of `ops.operations.sparse_ops` that TensorFlow calls set operations.

A set is the last axis of a Tensor, or the elements of a sparse one that differ in the last coordinate only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.sparse.coordinates import coordinates
from ms_compat.ops.function.sparse.host import host

OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "a-b": np.setdiff1d,
    "b-a": lambda a, b: np.setdiff1d(b, a),
    "intersection": np.intersect1d,
    "union": np.union1d,
}


def check_operation(set_operation: str, validate_indices: bool) -> None:
    """
    Raises:
        ValueError: there is no such operation.
    """
    check_choice("set operation", "set_operation", set_operation, OPERATIONS)


def _sets(api: str, indices: Any, values: Any, shape: Any, prefix: str = "") -> dict[tuple, np.ndarray]:
    """The elements of a sparse tensor, grouped by their leading coordinates."""
    found, numbers = coordinates(api, indices, values, shape, prefix), host(api, f"{prefix}values", values)
    groups: dict[tuple, list] = {}
    for at, number in zip(found.at[:, :-1].tolist(), numbers, strict=True):
        groups.setdefault(tuple(at), []).append(number)
    return {at: np.array(group, numbers.dtype) for at, group in groups.items()}


def _combined(rows: list[tuple[tuple, np.ndarray]], shape: tuple[int, ...], dtype: Any) -> tuple:
    at = [(*start, place) for start, numbers in rows for place in range(len(numbers))]
    values = np.concatenate([numbers for _, numbers in rows]) if rows else np.zeros(0)
    width = max((len(numbers) for _, numbers in rows), default=0)
    return (
        Tensor(np.array(at, np.int64).reshape(-1, len(shape) + 1)),
        Tensor(values.astype(dtype)),
        Tensor(np.array([*shape, width], np.int64)),
    )


def dense_to_dense_set_operation(x1, x2, set_operation="a-b", validate_indices=True):
    """The sets of two Tensors, combined one by one.

    Args:
        x1, x2 (Tensor): integers, of one shape up to the last axis.
        set_operation (str): "a-b", "b-a", "intersection" or "union".
        validate_indices (bool): a sparse tensor's indices are always checked.

    Returns:
        A sparse tensor: coordinates, the elements of each set in order, and the shape.
    """
    first, second = host("DenseToDenseSetOperation", "x1", x1), host("DenseToDenseSetOperation", "x2", x2)
    if first.shape[:-1] != second.shape[:-1]:
        raise ValueError(
            f"For 'DenseToDenseSetOperation', both must have one shape up to the last axis, but got {first.shape} and "
            f"{second.shape}."
        )
    combine = OPERATIONS[set_operation]
    rows = [(at, combine(first[at], second[at])) for at in np.ndindex(first.shape[:-1])]
    return _combined(rows, first.shape[:-1], first.dtype)


def dense_to_sparse_set_operation(x1, x2_indices, x2_values, x2_shape, set_operation="a-b", validate_indices=True):
    """As `dense_to_dense_set_operation`, with the second sets in a sparse tensor."""
    api = "DenseToSparseSetOperation"
    first, second = host(api, "x1", x1), _sets(api, x2_indices, x2_values, x2_shape, "x2_")
    combine, none = OPERATIONS[set_operation], np.zeros(0, first.dtype)
    rows = [(at, combine(first[at], second.get(at, none))) for at in np.ndindex(first.shape[:-1])]
    return _combined(rows, first.shape[:-1], first.dtype)


def set_size(set_indices, set_values, set_shape, validate_indices=True):
    """How many different elements each set of a sparse tensor has, in Int32 of the shape without its last size."""
    found = coordinates("SetSize", set_indices, set_values, set_shape, "set_")
    out = np.zeros(found.shape[:-1], np.int32)
    for at, group in _sets("SetSize", set_indices, set_values, set_shape, "set_").items():
        out[at] = len(np.unique(group))
    return Tensor(out)
