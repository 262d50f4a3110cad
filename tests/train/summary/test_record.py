"""Files of summaries: values, histograms, images."""

import io
import struct

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from tests.train.summary.reading import events, fields, number


def test_values_are_written_with_their_step(tmp_path):
    with ms.SummaryRecord(str(tmp_path)) as record:
        record.add_value("scalar", "loss", ms.Tensor(1.0))
        record.add_value("scalar", "loss", ms.Tensor(0.5))
        record.add_value("tensor", "t", ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)))
        assert record.record(7) is True
        assert record.record(8) is True
        record.add_value("scalar", "loss", ms.Tensor([3, 4]))
        record.flush()
        assert record.record(9, plugin_filter=lambda plugin: plugin != "tensor")
        assert record.log_dir.startswith(str(tmp_path)) and "tfevents" in record.log_dir
    (first, one), (second, two) = events(tmp_path)
    assert (first, second, number(one["loss"]), number(two["loss"])) == (7, 9, 0.5, 3.0)
    held = fields(one["t"][8][0])
    assert held[1] == [1] and [fields(size)[1] for size in fields(held[2][0])[2]] == [[2], [3]]
    assert np.frombuffer(held[4][0], np.float32).tolist() == [0, 1, 2, 3, 4, 5]
    assert record.record(10) is False


def test_a_histogram_counts_every_finite_value(tmp_path):
    values = np.array([*np.linspace(-1, 1, 100), np.nan, np.inf], np.float32)
    with ms.SummaryRecord(str(tmp_path)) as record:
        record.add_value("histogram", "h", ms.Tensor(values))
        record.record(1)
    held = fields(events(tmp_path)[0][1]["h"][5][0])
    low, high, count, total, squares = (struct.unpack("<d", held[field][0])[0] for field in range(1, 6))
    assert (low, high, count) == (-1.0, 1.0, 100.0)
    assert abs(total) < 1e-5 and np.isclose(squares, (values[:100].astype(np.float64) ** 2).sum())
    limits, counts = (np.frombuffer(held[field][0], "<f8") for field in (6, 7))
    assert counts.sum() == 100 and limits[-1] == 1.0 and len(limits) == len(counts) == 10


@pytest.mark.parametrize("scale, expected", [(1 / 255, 1.0), (10.0, 255 / (2550 + 1) * 10)])
def test_images_stand_side_by_side(tmp_path, scale, expected):
    from PIL import Image

    images = (np.arange(9 * 3 * 4 * 5) % 256).reshape(9, 3, 4, 5).astype(np.uint8)
    with ms.SummaryRecord(str(tmp_path)) as record:
        record.add_value("image", "bytes", ms.Tensor(images))
        record.add_value("image", "floats", ms.Tensor(images.astype(np.float32) * scale))
        record.record(1)
    values = events(tmp_path)[0][1]
    for name, factor in (("bytes", 1.0), ("floats", expected)):
        held = fields(values[name][4][0])
        assert (held[1], held[2], held[3]) == ([8], [40], [3])
        picture = np.array(Image.open(io.BytesIO(held[4][0])))
        assert np.abs(picture[:4, 5:10].transpose(2, 0, 1) - images[1] * factor).max() <= 1
        assert not picture[4:, 5:].any()


def test_summary_operations_bubble_up(tmp_path, mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scalar, self.tensor = ops.ScalarSummary(), ops.TensorSummary()
            self.histogram, self.image = ops.HistogramSummary(), ops.ImageSummary()

        def construct(self, x):
            self.scalar("mean", x.mean())
            self.tensor("x", x)
            self.histogram("hist", x)
            self.image("image", x.reshape(1, 1, 2, 2))
            return x * 2

    try:
        with ms.SummaryRecord(str(tmp_path)) as record:
            net = Net()
            for step in (1, 2):
                net(ms.Tensor(np.full((2, 2), step, np.float32)))
                record.record(step)
            record.set_mode("eval")
            net(ms.Tensor(np.ones((2, 2), np.float32)))
            record.record(3)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    found = events(tmp_path)
    assert [(step, number(values["mean"])) for step, values in found] == [(1, 1.0), (2, 2.0)]
    assert set(found[0][1]) == {"mean", "x", "hist", "image"}


# Recorded with MindSpore 2.10.0: the classes.
REFUSED = {
    "no Tensor": (TypeError, lambda record: record.add_value("scalar", "x", 3)),
    "no name": (ValueError, lambda record: record.add_value("scalar", "", ms.Tensor(1.0))),
    "a number as name": (ValueError, lambda record: record.add_value("scalar", 3, ms.Tensor(1.0))),
    "another plugin": (ValueError, lambda record: record.add_value("foo", "x", ms.Tensor(1.0))),
    "no image": (ValueError, lambda record: record.add_value("image", "x", ms.Tensor(1.0))),
    "a graph": (ms.UnsupportedError, lambda record: record.add_value("graph", "x", b"")),
    "another mode": (ValueError, lambda record: record.set_mode("x")),
    "a str as step": (TypeError, lambda record: record.record("a")),
    "no network": (TypeError, lambda record: record.record(1, 3)),
    "a second record": (RuntimeError, lambda record: ms.SummaryRecord(record.log_dir)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_are_checked(tmp_path, name):
    error, act = REFUSED[name]
    with ms.SummaryRecord(str(tmp_path)) as record, pytest.raises(error):
        act(record)
    with pytest.raises(ValueError, match="closed"):
        record.__enter__()


@pytest.mark.parametrize(
    "error, settings",
    [
        (TypeError, {"log_dir": 3}),
        (ValueError, {"log_dir": ""}),
        (TypeError, {"file_prefix": 3}),
        (ValueError, {"file_prefix": "a b"}),
        (TypeError, {"max_file_size": "a"}),
        (TypeError, {"raise_exception": 1}),
        (TypeError, {"export_options": 3}),
        (ValueError, {"export_options": {"tensor_format": "x"}}),
    ],
)
def test_settings_are_checked_and_leave_nothing_open(tmp_path, error, settings):
    with pytest.raises(error):
        ms.SummaryRecord(**{"log_dir": str(tmp_path), **settings})
    ms.SummaryRecord(str(tmp_path)).close()


def test_a_full_file_is_told(tmp_path, caplog):
    value = ms.Tensor(np.ones(100, np.float32))
    for raises in (False, True):
        with ms.SummaryRecord(str(tmp_path), max_file_size=300, raise_exception=raises) as record:
            record.add_value("tensor", "x", value)
            if raises:
                with pytest.raises(OSError, match="max_file_size"):
                    record.record(1)
            else:
                assert record.record(1)
    assert "max_file_size" in caplog.text


def test_tensors_are_exported(tmp_path):
    with ms.SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "a/b", ms.Tensor([1.0, 2.0]))
        record.record(4)
    (path,) = tmp_path.glob("export_*/tensor/*.npy")
    assert path.name == "a_b_4.npy" and np.load(path).tolist() == [1.0, 2.0]
