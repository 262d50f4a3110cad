"""Batches in parts, and reducers of pipelines."""

import pytest

from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_reducer_of_a_pipeline_divides_by_the_scale():
    parameters = nn.Dense(2, 1).trainable_params()
    gradients = (Tensor([2.0]), Tensor([4.0]))
    assert nn.PipelineGradReducer(parameters)(gradients) == gradients
    assert [float(g) for g in nn.PipelineGradReducer(parameters, 2.0)(gradients)] == [1.0, 2.0]
