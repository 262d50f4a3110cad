"""`DSCallback`, called by a `map` around epochs and rows."""

from ms_compat._core.faces import faces
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.dataset._support.arguments import INT32_MAX, check_type, interval_error


class DSCallbackRunContext:
    """A pipeline's position when it calls a callback: epochs and steps count from 1.

    Args:
        cur_epoch_num: the epoch.
        cur_step_num_in_epoch: the row in the epoch, 0 before the first.
        cur_step_num: the row over all epochs.
    """

    def __init__(self, cur_epoch_num: int = 0, cur_step_num_in_epoch: int = 0, cur_step_num: int = 0) -> None:
        self.cur_epoch_num = cur_epoch_num
        self.cur_step_num_in_epoch = cur_step_num_in_epoch
        self.cur_step_num = cur_step_num


@faces("dataset")
class DSCallback:
    """The base of callbacks for `map(callbacks=...)`; a subclass defines the methods it wants.

    `waits` says that a callback holds the pipeline back until earlier rows were used.

    Args:
        step_size: calls the step methods every so many rows.

    Raises:
        TypeError: if it is not an int.
        ValueError: if it is < 1.

    >>> import ms_compat.dataset as ds
    >>> class Begin(ds.DSCallback):
    ...     def ds_epoch_begin(self, ds_run_context):
    ...         print("epoch", ds_run_context.cur_epoch_num)
    >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).map(lambda x: x, callbacks=Begin())
    >>> _ = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    epoch 1
    """

    waits = False

    def __init__(self, step_size: int = 1) -> None:
        check_type(type(self).__name__, "step_size", step_size, int)
        if not 1 <= step_size <= INT32_MAX:
            raise interval_error(type(self).__name__, "step_size", 1, INT32_MAX, step_size)
        self.step_size = step_size

    def ds_begin(self, ds_run_context: DSCallbackRunContext) -> None:
        """Called once, before the first row."""

    def ds_epoch_begin(self, ds_run_context: DSCallbackRunContext) -> None:
        """Called before each epoch."""

    def ds_epoch_end(self, ds_run_context: DSCallbackRunContext) -> None:
        """Called after each epoch."""

    def ds_step_begin(self, ds_run_context: DSCallbackRunContext) -> None:
        """Called before a row is mapped."""

    def ds_step_end(self, ds_run_context: DSCallbackRunContext) -> None:
        """Called after a row was mapped."""


# `WaitedDSCallback`, which brings `ms_compat.train` with it, is found in `_names/aliases.py`.
__getattr__ = unsupported_getattr(__name__)
