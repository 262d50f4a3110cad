"""The network of a tree: the generated module, written to a file, and an object of its class."""

from __future__ import annotations

import importlib.util
import linecache
import pathlib
import re
import sys
from typing import Any

from ms_compat.nn._cell.copying import with_same_parameters
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.emit import Module

FOLDER = "rewritten_network"


def network_of(tree: Tree) -> Any:
    """Returns a Cell that computes what the tree says, with the Parameters of the Cell that it was made from.

    The module goes to a file in the folder `rewritten_network` of the working directory, so that tracebacks and
    GRAPH_MODE find its source.
    """
    module = Module(tree)
    name = f"{module.class_name}_{id(tree)}"
    path = pathlib.Path(FOLDER, f"{name}.py")
    path.parent.mkdir(exist_ok=True)
    text = module.text()
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None  # noqa: S101 - so for every file that ends in .py
    made = importlib.util.module_from_spec(spec)
    vars(made).update({name: value for name, value in module.objects.items() if not name.endswith("Opt")})
    sys.modules[name] = made
    # Not by the loader: it would take the bytecode of a file that was as long and was written in the same second.
    exec(compile(text, str(path.resolve()), "exec"), vars(made))
    linecache.checkcache(str(path.resolve()))
    return getattr(made, module.class_name)(_prepared(tree, with_same_parameters(tree.network)))


def _prepared(tree: Tree, cell: Any) -> Any:
    """Give a copy of a tree's Cell, and the Cells below it, the Cells that were inserted, and lists of its own."""
    for block in tree.containers.values():
        if isinstance(block.container, list):
            owner, _, name = block.path.rpartition(".")
            setattr(_at(cell, owner), name, [with_same_parameters(item) for item in block.container])
    for path, subtree in tree.subtrees:
        _prepared(subtree, _at(cell, path))
    for node in tree.inserted:
        value = node.instance
        if node.subtree is not None:
            value = _prepared(node.subtree, with_same_parameters(value))
        setattr(cell, node.attribute, value)
    return cell


def _at(cell: Any, path: str) -> Any:
    """The Cell at a path such as "self.blocks[1].conv"."""
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        cell = getattr(cell, name) if name else cell[int(index)]
    return cell
