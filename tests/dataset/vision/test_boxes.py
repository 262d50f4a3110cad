"""Images with bounding boxes."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import vision
from tests.conformance import dataset_names
from tests.dataset import recorded

pytestmark = pytest.mark.usefixtures("seeded")


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


IMAGE = dataset_names.photo(12, 16)


# Boxes. Every pixel of the image says where it is, so that the pixels of a result say where its boxes must be.
PLACES = np.stack([*np.mgrid[0:20, 0:30], np.zeros((20, 30))], -1).astype(np.uint8) + np.uint8(1)


BOXES = np.array([[2, 3, 9, 8, 1], [0, 0, 30, 20, 2], [25, 15, 5, 5, 3]], np.float32)


def extent(image, box):
    """(x, y, width, height) of the pixels of `image` that were inside of `box` in PLACES; None if there are none."""
    y, x = image[..., 0].astype(int) - 1, image[..., 1].astype(int) - 1
    inside = (x >= box[0]) & (x < box[0] + box[2]) & (y >= box[1]) & (y < box[1] + box[3]) & (image[..., 0] > 0)
    rows, columns = np.nonzero(inside)
    if not len(rows):
        return None
    left, top = columns.min(), rows.min()
    return [left, top, columns.max() - left + 1, rows.max() - top + 1]


MOVES = {
    "RandomCropWithBBox": lambda: vision.RandomCropWithBBox((11, 13)),
    "RandomCropWithBBox, padded": lambda: vision.RandomCropWithBBox((18, 30), (1, 2, 3, 4)),
    "RandomCropWithBBox, padded where needed": lambda: vision.RandomCropWithBBox((25, 28), pad_if_needed=True),
    "RandomHorizontalFlipWithBBox": lambda: vision.RandomHorizontalFlipWithBBox(),
    "RandomVerticalFlipWithBBox": lambda: vision.RandomVerticalFlipWithBBox(),
}


@pytest.mark.parametrize("name", MOVES)
def test_boxes_follow_the_pixels(name):
    transform, seen = MOVES[name](), set()
    for _ in range(40):
        image, boxes = transform(PLACES, BOXES)
        assert boxes.dtype == np.float32 and image.dtype == np.uint8
        assert (boxes[:, :4] >= 0).all()
        assert (boxes[:, :2] + boxes[:, 2:4] <= [image.shape[1], image.shape[0]]).all()
        wanted = {box[4]: extent(image, box) for box in BOXES}
        # a box that touches the crop from outside is kept, without an area
        found = {box[4]: box[:4].tolist() for box in boxes if box[2] and box[3]}
        assert found == {number: box for number, box in wanted.items() if box is not None}
        seen.add(image.tobytes())
    assert len(seen) > 1
    assert (BOXES[0] == [2, 3, 9, 8, 1]).all()  # what came in is as it was


def test_resized_crops_scale_the_boxes_they_cut():
    transform = vision.RandomResizedCropWithBBox((40, 60), (0.3, 0.9), (0.8, 1.25), vision.Inter.NEAREST)
    for _ in range(40):
        image, boxes = transform(PLACES, BOXES)
        assert image.shape == (40, 60, 3)
        wanted = {box[4]: extent(image, box) for box in BOXES}
        for box in boxes:
            if wanted[box[4]] is not None:
                assert box[:4] == pytest.approx(wanted[box[4]], abs=3)  # a pixel became up to 3 wide
        assert {number for number, box in wanted.items() if box is not None} <= {box[4] for box in boxes}


def test_a_random_resize_draws_its_interpolation_and_scales_the_boxes():
    transform = vision.RandomResizeWithBBox((30, 60))
    made = [transform(IMAGE, np.array([[1, 2, 5, 4]], np.float32)) for _ in range(60)]
    assert {image.shape for image, _ in made} == {(30, 60, 3)}
    assert 2 <= len({image.tobytes() for image, _ in made}) <= 4
    assert {str(boxes.tolist()) for _, boxes in made} == {"[[3.75, 5.0, 18.75, 10.0]]"}
    _, boxes = vision.ResizeWithBBox((30, 60))(IMAGE, np.array([[1, 2, 5, 4]], np.float32))
    assert boxes.tolist() == [[3.75, 5.0, 18.75, 10.0]]


def test_a_ratio_is_the_share_of_boxes_that_change():
    boxes = np.array([[k % 10 * 3, k // 10 * 2, 3, 2] for k in range(100)], np.float32)
    image = np.zeros((20, 30, 3), np.uint8)
    changed = 0
    for _ in range(20):
        made, kept = vision.BoundingBoxAugment(vision.Invert(), 0.3)(image, boxes)
        parts = made.reshape(10, 2, 10, 3, 3).transpose(0, 2, 1, 3, 4).reshape(100, -1)
        assert set(parts.sum(1).tolist()) <= {0, 18 * 255}
        changed += (parts.sum(1) > 0).sum()
        assert (kept == boxes).all()
    assert changed / 2000 == pytest.approx(0.3, abs=0.05)
    assert not image.any()


def test_a_flip_of_half_the_rows_in_a_pipeline_moves_image_and_boxes_together():
    data = ds.NumpySlicesDataset(([PLACES] * 30, [BOXES] * 30), ["image", "boxes"], shuffle=False)
    data = data.map(vision.RandomHorizontalFlipWithBBox(0.5), ["image", "boxes"])
    flipped = 0
    for image, boxes in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        turned = image[0, 0, 1] == 30
        assert boxes[0, 0] == (30 - 2 - 9 if turned else 2)
        flipped += turned
    assert 4 <= flipped <= 26


@pytest.mark.parametrize(
    "make",
    (
        lambda: vision.RandomHorizontalFlipWithBBox(1.0),
        lambda: vision.RandomVerticalFlipWithBBox(1.0),
        lambda: vision.ResizeWithBBox((4, 4)),
        lambda: vision.RandomResizeWithBBox((4, 4)),
        lambda: vision.RandomCropWithBBox((4, 4)),
        lambda: vision.RandomResizedCropWithBBox((4, 4)),
        lambda: vision.BoundingBoxAugment(vision.Invert(), 1.0),
    ),
)
def test_wider_than_mindspore_boxes_may_be_of_any_float_or_none_at_all(make):
    image, boxes = make()(PLACES, BOXES[:0])
    assert boxes.shape == (0, 5)
    assert make()(PLACES, BOXES[1:2].astype(np.float64))[1].dtype == np.float64
