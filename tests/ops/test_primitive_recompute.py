"""`Primitive.recompute`: the numbers of the plain primitive, whose result a compiled gradient does not keep."""

import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


class Block(nn.Cell):
    def __init__(self, marked):
        super().__init__()
        self.up, self.down = nn.Dense(8, 8), nn.Dense(8, 8)
        self.gelu, self.add, self.mul, self.drop = ops.GeLU(), ops.Add(), ops.Mul(), ops.Dropout(0.9)
        for name in marked:
            getattr(self, name).recompute()

    def construct(self, x):
        y = self.gelu(self.up(x))
        y = self.mul(y, self.add(y, 1.0))
        y, _ = self.drop(y)
        return x + self.down(y)


def gradient_of(marked):
    net = Block(marked)
    numbers = np.random.default_rng(0)
    for parameter in net.get_parameters():
        parameter.set_data(Tensor((0.05 * numbers.standard_normal(parameter.shape)).astype(np.float32)))
    return ms.value_and_grad(lambda x: (net(x) ** 2).sum(), 0, net.trainable_params())


def compiled(marked):
    """The results of a compiled gradient, and its program."""
    ms.set_seed(3)
    gradient = ms.jit(gradient_of(marked))
    loss, (dx, dw) = gradient(Tensor(np.random.default_rng(1).standard_normal((16, 8)).astype(np.float32)))
    return [t.asnumpy() for t in (loss, dx, *dw)], str(gradient._compiled.program().jaxpr)


def test_everything_is_as_without_and_is_computed_again():
    plain, program = compiled(())
    found, marked_program = compiled(("gelu", "add", "mul", "drop"))
    for value, expected in zip(found, plain, strict=True):
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-5)
    assert "optimization_barrier" not in program
    # in the forward pass, in the primitive's own pullback, and for what consumes its result
    assert (marked_program.count("random_bits["), program.count("random_bits[")) == (3, 1)


def test_only_what_is_marked_is_computed_again():
    """The mark of the dropout alone leaves the activation's one `tanh`."""
    programs = [compiled(names)[1] for names in (("drop",), ("gelu",))]
    assert [p.count("tanh ") for p in programs] == [1, 3]
    assert [p.count("random_bits[") for p in programs] == [3, 1]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize(("primitive", "rest"), [(ops.Cast, (ms.float32,)), (ops.Reshape, ((2,),))])
def test_what_returns_its_input(primitive, rest, times, mode):
    primitive = primitive().recompute()

    def run(x):
        y = ops.tanh(x)
        for _ in range(times):
            y = primitive(y, *rest)
        return (y * y).sum()

    plain = lambda x: (ops.tanh(x) * ops.tanh(x)).sum()  # noqa: E731
    x = Tensor([0.5, 2.0])
    np.testing.assert_allclose(ms.grad(run)(x).asnumpy(), ms.grad(plain)(x).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(ms.jit(ms.grad(run))(x).asnumpy(), ms.grad(plain)(x).asnumpy(), rtol=1e-6)


def test_higher_orders(mode):
    def third_order(primitive):
        first = ms.grad(lambda x: (primitive(x) * x).sum())
        second = ms.grad(lambda x: first(x).sum())
        return ms.jit(ms.grad(lambda x: second(x).sum()))(Tensor([0.5, 2.0]))

    expected = third_order(ops.Sin())
    np.testing.assert_allclose(third_order(ops.Sin().recompute()).asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_a_marked_primitive_is_pickled():
    again = pickle.loads(pickle.dumps(ops.MatMul(transpose_b=True).recompute()))
    assert repr(again) == "Prim[MatMul]<transpose_a=False, transpose_b=True, recompute=True>"
    np.testing.assert_array_equal(again(ops.ones((2, 3)), ops.ones((2, 3))).asnumpy(), np.full((2, 2), 3))
