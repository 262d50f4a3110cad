"""`FlopsUtilizationCollector`: how much of a device's arithmetic a training uses."""

from __future__ import annotations

import logging
import math
import os
import time
from typing import Any

from ms_compat._compile.analysis.flops import Flops, flops
from ms_compat._core.errors import check_bool, check_positive_int
from ms_compat._core.faces import faces
from ms_compat.communication import get_group_size, get_rank
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._values import wait_for

logger = logging.getLogger("ms_compat")


@faces("train train.callback")
class FlopsUtilizationCollector(Callback):
    """Prints how many operations a step is, and which share of the device's peak its model (mfu) and its hardware (hfu,
    with what is computed again for gradients) use.

    Products of matrices and convolutions are counted, in the compiled program of a step: GRAPH_MODE is needed. The
    shares are printed after steps whose number is not a multiple of `data_size`, as MindSpore 2.10 does. A step's time
    is its computation's time, for which each step waits.

    Args:
        data_size: see above.
        computility: the peak of one device, in operations per second.
        full_flops: count all devices' operations; otherwise one device's.
        enable_ma_collector: write the numbers to `flops_rank_N.txt` and `time_step_rank_N.txt` in the directory that
            the environment variable `MA_LOG_DIR` names, by default the working directory; then nothing is printed
            unless `computility` is given, and a step that is not compiled is passed over.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `data_size` is not positive, or (while running) the step is not compiled.
    """

    def __init__(self, data_size, computility=1, full_flops=True, enable_ma_collector=False):
        super().__init__()
        api = "FlopsUtilizationCollector"
        self.data_size = check_positive_int(api, "data_size", data_size)
        self.computility = computility
        self.full_flops = check_bool(api, "full_flops", full_flops)
        self.ma = check_bool(api, "enable_ma_collector", enable_ma_collector)
        self.verbose = computility != 1 or not enable_ma_collector
        self._flops: Flops | None = None
        self._started = 0.0

    def step_begin(self, run_context):
        """Start the clock."""
        self._started = time.time()

    def step_end(self, run_context):
        """Count the operations after the first step, and print the shares."""
        cb_params = run_context.original_args()
        wait_for(cb_params.net_outputs)
        milliseconds = (time.time() - self._started) * 1000
        if self._flops is None:
            self._flops = self._counted(cb_params)
            if self._flops is None:
                return
            self._report(self._flops)
        if self.ma:
            rank = get_rank()
            line = f'time_monitor{{type="per_step_time", rank_id="{rank}"}} {milliseconds} {_now()}\n'
            _write(f"time_step_rank_{rank}.txt", line)
        if self.verbose and cb_params.cur_step_num % self.data_size:
            shares = " ".join(
                f"{name}:{_percent(1000 * count / self.computility / milliseconds)}"
                for name, count in zip(("mfu", "hfu"), self._flops, strict=True)
            )
            print(f"{cb_params.mode.title()} per step time: {milliseconds:5.3f} ms {shares}", flush=True)

    def _counted(self, cb_params: Any) -> Flops | None:
        network = cb_params.train_network if cb_params.mode == "train" else cb_params.eval_network
        program = network._program()
        if program is not None:
            return flops(program.jaxpr)
        if self.verbose:
            raise ValueError("For 'FlopsUtilizationCollector', the step must be compiled: use GRAPH_MODE.")
        logger.info("FlopsUtilizationCollector: the step is not compiled; nothing is collected.")
        return None

    def _report(self, found: Flops) -> None:
        model, hardware = found
        if self.ma:
            rank, now = get_rank(), _now()
            lines = [
                f'flops{{type="{kind}_flops", rank_id="{rank}"}} {float(count)} {now}\n'
                for kind, count in (("model", model), ("hardware", hardware))
            ]
            _write(f"flops_rank_{rank}.txt", "".join(lines))
        if self.verbose:
            shard = f"Shard model flops is {float(model)}, Shard hardware flops is {float(hardware)}."
            devices = get_group_size()
            full = f"Full model flops is {float(model * devices)}, Full hardware flops is {float(hardware * devices)}, "
            print(full + shard if self.full_flops else shard, flush=True)


def _percent(share: float) -> str:
    """A share in percent, cut after two digits."""
    return f"{math.floor(share * 10_000) / 100:.2f}%"


def _now() -> int:
    return round(time.time() * 1000)


def _write(name: str, text: str) -> None:
    with open(os.path.join(os.environ.get("MA_LOG_DIR", "."), name), "w", encoding="utf-8") as file:
        file.write(text)
