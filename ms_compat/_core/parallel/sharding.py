"""MindSpore's layouts as JAX's shardings.

A layout gives each dimension's number of pieces. All layouts of a program use one mesh over all devices, whose
axes are the prime factors of the device count (8 devices: 2 x 2 x 2). So a `PartitionSpec` can express any layout of
the same devices, and XLA moves arrays between layouts.
"""

from __future__ import annotations

import functools
import math
import threading
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.parallel.layout import Layout
from ms_compat._core.settings import device
from ms_compat._core.tensor import Tensor


class Joint(threading.local):
    """Whether this thread traces a program that several processes compute together; `with joint:` says so."""

    program = False

    def __enter__(self) -> None:
        self.program = True

    def __exit__(self, *exc: object) -> None:
        self.program = False


joint = Joint()


def prime_factors(number: int) -> list[int]:
    """The prime factors of a number, the smallest first.

    >>> prime_factors(12)
    [2, 2, 3]
    """
    factors = []
    for prime in range(2, number + 1):
        while number % prime == 0:
            factors.append(prime)
            number //= prime
    return factors


def mesh() -> Mesh:
    """The mesh over all devices, an axis for each prime factor of their number."""
    return _mesh(device.everywhere())


@functools.cache
def _mesh(devices: tuple[Any, ...]) -> Mesh:
    factors = prime_factors(len(devices)) or [1]
    return Mesh(np.array(devices).reshape(factors), [f"d{i}" for i in range(len(factors))])


def take_axes(free: dict[str, int], cut: int) -> tuple[str, ...] | None:
    """The first axes among those that are free whose sizes multiply to a number, which are free no longer.

    Returns:
        The axes; None, and nothing is taken, if there are none such.
    """
    left, taken = dict(free), []
    for prime in prime_factors(cut):
        name = next((name for name, size in left.items() if size == prime), None)
        if name is None:
            return None
        del left[name]
        taken.append(name)
    free.clear()
    free.update(left)
    return tuple(taken)


def named_axes(part: Any) -> tuple[str, ...]:
    """The axes of one dimension in a PartitionSpec."""
    if part is None:
        return ()
    return part if isinstance(part, tuple) else (part,)


def check_layout(argument: str, layout: Any, api: str = "Cell.shard") -> tuple[int, ...] | Layout:
    """Return a layout that the devices can serve.

    Raises:
        TypeError: it is not a tuple of ints.
        ValueError: a number is not positive, or the cuts do not fit the devices.
    """
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, tuple) or any(isinstance(cut, bool) or not isinstance(cut, int) for cut in layout):
        raise TypeError(f"For '{api}', each layout in '{argument}' must be a tuple of int, but got {layout!r:.80}.")
    if any(cut < 1 for cut in layout):
        raise ValueError(f"For '{api}', the cuts in '{argument}' must be positive, but got {layout}.")
    _axes_of(layout, argument, api)
    return layout


def check_layouts(argument: str, value: Any) -> None:
    """Check nested tuples of layouts, of which None leaves a value alone; raises as `check_layout` does."""
    check_type("Cell.shard", argument, value, tuple)
    for item in value:
        if isinstance(item, tuple) and item and isinstance(item[0], tuple):
            check_layouts(argument, item)
        elif item is not None:
            check_layout(argument, item)


def _axes_of(layout: tuple[int, ...], argument: str = "layout", api: str = "Cell.shard") -> list[tuple | None]:
    """Which axes of the mesh cut each dimension."""
    free = dict(mesh().shape)
    found: list[tuple | None] = []
    for cut in layout:
        axes = take_axes(free, cut)
        if axes is None:
            raise ValueError(
                f"For '{api}', '{argument}' {layout} makes {math.prod(layout)} pieces, which do not fit "
                f"{mesh().devices.size} devices."
            )
        found.append(axes or None)
    return found


def sharding_of(
    layout: tuple[int, ...] | Layout, shape: tuple[int, ...], what: str, api: str = "Cell.shard"
) -> NamedSharding:
    """The sharding of an array under a layout.

    Raises:
        ValueError: the layout has another number of dimensions, or a dimension cannot be cut so.
    """
    if isinstance(layout, Layout):
        return layout.sharding(shape, what)
    if len(layout) != len(shape) or any(size % cut for size, cut in zip(shape, layout, strict=True)):
        raise ValueError(f"For '{api}', {what} of shape {tuple(shape)} cannot be cut by the layout {layout}.")
    return NamedSharding(mesh(), PartitionSpec(*_axes_of(layout, api=api)))


@op(static=("sharding",), name="shard")
def _constrained(x, sharding):
    return jax.lax.with_sharding_constraint(x, sharding)


def laid_out(x: Tensor, sharding: Any) -> Tensor:
    """The Tensor as it is, under a sharding constraint; a constant too, unless the devices are not here to hold it."""
    return x if device.is_planned() and isinstance(x._v, ArrayImpl) else _constrained(x, sharding)


def constrain(values: Any, layouts: Any, what: str, api: str = "Cell.shard") -> Any:
    """The values with a sharding constraint on each Tensor that has a layout; nested tuples alike.

    Where each process computes its own program the values stay unchanged.
    """
    if layouts is None or device.several_processes() and not joint.program:
        return values
    if isinstance(values, Tensor):
        return laid_out(values, sharding_of(layouts, values.shape, what, api))
    if isinstance(values, (tuple, list)):
        out = [constrain(value, layout, what, api) for value, layout in zip(values, layouts, strict=False)]
        return type(values)([*out, *values[len(out) :]])
    return values


def constrain_outputs(outputs: Any, layouts: Any, api: str = "Cell.shard") -> Any:
    """The outputs of a call under `out_strategy`, which has a layout for each, also if there is only one."""
    if layouts and isinstance(outputs, Tensor):
        return constrain(outputs, layouts[0], "an output", api)
    return constrain(outputs, layouts, "an output", api)
