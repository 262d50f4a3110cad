"""Rarer primitives: counting, candidate sampling, functions of matrices, views by name, and passing values on."""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_above, check_at_least
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.indexing import scatter
from ms_compat.ops.function.linalg import matrix_functions
from ms_compat.ops.function.loss import candidate_sampling
from ms_compat.ops.function.random import primitives
from ms_compat.ops.function.reduction import histogram
from ms_compat.ops.function.shape import create, dynamic_shape, views
from ms_compat.ops.function.update import adafactor, assign
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _check_boundaries(boundaries: list) -> None:
    for i, edge in enumerate(boundaries):
        check_type("Bucketize", f"boundaries[{i}]", edge, float)


def _check_size(size: list, median: float, sigma: float) -> None:
    if not size:
        raise value_error("Cauchy", "size", "of at least 1 element", size)
    for n in size:
        if isinstance(n, bool) or not isinstance(n, int) or n <= 0:
            raise value_error("Cauchy", "size", "of positive ints", size)


def _check_histogram(bins: int, low: float, high: float) -> None:
    check_above("Histogram", "bins", bins, 0)
    if low > high:
        raise value_error("Histogram", "min", f"at most 'max' ({high})", low)


def _check_fixed_width(nbins: int, dtype: str) -> None:
    check_at_least("HistogramFixedWidth", "nbins", nbins, 1)
    if dtype != "int32":
        raise value_error("HistogramFixedWidth", "dtype", "'int32'", dtype)


def _one_of_types(api: str, argument: str, *allowed: Any):
    def check(dtype: Any) -> None:
        if dtype not in allowed:
            raise type_error(api, argument, f"one of {', '.join(map(str, allowed))}", dtype)

    return check


def _check_sampled(num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int) -> None:
    if unique and num_sampled > range_max:
        raise value_error("LogUniformCandidateSampler", "range_max", f">= num_sampled ({num_sampled})", range_max)


def _check_dim(dim: Any, keepdim: bool) -> None:
    check_type("NuclearNorm", "dim", dim, (list, tuple, type(None)))


def _identity_n(x: Any) -> tuple:
    if not isinstance(x, (tuple, list)):
        raise type_error("IdentityN", "x", "a tuple or list of Tensors", x)
    return tuple([assign.identity_copy(item) for item in x])


@faces("ops")
def expand(input_x, size):
    """A copy with the elements repeated along new and size-1 dimensions.

    Args:
        input_x: a Tensor.
        size: the shape, a 1-d Tensor, tuple or list of ints; -1 keeps a size.

    Raises:
        ValueError: the shapes do not broadcast.
    """
    sizes = size.asnumpy().tolist() if isinstance(size, Tensor) else size
    return create.identity_cast(views.broadcast_to(input_x, tuple(sizes)), input_x.dtype)


def _expand(x: Any, size: Any) -> Any:
    check_type("Expand", "shape", size, Tensor)
    return expand(x, size)


def _adafactor(with_norm: bool):
    def call(*args):
        inputs, flags = args[:-3], args[-3:]
        rest = inputs if with_norm else (*inputs, 1.0)
        return adafactor.fused_adafactor(*[*rest, *flags])

    return call


def _map_uniform(x, size, groups):
    for name, value in (("per_group_size", size), ("group_num", groups)):
        check_type("MapUniform", name, value, (int, Tensor))
    return histogram.map_uniform(x, size, groups)


def _update_state(values: tuple) -> Any:
    return values[0] if values else None


def _truncated_normal(sizes, mean, stdevs, low, high, seed, seed2):
    return primitives.parameterized_truncated_normal(sizes, mean, stdevs, low, high, seed, seed2)


def _move_to(x, to, blocking):
    return create.move_to(x if isinstance(x, Tensor) else Tensor(x), to, blocking)


@faces("ops")
def move_to(input, to="CPU", blocking=True):
    """A copy of a tensor, or of ints, on a kind of device; JAX chooses the device.

    Args:
        input: a Tensor, or a tuple or list of ints.
        to (str): 'CPU', 'GPU' or 'Ascend'.
        blocking (bool): accepted; JAX waits when somebody reads.

    Raises:
        ValueError: another `to`.
    """
    return _move_to(input, to, blocking)


_ADAFACTOR = (
    "epsilon clip_threshold beta1 beta2 weight_decay learning_rate gradient param exp_avg exp_avg_sq_row "
    "exp_avg_sq_col exp_avg_sq"
).split()
_ENABLED = {"enable_scale_parameter": False, "enable_first_moment": False, "enable_weight_decay": False}
_ENABLED_TYPES = {name: (bool,) for name in _ENABLED}
_SAMPLED = {"num_true": 1, "num_sampled": 5, "unique": True, "range_max": 5, "seed": 0}

_TABLE = {
    "Bucketize": Row(
        lambda x, boundaries: histogram.bucketize(x, tuple(boundaries)),
        ("input",),
        {"boundaries": REQUIRED},
        {"boundaries": (list,)},
        check=_check_boundaries,
    ),
    "Cauchy": Row(
        primitives.cauchy,
        (),
        {"size": REQUIRED, "median": 0.0, "sigma": 1.0},
        {"size": (list,), "median": (float,), "sigma": (float,)},
        check=_check_size,
    ),
    "Eig": Row(lambda x, compute_v: matrix_functions.eig(x, bool(compute_v)), ("x",), {"compute_v": False}),
    "Expand": Row(_expand, ("x", "shape")),
    "FusedAdaFactor": Row(_adafactor(False), tuple(_ADAFACTOR), _ENABLED, _ENABLED_TYPES),
    "FusedAdaFactorWithGlobalNorm": Row(
        _adafactor(True), (*_ADAFACTOR, "global_norm"), _ENABLED, _ENABLED_TYPES
    ),
    "Histogram": Row(
        histogram.histogram,
        ("x",),
        {"bins": 100, "min": 0.0, "max": 0.0},
        {"bins": (int,), "min": (float,), "max": (float,)},
        check=_check_histogram,
    ),
    "HistogramFixedWidth": Row(
        lambda x, ends, nbins, dtype: histogram.histogram_fixed_width(x, ends, nbins),
        ("x", "range"),
        {"nbins": REQUIRED, "dtype": "int32"},
        {"nbins": (int,), "dtype": (str,)},
        check=_check_fixed_width,
    ),
    "IdentityN": Row(_identity_n, ("x",)),
    "InplaceUpdateV2": Row(lambda x, indices, v: scatter.inplace_update(x, v, indices), ("x", "indices", "v")),
    "LogUniformCandidateSampler": Row(
        candidate_sampling.log_uniform_candidate_sampler, ("true_classes",), _SAMPLED, check=_check_sampled
    ),
    "MapUniform": Row(_map_uniform, ("input", "per_group_size", "group_num")),
    "MoveTo": Row(_move_to, ("input", ("to", "CPU"), ("blocking", True))),
    "NonDeterministicInts": Row(
        primitives.non_deterministic_ints,
        ("shape",),
        {"dtype": mstype.int64},
        check=_one_of_types("NonDeterministicInts", "dtype", mstype.int32, mstype.int64, mstype.uint32, mstype.uint64),
    ),
    "NuclearNorm": Row(
        lambda x, dim, keepdim: matrix_functions.nuclear_norm(x, None if dim is None else tuple(dim), keepdim),
        ("x",),
        {"dim": None, "keepdim": False},
        {"keepdim": (bool,)},
        check=_check_dim,
    ),
    "ParameterizedTruncatedNormal": Row(
        _truncated_normal, ("shape", "mean", "stdevs", "min", "max"), {"seed": 0, "seed2": 0}
    ),
    "RaggedRange": Row(
        dynamic_shape.ragged_range,
        ("starts", "limits", "deltas"),
        {"Tsplits": REQUIRED},
        check=_one_of_types("RaggedRange", "Tsplits", mstype.int32, mstype.int64),
    ),
    "Reusing": Row(assign.identity, ("x",)),
    "ScatterNonAliasingAdd": Row(scatter.scatter_nd_add, ("input_x", "indices", "updates")),
    "SelectView": Row(lambda x, index, axis: views.select_view(x, axis, index), ("input_tensor", "index", "axis")),
    "UpdateState": Row(_update_state, ("values",), variadic=True),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
