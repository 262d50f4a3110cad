"""Processes that are forked from one that computed: an error where JAX would wait for ever."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="os.fork is not there")

SCRIPT = """
import os, signal, sys, warnings
import numpy as np
import ms_compat as ms
from ms_compat import Tensor, ops

warnings.simplefilter("ignore")  # JAX's own, which says that it may hang
before = sys.argv[1] == "before"
if not before:
    x = Tensor(np.arange(3, dtype=np.float32))
    ops.exp(x).asnumpy()
child = os.fork()
if not child:
    signal.alarm(60)
    if before:
        x = Tensor(np.arange(3, dtype=np.float32))
    print("read", x.asnumpy().sum(), flush=True)
    try:
        print("computed", ops.sin(x + 1).asnumpy().round(3), flush=True)
    except RuntimeError as error:
        print("refused", error, flush=True)
    os._exit(0)
print("status", os.waitpid(child, 0)[1])
print("parent", ops.cos(Tensor(0.0)))
"""


def run(when):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), when], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


def test_a_forked_process_says_that_it_cannot_compile():
    out = run("after")
    assert "read 3.0" in out and "status 0" in out and "parent 1.0" in out
    assert "refused JAX cannot compile in a process that was forked" in out and "'spawn'" in out


def test_a_process_forked_before_the_first_computation_computes():
    out = run("before")
    assert "computed [0.841 0.909 0.141]" in out and "status 0" in out
