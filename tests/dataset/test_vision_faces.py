"""The random and boxed image operations: what their chances 0 and 1 make of an image, against NumPy's own indexing."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import vision

IMAGE = (np.arange(8 * 6 * 3) * 7 % 251).astype(np.uint8).reshape(8, 6, 3)
BOXES = np.array([[1, 2, 3, 4, 0, 0, 0], [0, 0, 2, 2, 1, 0, 0]], np.float32)


def boxed(operation):
    """The image and the boxes that a pipeline makes of the one image here."""
    data = ds.NumpySlicesDataset({"image": [IMAGE], "boxes": [BOXES]}, shuffle=False)
    data = data.map([operation], input_columns=["image", "boxes"])
    return next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_flips_turn_the_boxes_with_the_image():
    image, boxes = boxed(vision.RandomHorizontalFlipWithBBox(1.0))
    np.testing.assert_array_equal(image, IMAGE[:, ::-1])
    np.testing.assert_array_equal(boxes[:, 0], 6 - BOXES[:, 0] - BOXES[:, 2])
    image, boxes = boxed(vision.RandomVerticalFlipWithBBox(1.0))
    np.testing.assert_array_equal(image, IMAGE[::-1])
    np.testing.assert_array_equal(boxes[:, 1], 8 - BOXES[:, 1] - BOXES[:, 3])
    for operation in (vision.RandomHorizontalFlipWithBBox(0.0), vision.RandomVerticalFlipWithBBox(0.0)):
        image, boxes = boxed(operation)
        np.testing.assert_array_equal(image, IMAGE)
        np.testing.assert_array_equal(boxes, BOXES)


def test_resizing_scales_the_boxes():
    for operation in (vision.ResizeWithBBox((16, 12)), vision.RandomResizeWithBBox((16, 12))):
        image, boxes = boxed(operation)
        assert image.shape == (16, 12, 3)
        np.testing.assert_allclose(boxes[:, :4], BOXES[:, :4] * 2)


def test_crops_keep_the_boxes_inside():
    for operation in (vision.RandomCropWithBBox((5, 4)), vision.RandomResizedCropWithBBox((5, 4))):
        image, boxes = boxed(operation)
        assert image.shape == (5, 4, 3)
        assert (boxes[:, 0] >= 0).all() and (boxes[:, 1] >= 0).all()
        assert (boxes[:, 0] + boxes[:, 2] <= 4).all() and (boxes[:, 1] + boxes[:, 3] <= 5).all()


def test_an_augmentation_of_boxes_leaves_the_rest_of_the_image():
    image, boxes = boxed(vision.BoundingBoxAugment(vision.RandomHorizontalFlip(1.0), 1.0))
    outside = np.ones((8, 6), bool)
    for x, y, width, height in BOXES[:, :4].astype(int):
        outside[y : y + height, x : x + width] = False
    np.testing.assert_array_equal(image[outside], IMAGE[outside])
    np.testing.assert_array_equal(boxes, BOXES)


def test_solarizing_inverts_what_lies_between_the_thresholds():
    np.testing.assert_array_equal(vision.RandomSolarize((0, 255))(IMAGE).shape, IMAGE.shape)
    once = vision.RandomSolarize((100, 100))(IMAGE)
    assert ((once == IMAGE) | (once == 255 - IMAGE)).all()
    with pytest.raises(ValueError):
        vision.RandomSolarize((9, 3))


@pytest.mark.parametrize(
    "operation",
    [
        vision.AutoAugment(),
        vision.AutoAugment(vision.AutoAugmentPolicy.IMAGENET, vision.Inter.BILINEAR, 7),
        vision.RandAugment(2, 9),
        vision.RandAugment(0),
        vision.TrivialAugmentWide(),
    ],
)
def test_policies_keep_shape_and_dtype(operation):
    out = operation(IMAGE)
    assert out.shape == IMAGE.shape and out.dtype == IMAGE.dtype


def test_no_operations_change_nothing():
    np.testing.assert_array_equal(vision.RandAugment(0)(IMAGE), IMAGE)


def test_written_images_read_back(tmp_path):
    vision.write_png(str(tmp_path / "image.png"), IMAGE)
    np.testing.assert_array_equal(vision.read_image(str(tmp_path / "image.png")), IMAGE)
    smooth = np.full((16, 16, 3), 90, np.uint8)
    vision.write_jpeg(str(tmp_path / "image.jpg"), smooth, 95)
    read = vision.read_image(str(tmp_path / "image.jpg"))
    assert np.abs(read.astype(int) - 90).max() <= 3
    with pytest.raises(RuntimeError):
        vision.write_png(str(tmp_path / "other.png"), IMAGE.astype(np.float32))
    assert not (tmp_path / "other.png").exists()


def test_a_batch_tells_its_number():
    seen = []

    def note(column, info):
        seen.append((info.get_epoch_num(), info.get_batch_num(), isinstance(info, ds.BatchInfo)))
        return (column,)

    data = ds.NumpySlicesDataset({"x": np.arange(4)}, shuffle=False).batch(2, per_batch_map=note, input_columns=["x"])
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 2
    assert seen == [(0, 0, True), (0, 1, True)]


def test_a_pipeline_starts_again_after_a_reset():
    data = ds.NumpySlicesDataset({"x": np.arange(4)}, shuffle=False)
    first = [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    data.reset()
    assert [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == first


def test_the_number_of_workers_is_kept():
    before = ds.config.get_num_parallel_workers()
    try:
        ds.config.set_num_parallel_workers(2)
        assert ds.config.get_num_parallel_workers() == 2
    finally:
        ds.config.set_num_parallel_workers(before)
