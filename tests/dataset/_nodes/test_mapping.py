"""`map` and `filter`: threads, stacked transforms, callbacks, failing rows."""

import logging
import os
import threading
import time

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


V, T = ds.vision, ds.transforms
IMAGES = (np.arange(7 * 5 * 6 * 3) * 37 % 256).reshape(7, 5, 6, 3).astype(np.uint8)
STACKED = {
    "TypeCast": (T.TypeCast(ms.float32), IMAGES),
    "OneHot": (T.OneHot(9), np.arange(7)),
    "OneHot smoothed": (T.OneHot(9, 0.2), np.arange(7)),
    "OneHot of vectors": (T.OneHot(9), np.arange(7)[:, None]),
    "Fill": (T.Fill(3), IMAGES),
    "Mask": (T.Mask(T.Relational.GT, 99), IMAGES),
    "Rescale": (V.Rescale(1 / 255.0, -0.5), IMAGES),
    "Normalize": (V.Normalize([120.0, 110.0, 100.0], [60.0, 61.0, 62.0]), IMAGES),
    "Normalize one": (V.Normalize([120.0], [60.0]), IMAGES),
    "Normalize grey": (V.Normalize([120.0], [60.0]), IMAGES[..., 0]),
    "Normalize CHW": (V.Normalize([0.1, 0.2, 0.3], [0.4, 0.5, 0.6], False), IMAGES.transpose(0, 3, 1, 2)),
    "NormalizePad": (V.NormalizePad([120.0, 110.0, 100.0], [60.0, 61.0, 62.0]), IMAGES),
    "HWC2CHW": (V.HWC2CHW(), IMAGES),
    "HWC2CHW grey": (V.HWC2CHW(), IMAGES[..., 0]),
    "ToTensor": (V.ToTensor(), IMAGES),
    "ToTensor grey": (V.ToTensor(np.float16), IMAGES[..., 0]),
    "ToType": (V.ToType(np.int16), IMAGES),
    "CenterCrop": (V.CenterCrop(3), IMAGES),
    "CenterCrop larger": (V.CenterCrop(8), IMAGES),
    "Compose": (T.Compose([V.Rescale(0.5, 1), V.HWC2CHW()]), IMAGES),
}


def batches(data):
    return [row for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("name", STACKED)
@pytest.mark.parametrize("make", ["slices", "generator"])
def test_a_batch_mapped_whole_equals_its_rows_mapped_one_by_one(name, make):
    transform, values = STACKED[name]

    def source():
        if make == "slices":
            return ds.NumpySlicesDataset((values, np.arange(7)), ["x", "y"], shuffle=False)
        return ds.GeneratorDataset(list(zip(values, range(7), strict=True)), ["x", "y"], shuffle=False)

    whole = source().map(transform, "x")
    single = source().map(lambda x: transform(x), "x")
    assert whole.stackable() and not single.stackable()
    for one, other in zip(batches(whole.batch(3)), batches(single.batch(3)), strict=True):
        for a, b in zip(one, other, strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)


def test_rows_of_different_shapes_are_mapped_one_by_one():
    data = ds.GeneratorDataset([(np.ones((4, 5 + k)),) for k in range(4)], ["x"], shuffle=False)
    (batch,) = batches(data.map([V.CenterCrop(3), V.HWC2CHW()], "x").batch(4))
    assert batch[0].shape == (4, 3, 3)


def test_a_refusal_of_a_stacked_transform_is_a_runtime_error():
    data = ds.NumpySlicesDataset([1, 9], ["x"], shuffle=False).map(T.OneHot(3), "x").batch(2)
    with pytest.raises(RuntimeError, match=r"OneHot.*range \[0, 3\)"):
        batches(data)


def test_slow_functions_run_in_threads_that_end_with_the_epoch(monkeypatch):
    monkeypatch.setattr("ms_compat.dataset._support.checks.os.cpu_count", lambda: 3)
    workers = set()

    def slow(x):
        time.sleep(0.002)
        workers.add(threading.current_thread().name)
        return x * 2

    data = ds.NumpySlicesDataset(list(range(30)), ["x"], shuffle=False).map(slow, num_parallel_workers=3)
    assert [int(row[0]) for row in batches(data)] == [2 * k for k in range(30)]
    assert sum(name.startswith("ms_compat-map") for name in workers) >= 2
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ms_compat")]


def test_threads_that_bring_nothing_are_given_up(monkeypatch):
    monkeypatch.setattr("ms_compat.dataset._support.checks.os.cpu_count", lambda: 2)
    monkeypatch.setattr("ms_compat.dataset._nodes.mapping._GAIN", 0.0)
    monkeypatch.setattr("ms_compat.dataset._nodes.mapping._TRIAL_S", 0.02)
    workers = []

    def slow(x):
        time.sleep(0.001)
        workers.append(threading.current_thread().name.startswith("ms_compat-map"))
        return x

    data = ds.NumpySlicesDataset(list(range(200)), ["x"], shuffle=False).map(slow, num_parallel_workers=2)
    for pool_is_tried in (True, False):
        workers.clear()
        assert [int(row[0]) for row in batches(data)] == list(range(200))
        assert any(workers) == pool_is_tried
        assert not workers[-1]


class TwoProcessors:
    """In place of `time`: once threads compute, each wait takes half of what a chunk of twenty rows takes."""

    def __init__(self):
        self.threads, self.now, self.wait = threading.local(), 0.0, 0.0

    def compute(self, seconds, in_pool):
        self.threads.spent = self.thread_time() + seconds
        if in_pool:
            self.wait = 20 * seconds / 2
        else:
            self.now += seconds

    def thread_time(self):
        return getattr(self.threads, "spent", 0.0)

    def perf_counter(self):
        self.now += self.wait
        return self.now


def test_threads_stay_if_later_rows_take_longer_than_the_first(monkeypatch):
    """Their processor time says it: a random crop of a picture may be decoded in a tenth of another's time."""
    monkeypatch.setattr("ms_compat.dataset._support.checks.os.cpu_count", lambda: 2)
    clock = TwoProcessors()
    monkeypatch.setattr("ms_compat.dataset._nodes.mapping.time", clock)
    workers = []

    def growing(x):
        in_pool = threading.current_thread().name.startswith("ms_compat-map")
        clock.compute(0.0003 if x < 4 else 0.003, in_pool)
        workers.append(in_pool)
        return x

    data = ds.NumpySlicesDataset(list(range(500)), ["x"], shuffle=False).map(growing, num_parallel_workers=2)
    for _ in range(2):
        workers.clear()
        assert [int(row[0]) for row in batches(data)] == list(range(500))
        assert workers == [False] * 4 + [True] * 496


def test_threads_end_when_the_iterator_is_left(monkeypatch):
    monkeypatch.setattr("ms_compat.dataset._support.checks.os.cpu_count", lambda: 3)
    data = ds.NumpySlicesDataset(list(range(90))).map(lambda x: (time.sleep(0.001), x)[1], num_parallel_workers=3)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    for _ in range(10):
        next(iterator)
    iterator.stop()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ms_compat")]


def test_the_message_names_operation_exception_and_column():
    data = ds.NumpySlicesDataset({"image": [1], "label": [2]}).map(lambda x: x, ["imgae"])
    with pytest.raises(RuntimeError, match="'imgae'.*Did you mean 'image'"):
        batches(data)

    def decode(x):
        raise OSError("no such image")

    with pytest.raises(RuntimeError, match="decode.*OSError: no such image"):
        batches(ds.NumpySlicesDataset([1], ["x"]).map(decode))


class Log(ds.DSCallback):
    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.events = []

    def note(self, name, context):
        self.events.append((name, context.cur_epoch_num, context.cur_step_num_in_epoch, context.cur_step_num))

    def ds_begin(self, ds_run_context):
        self.note("begin", ds_run_context)

    def ds_epoch_begin(self, ds_run_context):
        self.note("epoch begin", ds_run_context)

    def ds_epoch_end(self, ds_run_context):
        self.note("epoch end", ds_run_context)

    def ds_step_begin(self, ds_run_context):
        self.note("step begin", ds_run_context)

    def ds_step_end(self, ds_run_context):
        self.note("step end", ds_run_context)


def test_callbacks_are_called_as_mindspore_counts():
    # Recorded with MindSpore 2.10.0 for 3 rows, 2 epochs, step_size 2 (there two steps may begin before one ends).
    log = Log(2)
    data = ds.NumpySlicesDataset([0, 1, 2], ["x"], shuffle=False).map(lambda x: x, callbacks=log)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    for _ in range(2):
        list(iterator)
    assert log.events == [
        ("begin", 0, 0, 0),
        ("epoch begin", 1, 0, 0),
        ("step begin", 1, 1, 1),
        ("step end", 1, 1, 1),
        ("step begin", 1, 3, 3),
        ("step end", 1, 3, 3),
        ("epoch end", 1, 3, 3),
        ("epoch begin", 2, 0, 3),
        ("step begin", 2, 1, 4),
        ("step end", 2, 1, 4),
        ("step begin", 2, 3, 6),
        ("step end", 2, 3, 6),
        ("epoch end", 2, 3, 6),
    ]


def test_a_waited_callback_waits_for_the_training_loop():
    class Waited(ds.WaitedDSCallback):
        def sync_epoch_begin(self, train_run_context, ds_run_context):
            seen.append((train_run_context, ds_run_context.cur_epoch_num))

    seen, callback = [], Waited()
    data = ds.NumpySlicesDataset([1, 2], ["x"]).map(lambda x: x, callbacks=callback)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    list(iterator)
    callback.epoch_end("context")
    list(iterator)
    assert seen == [("context", 2)]
    ds.config.set_callback_timeout(1)
    late = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    list(late)
    callback._train_epochs = 0
    with pytest.raises(RuntimeError, match="did not go on within 1 s"):
        list(late)


# Recorded with MindSpore 2.10.0: 4 rows, 2 epochs, in batches of one and of two.
STEPS_OF_ONE = (
    "train 1, begin 2, train 2, begin 3, train 3, begin 4, train 4, epoch 1, begin epoch 2, "
    "begin 5, train 5, begin 6, train 6, begin 7, train 7, begin 8, train 8, epoch 2"
)
STEPS_OF_TWO = "train 1, begin 3, train 2, epoch 1, begin epoch 2, begin 5, train 3, begin 7, train 4, epoch 2"


@pytest.mark.parametrize("size, expected", [(1, STEPS_OF_ONE), (2, STEPS_OF_TWO)])
def test_model_train_and_its_pipeline_take_turns(size, expected):
    class Waited(ds.WaitedDSCallback):
        def sync_epoch_begin(self, train_run_context, ds_run_context):
            events.append(f"begin epoch {ds_run_context.cur_epoch_num}")

        def sync_step_begin(self, train_run_context, ds_run_context):
            events.append(f"begin {ds_run_context.cur_step_num}")

    class Log(ms.Callback):
        def on_train_step_end(self, run_context):
            events.append(f"train {run_context.original_args().cur_step_num}")

        def on_train_epoch_end(self, run_context):
            events.append(f"epoch {run_context.original_args().cur_epoch_num}")

    class Net(ms.nn.Cell):
        def construct(self, x, y):
            return x

    events, waited = [], Waited(size)
    rows = ([1, 2, 3, 4], [1, 2, 3, 4])
    data = ds.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).map(lambda x: x, callbacks=waited)
    data = data.batch(size) if size > 1 else data
    assert isinstance(waited, ms.Callback) and data.waits_for_consumer()
    ms.Model(Net()).train(2, data, dataset_sink_mode=False, callbacks=[Log(), waited])
    assert ", ".join(events) == expected


@pytest.mark.parametrize(
    "mode, expected", [("SKIP", [0, 1, 3, 4]), ("REPLACE", [0, 1, 3, 4, 0])]
)  # recorded with MindSpore 2.10.0
def test_failing_rows_are_left_out_or_replaced(mode, expected):
    def fail_at_two(x):
        if x == 2:
            raise ValueError("two")
        return x

    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
    data = ds.NumpySlicesDataset(list(range(5)), ["x"], shuffle=False).map(fail_at_two)
    assert data.get_dataset_size() == 5  # kept, where it is not set by an epoch
    assert [int(row[0]) for row in batches(data)] == expected
    assert data.get_dataset_size() == 5
    data.dataset_size = None
    assert [int(row[0]) for row in batches(data)] == expected
    assert data.get_dataset_size() == len(expected)


def test_a_filter_may_draw():
    ds.config.set_seed(1)
    data = ds.NumpySlicesDataset(list(range(50)), ["x"], shuffle=False)
    kept = data.filter(lambda x: T.RandomApply([lambda y: y * 0 + 1], 0.5)(x * 0) == 1)
    first = [int(row[0]) for row in batches(kept)]
    assert first == [int(row[0]) for row in batches(kept)]
    assert 10 < len(first) < 40


def test_facts_of_a_pipeline():
    def rows():
        return ds.NumpySlicesDataset([[1, 2, 3]], ["x"], shuffle=False)

    assert (rows().get_batch_size(), rows().batch(2).get_batch_size()) == (1, 2)
    # buckets, whose batches differ, tell the batch size below them, as MindSpore's do
    buckets = [data.bucket_batch_by_length(["x"], [4], [2, 1]) for data in (rows(), rows().batch(2))]
    assert [data.get_batch_size() for data in buckets] == [1, 2]
    assert not rows().is_shuffled() and rows().shuffle(2).batch(2).is_shuffled()
    assert not rows().is_sharded() and not rows().batch(2).is_sharded()
    assert ds.NumpySlicesDataset([[1, 2]], num_shards=2, shard_id=0).batch(2).is_sharded()


def test_a_batch_that_a_function_gives_whole_has_any_length():
    def data():
        return ds.GeneratorDataset([(np.float32([i, 1]),) for i in range(3)], ["item"], shuffle=False)

    as_dict = data().batch(
        2, per_batch_map=lambda items, _: {"x": np.stack(items), "n": len(items), "each": list(items)}
    )
    (*_, last) = as_dict.create_dict_iterator(num_epochs=1, output_numpy=True)
    assert {key: np.shape(value) for key, value in last["item"].items()} == {"x": (1, 2), "n": (), "each": (1, 2)}
    (first, _) = as_dict.create_tuple_iterator(num_epochs=1)
    assert first[0]["x"].dtype == ms.float32 and first[0]["n"].dtype == ms.int64
    (*_, mapped) = as_dict.map(lambda item: item["x"] + 1, "item").create_tuple_iterator(
        num_epochs=1, output_numpy=True
    )
    assert mapped[0].tolist() == [[3, 2]]
    other = data().batch(2, per_batch_map=lambda items, _: (np.ones((3, 2)),))
    assert [row[0].shape for row in other.create_tuple_iterator(num_epochs=1)] == [(3, 2)] * 2
    with pytest.raises(RuntimeError, match="must return 2 rows for column 'item', but got 3"):
        list(data().batch(2, per_batch_map=lambda items, _: ([1, 2, 3],)))


class Clock:
    """In place of `time`; each reading takes `step` seconds."""

    def __init__(self):
        self.now, self.step = 0.0, 0.0

    def perf_counter(self):
        self.now += self.step
        return self.now

    def thread_time(self):
        return 0.0


def test_autotuning_uses_more_threads_while_the_consumer_waits_and_fewer_when_it_does_not(monkeypatch, caplog):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    ds.config.set_enable_autotune(True)
    ds.config.set_prefetch_size(1)
    clock = Clock()
    monkeypatch.setattr("ms_compat.dataset._nodes.mapping.time", clock)
    monkeypatch.setattr("ms_compat.dataset._support.tuning.time", clock)
    lock, running, peak = threading.Lock(), 0, []

    def sleeping(x):
        nonlocal running
        with lock:
            running += 1
            peak.append(running)
        time.sleep(0.01)
        with lock:
            running -= 1
        if not threading.current_thread().name.startswith("ms_compat-map"):
            clock.now += 0.01
        return x + 1

    def epoch(pause):
        with caplog.at_level(logging.INFO, "ms_compat"):
            for row in iterator:
                found.append(row[0].item())
                clock.now += pause
        return [record.args for record in caplog.records if "of %d threads" in record.msg][-1]

    data = ds.NumpySlicesDataset(np.arange(100), ["x"], shuffle=False).map(sleeping, "x", num_parallel_workers=1)
    found: list[int] = []
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    clock.step = 0.01  # so that each wait takes time
    assert epoch(0) == (4, 4) and max(peak) == 4 and peak[5] == 1  # it began with one thread
    assert found == list(range(1, 101))
    del found[:], peak[:]
    iterator = data.take(25).create_tuple_iterator(num_epochs=1, output_numpy=True)
    clock.step = 0.0
    used, most = epoch(0.1)
    assert used < most and found == list(range(1, 26))
