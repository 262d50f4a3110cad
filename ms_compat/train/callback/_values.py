"""How callbacks read a step's outputs and an epoch's results."""

from __future__ import annotations

import logging
from typing import Any

import jax
import numpy as np

from ms_compat._core.tensor import Tensor

logger = logging.getLogger("ms_compat")

LOWER_IS_BETTER = frozenset(
    "eval_loss hausdorff_distance loss mae mean_surface_distance mse perplexity root_mean_square_distance rmse".split()
)


def loss_of(outputs: Any) -> Any:
    """The loss among a step's outputs: a number, an array for a loss that is one, or any other returned value.

    Reading it waits for the step.
    """
    if isinstance(outputs, (tuple, list)) and outputs and isinstance(outputs[0], (Tensor, np.ndarray)):
        outputs = outputs[0]
        if isinstance(outputs, Tensor) and outputs.ndim > 0:
            return outputs.asnumpy()
    if isinstance(outputs, Tensor):
        outputs = outputs.asnumpy()
    if isinstance(outputs, np.ndarray):
        return outputs.mean()
    return outputs


def wait_for(outputs: Any) -> None:
    """Wait until a step's outputs are computed."""
    if isinstance(outputs, (tuple, list)):
        for item in outputs:
            wait_for(item)
    elif isinstance(outputs, Tensor):
        jax.block_until_ready(outputs._v)


def improvement(mode: str, monitor: str, min_delta: float) -> tuple[Any, float]:
    """A test `better(value, best)` and the worst value to start from, for mode "min", "max" or "auto"."""
    if mode == "auto":
        mode = "min" if monitor in LOWER_IS_BETTER else "max"
    delta = abs(min_delta)
    if mode == "min":
        return (lambda value, best: value < best - delta), np.inf
    return (lambda value, best: value > best + delta), -np.inf


def monitored(api: str, monitor: str, cb_params: Any) -> Any:
    """The value of `monitor` after an epoch, or None (with a warning that lists the choices) if there is none."""
    found = dict(cb_params.get("eval_results") or {})
    found.pop("loss", None)  # "loss" is the last step's, also where a metric has the name
    if cb_params.get("net_outputs") is not None:
        loss = loss_of(cb_params.net_outputs)
        found["loss"] = float(loss) if np.ndim(loss) == 0 else loss
    value = found.get(monitor)
    if value is None:
        logger.warning("%s watches '%s', which this run does not give. It gives: %s.", api, monitor, sorted(found))
        return None
    return np.asarray(value)
