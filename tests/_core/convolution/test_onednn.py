"""oneDNN's convolutions: equal to XLA's, and processes that end, fork, and are interrupted as without them.

The programs run in processes of their own: another lowering of JAX's primitive stays for the life of a process.
"""

import json
import os
from ctypes.util import find_library

import jax
import numpy as np
import pytest

from ms_compat._core.convolution import onednn
from ms_compat._core.onednn import calls, library, plans
from tests import processes
from tests._core.convolution.values import CASES

needs_onednn = pytest.mark.skipif(
    library.path() is None or find_library("gomp") is None, reason="the extra onednn or libgomp is not installed"
)

START = """
import os, signal, sys, threading, time
import jax, jax.numpy as jnp, numpy as np
import ms_compat as ms
from ms_compat._core.convolution import lowering
from ms_compat._core.onednn import calls
assert calls.why_not() is None
lowering.use()
x, w = jnp.ones((16, 64, 32, 32), jnp.float32), jnp.ones((64, 64, 3, 3), jnp.float32)
f = jax.jit(lambda x, w: jax.lax.conv_general_dilated(x, w, (1, 1), "SAME"))
assert "ms_compat_onednn" in f.lower(x, w).as_text()
assert float(f(x, w)[3, 4, 5, 6]) == 576
"""
PROGRAMS = {
    # Calls are pending when the process ends, with results that somebody has, and that nobody has.
    "exit": ("y = x\nfor _ in range(30): y = f(y, w); f(x, w)\nprint('end')", "end"),
    "sys.exit": ("for _ in range(30): f(x, w)\nprint('end')\nsys.exit()", "end"),
    "an exception": (
        "for _ in range(30): f(x, w)\ntry: raise KeyError('k')\nfinally: print('end')\n", "end"),
    "threads": (
        """
xs = [x * k for k in range(4)]
wrong = []
def work(k):
    for _ in range(15):
        if float(f(xs[k], w)[3, 4, 5, 6]) != 576 * k: wrong.append(k)
workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(wrong)
""", "[]"),
    "a busy thread": (
        """
busy = True
def spin():
    while busy: pass
threading.Thread(target=spin).start()
for _ in range(15): f(x, w).block_until_ready()
busy = False
print("end")
""", "end"),
    "Ctrl-C": (
        """
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    while True: f(x, w).block_until_ready()
except KeyboardInterrupt:
    print(float(f(x, w)[3, 4, 5, 6]))
""", "576.0"),
    "fork": (
        """
child = os.fork()
if child == 0:
    try: f(x, w).block_until_ready()
    except RuntimeError as error: os._exit(7 if "forked" in str(error) else 1)
    os._exit(2)
f(x, w).block_until_ready()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""", "7"),
}  # fmt: skip


def run(*arguments, **environment):
    done = processes.run(*arguments, **{"MS_COMPAT_ONEDNN": "1", "OMP_NUM_THREADS": None, **environment})
    assert done.stderr == "" or done.returncode, done.stderr
    return done


@needs_onednn
def test_values_are_xlas_for_every_transformation():
    done = run("-m", "tests._core.convolution.values", "onednn", MS_COMPAT_CACHE="0")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["differences"]) == len(CASES)
    for name, (error, same, count, *_) in told["differences"].items():
        assert error < 1e-5, name
        assert same, name
        assert count == CASES[name][2] or CASES[name][2] is None, name
    for name in ("second order", "groups and vmap", "vmap of the kernels"):
        assert told["differences"][name][2] >= 3, name
    assert told["left"] == dict.fromkeys(("bfloat16", "float16", "two devices", "exported"), [0, 1])
    assert told["from disk"] < 1e-5
    assert told["small"] == 0


@needs_onednn
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_process_ends_as_without_it(name):
    program, printed = PROGRAMS[name]
    done = run("-c", START + program)
    assert done.stdout.splitlines()[-1:] == [printed], done.stderr
    assert done.returncode == (1 if name == "an exception" else 0)


@needs_onednn
def test_a_cached_program_finds_its_kernel(tmp_path):
    for _ in range(2):
        done = run("-c", START + "print('end')", XDG_CACHE_HOME=str(tmp_path), MS_COMPAT_CACHE="1")
        assert done.stdout == "end\n", done.stderr


@pytest.mark.parametrize(
    ("environment", "why"), [({"MS_COMPAT_ONEDNN": "0"}, "switched off"), ({"OMP_NUM_THREADS": "1"}, "few threads")]
)
def test_it_is_not_used(environment, why, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(library, "path", lambda: "/somewhere")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(4), raising=False)
    if why == "few threads":
        monkeypatch.delenv("MS_COMPAT_ONEDNN", raising=False)
    assert next(iter(environment)) in str(calls.why_not())


def test_a_library_that_cannot_be_loaded_is_not_used(monkeypatch, caplog):
    monkeypatch.setattr(library, "path", lambda: "/no/libdnnl.so.3")
    with caplog.at_level("DEBUG", "ms_compat"):
        assert library.library.__wrapped__() is None
    assert "oneDNN cannot be loaded" in caplog.text


@pytest.mark.parametrize(
    ("kernel", "out", "strides", "dilations", "wanted"),
    [
        ((3, 3), (32, 32), (1, 1), (1, 1), False),
        ((32, 32), (3, 3), (1, 1), (1, 1), True),  # its gradient
        ((16, 16), (3, 3), (1, 1), (2, 2), True),  # with a stride of 2
        ((16, 16), (14, 14), (16, 16), (1, 1), False),  # patches
        ((14, 14), (16, 16), (1, 1), (16, 16), True),
        ((3, 3), (33, 33), (1, 1), (12, 12), False),  # far dilated
        ((33, 33), (3, 3), (12, 12), (1, 1), True),
        ((7, 7), (112, 112), (2, 2), (1, 1), False),
        ((1, 1), (8, 8), (1, 1), (1, 1), False),
        ((8, 8), (1, 1), (1, 1), (1, 1), True),
    ],
)
def test_gradients_by_the_weights_are_recognized(kernel, out, strides, dilations, wanted):
    assert onednn._is_by_weights(kernel, out, strides, dilations) == wanted


LAYOUTS = {"OIHW": ("NCHW", "OIHW", "NCHW"), "OHWI": ("NHWC", "OHWI", "NHWC"), "HWIO": ("NHWC", "HWIO", "NHWC")}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_by_the_input_are_recognized(layout):
    numbers = LAYOUTS[layout]
    sizes = {"N": 2, "C": 8, "O": 6, "I": 8, "H": 9, "W": 7}
    x = jax.ShapeDtypeStruct([sizes[letter] for letter in numbers[0]], np.float32)
    w = jax.ShapeDtypeStruct([{**sizes, "H": 3, "W": 3}[letter] for letter in numbers[1]], np.float32)

    def both(x, w):
        y, pullback = jax.vjp(
            lambda x, w: jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers), x, w
        )
        return pullback(y)

    found = [e for e in jax.make_jaxpr(both)(x, w).eqns if e.primitive is jax.lax.conv_general_dilated_p]
    shapes = [[*(v.aval.shape for v in e.invars), e.outvars[0].aval.shape] for e in found]
    kinds = [onednn.planned(*shape, e.params).kind for shape, e in zip(shapes, found, strict=True)]
    assert sorted(kinds) == [plans.FORWARD, plans.BY_INPUT, plans.BY_WEIGHTS]
    assert kinds[0] == plans.FORWARD
