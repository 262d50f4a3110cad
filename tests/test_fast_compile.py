"""MLIR's contexts are shared by the programs of a thread, a number of them at a time, and JAX compiles with them."""

import threading

import jax
import numpy as np
from jax._src.interpreters import mlir

from tests import fast_compile


def test_a_context_serves_a_number_of_programs_of_one_thread():
    made = []
    contexts = fast_compile._Contexts()

    def take(count):
        return [contexts.take(lambda: made.append(0) or len(made)) for _ in range(count)]

    assert take(fast_compile.PROGRAMS + 1) == [1] * fast_compile.PROGRAMS + [2]
    other = []
    thread = threading.Thread(target=lambda: other.extend(take(2)))
    thread.start()
    thread.join()
    assert other == [3, 3] and take(1) == [2]


def test_jax_takes_them():
    first, second = (mlir.make_ir_context() for _ in range(2))
    assert hasattr(mlir.make_ir_context, "__wrapped__")
    others = {mlir.make_ir_context() for _ in range(fast_compile.PROGRAMS)}
    assert len(others | {first, second}) < 4
    found = [jax.jit(lambda x, n=n: x * n + np.arange(3.0))(np.ones(3)) for n in range(3)]
    np.testing.assert_array_equal(found, [[0, 1, 2], [1, 2, 3], [2, 3, 4]])
