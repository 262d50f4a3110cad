"""What `nets.py` uses from another module: a function, a Cell, and names that `nets.py` has, too, for other things."""

try:
    from ms_compat import nn, ops
except ImportError:  # where MindSpore records
    from mindspore import nn, ops

SCALE = 3.0


def scaled(x, y):
    total = ops.abs(x) + y * SCALE  # the SCALE of this module
    return total


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 4, weight_init="normal")
        self.add = ops.Add()

    def construct(self, x, y=None, *, factor=2):
        if y is None:
            y = x
        # comments and line breaks are not kept
        out = self.add(
            self.dense(x),
            y * factor,
        )
        return out, y
