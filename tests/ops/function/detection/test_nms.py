"""Suppression of duplicates among scored boxes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_non_max_suppression():
    boxes = Tensor(np.array([[1, 2, 3, 4], [1, 3, 3, 4], [1, 3, 4, 4], [1, 1, 4, 4], [1, 1, 3, 4]], np.float32))
    scores = Tensor(np.array([0.4, 0.5, 0.72, 0.9, 0.45], np.float32))
    run = ops.NonMaxSuppressionV3()
    out = run(boxes, scores, Tensor(5, ms.int32), Tensor(0.5, ms.float32), Tensor(0, ms.float32))
    assert out.asnumpy().tolist() == [3, 2, 0] and out.dtype is ms.int32  # printed by the documentation
    assert run(boxes, scores, 2, 0.5, 0.0).asnumpy().tolist() == [3, 2]
    assert run(boxes, scores, -1, 0.5, 0.0).shape == (0,)
    assert run(boxes, scores, 5, 0.5, 0.6).asnumpy().tolist() == [3, 2]
    turned = Tensor(boxes.asnumpy()[:, [2, 3, 0, 1]])
    assert run(turned, scores, 5, 0.5, 0.0).asnumpy().tolist() == [3, 2, 0]
    for wrong in ((boxes[:, :3], scores, 5, 0.5, 0.0), (boxes, scores[:2], 5, 0.5, 0.0), (boxes, scores, 5, 1.5, 0.0)):
        with pytest.raises(ValueError):
            run(*wrong)
    with pytest.raises(ms.UnsupportedError, match="NMSWithMask"):
        ms.jit(lambda a, b: run(a, b, 5, 0.5, 0.0), fullgraph=True)(boxes, scores)


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


def test_what_suppression_returns_has_the_gradient_of_its_boxes_and_scores():
    boxes = np.array([[[[0.0, 0, 0.5, 0.5]], [[0.5, 0.5, 1, 1.5]], [[0, 0, 0.5, 0.55]]]], np.float32)
    scores = np.array([[[0.9], [0.8], [0.7]]], np.float32)
    limits = Tensor(2, ms.int32), Tensor(3, ms.int32), Tensor(0.5, ms.float32), Tensor(0.1, ms.float32)
    factors = np.arange(12, dtype=np.float32).reshape(1, 3, 4)

    def kept(b, s):
        out = ops.CombinedNonMaxSuppression(False, True)(b, s, *limits)
        return (out[0] * Tensor(factors)).sum() + (out[1] * of(1, 2, 4)).sum()

    of_boxes, of_scores = ms.grad(kept, (0, 1))(Tensor(boxes), Tensor(scores))
    assert of_scores.asnumpy().ravel().tolist() == [1, 2, 0]
    assert of_boxes.asnumpy()[0, :, 0].tolist()[2] == [0, 0, 0, 0]
    assert of_boxes.asnumpy()[0, 1, 0].tolist()[:2] == [4, 5] and of_boxes.asnumpy()[0, 1, 0, 3] == 0
