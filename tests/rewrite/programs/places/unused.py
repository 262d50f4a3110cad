"""A Cell whose module imports what only inserted nodes use."""

from tests.rewrite.either import Tensor, ms, nn

LATER = ms


class Deep(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        return x + Tensor([1.0])
