"""`mindspore.parallel.auto_parallel`: `AutoParallel`, a network whose batch is sharded over the devices of one process.

MindSpore's planner finds a strategy for each operator. XLA's partitioner finds one from the shardings of the inputs and
Parameters (`Cell.shard`, `reshard`, `Layout`). So this module checks and logs the planner's settings, and refuses its
files, which hold strategies that XLA has no use for. Results always equal one device's results.
"""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import (
    UnsupportedError,
    check_bool,
    check_non_negative_int,
    check_one_of,
    check_type,
    value_and_type,
)
from ms_compat._core.parallel import sharding, spmd
from ms_compat._core.parallel.layout import Layout
from ms_compat.nn.cell import Cell

logger = logging.getLogger("ms_compat")
_MODES = ("semi_auto", "sharding_propagation", "recursive_programming")
_SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")


class AutoParallel(Cell):
    """A network over all devices of this process; its results equal one device's results.

    Args:
        network (Cell): the network.
        parallel_mode (str): "semi_auto", "sharding_propagation" or "recursive_programming"; all mean XLA's partitioner.

    Raises:
        TypeError: `network` is neither a Cell nor a function.
        ValueError: another `parallel_mode`.
        UnsupportedError: several processes call it in PYNATIVE_MODE, or inside of another compiled function.

    >>> import ms_compat as ms
    >>> from ms_compat.parallel.auto_parallel import AutoParallel
    >>> net = AutoParallel(ms.nn.ReLU())
    >>> net.dataset_strategy("full_batch")
    >>> print(net(ms.Tensor([-1.0, 2.0])))
    [0. 2.]
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell) and not callable(network):
            raise TypeError(f"For 'AutoParallel', the 'network' must be a Cell, but got {value_and_type(network)}.")
        check_choice("AutoParallel", "parallel_mode", parallel_mode, _MODES)
        self.network = network
        self._parallel_mode = parallel_mode
        self._dataset: Any = "data_parallel"
        self._stages = 1
        self._optimizer = (0, 0)

    def construct(self, *args, **kwargs):
        with spmd.region(self._over_devices()):
            if isinstance(self._dataset, tuple):
                args = sharding.constrain(args, self._dataset, "an input")
            elif self._dataset == "data_parallel":
                args = tuple(spmd.cut(args, "data_parallel"))
            return self.network(*args, **kwargs)

    def _over_devices(self) -> spmd.Settings:
        pieces, threshold = self._optimizer
        return spmd.Settings(self._dataset, True, pieces or spmd.pieces_of_stages(self._stages), threshold)

    def dataset_strategy(self, config) -> None:
        """Sets how inputs are cut.

        Args:
            config: "data_parallel" (the default): by the first dimension, over all devices; "full_batch": not at all;
                or a tuple with a layout for each input: each dimension's number of pieces, or a `Layout`.

        Raises:
            TypeError: it is neither a str nor such a tuple.
            ValueError: another str, or layouts that do not fit the devices.
        """
        api = "AutoParallel.dataset_strategy"
        if isinstance(config, str):
            check_one_of(api, "config", config, ("full_batch", "data_parallel"))
        else:
            for layout in check_type(api, "config", config, tuple):
                check_type(api, "item of config", layout, (tuple, Layout))
                sharding.check_layout("config", layout)
        self._dataset = config

    def pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler="1f1b") -> None:
        """The number of pipeline stages. One program runs all, and a device holds its share of each stage's Parameters:
        they are cut as by `hsdp(stages, 0)`, unless `hsdp` is called.

        Args:
            stages (int): the number.
            output_broadcast, interleave (bool), scheduler (str): MindSpore's; without effect.

        Raises:
            TypeError: an argument of a wrong type.
            ValueError: `stages` is not positive, or there is no such scheduler.
        """
        api = "AutoParallel.pipeline"
        if check_type(api, "stages", stages, int) < 1:
            raise ValueError(f"For '{api}', the 'stages' must be larger than zero, but got {stages}.")
        check_bool(api, "output_broadcast", output_broadcast)
        check_bool(api, "interleave", interleave)
        check_one_of(api, "scheduler", scheduler, _SCHEDULERS)
        self._stages = stages
        self._note("pipeline", output_broadcast, interleave, scheduler)

    def get_pipeline_stages(self) -> int:
        """The number of pipeline stages."""
        return self._stages

    def hsdp(self, shard_size=-1, threshold=64, optimizer_level="level1") -> None:
        """Cuts Parameters and their optimizer state over devices that would hold copies.

        Compiling the network cuts each along its first dimension, if the number of devices divides it. XLA gathers a
        weight where it is used, and adds gradients up in pieces.

        Args:
            shard_size (int): into how many pieces at most; -1 for as many as there are copies.
            threshold (int): the kilobytes of the smallest Parameter that is cut.
            optimizer_level (str): "level1", "level2" or "level3", by which MindSpore says when gradients and weights
                are in pieces; without effect: XLA decides.

        Raises:
            ValueError: another value.
        """
        if isinstance(shard_size, bool) or not isinstance(shard_size, int) or shard_size < 1 and shard_size != -1:
            raise ValueError(f"For 'AutoParallel.hsdp', the 'shard_size' must be positive or -1, but got {shard_size}.")
        check_non_negative_int("AutoParallel.hsdp", "threshold", threshold)
        check_one_of("AutoParallel.hsdp", "optimizer_level", optimizer_level, ("level1", "level2", "level3"))
        self._optimizer = (shard_size, 1024 * threshold)
        logger.debug("AutoParallel.hsdp: optimizer_level=%r has no effect: XLA decides", optimizer_level)

    def comm_fusion(self, config) -> None:
        """How messages are joined; without effect: XLA decides.

        Raises:
            TypeError: `config` is not a dict.
        """
        self._note("comm_fusion", check_type("AutoParallel.comm_fusion", "config", config, dict))

    def _note(self, name: str, *values: Any) -> None:
        logger.debug("AutoParallel.%s%r has no effect: XLA decides", name, values)

    def enable_fp32_communication(self) -> None:
        """Without effect: XLA chooses a message's precision by the computation's precision."""
        self._note("enable_fp32_communication")

    def enable_gradients_mean(self) -> None:
        """Without effect: the loss of the whole batch is differentiated, so that its mean is in the gradients."""
        self._note("enable_gradients_mean")

    def disable_gradient_fp32_sync(self) -> None:
        """Without effect: gradients keep their dtype."""
        self._note("disable_gradient_fp32_sync")

    def disable_loss_repeated_mean(self) -> None:
        """Without effect: the loss equals one device's loss."""
        self._note("disable_loss_repeated_mean")

    def no_init_parameters_in_compile(self) -> None:
        """Without effect: Parameters have their values from the start; see `nn.utils.no_init_parameters`."""
        self._note("no_init_parameters_in_compile")

    def disable_strategy_file_only_for_trainable_params(self) -> None:
        """Without effect: there are no strategy files."""
        self._note("disable_strategy_file_only_for_trainable_params")


def _refused(name: str, way_out: str) -> Any:
    def method(self: AutoParallel, *args: Any, **kwargs: Any) -> None:
        raise UnsupportedError(f"mindspore.parallel.auto_parallel.AutoParallel.{name}", way_out)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"Not supported. {way_out}"
    return method


_FILES = "XLA keeps no strategies; say layouts with Cell.shard or reshard, and save Parameters with save_checkpoint."
_NORMS = "Compute norms in the script: ops.norm(gradient)."
for _name, _way_out in {
    "load_param_strategy_file": _FILES,
    "save_param_strategy_file": _FILES,
    "load_operator_strategy_file": _FILES,
    "save_operator_strategy_file": _FILES,
    "set_group_ckpt_save_file": _FILES,
    "transformer_opt": _FILES,
    "print_local_norm": _NORMS,
    "dump_local_norm": _NORMS,
    "enable_device_local_norm": _NORMS,
}.items():
    setattr(AutoParallel, _name, _refused(_name, _way_out))
