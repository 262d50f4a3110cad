"""The tables of nodes."""

import re

from ms_compat.rewrite import SymbolTree
from tests.rewrite import nets


def test_the_table_names_providers_and_users(capsys):
    SymbolTree.create(nets.Chain()).print_node_tabulate()
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["node", "type", "name", "codes", "arg", "providers", "target", "users"]
    assert re.split(r"\s{2,}", lines[5]) == [
        *("NodeType.CallCell", "first", "first_var = self.first(x)", "[[0, ('input_x', 0)]]", "[[0, [('act', 0)]]]")
    ]
    SymbolTree.create(nets.Nested()).print_node_tabulate(all_nodes=True)
    out = capsys.readouterr().out
    titles = re.findall(r"^\[(\w+?)Opt(?:_\d+)?(.*)\]$", out, re.M)
    assert titles == [("Nested", part) for part in ("", ".row", ".self.some", ".for_node")] + [
        *(("Block", ""), ("Block", ".if_node"), ("Block", ""), ("Block", ".if_node"), ("Inner", ""), ("Inner", ""))
    ]
