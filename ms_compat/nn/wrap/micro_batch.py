"""Wrappers that split a batch, and those that distributed training puts around gradients.

Splitting is for MindSpore's pipeline scheduler; the result is the sum of the network's results on the parts, which
holds on one device as well. The reducers are identities in a process alone.
"""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.errors import check_bool, check_positive_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.communication.collectives import all_reduce_many
from ms_compat.communication.management import members
from ms_compat.nn.cell import Cell

logger = logging.getLogger("ms_compat")


class _Parts(Cell):
    _argument = "micro_size"

    def __init__(self, network: Cell, count: int) -> None:
        super().__init__(auto_prefix=False)
        self.network = check_type(type(self).__name__, "network", network, Cell)
        self._count = check_positive_int(type(self).__name__, self._argument, count)

    def construct(self, *inputs):
        size = inputs[0].shape[0]
        if size % self._count:
            raise ValueError(
                f"For '{type(self).__name__}', the batch of {size} can not be split into {self._count} equal parts."
            )
        size //= self._count
        total = None
        for part in range(self._count):
            out = self.network(*[x[part * size : (part + 1) * size] for x in inputs])
            total = out if total is None else total + out
        return total


@faces("nn nn.wrap")
class MicroBatchInterleaved(_Parts):
    """A network called on equal parts of the batch; the sum of the results, as in MindSpore.

    Args:
        network (Cell): the network with its loss.
        interleave_num (int): number of parts.
    """

    _argument = "interleave_num"

    def __init__(self, network, interleave_num=2):
        super().__init__(network, interleave_num)
        self.interleave_num = interleave_num


@faces("nn nn.wrap")
class GradAccumulationCell(_Parts):
    """A network called on equal parts of the batch; the sum of the results, so that gradients add up.

    Args:
        network (Cell): the network with its loss.
        micro_size (int): number of parts.
    """

    def __init__(self, network, micro_size):
        super().__init__(network, micro_size)
        self.micro_size = micro_size


@faces("nn nn.wrap")
class PipelineCell(GradAccumulationCell):
    """As `GradAccumulationCell`: the parts go through all stages one after another, on all devices.

    With `pipeline_stages` above 1 in the parallel context a device holds its share of every stage's Parameters.

    Args:
        network (Cell): the network with its loss.
        micro_size (int): number of parts.
        stage_config (dict): stages of the children.
        segment_config (dict): segments of the children.
    """

    def __init__(self, network, micro_size, stage_config=None, segment_config=None):
        super().__init__(network, micro_size)
        if stage_config or segment_config:
            logger.debug("PipelineCell: stages %s, segments %s change nothing", stage_config, segment_config)


@faces("nn nn.wrap")
class DistributedGradReducer(Cell):
    """Gradients added up over the processes of a group; in a process alone the gradients themselves.

    All gradients go through one program, whose messages XLA combines.

    Args:
        parameters (list): the Parameters; gradients of the `layerwise_parallel` ones stay this process's own, and
            optimizers average the ones for Parameters that workers share (`Parameter.set_param_ps`).
        mean (bool): whether to divide by `degree`; by default the `gradients_mean` of the parallel context.
        degree (int): the divisor; the number of processes by default.
        fusion_type (int): MindSpore's fusion of messages; XLA decides.
        group (str): the group of processes.

    Inputs:
        grads (tuple): the gradients; None stays None.

    Raises:
        RuntimeError: there are several processes and `mindspore.communication.init` was not called.
        TypeError: `degree` is not an int, or `mean` is not a bool.
        ValueError: `degree` is not positive, or there is no such group.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.DistributedGradReducer([], mean=True)((Tensor([2.0]),))[0])
    [2.]
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group="hccl_world_group"):
        super().__init__(auto_prefix=False)
        self._ranks = members("nn.DistributedGradReducer", group, needs_init=False)
        self._own = [getattr(p, "layerwise_parallel", False) or getattr(p, "is_param_ps", False) for p in parameters]
        check_type("DistributedGradReducer", "degree", degree, (int, type(None)))
        if degree is not None and degree <= 0:
            raise ValueError(f"For 'DistributedGradReducer', the 'degree' must be positive, but got {degree}.")
        self.degree = len(self._ranks) if degree is None else degree
        given = get_auto_parallel_context("gradients_mean") if mean is None else mean
        self.mean = check_bool("DistributedGradReducer", "mean", given)
        logger.debug("DistributedGradReducer: fusion_type=%s has no effect", fusion_type)

    def construct(self, grads):
        if len(self._ranks) == 1 and (not self.mean or self.degree == 1):
            return grads
        own = self._own or [False] * len(grads)
        shared = [g for g, alone in zip(grads, own, strict=True) if g is not None and not alone]
        if len(self._ranks) > 1 and shared:
            shared = all_reduce_many(tuple(shared), self._ranks, "sum")
        if self.mean and self.degree != 1:
            shared = [g / self.degree for g in shared]
        summed = iter(shared)
        return tuple([g if g is None or alone else next(summed) for g, alone in zip(grads, own, strict=True)])


@faces("nn nn.wrap")
class PipelineGradReducer(Cell):
    """Gradients divided by the loss scale.

    Args:
        parameters (list): the Parameters.
        scale_sense (float): the loss scale.
        opt_shard (bool): whether the optimizer is sharded; JAX places it.
    """

    def __init__(self, parameters, scale_sense=1.0, opt_shard=None):
        super().__init__(auto_prefix=False)
        no_effect("PipelineGradReducer", "JAX places the optimizer", opt_shard=opt_shard)
        self.scale_sense = scale_sense

    def construct(self, grads):
        return grads if self.scale_sense == 1.0 else tuple([g / self.scale_sense for g in grads])


@faces("nn nn.wrap")
class ParameterUpdate(Cell):
    """Writes a value into a Parameter.

    Args:
        param (Parameter): the Parameter.

    Inputs:
        x (Tensor): the value, of its shape.

    Raises:
        TypeError: `param` is not a Parameter.

    >>> import ms_compat as ms
    >>> weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
    >>> print(ms.nn.ParameterUpdate(weight)(ms.Tensor([3.0, 4.0])))
    [3. 4.]
    """

    def __init__(self, param):
        super().__init__(auto_prefix=False)
        self._param = check_type("ParameterUpdate", "param", param, Parameter)

    def construct(self, x):
        self._param.set_data(x)
        return x


@faces("nn nn.wrap")
class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, whose batch MindSpore would distribute; `Cell.shard` does so here.

    Args:
        backbone (Cell): the network.
    """

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a, b, c):
        return self._backbone(a, b, c)


@faces("nn nn.wrap")
class Jvp(Cell):
    """A function with the directional derivative at its inputs.

    Args:
        fn (Union[Cell, function]): the function.

    Inputs:
        *inputs (Tensor): the function's inputs, then the tangents, one Tensor or a tuple.

    Returns:
        (output, derivative).
    """

    def __init__(self, fn):
        super().__init__(auto_prefix=False)
        self.fn = fn

    def construct(self, *args):
        import ms_compat

        *inputs, tangents = args
        count = len(tangents) if isinstance(tangents, (tuple, list)) else 1
        if not all(isinstance(value, Tensor) for value in inputs) or count != len(inputs):
            raise TypeError(f"For 'Jvp', {len(inputs)} inputs, all Tensors, need as many tangents, but got {count}.")
        if len(inputs) > 1 and isinstance(tangents, tuple):
            return ms_compat.jvp(self.fn, tuple(inputs), tangents)
        return ms_compat.jvp(self.fn, inputs[0] if len(inputs) == 1 else tuple(inputs), tangents)


@faces("nn nn.wrap")
class Vjp(Cell):
    """A function with its gradients weighted by a cotangent.

    Args:
        fn (Union[Cell, function]): the function.

    Inputs:
        *inputs (Tensor): the function's inputs, then the cotangent of its output.

    Returns:
        (output, gradient), the gradient being a tuple for several inputs.
    """

    def __init__(self, fn):
        super().__init__(auto_prefix=False)
        self.fn = fn

    def construct(self, *args):
        import ms_compat

        *inputs, cotangent = args
        out, pull = ms_compat.vjp(self.fn, *inputs)
        if isinstance(out, Tensor) and isinstance(cotangent, (tuple, list)):
            raise TypeError("For 'Vjp', the cotangent of one output must be a Tensor, but got a tuple.")
        grads: Any = pull(cotangent)
        single = len(inputs) == 1 and isinstance(grads, tuple) and isinstance(grads[0], Tensor)
        return out, grads[0] if single else grads
