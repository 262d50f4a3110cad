"""Data pipelines against the same work written by hand with numpy."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark

IMAGES = np.random.RandomState(0).randint(0, 255, (2048, 28, 28, 1)).astype(np.uint8)
LABELS = np.arange(2048) % 10
SIZE = 32


def drained(data):
    return sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_shuffled_batches_of_arrays():
    def by_hand():
        order = np.random.permutation(len(IMAGES))
        return [(IMAGES[order[k : k + SIZE]], LABELS[order[k : k + SIZE]]) for k in range(0, len(order), SIZE)]

    data = ds.NumpySlicesDataset((IMAGES, LABELS)).batch(SIZE)
    # MindSpore's order costs 0.13 us a row, numpy's 0.02.
    check_ratio("NumpySlicesDataset.batch / numpy slices", lambda: drained(data), by_hand, 3.5, calls=1)


def test_image_transforms_run_on_whole_batches():
    transforms = [ds.vision.Rescale(1 / 255.0, 0), ds.vision.Normalize([0.13], [0.31]), ds.vision.HWC2CHW()]

    def by_hand():
        made = []
        for k in range(0, len(IMAGES), SIZE):
            batch = (IMAGES[k : k + SIZE].astype(np.float32) * np.float32(1 / 255.0) - 0.13) / 0.31
            made.append(np.ascontiguousarray(batch.transpose(0, 3, 1, 2)))
        return made

    data = ds.NumpySlicesDataset(IMAGES, ["image"], shuffle=False).map(transforms, "image").batch(SIZE)
    check_ratio("three transforms and batch / numpy", lambda: drained(data), by_hand, 2.5, calls=1)


def test_rows_of_a_python_object():
    class Source:
        def __len__(self):
            return len(IMAGES)

        def __getitem__(self, index):
            return IMAGES[index], LABELS[index]

    source = Source()

    def by_hand():
        made = []
        for k in range(0, len(source), SIZE):
            images, labels = zip(*(source[i] for i in range(k, k + SIZE)), strict=True)
            made.append((np.stack(images), np.stack(labels)))
        return made

    data = ds.GeneratorDataset(source, ["image", "label"], shuffle=False).batch(SIZE)
    check_ratio("GeneratorDataset.batch / a loop with np.stack", lambda: drained(data), by_hand, 3.0, calls=1)
