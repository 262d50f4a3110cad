"""What `Cell.flatten_weights` saves per call of a compiled function with 600 Parameters."""

import pytest

import ms_compat as ms
from ms_compat import Tensor
from tests.benchmarks.measure import check_ratio
from tests.benchmarks.test_compiled_call import COUNT, Many

pytestmark = pytest.mark.benchmark


@pytest.mark.parametrize(("update", "budget"), [(False, 0.9), (True, 0.9)], ids=["read", "changed"])
def test_a_call_gets_cheaper(update, budget):
    """Measured on a busy 2-core CPU with 300 Dense layers: forward 0.71, forward, backward and update 0.81."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        plain, flat = Many(update), Many(update)
        flat.flatten_weights()
        x = Tensor([1.0, 1.0, 1.0, 1.0])
        check_ratio(
            f"flatten_weights, {COUNT} Parameters {'changed' if update else 'read'}",
            lambda: flat(x)._v.block_until_ready(), lambda: plain(x)._v.block_until_ready(), budget, calls=20,
        )  # fmt: skip
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
