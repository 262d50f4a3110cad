"""Gradients of integer tensors: values and dtypes are those of MindSpore 2.10 (CPU, PYNATIVE_MODE)."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

INT, FLOAT = "Int32", "Float32"
# name: (function of Tensor([1, 2, 5], int32), dtype of the gradient, its values)
CASES = {
    "square": (lambda x: x * x, INT, [2, 4, 10]),
    "sum": (lambda x: x.sum(), INT, [1, 1, 1]),
    "prod": (lambda x: x.prod(), INT, [10, 5, 2]),
    "cumsum": (lambda x: ops.cumsum(x, 0), INT, [3, 2, 1]),
    "max": (lambda x: x.max(), INT, [0, 0, 1]),
    "mean": (lambda x: x.mean(), FLOAT, [1 / 3] * 3),
    "mean of squares": (lambda x: (x * x).mean(), INT, [0, 0, 2]),
    "divide": (lambda x: x / 2, FLOAT, [0.5] * 3),
    "divide by": (lambda x: 6 / x, FLOAT, [-6, -1.5, -0.24]),
    "times a float": (lambda x: x * 1.5, INT, [1, 1, 1]),
    "times a float and itself": (lambda x: (x * 1.5) * x, INT, [2, 6, 14]),
    "plus a float": (lambda x: x + 1.5, INT, [1, 1, 1]),
    "matmul": (lambda x: ops.matmul(x.reshape(1, 3), x.reshape(3, 1)), INT, [2, 4, 10]),
    "where": (lambda x: ops.where(x > 1, x, x * 3), INT, [3, 1, 1]),
    "concat": (lambda x: ops.concat([x, x * 2]), INT, [3, 3, 3]),
    "stack": (lambda x: ops.stack([x, x]), INT, [2, 2, 2]),
    "slice": (lambda x: x[1:], INT, [0, 1, 1]),
    "power": (lambda x: x**3, INT, [3, 12, 75]),
    "minimum": (lambda x: ops.minimum(x, 3), INT, [1, 1, 0]),
    "cast to float": (lambda x: x.astype(ms.float32) * 1.5, INT, [1, 1, 1]),
    "cast to int64": (lambda x: x.astype(ms.int64) * 2, INT, [2, 2, 2]),
    "topk": (lambda x: ops.topk(x, 2)[0], INT, [0, 1, 1]),
    "tile": (lambda x: ops.tile(x, (2,)), INT, [2, 2, 2]),
    "square root": (lambda x: ops.sqrt(x), FLOAT, [0.5, 0.35355338, 0.2236068]),
    "floor division": (lambda x: x // 2, INT, [0, 0, 0]),
    "remainder": (lambda x: x % 3, INT, [1, 1, 1]),
    "comparison": (lambda x: x == 2, INT, [0, 0, 0]),
    "argmax": (lambda x: x.argmax(), INT, [0, 0, 0]),
    "as indices": (lambda x: ops.gather(Tensor(np.arange(9.0)), x, 0), INT, [0, 0, 0]),
    "gathered": (lambda x: ops.gather_elements(x, 0, Tensor([0, 0, 2])), INT, [2, 0, 1]),
    "scattered into": (lambda x: ops.tensor_scatter_elements(x, Tensor([0]), Tensor([7], ms.int32)), INT, [0, 1, 1]),
    "second order": (ms.grad(lambda x: x * x * x), INT, [6, 12, 30]),
}


@pytest.mark.parametrize("case", CASES)
def test_gradients_as_mindspore_has_them(case, mode):
    function, dtype, expected = CASES[case]
    gradient = ms.grad(function)(Tensor([1, 2, 5], ms.int32))
    assert str(gradient.dtype) == dtype
    np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", [ms.int8, ms.uint8, ms.int64])
def test_they_wrap_around_as_integers_do(dtype, mode):
    x = np.array([10, 2]).astype(ms.dtype_to_nptype(dtype))
    gradient = ms.grad(lambda x: x * x * x)(Tensor(x))
    assert gradient.dtype == dtype
    np.testing.assert_array_equal(gradient.asnumpy(), (3 * x * x).astype(x.dtype))


def test_integers_beyond_float32(mode):
    assert ms.grad(lambda x: x * x * x)(Tensor([3000000])).asnumpy().tolist() == [27000000000000]


def test_bool_and_mixed_inputs(mode):
    gradient = ms.grad(lambda x: x * 2)(Tensor([True, False]))
    assert gradient.dtype == ms.bool_ and gradient.asnumpy().tolist() == [True, True]
    of_int, of_float = ms.grad(lambda x, y: x * y, (0, 1))(Tensor([1, 2], ms.int32), Tensor([1.5, 2.5]))
    assert of_int.dtype == ms.int32 and of_int.asnumpy().tolist() == [1, 2]
    assert of_float.dtype == ms.float32 and of_float.asnumpy().tolist() == [1, 2]


def test_a_cast_to_an_integer_hands_the_gradient_on(mode):
    x = Tensor([1.5, 2.5])
    assert ms.grad(lambda x: ops.cast(x, ms.int32) * 3)(x).asnumpy().tolist() == [3, 3]
    assert ms.grad(lambda x: ops.cast(x * x, ms.int32).astype(ms.float32) * 3)(x).asnumpy().tolist() == [9, 15]
    assert ms.grad(lambda x: x - ops.cast(x, ms.int32))(x).asnumpy().tolist() == [0, 0]


def test_sensitivities_custom_gradients_and_pullbacks():
    x = Tensor([1, 2, 5], ms.int32)
    squared = ops.GradOperation(sens_param=True)(lambda x: x * x)
    assert squared(x, Tensor([1, 1, 2], ms.int32)).asnumpy().tolist() == [2, 4, 20]
    out, pullback = ms.vjp(lambda x: x * x, x)
    assert pullback(x)[0].asnumpy().tolist() == [2, 8, 50] and out.dtype == ms.int32

    class Doubled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout * 5,)

    gradient = ms.grad(Doubled())(x)
    assert gradient.dtype == ms.int32 and gradient.asnumpy().tolist() == [5, 5, 5]


def test_loops_and_branches_on_integers(mode):
    def doubled(x):
        while x.sum() < 100:
            x = x * 2
        return x * x if x.sum() > 120 else x

    gradient = ms.grad(doubled)(Tensor([1, 2, 5], ms.int32))
    factor = 2**4
    assert gradient.asnumpy().tolist() == [2 * factor * factor * v for v in (1, 2, 5)]


def test_a_compiled_function_on_the_tape():
    gradient = ms.grad(ms.jit(lambda x: x * x))(Tensor([1, 2, 5], ms.int32))
    assert gradient.dtype == ms.int32 and gradient.asnumpy().tolist() == [2, 4, 10]


def test_integer_indices_do_not_leave_compiled_code():
    net = nn.Embedding(9, 2)
    grad = ms.jit(ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params()), fullgraph=True)
    (of_ids,), (of_table,) = grad(Tensor([1, 2, 2], ms.int32))
    assert of_ids.dtype == ms.int32 and of_ids.asnumpy().tolist() == [0, 0, 0]
    assert of_table.asnumpy()[2].tolist() == [2, 2]
    with pytest.raises(TypeError, match="integer"):
        ms.jit(ms.grad(lambda x: x * x), fullgraph=True)(Tensor([1, 2]))


def test_functions_that_return_numbers_or_parameters(mode):
    p = ms.Parameter(Tensor([3.0, 4.0]), name="p")
    x = Tensor([1.0, 2.0])
    for constant in (5, None, p):
        assert ms.grad(lambda x, constant=constant: constant)(x).asnumpy().tolist() == [0, 0]
    (of_p,) = ops.GradOperation(get_by_list=True)(lambda x: (x, p, 3, None), [p])(x)
    assert type(of_p) is Tensor and of_p.asnumpy().tolist() == [1, 1]
    assert ms.grad(lambda x: x * 3)(5) == ()
    assert ms.value_and_grad(lambda x: None)(x)[0] is None
    value, gradients = ms.value_and_grad(lambda x: x * 3, 0, [])(x)
    assert gradients[0].asnumpy().tolist() == [3, 3] and gradients[1] == ()
    of_input = ms.grad(lambda x: x * x)(p)
    assert type(of_input) is Tensor and of_input.asnumpy().tolist() == [6, 8]
    with pytest.raises(RuntimeError if mode == ms.PYNATIVE_MODE else IndexError):
        ms.grad(lambda x: x, 5)(x)


def test_an_integer_that_is_returned_as_it_came(mode):
    assert ms.grad(lambda x: x)(Tensor([1], ms.int32)).asnumpy().tolist() == [1]
    of_x = ms.grad(ms.jit(lambda x, key: {"a": x}[key]), (0, 1))(Tensor(2), "a")
    assert of_x.dtype == ms.int64 and of_x.asnumpy() == 1


def squared(x):
    return x * x


def product_and_first(x, y):
    return x * y, x


X, Y = Tensor([1, 2, 3], ms.int32), Tensor([2, 2, 2], ms.int32)
# name: (function, inputs, tangents, dtypes and values of the outputs' tangents), as MindSpore 2.10 in both modes
DIRECTIONAL = {
    "square": (squared, X, Y, [(INT, [4, 8, 12])]),
    "two outputs": (product_and_first, (X, Y), (Y, X), [(INT, [5, 8, 13]), (INT, [2, 2, 2])]),
    "cast to float": (lambda x: x.astype(ms.float32) * 1.5, X, Y, [(FLOAT, [3, 3, 3])]),
    "cast to int": (lambda x: (x * 1.5).astype(ms.int32), Tensor([1.0, 2.0]), Tensor([1.0, 1.0]), [(INT, [1, 1])]),
    "slice": (lambda x: x[1:], X, Y, [(INT, [2, 2])]),
    "sum": (lambda x: x.sum(), X, Y, [("Int64", 6)]),
}


@pytest.mark.parametrize("name", DIRECTIONAL)
def test_directional_derivatives(name, mode):
    fn, inputs, tangents, wanted = DIRECTIONAL[name]
    found = [ops.jvp(fn, inputs, tangents), ms.jit(lambda: ops.jvp(fn, inputs, tangents))()]
    out, jvp_fn = ops.linearize(fn, inputs)
    found.append((out, jvp_fn(tangents)))
    plain = fn(*inputs) if isinstance(inputs, tuple) else fn(inputs)
    for out, tangent in found:
        for o, p in zip(_listed(out), _listed(plain), strict=True):
            assert o.dtype == p.dtype
            assert o.asnumpy().tolist() == p.asnumpy().tolist()
        assert [(str(t.dtype), t.asnumpy().tolist()) for t in _listed(tangent)] == wanted


def _listed(value):
    return list(value) if isinstance(value, tuple) else [value]


def test_directional_derivatives_of_slices():
    out, tangent = ops.vmap(lambda x, y: ops.jvp(squared, x, y))(X, Y)
    assert out.asnumpy().tolist() == [1, 4, 9]
    assert tangent.asnumpy().tolist() == [4, 8, 12]


@pytest.mark.parametrize("transform", [ms.jacfwd, ms.jacrev])
def test_jacobians_are_of_floats(transform):
    with pytest.raises(TypeError, match="Int32"):
        transform(squared)(X)


class Cast(nn.Cell):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def construct(self, x):
        return (x * 2).astype(self.dtype)


class Gradient(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x):
        return ms.grad(self.net)(x)


@pytest.mark.parametrize("dtype", [ms.uint8, ms.int32, ms.int64], ids=str)
def test_a_network_that_ends_in_a_cast_to_integers(dtype, mode):
    x = Tensor([1.0, 2.0])
    found = [ms.grad(Cast(dtype))(x), Gradient(Cast(dtype))(x)]
    assert [(str(g.dtype), g.asnumpy().tolist()) for g in found] == [(FLOAT, [2, 2])] * 2


def test_integers_without_a_gradient_stay_compiled():
    """An order, a comparison, a number that the weights do not enter: none of them has a gradient to lose."""
    from ms_compat._compile.fallback import breaks

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(Tensor([1.0, 3.0, 2.0]), name="w")

        def construct(self, x):
            y = self.w * x
            return y.sum(), y.argsort(), (y > 2).astype(ms.int32), (x * 2).astype(ms.int32), y.argmax()

    net = Net()
    before = len(breaks.reports)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        grad = ms.value_and_grad(net, None, net.trainable_params(), has_aux=True)(Tensor([1.0, 1.0, 1.0]))[1]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert (grad[0] if isinstance(grad, tuple) else grad).asnumpy().tolist() == [1, 1, 1]
    assert breaks.reports[before:] == []


class ThroughIntegers(nn.Cell):
    """Counts in integers what it then adds up in floats."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4, weight_init="ones", bias_init="zeros")

    def construct(self, x):
        y = self.dense(x) * 0.37
        counts = (y.sum(axis=1) * 10).astype(ms.int32)
        y = y + ops.minimum(counts, counts * 3).astype(ms.float32).sum()
        return (y * y).mean()


@pytest.mark.parametrize("way", ["value_and_grad", "GradOperation", "function"])
def test_the_gradient_of_a_cell_goes_through_integers_inside(way, mode):
    x, net = Tensor(np.random.RandomState(1).randn(5, 3).astype(np.float32)), ThroughIntegers()
    weights = ms.ParameterTuple(net.trainable_params())
    for _ in range(2):  # the second call knows that it cannot be compiled
        if way == "value_and_grad":
            found = ms.value_and_grad(net, None, weights)(x)[1][1]
        elif way == "GradOperation":
            found = ops.GradOperation(get_by_list=True)(net, weights)(x)[1]
        else:
            found = ms.grad(lambda x: net(x), None, weights)(x)[1]
        np.testing.assert_allclose(found.asnumpy(), [-7680.2905] * 4, rtol=1e-5)


@pytest.mark.parametrize("turns", ["if", "while"])
def test_the_gradient_of_a_cell_goes_through_integers_in_control_flow(turns, mode):
    class Net(nn.Cell):
        def construct(self, x):
            counts = (x * 3).astype(ms.int32)
            if turns == "if":
                if x.sum() > 0:
                    counts = counts * 2
            else:
                while counts.sum() < 20:
                    counts = counts * 2
            return (counts.astype(ms.float32) * x).sum()

    x = Tensor(np.array([1.0, 2.0], np.float32))
    found = ms.grad(Net())(x)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    expected = ms.grad(lambda x: Net()(x))(x)
    ms.set_context(mode=mode)
    np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())
    assert found.asnumpy()[0] != 0


def _casts(z):
    whole = (z * 2).astype(ms.int64)
    return (whole.astype(ms.float32) * z).sum() + (whole * 3).sum()


def _casts_in_a_loop(z):
    i = 0
    while i < 2:
        z = z * z.astype(ms.int32)
        i += 1
    return z


def _cast_before_a_branch(z):
    whole = ops.cast(z, ms.int32)
    if z.sum() > -10:
        z = z * whole
    return z


def _cast_to_index(z):
    return z[z.astype(ms.int32)[0]] * z


# name: (function of Tensor([1.37, -1.99]), its gradient)
CASTS = {
    "arithmetic": (_casts, [10, 1]),
    "difference": (lambda z: z - z.to(ms.int32) * 2, [-1, -1]),
    "loop": (_casts_in_a_loop, [4, -5]),
    "branch": (_cast_before_a_branch, [2, -2]),
    "index": (_cast_to_index, [-1.99, -2.61]),
    "comparison": (lambda z: (z > 0).astype(ms.float32) * z, [1, 0]),
}


@pytest.mark.parametrize("case", CASTS)
@pytest.mark.parametrize("form", ["plain", "compiled", "vjp", "in a Cell"])
def test_a_cast_to_integers_passes_the_gradient_on(case, form, mode):
    function, expected = CASTS[case]
    z = Tensor([1.37, -1.99], ms.float32)
    if form == "vjp":
        out, pull = ms.vjp(ms.jit(function), z)
        gradient = pull(ops.ones_like(out))[0]
    elif form == "in a Cell":

        class Net(nn.Cell):
            def construct(self, x):
                return function(x)

        net = Net()
        gradient = ms.grad(lambda x: net(x))(z)
    else:
        gradient = ms.grad(ms.jit(function) if form == "compiled" else function)(z)
    np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-5)


def test_a_compiled_function_that_casts_stays_compiled_without_a_gradient(caplog):
    compiled = ms.jit(_casts)
    z = Tensor([1.37, -1.99], ms.float32)
    np.testing.assert_allclose(compiled(z).asnumpy(), _casts(z).asnumpy(), rtol=1e-6)
    assert "runs in Python" not in caplog.text
