"""A Cell whose module imports the same twice, by `try`, and relative to its package."""

from __future__ import annotations

try:
    import ms_compat as mindspore
    import ms_compat.nn as nn
    from ms_compat import ops as functions
except ImportError:
    import mindspore
    import mindspore.nn as nn
    from mindspore import ops as functions
import math as mathematics

try:
    from math import tau
except ImportError:
    from math import pi as tau

from .bases import OUTSIDE
from .bases import outside as elsewhere


class Importing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = mindspore.nn.ReLU()

    def construct(self, x):
        x = elsewhere(self.act(x)) * mathematics.pi
        return functions.concat((x, x)) + OUTSIDE[0] * tau
