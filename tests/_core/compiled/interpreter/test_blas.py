"""Large interpreted products use one thread of BLAS, and what follows as many as before."""

import jax
import numpy as np
import pytest

from ms_compat._core.compiled.interpreter import blas
from ms_compat._core.compiled.interpreter.numpy_program import prepare, run

if not blas._libraries():
    pytest.skip("this NumPy's BLAS has no threads that can be counted", allow_module_level=True)

LIBRARY = blas._libraries()[0]
LARGE, SMALL = np.ones((64, 64), np.float32), np.ones((8, 8), np.float32)
IMAGE, KERNEL = np.ones((2, 16, 16, 16), np.float32), np.ones((16, 16, 3, 3), np.float32)


def convolved(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME")


def repeated(x, y):
    return jax.lax.scan(lambda c, _: (c @ y, None), x, None, length=2)[0]


@pytest.fixture(autouse=True)
def two_threads():
    former = LIBRARY.get_num_threads()
    LIBRARY.set_num_threads(2)
    yield
    LIBRARY.set_num_threads(former)


def threads_of_products(fn, inputs, monkeypatch):
    seen, matmul = [], np.matmul
    program = prepare(jax.make_jaxpr(fn)(*inputs))
    with monkeypatch.context() as patch:
        patch.setattr(np, "matmul", lambda *args, **out: seen.append(LIBRARY.get_num_threads()) or matmul(*args, **out))
        run(program, inputs)
    assert LIBRARY.get_num_threads() == 2
    return set(seen)


def test_large_products_use_one_thread(monkeypatch):
    for fn, inputs in ((jax.numpy.matmul, (LARGE, LARGE)), (convolved, (IMAGE, KERNEL)), (repeated, (LARGE, LARGE))):
        assert threads_of_products(fn, inputs, monkeypatch) == {1}
    assert threads_of_products(jax.numpy.matmul, (SMALL, SMALL), monkeypatch) == {2}


def test_the_last_of_several_threads_resets_the_number():
    first, second = blas.one_thread(), blas.one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert LIBRARY.get_num_threads() == 1
    second.__exit__(None, None, None)
    assert LIBRARY.get_num_threads() == 2


def test_an_error_resets_the_number():
    with pytest.raises(ValueError, match="within"), blas.one_thread():
        raise ValueError("within")
    assert LIBRARY.get_num_threads() == 2
