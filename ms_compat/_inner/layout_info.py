"""How a Tensor with a layout is cut, in the form that libraries' checkpoint code needs."""

from __future__ import annotations

import math

from ms_compat._core.errors import check_type
from ms_compat.parallel import Layout


class _DistributedTensorInfo:
    """What a layout says about the pieces of a Tensor.

    Args:
        distributed_info (Layout): the layout, called with its axes.

    Raises:
        TypeError: no Layout.

    >>> import ms_compat as ms
    >>> _DistributedTensorInfo(ms.parallel.Layout((2, 4), ("dp", "mp"))("None", "mp")).sharding_strategy
    [1, 4]
    """

    def __init__(self, distributed_info: Layout):
        check_type("_DistributedTensorInfo", "distributed_info", distributed_info, Layout)
        self.layout = self.distributed_info = distributed_info

    @property
    def sharding_strategy(self) -> list[int]:
        """The number of pieces along each axis of the Tensor."""
        facts = self.layout.to_dict()
        devices = facts["device_matrix"]
        axes = [axis if isinstance(axis, (tuple, list)) else (axis,) for axis in facts["tensor_map"]]
        # an axis of devices is counted from the last, and -1 is none
        return [math.prod(devices[len(devices) - 1 - at] for at in axis if at != -1) for axis in axes]
