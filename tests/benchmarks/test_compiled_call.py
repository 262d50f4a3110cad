"""What a compiled Cell costs per call over a raw jit of the same program, with 600 Parameters."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from tests.benchmarks.measure import TABLE, fastest

pytestmark = pytest.mark.benchmark

COUNT = 600


class Many(nn.Cell):
    def __init__(self, update):
        super().__init__()
        self.weights = [Parameter(Tensor(np.ones(4, np.float32)), name=f"w{i}") for i in range(COUNT)]
        for p in self.weights:
            self.insert_param_to_cell(p.name, p)
        self.update = update

    def construct(self, x):
        for p in self.weights:
            x = x + p
            if self.update:
                ops.assign(p, p + 1.0)
        return x


@pytest.mark.parametrize("update", [False, True], ids=["read", "changed"])
def test_overhead_per_parameter(update):
    def program(weights, x):
        for w in weights:
            x = x + w
        return x, [w + 1.0 for w in weights] if update else None

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Many(update)
        x = Tensor(np.ones(4, np.float32))
        raw = jax.jit(program, donate_argnums=(0,) if update else ())
        held = [p._v + 0 for p in net.get_parameters()]

        def by_hand():
            nonlocal held
            _, new = raw(held, x._v)
            held = new if update else held

        for _ in range(4):
            ours, reference = fastest([lambda: net(x), by_hand], 20, 30)
            overhead = (ours - reference) / COUNT
            if overhead <= 1.5e-6:
                break
        kind = "changed" if update else "read"
        TABLE.append(
            (f"compiled Cell, {COUNT} Parameters {kind}", f"{overhead * 1e6:.2f} us each", "-", "-", "<= 1.5 us each")
        )
        assert overhead <= 1.5e-6
        assert net._compiled_function().traces == 1
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
