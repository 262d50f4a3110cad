"""Cells with several hooks, and with hooks beside a `bprop` method; MindSpore's answers are recorded."""

import numpy as np


def _arrays(value):
    if isinstance(value, (tuple, list)):
        return [_arrays(item) for item in value]
    return value.asnumpy().astype(np.float64).round(3).tolist()


def answers(ms):
    """By name, the value and the gradients of a Cell's input and weights."""
    from importlib import import_module

    nn, ops = import_module(f"{ms.__name__}.nn"), import_module(f"{ms.__name__}.ops")
    Tensor, Parameter = ms.Tensor, ms.Parameter

    class Scaled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor([2.0, 3.0]), name="weight")

        def construct(self, x):
            return x * self.weight

    class WithRule(Scaled):
        def bprop(self, x, out, dout):
            return (dout * 100 + out,)

    class Around(nn.Cell):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner
            self.factor = Parameter(Tensor(5.0), name="factor")

        def construct(self, x):
            return self.inner(x * self.factor) * 2

    def before(cell, inputs):
        return inputs[0] * 2

    def after(cell, inputs, output):
        return output * 3 + ops.ReduceSum()(inputs[0])

    def backward(cell, grad_input, grad_output):
        return (grad_input[0] * 10 + ops.ReduceSum()(grad_output[0]),)

    def backward_pre(cell, grad_output):
        return grad_output[0] * 5

    kinds = {
        "before": lambda cell: cell.register_forward_pre_hook(before),
        "after": lambda cell: cell.register_forward_hook(after),
        "backward": lambda cell: cell.register_backward_hook(backward),
        "backward_pre": lambda cell: cell.register_backward_pre_hook(backward_pre),
    }
    found = {}

    def add(name, net, position=0):
        x = Tensor([1.0, 2.0])
        gradient = ms.grad(net, position, net.trainable_params())
        found[name] = _arrays([net(x), gradient(x)])

    for hooks in ("after backward", "backward after", "after backward_pre", "before after backward backward_pre"):
        for place in ("inner", "outer"):
            net = Around(Scaled())
            for kind in hooks.split():
                kinds[kind](net if place == "outer" else net.inner)
            add(f"{place}: {hooks}", net)
    for hooks in ("", "after", "before", "backward", "before after backward backward_pre"):
        net = Around(WithRule())
        for kind in hooks.split():
            kinds[kind](net.inner)
        add(f"bprop: {hooks}", net)
    add("bprop: only weights", WithRule(), None)
    return found
