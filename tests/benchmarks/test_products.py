"""Products of matrices against XLA's own in the same process: gradients by weights without oneDNN, and all by oneDNN.

Milliseconds of CPU time on one core of a busy machine (27 November 2026): 1,024 x 256 sums of 1,024 terms, both
operands in columns: XLA 6.0, the other order 4.3, oneDNN 4.1; of a batch: 12.0, 4.6, 3.8; in rows: 3.8, oneDNN 3.5.
Wall time without AVX-512, of two cores of an AMD EPYC: the first of these: XLA 4.8, the other order 4.7, oneDNN 8.4
(it is not used then); attention's batches of 32: 1.0, oneDNN 0.6.
"""

import pytest

from tests.benchmarks.measure import note, run_with_onednn

pytestmark = pytest.mark.benchmark
PROGRAM = """
import json, sys, time
import jax, numpy as np
from ms_compat._core.products import lowering as products

left, right, contracted, batched = json.loads(sys.argv[1])
random = np.random.RandomState(0)
a, b = (jax.numpy.asarray(random.randn(*shape).astype(np.float32)) for shape in (left, right))

def product(a, b):
    return jax.lax.dot_general(jax.numpy.maximum(a, 0), jax.numpy.maximum(b, 0), (contracted, batched))

by_xla = jax.jit(product).lower(a, b).compile()
products.use()
jax.clear_caches()
ours = jax.jit(product).lower(a, b).compile()
best = [9e9, 9e9]
for _ in range(60):
    for k, f in enumerate((ours, by_xla)):
        start = time.process_time()
        f(a, b).block_until_ready()
        best[k] = min(best[k], time.process_time() - start)
print(json.dumps(best))
"""
# The operands' shapes, their contracted axes and those of the batch, shares of XLA's CPU time without and with oneDNN.
CASES = {
    "gradient by a weight": ((1024, 1024), (1024, 256), ((0,), (0,)), ((), ()), 0.8, 0.8),
    "of a batch": ((8, 128, 1024), (8, 128, 256), ((0, 1), (0, 1)), ((), ()), 0.6, 0.6),
    "of few columns": ((1024, 512), (1024, 64), ((0,), (0,)), ((), ()), 0.75, 0.75),
    "rows": ((1024, 1024), (1024, 256), ((1,), (0,)), ((), ()), None, 1.0),
    "attention": ((32, 128, 64), (32, 64, 128), ((2,), (1,)), ((0,), (0,)), None, 1.0),
}


@pytest.mark.parametrize(("onednn", "name"), [(onednn, name) for onednn in "01" for name in CASES])
def test_share_of_xlas_cpu_time(onednn, name):
    *case, without, by_onednn = CASES[name]
    budget = by_onednn if onednn == "1" else without
    if budget is None:
        pytest.skip("XLA's own")
    for _ in range(3):
        ours, by_xla = run_with_onednn(onednn, PROGRAM, case)
        if ours <= budget * by_xla:
            break
    note(f"product: {name}{', oneDNN' if onednn == '1' else ''} / XLA", ours, by_xla, f"<= {budget}")
    assert ours <= budget * by_xla
