"""What the outputs of a jaxpr need, with JAX's own elimination of dead code and without it."""

import jax
import numpy as np
import pytest

from ms_compat._core.jax_compat import jaxprs


@pytest.fixture(params=[True, False], ids=["by JAX", "by itself"])
def dead_code(request, monkeypatch):
    monkeypatch.setattr(jaxprs, "HAS_DCE", request.param)


def program(a, b, c):
    unused = a * b
    jax.debug.callback(lambda x: None, c)  # has an effect, so it stays
    return a + 1, unused.shape[0]


def test_inputs_and_equations_that_outputs_need(dead_code):
    x = np.ones(3, np.float32)
    assert jaxprs.inputs_read(lambda a, b: (a * 2, b.shape[0]), x, x) == [True, False]
    assert jaxprs.inputs_read(lambda a, b: a @ jax.jit(lambda x, y: x)(b, a), x, x) == [True, True]
    jaxpr = jax.make_jaxpr(program)(x, x, x).jaxpr
    assert [eqn.primitive.name for eqn in jaxprs.live_equations(jaxpr)] == ["debug_callback", "add"]
    assert jaxprs.inputs_read(program, x, x, x) == [True, False, True]
