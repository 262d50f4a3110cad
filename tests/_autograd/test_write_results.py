"""Gradients through what an operation returns that has written into a Parameter: the values of MindSpore 2.10.

The Parameter itself stays a variable (`test_writes.py`). The result has the gradients of the operation's own rule, in
both modes the same; where MindSpore has no rule it raises. Its CPU lacks the kernels of most methods in place, so that
these are compared with the function that returns a new tensor.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, nn, ops

C = Tensor(np.array([[1, 2], [3, 5], [7, 11]], np.float32))
W = np.array([[2, 3], [4, 5], [6, 7]], np.float32)
Y = np.array([[1, 4], [9, 2], [3, 8]], np.float32)
IDX, J = Tensor([1, 0], ms.int32), Tensor([1, 0], ms.int64)
ND = Tensor([[1], [0]], ms.int32)
MASK = Tensor(np.array([[True, False], [False, True], [True, True]]))

# program of the Parameter and of values: gradients of the values, and of the Parameter
REPLACED = ([6, 40, 18, 8], [18, 8, 6, 40, 84, 154])
LARGER, SMALLER = ([24, 50, 18, 12], [18, 12, 24, 50, 84, 154]), ([6, 40, 4, 8], [4, 8, 6, 40, 84, 154])
ADDED = ([30, 90, 22, 20], [22, 20, 30, 90, 84, 154])
ALL = ([0] * 6, [2, 16, 54, 20, 42, 176])
CASES = {
    "Assign": (Y, lambda w, y: ops.Assign()(w, y), ALL),
    "assign": (Y, lambda w, y: ops.assign(w, y), ALL),
    "AssignAdd": (Y, lambda w, y: ops.AssignAdd()(w, y), ([6, 28, 78, 70, 126, 330],) * 2),
    "assign_sub": (Y, lambda w, y: ops.assign_sub(w, y), ([-2, 4, 30, -30, -42, 22], [2, -4, -30, 30, 42, -22])),
    "ScatterUpdate": (Y[:2], lambda w, y: ops.ScatterUpdate()(w, IDX, y), REPLACED),
    "scatter_update": (Y[:2], lambda w, y: ops.scatter_update(w, IDX, y), REPLACED),
    "ScatterNdUpdate": (Y[:2], lambda w, y: ops.ScatterNdUpdate()(w, ND, y), REPLACED),
    "scatter_nd_update": (Y[:2], lambda w, y: ops.scatter_nd_update(w, ND, y), REPLACED),
    "ScatterMax": (Y[:2], lambda w, y: ops.ScatterMax()(w, IDX, y), LARGER),
    "scatter_max": (Y[:2], lambda w, y: ops.scatter_max(w, IDX, y), LARGER),
    "ScatterMin": (Y[:2], lambda w, y: ops.ScatterMin()(w, IDX, y), SMALLER),
    "scatter_min": (Y[:2], lambda w, y: ops.scatter_min(w, IDX, y), SMALLER),
    "IndexAdd": (Y[:2], lambda w, y: ops.IndexAdd(0)(w, IDX, y), ADDED),
    "IndexAdd of columns": (
        Y, lambda w, y: ops.IndexAdd(1)(w, IDX, y), ([16, 12, 140, 36, 220, 196], [12, 16, 36, 140, 196, 220])
    ),
    "index_add": (Y[:2], lambda w, y: ops.index_add(w, IDX, y, 0), ADDED),
    "InplaceIndexAdd": (Y[:2], lambda w, y: ops.InplaceIndexAdd(0)(w, IDX, y), ADDED),
    "inplace_index_add": (Y[:2], lambda w, y: ops.inplace_index_add(w, IDX, y, 0), ADDED),
    "Tensor.set_": (Y, lambda w, y: w.set_(y), ALL),
    "Tensor.assign_value": (Y, lambda w, y: w.assign_value(y), ALL),
}  # fmt: skip
NAMES = ("Add", "Sub", "Mul", "Div")
WITHOUT = {
    **{f"Scatter{n}": lambda w, y, n=n: getattr(ops, f"Scatter{n}")()(w, IDX, y) for n in NAMES},
    **{f"scatter_{n}": lambda w, y, n=n: getattr(ops, f"scatter_{n}")(w, IDX, y) for n in ("add", "mul", "div")},
    **{f"ScatterNd{n}": lambda w, y, n=n: getattr(ops, f"ScatterNd{n}")()(w, ND, y) for n in (*NAMES, "Max", "Min")},
    **{
        f"scatter_nd_{n.lower()}": lambda w, y, n=n: getattr(ops, f"scatter_nd_{n.lower()}")(w, ND, y)
        for n in (*NAMES, "Max", "Min")
    },
}


def state(value):
    return Parameter(Tensor(np.full((3, 2), value, np.float32)), name="state", requires_grad=False)


STEPS = {
    "ApplyMomentum": lambda w, y: ops.ApplyMomentum()(w, state(0.5), 0.1, y, 0.9),
    "Adam": lambda w, y: ops.Adam()(w, state(0.5), state(0.6), 0.9, 0.99, 0.1, 0.9, 0.99, 1e-8, y)[0],
    "AdamWeightDecay": lambda w, y: ops.AdamWeightDecay()(w, state(0.5), state(0.6), 0.1, 0.9, 0.99, 1e-8, 0.0, y)[0],
    "AdamNoUpdateParam": lambda w, y: ops.AdamNoUpdateParam()(
        state(0.5), state(0.6), 0.9, 0.99, 0.1, 0.9, 0.99, 1e-8, y
    ),
    "ApplyGradientDescent": lambda w, y: ops.ApplyGradientDescent()(w, 0.1, y),
    "SGD": lambda w, y: ops.SGD()(w, y, Tensor(0.1), state(0.5), Tensor(0.9), state(0.6)),
    "ApplyFtrl": lambda w, y: ops.ApplyFtrl()(w, state(0.5), state(0.6), y, 0.1, 0.0, 0.0, -0.5),
    "SparseApplyAdagrad": lambda w, y: ops.SparseApplyAdagrad(0.1)(w, state(0.5), y[:2], IDX)[0],
}


class Net(nn.Cell):
    def __init__(self, program, through_result=True):
        super().__init__()
        self.w = Parameter(Tensor(W), name="w")
        self.program, self.through_result = program, through_result

    def construct(self, y):
        result = self.program(self.w, y)
        result = result if self.through_result else self.w
        return (result * result * C).sum() + (self.w * 0).sum() + (y * 0).sum()


def gradients(net, y):
    of_y, (of_w,) = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(Tensor(y))
    return of_y[0].asnumpy().reshape(-1), of_w.asnumpy().reshape(-1)


@pytest.mark.parametrize("name", CASES)
def test_gradients_through_the_result(mode, name):
    y, program, (of_y, of_w) = CASES[name]
    if mode == ms.GRAPH_MODE and name == "Tensor.assign_value":
        pytest.skip("not part of compiled code")
    got = gradients(Net(program), y)
    np.testing.assert_allclose(got[0], np.resize(of_y, y.size), rtol=1e-5)
    np.testing.assert_allclose(got[1], of_w, rtol=1e-5)


@pytest.mark.parametrize("name", {**WITHOUT, **STEPS})
def test_no_gradient_through_the_result(mode, name):
    program, y = {**WITHOUT, **STEPS}[name], Y if name in STEPS else Y[:2]
    with pytest.raises(RuntimeError, match="there is no gradient"):
        gradients(Net(program), y)
    if name != "AdamNoUpdateParam":
        net = Net(program, through_result=False)
        of_y, of_w = gradients(net, y)
        np.testing.assert_allclose(of_y, np.zeros(y.size))
        np.testing.assert_allclose(of_w, (2 * net.w * C).asnumpy().reshape(-1), rtol=1e-5)


# what is written, and the function that returns the same
METHODS = {
    "add_": (Y, lambda w, y: w.add_(y), lambda w, y: w + y),
    "add_ with alpha": (Y, lambda w, y: w.add_(y, alpha=2), lambda w, y: w + 2 * y),
    "sub_": (Y, lambda w, y: w.sub_(y), lambda w, y: w - y),
    "mul_": (Y, lambda w, y: w.mul_(y), lambda w, y: w * y),
    "div_": (Y, lambda w, y: w.div_(y), lambda w, y: w / y),
    "remainder_": (Y, lambda w, y: w.remainder_(y), mint.remainder),
    "exp_": (Y, lambda w, y: w.exp_(), lambda w, y: w.exp()),
    "tanh_": (Y, lambda w, y: ops.tanh_(w), lambda w, y: w.tanh()),
    "relu_": (Y, lambda w, y: mint.nn.functional.relu_(w), lambda w, y: mint.nn.functional.relu(w)),
    "clamp_": (Y, lambda w, y: w.clamp_(3.5, 6.5), lambda w, y: w.clamp(3.5, 6.5)),
    "zero_": (Y, lambda w, y: w.zero_(), lambda w, y: w * 0),
    "fill_": (Y, lambda w, y: w.fill_(3.0), lambda w, y: w * 0 + 3),
    "masked_fill_": (Y, lambda w, y: w.masked_fill_(MASK, 3.0), lambda w, y: w.masked_fill(MASK, 3.0)),
    "masked_scatter_": (Y, lambda w, y: w.masked_scatter_(MASK, y), lambda w, y: w.masked_scatter(MASK, y)),
    "index_add_": (Y[:2], lambda w, y: w.index_add_(0, J, y), lambda w, y: mint.index_add(w, 0, J, y)),
    "index_copy_": (Y[:2], lambda w, y: w.index_copy_(0, J, y), lambda w, y: ops.tensor_scatter_update(w, ND, y)),
    "index_put_": (Y[0], lambda w, y: w.index_put_((J, J), y), lambda w, y: w.index_put((J, J), y)),
    "put_": (Y[0], lambda w, y: w.put_(J, y), lambda w, y: w.index_put((Tensor([0, 0]), J), y)),
    "scatter_": (
        Y[:2], lambda w, y: w.scatter_(0, Tensor([[1, 0], [2, 2]]), y),
        lambda w, y: mint.scatter(w, 0, Tensor([[1, 0], [2, 2]]), y),
    ),
    "addr_": (
        Y[:, 0], lambda w, y: mint.addr_(w, y, Tensor([1.0, 2.0])),
        lambda w, y: w + y.reshape(3, 1) * Tensor([1.0, 2.0]),
    ),
    "two": (Y, lambda w, y: w.mul_(y).add_(y), lambda w, y: w * y + y),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_methods_in_place(mode, name):
    y, in_place, function = METHODS[name]
    net = Net(in_place)
    got, expected = gradients(net, y), gradients(Net(function), y)
    for mine, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-5)
    np.testing.assert_allclose(net.w.asnumpy(), function(Tensor(W), Tensor(y)).asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("write", [lambda t, y: t.copy_(y), lambda t, y: t.normal_(), lambda t, y: ops.uniform_(t)])
def test_copies_into_a_variable_are_refused_as_in_mindspore(write):
    with pytest.raises(RuntimeError, match="must not be a variable"):
        gradients(Net(write), Y)
    with pytest.raises(RuntimeError, match="must not be a variable"):
        ms.grad(lambda x: write(x, Tensor(Y)).sum())(Tensor(W))
    of_x, of_y = ms.grad(lambda x, y: (x * 1).copy_(y * y).sum(), (0, 1))(Tensor(W), Tensor(Y))
    assert of_x.asnumpy().tolist() == np.zeros_like(W).tolist() and of_y.asnumpy().tolist() == (2 * Y).tolist()


@pytest.mark.parametrize("name", [n for n in CASES if n not in ("Assign", "assign", "Tensor.set_")])
def test_a_tensor_that_was_written_into_has_the_gradients_of_the_result(mode, name):
    """MindSpore's has none of the values, without saying so."""
    y, program, (of_y, of_w) = CASES[name]
    if name == "Tensor.assign_value":
        of_y, of_w = of_w, [0] * 6  # a Tensor is no variable

    def loss(x, y):
        t = x * 1
        program(t, y)
        return (t * t * C).sum()

    if mode == ms.GRAPH_MODE and name == "Tensor.assign_value":
        pytest.skip("not part of compiled code")
    got = ms.grad(loss, (0, 1))(Tensor(W), Tensor(y))
    np.testing.assert_allclose(got[1].asnumpy().reshape(-1), np.resize(of_y, y.size), rtol=1e-5)
    np.testing.assert_allclose(got[0].asnumpy().reshape(-1), of_w, rtol=1e-5)
