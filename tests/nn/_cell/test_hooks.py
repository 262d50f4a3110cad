"""Forward and backward hooks."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn._cell.nets import Net, Scale, X, add, gradients, mul, numbers


def test_backward_hooks_change_gradients(mode):
    net = Net()
    seen = []

    def hook(cell, grad_input, grad_output):
        seen.append((type(cell).__name__, len(grad_input), len(grad_output)))
        return (mul(grad_input[0], 10.0),)

    net.inner.register_backward_pre_hook(lambda cell, grad_output: (mul(grad_output[0], 2.0),))
    handle = net.inner.register_backward_hook(hook)
    assert gradients(net) == [[60.0, 160.0], [[20.0, 80.0], [6.0, 16.0]]] and seen == [("Scale", 1, 1)]
    handle.remove()
    assert gradients(net) == [[6.0, 16.0], [[2.0, 8.0], [6.0, 16.0]]]


def test_backward_hook_values():
    class Both(nn.Cell):
        def construct(self, x, y):
            return mul(x, y), add(x, y)

    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.both = Both()

        def construct(self, x, y):
            return self.both(x, y)[0]

    net, seen = Uses(), []
    net.both.register_backward_hook(lambda cell, gi, go: seen.append((numbers(gi), go[0].shape, go[1])))
    ms.grad(net)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    assert seen == [([[3.0, 4.0], [1.0, 2.0]], (2,), None)]


def test_a_backward_hook_when_only_weights_are_differentiated():
    net, seen = Scale(), []
    net.register_backward_hook(lambda cell, gi, go: seen.append((gi, numbers(go))))
    ms.grad(net, None, net.trainable_params())(Tensor(X))
    assert seen == [((None,), [[1.0, 1.0]])]


def test_forward_hooks(mode):
    net = Scale(1.0)
    net.register_forward_pre_hook(lambda cell, inputs: (mul(inputs[0], 3.0),))
    handle = net.register_forward_hook(lambda cell, inputs, output: mul(output, 100.0))
    assert numbers(net(Tensor(X))) == [300.0, 1200.0]
    handle.remove()
    handle.remove()
    assert numbers(net(Tensor(X))) == [3.0, 12.0]


def test_hooks_with_kwargs_order_and_errors():
    net, seen = Scale(), []
    net.register_forward_pre_hook(lambda c, a, k: seen.append(("pre", len(a), k)), with_kwargs=True)
    net.register_forward_hook(lambda c, a, k, o: seen.append(("second", k)), with_kwargs=True)
    net.register_forward_hook(lambda c, a, o: seen.append(("first", len(a))), prepend=True)
    net(Tensor(X), y=3)
    assert seen == [("pre", 1, {"y": 3}), ("first", 1), ("second", {"y": 3})]
    for register in ("register_forward_hook", "register_backward_hook", "register_backward_pre_hook"):
        with pytest.raises(TypeError, match="callable"):
            getattr(net, register)(3)
    bad = Scale()
    bad.register_forward_pre_hook(lambda c, a, k: (a,), with_kwargs=True)
    with pytest.raises(RuntimeError, match="new_args, new_kwargs"):
        bad(Tensor(X))


def test_a_hook_that_is_always_called():
    class Fails(nn.Cell):
        def construct(self, x):
            raise ValueError("no")

    net, seen = Fails(), []
    net.register_forward_hook(lambda c, a, o: seen.append(o), always_call=True)
    net.register_forward_hook(lambda c, a, o: seen.append("never"))
    with pytest.raises(ValueError):
        net(Tensor(X))
    assert seen == [None]


@pytest.mark.parametrize("kind", ["forward", "forward_pre", "backward", "backward_pre"])
def test_a_hook_under_jit_is_refused(kind):
    cell = nn.ReLU()
    with pytest.raises(TypeError, match="jit"):
        getattr(cell, f"register_{kind}_hook")(ms.jit(lambda *args: args[-1]))


def test_hooks_stand_outside_of_the_cast():
    seen = []
    cell = nn.Dense(2, 2).to_float(ms.float16)
    cell.register_forward_pre_hook(lambda cell, inputs: seen.append(("before", inputs[0].dtype)))
    cell.register_forward_hook(lambda cell, inputs, output: seen.append(("after", inputs[0].dtype, output.dtype)))
    cell(Tensor([[1.0, 2.0]]))
    assert seen == [("before", ms.float32), ("after", ms.float32, ms.float16)]


def test_a_hook_may_register_one_further_inside_for_the_same_call():
    seen = []
    cell = nn.Dense(2, 2)

    def register(cell, inputs):
        if not seen:
            cell.register_backward_hook(lambda cell, grads, given: seen.append(len(grads)))
            seen.append("registered")

    cell.register_forward_pre_hook(register)
    ms.grad(lambda x: cell(x).sum())(Tensor([[1.0, 2.0]]))
    assert seen == ["registered", 1]
