"""Short sequences on CPU: attention beside the plain formula by hand, which holds all scores, too.

Long ones are a matter of memory: tests/accelerators/test_attention.py.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark

HEADS, SIZE = 8, 64
LATER = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))


def by_hand(causal):
    def attention(q, k, v):
        scores = jnp.einsum("bnsd,bntd->bnst", q, k) * SIZE**-0.5
        if causal:
            scores = jnp.where(jnp.tri(q.shape[2], dtype=bool), scores, -jnp.inf)
        return jnp.einsum("bnst,bntd->bnsd", jax.nn.softmax(scores), v)

    return attention


def with_gradients(attention, gradient):
    def loss(*qkv):
        return (attention(*qkv) ** 2).mean()

    return gradient(loss)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("batch", "length"), [(4, 64), (2, 128), (1, 512)])
def test_attention_against_the_formula(batch, length, causal):
    draw = np.random.default_rng(0).standard_normal
    arrays = [draw((batch, HEADS, length, SIZE)).astype(np.float32) for _ in range(3)]
    tensors, given = [Tensor(x) for x in arrays], [jnp.asarray(x) for x in arrays]
    mask = {"attn_mask": LATER, "sparse_mode": 2} if causal else {}

    def attention(q, k, v):
        return ops.flash_attention_score(q, k, v, HEADS, scalar_value=SIZE**-0.5, input_layout="BNSD", **mask)

    forward, plain = ms.jit(attention), jax.jit(by_hand(causal))
    np.testing.assert_allclose(forward(*tensors).asnumpy(), plain(*given), rtol=1e-4, atol=1e-5)
    few, name = {"calls": 5, "rounds": 20, "slack": 1e-4}, f"attention {batch} x {length}{' causal' if causal else ''}"
    check_ratio(f"{name} forward / formula", lambda: forward(*tensors).asnumpy(),
                lambda: plain(*given).block_until_ready(), 1.1, **few)  # fmt: skip
    both = ms.jit(with_gradients(attention, lambda loss: ms.grad(loss, (0, 1, 2))))
    plainly = jax.jit(with_gradients(by_hand(causal), lambda loss: jax.grad(loss, (0, 1, 2))))
    check_ratio(f"{name} forward+backward / formula", lambda: [g.asnumpy() for g in both(*tensors)],
                lambda: jax.block_until_ready(plainly(*given)), 1.1, **few)  # fmt: skip
