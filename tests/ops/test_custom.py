"""Custom operations of Python functions."""

import subprocess
import sys

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_a_custom_function_must_keep_its_promise_and_needs_a_bprop():
    wrong = ops.Custom(lambda x: x.astype(np.float64), lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="promised"):
        wrong(Tensor(X))
    plain = ops.Custom(lambda x: x, lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="bprop"):
        ms.grad(lambda x: plain(x).sum())(Tensor(X))


_READS_WHAT_THE_STEP_CHANGES = """
import numpy as np
import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

weight = Parameter(Tensor(np.zeros(3, np.float32)), name="w")
seen = []

def reads(x):
    seen.append(float(weight.asnumpy()[0]))
    return x

call = ops.Custom(reads, lambda x: x, lambda x: x, bprop=lambda x, out, dout: (dout,), func_type="pyfunc")

@ms.jit
def assigns(x):
    ops.assign(weight, weight + call(x))
    return weight.sum()

@ms.jit
def nested(x):
    return assigns(x) * 2

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight

    def construct(self, x):
        return (self.w * call(x)).sum()

x = Tensor(np.ones(3, np.float32))
for _ in range(12):
    assigns(x)
assert seen == [float(i) for i in range(12)], seen
for _ in range(11):
    nested(x)
assert seen == [float(i) for i in range(23)], seen
step = nn.TrainOneStepCell(Net(), nn.SGD([weight], 1.0))
ms.set_context(mode=ms.GRAPH_MODE)
for _ in range(11):
    step(x)
assert seen == [*map(float, range(23)), *[23.0 - i for i in range(11)]], seen
"""


def test_the_function_may_read_a_parameter_that_the_compiled_step_changes():
    """It gets the value before the step. In a process of its own, as waiting for the step's end would never end."""
    subprocess.run([sys.executable, "-c", _READS_WHAT_THE_STEP_CHANGES], check=True, timeout=120)
