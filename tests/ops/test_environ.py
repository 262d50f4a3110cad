"""Values by Parameter; MindSpore 2.10 runs these primitives on no processor, so the rules of its graphs are checked."""

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, context, nn, ops


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")
        self.v = Parameter(Tensor([5.0, 6.0]), name="v")

    def construct(self, x):
        first = ops.environ_set(ops.environ_create(), ops.ref_to_embed(self.w), x)
        second = ops.environ_set(first, ops.embed(self.w), x * 2)
        both = ops.environ_add(first, second)
        both = ops.environ_add(both, ops.environ_set(ops.environ_create(), ops.ref_to_embed(self.v), x * 10))
        return (
            ops.environ_get(first, ops.ref_to_embed(self.w), x),
            ops.env_get(both, self.w),
            ops.environ_get(both, ops.ref_to_embed(self.v), x),
            ops.env_get(first, self.v),
        )


@pytest.mark.parametrize("mode", [context.PYNATIVE_MODE, context.GRAPH_MODE])
def test_values_are_set_added_and_read(mode):
    context.set_context(mode=mode)
    try:
        outs = Network()(Tensor([1.0, 3.0]))
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)
    assert [out.asnumpy().tolist() for out in outs] == [[1.0, 3.0], [3.0, 9.0], [10.0, 30.0], [0.0, 0.0]]


def test_a_gradient_passes_through():
    weight = Parameter(Tensor([1.0, 2.0]), name="w")

    def f(x):
        return ops.env_get(ops.environ_set(ops.environ_create(), ops.embed(weight), x * x), weight).sum()

    assert ms.grad(f)(Tensor([1.0, 3.0])).asnumpy().tolist() == [2.0, 6.0]


def test_wrong_inputs_are_refused_and_primitives_have_mindspores_names():
    weight, x = Parameter(Tensor([1.0]), name="w"), Tensor([1.0])
    empty = ops.environ_create()
    for wrong in (
        lambda: ops.embed(x), lambda: ops.environ_set(x, ops.embed(weight), x), lambda: ops.environ_set(empty, x, x),
        lambda: ops.environ_get(x, ops.embed(weight), x), lambda: ops.environ_get(empty, x, x),
        lambda: ops.environ_add(empty, x), lambda: ops.environ_add(x, empty),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    names = [str(p) for p in (ops.environ_create, ops.environ_set, ops.environ_get, ops.environ_add, ops.embed)]
    assert names == ["Prim[EnvironCreate]", "Prim[EnvironSet]", "Prim[EnvironGet]", "Prim[EnvironAdd]", "Prim[embed]"]
    assert str(ops.ref_to_embed) == "Prim[RefToEmbed]" and str(ops.embed(weight)) == "SymbolicKey(w)"
