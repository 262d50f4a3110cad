"""Bars are shown where somebody looks, after a while; logs get none, and nothing is left behind."""

import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import dataset, nn, train
from ms_compat._core.diagnostics import progress


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_PROGRESS", "1")
    monkeypatch.setattr(progress, "_AFTER", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)


def trained(callbacks=None):
    net = nn.Dense(2, 1)
    train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(2, data(), callbacks=callbacks)


def test_a_training_is_told(at_once, capsys):
    trained()
    out, err = capsys.readouterr()
    assert "epoch 1" in err
    assert "4/4 steps" in err
    assert out == ""


def data():
    rows = (np.ones((8, 2), np.float32), np.ones((8, 1), np.float32))
    return dataset.NumpySlicesDataset(rows, ["a", "b"]).batch(4)


def test_an_evaluation_is_told_and_so_are_saved_rows(at_once, capsys, tmp_path):
    model = train.Model(nn.Dense(2, 1), nn.MSELoss(), metrics={"mae"})
    model.eval(data())
    assert "evaluating" in (err := capsys.readouterr().err)
    assert "2/2 steps" in err
    data().save(str(tmp_path / "rows.mindrecord"))
    assert "2 rows" in capsys.readouterr().err


def test_work_within_work_shows_no_second_bar(at_once, capsys):
    class Evaluates(train.Callback):
        def on_train_epoch_end(self, run_context):
            model = train.Model(nn.Dense(2, 1), nn.MSELoss(), metrics={"mae"})
            model.eval(data())

    trained([Evaluates()])
    err = capsys.readouterr().err
    assert "4/4 steps" in err and "evaluating" not in err
    with progress.Progress("next", 1, "steps") as bar:
        bar.advance()
    assert "next" in capsys.readouterr().err


def test_a_continued_training_starts_where_it_was(at_once, capsys, tmp_path):
    def fit(epochs, **how):
        net = nn.Dense(2, 1)
        model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        config = train.CheckpointConfig(save_checkpoint_steps=1, resumable=True)
        model.train(epochs, data(), [train.ModelCheckpoint("net", str(tmp_path), config)], **how)
        return re.findall(r"\d+/\d+ steps", capsys.readouterr().err)

    assert list(dict.fromkeys(fit(1))) == ["1/2 steps", "2/2 steps"]
    assert list(dict.fromkeys(fit(3, resume=str(tmp_path / "net-1_1.ckpt")))) == [f"{n}/6 steps" for n in range(2, 7)]
    assert list(dict.fromkeys(fit(3, initial_epoch=2))) == ["5/6 steps", "6/6 steps"]


def test_the_estimate_leaves_out_the_first_unit_and_what_was_done_before(monkeypatch):
    clock = iter([0.0, 10.0, 12.0, 14.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    monkeypatch.setenv("MS_COMPAT_PROGRESS", "0")
    bar = progress.Progress("training", 96, "steps", 60)
    bar.advance()  # compiles for ten seconds
    assert bar._text(0.0) == "61/96 steps"
    bar.advance()
    bar.advance()
    assert bar._text(14.0 - bar._start) == "63/96 steps, 1:06 left"


def test_logs_get_none(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_AFTER", 0.0)
    trained()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("MS_COMPAT_PROGRESS", "0")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert not progress.wanted()


def test_short_work_gets_none(monkeypatch, capsys):
    monkeypatch.setenv("MS_COMPAT_PROGRESS", "1")
    trained()
    assert capsys.readouterr().err == ""


def test_ctrl_c_takes_the_bar_away(at_once, capsys):
    class Stop(train.Callback):
        def on_train_step_end(self, run_context):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained([Stop()])
    assert "epoch 1" in capsys.readouterr().err
    with progress.Progress("next", 1, "steps") as bar:  # rich shows one bar at a time: the first is gone
        bar.advance()


def test_checkpoints_are_told_by_their_bytes(at_once, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(progress, "_SMALL", 0)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint([{"name": "w", "data": ms.Tensor(np.ones(1 << 20, np.float32))}], path)
    assert "saving" in (err := capsys.readouterr().err)
    assert "4/4 MiB" in err
    assert list(ms.load_checkpoint(path)) == ["w"]
    assert "loading" in capsys.readouterr().err


def test_the_time_left(monkeypatch):
    bar = progress.Progress("work", 10, "files")
    bar.done = 4
    assert bar._text(8.0) == "4/10 files, 0:12 left"
    bar.total = None
    assert bar._text(8.0) == "4 files"
