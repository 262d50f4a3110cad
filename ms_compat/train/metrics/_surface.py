"""Distances between the surfaces of two voxel sets, in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

_AT_ONCE = 1 << 22


def edges(mask: np.ndarray) -> np.ndarray:
    """The voxels of a set that have a neighbour (along an axis) outside the set or the array."""
    inner = mask.copy()
    for axis in range(mask.ndim):
        for shift in (1, -1):
            moved = np.zeros_like(mask)
            to = [slice(None)] * mask.ndim
            of = [slice(None)] * mask.ndim
            to[axis], of[axis] = (slice(1, None), slice(None, -1)) if shift == 1 else (slice(None, -1), slice(1, None))
            moved[tuple(to)] = mask[tuple(of)]
            inner &= moved
    return mask & ~inner


def distances(of: np.ndarray, to: np.ndarray, metric: str) -> np.ndarray:
    """For each point in one set of edges, the distance to the nearest in the other; infinite if it is empty.

    Args:
        of, to: bool arrays of one shape.
        metric: "euclidean" (float64), "chessboard" or "taxicab" (int32).
    """
    points, targets = np.argwhere(of), np.argwhere(to)
    if not targets.size:
        return np.full(len(points), np.inf)
    nearest = []
    step = max(1, _AT_ONCE // max(1, targets.size))
    for start in range(0, len(points), step):
        difference = points[start : start + step, None, :] - targets[None, :, :]
        if metric == "euclidean":
            nearest.append(np.sqrt((difference**2).sum(-1).min(1)))
        elif metric == "chessboard":
            nearest.append(np.abs(difference).max(-1).min(1).astype(np.int32))
        else:
            nearest.append(np.abs(difference).sum(-1).min(1).astype(np.int32))
    return np.concatenate(nearest) if nearest else np.zeros(0)


def masks(api: str, y_pred: np.ndarray, y: np.ndarray, label: Any) -> tuple[np.ndarray, np.ndarray]:
    """The voxels of a label in both arrays; bool arrays are taken as they are.

    Raises:
        ValueError: the label is in neither, or the arrays are empty or of different shapes.
    """
    if label not in y_pred and label not in y:
        raise ValueError(f"For '{api}.update', the label {label} must be in the prediction or in the label array.")
    if y_pred.size == 0 or y_pred.shape != y.shape:
        raise ValueError(
            f"For '{api}.update', the prediction and the label must have one shape, not empty, but got "
            f"{y_pred.shape} and {y.shape}."
        )
    if y_pred.dtype != bool:
        y_pred = y_pred == label
    if y.dtype != bool:
        y = y == label
    return y_pred, y
