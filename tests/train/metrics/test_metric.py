"""The base class of metrics."""

import pytest

import ms_compat as ms


def test_the_base_of_metrics_does_nothing_itself():
    class Careless(ms.train.Metric):
        def clear(self):
            super().clear()

        def update(self, *inputs):
            super().update(*inputs)

        def eval(self):
            return super().eval()

    metric = Careless()
    for call in (metric.clear, lambda: metric.update(1), metric.eval):
        with pytest.raises(NotImplementedError, match="must define"):
            call()
    with pytest.raises(TypeError, match="abstract"):
        type("Lacking", (ms.train.Metric,), {})()
