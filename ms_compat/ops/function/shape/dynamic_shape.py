"""Operations whose result's shape depends on the values of their inputs, computed on the host.

A compiled function cannot contain them; they raise an error for its tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank
from ms_compat._core.errors import UnsupportedError, check_bool, check_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor


def _array(api: str, argument: str, value: Any, names: str) -> np.ndarray:
    check_type(api, argument, value, Tensor)
    if isinstance(value._v, Tracer):
        raise UnsupportedError(
            f"For '{api}', the shape of the result depends on the values of '{argument}', which a compiled function "
            "does not know. Call it outside of compiled functions."
        )
    array = value.asnumpy()
    if array.dtype.name not in names.split():
        raise TypeError(
            f"For '{api}', the dtype of '{argument}' must be one of {names.split()}, but got {array.dtype.name}."
        )
    return array


@faces(primitive="ComputeAccidentalHits(num_true: int = 1)(true_classes, sampled_candidates)")
def accidental_hits(true_classes, sampled_candidates, num_true=1):
    """Where sampled classes are targets.

    Args:
        true_classes (Tensor): [batch, num_true], Int32 or Int64.
        sampled_candidates (Tensor): [num_sampled] of the same type.
        num_true (int): an example's number of targets.

    Returns:
        A tuple of the rows in `true_classes` (Int32), the places in `sampled_candidates` (of their type), and a weight
        for each pair, the lowest number of Float32.

    Raises:
        TypeError: other types.
        ValueError: other shapes.
    """
    api = "ComputeAccidentalHits"
    check_int(api, "num_true", num_true)
    true = _array(api, "true_classes", true_classes, "int32 int64")
    sampled = _array(api, "sampled_candidates", sampled_candidates, "int32 int64")
    if true.ndim != 2 or true.shape[1] != num_true or sampled.ndim != 1:
        raise ValueError(
            f"For '{api}', the 'true_classes' must be [batch, {num_true}] and the 'sampled_candidates' 1-d, but got "
            f"{true.shape} and {sampled.shape}."
        )
    row, _, place = np.nonzero(true[:, :, None] == sampled)
    lowest = np.full(row.shape, np.finfo(np.float32).min, np.float32)
    return Tensor(row.astype(np.int32)), Tensor(place.astype(sampled.dtype)), Tensor(lowest)


def _sequences(indices: np.ndarray, values: np.ndarray) -> dict[tuple, list]:
    out: dict[tuple, list] = {}
    for at, value in zip(indices.tolist(), values.tolist(), strict=True):
        out.setdefault(tuple(at[:-1]), []).append(value)
    return out


def _levenshtein(one: list, other: list) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


_INT64 = "int64"
_VALUES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64"


@faces(
    primitive="EditDistance(normalize: bool = True)(hypothesis_indices, hypothesis_values, hypothesis_shape, "
    "truth_indices, truth_values, truth_shape)"
)
def edit_distance(
    hypothesis_indices,
    hypothesis_values,
    hypothesis_shape,
    truth_indices,
    truth_values,
    truth_shape,
    normalize=True,
):
    """Levenshtein's distance between the sequences of two sparse tensors: insertions, deletions and substitutions.

    Args:
        hypothesis_indices (Tensor): [N, R], Int64, in ascending order; the last dimension counts along the sequences.
        hypothesis_values (Tensor): [N].
        hypothesis_shape (Tensor): [R], Int64.
        truth_indices, truth_values, truth_shape (Tensor): likewise.
        normalize (bool): divide by the length of the truth (which gives infinity where that is empty).

    Returns:
        Float32 Tensor of rank R - 1, as large as the greater of the two shapes.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: ranks and lengths that do not go together.

    Source: Levenshtein, 1966.
    """
    api = "EditDistance"
    check_bool(api, "normalize", normalize)
    sides = []
    for name, indices, values, shape in (
        ("hypothesis", hypothesis_indices, hypothesis_values, hypothesis_shape),
        ("truth", truth_indices, truth_values, truth_shape),
    ):
        at = _array(api, f"{name}_indices", indices, _INT64)
        value = _array(api, f"{name}_values", values, _VALUES)
        sizes = _array(api, f"{name}_shape", shape, _INT64)
        if at.ndim != 2 or value.shape != at.shape[:1] or sizes.shape != at.shape[1:]:
            raise ValueError(
                f"For '{api}', the '{name}' must have indices [N, R], values [N] and a shape [R], but got {at.shape}, "
                f"{value.shape} and {sizes.shape}."
            )
        sides.append((_sequences(at, value), sizes))
    (found, here), (wanted, there) = sides
    if here.shape != there.shape:
        raise ValueError(f"For '{api}', the ranks must be the same, but got {len(here)} and {len(there)}.")
    out = np.zeros(np.maximum(here, there)[:-1], np.float32)
    for place in np.ndindex(out.shape):
        one, other = found.get(place, []), wanted.get(place, [])
        distance = float(_levenshtein(one, other))
        if normalize and distance:
            distance = distance / len(other) if other else np.inf
        out[place] = distance
    return Tensor(out)


def ragged_range(starts, limits, deltas, splits_type):
    """Sequences of numbers, one after the other, and where each begins and ends.

    Args:
        starts, limits, deltas (Tensor): 0-d or 1-d, with one shape and one type: Int32, Int64, Float32 or Float64.
        splits_type (mindspore.dtype): Int32 or Int64.

    Returns:
        (splits [n + 1], values).

    Raises:
        TypeError: other types, or different ones.
        ValueError: other shapes, or a step of 0.
    """
    api = "RaggedRange"
    names = "int32 int64 float32 float64"
    parts = [_array(api, n, v, names) for n, v in (("starts", starts), ("limits", limits), ("deltas", deltas))]
    if len({p.dtype for p in parts}) > 1:
        raise TypeError(f"For '{api}', the inputs must be of one type, but got {[p.dtype.name for p in parts]}.")
    if len({p.shape for p in parts}) > 1 or parts[0].ndim > 1:
        raise ValueError(f"For '{api}', the inputs must have one shape of at most 1 dimension, but got "
                         f"{[p.shape for p in parts]}.")  # fmt: skip
    if not parts[2].all():
        raise ValueError(f"For '{api}', the 'deltas' must not be 0.")
    starts, limits, deltas = (p.reshape(-1).tolist() for p in parts)
    kind = parts[0].dtype
    rows = [np.arange(a, b, step).astype(kind) for a, b, step in zip(starts, limits, deltas, strict=True)]
    splits = np.cumsum([0, *[len(row) for row in rows]])
    values = np.concatenate(rows) if rows else np.zeros(0, kind)
    return Tensor(splits.astype(mstype.to_np_dtype(splits_type, api))), Tensor(values)


@faces(primitive="TensorToTuple()(input_tensor)")
def tensor_to_tuple(x):
    """The elements of a 1-d tensor as a tuple of Python numbers.

    Args:
        x (Tensor): 1-d.

    Raises:
        TypeError: not a Tensor.
        ValueError: another rank.
    """
    array = _array("TensorToTuple", "x", x, f"bool {_VALUES}")
    check_rank("TensorToTuple", "x", array, 1)
    return tuple(array.tolist())
