"""What can be moved to another module, and what cannot."""

import pytest

from ms_compat import nn
from ms_compat.rewrite import SymbolTree


def test_a_function_that_rebinds_a_global_name_is_refused():
    namespace = SymbolTree.create(Counting())
    assert [node.get_name() for node in namespace.nodes()] == ["input_x", "counted", "return"]
    with pytest.raises(SyntaxError, match="global"):
        SymbolTree.create(Rebinding())


calls = 0


def counted(x):
    global calls
    calls += 1
    return x


class Counting(nn.Cell):
    def construct(self, x):
        x = counted(x)
        return x


class Rebinding(nn.Cell):
    def construct(self, x):
        global calls
        calls += 1
        return x
