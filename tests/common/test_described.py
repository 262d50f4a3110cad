"""`Symbol`, `enable_dynamic` and `DeviceCtx`; what they print and refuse was recorded with MindSpore 2.10."""

import pytest

import ms_compat as ms
from ms_compat import Tensor


def function(x, y):
    return x + 1, y


UNKNOWN = Tensor(shape=None, dtype=ms.float32)


@pytest.mark.parametrize(
    ("kwargs", "text"),
    [
        ({}, "{}"),
        ({"max": 10, "min": 1, "divisor": 2}, "{'max': 10, 'divisor': 2}"),
        ({"max": 1, "min": 5}, "{'min': 5}"),
        ({"max": 0}, "{}"),
        ({"divisor": 4, "remainder": 1}, "{'divisor': 4, 'remainder': 1}"),
        ({"min": 4, "max": 4}, "{'min': 4}"),
        ({"name": "a"}, "{}"),
    ],
)
def test_a_symbol_prints_what_is_known(kwargs, text):
    assert repr(ms.Symbol(**kwargs)) == text


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({"divisor": 0}, ValueError),
        ({"min": 0}, ValueError),
        ({"remainder": 5, "divisor": 2}, ValueError),
        ({"unique": 1}, TypeError),
        ({"max": "a"}, TypeError),
    ],
)
def test_a_symbol_refuses(kwargs, error):
    with pytest.raises(error):
        ms.Symbol(**kwargs)


def test_a_symbol_is_a_size_that_is_not_known():
    symbol = ms.Symbol(max=3, unique=True)
    assert symbol.to_dict() == {"max": 3, "id": symbol.id}
    assert Tensor(shape=(None, symbol), dtype=ms.float32).shape == (-1, -1)


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({}, ValueError),
        ({"y": 3}, TypeError),
        ({"z": UNKNOWN}, ValueError),
        ({"y": Tensor([1.0])}, TypeError),
    ],
)
def test_enable_dynamic_refuses(kwargs, error):
    with pytest.raises(error):
        ms.enable_dynamic(**kwargs)(function)


def test_enable_dynamic_checks_the_call():
    declared = ms.enable_dynamic(y=UNKNOWN)(ms.jit(function))
    for given in ([1.0], [1.0, 2.0]):
        assert declared(Tensor([1.0]), Tensor(given))[1].asnumpy().tolist() == given
    ms.enable_dynamic(y=(UNKNOWN,))(function)(Tensor([1.0]), (Tensor([2.0]),))
    for wrong in (Tensor([1]), 3):
        with pytest.raises(TypeError):
            declared(Tensor([1.0]), wrong)


def test_a_block_computes_on_the_host():
    with ms.DeviceCtx("CPU") as context:
        out = Tensor([1.0]) + 1
    assert context.name == "CPU" and next(iter(out._v.devices())).platform == "cpu"
    for wrong in (("foo",), ("CPU", -1), ("CPU", 10**6)):
        with pytest.raises(ValueError), ms.DeviceCtx(*wrong):
            pass
