"""Convolutions by other programs than XLA's, and by oneDNN, against its own in the same process.

Milliseconds of two cores, XLA and this package's program without oneDNN (26 November 2026, a busy machine, forward,
gradient by the input, gradient by the weights): 64 depthwise kernels of 3 x 3 on 16 x 64 x 32 x 32: 37, 38, 54 and 1.1,
1.4, 25; 32 groups of 4 channels on 8 x 128 x 28 x 28: 29, 29, 4,223 and 29, 29, 18; 2 groups of 32 channels on
16 x 64 x 32 x 32: 36, 38, 394 and 7.0, 6.5, 16. On two cores of an AMD EPYC (27 November 2026, quiet), forward: 1 input
and 32 outputs on 32 x 28 x 28: 1.4 and 0.4; 7 x 7 places on 4 x 512 x 512 with one output: 67 and 3.0. There, too,
without groups, XLA and ours: 64 to 64 channels on 16 x 32 x 32: 18, 20, 39 and 10, 10, 21 (PyTorch 9.5, 8.8, 15); 512
to 512 on 16 x 4 x 4: 14, 15, 18 and 9.3, 11, 12 (PyTorch 11, 8.2, 24); 32 to 32 with 3 x 3 x 3 places on 2 x 16 x 16 x
16: 16, 17, 38 and 7.7, 7.4, 7.0. XLA's kernel uses one core for up to 64 outputs.
"""

import pytest

from tests.benchmarks.measure import note, run_with_onednn

pytestmark = pytest.mark.benchmark
PROGRAM = """
import json, sys, time
import jax, numpy as np
import ms_compat
from jax import lax
from ms_compat._core.convolution import lowering

x_shape, w_shape, groups = json.loads(sys.argv[1])
random = np.random.RandomState(0)
x, w = (jax.numpy.asarray(random.randn(*shape).astype(np.float32)) for shape in (x_shape, w_shape))

def conv(x, w):
    axes = x.ndim - 2
    return lax.conv_general_dilated(x, w, (1,) * axes, ((1, 1),) * axes, feature_group_count=groups)

dy = conv(x, w)
calls = [
    conv,
    lambda x, w, dy: jax.vjp(lambda x: conv(x, w), x)[1](dy),
    lambda x, w, dy: jax.vjp(lambda w: conv(x, w), w)[1](dy),
]
given = [(x, w), (x, w, dy), (x, w, dy)]
by_xla = [jax.jit(call).lower(*values).compile() for call, values in zip(calls, given)]
lowering.use()
jax.clear_caches()
ours = [jax.jit(call).lower(*values).compile() for call, values in zip(calls, given)]
ratios = []
for first, second, values in zip(ours, by_xla, given):
    best = [9e9, 9e9]
    for _ in range(6):
        for k, f in enumerate((first, second)):
            start = time.perf_counter()
            jax.block_until_ready(f(*values))
            best[k] = min(best[k], time.perf_counter() - start)
    ratios.append(best)
print(json.dumps(ratios))
"""
CASES = {  # shapes and groups
    "depthwise": ((16, 64, 32, 32), (64, 1, 3, 3), 64),
    "32 groups": ((8, 128, 28, 28), (128, 4, 3, 3), 32),
    "2 groups": ((16, 64, 32, 32), (64, 32, 3, 3), 2),
    "one input": ((32, 1, 28, 28), (32, 1, 3, 3), 1),
    "no groups": ((16, 64, 32, 32), (64, 64, 3, 3), 1),
    "three axes": ((2, 32, 16, 16, 16), (32, 32, 3, 3, 3), 1),
    "many channels": ((16, 512, 4, 4), (512, 512, 3, 3), 1),
}
# How much of XLA's time is allowed: forward, gradient by the input, gradient by the weights.
BUDGETS = {
    "0": {"depthwise": (0.2, 0.2, 0.8), "32 groups": (1.1, 1.1, 0.05), "2 groups": (0.5, 0.5, 0.2),
          "one input": (0.7, None, None), "no groups": (0.8, 0.8, 0.9), "many channels": (0.9, 0.9, 0.9),
          "three axes": (0.6, 0.6, 0.6)},
    "1": {"depthwise": (0.2, 0.2, 0.2), "32 groups": (0.3, 0.3, 0.05), "2 groups": (0.4, 0.4, 0.1),
          "no groups": (1.1, 1.1, 0.5)},
}  # fmt: skip


@pytest.mark.parametrize(("onednn", "name"), [(onednn, name) for onednn in BUDGETS for name in BUDGETS[onednn]])
def test_share_of_xlas_time(onednn, name):
    found = run_with_onednn(onednn, PROGRAM, CASES[name])
    for what, budget, (ours, by_xla) in zip(
        ("forward", "by the input", "by the weights"), BUDGETS[onednn][name], found, strict=True
    ):
        if budget is None:
            continue  # XLA's own
        note(f"{name}, {what}{', oneDNN' if onednn == '1' else ''} / XLA", ours, by_xla, f"<= {budget}")
        assert ours <= budget * by_xla, what
