"""Hooks beside each other and beside `bprop`, as MindSpore applies them."""

import json
from pathlib import Path

import ms_compat as ms
from tests.nn._cell import hook_samples

RECORDED = json.loads((Path(__file__).parents[2] / "conformance/data/cell_hooks.json").read_text(encoding="utf-8"))


def test_hooks_see_what_they_see_in_mindspore(mode):
    recorded = RECORDED["graph" if mode == ms.GRAPH_MODE else "pynative"]
    found = hook_samples.answers(ms)
    assert found == recorded
    inner, outer = found["inner: after backward"], found["outer: after backward"]
    assert inner != outer  # so that the two places are told apart


def test_a_forward_hook_of_a_cell_with_a_bprop_method_is_noted(caplog):
    class Doubled(ms.nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return (dout,)

    net = Doubled()
    with caplog.at_level("DEBUG", logger="ms_compat"):
        handle = net.register_forward_hook(lambda cell, inputs, output: output * 0)
    handle.remove()
    assert net(ms.Tensor([1.0])).asnumpy().tolist() == [2.0]
    assert "Doubled has a bprop method" in caplog.text
