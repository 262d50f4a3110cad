"""Callbacks that save and end a run, and `DatasetHelper`: files, clocks, signals, refusals."""

import io
import json
import os
import signal
import sys
import time

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, train
from ms_compat.train import Callback, CheckpointConfig, DatasetHelper, ModelCheckpoint, RunContext
from ms_compat.train.callback._callback import CallbackList, InternalCallbackParam


def rows(size=8, batch=2):
    r = np.random.RandomState(0)
    columns = {"x": r.randn(size, 3).astype(np.float32), "y": r.randn(size, 2).astype(np.float32)}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(batch)


def model():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mse"}), net


class After(Callback):
    """Calls a function after one step and notes all steps."""

    def __init__(self, step=None, function=None):
        super().__init__()
        self.step, self.function, self.seen = step, function, []

    def on_train_step_end(self, run_context):
        number = run_context.original_args().cur_step_num
        self.seen.append(number)
        if number == self.step:
            self.function()


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def fail():
    raise KeyError("step")


class Clock:
    """A clock that goes on 20 seconds a step."""

    def __init__(self, monkeypatch):
        self.now = time.time()
        monkeypatch.setattr(time, "time", lambda: self.now)

    def tick(self):
        self.now += 20


class Tick(Callback):
    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def on_train_step_end(self, run_context):
        self.clock.tick()


@pytest.mark.parametrize(
    ("config", "kept"),
    (
        # One of every minute, the latest besides. MindSpore keeps all files after the first minute.
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 1}, "1_1 1_3 2_2 3_1 3_4"),
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 2}, "1_1 2_2 3_4"),
        ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 3}, "1_1 3_1 3_4"),
        ({"keep_checkpoint_max": 2, "keep_checkpoint_per_n_minutes": 1}, "3_3 3_4"),
        # as recorded of MindSpore
        ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 50, "keep_checkpoint_max": 9}, "1_3 2_2 3_1 3_4"),
    ),
)
def test_checkpoints_by_the_clock(config, kept, tmp_path, monkeypatch):
    saver = ModelCheckpoint("c", str(tmp_path), CheckpointConfig(**{"save_checkpoint_steps": 1, **config}))
    model()[0].train(3, rows(), callbacks=[Tick(Clock(monkeypatch)), saver], dataset_sink_mode=False)
    assert files(tmp_path) == [f"c-{name}.ckpt" for name in kept.split()]


@pytest.mark.parametrize(("wanted", "kept"), ((True, ["c-1_3.ckpt", "c-2_1_breakpoint.ckpt"]), (False, ["c-1_3.ckpt"])))
def test_exception_save_keeps_the_weights_of_the_last_step(wanted, kept, tmp_path):
    saver = ModelCheckpoint("c", str(tmp_path), CheckpointConfig(save_checkpoint_steps=3, exception_save=wanted))
    training, net = model()
    with pytest.raises(KeyError, match="step"):
        training.train(3, rows(), callbacks=[saver, After(5, fail)], dataset_sink_mode=False)
    assert files(tmp_path) == kept
    if wanted:
        saved = train.load_checkpoint(str(tmp_path / kept[1]))
        assert (saved["weight"].asnumpy() == net.weight.asnumpy()).all()


@pytest.mark.parametrize("mode", (ms.PYNATIVE_MODE, ms.GRAPH_MODE))
def test_the_program_of_a_compiled_step_lies_beside_the_checkpoints(mode, tmp_path):
    ms.set_context(mode=mode)
    try:
        model()[0].train(1, rows(), callbacks=[ModelCheckpoint("c", str(tmp_path), CheckpointConfig(4))])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    compiled = mode == ms.GRAPH_MODE
    assert files(tmp_path) == (["c-1_4.ckpt", "c-graph.meta"] if compiled else ["c-1_4.ckpt"])
    if compiled:
        assert "dot_general" in (tmp_path / "c-graph.meta").read_text()


def test_counts_that_a_user_appends_go_on(tmp_path):
    config = CheckpointConfig(4, append_info=["epoch_num", {"step_num": 20, "a": 1.5}])
    model()[0].train(2, rows(), callbacks=[ModelCheckpoint("c", str(tmp_path), config)])
    saved = train.load_checkpoint(str(tmp_path / "c-2_4.ckpt"))
    assert [saved[name].asnumpy().item() for name in ("epoch_num", "step_num", "a")] == [2, 28, 1.5]


def test_a_name_that_a_function_gives_is_checked(tmp_path):
    for name in ("a/b", 3):
        saver = ModelCheckpoint(lambda p, name=name: name, str(tmp_path))
        with pytest.raises(ValueError, match="prefix"):
            model()[0].train(1, rows(), callbacks=[saver])
    assert files(tmp_path) == []


def test_a_directory_that_a_function_gives_keeps_the_names(tmp_path):
    for _ in range(2):
        saver = ModelCheckpoint("c", lambda p: str(tmp_path / str(p.cur_epoch_num)), CheckpointConfig(4))
        model()[0].train(2, rows(), callbacks=[saver])
    assert files(tmp_path) == ["1/c-1_4.ckpt", "2/c-2_4.ckpt"]


def test_a_list_of_callbacks_calls_the_old_hooks_too():
    called = []

    class Old(Callback):
        def begin(self, run_context):
            called.append(run_context)

    with CallbackList([Old(), Old()]) as callbacks:
        callbacks.begin("a")
        callbacks.on_train_begin("b")
    assert called == ["a", "a", "b", "b"]


def test_the_metrics_of_fit_stay_in_a_stream_that_forgets_what_is_flushed(monkeypatch):
    class Stream(io.StringIO):
        def flush(self):
            self.truncate(self.seek(0))

    monkeypatch.setattr(sys, "stdout", Stream())
    model()[0].fit(1, rows(), rows(), callbacks=train.LossMonitor())
    assert sys.stdout.getvalue().startswith("Eval result: epoch 1, metrics: {'mse': ")


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


def test_a_helper_gives_the_batches_of_each_epoch():
    helper = DatasetHelper(rows(), dataset_sink_mode=False, epoch_num=2)
    batches = list(helper)
    assert [type(batch) for batch in batches] == [list] * 4
    assert [[column.shape for column in batch] for batch in batches] == [[(2, 3), (2, 2)]] * 4
    assert all(isinstance(column, ms.Tensor) for batch in batches for column in batch)
    assert len(list(helper)) == 4
    with pytest.raises(RuntimeError, match="num_epochs"):
        list(helper)
    assert (DatasetHelper(rows()).sink_size(), DatasetHelper(rows(), True, 3).sink_size()) == (4, 3)


def test_a_helper_can_be_stopped():
    helper = DatasetHelper(rows(), False, epoch_num=-1)
    helper.continue_send()
    assert next(iter(helper))[0].shape == (2, 3)
    helper.stop_send()
    helper.release()


@pytest.mark.parametrize(
    ("args", "error"),
    (
        (("x",), AttributeError),
        ((rows(), 1), TypeError),
        ((rows(), False, 0), ValueError),
        ((rows(), False, -2), ValueError),
        ((rows(), False, 1.5), TypeError),
        ((rows(), False, -1, "a"), TypeError),
        ((rows(), False, -1, 0), RuntimeError),
    ),
)
def test_a_helper_refuses_what_mindspore_refuses(args, error):
    with pytest.raises(error):
        DatasetHelper(*args)


def test_a_network_is_not_connected_with_a_dataset():
    helper = train.DatasetHelper(rows(), False)
    with pytest.raises(ms.UnsupportedError, match="Iterate the DatasetHelper"):
        train.connect_network_with_dataset(nn.Dense(3, 2), helper)


def test_offloaded_adam_is_adam():
    weights = []
    for make in (nn.Adam, nn.AdamOffload):
        net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        optimizer = make(net.trainable_params(), learning_rate=0.1, weight_decay=0.01)
        train.Model(net, nn.MSELoss(), optimizer).train(2, rows(), dataset_sink_mode=False)
        weights.append(net.weight.asnumpy())
    np.testing.assert_allclose(*weights, rtol=1e-6)
    assert not (weights[0] == 1).any()


def test_a_subclass_of_the_checkpoint_callback_saves_itself(tmp_path):
    """As mindformers does: with the list of files, what is stored next to the Parameters, and when it is time."""
    from ms_compat.train.callback._checkpoint import CheckpointManager

    class Own(ModelCheckpoint):
        def _save_ckpt(self, cb_params, force_to_save=False):
            if cb_params.cur_step_num == self._last_triggered_step:
                return
            if self._need_flush_from_cache:
                self._flush_from_cache(cb_params)
            if self._check_save_ckpt(cb_params, force_to_save):
                self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
                path = tmp_path / f"{self._prefix}-{cb_params.cur_epoch_num}_{cb_params.cur_step_num}.ckpt"
                path.write_text(str(self._append_dict["step_num"]))
                self._manager.update_ckpoint_filelist(self._directory, self._prefix)
                if self._manager.ckpoint_num > 1:
                    self._manager.remove_oldest_ckpoint_file()
                self._last_triggered_step = cb_params.cur_step_num

    config = CheckpointConfig(2, append_info=["step_num"])
    saver = Own("c", str(tmp_path), config)
    model()[0].train(1, rows(), callbacks=[saver])
    assert isinstance(saver._manager, CheckpointManager)
    left = [path.name for path in tmp_path.glob("*.ckpt")]
    assert len(left) == 1 and left == [os.path.basename(path) for path in saver._manager.ckpoint_filelist]


def test_a_checkpoint_callback_that_is_called_by_hand_counts_from_zero(tmp_path):
    """As programs do that write their own loops, and name files by functions of the parameters."""
    net = nn.Dense(2, 1)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    told = InternalCallbackParam()
    told.update(epoch_num=10, cur_epoch_num=4, cur_step_num=128, batch_num=32)
    told.train_network = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    config = CheckpointConfig(save_checkpoint_steps=16, save_checkpoint_seconds=100, keep_checkpoint_max=0)
    saver = ModelCheckpoint(lambda p: f"{p.cur_step_num}_own", lambda p: str(tmp_path / "folder"), config)
    saver.begin(RunContext(told))
    saver.step_end(RunContext(told))
    assert (tmp_path / "folder" / "128_own.ckpt").is_file()
