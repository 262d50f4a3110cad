"""The strict syntax of MindSpore's compiler, on request."""

import pytest

import ms_compat as ms
from ms_compat import JitConfig, Tensor, nn, ops


class Labelled(nn.Cell):
    def construct(self, x):
        return [{"a": x}, x, {"b": {"c": x, "d": 1}}]


class Product(nn.Cell):
    def construct(self, x):
        return x["a"][0] * x["b"] + x["a"][1]


def test_strict_syntax_returns_the_values_of_dicts(graph):
    x = Tensor([1, 2])
    plain = Labelled()(x)
    assert [type(item) for item in plain] == [dict, Tensor, dict]
    net = Labelled()
    net.set_jit_config(JitConfig(jit_syntax_level="STRICT"))
    first, second, third = net(x)
    assert [type(first), type(third), type(third[0])] == [tuple] * 3
    for found in (first[0], second, third[0][0]):
        assert found.asnumpy().tolist() == [1, 2]
    assert third[0][1] == 1
    assert ms.jit(lambda: {"a": 1}, fullgraph=True)() == (1,)
    assert ms.jit(lambda: {"a": 1})() == {"a": 1}


@pytest.mark.parametrize(
    ("context", "environment", "strict"), [("STRICT", "", True), ("LAX", "0", True), ("STRICT", "2", False)]
)
def test_strict_syntax_of_the_context_and_the_environment(graph, monkeypatch, context, environment, strict):
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", environment)
    ms.set_context(jit_syntax_level=getattr(ms, context))
    try:
        gradient = ops.GradOperation()(Product())(ms.mutable({"a": (Tensor([2.0]), Tensor([3.0])), "b": Tensor([4.0])}))
        found = Labelled()(Tensor([1, 2]))
        assert ms.jit(lambda: {"a": 1})() == {"a": 1}
    finally:
        ms.set_context(jit_syntax_level=ms.LAX)
    assert [type(item) for item in found] == ([tuple, Tensor, tuple] if strict else [dict, Tensor, dict])
    assert type(gradient) is (tuple if strict else dict)
