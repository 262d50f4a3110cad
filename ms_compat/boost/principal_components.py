"""Principal components of saved weights, in files that the processes of a training share."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat.communication.management import get_group_size, get_rank
from ms_compat.nn.cell import Cell


def _world() -> tuple[int, int]:
    """(the number of this process, how many there are); one process where communication was not initialised."""
    try:
        return get_rank(), get_group_size()
    except RuntimeError:
        return 0, 1


def local_path(
    weight_load_dir: str | None, pca_mat_path: str | None, count: int, device_number: int, network: Cell
) -> str:
    """Write each process's rows of the components, and return the path of this process's file.

    Of each `device_number` processes, the first one computes and writes the files.

    Args:
        weight_load_dir: a folder with checkpoints of the network, of which the components are computed.
        pca_mat_path: a file ".npy" that has the components; it takes precedence.
        count: the number of components.
        device_number: how many processes share one computation.
        network: the network, whose trainable Parameters count.

    Raises:
        ValueError: neither path leads to anything, or there are fewer checkpoints than components.
    """
    known = pca_mat_path is not None and pca_mat_path.endswith(".npy") and os.path.isfile(pca_mat_path)
    if not known and (weight_load_dir is None or not os.path.isdir(weight_load_dir)):
        raise value_error("AutoBoost", "weight_load_dir", "a folder with checkpoints", weight_load_dir)
    full = str(pca_mat_path) if known else os.path.join(str(weight_load_dir), "pca_mat_temp.npy")
    stem = full[: -len(".npy")]
    rank, world = _world()
    own = f"{stem}_rank_{rank}.npy"
    if rank % device_number:
        return own
    components = np.load(full, allow_pickle=False) if known else _components(str(weight_load_dir), network, count)
    if not known:
        np.save(full, components)
    size = -(-count // world)
    for place in range(rank, min(rank + device_number, world)):
        np.save(f"{stem}_rank_{place}.npy", components[place * size : min((place + 1) * size, count)])
    return own


def load_local(path: str | None, timeout: float) -> np.ndarray:
    """Return what `local_path` wrote for this process, and wait for it.

    Raises:
        ValueError: the path is missing.
        TimeoutError: the file has not come within `timeout` seconds.
    """
    if path is None:
        raise ValueError("Steps in few dimensions need 'AutoBoost.network_auto_process_train' before.")
    end = time.monotonic() + timeout
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise TimeoutError(f"The components of the weights were not written into {path} within {timeout} s.")
        time.sleep(0.1)
    return np.load(path, allow_pickle=False)


def _components(folder: str, network: Cell, count: int) -> np.ndarray:
    """The first right singular vectors of a folder's checkpoints, which are centred before."""
    names = [parameter.name for parameter in network.trainable_params()]
    rows = [_row(str(path), names) for path in sorted(Path(folder).glob("*.ckpt"))]
    if len(rows) < count:
        raise ValueError(f"{count} components need as many checkpoints in {folder}, but there are {len(rows)}.")
    data = np.stack(rows).astype(np.float64)
    _, _, vectors = np.linalg.svd(data - data.mean(axis=0), full_matrices=False)
    largest = np.abs(vectors).argmax(axis=1)
    signs = np.sign(vectors[np.arange(len(vectors)), largest])  # a vector and its opposite are equally right
    return (vectors * signs[:, None])[:count].astype(np.float32)


def _row(path: str, names: Sequence[str]) -> np.ndarray:
    saved = load_checkpoint(path)
    return np.concatenate([saved[name].asnumpy().ravel() for name in names])
