"""Checks and conversions of MindSpore's distributions, which programs with distributions of their own import.

A Parameter is not looked into where MindSpore does not either: its values may change.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ms_compat import ops
from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.ops.primitive import Primitive

__all__ = [
    "CheckTensor", "CheckTuple", "broadcast_to", "cast_to_tensor", "cast_type_for_device",
    "check_distribution_name", "check_greater", "check_greater_equal_zero", "check_greater_zero", "check_prob",
    "check_rank", "check_sum_equal_one", "clamp_probs", "exp_generic", "log1p_generic", "log_generic",
    "log_generic_with_check", "logits_to_probs", "probs_to_logits", "raise_broadcast_error", "raise_none_error",
    "raise_not_defined", "raise_not_impl_error", "raise_not_implemented_util", "raise_type_error",
    "set_param_type",
]  # fmt: skip

_WHOLE = (*mstype.int_type, *mstype.uint_type)


def set_param_type(args: dict[str, Any], hint_type: Any) -> Any:
    """The one type of the arguments that have one; Float32 for integers and Float64; `hint_type` if none has one.

    Raises:
        TypeError: they have several.

    >>> set_param_type({"mean": Tensor([1.0]), "sd": 2.0}, mstype.float16)
    mindspore.float32
    """
    hint_type = mstype.float32 if hint_type is None or hint_type in _WHOLE else hint_type
    kinds: dict[str, Any] = {
        name: mstype.pytype_to_dtype(arg.dtype) if isinstance(arg, np.ndarray) else arg.dtype
        for name, arg in args.items()
        if hasattr(arg, "dtype")
    }
    common = next(iter(kinds.values()), None)
    for name, kind in kinds.items():
        if kind is not common:
            raise TypeError(f"The '{name}' must have the type of the other arguments, {common}, but got {kind}.")
    if common in _WHOLE or common is mstype.float64:
        return mstype.float32
    return hint_type if common is None else common


def cast_to_tensor(t: Any, hint_type: Any = mstype.float32) -> Tensor:
    """Numbers, lists and arrays as a Tensor of the type; a Parameter stays.

    Raises:
        ValueError: it is None.
        TypeError: it is a bool, or nothing that makes a Tensor.
    """
    if t is None:
        raise ValueError("For 'cast_to_tensor', the input must not be None.")
    if isinstance(t, Parameter):
        return t
    if isinstance(t, bool) or not isinstance(t, (Tensor, np.ndarray, list, int, float)):
        raise TypeError(f"For 'cast_to_tensor', a Tensor of {hint_type} cannot be made of {type(t).__name__}.")
    return Tensor(t, dtype=hint_type)


def cast_type_for_device(dtype: Any) -> Any:
    """The type that replaces another on MindSpore's GPU, whose kernels lack it; all types stay here."""
    return dtype


def _known(value: Any, name: str) -> np.ndarray:
    if value is None:
        raise ValueError(f"For '{name}', the input must not be None.")
    return value.asnumpy()


def check_greater_equal_zero(value: Tensor, name: str) -> None:
    """
    Raises:
        ValueError: a number is less than zero.
    """
    if (value.asnumpy() < 0).any():
        raise ValueError(f"The '{name}' must be greater than or equal to zero.")


def check_greater_zero(value: Tensor, name: str) -> None:
    """
    Raises:
        ValueError: a number is not greater than zero.
    """
    if not np.all(_known(value, "check_greater_zero") > 0):
        raise ValueError(f"The '{name}' must be greater than zero.")


def check_greater(a: Tensor, b: Tensor, name_a: str, name_b: str) -> None:
    """
    Raises:
        ValueError: a number of `b` is not greater than the one in `a`.
    """
    first, second = _known(a, "check_greater"), _known(b, "check_greater")
    if not isinstance(a, Parameter) and not isinstance(b, Parameter) and not (first < second).all():
        raise ValueError(f"The '{name_a}' must be less than '{name_b}'.")


def check_prob(p: Tensor) -> None:
    """
    Raises:
        ValueError: a number is not between zero and one.
    """
    values = _known(p, "check_prob")
    if not np.all((values > 0) & (values < 1)):
        raise ValueError("Probabilities must be greater than zero and less than one.")


def check_sum_equal_one(probs: Any) -> None:
    """
    Raises:
        ValueError: the probabilities of a row do not sum up to one.
    """
    if probs is None:
        raise ValueError("For 'check_sum_equal_one', the input must not be None.")
    sums = np.sum(probs.asnumpy() if isinstance(probs, Tensor) else probs, axis=-1)
    eps = np.finfo(sums.dtype).eps
    if not np.allclose(sums, 1, rtol=10 * eps, atol=eps):
        raise ValueError("The probabilities of all categories must sum up to one.")


def check_rank(probs: Tensor) -> None:
    """
    Raises:
        ValueError: it is a single number.
    """
    if _known(probs, "check_rank").ndim == 0:
        raise ValueError("The 'probs' of a Categorical distribution must have a dimension or more.")


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Softmax over the last axis; sigmoid for two categories."""
    return ops.sigmoid(logits) if is_binary else ops.softmax(logits, -1)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities at least the type's epsilon away from zero and one."""
    eps = ops.Eps()(probs)
    return ops.clip_by_value(probs, eps, 1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """The logarithm; for two categories the log odds."""
    kept = clamp_probs(probs)
    return ops.log(kept) - ops.log(1 - kept) if is_binary else ops.log(kept)


def raise_none_error(name: str) -> NoReturn:
    """Raises TypeError: an argument is given neither at construction nor at the call."""
    raise TypeError(f"The '{name}' must be a Tensor: it was not given at construction, so it must not be None.")


def raise_broadcast_error(shape_a: Any, shape_b: Any) -> NoReturn:
    """Raises ValueError: two shapes do not broadcast."""
    raise ValueError(f"The shapes {shape_a} and {shape_b} do not broadcast.")


def raise_not_impl_error(name: str) -> NoReturn:
    """Raises ValueError: a bijector lacks a function that it must have."""
    raise ValueError(f"The function '{name}' must be implemented for transformations that are not linear.")


def raise_not_implemented_util(func_name: str, obj: str, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises NotImplementedError: a distribution lacks a function."""
    raise NotImplementedError(f"'{func_name}' is not implemented for the distribution '{obj}'.")


def raise_type_error(name: str, cur_type: Any, required_type: Any) -> NoReturn:
    """Raises TypeError: an argument is of a wrong type."""
    raise TypeError(f"For '{name}', the type must be {required_type}, but got {cur_type}.")


def raise_not_defined(func_name: str, obj: str, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises ValueError: a function has no value for a distribution."""
    raise ValueError(f"'{func_name}' is not defined for the distribution '{obj}'.")


def check_distribution_name(name: Any, expected_name: str) -> None:
    """
    Raises:
        ValueError: the name is None or another distribution's.
    """
    if name is None:
        raise ValueError("The distribution must be a constant, but got None.")
    if name != expected_name:
        raise ValueError(f"The distribution must be '{expected_name}', but got '{name}'.")


class CheckTuple(Primitive):
    """`CheckTuple()(x, name)` returns `x`, which must be a tuple.

    Raises:
        TypeError: it is none.
    """

    def __init__(self) -> None:
        super().__init__("CheckTuple")

    def __call__(self, x: Any, name: str) -> tuple:
        if not isinstance(x, tuple):
            raise TypeError(f"For '{name}', the input must be a tuple, but got {type(x).__name__}.")
        return x


class CheckTensor(Primitive):
    """`CheckTensor()(x, name)` returns `x`, which must be a Tensor or None.

    Raises:
        TypeError: it is neither.
    """

    def __init__(self) -> None:
        super().__init__("CheckTensor")

    def __call__(self, x: Any, name: str) -> Any:
        if x is not None and not isinstance(x, Tensor):
            raise TypeError(f"For '{name}', the input must be a Tensor or a Parameter, but got {type(x).__name__}.")
        return x


def _floating(x: Tensor) -> Tensor:
    return x if x.dtype in mstype.float_type else x.astype(mstype.float32)


def exp_generic(input_x: Tensor) -> Tensor:
    """The exponential, in Float32 for integers."""
    return ops.exp(_floating(input_x))


def log_generic(input_x: Tensor) -> Tensor:
    """The logarithm, in Float32 for integers: -inf of zero, NaN of less."""
    return ops.log(_floating(input_x))


def log_generic_with_check(x: Any) -> Tensor:
    """
    Raises:
        TypeError: the input is not a Tensor.
    """
    return log_generic(CheckTensor()(x, "the input of log_generic"))


def log1p_generic(x: Tensor) -> Tensor:
    """The logarithm of `x + 1`."""
    return log_generic(x + 1.0)


def broadcast_to(x: Tensor, target: Tensor) -> Tensor:
    """`x` in the shape of another Tensor."""
    return x if x.shape == target.shape else ops.broadcast_to(x, target.shape)
