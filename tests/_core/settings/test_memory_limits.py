"""Shapes that no number of bytes describes, and results that no memory holds: errors in both modes, never an abort."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from ms_compat import numpy as mnp

ROOT = Path(__file__).parents[3]
HUGE = (2**62, 4)
X = [1.0]

# MindSpore 2.10 raises ValueError for all of these, when they are made or when they are looked at
UNCOUNTABLE = {
    "ones": lambda x: ops.ones(HUGE),
    "zeros": lambda x: ops.zeros((2**31, 2**31)),
    "full": lambda x: ops.full(HUGE, 1.0),
    "Fill": lambda x: ops.Fill()(ms.float32, HUGE, 1),
    "mint.ones": lambda x: mint.ones(HUGE),
    "mint.empty": lambda x: mint.empty(HUGE),
    "numpy.ones": lambda x: mnp.ones(HUGE),
    "new_ones": lambda x: x.new_ones(HUGE),
    "eye": lambda x: ops.eye(2**31, 2**32),
    "arange": lambda x: ops.arange(2**62),
    "linspace": lambda x: ops.linspace(0, 1, 2**62),
    "randn": lambda x: ops.randn(*HUGE),
    "randperm": lambda x: ops.randperm(2**62),
    "broadcast_to": lambda x: ops.broadcast_to(x, HUGE),
    "expand": lambda x: x.expand(*HUGE),
    "tile": lambda x: ops.tile(x, HUGE),
    "repeat_interleave": lambda x: ops.repeat_interleave(x, 2**62),
    "pad": lambda x: ops.pad(x, (2**61, 2**62)),
    "one_hot": lambda x: ops.one_hot(x.astype(ms.int32), 2**62, Tensor(1.0), Tensor(0.0)),
    "scatter_nd": lambda x: ops.scatter_nd(Tensor([[0]]), x, HUGE),
    "a dimension of 65 bits": lambda x: ops.ones((2**65, 2)),
    "an intermediate result": lambda x: ops.broadcast_to(x, HUGE).sum(),
    "a gradient": lambda x: ms.grad(lambda y: ops.broadcast_to(y, HUGE).sum())(x),
}  # fmt: skip


@pytest.mark.parametrize("name", UNCOUNTABLE)
def test_a_shape_that_cannot_be_counted_is_refused(mode, name):
    function = UNCOUNTABLE[name]
    with pytest.raises(ValueError, match=r"bytes, and no array can have 9223372036854775808 or more"):
        if mode == ms.GRAPH_MODE:
            ms.jit(function)(Tensor(X))
        else:
            function(Tensor(X)).asnumpy()


def test_the_operation_the_shape_and_the_bytes_are_named():
    with pytest.raises(
        ValueError, match=r"For 'ones', a result has the shape \(4611686018427387904, 4\) of float32: 737"
    ):
        ops.ones(HUGE)


class Outer(nn.Cell):
    def construct(self, x):
        return ops.outer(x, x)


def test_results_beyond_the_machine_s_memory_are_refused(mode):
    with pytest.raises(
        RuntimeError, match=r"results are of 70368744177664 bytes \(65536\.0 GiB\), but this machine has"
    ):
        Outer()(ops.ones(2**22))
    found = ms.jit(lambda x: ops.outer(x, x).shape)(ops.ones(2**22))  # nobody needs its memory
    assert found == (2**22, 2**22)


def test_shapes_without_elements_are_fine(mode):
    assert ops.zeros((0, 2**40)).shape == (0, 2**40)


def test_combinations_are_counted_before_they_are_made():
    with pytest.raises(ValueError, match="85757339264609549275200 bytes"):
        ops.combinations(ops.ones(100), 20)


FULL = """
import resource
import ms_compat as ms
from ms_compat import Tensor, ops
x = ops.ones(2**14)
ops.outer(x[:2], x[:2]).asnumpy()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 29), resource.getrlimit(resource.RLIMIT_AS)[1]))
y = ops.outer(x, x)
for look in (Tensor.asnumpy, str, repr, lambda t: t.__array__(), lambda t: ops.relu(t).asnumpy()):
    try:
        look(y)
    except RuntimeError as error:
        assert "memory" in str(error), error
        print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits its address space")
def test_a_result_without_memory_is_an_error_when_it_is_looked_at():
    done = subprocess.run([sys.executable, "-c", FULL], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout.split() == ["refused"] * 5, done.stderr[-2000:]


def test_values_are_as_before():
    big = ops.ones((300, 300))
    assert big.asnumpy().sum() == 90000 and np.asarray(big).shape == (300, 300) and "[1." in str(big)
