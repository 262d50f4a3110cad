"""Functions that are called while a network is compiled; results recorded with MindSpore 2.10."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, context, graph, nn, ops

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])


@pytest.fixture(autouse=True)
def compiled():
    context.set_context(mode=context.GRAPH_MODE)
    yield
    graph.clear_op_infer()
    graph.clear_op_wrapper()
    context.set_context(mode=context.PYNATIVE_MODE)


def weighted(x, y):
    assert isinstance(x, Tensor) and x.asnumpy().tolist() == [0.0, 0.0]
    return lambda x, y: x + 2 * y


class Added(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = ops.Add()

    def construct(self, x, y):
        return self.add(x, y)


def test_a_wrapper_replaces_a_primitive():
    assert graph.register_op_wrapper("Add")(weighted) is weighted
    network = Added()
    assert network(X, Y).asnumpy().tolist() == [7.0, 10.0]
    assert [g.asnumpy().tolist() for g in ms.grad(Added(), (0, 1))(X, Y)] == [[1.0, 1.0], [2.0, 2.0]]
    assert ms.jit(lambda x, y: ops.Add()(x, y))(X, Y).asnumpy().tolist() == [7.0, 10.0]
    graph.clear_op_wrapper()
    assert network(X, Y).asnumpy().tolist() == [7.0, 10.0]  # compiled before
    assert Added()(X, Y).asnumpy().tolist() == [4.0, 6.0]


def test_a_wrapper_counts_for_compiled_primitives_alone():
    graph.register_op_wrapper("Add")(weighted)
    assert ms.jit(lambda x, y: x + y)(X, Y).asnumpy().tolist() == [4.0, 6.0]
    assert ms.jit(lambda x, y: ops.add(x, y))(X, Y).asnumpy().tolist() == [4.0, 6.0]
    context.set_context(mode=context.PYNATIVE_MODE)
    assert Added()(X, Y).asnumpy().tolist() == [4.0, 6.0]


@pytest.mark.parametrize("made", [None, 3])
def test_a_wrapper_that_returns_no_function_changes_nothing(made):
    graph.register_op_wrapper("Add")(lambda x, y: made)
    assert Added()(X, Y).asnumpy().tolist() == [4.0, 6.0]


def test_the_primitive_inside_its_replacement_is_not_replaced_and_errors_are_raised():
    graph.register_op_wrapper("Add")(lambda x, y: lambda x, y: ops.Add()(x, y) * 2)
    assert Added()(X, Y).asnumpy().tolist() == [8.0, 12.0]
    graph.clear_op_wrapper()
    graph.register_op_wrapper("Add")(lambda x: ops.Sub())
    with pytest.raises(TypeError, match="positional argument"):
        Added()(X, Y)


def test_attributes_are_seen_by_later_functions_and_not_by_the_network(capsys):
    seen = []
    graph.register_op_infer("Add", "layout")(lambda x, y: x.shape + y.shape)

    @graph.register_op_infer("Mul", "layout")
    def layout(x, y):
        print("Mul")  # at once, as it is not the network's
        seen.append((getattr(x, "layout", None), getattr(y, "layout", None), x.shape, x.dtype))

    class Network(nn.Cell):
        def construct(self, x, y):
            added = x + y
            return ops.Mul()(added, x), ops.relu(added) * y

    assert [out.asnumpy().tolist() for out in Network()(X, Y)] == [[4.0, 12.0], [12.0, 24.0]]
    assert seen == [((2, 2), None, (2,), ms.float32), (None, None, (2,), ms.float32)]
    assert capsys.readouterr().out == "Mul\nMul\n"

    class Asking(nn.Cell):
        def construct(self, x, y):
            return ops.Add()(x, y).layout

    with pytest.raises(AttributeError, match="layout"):
        Asking()(X, Y)


def test_an_error_in_an_inference_is_logged(caplog):
    @graph.register_op_infer("Add", "layout")
    def layout(x, y):
        raise ValueError("no layout")

    assert Added()(X, Y).asnumpy().tolist() == [4.0, 6.0]
    assert "no layout" in caplog.text and "'layout' of Add" in caplog.text


def test_wrong_registrations_are_refused():
    for wrong in ("", 3, None):
        with pytest.raises(ValueError, match="op_name"):
            graph.register_op_wrapper(wrong)
        with pytest.raises(ValueError, match="op_name"):
            graph.register_op_infer(wrong, "a")
        with pytest.raises(ValueError, match="infer_name"):
            graph.register_op_infer("Add", wrong)
    with pytest.raises(TypeError, match="must be a function"):
        graph.register_op_wrapper("Add")(3)
    with pytest.raises(TypeError, match="must be a function"):
        graph.register_op_infer("Add", "a")(3)
    graph.register_op_wrapper("NoSuchPrimitive")(weighted)
    with pytest.raises(RuntimeError, match="NoSuchPrimitive"):
        graph.register_op_wrapper("NoSuchPrimitive")(weighted)
    graph.register_op_infer("Add", "a")(weighted)
    with pytest.raises(RuntimeError, match="'a' of Add"):
        graph.register_op_infer("Add", "a")(weighted)
    graph.register_op_infer("Add", "b")(weighted)
