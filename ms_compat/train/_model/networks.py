"""The networks of a `Model`: what its arguments may be, and the training and evaluation steps made of them."""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.dispatch import keywords
from ms_compat._core.errors import check_type, type_error, value_and_type, value_error
from ms_compat._names.resolve import resolve
from ms_compat.nn.cell import Cell
from ms_compat.nn.optim.base import Optimizer
from ms_compat.nn.wrap.cell_wrapper import WithEvalCell, WithLossCell
from ms_compat.train.amp import build_train_network, check_manager

logger = logging.getLogger("ms_compat")

_ARGUMENTS = ("network", "loss_fn", "optimizer", "metrics", "eval_network", "eval_indexes", "amp_level", "boost_level")
_KWARGS = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")


def check_arguments(network: Any, loss_fn: Any, optimizer: Any, amp_level: Any, kwargs: dict[str, Any]) -> None:
    """Check what `Model(...)` got.

    Raises:
        TypeError: wrong types.
        ValueError: an unknown keyword, or mixed precision without an optimizer.
    """
    check_type("Model", "network", network, Cell)
    if loss_fn is not None and not callable(loss_fn):
        raise AttributeError(f"For 'Model', the 'loss_fn' must be a Cell, but got {value_and_type(loss_fn)}.")
    if optimizer is not None and not isinstance(optimizer, Optimizer) and not _is_wrapper(optimizer):
        raise type_error("Model", "optimizer", "an Optimizer", optimizer)
    for name in kwargs:
        if name not in _KWARGS:
            hint = keywords.hint(name, (*_ARGUMENTS, *_KWARGS))
            raise ValueError(f"For 'Model', there is no argument '{name}'. {hint}")
    if "keep_batchnorm_fp32" in kwargs and not isinstance(kwargs["keep_batchnorm_fp32"], (bool, type(None))):
        raise type_error("Model", "keep_batchnorm_fp32", "bool", kwargs["keep_batchnorm_fp32"])
    manager = kwargs.get("loss_scale_manager")
    if manager is not None:
        check_manager("Model", manager)
    if manager is not None and optimizer is None:
        raise ValueError("For 'Model', the 'loss_scale_manager' needs an 'optimizer'.")
    if amp_level != "O0" and isinstance(amp_level, str) and optimizer is None:
        raise ValueError(f"For 'Model', amp_level='{amp_level}' needs an 'optimizer'.")


def _is_wrapper(optimizer: Any) -> bool:
    """An optimizer around another, such as LARS: a Cell with `parameters`."""
    return isinstance(optimizer, Cell) and hasattr(optimizer, "parameters")


def boosted(network: Any, optimizer: Any, eval_network: Any, metrics: Any, level: str, given: Any) -> tuple:
    """The networks and the optimizer with the ways of `mindspore.boost.AutoBoost`.

    As in MindSpore, they are changed where the Model has an optimizer and something to evaluate.

    Returns:
        `(network, optimizer, eval_network)`.
    """
    boost = resolve("mindspore.boost").AutoBoost(level, given)  # by name, as in amp.py
    if boost.level == "O0":
        return network, optimizer, eval_network
    if optimizer is None or eval_network is None and metrics is None:
        logger.warning("Model: boost_level='%s' needs an optimizer, and metrics or an eval_network.", level)
        return network, optimizer, eval_network
    network, optimizer = boost.network_auto_process_train(network, optimizer)
    if eval_network is not None:
        eval_network = boost.network_auto_process_eval(eval_network)
    return network, optimizer, eval_network


def train_step(network: Any, loss_fn: Any, optimizer: Any, amp_level: str, boost_level: str, kwargs: dict[str, Any]):
    """The network that a training step runs: with loss and optimizer, as far as they are given."""
    if optimizer is not None:
        options = {k: v for k, v in kwargs.items() if k in ("loss_scale_manager", "keep_batchnorm_fp32")}
        step = build_train_network(network, optimizer, loss_fn, amp_level, boost_level, **options)
    elif loss_fn is not None:
        step = WithLossCell(network, loss_fn)
    else:
        step = network
    step.set_train()
    return step


def eval_step(network: Any, loss_fn: Any, eval_network: Any, eval_indexes: Any, amp_level: str):
    """The network that an evaluation step runs, and where in its output loss, prediction and label are.

    Returns:
        `(eval_network, eval_indexes)`; the indexes are None if the output goes to each metric as it is.

    Raises:
        ValueError: wrong indexes, or neither a loss nor an `eval_network`.
    """
    if eval_network is not None:
        if eval_indexes is not None and not (isinstance(eval_indexes, list) and len(eval_indexes) == 3):
            raise value_error("Model", "eval_indexes", "a list of three int or None", eval_indexes)
        return eval_network, eval_indexes
    if loss_fn is None:
        raise ValueError(
            "For 'Model', 'metrics' need an 'eval_network' or a 'loss_fn': without them there is nothing to evaluate."
        )
    return WithEvalCell(network, loss_fn, amp_level in ("O2", "O3", "auto")), [0, 1, 2]
