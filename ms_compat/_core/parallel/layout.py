"""`Layout`: named device axes, and how a tensor's dimensions are sharded over them: JAX's `NamedSharding`.

`Layout((2, 4), ("dp", "mp"))` is a mesh; called with an axis for each dimension it gives the layout of a tensor.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ms_compat._core.errors import UnsupportedError, type_error
from ms_compat._core.settings import device


class Layout:
    """An arrangement of devices; called, the layout of a tensor.

    Args:
        device_matrix: the arrangement's shape, a tuple of int.
        alias_name: a name for each of its axes.
        rank_list: the numbers of the devices, in row-major order; those from 0 on by default.

    Raises:
        TypeError: an argument or an item of a wrong type.
        ValueError: lengths that differ, a name twice, empty or "None".

    >>> layout = Layout((1, 1), ("dp", "mp"))("dp", "None")
    >>> layout.to_dict()["tensor_map"]
    (1, -1)
    """

    def __init__(self, device_matrix, alias_name, rank_list=None) -> None:
        for name, value, kind, item in (
            ("device_matrix", device_matrix, tuple, int),
            ("alias_name", alias_name, tuple, str),
            ("rank_list", rank_list, (list, type(None)), int),
        ):
            if not isinstance(value, kind):
                expected = "list" if name == "rank_list" else "tuple"
                raise type_error("Layout", name, expected, value)
            for part in value or ():
                if not isinstance(part, item) or isinstance(part, bool):
                    raise type_error("Layout", f"item of {name}", item.__name__, part)
        if len(device_matrix) != len(alias_name):
            raise ValueError("For 'Layout', the device_matrix length should be equal to alias_name length.")
        if any(name in ("", "None") for name in alias_name) or len(set(alias_name)) != len(alias_name):
            raise ValueError(
                f"For 'Layout', the items of alias_name must be different and neither empty nor 'None', but got "
                f"{alias_name}."
            )
        count = math.prod(device_matrix)
        if rank_list is not None and (len(rank_list) != count or len(set(rank_list)) != count):
            raise ValueError(
                f"For 'Layout', the rank_list must have {count} different items, the product of device_matrix, but got "
                f"{rank_list}."
            )
        self._device_shape = device_matrix
        self._alias_name = alias_name
        self._rank_list = list(range(count)) if rank_list is None else rank_list
        self._tensor_map: tuple | None = None

    def __call__(self, *tensor_map: str | tuple[str, ...]) -> Layout:
        """The layout of a tensor.

        Args:
            *tensor_map: for each dimension the axis that cuts it, a tuple of axes, or "None".

        Raises:
            ValueError: there is no such axis, or it is named twice.
        """
        used: list[Any] = []

        def index(axis: Any) -> int:
            if axis == "None":
                return -1
            if axis not in self._alias_name:
                raise ValueError(f"For 'Layout', the axis {axis} is not found in {self._alias_name}.")
            if axis in used:
                raise ValueError(f"For 'Layout', the axis {axis} has been set more than once.")
            used.append(axis)
            return len(self._alias_name) - 1 - self._alias_name.index(axis)

        made = copy.copy(self)
        made._tensor_map = tuple([tuple(map(index, a)) if isinstance(a, tuple) else index(a) for a in tensor_map])
        return made

    def to_dict(self) -> dict[str, Any]:
        """The layout as MindSpore writes it; an axis is counted from the last one.

        Raises:
            ValueError: it is not the layout of a tensor yet.
        """
        if self._tensor_map is None:
            raise ValueError("For 'Layout', call it with an axis for each dimension first.")
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": "interleaved_parallel" in self._alias_name,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }

    def sharding(self, shape: tuple[int, ...], what: str) -> NamedSharding:
        """The sharding of an array.

        Args:
            shape: the array's.
            what: the array, for messages.

        Raises:
            ValueError: the layout has another number of dimensions, cannot cut the shape, or needs more devices.
            UnsupportedError: an axis "interleaved_parallel".
        """
        tensor_map = self.to_dict()["tensor_map"]
        if "interleaved_parallel" in self._alias_name:
            raise UnsupportedError("Layout with 'interleaved_parallel'", "XLA overlaps communication by itself.")
        names = self._alias_name[::-1]
        spec = [tuple([names[i] for i in (m if isinstance(m, tuple) else (m,)) if i >= 0]) or None for m in tensor_map]
        sizes = dict(zip(self._alias_name, self._device_shape, strict=True))
        cuts = [math.prod([sizes[name] for name in axes or ()]) for axes in spec]
        if len(cuts) != len(shape) or any(n % cut for n, cut in zip(shape, cuts, strict=True)):
            raise ValueError(f"For 'Layout', {what} of shape {tuple(shape)} cannot be cut by {tensor_map}.")
        devices = device.everywhere()
        if max(self._rank_list) >= len(devices):
            raise ValueError(f"For 'Layout', the devices {self._rank_list} are needed, but there are {len(devices)}.")
        mesh = Mesh(np.array([devices[i] for i in self._rank_list]).reshape(self._device_shape), self._alias_name)
        return NamedSharding(mesh, PartitionSpec(*spec))
