"""The parameter server's mode without a server: each worker has the whole Parameters, and they stay equal.

MindSpore's server takes the first worker's values, averages the gradients that all workers push, and updates the
Parameters, which each worker pulls. Here a Parameter that `set_param_ps` marks gets the first worker's values at once,
and optimizers average its gradient over the workers before each worker makes the same update.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ms_compat._core.parallel import spmd
from ms_compat._core.settings import device
from ms_compat._core.settings.parallel_context import get_ps_context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import RowTensorInner
from ms_compat.communication import collectives
from ms_compat.communication.management import members


def share(parameter: Parameter, init_in_server: bool) -> None:
    """Mark a Parameter as shared, and give it the first worker's values.

    Raises:
        RuntimeError: the parameter server mode is not on, or there are several workers and
            `mindspore.communication.init` was not called.
    """
    if not get_ps_context("enable_ps"):
        raise RuntimeError(
            "For 'Parameter.set_param_ps', the parameter server mode must be on: call "
            "'mindspore.set_ps_context(enable_ps=True)' first."
        )
    ranks = _workers("Parameter.set_param_ps")
    if len(ranks) > 1:
        parameter.set_data(collectives.broadcast((parameter.value(),), ranks, 0)[0])
    parameter.is_param_ps = True
    parameter.init_in_server = bool(init_in_server)


def _workers(api: str) -> tuple[int, ...]:
    return members(api) if device.one_of_many() else (0,)


def averaged(parameters: Sequence[Parameter], gradients: Any) -> Any:
    """The gradients, averaged over the workers where a Parameter is shared; for optimizers while the mode is on.

    A program over all devices has the whole batch's gradients already. The rows of a RowTensor are gathered; rows with
    one index are added up later.
    """
    if not isinstance(gradients, (tuple, list)) or spmd.settings() is not None:
        return gradients
    shared = [getattr(p, "is_param_ps", False) and g is not None for p, g in zip(parameters, gradients, strict=False)]
    ranks = _workers("Optimizer") if any(shared) else (0,)
    if len(ranks) == 1 or len(shared) != len(gradients):
        return gradients
    whole = tuple([g for g, mean in zip(gradients, shared, strict=True) if mean and isinstance(g, Tensor)])
    means = iter(collectives.all_reduce_many(whole, ranks, "avg") if whole else ())
    out = []
    for gradient, mean in zip(gradients, shared, strict=True):
        if mean and isinstance(gradient, Tensor):
            gradient = next(means)
        elif mean and isinstance(gradient, RowTensorInner):
            rows = collectives.all_gather(gradient.values, ranks) / len(ranks)
            gradient = RowTensorInner(collectives.all_gather(gradient.indices, ranks), rows, gradient.dense_shape)
        out.append(gradient)
    return tuple(out)
