"""`recompute` and `offload`: values, gradients and running statistics of the plain Cell, for fewer bytes."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.dispatch import random


class Block(nn.Cell):
    """Changes a buffer, an attribute and the random stream in `construct`."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(32, 32)
        self.dropout = nn.Dropout(p=0.3)
        self.norm = nn.BatchNorm1d(32)
        self.flag = True

    def construct(self, x):
        self.flag = not self.flag
        y = ops.tanh(self.norm(self.dense(x)))
        for _ in range(6):
            y = ops.sin(y) * ops.exp(y * 0.1)
        return self.dropout(y), y if self.flag else -y


class Net(nn.Cell):
    def __init__(self, how):
        super().__init__()
        self.blocks = nn.CellList([Block() for _ in range(4)])
        numbers = np.random.default_rng(0)
        for parameter in self.get_parameters():
            if not parameter.name.endswith("variance"):
                value = 0.1 * numbers.standard_normal(parameter.shape)
                parameter.set_data(Tensor(value.astype(np.float32)))
        for block in self.blocks:
            if how:
                getattr(block, how)()
        self.set_train()
        self.at_the_end = None

    def construct(self, x):
        for block in self.blocks:
            x, y = block(x)
            x = x + y
        if self.at_the_end is not None:
            self.at_the_end()
        return (x * x).sum()


def inputs():
    return Tensor(np.random.default_rng(1).standard_normal((128, 32)).astype(np.float32))


def gradients_of(how):
    net = Net(how)
    ms.set_seed(3)
    loss, (dx, dw) = ms.value_and_grad(net, 0, net.trainable_params())(inputs())
    values = [loss, dx, *dw, *net.untrainable_params()]
    return [np.asarray(v._v) for v in values], [b.flag for b in net.blocks], random.default_generator.counter


@pytest.mark.parametrize("how", ["recompute", "offload"])
def test_everything_is_as_without(how, mode):
    expected, flags, draws = gradients_of(None)
    values, flags_now, draws_now = gradients_of(how)
    for value, plain in zip(values, expected, strict=True):
        np.testing.assert_allclose(value, plain, rtol=2e-4, atol=2e-4)
    assert (flags_now, draws_now) == (flags, draws) == ([False] * 4, 4)


def live_bytes():
    return sum(array.nbytes for array in jax.live_arrays())


def bytes_between_forward_and_backward(how):
    net, x = Net(how), inputs()
    seen = []
    net.at_the_end = lambda: seen.append(live_bytes())
    before = live_bytes()
    ms.value_and_grad(net, 0, net.trainable_params())(x)
    return seen[0] - before


def test_the_tape_holds_a_fifth():
    plain, recomputed = bytes_between_forward_and_backward(None), bytes_between_forward_and_backward("recompute")
    assert recomputed < plain / 5  # measured: 1/9


def temporary_bytes(how):
    net, x = Net(how), inputs()
    gradient = ms.jit(ms.value_and_grad(net, 0, net.trainable_params()))
    gradient(x)
    (specialised,) = gradient._compiled._specialised.values()
    return specialised.lower([x._v]).compile().memory_analysis().temp_size_in_bytes


def test_a_compiled_gradient_needs_fewer_temporary_bytes():
    assert temporary_bytes("recompute") < 0.7 * temporary_bytes(None)  # measured: 0.4


def test_offloaded_residuals_go_to_the_host():
    net, x = Net("offload"), inputs()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        gradient = ms.jit(ms.grad(net))
        gradient(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert "host" in str(gradient._compiled.program())


class Wave(nn.Cell):
    def construct(self, x):
        return ops.sin(x) * x


def test_higher_orders():
    def third_order(net):
        first = ms.grad(lambda x: net(x).sum())
        second = ms.grad(lambda x: first(x).sum())
        return ms.grad(lambda x: second(x).sum())(Tensor([0.5, 2.0]))

    recomputed = Wave()
    recomputed.recompute()
    np.testing.assert_allclose(third_order(recomputed).asnumpy(), third_order(Wave()).asnumpy(), rtol=1e-6)


def test_nested_recomputation_and_hooks(mode):
    outer = nn.SequentialCell(Wave(), Wave())
    outer.recompute()
    outer[1].recompute()
    seen = []
    if mode == ms.PYNATIVE_MODE:
        outer[0].register_backward_hook(lambda cell, grad_in, grad_out: seen.append(grad_out[0].asnumpy().tolist()))
    gradient = ms.grad(outer)(Tensor([0.5, 2.0]))
    np.testing.assert_allclose(
        gradient.asnumpy(), ms.grad(nn.SequentialCell(Wave(), Wave()))(Tensor([0.5, 2.0])).asnumpy(), rtol=1e-6
    )
    assert len(seen) == (1 if mode == ms.PYNATIVE_MODE else 0)


def test_gradients_of_what_the_cell_closes_over(mode):
    """Neither an input nor a member: the tape keeps the activations then, and the gradient is not lost."""
    weight = Parameter(Tensor([3.0]), name="outside")

    class Closing(nn.Cell):
        def construct(self, x):
            return x * x * weight

    net = Closing()
    net.recompute()
    _, (dx, dw) = ms.value_and_grad(net, 0, [weight])(Tensor([2.0]))
    assert (float(dx), float(dw[0] if isinstance(dw, tuple) else dw)) == (12.0, 4.0)


def test_contexts_of_forward_and_recomputation():
    entered = []

    class Context:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            entered.append(self.name)

        def __exit__(self, *exc):
            pass

    net = Wave()
    net.recompute(use_reentrant=False, context_fn=lambda: (Context("forward"), Context("again")))
    ms.grad(net)(Tensor([1.0]))
    assert entered == ["forward", "again"]


@pytest.mark.parametrize(
    ("method", "args", "named", "error"),
    [
        ("recompute", (), {"foo": 1}, ValueError),
        ("recompute", (), {"mp_comm_recompute": 1}, TypeError),
        ("offload", ("x",), {}, ValueError),
        ("offload", (-1,), {}, ValueError),
        ("offload", (1.5,), {}, TypeError),
        ("offload", (True,), {}, TypeError),
    ],
)
def test_errors(method, args, named, error):
    """The classes are MindSpore 2.10's."""
    with pytest.raises(error):
        getattr(nn.Dense(2, 2), method)(*args, **named)


# -- forward hooks of Parameters: values recorded from MindSpore 2.10 in GRAPH_MODE
class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")

    def construct(self, x):
        return x * self.w


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.s = Inner()
        self.b = Parameter(Tensor([1.0]), name="b")

    def construct(self, x):
        return self.s(x) + self.b


def ten_times(parameter):
    return parameter * 10


@pytest.mark.parametrize(("one", "compiled", "eager"), [(False, 70.0, 7.0), (True, 61.0, 7.0)])
def test_parameter_forward_hooks(one, compiled, eager, mode):
    net = Outer()
    net(Tensor([3.0]))
    net.register_parameter_forward_hook([{"params": [net.s.w], "hook": ten_times}] if one else ten_times)
    assert float(net(Tensor([3.0]))) == (compiled if mode == ms.GRAPH_MODE else eager)
    assert float(ms.jit(net)(Tensor([3.0]))) == compiled
    assert (float(net.s.w.value()), float(net.b.value())) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("hook", "error"),
    [
        (1, TypeError),
        ([1], TypeError),
        ([{"params": []}], ValueError),
        ([{"params": [1], "hook": ten_times}], TypeError),
        ([{"params": 1, "hook": ten_times}], TypeError),
        ([{"params": [], "hook": 1}], TypeError),
    ],
)
def test_parameter_forward_hook_errors(hook, error):
    with pytest.raises(error):
        Outer().register_parameter_forward_hook(hook)


def test_scopes_of_what_is_recomputed():
    net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.SequentialCell(ms.nn.ReLU()))
    net[1].recompute()
    assert [cell.get_scope() for _, cell in net.cells_and_names()] == [None, None, "recompute_", "recompute_"]
    net.generate_scope()
    assert net[0].get_scope() == "Default/0-ReLU"
    assert net[1][0].get_scope() == "recompute_Default/1-SequentialCell/0-ReLU"
