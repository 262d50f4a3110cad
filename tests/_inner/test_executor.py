"""Recording as libraries drive it themselves; the numbers are those of MindSpore 2.7, whose executor records so."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._names.resolve import resolve

executor = resolve("mindspore.common.api._pynative_executor")


class Weight(Tensor):
    """A Parameter of a library's own."""

    def __init__(self, data, trained=True):
        super().__init__(data)
        self.param_info = resolve("mindspore._c_expression.ParamInfo")()
        self.param_info.requires_grad = trained


def of(*numbers):
    return Tensor(np.asarray(numbers, np.float32))


X, U, P = of(5, 7), of(3, 2), Parameter(of(3, 2), name="p")
T = Weight(of(1, 2))


def net(x):
    return (x * T * T * U * P).sum()


def recorded(operation, weights, position=None, more=()):
    executor.set_grad_flag(True)
    executor.new_graph(net, X)
    value = net(X)
    executor.end_graph(net, value, X)
    assert float(value) == 157
    return executor.grad(net, operation, weights, position, X, *more)


def numbers(value):
    return [numbers(item) for item in value] if isinstance(value, tuple) else value.asnumpy().tolist()


def test_gradients_of_what_was_recorded():
    weights, both = ops.GradOperation(get_by_list=True), ops.GradOperation(True, True)
    assert numbers(recorded(weights, (T,))) == [[90, 112]]
    assert numbers(recorded(weights, (P,))) == [[15, 56]]
    assert numbers(recorded(weights, (U,))) == [[0, 0]]
    assert numbers(recorded(both, (T, P))) == [[[9, 16]], [[90, 112], [15, 56]]]
    assert numbers(recorded(ops.GradOperation(), None)) == numbers(recorded(ops.GradOperation(), None, (0,))) == [9, 16]
    with_sens = ops.GradOperation(True, True, True)
    assert numbers(recorded(with_sens, (T, P), None, (Tensor(2.0),))) == [[[18, 32]], [[180, 224], [30, 112]]]
    assert not executor.grad_flag()


def test_a_recording_gives_its_gradients_once_and_to_its_function_alone():
    operation = ops.GradOperation(get_by_list=True)
    recorded(operation, (T,))
    assert not executor.check_run(operation, net, (T,), None, X)
    with pytest.raises(RuntimeError, match="recorded"):
        executor.grad(net, operation, (T,), None, X)
    executor.new_graph(net, X)
    executor.end_graph(net, net(X), X)
    assert executor.check_run(operation, net, (T,), None, X)
    with pytest.raises(RuntimeError, match="recorded"):
        executor.grad(lambda x: x, operation, (T,), None, X)
    with pytest.raises(RuntimeError, match="new_graph"):
        executor.end_graph(net, X, X)
    executor.clear_res()
    assert not executor.check_run(operation, net, (T,), None, X)


def test_an_error_between_leaves_nothing_open():
    def failing():
        executor.new_graph(net, X)
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        failing()
    assert numbers(recorded(ops.GradOperation(get_by_list=True), (T,))) == [[90, 112]]
    assert not executor.grad_flag() and T._node is None


def test_a_weight_that_recording_did_not_know_is_no_silent_zero():
    late = []

    def makes(x):
        late.append(Weight(of(1, 1)))
        return (x * late[0]).sum()

    executor.new_graph(makes, X)
    executor.end_graph(makes, makes(X), X)
    with pytest.raises(RuntimeError, match="not there when recording began"):
        executor.grad(makes, ops.GradOperation(get_by_list=True), (late[0],), None, X)


def test_the_forward_runs_once():
    dropout = nn.Dropout(p=0.5).set_train()
    x = Tensor(np.ones(64, np.float32))
    drawn = []

    def dropped(x):
        drawn.append(dropout(x))
        return drawn[-1].sum()

    executor.new_graph(dropped, x)
    executor.end_graph(dropped, dropped(x), x)
    gradient = executor.grad(dropped, ops.GradOperation(), None, None, x)
    assert len(drawn) == 1 and gradient.asnumpy().tolist() == drawn[0].asnumpy().tolist()


def test_tensors_with_the_facts_of_parameters_are_weights():
    x, frozen = of(3, 4), Weight(of(1, 2), trained=False)
    for fn, gradient in (
        (lambda x: (x * T * U).sum(), [9, 8]),
        (lambda x: (x * frozen * U).sum(), [0, 0]),
    ):
        weight = T if gradient[0] else frozen
        assert numbers(ms.value_and_grad(fn, None, (weight, U))(x)[1]) == [gradient, [0, 0]]
        assert numbers(ms.grad(fn, None, weight)(x)) == gradient
        assert numbers(ops.GradOperation(get_by_list=True)(fn, [weight])(x)) == [gradient]
        assert numbers(ms.vjp(fn, x, weights=(weight,))[1](Tensor(1.0))[1]) == [gradient]
    assert T.param_info.requires_grad and T.grad is None and U.param_info is None
    frozen.param_info = None
    assert frozen.param_info is None


def test_weights_are_parameters_in_compiled_code(graph):
    with pytest.raises(TypeError, match="Parameter"):
        ms.value_and_grad(lambda x: x * T, None, (T,))(X)


def test_functions_below_generated_primitives():
    add, dense = (resolve(f"mindspore._c_expression.pyboost_{name}") for name in ("add_ext", "dense"))
    primitive = resolve("mindspore.ops.auto_generate.gen_ops_prim.AddExt")()
    assert numbers(add(primitive, [X, X, 2])) == numbers(add([X, X, 2])) == [15, 21]
    with pytest.raises(RuntimeError, match="list of its inputs"):
        dense(X, X, None)
    made = resolve("mindspore._c_expression.pyboost_empty")([(2, 3), ms.float16, None])
    assert made.shape == (2, 3) and made.dtype is ms.float16
    assert not hasattr(ms.ops, "pyboost_nothing")
    with pytest.raises(AttributeError):
        resolve("mindspore._c_expression").pyboost_nothing  # noqa: B018
