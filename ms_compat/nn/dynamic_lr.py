"""`nn.dynamic_lr`: learning rates as lists, one number per step.

Each function evaluates a formula of the step's epoch, floor(step / step_per_epoch), for `total_step` steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ms_compat._core.errors import check_bool, check_positive_int, check_type, value_error
from ms_compat._core.faces import faces


def check_rate(api: str, name: str, value: Any, zero: bool = False) -> float:
    """A float that is positive, or with `zero` not negative.

    Raises:
        TypeError: it is not a float.
        ValueError: it is out of range.
    """
    check_type(api, name, value, float)
    if value < 0 or (value == 0 and not zero):
        raise value_error(api, name, "a float >= 0" if zero else "a float > 0", value)
    return value


def _steps(api: str, total_step: Any, step_per_epoch: Any, **epochs: Any) -> None:
    for name, value in (("total_step", total_step), ("step_per_epoch", step_per_epoch), *epochs.items()):
        check_positive_int(api, name, value)


def _per_epoch(total_step: int, step_per_epoch: int, rate: Callable[[int], float]) -> list[float]:
    return [rate(step // step_per_epoch) for step in range(total_step)]


@faces("nn")
def piecewise_constant_lr(milestone, learning_rates):
    """Constant between milestones.

    Args:
        milestone: list of the steps at which each rate ends, rising.
        learning_rates: list of as many floats.

    Returns:
        list of `milestone[-1]` floats.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: unequal lengths, or milestones that do not rise.

    >>> from ms_compat import nn
    >>> nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
    [0.1, 0.1, 0.05, 0.05, 0.05]
    """
    api = "piecewise_constant_lr"
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        check_type(api, name, value, (tuple, list))
    if len(milestone) != len(learning_rates):
        raise ValueError(
            f"For '{api}', there must be as many 'learning_rates' as 'milestone', but got "
            f"{len(learning_rates)} and {len(milestone)}."
        )
    rates: list[float] = []
    for end, rate in zip(milestone, learning_rates, strict=True):
        check_positive_int(api, "milestone", end)
        if end < len(rates):
            raise value_error(api, "milestone", "rising", milestone)
        check_type(api, "learning_rates", rate, float)
        rates += [rate] * (end - len(rates))
    return rates


@faces("nn")
def exponential_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate * decay_rate ** (epoch / decay_epoch).

    Args:
        learning_rate, decay_rate: floats > 0.
        total_step, step_per_epoch, decay_epoch: ints > 0.
        is_stair: round the exponent down.

    >>> from ms_compat import nn
    >>> nn.exponential_decay_lr(0.1, 0.5, 4, 2, 1)
    [0.1, 0.1, 0.05, 0.05]
    """
    decay = _decay("exponential_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)
    return _per_epoch(total_step, step_per_epoch, lambda epoch: learning_rate * decay_rate ** decay(epoch))


@faces("nn")
def natural_exp_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate * exp(-decay_rate * epoch); with `is_stair` the epoch is rounded down to multiples of decay_epoch.

    Args:
        learning_rate, decay_rate: floats > 0.
        total_step, step_per_epoch, decay_epoch: ints > 0.
        is_stair: round down.

    >>> from ms_compat import nn
    >>> [round(rate, 4) for rate in nn.natural_exp_decay_lr(0.5, 1.0, 3, 1, 1)]
    [0.5, 0.1839, 0.0677]
    """
    _decay("natural_exp_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)
    stair = decay_epoch if is_stair else 1
    return _per_epoch(
        total_step,
        step_per_epoch,
        lambda epoch: learning_rate * math.e ** (-decay_rate * math.floor(epoch / stair) * stair),
    )


@faces("nn")
def inverse_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate / (1 + decay_rate * epoch / decay_epoch).

    Args:
        learning_rate, decay_rate: floats > 0.
        total_step, step_per_epoch, decay_epoch: ints > 0.
        is_stair: round the quotient down.

    >>> from ms_compat import nn
    >>> nn.inverse_decay_lr(0.5, 1.0, 4, 2, 1)
    [0.5, 0.5, 0.25, 0.25]
    """
    decay = _decay("inverse_decay_lr", learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)
    return _per_epoch(total_step, step_per_epoch, lambda epoch: learning_rate / (1 + decay_rate * decay(epoch)))


def _decay(api, learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair) -> Callable[[int], float]:
    check_rate(api, "learning_rate", learning_rate)
    check_rate(api, "decay_rate", decay_rate)
    _steps(api, total_step, step_per_epoch, decay_epoch=decay_epoch)
    check_bool(api, "is_stair", is_stair)
    return (lambda epoch: epoch // decay_epoch) if is_stair else (lambda epoch: epoch / decay_epoch)


@faces("nn")
def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch):
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * epoch / decay_epoch)), constant after decay_epoch.

    Args:
        min_lr: a float >= 0.
        max_lr: a float > min_lr.
        total_step, step_per_epoch, decay_epoch: ints > 0.

    >>> from ms_compat import nn
    >>> nn.cosine_decay_lr(0.0, 0.1, 4, 2, 2)
    [0.1, 0.1, 0.05, 0.05]
    """
    api = "cosine_decay_lr"
    check_rate(api, "min_lr", min_lr, zero=True)
    check_rate(api, "max_lr", max_lr)
    _steps(api, total_step, step_per_epoch, decay_epoch=decay_epoch)
    if min_lr >= max_lr:
        raise ValueError(f"For '{api}', the 'max_lr' must be greater than 'min_lr', but got {max_lr} and {min_lr}.")
    half = 0.5 * (max_lr - min_lr)
    return _per_epoch(
        total_step,
        step_per_epoch,
        lambda epoch: min_lr + half * (1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch)),
    )


@faces("nn")
def polynomial_decay_lr(
    learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power, update_decay_epoch=False
):
    """(learning_rate - end_learning_rate) * (1 - epoch / decay_epoch) ** power + end_learning_rate.

    Args:
        learning_rate: a float > 0.
        end_learning_rate: a float >= 0.
        total_step, step_per_epoch, decay_epoch: ints > 0.
        power: a float > 0.
        update_decay_epoch: go on with the next multiple of decay_epoch; otherwise constant after it.

    >>> from ms_compat import nn
    >>> nn.polynomial_decay_lr(0.5, 0.25, 4, 1, 4, 1.0)
    [0.5, 0.4375, 0.375, 0.3125]
    """
    api = "polynomial_decay_lr"
    check_rate(api, "learning_rate", learning_rate)
    check_rate(api, "end_learning_rate", end_learning_rate, zero=True)
    check_rate(api, "power", power)
    _steps(api, total_step, step_per_epoch, decay_epoch=decay_epoch)
    check_bool(api, "update_decay_epoch", update_decay_epoch)

    def rate(epoch):
        length = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else decay_epoch
        return (learning_rate - end_learning_rate) * (1 - min(epoch, length) / length) ** power + end_learning_rate

    return _per_epoch(total_step, step_per_epoch, rate)


@faces("nn")
def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch):
    """learning_rate * min(epoch, warmup_epoch) / warmup_epoch.

    Args:
        learning_rate: a float >= 0.
        total_step, step_per_epoch, warmup_epoch: ints > 0.

    >>> from ms_compat import nn
    >>> nn.warmup_lr(0.1, 4, 1, 2)
    [0.0, 0.05, 0.1, 0.1]
    """
    api = "warmup_lr"
    check_rate(api, "learning_rate", learning_rate, zero=True)
    _steps(api, total_step, step_per_epoch, warmup_epoch=warmup_epoch)
    return _per_epoch(total_step, step_per_epoch, lambda epoch: learning_rate / warmup_epoch * min(epoch, warmup_epoch))
