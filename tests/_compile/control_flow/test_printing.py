"""`print` and `ops.Print` in compiled functions; the lines are those that MindSpore 2.10 prints on a CPU."""

import threading

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X = Tensor([1.0, 2.0])
SHOWN = "Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00])"
THIRDS = """Tensor(shape=[2, 3], dtype=Float32, value=
[[ 0.00000000e+00  3.33333343e-01  6.66666687e-01]
 [ 1.00000000e+00  1.33333337e+00  1.66666663e+00]])"""
CUBE = """Tensor(shape=[2, 2, 3], dtype=Int32, value=
[[[ 0  1  2]
  [ 3  4  5]]
 [[ 6  7  8]
  [ 9 10 11]]])"""
SQUARE = """Tensor(shape=[10, 10], dtype=Int32, value=
[[ 0  1  2 ...  7  8  9]
 [10 11 12 ... 17 18 19]
 [20 21 22 ... 27 28 29]
 ...
 [70 71 72 ... 77 78 79]
 [80 81 82 ... 87 88 89]
 [90 91 92 ... 97 98 99]])"""
LONG = """Tensor(shape=[14], dtype=Float32, value=[ 0.00000000e+00  1.00000000e+00  2.00000000e+00  3.00000000e+00  \
4.00000000e+00  5.00000000e+00  6.00000000e+00  7.00000000e+00  8.00000000e+00  9.00000000e+00  1.00000000e+01  \
1.10000000e+01 \n  1.20000000e+01  1.30000000e+01])"""


def printed(capsys):
    jax.effects_barrier()
    return capsys.readouterr().out


@ms.jit
def shown(x):
    print(x)
    return x


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ([1.0, 2.0], SHOWN),
        (np.arange(6, dtype=np.float32).reshape(2, 3) / 3, THIRDS),
        (np.arange(12, dtype=np.int32).reshape(2, 2, 3), CUBE),
        (np.arange(100, dtype=np.int32).reshape(10, 10), SQUARE),
        (np.arange(14, dtype=np.float32), LONG),
        (np.array([True, False]), "Tensor(shape=[2], dtype=Bool, value=[ True False])"),
        (np.array([1, 2], np.float16), "Tensor(shape=[2], dtype=Float16, value=[ 1.0000e+00  2.0000e+00])"),
        (np.array([1e5, -123], np.int64), "Tensor(shape=[2], dtype=Int64, value=[100000   -123])"),
        (
            np.array([-1e20, 3.5, np.nan, np.inf], np.float32),
            "Tensor(shape=[4], dtype=Float32, value=[-1.00000002e+20  3.50000000e+00             nan             inf])",
        ),
        (np.array([1 + 2j], np.complex64), "Tensor(shape=[1], dtype=Complex64, value=[1+2j])"),
        (2.5, "2.5"),
        (np.float32(123456.789), "123457"),
        (np.float32(1e20), "1e+20"),
        (np.float64(1 / 3), "0.333333"),
        (np.bool_(True), "1"),
    ],
)
def test_a_tensor_prints_as_recorded(value, lines, capsys):
    shown(Tensor(value))
    assert printed(capsys) == lines + "\n"


def test_every_argument_has_its_lines_in_the_order_of_the_calls(capsys):
    @ms.jit
    def step(x):
        print("x is", x, 3, True, None, 1.5)
        print((1, (x, 2)))
        print({"a": x})
        print(x.shape, x.dtype)
        ops.Print()("sum", x.sum())
        return x

    expected = ["x is", SHOWN, "3", "1", "None", "1.5", "1", SHOWN, "2", SHOWN, "(2)", "Float32", "sum", "3"]
    for _ in range(2):  # at every run, not once for the trace
        step(X)
        assert printed(capsys).splitlines() == expected


def test_prints_in_loops_and_branches_say_what_runs(capsys):
    @ms.jit
    def doubled(x):
        while x.sum() < 10:
            print("once more", x.sum())
            x = x * 2
        if x.sum() > 11:
            print("large")
        else:
            print("small")
        return x

    doubled(X)
    assert printed(capsys).split("\n") == ["once more", "3", "once more", "6", "large", ""]


def test_a_parameter_prints_the_value_it_has_then(capsys):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0, ms.int32), name="count")

        def construct(self):
            self.count += 1
            print(self.count)
            return self.count

    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            self.counter = Counter()

        def construct(self):
            return self.counter() + self.counter()

    twice = Twice()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        twice(), twice()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert printed(capsys) == "1\n2\n3\n4\n"


def test_keywords_of_print_ask_for_its_own_format(capsys):
    @ms.jit
    def step(x):
        print("x:", x, sep="=", end="!\n")
        return x

    step(X)
    assert printed(capsys) == "x:=[1. 2.]!\n"


def test_prints_under_vmap_show_every_element(capsys):
    @ms.jit
    def doubled(x):
        def one(item):
            print("one:", item)
            return item * 2

        return ms.vmap(one)(x)

    doubled(X)
    assert sorted(printed(capsys).split()) == ["1", "2", "one:", "one:"]


def test_python_has_its_own_print_again_after_a_trace(capsys):
    own = print

    @ms.jit
    def failing(x):
        own("traced")  # taken before: calls Python's, at the trace
        assert print is not own
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        failing(X)
    assert print is own
    assert printed(capsys) == "traced\n"


def test_other_threads_print_as_ever_while_a_trace_is_open(capsys):
    @ms.jit
    def step(x):
        thread = threading.Thread(target=print, args=("other", 1))
        thread.start()
        thread.join()
        return x

    step(X), step(X)
    assert printed(capsys) == "other 1\n"
