"""`LRScheduler`: sets the learning rates of an optimizer's groups.

A scheduler is a pair of formulas: the next learning rate from the one before (`_next`), which keeps what other code
changed meanwhile, and the learning rate of an epoch from the first one (`_at`), for `step(epoch)`. Both are functions
of arrays without a branch, so `step()` works inside a compiled function too; `last_epoch` is a Parameter for that.

Source of the formulas: the schedulers' definitions in MindSpore's API reference; Loshchilov and Hutter, 2017 (SGDR);
Smith, 2017 (cyclical learning rates).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import write_barrier
from ms_compat.mint.optim._base import Optimizer, _value


def is_a(api: str, name: str, value: Any, kind: type) -> None:
    if isinstance(value, bool) or not isinstance(value, kind):
        raise type_error(api, name, kind.__name__, value)


def array(value: Any) -> Any:
    return _value(value).astype(jnp.float32)


def counter(name: str, value: float, dtype: Any = mstype.float32) -> Parameter:
    return Parameter(Tensor(value, dtype), name=name, requires_grad=False)


def check_optimizer(api: str, optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise type_error(api, "optimizer", "an Optimizer of mindspore.experimental or mindspore.mint", optimizer)


def set_rate(group: dict, value: Any) -> Tensor:
    """Give a group its learning rate; returns it."""
    found = array(value)
    rate = group["lr"]
    if not isinstance(rate, Parameter):
        rate = group["lr"] = counter("learning_rate", 0.0)
    write_barrier.assign(rate, found)
    return wrap(found)


@faces("experimental.optim.lr_scheduler")
class LRScheduler:
    """Base class of the schedulers; a subclass defines `get_lr()`, the groups' learning rates at `last_epoch`.

    Args:
        optimizer (Optimizer): of `mindspore.experimental.optim` or `mindspore.mint.optim`.
        last_epoch (int): the last epoch of the run that is resumed; -1 starts from the beginning.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `last_epoch` is less than -1.
        KeyError: a resumed optimizer has no 'initial_lr'.
    """

    _next: Callable | None = None
    _at: Callable | None = None

    def __init__(self, optimizer, last_epoch=-1):
        api = type(self).__name__
        check_optimizer(api, optimizer)
        is_a(api, "last_epoch", last_epoch, int)
        if last_epoch < -1:
            raise value_error(api, "last_epoch", "-1 or more", last_epoch)
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", Tensor(group["lr"].asnumpy(), mstype.float32))
            elif "initial_lr" not in group:
                raise KeyError(f"For '{api}', the resumed param_groups[{number}] has no 'initial_lr'.")
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.groups_num = len(optimizer.param_groups)
        self._last_lr: list[Any] = [group["lr"] for group in optimizer.param_groups]
        self.last_epoch = counter(f"last_epoch_{api}", float(last_epoch))
        self.step()

    def get_lr(self):
        """The groups' learning rates at `last_epoch`, from those before."""
        if self._next is None:
            raise NotImplementedError(f"'{type(self).__name__}' must define 'get_lr'.")
        epoch = array(self.last_epoch)
        return [
            wrap(self._next(epoch, array(group["lr"]), array(base), number))
            for number, (group, base) in enumerate(zip(self.optimizer.param_groups, self.base_lrs, strict=True))
        ]

    def _get_closed_form_lr(self):
        epoch = array(self.last_epoch)
        return [wrap(self._at(epoch, array(base))) for base in self.base_lrs]  # type: ignore[misc]

    def get_last_lr(self):
        """The learning rates that the last `step` set, Tensors."""
        return self._last_lr

    def step(self, epoch=None):
        """Go on to the next epoch, or to `epoch`, and set the groups' learning rates."""
        if epoch is None:
            write_barrier.assign(self.last_epoch, array(self.last_epoch) + 1)
            rates = self.get_lr()
        else:
            write_barrier.assign(self.last_epoch, jnp.asarray(_value(epoch), jnp.float32))
            rates = self.get_lr() if self._at is None else self._get_closed_form_lr()
        self._last_lr = [set_rate(g, rate) for g, rate in zip(self.optimizer.param_groups, rates, strict=True)]
