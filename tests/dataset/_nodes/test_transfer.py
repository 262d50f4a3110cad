"""`device_que`: a pipeline that runs by itself, as MindSpore's does on a CPU."""

import threading

import numpy as np
import pytest

import ms_compat.dataset as ds


class Counted:
    """A source that notes how many rows were read, and when four of them were."""

    def __init__(self):
        self.read, self.enough = 0, threading.Event()

    def __iter__(self):
        for i in range(4):
            self.read += 1
            yield (np.array([i]),)
        self.enough.set()


def queue(source, **settings):
    return ds.GeneratorDataset(source, ["a"], shuffle=False).batch(2).device_que(**settings)


def test_send_runs_the_pipeline_for_its_epochs():
    source = Counted()
    data = queue(source)
    assert (type(data).__name__, data.get_dataset_size(), data.get_batch_size()) == ("TransferDataset", 2, 2)
    before = source.read  # to tell the size
    data.send(2)
    data._thread.join(60)
    assert source.read == before + 8
    data.stop_send()
    data.stop_send()  # of nothing


def test_without_a_number_of_epochs_it_runs_until_it_is_stopped():
    source = Counted()
    data = queue(source, queue_name="mine")
    data.send()
    assert source.enough.wait(60)
    thread = data._thread
    data.continue_send()
    data.release()
    assert data.queue_name == "mine" and not thread.is_alive()


def test_its_rows_are_not_read_otherwise():
    data = queue(Counted())
    for ask in (data.create_dict_iterator, data.create_tuple_iterator, data.output_shapes, data.get_data_info):
        with pytest.raises(RuntimeError):
            ask()
    with pytest.raises(RuntimeError):
        iter(data)
    assert data.queue_name != queue(Counted()).queue_name


@pytest.mark.parametrize("settings", [{"send_epoch_end": "a"}, {"create_data_info_queue": 1}, {"queue_name": 3}])
def test_arguments_of_wrong_types(settings):
    with pytest.raises(TypeError):
        queue(Counted(), **settings)
    with pytest.raises(TypeError):
        queue(Counted()).send("a")


def test_an_error_of_the_pipeline_is_logged(caplog):
    def failing(x):
        raise ValueError("no such row")

    data = ds.NumpySlicesDataset([1, 2], shuffle=False).map(failing).device_que()
    data.send(1)
    data._thread.join(60)
    assert "the pipeline failed" in caplog.text and "no such row" in caplog.text
