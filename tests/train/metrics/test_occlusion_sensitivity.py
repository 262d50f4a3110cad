"""`OcclusionSensitivity` against values recorded with MindSpore 2.10.0, and by hand."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn

IMAGE = np.sin(np.arange(24)).reshape(1, 4, 6).astype(np.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        weight = np.cos(np.arange(48)).reshape(2, 24).astype(np.float32)
        self.flatten = nn.Flatten()
        self.dense = nn.Dense(24, 2, weight_init=ms.Tensor(weight), bias_init="zeros")

    def construct(self, x):
        return self.dense(self.flatten(x))


# Recorded with MindSpore 2.10.0.
RECORDED = [
    ({"b_box": [1, 2, 0, 3]}, [[1.7822, 4.1419, 4.26859, 5.62519], [2.16579, 5.43828, 6.00449, 7.06453]]),
    (
        {"b_box": [1, -1, -2, 3]},
        [
            [1.7822, 4.1419, 4.26859, 5.62519],
            [2.16579, 5.43828, 6.00449, 7.06453],
            [1.33172, 4.01597, 4.62341, 4.95494],
        ],
    ),
]


@pytest.mark.parametrize("settings, expected", RECORDED)
def test_recorded_values(settings, expected):
    metric = ms.train.OcclusionSensitivity(**settings)
    metric.update(Net(), IMAGE, np.array(1))
    assert metric.eval().dtype == np.float32
    np.testing.assert_allclose(metric.eval(), expected, atol=2e-5)


@pytest.mark.parametrize("settings", [{}, {"n_batch": 5}, {"pad_val": 2.0}, {"margin": [1, 2]}])
def test_each_place_is_the_score_lost_there(settings):
    net, metric = Net(), ms.OcclusionSensitivity(**settings)
    found = metric(net, ms.Tensor(IMAGE), ms.Tensor(0))
    rows, columns = (settings.get("margin") or [2, 2])[:2]
    for y, x in ((0, 0), (2, 3), (3, 5)):
        covered = IMAGE.copy()
        covered[0, max(y - rows, 0) : y + rows, max(x - columns, 0) : x + columns] = settings.get("pad_val", 0.0)
        scores = [net(ms.Tensor(image)).asnumpy()[0, 0] for image in (IMAGE, covered)]
        np.testing.assert_allclose(found[y, x], scores[0] - scores[1], atol=1e-5)


def test_what_is_refused():
    metric = ms.train.get_metric_fn("occlusion_sensitivity")
    with pytest.raises(RuntimeError, match="'update' must be called"):
        metric.eval()
    for error, inputs in (
        (ValueError, (Net(), IMAGE)),
        (TypeError, (3, IMAGE, np.array(1))),
        (RuntimeError, (Net(), np.concatenate([IMAGE, IMAGE]), np.array(1))),
        (RuntimeError, (Net(), IMAGE, np.array([1, 0]))),
    ):
        with pytest.raises(error):
            metric.update(*inputs)
    for box in ([1, 2], [0, 9, 0, 1], [2, 1, 0, 1]):
        with pytest.raises(ValueError, match="b_box"):
            ms.OcclusionSensitivity(b_box=box).update(Net(), IMAGE, np.array(1))
    for settings in ({"pad_val": 1}, {"margin": 1.5}, {"n_batch": "a"}, {"b_box": (1, 2)}):
        with pytest.raises(TypeError):
            ms.OcclusionSensitivity(**settings)
