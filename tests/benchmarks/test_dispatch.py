"""An eager operation against the same function as a raw `jax.jit` call, and `import ms_compat` against `import jax`."""

import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.benchmarks.measure import check_ratio, note

pytestmark = pytest.mark.benchmark

X = Tensor(np.random.RandomState(0).randn(32, 64).astype(np.float32))
W = Tensor(np.random.RandomState(1).randn(64, 64).astype(np.float32))

CASES = {
    "add": (lambda: X + X, jax.jit(jnp.add), (X._v, X._v)),
    "matmul": (lambda: ops.matmul(X, W), jax.jit(jnp.matmul), (X._v, W._v)),
    "relu": (lambda: ops.relu(X), jax.jit(jax.nn.relu), (X._v,)),
    "reshape": (lambda: X.reshape(64, 32), jax.jit(lambda a: jnp.reshape(a, (64, 32))), (X._v,)),
    "x[1:3]": (lambda: X[1:3], jax.jit(lambda a: a[1:3]), (X._v,)),
}


@pytest.mark.parametrize("name", CASES)
def test_eager_operation(name):
    ours, raw, args = CASES[name]
    np.testing.assert_allclose(ours()._v, raw(*args), rtol=1e-6)  # first calls are not compiled
    check_ratio(f"eager {name}", ours, lambda: raw(*args), 1.8)


def test_operator_with_a_python_number():
    raw = jax.jit(lambda a: a * 2.0)
    array = X._v
    check_ratio("eager x * 2.0 (number is dynamic)", lambda: X * 2.0, lambda: raw(array), 1.8)


def _seconds(code: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, time.perf_counter() - start)
    return best


def test_import_time():
    for _ in range(3):
        ours, reference = _seconds("import ms_compat"), _seconds("import jax")
        if ours <= reference + 0.3:
            break
    note("import ms_compat / import jax", ours, reference, "+ 0.3 s")
    assert ours <= reference + 0.3, f"import ms_compat {ours:.2f} s, import jax {reference:.2f} s"
    assert ms.Tensor is Tensor
