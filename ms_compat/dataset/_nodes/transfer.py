"""`device_que`: a pipeline that runs by itself. Like MindSpore on a CPU, it reads the rows and drops them."""

from __future__ import annotations

import itertools
import logging
import threading
import uuid
from collections.abc import Iterator
from typing import Any, NoReturn

from ms_compat._core.faces import faces
from ms_compat.dataset._base.dataset import Dataset, check_tree
from ms_compat.dataset._support import randomness, rows
from ms_compat.dataset._support.arguments import check_bool, check_int, check_type

logger = logging.getLogger("ms_compat")


@faces("dataset")
class TransferDataset(Dataset):
    """The end of a pipeline that a thread runs between `send` and `stop_send`.

    Nothing reads the rows: on accelerators XLA gets batches from `train.Model` or from the program's loop. The
    pipeline's own functions still run.

    Args:
        dataset: the dataset.
        send_epoch_end: accepted as in MindSpore; there is no device to tell of an epoch's end.
        create_data_info_queue: likewise; there is no queue of shapes.
        queue_name: a name of the queue; a new one by default.

    Raises:
        TypeError: for an argument of another type.
    """

    def __init__(
        self,
        dataset: Dataset,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> None:
        super().__init__(dataset)
        check_tree(self)
        check_bool("device_que", "send_epoch_end", send_epoch_end)
        check_bool("device_que", "create_data_info_queue", create_data_info_queue)
        self.queue_name = check_type("device_que", "queue_name", queue_name, str) or str(uuid.uuid4())
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        return self.children[0]._rows(streams, epoch)

    def _size(self) -> int | None:
        return self.children[0]._size()

    def send(self, num_epochs: int = -1) -> None:
        """Run the pipeline in a thread, for some epochs or, by default, until `stop_send`."""
        check_int("send", "num_epochs", num_epochs)
        self.stop_send()
        self._stopped.clear()
        self._thread = threading.Thread(target=self._run, args=(num_epochs,), daemon=True)
        self._thread.start()

    def _run(self, num_epochs: int) -> None:
        epochs = itertools.count() if num_epochs < 0 else range(num_epochs)
        try:
            for _ in epochs:
                for _row in self.children[0].create_tuple_iterator(num_epochs=1, output_numpy=True):
                    if self._stopped.is_set():
                        return
        except Exception:  # of any kind: nothing waits for this thread, so only the log shows the failure
            logger.exception("TransferDataset.send: the pipeline failed")

    def stop_send(self) -> None:
        """End the thread after the current row."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stopped.set()
            thread.join()

    def continue_send(self) -> None:
        """Does nothing: no device stops a pipeline here."""

    def release(self) -> None:
        """End the thread."""
        self.stop_send()

    def get_data_info(self) -> NoReturn:
        """There is no queue of shapes on a CPU.

        Raises:
            RuntimeError: always, as in MindSpore.
        """
        raise RuntimeError("For 'TransferDataset', 'get_data_info' needs a device that shares the shapes of its queue.")

    def create_dict_iterator(self, *args: Any, **kwargs: Any) -> NoReturn:
        """A pipeline that runs by itself cannot be iterated.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset is not iterable: iterate the dataset before 'device_que'.")

    create_tuple_iterator = __iter__ = create_dict_iterator

    def output_shapes(self, estimate: bool = False) -> NoReturn:
        """Refused, as in MindSpore: call it on the dataset before `device_que`.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset has no 'output_shapes': ask the dataset before 'device_que'.")
