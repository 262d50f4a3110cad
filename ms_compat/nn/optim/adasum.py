"""Adaptive summation: gradients of several processes added as far as they are orthogonal, averaged where they agree.

For two vectors it is (1 - a.b / 2 a.a) a + (1 - a.b / 2 b.b) b; for 2, 4, 8, ... it is applied to pairs, then to pairs
of results, and so on. Each process computes a part of the vector only: partners exchange halves, add three scalar
products up, and give their parts back in the end (recursive vector halving). Source: Maleki et al., "Scaling
Distributed Training with Adaptive Summation", 2020, arXiv:2006.02924, equation (4) and algorithm 1.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.parallel.processes import AXIS, process_op
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.trace import write_barrier
from ms_compat.communication.management import get_group_size, members
from ms_compat.nn.cell import Cell
from ms_compat.nn.optim.base import Optimizer


def _partner(x: Any, bit: int, count: int) -> Any:
    """The array of the process whose number differs in one bit."""
    return lax.ppermute(x, AXIS, [(rank, rank ^ bit) for rank in range(count)])


def _added(x: Any, count: int) -> Any:
    vector = x.astype(jnp.promote_types(x.dtype, jnp.float32)).reshape(-1)
    part = jnp.pad(vector, (0, -x.size % count))
    bits = [1 << step for step in range(count.bit_length() - 1)]
    lower = [(lax.axis_index(AXIS) & bit) == 0 for bit in bits]
    for bit, low in zip(bits, lower, strict=True):
        left, right = jnp.split(part, 2)
        theirs = _partner(jnp.where(low, right, left), bit, count)
        a, b = jnp.where(low, left, theirs), jnp.where(low, theirs, right)
        products = jnp.stack([(a * b).sum(), (a * a).sum(), (b * b).sum()])
        for other in (bit >> i for i in range(bit.bit_length())):
            products = products + _partner(products, other, count)
        ab, aa, bb = products
        part = (1 - ab / jnp.where(aa == 0, 1, 2 * aa)) * a + (1 - ab / jnp.where(bb == 0, 1, 2 * bb)) * b
    for bit, low in zip(bits[::-1], lower[::-1], strict=True):
        theirs = _partner(part, bit, count)
        part = jnp.concatenate([jnp.where(low, part, theirs), jnp.where(low, theirs, part)])
    return part[: x.size].reshape(x.shape).astype(x.dtype)


@process_op()
def adaptive_sum(xs: Any, ranks: Any) -> Any:
    """The adaptive sum over the processes, for each of several arrays.

    Args:
        xs: a tuple of arrays, with the same shapes in every process.
        ranks: the processes, 2, 4, 8, ...
    """
    return tuple([_added(x, len(ranks)) for x in xs])


def _check_parallel() -> None:
    if get_auto_parallel_context("parallel_mode") == "stand_alone":
        raise RuntimeError("Adaptive summation needs several processes, but the parallel mode is 'stand_alone'.")
    if get_auto_parallel_context("enable_parallel_optimizer"):
        raise RuntimeError("Adaptive summation does not go with 'enable_parallel_optimizer'.")
    if get_auto_parallel_context("pipeline_stages") > 1:
        raise RuntimeError("Adaptive summation does not go with 'pipeline_stages'.")
    count = get_group_size()
    if count < 2 or count & (count - 1):
        raise RuntimeError(f"Adaptive summation needs 2, 4, 8, ... processes, but there are {count}.")


class AdaSum(Cell):
    """What both optimizers below share: the checks, and the sums over all processes."""

    def __init__(self, optimizer):
        super().__init__(auto_prefix=False)
        _check_parallel()
        self.optimizer = check_type(type(self).__name__, "optimizer", optimizer, Optimizer)
        self.parameters = optimizer.parameters
        self._processes = members(type(self).__name__)

    def _sums(self, values):
        return adaptive_sum(tuple(values), self._processes)


@faces("nn nn.optim")
class AdaSumByGradWrapCell(AdaSum):
    """An optimizer that gets the adaptive sum of the processes' gradients; see the module's docstring.

    MindSpore adds the gradients of each 8 devices, takes the adaptive sum over such groups, and needs 16 devices. Here
    each process is its own group, so two are enough. `TrainOneStepCell` leaves the gradients to this cell.

    Args:
        optimizer (Optimizer): updates the Parameters.

    Inputs:
        grads (tuple[Tensor]): this process's gradients.

    Returns:
        At the call, what the optimizer returns.

    Raises:
        RuntimeError: the parallel mode is "stand_alone", `enable_parallel_optimizer` or pipeline stages are set, or the
            number of processes is not 2, 4, 8, ...
        TypeError: `optimizer` is not an Optimizer.
    """

    def construct(self, grads):
        return self.optimizer(self._sums(grads))


@faces("nn nn.optim")
class AdaSumByDeltaWeightWrapCell(AdaSum):
    """An optimizer whose steps, not gradients, are added adaptively: each process makes a step on its own gradients.

    Args, inputs and errors are the same as for `AdaSumByGradWrapCell`.

    Returns:
        At the call, the Parameters.
    """

    def construct(self, grads):
        before = [p.value() for p in self.parameters]
        self.optimizer(grads)
        steps = self._sums([old - new for old, new in zip(before, self.parameters, strict=True)])
        for parameter, old, step in zip(self.parameters, before, steps, strict=True):
            write_barrier.assign(parameter, (old - step)._v)
        return self.parameters
