"""A class `Tensor` of its own, and Cells that call it and the usual one."""

from tests.rewrite import either
from tests.rewrite.either import nn
from tests.rewrite.programs.places.unused import Deep


class Tensor:
    def __init__(self):
        self.scale = 2.0


class Clash(nn.Cell):
    def __init__(self):
        super().__init__()
        self.deep = Deep()

    def construct(self, x):
        other = Tensor()
        x = self.deep(x)
        return x * other.scale


class Clashing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.clash = Clash()

    def construct(self, x):
        x = x + either.Tensor([1.0])
        x = self.clash(x)
        return x
