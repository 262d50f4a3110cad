"""Networks for the tests of `rewrite`. MindSpore, which recorded their nodes, imports this file, too."""

import functools

try:
    import ms_compat as ms
    from ms_compat import Parameter, Tensor, nn, ops
except ImportError:  # where MindSpore records
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn, ops

from tests.rewrite import shapes
from tests.rewrite.shapes import Block
from tests.rewrite.shapes import scaled as rescaled

SCALE = 0.5


def shifted(x):
    y = ops.relu(x) + 1
    return y * SCALE


def halved(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 0.5

    return wrapper


class Chain(nn.Cell):
    """Cells one after the other."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 4)
        self.act = nn.ReLU()
        self.second = nn.Dense(4, 4)

    def construct(self, x):
        x = self.act(self.first(x))
        x = self.second(x)
        return x


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def construct(self, x):
        return self.dense(x)


class Nested(nn.Cell):
    """Cells of the user's, one twice, containers, keywords and several outputs."""

    def __init__(self):
        super().__init__()
        self.block = Block()
        self.again = self.block
        self.row = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), Inner())
        self.some = nn.CellList([nn.Dense(4, 4), Inner()])
        self.factor = 3

    def construct(self, x, y):
        a, b = self.block(x, y, factor=self.factor)
        a = self.row(a)
        for cell in self.some:
            a = cell(a)
        c, _ = self.again(a)
        return c, b


class Branches(nn.Cell):
    """Loops and branches."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.act = nn.ReLU()
        self.use_act = True
        self.extra = None

    def construct(self, x, flag=True):
        if self.use_act and self.extra is None:
            x = self.act(self.dense(x))
        else:
            x = x * (x + 2)
        if flag:
            for i in range(3):
                if i == 1:
                    continue
                x = self.dense(x) + i
        elif not flag:
            x = x - 1
        else:
            x = x - 2
        total = 0
        while total < 2:
            total = total + 1
        for i, (a, b) in enumerate(zip((1, 2), (3, 4))):  # noqa: B007, B905
            x = x + a * b
        return x * total


class Functions(nn.Cell):
    """Functions outside and methods."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)

    def outer(self, x, w):
        x = self.dense(x)[0:2]
        return x + w

    @halved
    def wrapped(self, x):
        return x * (x + 3)

    def construct(self, x, y):
        x = shifted(x)
        x = rescaled(x, y)
        x = shapes.scaled(x, y)
        x = self.outer(x, y) + self.wrapped(x)
        return ops.concat((x, y), axis=-1)


class Expressions(nn.Cell):
    """Expressions of many kinds."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.pair = (nn.ReLU(), nn.Tanh())
        self.add = ops.Add()
        self.count = 0

    def construct(self, x, y):
        """The docstring is not kept."""
        a = x + y - x * y / 2**3
        b = -a if x.shape[0] > 1 else a
        c = [self.dense(x), self.dense(y)]
        d = {"a": a, "b": b}
        e = self.add(*c)
        f = (lambda q: q + 1)(e)
        g = [t * 2 for t in (a, b)]
        h = self.pair[1](x) + d["b"][0] + g[0]
        i = h.reshape(-1, 4).transpose(1, 0).sum(axis=0)
        j, (k, l) = i, (e, f)  # noqa: E741
        j += 1
        m = n = self.dense(k)
        o = m.shape[0] and n.shape[1] or 1
        p = f"{o} rows"
        q = 1 < o < 9
        assert q, p
        r = (l).mean() + ms.Tensor(2.0)
        return j, (m + n) * r, k


class Parent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.__scale = 2.0

    def above(self, x):
        return self.dense(self.dense(x)) * self.__scale

    def construct(self, x):
        return self.above(x) + 1


class Child(Parent):
    """A construct that calls that of its parent."""

    def __init__(self):
        super().__init__()
        self.act = nn.Tanh()
        self.__scale = 3.0

    def construct(self, x):
        x = super().construct(x)
        x = self.above(self.act(x)) * self.__scale
        return x


class Heir(Parent):
    """A construct that is inherited."""


class Odd(nn.Cell):
    """Another name for self, a decorator, a global name, arguments of all kinds."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")
        self.buffer = Tensor([0.5])

    @halved
    def construct(this, x, *rest):
        x = x * this.weight + SCALE * this.buffer
        return x + rest[0]


def closing():
    """A class inside a function, which reads a variable around it."""
    offset = 4

    class Local(nn.Cell):
        def construct(self, x):
            return x + offset

    return Local()
