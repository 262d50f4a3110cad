"""Parameter groups: from MindSpore's list of Parameters or dicts to one flat, ordered description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_bool, check_number
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._optim.transform import NO_PARAMETERS
from ms_compat.nn.cell import Cell
from ms_compat.nn.learning_rate_schedule import LearningRateSchedule

_KEYS = ("params", "lr", "weight_decay", "grad_centralization", "order_params")


class Groups:
    """One entry per parameter; None means "as given to the optimizer"."""

    def __init__(self) -> None:
        self.parameters: list[Parameter] = []
        self.learning_rates: list[tuple[int, Any]] = []
        self.weight_decays: list[Any] = []
        self.grad_centralization: list[bool] = []
        self.grouped = False
        self.ordered = False

    @property
    def has_learning_rates(self) -> bool:
        """Whether a group has its own learning rate."""
        return any(value is not None for _, value in self.learning_rates)

    @property
    def has_weight_decays(self) -> bool:
        """Whether decay is decided per group."""
        return self.grouped

    def decay_flags(self, weight_decay: Any) -> tuple[bool, ...]:
        """Which parameters are decayed: in groups those with a positive value, else all but gamma and beta."""
        if not self.grouped:
            return tuple("beta" not in p.name and "gamma" not in p.name for p in self.parameters)
        values = [weight_decay if v is None else v for v in self.weight_decays]
        return tuple(isinstance(v, Cell) or v > 0 for v in values)

    def reorder(self, order: list[Parameter]) -> None:
        """Put the entries into the order of `order_params`."""
        at = {p.name: i for i, p in enumerate(self.parameters)}
        missing = [p.name for p in order if p.name not in at]
        if missing or len(order) != len(self.parameters):
            raise ValueError(
                "For 'Optimizer', 'order_params' must list exactly the parameters of the groups; "
                f"got {len(order)} of {len(self.parameters)}, unknown: {missing}."
            )
        for name in ("parameters", "learning_rates", "weight_decays", "grad_centralization"):
            values = getattr(self, name)
            setattr(self, name, [values[at[p.name]] for p in order])
        self.ordered = True


def _listed(parameters: Any, api: str) -> list[Any]:
    if parameters is None:
        raise ValueError(f"For '{api}', 'params' must be a list of Parameters or of dicts, but got None.")
    if isinstance(parameters, (str, dict)) or not isinstance(parameters, Iterable):
        raise TypeError(
            f"For '{api}', 'params' must be a list of Parameters or of dicts, but got {type(parameters).__name__}."
            + (" Write 'net.trainable_params()'." if hasattr(parameters, "trainable_params") else "")
        )
    items = list(parameters)
    if not items:
        raise ValueError(
            f"For 'Optimizer', the argument parameters must not be empty, but '{api}' got no 'params'. {NO_PARAMETERS}"
        )
    return items


def _check_keys(group: dict[str, Any], api: str) -> None:
    for key in group:
        if key not in _KEYS:
            raise KeyError(f"For '{api}', a parameter group has the keys {_KEYS}, but got '{key}'.")
    if "order_params" in group:
        if len(group) > 1:
            raise ValueError(
                f"For '{api}', the group with 'order_params' must have no other key, but got {list(group)}."
            )
    elif "params" not in group:
        raise KeyError(f"For '{api}', a parameter group needs the key 'params', but got {list(group)}.")


def split_groups(parameters: Any, api: str) -> Groups:
    """Check what an optimizer got as `params` and flatten it.

    Raises:
        TypeError: not an iterable of Parameters or dicts.
        ValueError: empty, equal names, unknown keys of a group.
    """
    items = _listed(parameters, api)
    groups = Groups()
    if not all(isinstance(item, dict) for item in items):
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(f"For '{api}', each of 'params' must be a Parameter, but got {type(item).__name__}.")
        _append(groups, items, 0, None, None, False, api)
        _check_names(groups, api)
        return groups
    groups.grouped = True
    order = None
    number = 0
    for item in items:
        _check_keys(item, api)
        if "order_params" in item:
            order = list(item["order_params"])
            continue
        chosen = list(item["params"])
        if not chosen:
            raise ValueError(f"For '{api}', the 'params' of a group must not be empty. {NO_PARAMETERS}")
        centralize = item.get("grad_centralization", False)
        _append(groups, chosen, number, item.get("lr"), item.get("weight_decay"), centralize, api)
        number += 1
    _check_names(groups, api)
    if order is not None:
        groups.reorder(order)
    return groups


def _append(groups, chosen, number, rate, decay, centralize, api) -> None:
    check_bool(api, "grad_centralization", centralize)
    for parameter in chosen:
        if not isinstance(parameter, Parameter):
            raise TypeError(f"For '{api}', each of 'params' must be a Parameter, but got {type(parameter).__name__}.")
        groups.parameters.append(parameter)
        groups.learning_rates.append((number, rate))
        groups.weight_decays.append(decay)
        groups.grad_centralization.append(centralize)


def _check_names(groups: Groups, api: str) -> None:
    seen: set[str] = set()
    for parameter in groups.parameters:
        if parameter.name in seen:
            kind = RuntimeError if groups.grouped else ValueError
            again = sum(parameter is other for other in groups.parameters) > 1
            raise kind(
                f"For '{api}', the parameter '{parameter.name}' appears twice in 'params'"
                + (
                    "."
                    if again
                    else ": two Parameters have this name; give each its own, 'Parameter(value, name=...)'."
                )
            )
        seen.add(parameter.name)


def check_learning_rate(value: Any, api: str) -> Any:
    """A float, a float32 array of one value per step, or a schedule.

    Raises:
        TypeError: none of these.
        ValueError: negative, or an empty or many-dimensional sequence.
    """
    if isinstance(value, LearningRateSchedule):
        return value
    if isinstance(value, str):
        raise ValueError(f"For '{api}', 'learning_rate' must be a number, but got {value!r}.")
    if isinstance(value, (int, float)):
        check_at_least(api, "learning_rate", value, 0)
        return float(value)
    if isinstance(value, Tensor):
        array = value.asnumpy()
        if array.ndim > 1:
            raise ValueError(f"For '{api}', a 'learning_rate' Tensor must be 0-d or 1-d, but got {array.shape}.")
        return float(array) if array.ndim == 0 else array.astype(np.float32)
    if isinstance(value, Iterable):
        return np.asarray([float(v) for v in value], np.float32)
    raise TypeError(
        f"For '{api}', 'learning_rate' must be a number, Tensor, iterable or LearningRateSchedule, but got "
        f"{type(value).__name__}."
    )


def check_weight_decay(value: Any, api: str) -> Any:
    """A non-negative float, or a Cell of the step.

    Raises:
        TypeError: neither.
        ValueError: negative.
    """
    if isinstance(value, Cell):
        return value
    check_number(api, "weight_decay", value)
    check_at_least(api, "weight_decay", value, 0)
    return float(value)
