"""Backups of a training."""

import os

import numpy as np
import pytest

from ms_compat import train
from ms_compat.train import Callback
from tests.train.callback.trainings import After, fail, files, model, rows


def first_weights(folder, **options):
    """Trains anew with the backups in `folder`: the weights before the first step."""
    training, net = model()
    before = []

    class First(Callback):
        def on_train_step_begin(self, run_context):
            if not before:
                before.append(net.weight.asnumpy().copy())

    backup = train.BackupAndRestore(str(folder), **options)
    training.train(3, rows(), callbacks=[backup, First()], dataset_sink_mode=False)
    return before[0]


def test_a_backup_survives_an_exception_and_is_taken_up(tmp_path):
    training, net = model()
    epoch_ends = []

    class Note(Callback):
        def on_train_epoch_end(self, run_context):
            epoch_ends.append(net.weight.asnumpy().copy())

    callbacks = [train.BackupAndRestore(str(tmp_path)), Note(), After(10, fail)]
    with pytest.raises(KeyError):
        training.train(3, rows(), callbacks=callbacks, dataset_sink_mode=False)
    assert files(tmp_path) == ["backup.ckpt"]
    assert (first_weights(tmp_path) == epoch_ends[1]).all()
    assert files(tmp_path) == []  # a run that ends has no use for it
    assert (first_weights(tmp_path) == 1).all()


@pytest.mark.parametrize(("freq", "epochs"), (("epoch", 3), (2, 2), (4, None)))
def test_backups_are_made_after_every_so_many_epochs(freq, epochs, tmp_path):
    first_weights(tmp_path, save_freq=freq, delete_checkpoint=False)
    assert files(tmp_path) == ([] if epochs is None else ["backup.ckpt"])
    if epochs is not None:
        training, net = model()
        training.train(epochs, rows(), dataset_sink_mode=False)
        saved = train.load_checkpoint(str(tmp_path / "backup.ckpt"))
        np.testing.assert_allclose(saved["weight"].asnumpy(), net.weight.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("args", "options", "error"),
    (
        (("",), {}, ValueError),
        ((" ",), {}, ValueError),
        ((3,), {}, TypeError),
        (("b",), {"save_freq": 0}, ValueError),
        (("b",), {"save_freq": -1}, ValueError),
        (("b",), {"save_freq": "step"}, TypeError),
        (("b",), {"save_freq": 1.5}, TypeError),
        (("b",), {"save_freq": True}, TypeError),
        (("b",), {"delete_checkpoint": 1}, TypeError),
    ),
)
def test_a_backup_refuses_what_mindspore_refuses(args, options, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match="BackupAndRestore"):
        train.BackupAndRestore(*args, **options)
    assert not os.listdir(tmp_path)
