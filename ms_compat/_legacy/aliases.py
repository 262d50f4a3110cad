"""Names that earlier versions of MindSpore had and 2.10 has not, and that still work here: old name, then what it is.

They are looked up when a package lacks a name, before it says so. What stands after a colon is a name of this package's
own modules, for classes that have no successor of the same arguments.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

TABLE = {
    "mindspore.ms_class": "mindspore.jit_class",
    "mindspore.CellList": "mindspore.nn.CellList",
    "mindspore.nn.ResizeBilinear": "ms_compat._legacy.resize:ResizeBilinearCell",
    "mindspore.ops.ResizeBilinear": "ms_compat._legacy.resize:ResizeBilinear",
    "mindspore.nn._Loss": "mindspore.nn.LossBase",
    "mindspore.nn.Loss": "mindspore.nn.LossBase",
    "mindspore.ops.TensorAdd": "mindspore.ops.Add",
    "mindspore.ops.GatherV2": "mindspore.ops.Gather",
    "mindspore.ops.SELU": "mindspore.ops.SeLU",
    "mindspore.ops.gather_v2": "mindspore.ops.gather",
}


@functools.cache
def find(dotted: str) -> Any:
    """Returns what an earlier name is here, or `None`.

    >>> import ms_compat
    >>> find("mindspore.ms_class") is ms_compat.jit_class
    True
    """
    target = TABLE.get(dotted)
    if target is None:
        return None
    module, _, name = target.rpartition(":") if ":" in target else target.rpartition(".")
    if module.partition(".")[0] == "mindspore":
        module = "ms_compat" + module.removeprefix("mindspore")
    return getattr(importlib.import_module(module), name, None)
