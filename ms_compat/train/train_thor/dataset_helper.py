"""`DatasetHelper` with the argument that MindSpore's training with THOR adds."""

from __future__ import annotations

from ms_compat._core.no_op_arguments import no_effect
from ms_compat.train import dataset_helper


class DatasetHelper(dataset_helper.DatasetHelper):
    """`train.DatasetHelper`: iterates a dataset epoch by epoch.

    Args:
        dataset, dataset_sink_mode, sink_size, epoch_num: as for `train.DatasetHelper`.
        iter_first_order: how many steps MindSpore's devices do by themselves between two inversions.

    Raises:
        TypeError, ValueError, AttributeError: as for `train.DatasetHelper`.
    """

    def __init__(self, dataset, dataset_sink_mode=True, sink_size=-1, epoch_num=1, iter_first_order=1):
        super().__init__(dataset, dataset_sink_mode, sink_size, epoch_num)
        no_effect("train_thor.DatasetHelper", "every step is dispatched by the host", iter_first_order=iter_first_order)
