"""Checkpoints during training."""

import os
import time

import pytest

import ms_compat as ms
from ms_compat import nn, train
from ms_compat.train import Callback, CheckpointConfig, ModelCheckpoint, RunContext
from ms_compat.train.callback._callback import InternalCallbackParam
from tests.train import recorded
from tests.train.callback.trainings import After, fail, files, model, rows


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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


def test_the_program_of_a_compiled_step_lies_beside_the_checkpoints(mode, tmp_path):
    model()[0].train(1, rows(), callbacks=[ModelCheckpoint("c", str(tmp_path), CheckpointConfig(4))])
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
