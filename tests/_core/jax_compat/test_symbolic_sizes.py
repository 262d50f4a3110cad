"""JAX's class of symbolic sizes is replaced while a region needs it, and answers as before in other threads."""

import subprocess
import sys
import threading

import pytest
from jax._src.export import shape_poly

from ms_compat._core.compiled.interpreter.sizes import SymbolicSizes
from ms_compat._core.jax_compat import SizeWatch, is_symbolic_size, is_watched, size_at, symbols_of

METHODS = ("__eq__", "__ne__", "__bool__", "__hash__", "__getattribute__")


def state():
    return [shape_poly._DimExpr.__dict__.get(name) for name in METHODS], shape_poly._geq_decision


def in_a_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_importing_and_computing_replaces_nothing_of_jax():
    program = """
import jax
from jax._src.export import shape_poly
from jax._src.interpreters import mlir
def state():
    return dict(vars(shape_poly._DimExpr)), shape_poly._geq_decision
before, types = state(), dict(mlir.ir_type_handlers)
import ms_compat as ms
assert mlir.ir_type_handlers == types
print(ms.ops.add(ms.Tensor([1.0]), 1), ms.jit(lambda x: x * 2)(ms.Tensor([2.0])))
assert state() == before
for _ in range(20):
    ms.ops.add(ms.Tensor([1.0]), 1)
assert state() == before
assert mlir.ir_type_handlers != types  # by the first program of this package
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[2.] [4.]\n"), done.stderr


def test_a_region_inside_or_beside_another_answers_what_only_the_other_replaces_as_jax_does():
    sizes = SymbolicSizes([7])
    (n,) = sizes.symbols
    plain = hash(n), bool(n)
    with SizeWatch({"n0": 5}):
        with sizes.deciding():
            assert (hash(n), bool(n)) == plain

        def beside():
            with sizes.deciding():
                return hash(n), bool(n)

        assert in_a_thread(beside) == plain


def test_regions_of_both_kinds_nest_and_restore_jaxs_methods():
    before = state()
    (n,) = symbols_of(1)
    sizes = SymbolicSizes([7])
    with SizeWatch({"n0": 5}) as watch:
        assert isinstance(n, int) and n > 3 and n != 5
        with sizes.deciding():
            assert sizes.symbols[0] == 7 and not sizes.symbols[0] >= 8
            assert not isinstance(n, int)
        assert isinstance(n, int)
        assert not is_symbolic_size(5) and is_watched((1, n))
    assert state() == before
    assert not is_watched((1, n))
    assert watch.holds({"n0": 4}) and not watch.holds({"n0": 5}) and not watch.holds({"n0": 3})
    assert sizes.holds(lambda size: size_at(size, {"n0": 7})) and not sizes.holds(lambda size: size_at(size, {"n0": 9}))


@pytest.mark.parametrize("leaves_first", ["the watch", "the other"])
def test_other_threads_get_jaxs_answers(leaves_first):
    before = state()
    (n,) = symbols_of(1)
    with SizeWatch({"n0": 5}) as watch:
        assert in_a_thread(lambda: (isinstance(n, int), n == 5, hash(n) == hash(n), is_watched(n))) == (
            False,
            False,
            True,
            False,
        )
        with pytest.raises(shape_poly.InconclusiveDimensionOperation):
            in_a_thread_raising(lambda: n >= 3)
        assert watch.holds({"n0": 5})  # nothing was noted for the other thread
    entered, leave = threading.Event(), threading.Event()

    def other():
        with SizeWatch({"n0": 9}):
            entered.set()
            leave.wait(60)
            return n >= 8

    found = []
    thread = threading.Thread(target=lambda: found.append(other()))
    with SizeWatch({"n0": 5}):
        thread.start()
        entered.wait(60)
        assert not n >= 8
        if leaves_first == "the other":
            leave.set()
            thread.join()
            assert isinstance(n, int)
    assert state() == before if leaves_first == "the other" else state() != before
    leave.set()
    thread.join()
    assert found == [True]
    assert state() == before


def in_a_thread_raising(function):
    """The result of a function in another thread, or its exception."""

    def attempt():
        try:
            return function(), None
        except Exception as error:
            return None, error

    result, error = in_a_thread(attempt)
    if error is not None:
        raise error
    return result


def test_a_size_cannot_be_hashed_or_compared_with_a_float_where_python_runs_on_symbols():
    (n,) = symbols_of(1)
    with SizeWatch({"n0": 5}):
        with pytest.raises(TypeError, match="key of a dict"):
            assert {n: 1}
        with pytest.raises(TypeError, match="compared with a float"):
            assert n == 5.0
        assert n
    assert {n: 1}[n] == 1
