"""The pure functions behind `x[index]` and `x[index] = value`, made from the static key of a parsed index.

A key's items are described in `spec.py`. The functions take the array, the positions (Python ints under a trace,
where they become static slices; device scalars otherwise) and the arrays of positions. Reading cuts the slices out and
then gathers; writing cuts the same block out, changes it, and puts it back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.dispatch.operands import cast
from ms_compat._core.index.spec import ARRAY, INT, NEW, TRUE
from ms_compat._core.jax_compat import is_symbolic_size


class _Plan:
    """A parsed key: which dimensions are cut, and how the cut block is indexed afterwards."""

    def __init__(self, key: tuple):
        self.gathers = ARRAY in key or TRUE in key
        self.codes = key
        # the items that consume a dimension of the array, in order
        self.dims = tuple(code for code in key if code not in (NEW, TRUE))
        self.starts = sum(code == INT or code.__class__ is tuple for code in key)
        self.cuts = tuple(i for i, code in enumerate(self.dims) if code.__class__ is tuple or self._cuts_int(code))
        self.strided = any(code.__class__ is tuple and code[1] != 1 for code in self.dims)

    def _cuts_int(self, code: Any) -> bool:
        return code == INT and not self.gathers

    def split(self, positions: tuple) -> tuple[list, list, list]:
        """The positions as (starts of the cut dimensions, integers that gather, arrays)."""
        starts: list = []
        integers: list = []
        rest = iter(positions)
        for code in self.dims:
            if code.__class__ is tuple:
                starts.append(next(rest))
            elif code == INT:
                (integers if self.gathers else starts).append(next(rest))
        return starts, integers, list(rest)

    def spans(self, shape: tuple[int, ...]) -> list[int]:
        """Sizes of the contiguous block that holds the cut dimensions."""
        out = []
        for size, code in zip(shape, self.dims, strict=True):
            if code.__class__ is tuple:
                length, step = code
                out.append((length - 1) * abs(step) + 1 if length else 0)
            else:
                out.append(1 if self._cuts_int(code) else size)
        return out

    def block(self, a: Any, starts: list) -> Any:
        """The contiguous block."""
        if not self.cuts:
            return a
        full = [0] * a.ndim
        for dim, start in zip(self.cuts, starts, strict=True):
            full[dim] = start
        spans = self.spans(a.shape)
        if all(start.__class__ is int or is_symbolic_size(start) for start in full):
            return lax.slice(a, full, [start + span for start, span in zip(full, spans, strict=True)])
        return lax.dynamic_slice(a, _one_type(full), spans)

    def thin(self, block: Any) -> Any:
        """The block's elements that the steps select, in the order they select them."""
        if not self.strided:
            return block
        strides = [abs(code[1]) if code.__class__ is tuple else 1 for code in self.dims]
        block = lax.slice(block, [0] * block.ndim, block.shape, strides)
        backward = [i for i, code in enumerate(self.dims) if code.__class__ is tuple and code[1] < 0]
        return lax.rev(block, backward) if backward else block

    def put_block(self, a: Any, block: Any, starts: list) -> Any:
        """`a` with the block at its place."""
        if not self.cuts:
            return block
        full = [0] * a.ndim
        for dim, start in zip(self.cuts, starts, strict=True):
            full[dim] = start
        return lax.dynamic_update_slice(a, block, _one_type(full))

    def put_thin(self, block: Any, thin: Any) -> Any:
        """The block with the selected elements replaced."""
        if not self.strided:
            return thin
        backward = [i for i, code in enumerate(self.dims) if code.__class__ is tuple and code[1] < 0]
        if backward:
            thin = lax.rev(thin, backward)
        return block.at[
            tuple(slice(None, None, abs(code[1])) if code.__class__ is tuple else slice(None) for code in self.dims)
        ].set(thin)

    def basic_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The result's shape where nothing gathers."""
        sizes = iter(shape)
        out = []
        for code in self.codes:
            if code == NEW:
                out.append(1)
                continue
            size = next(sizes)
            if code != INT:
                out.append(code[0] if code.__class__ is tuple else size)
        return tuple(out)

    def gather_index(self, integers: list, arrays: list) -> tuple[list[int], tuple]:
        """For the thinned block: at which places a dimension of size 1 comes in, and the index to apply then."""
        inserted: list[int] = []
        index: list = []
        whole, array = iter(integers), iter(arrays)
        dim = 0
        for code in self.codes:
            if code == NEW:
                index.append(None)
                continue
            if code == TRUE:
                inserted.append(dim)
                index.append(next(array))
            elif code == INT:
                index.append(next(whole))
            elif code == ARRAY:
                index.append(next(array))
            else:
                index.append(slice(None))
            dim += 1
        return inserted, tuple(index)


def _one_type(starts: list) -> list:
    """Constant and dynamic starts of one integer type, as lax requires."""
    return [np.int64(start) if isinstance(start, int) else start for start in starts]


def make_get(key: tuple) -> Callable:
    """The function `(array, *positions, *arrays) -> result` for a key."""
    plan = _Plan(key)

    def getitem(a, *positions):
        starts, integers, arrays = plan.split(positions)
        block = plan.thin(plan.block(a, starts))
        if not plan.gathers:
            return block.reshape(plan.basic_shape(a.shape))
        inserted, index = plan.gather_index(integers, arrays)
        for dim in inserted:
            block = jnp.expand_dims(block, dim)
        _check_gather(index)
        return block[index]

    return getitem


def make_set(key: tuple) -> Callable:
    """The function `(array, value, *positions, *arrays) -> array` for a key."""
    plan = _Plan(key)

    def setitem(a, value, *positions):
        starts, integers, arrays = plan.split(positions)
        value = cast(value, a.dtype)
        block = plan.block(a, starts)
        thin = plan.thin(block)
        if not plan.gathers:
            value = _broadcast(value, plan.basic_shape(a.shape)).reshape(thin.shape)
        else:
            inserted, index = plan.gather_index(integers, arrays)
            _check_gather(index)
            wide = jnp.expand_dims(thin, inserted) if inserted else thin
            target = jax.eval_shape(lambda x: x[index], wide).shape
            value = wide.at[index].set(_broadcast(value, target)).reshape(thin.shape)
        return plan.put_block(a, plan.put_thin(block, value), starts)

    return setitem


def put_where(a, value, mask):
    """`a` with `value` at the True elements of a mask over its leading dimensions."""
    value = cast(value, a.dtype)
    rest = a.shape[mask.ndim :]
    if value.ndim > len(rest):
        value = value.reshape(value.shape[1:])
    value = _broadcast(value, rest)
    return jnp.where(mask.reshape(mask.shape + (1,) * len(rest)), value, a)


def _check_gather(index: tuple) -> None:
    shapes = [np.shape(part) for part in index if part is not None and not isinstance(part, slice)]
    try:
        jnp.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(
            f"The arrays of an index must broadcast against each other, but got shapes {shapes}."
        ) from None


def _broadcast(value, shape: tuple[int, ...]):
    if value.shape == shape:
        return value
    if not shape and value.shape == (1,):
        return value.reshape(())
    if value.ndim <= len(shape) and all(
        n in (1, m) for n, m in zip(reversed(value.shape), reversed(shape), strict=False)
    ):
        return jnp.broadcast_to(value, shape)
    raise ValueError(
        f"For 'Tensor.__setitem__', the value must broadcast to the shape {shape} of the elements it is assigned to, "
        f"but got shape {value.shape}."
    )
