"""Helpers around a training: backups, a graceful end, datasets by epochs, and what has no counterpart in JAX."""

import json
import signal

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.train import BackupAndRestore, Callback, DatasetHelper, LossScaleManager, Model, OnRequestExit


def rows(size=8):
    random = np.random.RandomState(0)
    columns = {"x": random.randn(size, 3).astype(np.float32), "y": random.randn(size, 2).astype(np.float32)}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(2)


def made():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    return net, Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))


class Broken(Callback):
    def on_train_epoch_begin(self, run_context):
        if run_context.original_args().cur_epoch_num == 2:
            raise KeyError("power cut")


def test_a_training_goes_on_from_its_backup(tmp_path):
    net, model = made()
    with pytest.raises(KeyError):
        model.train(3, rows(), callbacks=[BackupAndRestore(str(tmp_path)), Broken()], dataset_sink_mode=False)
    saved = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    again, model = made()
    starts = []

    class Seen(Callback):
        def on_train_epoch_begin(self, run_context):
            starts.append(again.weight.asnumpy().copy())

    model.train(1, rows(), callbacks=[BackupAndRestore(str(tmp_path)), Seen()], dataset_sink_mode=False)
    np.testing.assert_array_equal(starts[0], saved["weight"])
    assert not list(tmp_path.iterdir())  # the backup of a training that came to its end
    for wrong, error in ((3, TypeError), (" ", ValueError)):
        with pytest.raises(error):
            BackupAndRestore(wrong)


def test_a_file_asks_for_a_graceful_end(tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"GracefulExit": 1}))
    net, model = made()
    steps = []

    class Count(Callback):
        def on_train_step_end(self, run_context):
            steps.append(run_context.original_args().cur_step_num)

    before = signal.getsignal(signal.SIGTERM)
    leave = OnRequestExit(save_mindir=False, file_name="end", directory=str(tmp_path), config_file=str(config))
    model.train(3, rows(), callbacks=[Count(), leave], dataset_sink_mode=False)
    assert steps == [1] and signal.getsignal(signal.SIGTERM) is before
    saved = ms.load_checkpoint(str(tmp_path / "rank_0" / "end_train.ckpt"))
    np.testing.assert_array_equal(saved["weight"].asnumpy(), net.weight.asnumpy())
    with pytest.raises(ValueError):
        OnRequestExit(save_ckpt=3)


def test_a_dataset_is_handed_over_epoch_by_epoch():
    helper = DatasetHelper(rows(), dataset_sink_mode=False, epoch_num=2)
    for _ in range(2):
        batches = list(helper)
        assert len(batches) == 4 and batches[0][0].shape == (2, 3)
    assert helper.sink_size() == 4
    helper.release()
    for wrong, error in ((dict(sink_size=0), ValueError), (dict(dataset_sink_mode=3), TypeError)):
        with pytest.raises(error):
            DatasetHelper(rows(), **wrong)


def test_a_training_step_is_made_of_its_parts():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    step = ms.train.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss())
    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))
    assert float(step(x, y)) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), 1 - 0.1 * 3 * np.ones((2, 3)), rtol=1e-6)


def test_the_base_of_loss_scales_says_nothing_and_changes_nothing():
    manager = LossScaleManager()
    assert manager.get_loss_scale() is None and manager.update_loss_scale(True) is None


def test_what_has_no_counterpart_names_the_way_out():
    with pytest.raises(ms.UnsupportedError):
        ms.train.connect_network_with_dataset(made()[0], None)
    with pytest.raises(ms.UnsupportedError):
        ms.flops_collection("train")


def test_a_check_of_the_installation_prints_its_result(capsys):
    ms.run_check()
    assert "is correct" in capsys.readouterr().out


def test_the_default_generator_is_the_one_that_seeds():
    ms.manual_seed(7)
    assert ms.default_generator.initial_seed() == 7
    first = ms.ops.randn(3).asnumpy()
    ms.manual_seed(7)
    np.testing.assert_array_equal(ms.ops.randn(3).asnumpy(), first)
