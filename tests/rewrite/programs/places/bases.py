"""Classes to derive from, of Cells and of others, with class variables."""

from typing import Optional

from tests.rewrite.either import Tensor, nn


class Base(nn.Cell):
    def __init__(self, a):
        super().__init__()
        self.act = nn.ReLU()
        self.a = a

    def construct(self, x: Optional[Tensor]):  # noqa: UP045 - the annotation is taken out
        return x

    def with_a(self, x):
        x = x + self.a
        return x


class NoCell:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def of_no_cell(self, x: Optional[Tensor]):  # noqa: UP045
        return x


def outside(x):
    return x


def outside2(x):
    return x


OUTSIDE = [Tensor([1.0])]


class WithVariables:
    first = Tensor([1.0])
    second = outside
    if True:
        third = outside2
    fourth = OUTSIDE

    def __init__(self, a):
        self.a = a

    def of_variables(self, x: Optional[Tensor]):  # noqa: UP045
        x = x + self.first
        x = WithVariables.second(x)
        x = WithVariables.third(x)
        x = x + WithVariables.fourth[0]
        x = x + self.a
        return x
