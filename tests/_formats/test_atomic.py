"""Files are replaced and deleted where read-only ones have to be made writable first, as on Windows."""

import os
import shutil
import stat

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import dataset, nn, train
from ms_compat._formats import atomic


@pytest.fixture
def windows(monkeypatch):
    """Read-only files can be neither replaced nor deleted, and flushing needs a file that is open for writing."""
    replace, remove, opened, flush = os.replace, os.remove, os.open, os.fsync
    readers = set()

    def check(path):
        if os.path.isfile(path) and not os.lstat(path).st_mode & stat.S_IWRITE:
            raise PermissionError(13, "Access is denied", path)

    def replaced(source, target, **kwargs):
        check(target)
        replace(source, target, **kwargs)

    def removed(path, **kwargs):
        check(path)
        remove(path, **kwargs)

    def open_(path, flags, *args, **kwargs):
        if os.path.isdir(path):
            raise PermissionError(13, "Permission denied", path)
        handle = opened(path, flags, *args, **kwargs)
        readers.discard(handle)
        if flags & (os.O_RDWR | os.O_WRONLY) == 0:
            readers.add(handle)
        return handle

    def flushed(handle):
        if handle in readers:
            raise OSError(9, "Bad file descriptor")
        flush(handle)

    monkeypatch.setattr(atomic, "_REFUSES_READ_ONLY", True)
    monkeypatch.setattr(atomic, "fcntl", None)
    monkeypatch.setattr(shutil, "_use_fd_functions", False)  # as on Windows: `rmtree` opens no folders
    for name, function in {"replace": replaced, "remove": removed, "open": open_, "fsync": flushed}.items():
        monkeypatch.setattr(os, name, function)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_a_checkpoint_replaces_another(windows, tmp_path, format):
    path = str(tmp_path / f"net.{format}")
    for value in (1.0, 2.0):
        ms.save_checkpoint({"w": ms.Tensor([value])}, path, format=format)
        assert not os.stat(path).st_mode & stat.S_IWRITE
    assert ms.load_checkpoint(path, format=format)["w"].asnumpy().tolist() == [2.0]


def fit(callback):
    net = nn.Dense(2, 1)
    rows = (np.ones((4, 2), np.float32), np.ones((4, 1), np.float32))
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    model.train(1, dataset.NumpySlicesDataset(rows).batch(1), [callback])


def test_a_training_deletes_its_oldest_files(windows, tmp_path):
    config = train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)
    fit(train.ModelCheckpoint("net", str(tmp_path), config))
    assert sorted(name for name in os.listdir(tmp_path) if name.endswith(".ckpt")) == ["net-1_3.ckpt", "net-1_4.ckpt"]


def test_a_backup_is_deleted(windows, tmp_path):
    fit(train.BackupAndRestore(str(tmp_path), "epoch", delete_checkpoint=True))
    assert os.listdir(tmp_path) == []
