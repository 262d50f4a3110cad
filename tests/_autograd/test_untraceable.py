"""Gradients of programs that JAX cannot trace as they stand: branches on values, loops of unknown length."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


def _by_value(x, y):
    return x * 2 if y > 0.7 else x * 3


@pytest.mark.parametrize("y", [0.2, 0.9])
def test_jvp_of_truths_behind_a_branch_on_values(mode, y):
    def f(x, y):
        return ops.isfinite(_by_value(x, y))

    inputs = Tensor([1.0]), Tensor(y)
    out, tangent = ms.jvp(f, inputs, (Tensor([1.0]), Tensor(1.0)))
    assert (out.dtype, tangent.dtype) == (ms.bool_, ms.bool_)
    assert (out.asnumpy().tolist(), tangent.asnumpy().tolist()) == ([True], [False])


def test_jvp_through_integers_behind_a_branch_on_values(mode):
    def f(x, y):
        return _by_value(x, y).astype(ms.int32).astype(ms.float32) * 2

    plain = ms.jvp(lambda x: (x * 3).astype(ms.int32).astype(ms.float32) * 2, Tensor([1.5]), Tensor([1.0]))
    found = ms.jvp(f, (Tensor([1.5]), Tensor(0.2)), (Tensor([1.0]), Tensor(1.0)))
    assert [t.asnumpy().tolist() for t in found] == [t.asnumpy().tolist() for t in plain]


def test_second_derivative_through_a_loop_of_unknown_length(mode):
    def f(x):
        while x.sum() > 1:
            x = x * 0.5
        return (x * x).sum()

    def slope(x):
        return ms.grad(f)(x).sum()

    assert ms.grad(slope)(Tensor([1.0, 2.0])).asnumpy().tolist() == [0.125, 0.125]


class _Augmented(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([-2.0, 3.0]), name="w")

    def construct(self, x):
        ops.augassign_mul(self.w, x)
        return (self.w * x).sum()


def test_augassign_writes_in_compiled_code_alone(mode):
    weight = [-6.0, 3.0] if mode == ms.GRAPH_MODE else [-2.0, 3.0]
    net = _Augmented()
    assert ms.grad(net)(Tensor([3.0, 1.0])).asnumpy().tolist() == weight
    assert net.w.asnumpy().tolist() == weight
