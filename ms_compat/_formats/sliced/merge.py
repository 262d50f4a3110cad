"""Slices to one Parameter: `merge_sliced_parameter`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_not_empty
from ms_compat._core.errors import check_type, type_error, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._formats.sliced.layout import NONE, pieces

_API = "merge_sliced_parameter"


@faces("train train.serialization")
def merge_sliced_parameter(sliced_parameters, strategy=None):
    """Put the slices of a parameter together.

    Args:
        sliced_parameters (list): the Parameters of all ranks, in their order; equal in name and shape but for the first
            dimension.
        strategy (dict): name to layout, as `build_searched_strategy` gives it; None (or an empty dict) to join them
            along the first dimension.

    Returns:
        Parameter, with the name and attributes of the first slice. BFloat16 slices give a Float32 Parameter, as in
        MindSpore.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: there are no slices, or they do not fit one another or the layout.
        KeyError: `strategy` does not have the parameter.

    >>> from ms_compat import Parameter, Tensor, merge_sliced_parameter
    >>> halves = [Parameter(Tensor([1.0, 2.0]), "w"), Parameter(Tensor([3.0]), "w")]
    >>> merge_sliced_parameter(halves).asnumpy()
    array([1., 2., 3.], dtype=float32)
    """
    check_type(_API, "sliced_parameters", sliced_parameters, list)
    check_not_empty(_API, "sliced_parameters", sliced_parameters)
    if strategy and not isinstance(strategy, dict):
        raise type_error(_API, "strategy", "dict", strategy)
    for index, parameter in enumerate(sliced_parameters):
        check_type(_API, f"sliced_parameters[{index}]", parameter, Parameter)
    first = sliced_parameters[0]
    for index, parameter in enumerate(sliced_parameters):
        if (parameter.name, parameter.ndim, parameter.shape[1:]) != (first.name, first.ndim, first.shape[1:]):
            raise ValueError(
                f"For '{_API}', the slices must be equal in name and in shape but for the first dimension, but slice "
                f"{index} is '{parameter.name}' {parameter.shape} and the first one '{first.name}' {first.shape}."
            )
    slices = [_values(parameter) for parameter in sliced_parameters]
    if strategy and first.name not in strategy:
        raise KeyError(f"For '{_API}', the 'strategy' must have the key '{first.name}', but has not.")
    merged = _merged(slices, strategy[first.name], first.name) if strategy else np.concatenate(slices)
    return Parameter(Tensor(merged), first.name, first.requires_grad, first.layerwise_parallel)


def _values(parameter: Parameter) -> np.ndarray:
    found = parameter.asnumpy()
    return found.astype(np.float32) if parameter.dtype is mstype.bfloat16 else found


def _merged(slices: list[np.ndarray], layout: Any, name: str) -> np.ndarray:
    try:
        matrix, tensor_map = list(layout.dev_matrix[0].dim), list(layout.tensor_map[0].dim)
        lengths, field = list(layout.param_split_shape[0].dim), int(layout.field)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"For '{_API}', the 'strategy' of '{name}' is {value_and_type(layout)}: {error}") from error
    return merged(slices, matrix, tensor_map, lengths, field)


def merged(
    slices: Sequence[np.ndarray], matrix: Sequence[int], tensor_map: Sequence[int], lengths: Sequence[int], field: int
) -> np.ndarray:
    """The tensor whose slices the devices of a matrix hold.

    Args:
        slices: the slices, in the order of ranks.
        matrix: the device matrix.
        tensor_map: the tensor map.
        lengths: the length of each slice along the first dimension; empty for equal slices.
        field: for an embedding table whose rows are interleaved, the number of its fields, else 0.

    Raises:
        ValueError: the slices do not fit.
    """
    devices = math.prod(matrix)
    if len(slices) != devices:
        raise ValueError(f"For '{_API}', there must be a slice for each of {devices} devices, but got {len(slices)}.")
    cuts = pieces(matrix, tensor_map)
    if not lengths:
        if len({each.shape for each in slices}) > 1:
            raise ValueError(f"For '{_API}', equal slices must have one shape, but have {[s.shape for s in slices]}.")
        if field > 0:
            columns = slices[0].shape[1]
            return np.concatenate([each.reshape(field, -1, columns) for each in slices], 1).reshape(-1, columns)
    elif len(lengths) != math.prod(cuts):
        raise ValueError(f"For '{_API}', the layout must have {math.prod(cuts)} lengths, but has {list(lengths)}.")
    found: dict[int, np.ndarray] = {}
    for rank, each in enumerate(slices):
        at = _number(rank, matrix, tensor_map, cuts)
        if lengths and each.shape[0] != lengths[at]:
            raise ValueError(f"For '{_API}', slice {at} must have the length {lengths[at]}, but has {each.shape[0]}.")
        found[at] = each  # of copies the last one counts
    if len(found) != math.prod(cuts):
        raise ValueError(f"For '{_API}', the tensor map {list(tensor_map)} names a device dimension twice.")
    return _joined([found[at] for at in range(len(found))], cuts)


def _number(rank: int, matrix: Sequence[int], tensor_map: Sequence[int], cuts: Sequence[int]) -> int:
    """Which slice, in row-major order, a rank holds."""
    place = np.unravel_index(rank, matrix)
    number = 0
    for axis, cut in zip(tensor_map, cuts, strict=True):
        number = number * cut + (0 if axis == NONE else int(place[-axis - 1]))
    return number


def _joined(slices: list[np.ndarray], cuts: Sequence[int]) -> np.ndarray:
    """Slices in row-major order as one array."""
    for axis in reversed(range(len(cuts))):
        count = cuts[axis]
        slices = [np.concatenate(slices[at : at + count], axis) for at in range(0, len(slices), count)]
    return slices[0]


def split(value: np.ndarray, matrix: Sequence[int], tensor_map: Sequence[int], rank: int) -> np.ndarray:
    """The slice that a rank holds.

    Raises:
        ValueError: the tensor map does not fit the shape, or a dimension cannot be cut into equal pieces.

    >>> split(np.arange(4), [2], [0], 1)
    array([2, 3])
    """
    cuts = pieces(matrix, tensor_map)
    if len(cuts) != value.ndim or any(size % cut for size, cut in zip(value.shape, cuts, strict=True)):
        raise ValueError(f"A tensor of shape {value.shape} cannot be cut by {list(matrix)} and {list(tensor_map)}.")
    place = np.unravel_index(rank % math.prod(matrix), matrix)
    where = []
    for size, axis, cut in zip(value.shape, tensor_map, cuts, strict=True):
        number = 0 if axis == NONE else int(place[-axis - 1])
        where.append(slice(number * (size // cut), (number + 1) * (size // cut)))
    return value[tuple(where)]


def values_of(parameters: Mapping[int, Parameter]) -> dict[int, np.ndarray]:
    """The values of each rank's Parameter."""
    return {rank: _values(parameter) for rank, parameter in parameters.items()}
