"""MindSpore's inner `SymbolTree`, to which statements are added by hand."""

from __future__ import annotations

import ast
import logging

from ms_compat._core.errors import check_type
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Statement

__all__ = ["SymbolTree"]

_logger = logging.getLogger("ms_compat")


class SymbolTree(Tree):
    """The statements of a Cell, without any at first.

    Args:
        origin_network (Cell): the Cell.
        module_ast (ast.Module): the source around its class. The classes that are generated stand in modules of their
            own, so it is not looked at.

    Raises:
        TypeError: an argument has another type.

    >>> import ast
    >>> from ms_compat import nn
    >>> from ms_compat.rewrite.symbol_tree import SymbolTree
    >>> tree = SymbolTree(nn.ReLU(), ast.Module([], []))
    >>> tree.set_ast_root(ast.parse("def construct(self, x): return x").body[0])
    >>> tree.append_input_node(ast.arg("x"), "x").get_name()
    'input_x'
    """

    def __init__(self, origin_network: Cell, module_ast: ast.Module):
        check_type("SymbolTree", "module_ast", module_ast, ast.Module)
        self._start(check_type("SymbolTree", "origin_network", origin_network, Cell))

    def set_class_ast(self, ast_node: ast.ClassDef) -> None:
        """Take the definition of the class, which has no effect: the generated class is made anew."""
        _logger.debug("SymbolTree.set_class_ast has no effect: the generated class is made anew")

    def set_init_func_ast(self, ast_node: ast.FunctionDef) -> None:
        """Take the definition of `__init__`, which has no effect: the generated one is made anew."""
        _logger.debug("SymbolTree.set_init_func_ast has no effect: the generated __init__ is made anew")

    def set_ast_root(self, ast_node: ast.FunctionDef) -> None:
        """Set the definition of `construct`, whose body will follow the statements as they are changed."""
        self.root.definition = ast_node
        self.root.function = source.unwrapped(type(self.network).construct)
        self.root.self_name = source.first_parameter(ast_node)

    def append_input_node(self, ast_node: ast.arg, param_name: str) -> Statement:
        """Add a parameter of `construct`, and return its statement. Its default stands in the definition."""
        return self.append_origin_field(Statement(NodeType.Input, f"input_{param_name}", ast_node))

    def append_origin_field(self, node: Statement) -> Statement:
        """Add a statement that `construct` has already, and return it."""
        self.is_built = False
        node.name = self.node_names.unique(node.name)
        self.root.add(node)
        self.names.used |= {str(target) for target in node.targets()}
        self.is_built = True
        return node
