"""Negative padding, for which XLA's kernels give wrong values on CPUs: the gradient by an input with wide padding."""

import jax
import numpy as np
from jax import lax

from ms_compat._core.convolution import lowering

PADS = ((4, 0), (3, 5))  # the kernel has 3 x 3 places


def test_a_gradient_is_the_sum_of_its_terms():
    random = np.random.RandomState(0)
    x, w = random.randn(2, 6, 9, 7).astype(np.float32), random.randn(8, 6, 3, 3).astype(np.float32)
    dy = random.randn(2, 8, 11, 13).astype(np.float32)
    wanted = np.zeros((2, 6, 13, 15))
    for i, j in np.ndindex(3, 3):
        wanted[:, :, i : i + 11, j : j + 13] += np.einsum("nohw,oc->nchw", dy.astype(np.float64), w[:, :, i, j])

    def gradient(dy, w):
        return jax.linear_transpose(lambda x: lax.conv_general_dilated(x, w, (1, 1), PADS), x)(dy)[0]

    (eqn,) = [e for e in jax.make_jaxpr(gradient)(dy, w).eqns if e.primitive is lax.conv_general_dilated_p]
    assert min(map(min, eqn.params["padding"])) < 0
    program = lowering._function_for(False, [v.aval for v in eqn.invars], eqn.outvars[0].aval, eqn.params)
    found = jax.jit(program)(dy, w[:, :, ::-1, ::-1])
    np.testing.assert_allclose(found, wanted[:, :, 4:, 3:10], rtol=1e-4, atol=1e-4)
