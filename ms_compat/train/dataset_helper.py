"""`DatasetHelper`, `connect_network_with_dataset` and `data_sink`: hand-written loops over a dataset."""

from __future__ import annotations

import functools
import logging
from typing import Any

from ms_compat._core.checks import check_callable
from ms_compat._core.errors import UnsupportedError, check_bool, check_int, value_error
from ms_compat._core.faces import faces
from ms_compat.train._model.arguments import size_of

logger = logging.getLogger("ms_compat")


@faces("train")
class DatasetHelper:
    """Iterates a dataset epoch by epoch; each epoch gives lists of Tensors.

    Args:
        dataset: the dataset.
        dataset_sink_mode: accepted; batches are handed over one by one.
        sink_size: -1 or positive.
        epoch_num: how many epochs will be iterated, -1 without end.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sink_size` is 0 or below -1.
        AttributeError: `dataset` is not a dataset.

    >>> import ms_compat.dataset as ds
    >>> from ms_compat.train import DatasetHelper
    >>> data = ds.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False).batch(1)
    >>> for batch in DatasetHelper(data, dataset_sink_mode=False):
    ...     print(batch[0])
    [1.]
    [2.]
    """

    def __init__(self, dataset, dataset_sink_mode=True, sink_size=-1, epoch_num=1):
        api = "DatasetHelper"
        check_bool(api, "dataset_sink_mode", dataset_sink_mode)
        check_int(api, "sink_size", sink_size)
        if sink_size < -1 or sink_size == 0:
            raise value_error(api, "sink_size", "-1 or positive", sink_size)
        self._size = size_of(api, "dataset", dataset)
        self._sink_size = sink_size
        self._iterator = dataset.create_tuple_iterator(num_epochs=check_int(api, "epoch_num", epoch_num))

    def __iter__(self):
        return iter(self._iterator)

    def sink_size(self):
        """How many batches make an epoch."""
        return self._size if self._sink_size == -1 else self._sink_size

    def stop_send(self):
        """End the iteration."""
        self.release()

    def release(self):
        """End the iteration; threads that make batches stop."""
        stop = getattr(self._iterator, "stop", None)
        if stop is not None:
            stop()

    def continue_send(self):
        """Nothing was interrupted: batches are fetched on demand."""


@faces("train")
def connect_network_with_dataset(network, dataset_helper):
    """Not supported: a network does not fetch its data itself here.

    Raises:
        UnsupportedError: always.
    """
    raise UnsupportedError(
        "mindspore.train.connect_network_with_dataset", "Iterate the DatasetHelper and call the network on each batch."
    )


@faces("train")
def data_sink(fn, dataset, sink_size=1, jit_config=None, input_signature=None):
    """A function that fetches batches itself: each call runs `fn` on the next `sink_size` of them.

    Args:
        fn: the function, of the dataset's columns.
        dataset: the dataset; it starts again at its end.
        sink_size: how many steps a call does; their last result is returned.
        jit_config: compile `fn` with `ms.jit`.
        input_signature: MindSpore's shapes of the inputs; the batches have their own.

    Returns:
        A function without arguments.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sink_size` is not positive.

    >>> import ms_compat as ms
    >>> import ms_compat.dataset as ds
    >>> data = ds.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False).batch(1)
    >>> step = ms.data_sink(lambda x: x * 2, data)
    >>> print(step(), step())
    [2.] [4.]
    """
    check_callable("data_sink", "fn", fn)
    if check_int("data_sink", "sink_size", sink_size) <= 0:
        raise value_error("data_sink", "sink_size", "positive", sink_size)
    if input_signature is not None:
        logger.debug("data_sink: input_signature has no effect")
    if jit_config is not None:
        from ms_compat._compile.jit import jit

        fn = jit(fn)
    size_of("data_sink", "dataset", dataset)
    iterator: Any = dataset.create_tuple_iterator(num_epochs=-1)

    def following() -> list[Any]:
        try:
            return next(iterator)
        except StopIteration:  # the end of an epoch: the next call begins the following one
            return next(iterator)

    @functools.wraps(fn)
    def sunk():
        for _ in range(sink_size):
            out = fn(*following())
        return out

    return sunk
