"""Saves in threads that fail, what `ModelCheckpoint` removes when, and what killed saves leave."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import nn
from ms_compat._formats import atomic
from ms_compat._formats.checkpoint import codec
from ms_compat.train import Callback, CheckpointConfig, Model, ModelCheckpoint

ROOT = Path(__file__).parents[2]
VALUES = {"w": ms.Tensor([1.0])}


@pytest.fixture
def disk(monkeypatch):
    """Writes fail from the given one on; says what files there were beside each when it was begun."""

    class Disk:
        full_at = 10**9
        seen = []

    disk, real = Disk(), codec.write
    disk.seen = []

    def write(path, items, **options):
        disk.seen.append(sorted(os.listdir(os.path.dirname(path))))
        if len(disk.seen) >= disk.full_at:
            time.sleep(0.05)
            raise OSError(28, "No space left on device")
        real(path, items, **options)

    monkeypatch.setattr(codec, "write", write)
    return disk


def train(tmp_path, epochs=2, callbacks=None, **config):
    net = nn.Dense(2, 2)
    data = ds.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 2), np.float32)), shuffle=False).batch(2)
    if callbacks is None:
        callbacks = [ModelCheckpoint("x", str(tmp_path), CheckpointConfig(save_checkpoint_steps=1, **config))]
    Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(epochs, data, callbacks=callbacks)


def checkpoints(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith("ckpt"))


def test_a_save_that_failed_raises_at_the_next(tmp_path, disk, caplog):
    disk.full_at = 1
    ms.save_checkpoint(VALUES, str(tmp_path / "a.ckpt"), async_save=True)
    with pytest.raises(OSError, match="No space left") as caught:
        ms.save_checkpoint(VALUES, str(tmp_path / "b.ckpt"))
    assert "a.ckpt" in caught.value.__notes__[0] and "a.ckpt" in caplog.text
    disk.full_at = 10**9
    ms.save_checkpoint(VALUES, str(tmp_path / "b.ckpt"))  # it is told once
    assert os.listdir(tmp_path) == ["b.ckpt"]


@pytest.mark.parametrize("steps", [1, 3, 4])
def test_a_save_that_failed_raises_in_the_training_and_the_last_file_stays(tmp_path, disk, steps):
    disk.full_at = steps
    with pytest.raises(OSError, match="No space left"):
        train(tmp_path, async_save=True, keep_checkpoint_max=1)
    assert checkpoints(tmp_path) == [[], ["x-1_1.ckpt"], ["x-1_2.ckpt"], ["x-2_1.ckpt"]][steps - 1]
    for name in checkpoints(tmp_path):
        ms.load_checkpoint(str(tmp_path / name))


def test_a_save_of_the_program_s_own_that_failed_raises_at_the_end_of_training(tmp_path, disk):
    class Saves(Callback):
        def on_train_end(self, run_context):
            ms.save_checkpoint(VALUES, str(tmp_path / "a.ckpt"), async_save=True)

    disk.full_at = 1
    with pytest.raises(OSError, match="No space left"):
        train(tmp_path, callbacks=[Saves()])


@pytest.mark.parametrize("threaded", [True, False])
def test_the_old_file_goes_when_the_new_one_is_whole(tmp_path, disk, threaded):
    train(tmp_path, async_save=threaded, keep_checkpoint_max=1)
    before = [[name for name in names if name.endswith("ckpt")] for names in disk.seen]
    assert before == [[], ["x-1_1.ckpt"], ["x-1_2.ckpt"], ["x-2_1.ckpt"]]
    assert checkpoints(tmp_path) == ["x-2_2.ckpt"]


def test_the_error_of_the_training_itself_comes_first(tmp_path, disk, caplog):
    class Fails(Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 2:
                raise KeyError("own")

    disk.full_at = 2
    config = CheckpointConfig(save_checkpoint_steps=1, async_save=True, exception_save=False)
    with pytest.raises(KeyError, match="own"), caplog.at_level(logging.ERROR):
        train(tmp_path, callbacks=[ModelCheckpoint("x", str(tmp_path), config), Fails()])
    assert "x-1_2.ckpt" in caplog.text
    disk.full_at = 10**9
    ms.save_checkpoint(VALUES, str(tmp_path / "a.ckpt"))  # nothing is left to tell


KILLED = """
import sys, time
import numpy as np
import ms_compat as ms
from ms_compat._formats import atomic
atomic._flush = lambda *path: (print("written", flush=True), time.sleep(600))
ms.save_checkpoint({"w": ms.Tensor(np.zeros(1000, np.float32))}, sys.argv[1], format=sys.argv[2])
"""


@pytest.mark.skipif(atomic.fcntl is None, reason="folders have no locks")
@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_what_a_killed_save_leaves_goes_with_the_next(tmp_path, format):
    path = str(tmp_path / f"a.{format}")
    job = subprocess.Popen([sys.executable, "-c", KILLED, path, format], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert job.stdout.readline() == "written\n"
        (left,) = os.listdir(tmp_path)
        ms.save_checkpoint(VALUES, str(tmp_path / "b.ckpt"))
        assert set(os.listdir(tmp_path)) == {left, "b.ckpt"}  # the other one still writes
    finally:
        job.send_signal(signal.SIGKILL)
        job.wait()
        job.stdout.close()
    assert left in os.listdir(tmp_path)
    (tmp_path / left / ".tmpAbCdEf").write_bytes(b"safetensors' own")
    ms.save_checkpoint(VALUES, str(tmp_path / "c.ckpt"), format=format)
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_leftovers_of_other_machines_go_after_a_day(tmp_path):
    young, old = tmp_path / ".ms_compat-00000000-abcdefgh.tmp", tmp_path / ".ms_compat-00000000-hgfedcba.tmp"
    others = [tmp_path / ".ms_compat-notes.tmp", tmp_path / "x.ms_compat-00000000-abcdefgh.tmp"]
    for folder in (young, old, *others):
        folder.mkdir()
        (folder / "file").write_bytes(b"")
    for place in (old / "file", old):
        os.utime(place, (1e9, 1e9))
    (tmp_path / ".ms_compat-00000000-linklink.tmp").symlink_to(others[0])
    ms.save_checkpoint(VALUES, str(tmp_path / "c.ckpt"))
    assert young.exists() and not old.exists() and all((other / "file").exists() for other in others)


def test_writers_and_cleaners_do_not_disturb_each_other(tmp_path):
    """A folder that was made and not yet locked may be taken for a leftover: its writer makes another."""
    failed = []

    def work(number):
        try:
            for turn in range(40):
                with atomic.replaced(str(tmp_path / f"{number}"), atomic.READ_WRITE) as temporary:
                    Path(temporary).write_text(str(turn))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed, failed
    assert sorted(os.listdir(tmp_path)) == list("012345")
    shutil.rmtree(tmp_path)
