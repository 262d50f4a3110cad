"""`sync_wait` and `sync_update`."""

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import dataset


def numbers():
    return ds.NumpySlicesDataset(list(range(6)), ["x"], shuffle=False)


def test_each_update_lets_a_batch_through():
    seen = []
    data = numbers().sync_wait("policy", callback=seen.append).map(lambda x: x).batch(2)
    got = []
    for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        got.append(row[0].tolist())
        data.sync_update("policy", data={"loss": len(got)})
    assert got == [[0, 1], [2, 3], [4, 5]]
    assert seen == [{"loss": 1}, {"loss": 2}, {"loss": 3}]


def test_without_an_update_it_warns_and_lets_all_rows_through(monkeypatch, caplog):
    monkeypatch.setattr(ds.config, "get_callback_timeout", lambda: 0.05)
    data = numbers().sync_wait("policy").batch(2)
    got = [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert got == [[0, 1], [2, 3], [4, 5]]
    assert [record.levelname for record in caplog.records if "sync_update" in record.message] == ["WARNING"]
    assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 3
    assert sum("sync_update" in record.message for record in caplog.records) == 1


def test_each_iterator_starts_with_its_first_batch_let_through(caplog):
    data = numbers().sync_wait("policy").batch(4, drop_remainder=True)
    for _ in range(3):
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            assert row[0].tolist() == [0, 1, 2, 3]
            data.sync_update("policy")
    assert not [record for record in caplog.records if "sync_update" in record.message]


def test_it_can_be_disabled():
    data = numbers().sync_wait("policy")
    data.disable_sync()
    assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 6


def test_names_are_checked():
    data = numbers().sync_wait("policy")
    with pytest.raises(RuntimeError, match="Condition name is already in use"):
        data.sync_wait("policy")
    with pytest.raises(RuntimeError, match="'other'"):
        data.sync_update("other")


def test_model_train_releases_the_next_batch():
    class Net(ms.nn.Cell):
        def construct(self, x, y):
            return x

    class Update(ms.Callback):
        def on_train_step_end(self, run_context):
            data.sync_update("go", data={"step": run_context.original_args().cur_step_num})

    seen = []
    data = ds.NumpySlicesDataset(([1, 2, 3], [1, 2, 3]), ["x", "y"], shuffle=False)
    data = data.sync_wait("go", callback=seen.append).batch(1)
    ms.Model(Net()).train(1, data, dataset_sink_mode=False, callbacks=Update())
    assert seen == [{"step": 1}, {"step": 2}, {"step": 3}]


def waiting(name="policy"):
    return dataset.NumpySlicesDataset(np.arange(3)).sync_wait(name)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: waiting().shuffle(2), RuntimeError),
        (lambda: waiting().batch(2).shuffle(2), RuntimeError),
        (lambda: waiting().sync_wait("policy"), RuntimeError),
        (lambda: waiting().sync_update("policy", 0), RuntimeError),
        (lambda: waiting().sync_update("policy", 1.5), RuntimeError),
        (lambda: waiting().sync_update("other", 1), RuntimeError),
        (lambda: waiting().sync_update(3), TypeError),
    ],
)
def test_waiting_pipelines(call, error):
    with pytest.raises(error):
        call()
