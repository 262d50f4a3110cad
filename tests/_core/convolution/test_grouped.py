"""Convolutions in groups as other programs: equal to XLA's own, whatever transforms them."""

from tests import processes
from tests._core.convolution.values import CASES

KEPT = {"depthwise, a large kernel", "many groups", "many groups, dilated"}  # some of whose convolutions are XLA's


def test_values_are_xlas_for_every_transformation():
    """In a process of its own: another lowering of JAX's primitive stays for the life of a process."""
    told = processes.told("-m", "tests._core.convolution.values", "groups", MS_COMPAT_ONEDNN="0")
    for name, (error, same, calls, left, _) in told["differences"].items():
        assert error < 1e-5, name
        assert same, name
        assert calls == 0, name
        assert (left > 0) == (name in KEPT), name
    assert len(told["differences"]) == len(CASES)
    assert told["left"] == dict.fromkeys(("bfloat16", "float16", "two devices", "exported"), [0, 1])


ENDED = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from ms_compat._core.convolution import lowering

lowering.use()
random = np.random.RandomState(0)
for groups in (1, 2):
    x, w = random.randn(2, 2, 4, 4).astype(np.float32), random.randn(6, 2 // groups, 2, 3).astype(np.float32)
    conv = lambda x: lax.conv_general_dilated(x, w, (2, 2), ((1, 1), (1, 1)), feature_group_count=groups)
    dy = random.randn(*jax.eval_shape(conv, x).shape).astype(np.float32)
    wanted = np.zeros((2, 2, 6, 6))
    for n, o, i, j in np.ndindex(dy.shape):
        first = 2 // groups * (o // (6 // groups))
        wanted[n, first : first + 2 // groups, 2 * i : 2 * i + 2, 2 * j : 2 * j + 3] += dy[n, o, i, j] * w[o]
    found = jax.jit(lambda x, dy: jax.vjp(conv, x)[1](dy)[0])(x, dy)
    np.testing.assert_allclose(found, wanted[:, :, 1:5, 1:5], rtol=1e-4, atol=1e-5)
print("end")
"""


def test_a_gradient_that_ends_the_process_in_xla():
    """XLA's compiler aborts for it: a kernel of 2 with a stride of 2 along an axis, and a longer one along another."""
    done = processes.run("-c", ENDED, MS_COMPAT_ONEDNN="0", MS_COMPAT_CACHE="0")
    assert done.stdout == "end\n", done.stderr
