"""Products on processors: equal to XLA's, by oneDNN or by XLA in other forms.

The programs run in processes of their own: another lowering of JAX's primitive stays for the life of a process.
"""

from ctypes.util import find_library

import pytest

from ms_compat._core.onednn import library
from tests import processes
from tests._core.products.values import CASES


@pytest.mark.parametrize("kind", ["onednn", "columns"])
def test_values_are_xlas_for_every_transformation(kind):
    if kind == "onednn" and (library.path() is None or find_library("gomp") is None):
        pytest.skip("the extra onednn or libgomp is not installed")
    variables = {"MS_COMPAT_ONEDNN": "1" if kind == "onednn" else "0", "MS_COMPAT_CACHE": "0", "OMP_NUM_THREADS": None}
    told = processes.told("-m", "tests._core.products.values", kind, **variables)
    assert told["differences"].keys() == CASES.keys()
    for name, (error, same, calls, exchanged) in told["differences"].items():
        assert error < 1e-5, name
        assert same, name
        wanted, found = (CASES[name][2], calls) if kind == "onednn" else (CASES[name][3], exchanged)
        assert wanted is None or found == wanted, name
        assert kind == "onednn" or calls == 0, name
    second = told["differences"]["second order"]
    assert second[2 if kind == "onednn" else 3] >= 2
    names = ("bfloat16", "int32", "two devices", "exported", "another platform", "small")
    assert told["left"] == dict.fromkeys(names, [0, 0])
    batches = 1 if kind == "onednn" else 0
    assert told["without AVX-512"] == {"rows": [0, 0], "gradients": [0, 1], "batch": [batches, 0]}


PROGRAM = """
import numpy as np, ms_compat as ms
from jax import lax
from jax._src.interpreters import mlir
before = mlir._platform_specific_lowerings["cpu"][lax.dot_general_p]
ms.set_context(mode=ms.{mode})
x = ms.Tensor(np.ones((64, 70), np.float32))
print(before is mlir._platform_specific_lowerings["cpu"][lax.dot_general_p])
f = ms.jit(lambda x: ms.ops.matmul(x.T, x)) if {compiled} else (lambda x: ms.ops.matmul(x.T, x))
print(float(f(x)[0, 0]))
print(before is mlir._platform_specific_lowerings["cpu"][lax.dot_general_p])
"""


@pytest.mark.parametrize(
    ("mode", "compiled"), [("PYNATIVE_MODE", False), ("PYNATIVE_MODE", True), ("GRAPH_MODE", True)]
)
def test_the_first_program_and_not_the_import_replaces_the_lowering(mode, compiled):
    program = PROGRAM.format(mode=mode, compiled=compiled)
    done = processes.run("-c", program)
    assert done.stdout.split() == ["True", "64.0", "False"], done.stderr
