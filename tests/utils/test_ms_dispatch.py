"""`MsDispatchMode`; the names of operations and the results were recorded with MindSpore 2.10."""

import threading

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops, utils

# Expressions, and the primitives that MindSpore's mode sees.
NAMES = {
    "x + 1": "AddExt", "x - 1": "SubExt", "x * y": "Mul", "x * 2": "Muls", "x / y": "Div", "x @ y": "MatMulExt",
    "x ** 2": "Pow", "-x": "Neg", "x == y": "Equal", "x.add_(1)": "AddExt", "x.astype(ms.int32)": "Cast",
    "x.reshape(2, 1)": "Reshape", "x.T": "", "x.mean()": "MeanExt", "ops.split(x, 1)": "Split",
    "ops.topk(x, 1)": "TopK", "mint.add(x, y)": "AddExt", "ops.rand(2)": "UniformReal", "nn.ReLU()(x)": "ReLU",
    "ops.dropout(x)": "Dropout", "ops.Add()(x, y)": "Add", "ops.softmax(x)": "Softmax",
    "ops.Softmax()(x)": "Softmax", "ops.stack((x, y))": "Stack", "ops.concat((x, y))": "Concat",
    "ops.where(x > 1, x, y)": "Greater Select", "ops.gather(x, Tensor([0]), 0)": "Gather", "ops.sum(x)": "SumExt",
    "ops.ReduceSum()(x)": "ReduceSum", "ops.MatMul()(m, m)": "MatMul", "ops.transpose(m, (1, 0))": "Transpose",
    "ops.expand_dims(x, 0)": "ExpandDims", "mint.mean(x)": "MeanExt", "ops.bmm(m[None], m[None])": "BatchMatMul",
    "ops.less(x, y)": "Less", "ops.square(x)": "Square", "ops.sqrt(x)": "Sqrt", "ops.abs(x)": "Abs",
}  # fmt: skip


class Log(utils.MsDispatchMode):
    def __init__(self, mark=""):
        self.mark, self.seen = mark, []

    def __ms_dispatch__(self, func, args, kwargs=None):
        self.seen.append(f"{self.mark}{func.name}")
        return func(*args)


@pytest.mark.parametrize("expression", NAMES)
def test_operations_have_the_names_of_mindspores_primitives(expression):
    values = {"x": Tensor([1.0, 2.0]), "y": Tensor([3.0, 4.0]), "m": Tensor([[1.0]])}
    log = Log()
    with log:
        eval(expression, {"ms": ms, "ops": ops, "mint": mint, "nn": nn, "Tensor": Tensor}, values)
    assert log.seen == NAMES[expression].split()


def test_the_innermost_mode_sees_and_its_own_operations_are_not_seen():
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])

    class Inner(Log):
        def __ms_dispatch__(self, func, args, kwargs=None):
            assert (x - y).asnumpy().tolist() == [-2.0, -2.0]
            return super().__ms_dispatch__(func, args, kwargs)

    outer, inner = Log("out "), Inner("in ")
    with outer:
        with inner:
            product = x * y
        out = product + x
    assert (outer.seen, inner.seen) == (["out AddExt"], ["in Mul"])
    assert out.asnumpy().tolist() == [4.0, 10.0]


def test_the_method_may_change_inputs_and_results_and_raise():
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])

    class Changed(utils.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return func(args[0], args[0], *args[2:])

    @Changed()
    def added():
        return x + y

    assert added().asnumpy().tolist() == [2.0, 4.0]
    for wrong in (3, None, ()):

        class Wrong(utils.MsDispatchMode):
            def __ms_dispatch__(self, func, args, kwargs=None, wrong=wrong):
                return wrong

        with Wrong(), pytest.raises(RuntimeError, match="Tensors must be returned"):
            ops.relu(x)

    class Refusing(utils.MsDispatchMode):
        def __ms_dispatch__(self, func):
            return func()

    with pytest.raises(TypeError, match="positional arguments"), Refusing():
        x + y
    assert (x + y).asnumpy().tolist() == [4.0, 6.0]  # the block was left
    assert utils.MsDispatchMode().__ms_dispatch__(lambda a, b=1: a + b, (3,), {"b": 4}) == 7
    with utils.MsDispatchMode():
        assert (x + y).asnumpy().tolist() == [4.0, 6.0]


def test_a_gradient_is_taken_through_a_mode():
    x, log = Tensor([1.0, 2.0]), Log()
    with log:
        assert ms.grad(lambda x: (x * x).sum())(x).asnumpy().tolist() == [2.0, 4.0]
    assert log.seen == ["Mul", "SumExt"]


def test_what_is_compiled_and_other_threads_are_not_seen():
    x, log = Tensor([1.0, 2.0]), Log()
    network = nn.Dense(2, 3)
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    ones, found = tuple(ops.ones_like(p) for p in optimizer.parameters), []
    with log:
        assert ms.jit(lambda x: x + 1)(x).asnumpy().tolist() == [2.0, 3.0]
        optimizer(ones)
        thread = threading.Thread(target=lambda: found.append((x + x).asnumpy()))
        thread.start()
        thread.join()
    assert log.seen == []
    np.testing.assert_array_equal(found[0], [2.0, 4.0])
