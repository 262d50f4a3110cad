"""What writes in place does so in compiled code as in MindSpore's: `+=` and its kind, `x.add_(y)`, `x[i] = value`."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests._compile import in_place_programs as programs

DATA = Path(__file__).parents[1] / "conformance" / "data"
RECORDED = json.loads((DATA / "in_place.json").read_text())
AUGMENTED = json.loads((DATA / "augmented.json").read_text())
# it returns the argument beside its other name, which alone lets MindSpore's caller see the write, but not its gradient
CALLERS_TENSOR_STAYS = {"in_branches_of_a_loop"}


@pytest.mark.parametrize("function", programs.FUNCTIONS, ids=lambda f: f.__name__)
def test_a_compiled_function_and_its_gradient_write_as_mindspore(function):
    wanted, found = RECORDED[function.__name__], programs.of_function(function)
    if function.__name__ in CALLERS_TENSOR_STAYS:
        assert [out for out, _ in found["calls"]] == [out for out, _ in wanted["calls"]]
        assert found["gradient"] == wanted["gradient"]
    else:
        assert found["calls"] == wanted["calls"]
        assert close(found["gradient"], wanted["gradient"])


@pytest.mark.parametrize("kind", programs.CELLS, ids=lambda kind: kind.__name__)
def test_a_cell_and_its_gradient_write_as_mindspore(kind):
    wanted, found = RECORDED[kind.__name__], programs.of_cell(kind)
    assert close(found["calls"], wanted["calls"])
    assert close(found["gradient"], wanted["gradient"])


def close(a, b):
    """Whether two answers are equal, floats to six digits."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    return a == pytest.approx(b, rel=1e-6) if isinstance(a, float) and isinstance(b, float) else a == b


SIGNS = {}
for _sign in ("+", "-", "*", "/", "//", "%"):
    exec(f"def f(x, y):\n    w = x\n    x {_sign}= y\n    return x, w\n", SIGNS)
    SIGNS[_sign] = SIGNS.pop("f")


@pytest.mark.parametrize("sign", AUGMENTED["values"])
def test_the_dtype_stays_and_the_operand_is_cast(sign):
    compiled = ms.jit(SIGNS[sign])
    numbers = {"int": 2, "float": 1.5, "bool": True}
    for case, wanted in AUGMENTED["values"][sign].items():
        left, right = case.split()
        x = Tensor(np.array([7, 5]), getattr(ms, left))
        y = numbers.get(right) or Tensor(np.array([2, 3]), getattr(ms, right))
        try:
            value, other = compiled(x, y)
        except Exception as error:
            assert type(error).__name__ == wanted, case
            continue
        assert value.dtype == getattr(ms, left), case
        for found in (value, other, x):
            got = np.real(found.astype(ms.complex64).asnumpy()).tolist()
            # XLA divides by a constant as it multiplies by its inverse, which can differ in Float16's last digit.
            assert np.allclose(got, wanted, rtol=1e-3) if left == "float16" else close(got, wanted), case


@pytest.mark.parametrize("sign", AUGMENTED["shapes"])
def test_the_shape_stays(sign):
    for case, wanted in AUGMENTED["shapes"][sign].items():
        left, right = map(tuple, json.loads(case))
        x, y = Tensor(np.full(left, 7.0), ms.float32), Tensor(np.full(right, 2.0), ms.float32)
        if isinstance(wanted, str):
            with pytest.raises({"RuntimeError": RuntimeError, "ValueError": ValueError}[wanted]):
                ms.jit(SIGNS[sign])(x, y)
        else:
            assert ms.jit(SIGNS[sign])(x, y)[0].asnumpy().tolist() == wanted


def test_in_pynative_mode_augmented_assignment_makes_a_new_tensor():
    x = Tensor([1.0, 2.0])
    y = x
    y += 1
    assert y is not x
    assert x.asnumpy().tolist() == [1.0, 2.0]


def test_a_write_into_an_argument_reaches_every_view_of_the_callers_tensor():
    whole = Tensor(np.zeros((2, 2)), ms.float32)
    row = whole[0]

    @ms.jit
    def f(x):
        x += 1
        return x.sum()

    assert float(f(row)) == 2.0
    assert whole.asnumpy().tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_a_write_into_a_parameter_that_is_an_argument_reaches_it():
    parameter = ms.Parameter(Tensor([1.0, 2.0]), name="p")

    @ms.jit
    def f(x):
        x *= 3
        return x.sum()

    assert float(f(parameter)) == 9.0
    assert parameter.asnumpy().tolist() == [3.0, 6.0]


def test_a_function_that_runs_in_python_writes_into_the_callers_tensor():
    @ms.jit
    def f(x, y):
        x += y
        y[0] = 50
        if float(np.asarray(x.asnumpy())[0]) > 0:  # breaks the compilation
            x.add_(1)
        return x + y

    x, y = Tensor([1.0, 2.0]), Tensor([10.0, 20.0])
    for step in range(1, 3):
        assert f(x, y).asnumpy().tolist() == [1.0 + 10 * step + step + 50, 2.0 + 20 * step + step + 20]
        assert x.asnumpy().tolist() == [1.0 + 11 * step, 2.0 + 21 * step]
        assert y.asnumpy().tolist() == [10.0, 20.0]


def test_the_gradient_through_an_argument_that_a_compiled_function_has_written():
    @ms.jit
    def f(x, y):
        x *= y
        return x.sum()

    def outside(x, y):
        z = x * 1
        return f(z, y) + (z * z).sum()  # z is x * y after the call

    dx, dy = ms.grad(outside, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 5.0]))
    assert dx.asnumpy().tolist() == [3.0 + 2 * 3.0 * 3.0, 5.0 + 2 * 10.0 * 5.0]
    assert dy.asnumpy().tolist() == [1.0 + 2 * 3.0 * 1.0, 2.0 + 2 * 10.0 * 2.0]


def test_padded_calls_write_into_the_callers_tensor():
    @ms.jit
    def f(x):
        x += 1
        return ops.relu(x)

    for length in range(2, 14):
        x = Tensor(np.arange(length) - 3.0, ms.float32)
        out = f(x)
        assert x.asnumpy().tolist() == (np.arange(length) - 2.0).tolist()
        assert out.shape == (length,)


def branch(x, y):
    if y.sum() > 0:
        x += 1
    return x


def branch_on_the_argument(x, y):
    if x.sum() > 0:
        x += 1
    return x


def pure_branch_before(x, y):
    if y.sum() > 0:
        y = y * 2
    x += 1
    return x + y


def used_before(x, y):
    z = x * 2
    if y.sum() > 0:
        x.add_(1)
    return x + z


def loop_before(x, y):
    i = y.sum()
    while i > 0:
        i = i - 10
    x += 1
    return x + i


def loop_after(x, y):
    x += 1
    i = y.sum()
    while i > 0:
        i = i - 10
    return x + i


# whether the caller's Tensor is written: where control flow comes first, MindSpore runs the rest on a copy
REACHES = {
    branch: False,
    branch_on_the_argument: True,
    pure_branch_before: True,
    used_before: True,
    loop_before: False,
    loop_after: True,
}


@pytest.mark.parametrize("function", REACHES, ids=lambda f: f.__name__)
def test_an_argument_that_only_control_flow_uses_is_the_functions_own(function):
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    for step in range(1, 3):
        ms.jit(function)(x, y)
        assert x.asnumpy().tolist() == ([1.0 + step, 2.0 + step] if REACHES[function] else [1.0, 2.0])


def test_a_loop_on_tensors_leaves_the_callers_tensor_as_in_mindspore():
    @ms.jit
    def f(x, n):
        while n > 0:
            x += 1
            n -= 1
        return x

    x, n = Tensor([1.0, 2.0]), Tensor(3)
    assert f(x, n).asnumpy().tolist() == [4.0, 5.0]
    assert x.asnumpy().tolist() == [1.0, 2.0]


def test_a_training_step_that_writes_into_its_batch_is_traced_once():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 2)

        def construct(self, x):
            x += 1
            return self.dense(x).sum()

    net = Net()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    ms.set_context(mode=ms.GRAPH_MODE)
    step.set_train()
    for _ in range(4):
        x = Tensor(np.ones((2, 3)), ms.float32)
        step(x)
        assert x.asnumpy().tolist() == np.full((2, 3), 2.0).tolist()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert step._compiled.traces == 1


@ms.jit
def _first_is_five(a):
    a[0] = 5.0
    return a


def _twice(x):
    v = x * 1
    return v, _first_is_five(v)


class _FirstIsFive(nn.Cell):
    @ms.jit
    def construct(self, a):
        a[0] = 5.0
        return a


class _Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = _FirstIsFive()

    def construct(self, x):
        v = x * 1
        return v, self.inner(v)


@pytest.mark.parametrize(
    "run", [ms.jit(_twice), lambda x: _Outer()(x), ms.jit(lambda x: _twice(x))], ids=["jitted", "cell", "lambda"]
)
def test_a_compiled_function_inside_another_assigns_items_of_its_own(run, mode):
    before, after = run(Tensor([1.0, 2.0]))
    assert (before.asnumpy().tolist(), after.asnumpy().tolist()) == ([1, 2], [5, 2])


def test_a_compiled_function_under_a_transformation_assigns_items_of_its_own(mode):
    def f(x):
        before, after = _twice(x)
        return before + after

    x = Tensor([1.0, 2.0])
    assert ms.vmap(f)(x[None]).asnumpy().tolist() == [[6, 4]]
    assert [t.asnumpy().tolist() for t in ms.jvp(f, x, Tensor([1.0, 1.0]))] == [[6, 4], [1, 2]]
    assert ms.vjp(f, x)[0].asnumpy().tolist() == [6, 4]
    assert ms.grad(f)(x).asnumpy().tolist() == [1, 2]
    assert x.asnumpy().tolist() == [1, 2]


def test_a_function_that_runs_in_python_writes_into_copies_of_parts(mode):
    @ms.jit
    def f(a):
        part = a[0]
        part -= 5
        chosen = a[[0, 1]]
        chosen[0] = 8
        a[1] -= 2
        h = a * 1
        h[h < 0] *= -1  # as many elements as the values say: not compiled
        return h, part, chosen

    x = Tensor([3, -2], ms.int32)
    assert [t.asnumpy().tolist() for t in f(x)] == [[3, 4], -2, [8, -2]]
    assert x.asnumpy().tolist() == [3, -2]


def test_everything_of_a_tensor_is_the_tensor_in_compiled_code(mode):
    @ms.jit
    def f(a):
        whole = a[...]
        whole += 1
        return a * 1

    x = Tensor([3, -2], ms.int32)
    assert f(x).asnumpy().tolist() == x.asnumpy().tolist() == [4, -1]
