"""Bijectors: recorded answers, inverses, derivatives and both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.nn.probability import bijector as msb
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("name", ["Exp", "PowerTransform", "ScalarAffine", "Softplus", "GumbelCDF"])
def test_bijectors_invert_and_differentiate(name):
    made = getattr(msb, name)(*{"PowerTransform": (0.5,), "ScalarAffine": (2.0, 1.0)}.get(name, ()))
    assert isinstance(made, msb.Bijector)
    x = np.array([0.3, 1.1, 2.0])
    y = made.forward(Tensor(x))
    assert np.allclose(made.inverse(y).asnumpy(), x, rtol=1e-6)
    slope = ms.grad(lambda t: made.forward(t).sum())(Tensor(x)).asnumpy()
    assert np.allclose(made.forward_log_jacobian(Tensor(x)).asnumpy(), np.log(slope), rtol=1e-6)
    assert np.allclose(made.inverse_log_jacobian(y).asnumpy(), -np.log(slope), rtol=1e-6)
    assert np.allclose(msb.Invert(made).inverse(Tensor(x)).asnumpy(), y.asnumpy())


def test_bijectors_made_in_a_compiled_function():
    for name, value in {"ScalarAffine": 2.0, "Softplus": 2.0, "PowerTransform": 0.5}.items():

        def forward(parameter, x, name=name):
            return getattr(msb, name)(parameter).forward(x)

        args = Tensor([value]), Tensor([0.3, 0.7])
        assert np.allclose(ms.jit(forward)(*args).asnumpy(), forward(*args).asnumpy(), rtol=1e-6)


class OwnBijector(ms.nn.probability.bijector.Bijector):
    """Shifts by a parameter that it adds itself, as bijectors derived from MindSpore's do."""

    def __init__(self, shift):
        param = dict(locals())
        param["param_dict"] = {"shift": shift}
        super().__init__(name="OwnBijector", dtype=None, param=param)
        self._shift = self._add_parameter(shift, "shift")

    def _forward(self, value):
        value = self._check_value_dtype(value)
        return value + self.cast_param_by_value(value, self._shift)


def test_a_bijector_of_ones_own_adds_its_parameters():
    bijector = OwnBijector(np.array(2.0, np.float32))
    assert bijector.forward(ms.Tensor(1.0, ms.float32)).asnumpy() == 3.0
    assert bijector.forward(ms.Tensor(1.0, ms.float16)).dtype is ms.float16
    for value in (None, 1.0, ms.Tensor(1, ms.int32)):
        with pytest.raises(TypeError):
            bijector.forward(value)
