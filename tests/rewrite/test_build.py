"""The nodes of a network are MindSpore's."""

import json
import re

import pytest

from ms_compat.rewrite import SymbolTree
from tests.rewrite import nets, record


@pytest.mark.parametrize("name", record.NETS)
def test_the_nodes_are_those_of_mindspore(name):
    """MindSpore counts the `return`s of its own functions, too, and numbers functions through the process."""
    expected = json.loads(record.FILE.read_text("utf-8"))["nets"][name]
    tree = SymbolTree.create(getattr(nets, name)())

    def plain(value):
        return json.loads(re.sub(r"(scaled_opt|shifted|return)_\d+", r"\1", json.dumps(value)))

    assert plain(record.rows(tree)) == plain(expected["rows"])
    assert plain(record.construct(tree)) == plain(expected["construct"])


def test_an_inherited_construct_has_nodes():
    tree = SymbolTree.create(nets.Heir())
    assert [node.get_name() for node in tree.nodes()] == ["input_x", "above", "binop_add", "return"]
