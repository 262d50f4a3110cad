"""Calls that a compiler treats in a way of its own; results and classes of errors recorded with MindSpore 2.10."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


def block(x):
    return ops.sin(x) * x


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([2.0, 3.0]), name="w")

    def construct(self, x):
        return ops.sin(x) * x * self.w


class Recomputing(nn.Cell):
    def __init__(self, function, output):
        super().__init__()
        self.function, self.output = function, output

    def construct(self, x):
        return ops.recompute_block(self.function, self.output)(x)


@pytest.mark.parametrize("output", [False, True])
def test_a_block_is_computed_again(mode, output):
    network = Recomputing(block, output)
    np.testing.assert_allclose(network(X).asnumpy(), [0.841471, 1.8185948], rtol=1e-6)
    np.testing.assert_allclose(ms.grad(network)(X).asnumpy(), [1.3817732, 0.0770037], rtol=1e-5)
    network = Recomputing(Block(), output)
    weights = network.trainable_params()
    assert [p.name for p in weights] == ["function.w"]
    inputs, (of_w,) = ms.grad(network, 0, weights)(X)
    np.testing.assert_allclose(inputs.asnumpy(), np.array([1.3817732, 0.0770037]) * [2, 3], rtol=1e-5)
    np.testing.assert_allclose(of_w.asnumpy(), [0.841471, 1.8185948], rtol=1e-6)


def test_recomputing_keeps_less_and_runs_the_block_again():
    calls = []

    def counted(x):
        calls.append(1)
        return block(x)

    ms.grad(lambda x: ops.recompute_block(counted, True)(x).sum())(X)
    assert len(calls) == 2


@pytest.mark.parametrize("arguments", [(block,), (block, 3), (3, True), (block, True, 1)])
def test_wrong_blocks_are_refused(mode, arguments):
    with pytest.raises(RuntimeError, match="recompute_block"):
        ops.recompute_block(*arguments)


def test_a_function_with_attributes_is_the_function(mode):
    marked = ops._add_attr(lambda x, y: x * x * y, tag="a", n=1)
    assert marked(X, Y).asnumpy().tolist() == [3.0, 16.0] and marked.attributes == {"tag": "a", "n": 1}
    assert ms.grad(marked)(X, Y).asnumpy().tolist() == [6.0, 16.0]
    np.testing.assert_allclose(ops._add_attr(Block(), tag="a")(X).asnumpy(), [1.682942, 5.455785], rtol=1e-6)
    for wrong in (3, ops.Add()):
        with pytest.raises(TypeError, match="'fn' must be callable"):
            ops._add_attr(wrong)


def run(script, names, values):
    class Network(nn.Cell):
        def construct(self, x, y):
            return ops.PyExecute()(script, names, (x, y) if values == 2 else (x,))

    return Network()


def test_an_expression_is_evaluated(graph):
    assert run("a + b * 2", ("a", "b"), 2)(X, Y).asnumpy().tolist() == [7.0, 10.0]
    assert ms.grad(run("a + b * 2", ("a", "b"), 2))(X, Y).asnumpy().tolist() == [0.0, 0.0]
    out = run("a.asnumpy() * 2", ("a",), 1)(X, Y)
    assert isinstance(out, np.ndarray) and out.tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("script", "names", "error"),
    [("a + 1", ("a", "b"), RuntimeError), ("a + (", ("a",), RuntimeError), ("a + q", ("a",), NameError)],
)
def test_wrong_expressions_are_refused(graph, script, names, error):
    with pytest.raises(error):
        run(script, names, 1)(X, Y)


def test_expressions_are_for_compiled_functions():
    assert str(ops.PyExecute()) == "Prim[PyExecute]<side_effect_io=True, primitive_target=CPU>"
    with pytest.raises(RuntimeError, match="compiled function"):
        run("a + b", ("a", "b"), 2)(X, Y)


@pytest.mark.parametrize("name", ["array_reduce", "distribute"])
def test_primitives_without_a_computation(name):
    primitive = getattr(ops, name)
    assert str(primitive) == f"Prim[{name}]"
    with pytest.raises(RuntimeError, match=name):
        primitive(X)
