"""`ops._Grad`: results and classes of errors recorded with MindSpore 2.10."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, context, nn, ops

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
DX, DY, VALUE = [6.0, 16.0], [1.0, 4.0], [3.0, 16.0]


pytestmark = pytest.mark.usefixtures("mode")


def f(x, y):
    return x * x * y


def two(x, y):
    return x * y, x + y


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        return self.w * x


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


@pytest.mark.parametrize(
    ("options", "position", "wanted"),
    [
        ({}, 0, DX),
        ({"get_all": True}, 0, (DX, DY)),
        ({"get_all": True, "return_ids": True}, 0, (DX, DY)),
        ({"get_value": True}, 0, (VALUE, DX)),
        ({"get_by_position": True}, (0,), DX),
        ({"get_by_position": True}, (0, 1), (DX, DY)),
        ({"get_by_position": True, "get_value": True}, (0, 1), (VALUE, (DX, DY))),
        ({"get_by_position": True, "return_ids": True}, (0,), (0, DX)),
        ({"get_by_position": True, "return_ids": True}, (0, 1), ((0, DX), (1, DY))),
        ({"get_by_position": True, "merge_forward": True}, (0, 1), (DX, DY)),
    ],
)
def test_options(options, position, wanted):
    assert plain(ops._Grad(**options)(f, None, position)(X, Y)) == wanted


def test_one_input_of_all_stays_in_a_tuple():
    assert plain(ops._Grad(get_all=True)(lambda x: x * x)(X)) == ([2.0, 4.0],)


def test_sensitivities_and_further_outputs():
    assert plain(ops._Grad(sens_param=True)(f)(X, Y, Tensor([1.0, 3.0]))) == [6.0, 48.0]
    assert plain(ops._Grad(has_aux=True)(two)(X, Y)) == ([3.0, 4.0], ([4.0, 6.0],))
    both = ops._Grad(has_aux=True, get_by_position=True)(two, None, (0, 1))(X, Y)
    assert plain(both) == (([3.0, 4.0], [1.0, 2.0]), ([4.0, 6.0],))


def test_weights():
    network = Scaled()
    weights = ms.ParameterTuple(network.trainable_params())
    assert plain(ops._Grad(get_by_list=True)(network, weights)(X)) == ([1.0, 2.0],)
    assert plain(ops._Grad(get_by_list=True)(network, network.trainable_params())(X)) == ([1.0, 2.0],)
    assert plain(ops._Grad(get_by_list=True, get_all=True)(network, weights)(X)) == (([2.0, 3.0],), ([1.0, 2.0],))
    by_position = ops._Grad(get_by_list=True, get_by_position=True)(network, weights, (0,))(X)
    assert plain(by_position) == ([2.0, 3.0], ([1.0, 2.0],))
    assert plain(ops._Grad(get_by_list=True, get_value=True)(network, network.w)(X)) == ([2.0, 6.0], [1.0, 2.0])


def test_wrong_arguments_are_refused(mode):
    for name in ("get_all", "get_by_list", "sens_param", "get_by_position", "has_aux", "get_value", "return_ids"):
        with pytest.raises(TypeError, match=name):
            ops._Grad(**{name: 3})
    with pytest.raises(RuntimeError, match="tuple"):
        ops._Grad(get_by_position=True)(f)(X, Y)
    with pytest.raises(ValueError if mode == context.PYNATIVE_MODE else RuntimeError, match="has_aux"):
        ops._Grad(has_aux=True)(f)(X, Y)
    assert not isinstance(ops.GradOperation(), ops._Grad)
