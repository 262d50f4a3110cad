"""Argument checks for `Model.train`, `fit` and `eval`."""

from __future__ import annotations

import contextlib
import inspect
import logging
import weakref
from collections.abc import Iterator
from typing import Any

from ms_compat._core.errors import check_bool, check_int, check_non_negative_int, check_positive_int, value_and_type
from ms_compat._core.homes import is_of_the_package
from ms_compat.train.callback._callback import OLD_NAMES, Callback, to_list

logger = logging.getLogger("ms_compat")


def check_epochs(api: str, epoch: Any, initial_epoch: Any) -> None:
    """`epoch` and `initial_epoch`, how many and from which on."""
    check_positive_int(api, "epoch", epoch)
    check_non_negative_int(api, "initial_epoch", initial_epoch)
    if initial_epoch >= epoch:
        raise ValueError(
            f"For '{api}', the 'epoch' must be greater than 'initial_epoch', but got {epoch} and {initial_epoch}."
        )


def check_sink(api: str, dataset_sink_mode: Any, sink_size: Any = -1) -> None:
    """The sink arguments: every step is dispatched by the host here, with the next batch on its way to the device."""
    check_bool(api, "dataset_sink_mode", dataset_sink_mode)
    check_int(api, "sink_size", sink_size)
    if sink_size < -1 or sink_size == 0:
        raise ValueError(f"For '{api}', the 'sink_size' must be -1 or positive, but got {sink_size}.")
    if dataset_sink_mode:
        logger.debug("%s: dataset_sink_mode: each step is dispatched by the host, one batch ahead", api)


def size_of(api: str, argument: str, dataset: Any) -> int:
    """The number of batches in a dataset.

    Raises:
        AttributeError: it is not a dataset.
        ValueError: it is empty.
    """
    if not hasattr(dataset, "get_dataset_size") or not hasattr(dataset, "create_tuple_iterator"):
        raise AttributeError(f"For '{api}', the '{argument}' must be a dataset, but got {value_and_type(dataset)}.")
    size = dataset.get_dataset_size()
    if size == 0:
        raise ValueError(f"For '{api}', the '{argument}' has no batches: it is empty, or smaller than one batch.")
    return size


_owners: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def claim(dataset: Any, model: Any) -> None:
    """Note that a model trains on a dataset; another one may not, as both would draw from it.

    Raises:
        RuntimeError: another model trained on it.
    """
    owner = _owners.get(dataset)
    if owner is not None and owner() is not model:
        raise RuntimeError(
            "For 'Model.train', the dataset was used by another model. Create a dataset of its own for each model."
        )
    _owners[dataset] = weakref.ref(model)


def check_batch(batch: list[Any], loss_fn: Any) -> None:
    """With a loss function, a batch is (data, label).

    Raises:
        ValueError: it has another number of columns.
    """
    if loss_fn is not None and len(batch) != 2:
        raise ValueError(
            f"For 'Model', with a 'loss_fn' the dataset must give two columns (data, label), but it gives {len(batch)}."
        )


def check_columns(batch: list[Any], network: Any) -> None:
    """Without a loss function, the columns of a batch are the inputs of the network.

    Raises:
        TypeError: it takes another number.
    """
    taken = inspect.signature(network.construct)
    try:
        taken.bind(*batch)
    except TypeError as error:
        raise TypeError(
            f"For 'Model.train', the dataset gives {len(batch)} columns, and {type(network).__name__}.construct takes "
            f"{taken} ({error}). Give Model a 'loss_fn', or a network that computes the loss of all columns."
        ) from None


@contextlib.contextmanager
def naming_columns(api: str, dataset: Any, batch: list[Any]) -> Iterator[None]:
    """Within, this package's own errors about an input end with the dataset's columns, their dtypes and shapes."""
    try:
        yield
    except (TypeError, ValueError, RuntimeError) as error:
        message = error.args[0] if len(error.args) == 1 else None
        if isinstance(message, str) and message.startswith("For '") and hasattr(dataset, "get_col_names"):
            columns = ", ".join(
                f"'{name}' is {getattr(value, 'dtype', type(value).__name__)} of shape {getattr(value, 'shape', ())}"
                for name, value in zip(dataset.get_col_names(), batch, strict=False)
            )
            error.args = (f"{message} In '{api}', column {columns}.",)
        raise


def built_in(callback: Callback) -> bool:
    """Whether a callback is one of this package's, and not a user's."""
    return is_of_the_package(type(callback).__module__)


def checked_callbacks(api: str, callbacks: Any) -> list[Callback]:
    """The callbacks as a list. Those with hooks of the old names are called in `eval` too: `fit` refuses them.

    Raises:
        TypeError: something is not a Callback.
        ValueError: in `fit`, a user's callback has hooks of the old names.
    """
    found = to_list(callbacks, api)
    for callback in found:
        if built_in(callback):
            continue
        kind = type(callback)
        old = [name for name in OLD_NAMES if name in vars(kind)]
        if not old:
            continue
        text = f"For '{api}', the callback {kind.__name__} has {', '.join(old)}: write on_train_... or on_eval_..."
        if api == "Model.fit":
            raise ValueError(text + " to say when they are meant.")
        logger.warning("%s", text)
    return found
