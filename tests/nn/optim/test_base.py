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


def test_an_optimizer_may_keep_its_arguments_itself():
    """MindSpore's are plain attributes, which decorators in packages assign."""

    class Own(nn.Optimizer):
        def __init__(self, params):
            self.init_params = {"params": "mine"}
            super().__init__(0.1, params)
            self.init_args, self.init_learning_rate = {"a": 1}, 0.5

    weights = [Parameter(Tensor([1.0]), name="w")]
    made = Own(weights)
    assert (made.init_params, made.init_args, made.init_learning_rate) == ({"params": "mine"}, {"a": 1}, 0.5)
    assert nn.SGD(weights, 0.25).init_learning_rate == 0.25
