"""Mixed batches of images."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


V, T = ds.vision, ds.transforms


IMAGES = np.arange(12 * 10 * 10 * 3).reshape(12, 10, 10, 3).astype(np.uint8)


def test_mixed_batches_keep_the_sum_of_their_labels():
    ds.config.set_seed(1)
    labels = np.eye(12, dtype=np.float32)
    for mix in (V.MixUpBatch(0.5), V.CutMixBatch(V.ImageBatchFormat.NHWC, 0.5)):
        images, mixed = mix(IMAGES, labels)
        assert images.shape == IMAGES.shape and images.dtype == np.uint8
        assert np.allclose(mixed.sum(axis=1), 1)
        assert not np.array_equal(mixed, labels)
