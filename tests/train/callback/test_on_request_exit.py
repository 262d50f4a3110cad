"""Trainings that end on a signal or a file."""

import json
import os
import signal

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, train
from ms_compat.train import Callback
from tests.train.callback.trainings import After, files, model, rows


@pytest.mark.parametrize("number", (signal.SIGTERM, signal.SIGUSR1))
@pytest.mark.parametrize("save", (True, False))
def test_a_signal_ends_the_training_after_its_step(number, save, tmp_path):
    before = signal.getsignal(number)
    training, net = model()
    notes = After(3, lambda: os.kill(os.getpid(), number))
    leave = train.OnRequestExit(save, False, "N", str(tmp_path), sig=number)
    training.train(3, rows(), callbacks=[notes, leave], dataset_sink_mode=False)
    assert notes.seen == [1, 2, 3]
    assert files(tmp_path) == (["rank_0/N_train.ckpt"] if save else [])
    assert signal.getsignal(number) == before
    if save:
        saved = train.load_checkpoint(str(tmp_path / "rank_0/N_train.ckpt"))
        assert (saved["weight"].asnumpy() == net.weight.asnumpy()).all()


def test_a_file_ends_the_training_or_the_evaluation(tmp_path):
    config = tmp_path / "exit.json"
    config.write_text(json.dumps({"GracefulExit": 0}))
    notes = After(2, lambda: config.write_text(json.dumps({"GracefulExit": 1})))
    leave = train.OnRequestExit(
        save_mindir=False, file_name="N", directory=str(tmp_path / "out"), config_file=str(config)
    )
    training, _ = model()
    training.train(3, rows(), callbacks=[notes, leave], dataset_sink_mode=False)
    assert notes.seen == [1, 2]
    training.eval(rows(), callbacks=[leave], dataset_sink_mode=False)
    assert files(tmp_path / "out") == ["rank_0/N_eval.ckpt", "rank_0/N_train.ckpt"]


def test_an_ended_training_leaves_its_step_and_where_it_was(tmp_path):
    training, net = model()
    leave = After(3, lambda: os.kill(os.getpid(), signal.SIGTERM)), train.OnRequestExit(directory=str(tmp_path))
    training.train(2, rows(), callbacks=list(leave))
    assert files(tmp_path) == ["rank_0/Net_train.ckpt", "rank_0/Net_train.mindir"]
    saved = train.load_checkpoint(str(tmp_path / "rank_0/Net_train.ckpt"))
    assert [int(saved[name]) for name in ("epoch_num", "step_num", "batch_num")] == [1, 3, 4]
    step = nn.GraphCell(train.load(str(tmp_path / "rank_0/Net_train.mindir")))
    x, y = (ms.Tensor(column) for column in next(rows().create_tuple_iterator(output_numpy=True)))
    loss = nn.MSELoss()(net(x), y)
    np.testing.assert_allclose(step(x, y).asnumpy(), loss.asnumpy(), rtol=1e-6)


def test_a_run_starts_from_the_checkpoint_of_an_ended_one(tmp_path):
    ended, net = model()
    ask = After(3, lambda: os.kill(os.getpid(), signal.SIGTERM))
    ended.train(2, rows(), callbacks=[ask, train.OnRequestExit(True, False, directory=str(tmp_path))])
    for start in ("train", "eval"):
        again, other = model()
        seen = []

        class First(Callback):
            def begin(self, run_context, other=other, seen=seen):
                seen.append(other.weight.asnumpy().copy())

        run = again.eval if start == "eval" else lambda *a, again=again, **k: again.train(1, *a, **k)
        run(rows(), callbacks=[train.OnRequestExit(True, False, directory=str(tmp_path)), First()])
        assert (seen[0] == net.weight.asnumpy()).all()


def test_what_cannot_be_exported_does_not_keep_a_run_from_ending(tmp_path, caplog):
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dropout(p=0.5))
    training = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    ask = After(1, lambda: os.kill(os.getpid(), signal.SIGTERM))
    training.train(1, rows(), callbacks=[ask, train.OnRequestExit(directory=str(tmp_path))])
    assert ask.seen == [1] and files(tmp_path) == ["rank_0/Net_train.ckpt"]
    assert "random numbers" in caplog.text


def test_a_file_that_is_still_being_written_asks_for_nothing(tmp_path):
    config = tmp_path / "exit.json"
    config.write_text('{"Graceful')
    notes = After()
    leave = train.OnRequestExit(False, False, config_file=str(config), directory=str(tmp_path))
    model()[0].train(1, rows(), callbacks=[notes, leave])
    assert notes.seen == [1, 2, 3, 4]


@pytest.mark.parametrize("options", ({"save_ckpt": 1}, {"save_mindir": 1}, {"sig": "a"}, {"sig": signal.SIGKILL}))
def test_an_exit_refuses_what_mindspore_refuses(options):
    with pytest.raises(ValueError, match="OnRequestExit"):
        train.OnRequestExit(**options)
