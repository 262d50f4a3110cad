"""Callbacks that need MindInsight or Ascend's profiler: their names raise and say what to use."""

from __future__ import annotations

from ms_compat._core.errors import UnsupportedError
from ms_compat.train.callback._callback import Callback

_WAYS_OUT = {
    "SummaryLandscape": "Compute the losses around the weights and plot them; MindInsight alone shows its files.",
    "FlopsUtilizationCollector": "jax.jit(f).lower(...).compile().cost_analysis() counts floating-point operations.",
    "TrainFaultTolerance": "Use 'train.ModelCheckpoint' with exception_save=True, or 'train.BackupAndRestore'.",
}


def _declare(name: str, way_out: str) -> type:
    def __init__(self, *args, **kwargs):
        raise UnsupportedError(f"mindspore.train.{name}", way_out)

    return type(name, (Callback,), {"__init__": __init__, "__doc__": f"Not served. {way_out}", "__module__": __name__})


SummaryLandscape = _declare("SummaryLandscape", _WAYS_OUT["SummaryLandscape"])
FlopsUtilizationCollector = _declare("FlopsUtilizationCollector", _WAYS_OUT["FlopsUtilizationCollector"])
TrainFaultTolerance = _declare("TrainFaultTolerance", _WAYS_OUT["TrainFaultTolerance"])
