"""What notebooks show: HTML that is well-formed, tells what is there, and changes nothing."""

import base64
import html.parser
import io
import re

import jax
import numpy as np
import pytest
from PIL import Image

import ms_compat as ms
from ms_compat import dataset, nn, ops, train
from ms_compat.dataset._support.notebook_html import pictures_of, png

EMPTY = {"img", "br", "progress"}


class WellFormed(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def text_of(value):
    return WellFormed(value._repr_html_()).text


def net():
    return nn.SequentialCell(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())


def test_a_tensor_tells_shape_dtype_bytes_range_and_values():
    text = text_of(ms.Tensor([[1.0, 2.0], [3.0, np.nan]], ms.float32))
    for part in ("Tensor", "(2, 2) Float32, 16 B", "min 1, mean 2, max 3", "1 not finite", "nan"):
        assert part in text


@pytest.mark.parametrize(
    ("tensor", "part"),
    [
        (ops.arange(1000).reshape(10, 100), "…"),
        (ms.Tensor(np.ones((2, 3, 4), np.float16)), "[0, :, :]"),
        (ms.Tensor([1.5, 2.5], ms.bfloat16), "(2,) BFloat16, 4 B"),
        (ms.Tensor(3), "() Int64"),
        (ms.Tensor([True, False]), "True"),
        (ms.Tensor([1 + 2j]), "1+2j"),
        (ms.Tensor(np.zeros((0, 3), np.float32)), "(0, 3) Float32, 0 B"),
        (ms.Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()), "not made yet"),
    ],
)
def test_tensors_of_all_kinds(tensor, part):
    assert part in text_of(tensor)


def test_a_tensor_under_a_trace_has_no_values():
    shown = []

    def f(x):
        shown.append(text_of(ms.Tensor(x)))
        return x

    jax.jit(f)(np.ones(2))
    assert "values known at run time" in shown[0]


def test_a_parameter_tells_its_name_and_whether_it_is_trained():
    text = text_of(ms.Parameter(ms.Tensor([1.0]), name="<w>", requires_grad=False))
    assert "Parameter" in text
    assert "<w>" in text
    assert "not trained" in text


def test_a_cell_is_a_tree_that_opens():
    made = net()
    text = text_of(made)
    assert "SequentialCell — 248 parameters, 232 trained, 992 B" in text
    for part in ("0: Conv2d", "weight (8, 3, 3, 3) Float32, 864 B", "moving_mean (8,) Float32, 32 B not trained"):
        assert part in text
    assert made._repr_html_().count("<details") == 3  # ReLU holds nothing
    made.again = made[0]
    assert "again: Conv2d" in text_of(made)


def test_a_shared_cell_is_counted_once_and_shown_once():
    shared = nn.Dense(2, 2)
    text = text_of(nn.CellList([shared, shared]))
    assert "CellList — 6 parameters" in text
    assert text.count("(shown above)") == 1


def test_a_cell_that_holds_something_else_is_shown_with_it():
    assert (
        text_of(jax.tree.map(jax.numpy.shape, nn.Dense(2, 3)))
        == "Dense input_channels=2, output_channels=3, has_bias=Trueweight (3, 2)bias (3,)"
    )


def images(count):
    return np.random.default_rng(0).integers(0, 255, (count, 16, 20, 3), np.uint8)


def test_a_dataset_shows_columns_and_first_rows_with_images():
    data = dataset.NumpySlicesDataset((images(5), np.arange(5)), ["image", "label"], shuffle=False)
    shown = data._repr_html_()
    text = WellFormed(shown).text
    for part in ("NumpySlices", "5 rows", "image", "label", "(16, 20, 3) uint8"):
        assert part in text
    found = re.findall(r'src="data:image/png;base64,([^"]+)"', shown)
    first = Image.open(io.BytesIO(base64.b64decode(found[0])))
    assert first.size == (60, 48)  # three times as large
    assert np.array_equal(np.asarray(first)[::3, ::3], images(5)[0])
    assert len(found) == 3
    assert data.batch(5)._repr_html_().count("<img") == 4
    assert len(list(data.create_tuple_iterator())) == 5  # a look takes no rows away


def test_a_dataset_that_fails_is_shown_with_its_error():
    def rows():
        yield (np.ones(2),)
        raise KeyError("mine")

    text = text_of(dataset.GeneratorDataset(rows, ["a"]))
    assert "Generator, size known when counted" in text
    assert "[1. 1.]" in text
    assert "mine" in text


@pytest.mark.parametrize(
    ("array", "shapes"),
    [
        (np.zeros((9, 9), np.uint8), [(9, 9)]),
        (np.zeros((3, 9, 10), np.float32), [(9, 10, 3)]),
        (np.zeros((9, 10, 1), np.float32), [(9, 10)]),
        (np.zeros((7, 3, 9, 10), np.float64), [(9, 10, 3)] * 4),
        (np.zeros((9, 9), np.float32), []),
        (np.zeros((9, 9, 5), np.uint8), []),
        (np.zeros((4, 4, 3), np.uint8), []),
        (np.zeros((9, 9, 3), np.int64), []),
        (np.zeros(9, np.uint8), []),
    ],
)
def test_what_is_an_image(array, shapes):
    found = pictures_of(array)
    assert [picture.shape for picture in found] == shapes
    assert all(picture.dtype == np.uint8 for picture in found)


def test_large_images_are_reduced():
    assert max(Image.open(io.BytesIO(base64.b64decode(png(np.zeros((400, 800, 3), np.uint8))))).size) == 160


def test_a_model_tells_what_it_is_made_of():
    made = net()
    model = train.Model(made, nn.MSELoss(), nn.Adam(made.trainable_params()), metrics={"mae"}, amp_level="O2")
    text = text_of(model)
    for part in ("MSELoss", "Adam of 232 parameters", "mae", "O2", "SequentialCell"):
        assert part in text
    assert "the network returns it" in text_of(train.Model(made))
