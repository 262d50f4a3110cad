"""Members of Cell that belong to MindSpore's distributed modes.

What JAX has in another form is mapped to it; a setting that XLA decides by itself is kept and logged at debug level;
what would change where or how a program runs, and cannot, raises `UnsupportedError`.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any

from ms_compat._core.checks import check_at_least, check_choice
from ms_compat._core.errors import UnsupportedError, check_int, check_type, value_and_type
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor.flat_weights import flatten
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")


class Parallel(Part):
    """Distributed modes."""

    def set_comm_fusion(self, fusion_type, recurse=True):
        """Set `comm_fusion` of the trainable Parameters; XLA fuses collectives by itself. Returns the Cell.

        Raises:
            TypeError: `fusion_type` is not an int.
            ValueError: it is negative.

        >>> from ms_compat import nn
        >>> net = nn.Dense(2, 3).set_comm_fusion(2)
        >>> net.weight.comm_fusion
        2
        """
        if isinstance(fusion_type, bool) or not isinstance(fusion_type, int):
            raise TypeError(
                f"For 'set_comm_fusion', the input value must be int, but got {value_and_type(fusion_type)}."
            )
        if fusion_type < 0:
            raise ValueError(f"For 'set_comm_fusion', the input value must be >= 0, but got {fusion_type}.")
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_boost(self, boost_type):
        """Choose one of MindSpore's acceleration algorithms; on XLA there is nothing to choose. Returns the Cell.

        Raises:
            ValueError: `boost_type` is not "less_bn".
        """
        if boost_type != "less_bn":
            raise ValueError(f"For 'set_boost', the argument 'boost_type' must be 'less_bn', but got {boost_type}.")
        logger.debug("Cell.set_boost('less_bn') has no effect")
        return self.add_flags_recursive(less_bn=True)

    def set_data_parallel(self) -> None:
        """MindSpore's data-parallel strategy for automatic parallel modes; JAX follows the arrays' shardings."""
        logger.debug("Cell.set_data_parallel has no effect: shardings decide")

    def set_broadcast_flag(self, mode=True):
        """Mark the Parameters as to be broadcast; JAX's arrays are global. Returns the Cell."""
        logger.debug("Cell.set_broadcast_flag(%s) has no effect: arrays are global", mode)
        return self.add_flags_recursive(broadcast_flag=mode)

    def parameters_broadcast_dict(self, recurse=True) -> OrderedDict | None:
        """The Parameters by name that data parallelism broadcasts, all but the `layerwise_parallel` ones; None if there
        are none.

        Args:
            recurse: whether the children's are included.
        """
        found = OrderedDict((p.name, p) for p in self.get_parameters(recurse) if not p.layerwise_parallel)
        return found or None

    def remove_redundant_parameters(self) -> None:
        """Remove parameters that parallel modes do not need on this device; there are none, arrays are global."""
        logger.debug("Cell.remove_redundant_parameters has no effect: arrays are global")

    @property
    def parallel_parameter_name_list(self) -> tuple:
        """Names of parameters that MindSpore's planner made; there are none."""
        return ()

    @property
    def parallel_parameter_merge_net_dict(self) -> dict[str, Any]:
        """Parameters of MindSpore's planner merged with the network's; there are none."""
        return {}

    def flatten_weights(self, fusion_size=0) -> None:
        """Let the trainable Parameters live in a few contiguous arrays, which compiled calls pass in their place.

        A call with hundreds of Parameters gets cheaper, most of all one that changes them; its compile takes longer,
        because XLA cuts every Parameter out. A Parameter that gets another shape or dtype ends the sharing.

        Args:
            fusion_size: the largest array in bytes; 0 for one array for each dtype.

        Raises:
            ValueError: it is negative.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
        >>> net.flatten_weights()
        >>> print(ms.jit(net)(ms.Tensor([[1.0, 2.0]])))
        [[3. 3.]]
        """
        if fusion_size < 0:
            raise ValueError(f"Negative 'fusion_size' {fusion_size} is invalid.")
        flatten(self.trainable_params(), fusion_size)

    # -- parameter server and processes ------------------------------------------------------------------------------
    def set_param_ps(self, recurse=True, init_in_server=False) -> None:
        """Let workers share the trainable Parameters as a parameter server would: `Parameter.set_param_ps` of each.

        Args:
            recurse: whether to include the children's Parameters, too.
            init_in_server: whether the server would initialize them.

        Raises:
            RuntimeError: the parameter server mode is not on, and there is a trainable Parameter.
        """
        for parameter in self.trainable_params(recurse):
            parameter.set_param_ps(init_in_server)

    def place(self, role, rank_id) -> None:
        """Run this Cell in the process with that role and rank. One program runs on all of JAX's devices, so only the
        one worker there is without a cluster can be named.

        Args:
            role: "MS_WORKER", "MS_SERVER" or "MS_SCHED".
            rank_id: the rank of the process, >= 0.

        Raises:
            TypeError: `rank_id` is not an int, or `role` not a str.
            ValueError: `rank_id` is negative, or there is no such role.
            UnsupportedError: another process than "MS_WORKER" 0.
        """
        check_type("Cell.place", "role", role, str)
        check_int("Cell.place", "rank_id", rank_id)
        check_choice("Cell.place", "role", role, ("MS_WORKER", "MS_SERVER", "MS_SCHED"))
        check_at_least("Cell.place", "rank_id", rank_id, 0)
        if (role, rank_id) != ("MS_WORKER", 0):
            raise UnsupportedError(
                f"mindspore.nn.Cell.place({role!r}, {rank_id})",
                "JAX runs one program on all devices; Cell.shard cuts tensors over them.",
            )
        logger.debug("Cell.place('MS_WORKER', 0) has no effect: there is one worker")

    # -- pipeline ----------------------------------------------------------------------------------------------------
    @property
    def pipeline_stage(self) -> int:
        """The pipeline stage that was assigned.

        Raises:
            AttributeError: none was.
        """
        stage = self.__dict__.get("_pipeline_stage")
        if stage is None:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'pipeline_stage'.")
        return stage

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For 'Cell', the property 'pipeline_stage' must be int type, but got type : {type(value)}")
        if value < 0:
            raise ValueError(f"For 'Cell', the property 'pipeline_stage' can not be less than 0, but got {value}")
        logger.debug("Cell.pipeline_stage = %s has no effect: all stages run in one program", value)
        self.__dict__["_pipeline_stage"] = value
        for _, cell in self.cells_and_names():
            cell.__dict__["_pipeline_stage"] = value

    def infer_param_pipeline_stage(self) -> list:
        """The Parameters of this process's pipeline stage: all, since one program runs every stage.

        Raises:
            RuntimeError: MindSpore's pipeline is on, and a Parameter belongs to a Cell without `pipeline_stage`.
        """
        if get_auto_parallel_context("pipeline_stages") > 1:
            for path, cell in self.cells_and_names():
                if "_pipeline_stage" not in cell.__dict__ and any(p is not None for p in cell._params.values()):
                    raise RuntimeError(
                        f"For 'Cell.infer_param_pipeline_stage', the Parameters of '{path or type(cell).__name__}' do "
                        "not belong to any stage; assign its 'pipeline_stage'."
                    )
        return list(self.trainable_params())
