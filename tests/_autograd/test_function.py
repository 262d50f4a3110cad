"""`_Function` and `_no_grad` differentiate as MindSpore does, on the tape and in compiled code."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X, Y = np.array([2.0, 3.0], np.float32), np.array([4.0, 5.0], np.float32)


class Product(ms._Function):
    needed: tuple = ()

    @staticmethod
    def forward(ctx, x, y, k=10):
        Product.needed = ctx.needs_input_grad
        ctx.save_for_backward(x, y)
        ctx.k = k
        return x * y

    @staticmethod
    def backward(ctx, dout):
        x, y = ctx.saved_tensors
        return dout * y * ctx.k, None, None


class Cube(ms._Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dout):
        (x,) = ctx.saved_tensors
        return 3 * x * x * dout


class Both(ms._Function):
    seen: list = []
    materialize = True
    fixed = False

    @classmethod
    def forward(cls, ctx, x):
        ctx.set_materialize_grads(cls.materialize)
        out = (x * 2, x * 3)
        if cls.fixed:
            ctx.mark_non_differentiable(out[1])
        return out

    @classmethod
    def backward(cls, ctx, a, b):
        cls.seen.append(b)
        return a


class Bare(Both):
    materialize = False


class Fixed(Both):
    fixed = True


class Dirty(ms._Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, dout):
        return dout * 7


class WithSetup(ms._Function):
    @staticmethod
    def forward(x, n):
        return x * n

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1]

    @staticmethod
    def backward(ctx, dout):
        return dout * ctx.n * 100, None


class Short(ms._Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, dout):
        return dout


class NoBackward(ms._Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


def product(x, y):
    return Product.apply(x, y, 10).sum()


def cube(x):
    return Cube.apply(x).sum()


def setup(x):
    return WithSetup.apply(x, 2).sum()


def fixed(x):
    a, b = Fixed.apply(x)
    return (a + b).sum()


def dirty(x):
    y = x * 1
    out = Dirty.apply(y)
    return (out + y).sum()


# function -> its gradient at X, as MindSpore gives it in PYNATIVE_MODE
GRADIENTS = {cube: 3 * X * X, setup: [200, 200], fixed: [1, 1], dirty: [14, 14]}


@pytest.mark.parametrize("fn", GRADIENTS)
@pytest.mark.parametrize("compiled", [False, True])
def test_the_gradient_is_the_users(fn, compiled):
    grad = ms.jit(ms.grad(fn)) if compiled else ms.grad(fn)
    np.testing.assert_allclose(grad(Tensor(X)).asnumpy(), GRADIENTS[fn], rtol=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_inputs_without_a_gradient_get_zeros(compiled):
    grad = ms.grad(product, (0, 1))
    of_x, of_y = (ms.jit(grad) if compiled else grad)(Tensor(X), Tensor(Y))
    np.testing.assert_allclose(of_x.asnumpy(), 10 * Y)
    np.testing.assert_allclose(of_y.asnumpy(), [0, 0])
    assert Product.needed == (True, True, False)


def test_the_value_needs_no_gradient():
    np.testing.assert_allclose(Product.apply(Tensor(X), Tensor(Y)).asnumpy(), X * Y)
    assert Product.needed == (False, False)
    np.testing.assert_allclose(ms.jit(product)(Tensor(X), Tensor(Y)).asnumpy(), (X * Y).sum())


def test_second_order():
    np.testing.assert_allclose(ms.grad(ms.grad(cube))(Tensor(X)).asnumpy(), 6 * X)


def test_cotangents_of_unused_outputs():
    for kind, expected in ((Both, [0, 0]), (Bare, None), (Fixed, [0, 0])):
        kind.seen.clear()
        grad = ms.grad(lambda x, kind=kind: kind.apply(x)[0].sum())(Tensor(X))
        (seen,) = kind.seen
        assert grad.asnumpy().tolist() == [1, 1] and (seen if seen is None else seen.asnumpy().tolist()) == expected


def test_an_input_changed_in_place_is_returned_itself():
    x = Tensor(X)
    assert Dirty.apply(x) is x
    np.testing.assert_allclose(x.asnumpy(), X + 1)


def test_missing_halves_and_gradients():
    assert NoBackward.apply(Tensor(X)).asnumpy().tolist() == [4, 6]
    with pytest.raises(NotImplementedError):
        ms.grad(lambda x: NoBackward.apply(x).sum())(Tensor(X))
    with pytest.raises(NotImplementedError):
        ms._Function.apply(Tensor(X))
    with pytest.raises(RuntimeError, match="one gradient per input"):
        ms.grad(lambda x: Short.apply(x, x).sum())(Tensor(X))


class Slope(ms._Function):
    """The derivative of x ** 3, with a gradient that is not its own."""

    @staticmethod
    def forward(ctx, x):
        return ms.grad(lambda v: (v * v * v).sum())(x)

    @staticmethod
    def backward(ctx, dout):
        return dout * 5


def test_a_gradient_inside_a_paused_region_is_computed_and_is_a_constant():
    np.testing.assert_allclose(Slope.apply(Tensor(X)).asnumpy(), 3 * X * X)
    value, grad = ms.value_and_grad(lambda x: Slope.apply(x).sum())(Tensor(X))
    np.testing.assert_allclose(float(value), (3 * X * X).sum())
    np.testing.assert_allclose(grad.asnumpy(), [5, 5])

    def fn(x):
        with ms._no_grad():
            other = x * 1
            value, slope = ms.value_and_grad(lambda v: (v * v * other).sum())(x)
        return (slope * x).sum() + value

    np.testing.assert_allclose(ms.grad(fn)(Tensor(X)).asnumpy(), 2 * X * X)
    with ms._no_grad():
        np.testing.assert_allclose(ms.grad(cube)(Tensor(X)).asnumpy(), 3 * X * X)


def half_fixed(x):
    with ms._no_grad():
        square = x * x
    return (square * x).sum()


@ms._no_grad()
def squared(x):
    return {"out": (x * x, [x])}


def half_fixed_by_decorator(x):
    return (squared(x)["out"][0] * x).sum()


def test_no_grad():
    np.testing.assert_allclose(ms.grad(half_fixed)(Tensor(X)).asnumpy(), X * X)

    def with_function(x):
        with ms._no_grad():
            fixed = Cube.apply(x)
        return (fixed * x).sum()

    np.testing.assert_allclose(ms.grad(with_function)(Tensor(X)).asnumpy(), X**3)
    np.testing.assert_allclose(ms.grad(half_fixed_by_decorator)(Tensor(X)).asnumpy(), X * X)
    np.testing.assert_allclose(ms.jit(ms.grad(half_fixed_by_decorator))(Tensor(X)).asnumpy(), X * X)
    with pytest.raises(ms.UnsupportedError, match="stop_gradient"):
        ms.jit(half_fixed, fullgraph=True)(Tensor(X))


def test_no_grad_covers_compiled_functions_and_ends_with_an_error():
    compiled = ms.jit(ops.square)

    def fn(x):
        with ms._no_grad():
            out = compiled(x)
        return (out * x).sum()

    np.testing.assert_allclose(ms.grad(fn)(Tensor(X)).asnumpy(), X * X)

    def failing(x):
        try:
            with ms._no_grad():
                raise KeyError
        except KeyError:
            return (x * x).sum()

    np.testing.assert_allclose(ms.grad(failing)(Tensor(X)).asnumpy(), 2 * X)
