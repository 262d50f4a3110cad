"""Runs of transforms that are looked up in a table."""

import itertools
import random

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


def jpeg(height, width):
    return vision.encode_jpeg(dataset_names.photo(height, width))


COPYING = {
    "Resize": lambda: vision.Resize(20),
    "Resize to its own size": lambda: vision.Resize((40, 60)),
    "RandomResize": lambda: vision.RandomResize(20),
    "ResizedCrop": lambda: vision.ResizedCrop(1, 2, 30, 40, (30, 40)),
    "RandomResizedCrop": lambda: vision.RandomResizedCrop((40, 60), (1, 1), (1.5, 1.5)),
    "Crop": lambda: vision.Crop((0, 0), (40, 60)),
    "CenterCrop": lambda: vision.CenterCrop((40, 60)),
    "CenterCrop beyond": lambda: vision.CenterCrop((50, 60)),
    "RandomCrop": lambda: vision.RandomCrop((40, 60)),
}


@pytest.mark.parametrize("name", COPYING)
def test_decoded_pixels_that_are_copied_lie_in_scratch(name):
    files = [jpeg(40, 60), vision.encode_jpeg(255 - dataset_names.photo(40, 60))]
    operations = [vision.Decode(), COPYING[name]()]
    calls = row_calls(operations)
    made = []
    for file in files:
        random.seed(3)
        made.append(calls[1](calls[0](file)))
    assert np.shares_memory(calls[0](files[0]), calls[0](files[1]))
    for file, image in zip(files, made, strict=True):
        random.seed(3)
        assert (image == operations[1](operations[0](file))).all()


def test_decoded_pixels_that_may_be_kept_have_their_own_memory():
    class Mine(vision.Resize):
        def _image(self, image):
            return image

    for follower in (lambda image: image, vision.HorizontalFlip(), vision.ToNumpy(), Mine(3)):
        decode = row_calls([vision.Decode(), follower])[0]
        assert not np.shares_memory(decode(jpeg(9, 9)), decode(jpeg(9, 9)))
    assert row_calls([vision.Decode(to_pil=True), vision.Resize(3)])[0](jpeg(9, 9)).size == (9, 9)
