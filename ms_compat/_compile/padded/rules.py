"""The rules for primitives on padded arrays (`axes.py`): which padding each needs replaced, and its output's axes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._compile.padded.axes import (
    ELEMENTWISE,
    RULES,
    Axis,
    Everywhere,
    PaddedArray,
    PaddedEvaluation,
    Unpaddable,
    alike,
    axes_of,
    common,
    greatest,
    is_open,
    least,
    normal,
    rule,
)
from ms_compat._core.jax_compat import is_symbolic_size, size_at


@rule(*ELEMENTWISE)
def _elementwise(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    return run.bind(eqn, [x.value for x in inputs], [alike(inputs)])


@rule("dim_as_value")
def _dim_as_value(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    value = size_at(eqn.params["dim"], run.true)
    return [PaddedArray(jnp.asarray(value, eqn.outvars[0].aval.dtype), ())]


@rule("iota")
def _iota(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    if inputs:
        raise Unpaddable("iota of a dynamic shape")
    return run.bind(eqn, [], [axes_of(eqn.outvars[0].aval.shape)])


@rule("broadcast_in_dim")
def _broadcast_in_dim(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, sizes = inputs[0], eqn.outvars[0].aval.shape
    axes: list[Axis] = [Everywhere(normal((size,))) for size in sizes]
    for source, target in enumerate(eqn.params["broadcast_dimensions"]):
        if x.axes[source]:  # not of size 1
            axes[target] = x.axes[source]
    out = lax.broadcast_in_dim(x.value, run.shape(axes), eqn.params["broadcast_dimensions"])
    return [PaddedArray(out, tuple(axes))]


@rule("transpose")
def _transpose(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    return run.bind(eqn, [inputs[0].value], [tuple([inputs[0].axes[i] for i in eqn.params["permutation"]])])


@rule("squeeze")
def _squeeze(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    gone = {d % len(inputs[0].axes) for d in eqn.params["dimensions"]}
    axes = tuple([axis for i, axis in enumerate(inputs[0].axes) if i not in gone])
    return run.bind(eqn, [inputs[0].value], [axes])


@rule("rev")
def _rev(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x = inputs[0]
    value = lax.rev(x.value, eqn.params["dimensions"])
    for i in eqn.params["dimensions"]:
        if is_open(x.axes[i]):  # padding came first: cut from where the true elements begin
            if len(x.axes[i]) > 1:
                raise Unpaddable("merged axes reversed")
            full = value.shape[i]
            begin = full - size_at(x.axes[i][0], run.true)
            value = lax.dynamic_slice_in_dim(_longer(value, i, full), begin, full, i)
    return [PaddedArray(value, x.axes)]


@rule("tile")
def _tile(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x = inputs[0]
    axes = tuple([normal((times, *axis)) for times, axis in zip(eqn.params["reps"], x.axes, strict=True)])
    return run.bind(eqn, [x.value], [axes])


@rule("reshape")
def _reshape(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    if eqn.params.get("dimensions") is not None:
        raise Unpaddable("a reshape that permutes")
    axes = regrouped(inputs[0].axes, eqn.outvars[0].aval.shape)
    return [PaddedArray(inputs[0].value.reshape(run.shape(axes)), axes)]


def regrouped(axes: Any, sizes: Any) -> tuple[Axis, ...]:
    """The factors of an array's axes, in order, dealt out to other sizes."""
    if not is_open(tuple([f for axis in axes for f in axis])) or any(not is_symbolic_size(s) and s == 0 for s in sizes):
        if any(map(is_symbolic_size, sizes)):
            raise Unpaddable("a reshape of nothing")
        return axes_of(sizes)
    left = list(normal([factor for axis in axes for factor in axis]))
    out = []
    for size in sizes:
        taken: list[Any] = []
        product: Any = 1
        while not _equal(product, size):
            need = _quotient(size, product)
            if not left or need is None:
                raise Unpaddable("a reshape that cuts a padded axis")
            factor = left.pop(0)
            if not is_symbolic_size(factor) and not is_symbolic_size(need) and factor > need:
                if factor % need:
                    raise Unpaddable("a reshape that cuts a padded axis")
                left.insert(0, factor // need)
                factor = need
            elif not is_symbolic_size(factor) and is_symbolic_size(need) and _quotient(need, factor) is None:
                raise Unpaddable("a reshape that cuts a padded axis")
            taken.append(factor)
            product = product * factor
        out.append(normal(taken))
    if left:
        raise Unpaddable("a reshape that cuts a padded axis")
    return tuple(out)


def _equal(a: Any, b: Any) -> bool:
    return bool(a == b)


def _quotient(a: Any, b: Any) -> Any:
    """The size that times `b` is `a`; None where there is none."""
    if not is_symbolic_size(a):
        return None if is_symbolic_size(b) or a % b else a // b
    if _equal(b, 1):
        return a
    found = a // b
    return found if _equal(found * b, a) else None


def _reducer(fill: Any) -> Any:
    def reduce(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
        x, gone = inputs[0], eqn.params["axes"]
        value = fill(x.value.dtype) if callable(fill) else fill
        axes = tuple([axis for i, axis in enumerate(x.axes) if i not in gone])
        return run.bind(eqn, [run.clean(x, gone, value)], [axes])

    return reduce


RULES.update(
    reduce_sum=_reducer(0),
    reduce_prod=_reducer(1),
    reduce_and=_reducer(True),
    reduce_or=_reducer(False),
    reduce_max=_reducer(least),
    reduce_min=_reducer(greatest),
)


def _index_of(fill: Any) -> Any:
    reduce = _reducer(fill)

    def find(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
        if any(len(inputs[0].axes[i]) > 1 for i in eqn.params["axes"] if is_open(inputs[0].axes[i])):
            raise Unpaddable("an index into merged axes counts padding")
        return reduce(run, eqn, inputs)

    return find


RULES.update(argmax=_index_of(least), argmin=_index_of(greatest))


def _cumulative(fill: Any) -> Any:
    def accumulate(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
        x, axis = inputs[0], eqn.params["axis"]
        value = x.value
        if is_open(x.axes[axis]):
            if len(x.axes[axis]) > 1 or fill is None and eqn.params["reverse"]:
                raise Unpaddable("what is accumulated passes through padding")
            if eqn.params["reverse"]:
                value = run.clean(x, (axis,), fill(value.dtype) if callable(fill) else fill)
        return run.bind(eqn, [value], [x.axes])

    return accumulate


RULES.update(
    cumsum=_cumulative(0),
    cumprod=_cumulative(1),
    cummax=_cumulative(least),
    cummin=_cumulative(greatest),
    cumlogsumexp=_cumulative(least),
)


@rule("dot_general")
def _dot_general(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    a, b = inputs
    (a_over, b_over), (a_batch, b_batch) = eqn.params["dimension_numbers"]
    a_axes, b_axes = list(a.axes), list(b.axes)
    for i, k in (*zip(a_over, b_over, strict=True), *zip(a_batch, b_batch, strict=True)):
        a_axes[i] = b_axes[k] = common(a.axes[i], b.axes[k])
    a, b = PaddedArray(a.value, tuple(a_axes)), PaddedArray(b.value, tuple(b_axes))
    free = [axis for x, used in ((a, (*a_over, *a_batch)), (b, (*b_over, *b_batch))) for i, axis in enumerate(x.axes)
            if i not in used]  # fmt: skip
    axes = (*[a.axes[i] for i in a_batch], *free)
    # both: the padding may be infinite, and 0 times infinity is not 0
    return run.bind(eqn, [run.clean(a, a_over, 0), run.clean(b, b_over, 0)], [axes])


@rule("concatenate")
def _concatenate(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    along = eqn.params["dimension"]
    axes = list(alike([PaddedArray(x.value, (*x.axes[:along], (), *x.axes[along + 1 :])) for x in inputs]))
    if len(axes) != len(inputs[0].axes):  # one axis alone: `alike` saw none that counts
        axes = [()]
    joined = [x.axes[along] for x in inputs]
    if len(inputs) == 1:
        axes[along] = joined[0]
        return [PaddedArray(inputs[0].value, tuple(axes))]
    if any(is_open(axis) and len(axis) > 1 for axis in joined):
        raise Unpaddable("merged axes are joined")
    axes[along] = normal((eqn.outvars[0].aval.shape[along],))
    if not any(map(is_open, joined[:-1])):
        return run.bind(eqn, [x.value for x in inputs], [tuple(axes)])
    # each from where the true elements before it end, over the padding of the one before
    out = jnp.zeros(run.shape(axes), inputs[0].value.dtype)
    begin: Any = 0
    for x, axis in zip(inputs, joined, strict=True):
        out = lax.dynamic_update_slice_in_dim(out, x.value, begin, along)
        begin = begin + (size_at(axis[0], run.true) if is_open(axis) else x.value.shape[along])
    return [PaddedArray(out, tuple(axes))]


@rule("stack")
def _stack(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    axes = list(alike(inputs))
    axes.insert(eqn.params["axis"] % (len(inputs[0].axes) + 1), normal((len(inputs),)))
    return run.bind(eqn, [x.value for x in inputs], [tuple(axes)])


def _is_some(size: Any) -> bool:
    return is_symbolic_size(size) or size > 0


def _longer(value: jax.Array, axis: int, more: int) -> jax.Array:
    """An array with zeros behind along an axis, where a part is longer in the bucket than what it is taken of."""
    if more <= 0:
        return value
    return lax.pad(value, jnp.zeros((), value.dtype), [(0, more if i == axis else 0, 0) for i in range(value.ndim)])


@rule("slice")
def _slice(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, sizes = inputs[0], eqn.outvars[0].aval.shape
    starts, limits = eqn.params["start_indices"], eqn.params["limit_indices"]
    strides = eqn.params["strides"] or (1,) * len(starts)
    axes, begin, end = [], [], []
    value = x.value
    for i, (axis, start, limit, stride) in enumerate(zip(x.axes, starts, limits, strides, strict=True)):
        size = sizes[i]
        if _equal(start, 0) and _equal(stride, 1) and _equal(limit, math.prod(axis)):
            axes.append(axis)
            begin.append(0)
            end.append(value.shape[i])
            continue
        if is_open(axis) and len(axis) > 1:
            raise Unpaddable("a part of merged axes")
        axes.append(normal((size,)))
        length = (run.padded(size) - 1) * stride + 1 if _is_some(size) else 0
        if is_symbolic_size(start):  # cut from where it truly begins
            if not _equal(stride, 1):
                raise Unpaddable("a part with steps that begins at a size")
            value = lax.dynamic_slice_in_dim(_longer(value, i, length), size_at(start, run.true), length, i)
            start = 0
        else:
            value = _longer(value, i, start + length - value.shape[i])
        begin.append(start)
        end.append(start + length)
    return [PaddedArray(lax.slice(value, begin, end, strides), tuple(axes))]


@rule("split")
def _split(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, axis = inputs[0], eqn.params["axis"]
    if is_open(x.axes[axis]) or any(map(is_symbolic_size, eqn.params["sizes"])):
        raise Unpaddable("parts of a padded axis")
    return run.bind(eqn, [x.value], [_with(x.axes, axis, normal((size,))) for size in eqn.params["sizes"]])


@rule("dynamic_slice")
def _dynamic_slice(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, *starts = inputs
    values = [v.value for v in starts]
    axes = x.axes
    for i, (axis, size) in enumerate(zip(x.axes, eqn.params["slice_sizes"], strict=True)):
        if not _equal(size, math.prod(axis)):  # of the whole the begin does not count
            values[i] = _within(run, axis, size, values[i])
            axes = _with(axes, i, normal((size,)))
    return run.bind(eqn, [x.value, *values], [axes])


@rule("dynamic_update_slice")
def _dynamic_update_slice(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, part, *starts = inputs
    values = [v.value for v in starts]
    for i, (axis, of_part) in enumerate(zip(x.axes, part.axes, strict=True)):
        if of_part != axis:
            values[i] = _within(run, axis, math.prod(of_part), values[i])
    return run.bind(eqn, [x.value, part.value, *values], [x.axes])


def _within(run: PaddedEvaluation, axis: Axis, size: Any, start: Any) -> Any:
    """The start of a part that has to be within the true size; the primitive moves the part there."""
    if is_symbolic_size(size) or len(axis) > 1 and is_open(axis):
        raise Unpaddable("a part of a padded axis from where a value says")
    return jnp.clip(start, 0, size_at(axis[0], run.true) - size).astype(start.dtype) if is_open(axis) else start


def _with(axes: tuple[Axis, ...], at: int, axis: Axis) -> tuple[Axis, ...]:
    return (*axes[:at], axis, *axes[at + 1 :])


@rule("pad")
def _pad(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, fill = inputs
    config = eqn.params["padding_config"]
    if any(is_symbolic_size(n) for triple in config for n in triple):
        return _pad_by_sizes(run, eqn, x, fill)
    axes = list(axes_of(eqn.outvars[0].aval.shape))
    value = lax.pad(x.value, fill.value, config)
    for i, (axis, (low, high, inner)) in enumerate(zip(x.axes, config, strict=True)):
        if not is_open(axis):
            continue
        if (low, high, inner) == (0, 0, 0):
            axes[i] = axis
            continue
        if len(axis) > 1 or inner:
            raise Unpaddable("padding within merged or spread axes")
        if high > 0:  # elements that are added at the end belong behind the true elements
            at = lax.iota(np.int64, value.shape[i]).reshape([-1 if k == i else 1 for k in range(value.ndim)])
            value = jnp.where(at < size_at(axis[0], run.true) + low, value, fill.value)
    return [PaddedArray(value, tuple(axes))]


def _pad_by_sizes(run: PaddedEvaluation, eqn: Any, x: PaddedArray, fill: PaddedArray) -> list[PaddedArray]:
    """The padding that a slice's gradient needs: elements among zeros whose number is a size."""
    axes = axes_of(eqn.outvars[0].aval.shape)
    out = jnp.broadcast_to(fill.value, run.shape(axes))
    starts: list[Any] = []
    for i, (low, _, inner) in enumerate(eqn.params["padding_config"]):
        if inner or is_open(x.axes[i]) or not is_symbolic_size(low) and low < 0:
            raise Unpaddable("padding by sizes of what is padded")
        starts.append(size_at(low, run.true) if is_symbolic_size(low) else low)
    return [PaddedArray(lax.dynamic_update_slice(out, x.value, [jnp.asarray(s, np.int64) for s in starts]), axes)]


@rule("gather")
def _gather(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, index = inputs
    numbers, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]
    if numbers.operand_batching_dims or is_open(index.axes[-1]):
        raise Unpaddable("gather along batches")
    promised = "PROMISE" in str(eqn.params["mode"])
    taken: list[Axis] = []
    for i, (axis, size) in enumerate(zip(x.axes, sizes, strict=True)):
        if is_open(axis) and _equal(size, math.prod(axis)):
            if i in numbers.start_index_map and not promised:
                raise Unpaddable("gather from where a size says")
            taken.append(axis)
        elif is_open(axis):
            # an index that is promised to be within the true size; others are clipped or filled by the size
            if not promised or len(axis) > 1 or is_symbolic_size(size) and is_symbolic_size(axis[0] - size):
                raise Unpaddable("gather along a padded axis")
            taken.append(normal((size,)))
        else:
            taken.append(normal((size,)))
    kept = [axis for i, axis in enumerate(taken) if i not in numbers.collapsed_slice_dims]
    return run.bind(eqn, [x.value, index.value], [_placed(numbers.offset_dims, kept, index.axes[:-1])])


def _placed(offsets: Any, windows: list[Axis], batch: Any) -> tuple[Axis, ...]:
    rest, inside = iter(batch), iter(windows)
    return tuple([next(inside) if i in offsets else next(rest) for i in range(len(windows) + len(batch))])


@rule("scatter-add", "scatter_add")
def _scatter_add(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, index, updates = inputs
    numbers = eqn.params["dimension_numbers"]
    if numbers.operand_batching_dims or is_open(index.axes[-1]):
        raise Unpaddable("scatter along batches")
    skipped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    windows, batch = iter([axis for i, axis in enumerate(x.axes) if i not in skipped]), iter(index.axes[:-1])
    for i, axis in enumerate(x.axes):
        if is_open(axis) and (i in skipped or i in numbers.scatter_dims_to_operand_dims):
            raise Unpaddable("scatter along a padded axis")
    axes = tuple(
        [
            common(next(windows) if i in numbers.update_window_dims else next(batch), axis)
            for i, axis in enumerate(updates.axes)
        ]
    )
    cleaned = run.clean(PaddedArray(updates.value, axes), range(len(axes)), 0)
    return run.bind(eqn, [x.value, index.value, cleaned], [x.axes])


@rule("sort")
def _sort(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    along = eqn.params["dimension"]
    axes = alike(inputs)
    if not is_open(axes[along]):
        return run.bind(eqn, [x.value for x in inputs], [axes] * len(inputs))
    if len(axes[along]) > 1 or not eqn.params["is_stable"] or eqn.params["num_keys"] != 1:
        raise Unpaddable("sorting may mix padding in")
    key = inputs[0]
    # NaN sorts last, and equal keys keep their order, in which padding is behind
    fill = np.nan if jnp.issubdtype(key.value.dtype, jnp.floating) else greatest(key.value.dtype)
    return run.bind(eqn, [run.clean(key, (along,), fill), *[x.value for x in inputs[1:]]], [axes] * len(inputs))


@rule("conv_general_dilated")
def _conv(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, kernel = inputs
    numbers = eqn.params["dimension_numbers"]
    batch, others = numbers.lhs_spec[0], numbers.lhs_spec[1:]
    if kernel.open or any(is_open(x.axes[i]) for i in others) or eqn.params["batch_group_count"] != 1:
        raise Unpaddable("a convolution along a padded axis")
    axes = list(axes_of(eqn.outvars[0].aval.shape))
    axes[numbers.out_spec[0]] = x.axes[batch]
    return run.bind(eqn, [x.value, kernel.value], [tuple(axes)])


@rule("reduce_window_max", "reduce_window_min", "reduce_window_sum")
def _window(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    x, axes = inputs[0], list(axes_of(eqn.outvars[0].aval.shape))
    for i, axis in enumerate(x.axes):
        if is_open(axis):
            if eqn.params["window_dimensions"][i] != 1 or eqn.params["window_strides"][i] != 1 or any(
                eqn.params["padding"][i]
            ):  # fmt: skip
                raise Unpaddable("windows along a padded axis")
            axes[i] = axis
    return run.bind(eqn, [x.value], [tuple(axes)])
