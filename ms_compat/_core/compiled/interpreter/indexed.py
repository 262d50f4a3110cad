"""Rules for `gather` and `scatter`, for all their dimension numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.compiled.interpreter.rules import HALVES, Equation, Step, is_inexact, rule


def _places(
    indices: Any,
    shape: tuple[int, ...],
    window: tuple[int, ...],
    start_axes: Any,
    batching: Any,
    indices_batching: Any,
    kept: list[int],
) -> tuple[list[Any], tuple[int, ...]]:
    """For each axis of the operand the first index of each window, over the index batch's shape.

    Args:
        indices: the index vectors along the last axis.
        shape: of the operand.
        window: its sizes for each axis of the operand.
        start_axes: the axes of the operand that the vectors' numbers are for.
        batching: axes of the operand that go along with axes `indices_batching` of the indices.
        kept: the axes of the operand that the windows keep.
    """
    batch = indices.shape[:-1]
    starts: list[Any] = [np.zeros((1,) * len(batch), np.int64)] * len(shape)
    for position, axis in enumerate(start_axes):
        starts[axis] = indices[..., position].astype(np.int64)
    for axis, along in zip(batching, indices_batching, strict=True):
        between = [1] * len(batch)
        between[along] = batch[along]
        starts[axis] = np.arange(batch[along]).reshape(between)
    return starts, batch


def _with_windows(starts: list[Any], window: tuple[int, ...], kept: list[int]) -> tuple:
    """Indices of all elements: the batch's axes first, then the windows' axes."""
    out = []
    for axis, start in enumerate(starts):
        start = start.reshape(start.shape + (1,) * len(kept))
        if axis in kept:
            between = [1] * len(kept)
            between[kept.index(axis)] = window[axis]
            start = start + np.arange(window[axis]).reshape(between)
        out.append(start)
    return tuple(out)


def _whole_along(start_axes: Any, batching: Any, window: Any, shape: Any) -> int | None:
    """The only axis that windows do not cover: each is one element of it, as rows of a table are. None for others."""
    if len(start_axes) != 1 or batching:
        return None
    (axis,) = start_axes
    covered = all(size == have for i, (size, have) in enumerate(zip(window, shape, strict=True)) if i != axis)
    return axis if covered and window[axis] == 1 else None


def _mode(eqn: Equation) -> str:
    return eqn.params["mode"].name if hasattr(eqn.params["mode"], "name") else str(eqn.params["mode"])


@rule("gather")
def _gather(eqn: Equation) -> Step | None:
    # One function, as each condition decides how NumPy has to index.
    numbers, window = eqn.params["dimension_numbers"], tuple(eqn.params["slice_sizes"])
    shape, out = eqn.ins[0].shape, eqn.outs[0]
    mode, fill = _mode(eqn), eqn.params["fill_value"]
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    kept = [axis for axis in range(len(shape)) if axis not in gone]
    if 0 in shape or 0 in out.shape or any(size > have for size, have in zip(window, shape, strict=True)):
        return None
    at_batch = [axis for axis in range(len(out.shape)) if axis not in numbers.offset_dims]
    order = tuple(np.argsort([*at_batch, *numbers.offset_dims]))
    filling = mode == "FILL_OR_DROP"
    if filling and fill is None:
        if is_inexact(out.dtype):
            fill = np.nan
        elif out.dtype.kind in "ub":
            fill = np.iinfo(out.dtype).max if out.dtype.kind == "u" else True
        else:
            fill = np.iinfo(out.dtype).min
    limits = [have - size for have, size in zip(shape, window, strict=True)]
    along = _whole_along(numbers.start_index_map, numbers.operand_batching_dims, window, shape)
    if along is not None and along in gone:
        eqn.cost += 1.0 * out.size + 4.0 * eqn.ins[1].size
        batch_axes = range(along, along + len(at_batch))
        batch_first = [*batch_axes, *[axis for axis in range(len(out.shape)) if axis not in batch_axes]]
        order = tuple([batch_first[axis] for axis in order])

        def taken(x: Any, indices: Any) -> Any:
            index = indices[..., 0].astype(np.int64)
            found = np.take(x, index, along, mode="clip")
            if filling and (outside := (index < 0) | (index > limits[along])).any():
                found[(slice(None),) * along + (outside,)] = np.array(fill, x.dtype)
            return np.transpose(found, order)

        return taken
    eqn.cost += 15.0 * out.size

    def gathered(x: Any, indices: Any) -> Any:
        starts, batch = _places(
            indices,
            shape,
            window,
            numbers.start_index_map,
            numbers.operand_batching_dims,
            numbers.start_indices_batching_dims,
            kept,
        )
        outside = None
        for axis in numbers.start_index_map:
            start, limit = starts[axis], limits[axis]
            if filling:
                beyond = (start < 0) | (start > limit)
                outside = beyond if outside is None else outside | beyond
            starts[axis] = np.clip(start, 0, limit)
        found = x[_with_windows(starts, window, kept)] if starts else x
        whole = batch + tuple([window[axis] for axis in kept])
        found = np.broadcast_to(found, whole)
        if outside is not None and outside.any():
            found = np.where(outside.reshape(outside.shape + (1,) * len(kept)), np.array(fill, x.dtype), found)
        return np.transpose(found, order)

    return gathered


_SCATTERS = {
    "scatter": None, "scatter-add": np.add, "scatter_add": np.add, "scatter-sub": np.subtract,
    "scatter_sub": np.subtract, "scatter-mul": np.multiply, "scatter_mul": np.multiply,
    "scatter-min": np.minimum, "scatter_min": np.minimum, "scatter-max": np.maximum, "scatter_max": np.maximum,
}  # fmt: skip


@rule(*_SCATTERS)
def _scatter(eqn: Equation) -> Step | None:
    # One function for the same reason as `_gather`.
    numbers, shape = eqn.params["dimension_numbers"], eqn.ins[0].shape
    mode, function = _mode(eqn), _SCATTERS[eqn.name]
    updates_shape, dtype = eqn.ins[2].shape, eqn.dtype
    gone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    kept = [axis for axis in range(len(shape)) if axis not in gone]
    if dtype.kind == "c" or (dtype in HALVES and function is not None):
        return None
    window = [1] * len(shape)
    for axis, place in zip(kept, numbers.update_window_dims, strict=True):
        window[axis] = updates_shape[place]
    at_batch = [axis for axis in range(len(updates_shape)) if axis not in numbers.update_window_dims]
    order = (*at_batch, *numbers.update_window_dims)
    limits = [have - size for have, size in zip(shape, window, strict=True)]
    if any(limit < 0 for limit in limits) or 0 in shape or 0 in updates_shape:
        return None
    windows = tuple(window)
    along = _whole_along(numbers.scatter_dims_to_operand_dims, numbers.operand_batching_dims, windows, shape)
    if along is not None and along not in kept:
        eqn.cost += 8.0 * eqn.ins[2].size + 1.0 * eqn.ins[0].size

        def put(x: Any, indices: Any, updates: Any) -> Any:
            out = np.array(np.moveaxis(x, along, 0), order="C")
            index = indices[..., 0].astype(np.int64).reshape(-1)
            rows = np.transpose(updates, order).reshape(len(index), -1)
            if mode == "CLIP":
                index = np.clip(index, 0, limits[along])
            elif not (inside := (index >= 0) & (index <= limits[along])).all():
                index, rows = index[inside], rows[inside]
            if function is None:
                out.reshape(shape[along], -1)[index] = rows
            else:  # `at` is several times as fast with one axis
                width = rows.shape[1]
                function.at(out.reshape(-1), (index[:, None] * width + np.arange(width)).reshape(-1), rows.reshape(-1))
            return np.moveaxis(out, 0, along)

        return put
    eqn.cost += 30.0 * eqn.ins[2].size

    def scattered(x: Any, indices: Any, updates: Any) -> Any:
        starts, batch = _places(
            indices,
            shape,
            windows,
            numbers.scatter_dims_to_operand_dims,
            numbers.operand_batching_dims,
            numbers.scatter_indices_batching_dims,
            kept,
        )
        outside: Any = np.zeros((1,) * len(batch), np.bool_)
        for axis in numbers.scatter_dims_to_operand_dims:
            start, limit = starts[axis], limits[axis]
            if mode != "CLIP":  # a window that is not inside as a whole is left out
                outside = outside | (start < 0) | (start > limit)
            starts[axis] = np.clip(start, 0, limit)
        at = _with_windows(starts, windows, kept)
        whole = batch + tuple([windows[axis] for axis in kept])
        values = np.transpose(updates, order)
        out = x.copy()
        if outside.any():
            inside = np.broadcast_to(~outside.reshape(outside.shape + (1,) * len(kept)), whole)
            at = tuple([np.broadcast_to(index, whole)[inside] for index in at])
            values = values[inside]
        if not shape:
            at = ()
        if function is None:
            out[at] = values
        else:
            function.at(out, at, values)
        return out

    return scattered if shape else None
