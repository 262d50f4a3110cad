"""Small nets that tests of calls share."""

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from ms_compat._core.dispatch.op import op

X = [1.0, 2.0]


def numbers(value):
    if isinstance(value, (tuple, list)):
        return [numbers(item) for item in value]
    return value.asnumpy().tolist()


@op
def mul(x, y):
    return x * y


@op
def add(x, y):
    return x + y


class Scale(nn.Cell):
    def __init__(self, factor=3.0):
        super().__init__()
        self.w = Parameter(Tensor([factor, factor + 1]))

    def construct(self, x, y=None):
        return mul(x, self.w)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Scale(1.0)
        self.w = Parameter(Tensor([3.0, 4.0]))

    def construct(self, x):
        return self.inner(mul(x, self.w))


def gradients(net, x=X):
    return numbers(ms.grad(net, 0, net.trainable_params())(Tensor(x)))
