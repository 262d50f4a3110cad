"""Random augmentations of images."""

import collections
import hashlib
import json

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat.dataset import vision
from ms_compat.dataset.vision import augment
from tests.conformance import dataset_names, replay
from tests.dataset import recorded

pytestmark = pytest.mark.usefixtures("seeded")


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


RECORDED = json.loads((replay.DATA / "dataset_augment.json").read_text())["outcomes"]


IMAGE = dataset_names.photo(12, 16)


# MindSpore draws one place too many from the tables of operations and of magnitudes: what comes of it is no magnitude.
UNEVEN = ("V.RandAugment", "V.TrivialAugmentWide")


def digest(image):
    return hashlib.sha1(image.tobytes()).hexdigest()[:16]


def drawn(transform, count):
    made = collections.Counter(digest(transform(IMAGE)) for _ in range(count))
    return {name: number / count for name, number in made.items()}


@pytest.mark.parametrize("text", RECORDED)
def test_an_augmentation_gives_what_mindspore_gives(text, monkeypatch):
    for name in ("TranslateX", "TranslateY"):  # MindSpore's leave nothing of the image

        def blank(self, image, magnitude):
            return np.full_like(image, self.fill_value) if magnitude else image

        monkeypatch.setitem(augment._OPERATIONS, name, blank)
    count = 3000
    ours = drawn(eval(text, dataset_names.namespace(ms)), count)
    total = sum(RECORDED[text].values())
    theirs = {name: number / total for name, number in RECORDED[text].items()}
    often = {name for name, share in theirs.items() if share > 0.006}
    assert often <= set(ours)
    assert {name for name, share in ours.items() if share > 0.006} <= set(theirs)
    if not text.startswith(UNEVEN):
        assert sum(abs(ours.get(name, 0) - theirs.get(name, 0)) for name in {*ours, *theirs}) / 2 < 0.07


AUGMENTATIONS = {
    "RandAugment": lambda: vision.RandAugment(3, 15, interpolation=vision.Inter.BILINEAR),
    "TrivialAugmentWide": lambda: vision.TrivialAugmentWide(),
    "AutoAugment": lambda: vision.AutoAugment(vision.AutoAugmentPolicy.SVHN),
    "RandomSolarize": lambda: vision.RandomSolarize(),
}


@pytest.mark.parametrize("name", AUGMENTATIONS)
def test_an_augmentation_keeps_the_form_and_one_seed_repeats_it(name):
    data = ds.NumpySlicesDataset(np.stack([IMAGE] * 12), ["x"], shuffle=False).map(AUGMENTATIONS[name](), "x")
    before = ds.config.get_seed()
    try:
        ds.config.set_seed(5)
        first, again = (list(data.create_tuple_iterator(num_epochs=1, output_numpy=True)) for _ in range(2))
        ds.config.set_seed(6)
        other = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    finally:
        ds.config.set_seed(before)
    assert {(row[0].shape, row[0].dtype.name) for row in first} == {((12, 16, 3), "uint8")}
    assert [digest(row[0]) for row in first] == [digest(row[0]) for row in again]
    assert [digest(row[0]) for row in first] != [digest(row[0]) for row in other]
    assert len({digest(row[0]) for row in first}) > 2


def test_nothing_to_do_leaves_the_image():
    assert (vision.RandAugment(0, 9)(IMAGE) == IMAGE).all()
    kept = drawn(vision.RandAugment(1, 0), 600)
    # twelve of fourteen operations do nothing with the first magnitude
    assert kept[digest(IMAGE)] == pytest.approx(12 / 14, abs=0.06)


@pytest.mark.parametrize("sign", (1, -1))
def test_a_translation_shifts_by_whole_pixels(sign):
    transform = vision.RandAugment(fill_value=7)
    made = augment._OPERATIONS["TranslateX"](transform, IMAGE, sign * 3.9)
    shifted = np.full_like(IMAGE, 7)
    if sign > 0:
        shifted[:, 3:] = IMAGE[:, :-3]
    else:
        shifted[:, :-3] = IMAGE[:, 3:]
    assert (made == shifted).all()


@pytest.mark.parametrize("transform", ("RandAugment", "TrivialAugmentWide", "AutoAugment"))
@pytest.mark.parametrize("image", (IMAGE[:, :, :1], IMAGE[:, :, 0], IMAGE.astype(np.float32)), ids=("1", "2d", "float"))
def test_an_augmentation_takes_rgb_bytes_only(transform, image):
    made = {
        "RandAugment": vision.RandAugment,
        "TrivialAugmentWide": vision.TrivialAugmentWide,
        "AutoAugment": vision.AutoAugment,
    }[transform]()
    with pytest.raises(RuntimeError, match=transform):
        made(image)
