"""Runs of transforms that are looked up in a table."""

import itertools

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import vision
from ms_compat.dataset.transforms import TypeCast
from ms_compat.dataset.transforms.base import row_call
from ms_compat.dataset.vision.fusing import TableLookup, row_calls
from tests.conformance import dataset_names

TRANSFORMS = {
    "ToTensor": vision.ToTensor(),
    "ToTensor(float16)": vision.ToTensor(np.float16),
    "Rescale": vision.Rescale(1 / 255, -0.3),
    "Normalize": vision.Normalize([120.0, 110.0, 100.0], [58.0, 57.0, 56.0]),
    "Normalize of one mean": vision.Normalize([121.0], [58.4]),
    "Normalize(is_hwc=False)": vision.Normalize([0.48, 0.45, 0.4], [0.22, 0.21, 0.2], is_hwc=False),
    "Normalize of rows": vision.Normalize([100.0] * 255 + [7.0], [50.0] * 256, is_hwc=False),
    "HWC2CHW": vision.HWC2CHW(),
    "TypeCast": TypeCast("int32"),
    "ToType": vision.ToType(np.float64),
}
IMAGES = [dataset_names.noise(96, 90, channels) for channels in (1, 2, 3, 4, 5)]
IMAGES += [dataset_names.noise(500, 3, 3), dataset_names.noise(256, 16, 3), dataset_names.noise(3, 700, 3)]
IMAGES += [IMAGES[2][::-1, ::-1], IMAGES[2].astype(np.float32), IMAGES[2][:, :, 0], IMAGES[2][:2], IMAGES[2][None]]


def outcome(calls, image):
    """The result's dtype and values, or the error's class and text."""
    try:
        for call in calls:
            image = call(image)
    except Exception as error:
        return type(error), str(error)
    return image.dtype, image.shape, image.tobytes(), image.flags.writeable, image.flags.c_contiguous


@pytest.mark.parametrize("first", TRANSFORMS)
def test_a_run_gives_what_its_transforms_give(first):
    for rest in itertools.chain(itertools.product(TRANSFORMS, repeat=1), itertools.product(TRANSFORMS, repeat=2)):
        run = [TRANSFORMS[name] for name in (first, *rest)]
        together, apart = row_calls(run), [row_call(transform) for transform in run]
        assert len(together) == 1
        for image in IMAGES:
            assert outcome(together, image) == outcome(apart, image), (first, rest, image.shape, image.dtype)


@pytest.mark.parametrize(
    "run", (("Normalize", "HWC2CHW"), ("ToTensor", "Normalize(is_hwc=False)"), ("Rescale", "TypeCast"))
)
def test_the_table_is_made_once(run, monkeypatch):
    calls = []
    transforms = [TRANSFORMS[name] for name in run]
    kind = type(transforms[0])
    inner = kind._row
    monkeypatch.setattr(kind, "_row", lambda self, *items: calls.append(1) or inner(self, *items))
    data = ds.NumpySlicesDataset([IMAGES[2]] * 6, ["image"], shuffle=False).map(transforms, "image")
    assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 6
    assert len(calls) == 1


def test_an_output_is_one_array():
    run = TableLookup([TRANSFORMS["Normalize"], TRANSFORMS["HWC2CHW"]])
    image = IMAGES[2]
    first, second = run(image), run(image)
    assert first.base is None and not np.shares_memory(first, second)


def test_other_transforms_are_not_fused():
    class Mine(vision.Normalize):
        def _image(self, image):
            return image - image.mean()

    run = [Mine([1.0], [1.0]), vision.HWC2CHW(), np.square, TypeCast("int32"), vision.NormalizePad([1.0], [1.0])]
    assert len(row_calls(run)) == 5
