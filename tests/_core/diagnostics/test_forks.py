"""Processes that are forked from one that computed: an error where JAX would wait for ever."""

import os
import sys
import textwrap

import pytest

from ms_compat._core import tape
from ms_compat._core.dispatch.random import default_generator
from ms_compat._core.trace import scopes
from tests import prepared

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
    signal.alarm(300)
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


def run(program, *arguments):
    command = ["-c", textwrap.dedent(program), *arguments]
    done = prepared.run(command, cwd=prepared.ROOT, env={**os.environ, "PYTHONPATH": str(prepared.ROOT)}, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_forked_process_says_that_it_cannot_compute():
    out = run(SCRIPT, "after")
    assert "read 3.0" in out and "status 0" in out and "parent 1.0" in out
    assert "refused JAX cannot compute in a process that was forked" in out and "'spawn'" in out


def test_a_process_forked_before_the_first_computation_computes():
    out = run(SCRIPT, "before")
    assert "computed [0.841 0.909 0.141]" in out and "status 0" in out


MANY = """
import os, signal, sys, threading, warnings
import numpy as np
import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

warnings.simplefilter("ignore")
large = Tensor(np.ones((700, 700), np.float32))
weight = Parameter(large, name="w")
twice = ms.jit(lambda x: ops.matmul(x, x) * 2)
for _ in range(8):
    twice(large).asnumpy(), ops.matmul(large, large).asnumpy(), (large + large).asnumpy()
USES = {
    "add": lambda: (large + large).asnumpy().sum(),
    "matmul": lambda: ops.matmul(large, large).asnumpy().sum(),
    "jit": lambda: twice(large).asnumpy().sum(),
    "grad": lambda: ms.grad(lambda x: (x * x).sum())(large).asnumpy().sum(),
    "net": lambda: nn.Dense(700, 700)(large).asnumpy().shape,
    "index": lambda: large[3:, 2].asnumpy().sum(),
    "random": lambda: ops.rand(700, 700).asnumpy().shape,
    "read": lambda: large.asnumpy().sum(),
    "Parameter": lambda: weight.value().asnumpy().sum(),
    "new": lambda: int(Tensor(np.ones((1500, 700), np.float32)).asnumpy().sum()),
}
stop = False

def computing():
    while not stop:
        twice(large).asnumpy()

if sys.argv[1] == "busy":
    threads = [threading.Thread(target=computing) for _ in range(2)]
    [thread.start() for thread in threads]
for name, use in USES.items():
    child = os.fork()
    if not child:
        signal.alarm(300)
        try:
            print(name, use(), flush=True)
        except RuntimeError as error:
            print(name, "refused", "forked" in str(error), flush=True)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        print(name, "hung", status)
stop = True
"""


@pytest.mark.parametrize("how", ["quiet", "busy"])
def test_a_forked_process_never_hangs(how):
    found = dict(line.split(" ", 1) for line in run(MANY, how).splitlines())
    computed = {"add": "980000.0", "matmul": "343000000.0", "jit": "686000000.0", "grad": "980000.0",
                "net": "(700, 700)", "index": "697.0", "random": "(700, 700)"}  # fmt: skip
    assert len(found) == 10
    for name, value in computed.items():  # NumPy walks what was called only a few times
        assert found[name] in ("refused True", value)
    assert found["matmul"] == found["jit"] == "refused True"
    assert (found["read"], found["Parameter"], found["new"]) == ("490000.0", "490000.0", "1050000")


def test_no_module_keeps_the_lock_that_a_forked_process_replaces():
    """Another thread may hold it at the fork, and that thread does not exist in the forked process."""
    replaced = {id(scopes.lock), id(tape.lock), id(default_generator.lock)}
    keepers = {
        name
        for name, module in list(sys.modules.items())
        if name.startswith("ms_compat") and any(id(value) in replaced for value in vars(module).values())
    }
    assert keepers == {scopes.__name__, tape.__name__}


UNREADY = """
import os, signal, warnings
import numpy as np
import ms_compat as ms
from ms_compat import Tensor, ops

warnings.simplefilter("ignore")
x = Tensor(np.ones((2500, 2500), np.float32))
step = ms.jit(lambda x: ops.matmul(ops.matmul(x, x), x))
for _ in range(4):
    step(x).asnumpy()
late = step(x)
child = os.fork()
if not child:
    signal.alarm(300)
    try:
        print("read", int(late.asnumpy()[0, 0]))
    except RuntimeError as error:
        print("refused", error)
    print("end", flush=True)
    os._exit(0)
print("status", os.waitpid(child, 0)[1], int(late.asnumpy()[0, 0]))
"""


def test_a_value_that_nobody_will_compute_is_not_waited_for():
    out = run(UNREADY)
    assert "status 0 6250000" in out
    assert "refused A value was not computed yet" in out or "read 6250000" in out  # if it was quick
