"""`Symbol`, `enable_dynamic` and `DeviceCtx`; what they print and refuse was recorded with MindSpore 2.10."""

import types

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
        ({"max": 10, "min": 2, "divisor": 2}, "{'max': 10, 'divisor': 2}"),
        ({"min": 3, "divisor": 2}, "{'min': 3, 'divisor': 2}"),
        ({"max": 9, "min": 5, "divisor": 4, "remainder": 1}, "{'max': 9, 'divisor': 4, 'remainder': 1}"),
        ({"max": 0}, "{}"),
        ({"divisor": 4, "remainder": 1}, "{'divisor': 4, 'remainder': 1}"),
        ({"min": 4, "max": 4}, "{'min': 4}"),
        ({"name": "a"}, "{}"),
    ],
)
def test_a_symbol_prints_what_is_known(kwargs, text):
    assert str(ms.Symbol(**kwargs)) == text


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
    described = Tensor(shape=(None, symbol), dtype=ms.float32)
    assert (described.shape, described.symbolic_shape) == ((-1, -1), [None, symbol.to_dict()])
    assert Tensor(shape=symbol, dtype=ms.float32).shape == (-1,)
    assert Tensor(shape=(None, 2), dtype=ms.float32).symbolic_shape is None


def test_a_description_has_no_elements():
    for shape in ([None, 3], None, [None, None], (2, None, 3)):
        tensor = Tensor(shape=shape, dtype=ms.float32)
        assert (tensor.size, tensor.nbytes, tensor.numel()) == (0, 0, 0)


@pytest.mark.parametrize("kwargs", [{"shape": (None, 2)}, {"shape": (2,), "init": "ones"}, {"init": "ones"}])
def test_a_description_needs_a_dtype(kwargs):
    with pytest.raises(ValueError, match="dtype"):
        Tensor(**kwargs)


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [
        ({}, ValueError),
        ({"y": 3}, TypeError),
        ({"z": UNKNOWN}, ValueError),
        ({"y": Tensor([1.0])}, TypeError),
        ({"y": {"a": UNKNOWN}}, TypeError),
        ({"y": ()}, TypeError),
    ],
)
def test_enable_dynamic_refuses(kwargs, error):
    with pytest.raises(error):
        ms.enable_dynamic(**kwargs)(function)


def described(*shape):
    return Tensor(shape=list(shape), dtype=ms.float32)


def ones(*shape, dtype=ms.float32):
    return ms.ops.ones(shape, dtype)


def first_sum(x):
    return x.sum(0)


def two_sums(x):
    return x[0].sum() + x[1].sum()


def both(x, y=None):
    return x if y is None else x + y


PAIR = (described(None), described(None))
UNIQUE = ms.Symbol(unique=True)
# function, declared; a call; the class of its error, None where it is accepted. All recorded.
CALLS = [
    (first_sum, {"x": described(None, 3)}, (ones(2, 3),), None),
    (first_sum, {"x": described(None, 3)}, (ones(2, 4),), ValueError),
    (first_sum, {"x": described(None, 3)}, (ones(3),), ValueError),
    (first_sum, {"x": described(None, 3)}, (ones(2, 3, dtype=ms.int32),), TypeError),
    (first_sum, {"x": described(None, 3)}, (3,), TypeError),
    (first_sum, {"x": described(None, 3)}, (None,), TypeError),
    (first_sum, {"x": described(None, 3)}, ((ones(2, 3),),), ValueError),
    (first_sum, {"x": described(ms.Symbol(max=4, min=2), 3)}, (ones(6, 3),), ValueError),
    (first_sum, {"x": described(ms.Symbol(max=4, min=2), 3)}, (ones(3, 3),), None),
    (first_sum, {"x": UNKNOWN}, (ones(2, 2),), None),
    (first_sum, {"x": UNKNOWN}, (1.0,), TypeError),
    (two_sums, {"x": PAIR}, (ms.mutable([ones(3), ones(2)]),), None),
    (two_sums, {"x": PAIR}, (ms.mutable((ones(3), ones(3))),), None),
    (two_sums, {"x": PAIR}, ((ones(3), ones(3)),), ValueError),
    (two_sums, {"x": PAIR}, (ms.mutable([ones(3)]),), ValueError),
    (two_sums, {"x": PAIR}, (ms.mutable([ones(3, 2), ones(3)]),), ValueError),
    (two_sums, {"x": PAIR}, (ms.mutable([ones(3), ones(3, dtype=ms.int32)]),), TypeError),
    (two_sums, {"x": PAIR}, (ones(2, 3),), TypeError),
    (both, {"y": described(None)}, (ones(2),), None),
    (both, {"y": described(None)}, (ones(3), ones(3, 1)), ValueError),
    (both, {"x": described(UNIQUE), "y": described(UNIQUE)}, (ones(2), ones(2)), None),
    (both, {"x": described(UNIQUE), "y": described(UNIQUE)}, (ones(2), ones(1)), ValueError),
]


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize(("function", "declared", "call", "error"), CALLS)
def test_enable_dynamic_checks_the_call(function, declared, call, error, above, mode):
    if above:
        compiled = ms.enable_dynamic(**declared)(ms.jit(function))
    else:  # a copy, because the declaration is an attribute of the function
        compiled = ms.jit(
            ms.enable_dynamic(**declared)(types.FunctionType(function.__code__, globals(), argdefs=(None,)))
        )
    if error is None:
        compiled(*call)
    else:
        with pytest.raises(error, match="enable_dynamic"):
            compiled(*call)


class Declared(ms.nn.Cell):
    @ms.jit
    @ms.enable_dynamic(x=described(None, 3))
    def construct(self, x):
        return x.sum(0)

    @ms.jit
    @ms.enable_dynamic(x=described(None, 3))
    def other(self, x):
        return x.sum(0)

    @ms.enable_dynamic(x=described(None, 3))
    def plain(self, x):
        return x.sum(0)

    @ms.jit
    def caller(self, x):
        return self.plain(x)


def test_methods_are_checked_where_they_are_compiled(mode):
    net = Declared()
    assert net.other(ones(2, 3)).asnumpy().tolist() == net.plain(ones(2, 3)).asnumpy().tolist() == [2.0] * 3
    for method in (net.plain, net.caller):
        assert method(ones(2, 4)).shape == (4,)
    with pytest.raises(ValueError, match="shape"):
        net.other(ones(2, 4))


def test_a_cell_that_graph_mode_compiles_takes_set_inputs_in_its_place(mode):
    net = Declared()
    if mode == ms.GRAPH_MODE:
        with pytest.raises(ValueError, match="set_inputs"):
            net(ones(2, 3))
    else:
        assert net(ones(2, 3)).shape == (3,)
        with pytest.raises(ValueError, match="shape"):
            net(ones(2, 4))


def test_a_block_computes_on_the_host():
    with ms.DeviceCtx("CPU") as context:
        out = Tensor([1.0]) + 1
    assert context.name == "CPU" and next(iter(out._v.devices())).platform == "cpu"
    for wrong in (("foo",), ("CPU", -1), ("CPU", 10**6)):
        with pytest.raises(ValueError), ms.DeviceCtx(*wrong):
            pass
