"""What all optimizers share."""

import pytest

from ms_compat import Parameter, Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_base_class_of_optimizers_has_no_step(mode):
    optimizer = nn.Optimizer(0.5, [Parameter(Tensor([1.0]), name="a")])
    for call in (lambda: optimizer.construct(), lambda: optimizer((Tensor([1.0]),))):
        with pytest.raises(NotImplementedError):
            call()
