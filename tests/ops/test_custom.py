"""Custom operations of Python functions."""

import subprocess
import sys
import traceback

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_a_custom_function_must_keep_its_promise_and_needs_a_bprop():
    wrong = ops.Custom(lambda x: x.astype(np.float64), lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="promised"):
        wrong(Tensor(X))
    plain = ops.Custom(lambda x: x, lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(RuntimeError, match="bprop"):
        ms.grad(lambda x: plain(x).sum())(Tensor(X))


class Net(nn.Cell):
    def __init__(self, *args):
        super().__init__()
        self.op = ops.Custom(*args)

    def construct(self, *inputs):
        return self.op(*inputs)


def test_what_the_function_gets_and_may_return(mode):
    """As recorded from MindSpore 2.10 in both modes."""
    seen = []

    def writes(a):
        a[0, 0] = 50
        return a

    def looks(*given):
        seen.append([type(g).__name__ for g in given])
        return given[0]

    x = Tensor(X)
    assert Net(writes, (2, 3), ms.float32)(x).asnumpy()[0, 0] == 50 and x.asnumpy()[0, 0] == 1.5
    Net(looks, (2, 3), ms.float32)(x, Tensor(3.0), Tensor(3), 3, 1.5).asnumpy()
    assert seen == [["ndarray", "float", "int", "int", "float"]]
    for function, shape, dtype, expected in (
        (lambda a: a.sum(), (), ms.float32, [5.0]),
        (lambda a: 3, (), ms.int32, [3]),
        (lambda a: 3, (), ms.float32, [3.0]),
        (lambda a: a.reshape(3, 2), (2, 3), ms.float32, X.tolist()),
        (lambda a: (a,), (2, 3), ms.float32, X.tolist()),
        (lambda a: Tensor(a), (2, 3), ms.float32, X.tolist()),
        (lambda a: a, lambda s: s, lambda t: t.element_type(), X.tolist()),
    ):
        out = Net(function, shape, dtype)(x)
        assert out.asnumpy().tolist() == expected
        assert not isinstance(dtype, type(ms.float32)) or out.dtype == dtype
    (one,) = Net(lambda a: a, ((2, 3),), (ms.float32,))(x)
    assert one.asnumpy().tolist() == X.tolist()


@pytest.mark.parametrize("func_type", ["pyfunc", "hybrid"])
def test_dtypes_that_reg_info_does_not_list_are_type_errors(func_type, mode):
    """As in MindSpore 2.10, which writes a result of another dtype as zeros; here that is an error, too."""
    f32 = ops.DataType.F32_Default
    info = ops.CustomRegOp("k").input(0, "x").output(0, "y").dtype_format(f32, f32).target("CPU").get_op_info()
    function = ops.kernel(lambda a: a) if func_type == "hybrid" else lambda a: a

    def run(given, promised):
        op = ops.Custom(function, (2, 3), promised, func_type, reg_info=info)
        return op(Tensor(X, given)).asnumpy().tolist()

    assert run(ms.float32, ms.float32) == X.tolist()
    for given, promised in ((ms.int32, ms.int32), (ms.int32, ms.float32), (ms.float32, ms.int32)):
        with pytest.raises(TypeError):
            run(given, promised)


def test_a_function_without_results_gives_one_int32(mode):
    seen = []
    out = Net(lambda a: seen.append(a.tolist()), (), ())(Tensor(X))
    assert (out.shape, out.dtype) == ((1,), ms.int32)
    assert out.asnumpy().size == 1 and seen == [X.tolist()]


@pytest.mark.parametrize(
    "args, error",
    [
        ((len,), TypeError),
        ((len, (2, 3)), TypeError),
        ((len, 3, ms.float32), TypeError),
        ((len, (2, 3), "float32"), TypeError),
        (("abc", (2, 3), ms.float32), TypeError),
        ((len, (2, 3), (ms.float32,)), RuntimeError),
        ((len, ((2, 3),), ms.float32), RuntimeError),
        ((lambda a: (a, a), (2, 3), ms.float32), RuntimeError),
        ((lambda a: a, lambda a, b: a, lambda a: a), TypeError),
    ],
)
def test_wrong_promises_are_refused_at_the_call(args, error, mode):
    net = Net(*args)
    with pytest.raises(error):
        net(Tensor(X)).asnumpy()


@pytest.mark.parametrize("func_type", ["nope", None, 3, "julia"])
def test_kinds_that_mindspore_does_not_have_are_value_errors(func_type):
    with pytest.raises(ValueError, match="func_type"):
        ops.Custom(len, (1,), ms.float32, func_type)


_READS_WHAT_THE_STEP_CHANGES = """
import jax
import numpy as np
import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

weight = Parameter(Tensor(np.zeros(3, np.float32)), name="w")
seen = []

def reads(x):
    seen.append(float(weight.asnumpy()[0]))
    return x

call = ops.Custom(reads, lambda x: x, lambda x: x, bprop=lambda x, out, dout: (dout,), func_type="pyfunc")

@ms.jit
def assigns(x):
    ops.assign(weight, weight + call(x))
    return weight.sum()

@ms.jit
def nested(x):
    return assigns(x) * 2

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight

    def construct(self, x):
        return (self.w * call(x)).sum()

x = Tensor(np.ones(3, np.float32))
for _ in range(12):
    assigns(x)
assert seen == [float(i) for i in range(12)], seen
for _ in range(11):
    nested(x)
assert seen == [float(i) for i in range(23)], seen
step = nn.TrainOneStepCell(Net(), nn.SGD([weight], 1.0))
ms.set_context(mode=ms.GRAPH_MODE)
for _ in range(11):
    step(x)
assert seen == [*map(float, range(23)), *[23.0 - i for i in range(11)]], seen
"""


def test_the_function_may_read_a_parameter_that_the_compiled_step_changes():
    """It gets the value before the step. In a process of its own, as waiting for the step's end would never end."""
    subprocess.run([sys.executable, "-c", _READS_WHAT_THE_STEP_CHANGES], check=True, timeout=600)


class Mine(ValueError):
    """The user's own exception."""


def fails_for_negative(a):
    if a.sum() < 0:
        raise Mine("the sum is negative")
    return a * 2


class Counting(nn.Cell):
    """Calls the function between two changes of a Parameter, and in a loop."""

    def __init__(self):
        super().__init__()
        self.op = ops.Custom(fails_for_negative, lambda s: s, lambda d: d, bprop=lambda x, out, dout: (dout * 2,))
        self.count = ms.Parameter(Tensor(0.0), name="count")

    def construct(self, x):
        self.count += 1.0
        out = self.op(x * self.count / self.count)
        self.count += 1.0
        while out.sum() < 10:  # zeros instead of a result would go round for ever
            out = self.op(out)
        return out


def names_of(trace):
    return [entry.name for entry in traceback.extract_tb(trace)]


def test_an_exception_of_the_function_is_raised_as_it_is(mode):
    net, good, bad = Counting(), Tensor([4.0, 2.0]), Tensor([-4.0, 2.0])
    for count in (1.0, 4.0, 7.0):  # interpreted or compiled
        with pytest.raises(Mine, match="^the sum is negative$") as caught:
            net(bad)
        assert names_of(caught.tb)[-1] == "fails_for_negative"
        assert float(net.count) == count  # as Python ends at the exception
        assert net(good).asnumpy().tolist() == [8.0, 4.0] and float(net.count) == count + 2


def test_an_exception_in_a_gradient_leaves_the_weights(mode):
    net = Counting()
    with pytest.raises(Mine):
        ms.grad(net, None, net.trainable_params())(Tensor([-4.0, 2.0]))
    assert float(net.count) == 1.0
    with pytest.raises(Mine):
        ms.vmap(lambda x: net.op(x))(Tensor([[1.0], [-1.0]]))
    assert ms.vmap(lambda x: net.op(x))(Tensor([[1.0], [1.0]])).asnumpy().tolist() == [[2.0], [2.0]]


def test_a_failed_check_in_vmap_is_raised_there(mode):
    """And not by a later compiled function."""
    check = ops.CheckNumerics()
    with pytest.raises(RuntimeError, match="NaN"):
        ms.vmap(lambda x: check(x))(Tensor([[1.0], [float("nan")]]))
    assert Counting()(Tensor([4.0, 2.0])).shape == (2,)


def test_an_exception_in_a_function_of_jax():
    """JAX raises its own error there: nobody takes the user's from a program that JAX alone runs."""
    op = ops.Custom(fails_for_negative, lambda s: s, lambda d: d)
    with pytest.raises(RuntimeError, match="the sum is negative"):
        jax.block_until_ready(jax.jit(lambda a: op(Tensor(a))._v)(np.float32([-1.0])))
