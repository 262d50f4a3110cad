"""Nodes in a tree of `ast` by their classes."""

from __future__ import annotations

import ast
from typing import Any

from ms_compat._core.errors import value_error


class AstFinder:
    """Finds nodes in a tree.

    Args:
        node (ast.AST): the tree.

    >>> import ast
    >>> from ms_compat.rewrite.ast_helpers import AstFinder
    >>> finder = AstFinder(ast.parse("y = self.a + self.b"))
    >>> [node.attr for node in finder.find_all(ast.Attribute)]
    ['a', 'b']
    """

    def __init__(self, node: ast.AST):
        self._node = node

    def find_all(self, ast_types: Any) -> list[ast.AST]:
        """Returns the nodes that are instances of the classes, each before the nodes inside it.

        Args:
            ast_types: a class of `ast`, or a tuple of classes.

        Raises:
            ValueError: `ast_types` is something else.
        """
        kinds = ast_types if isinstance(ast_types, tuple) else (ast_types,)
        if not all(isinstance(kind, type) and issubclass(kind, ast.AST) for kind in kinds):
            raise value_error("AstFinder.find_all", "ast_types", "classes of ast", ast_types)
        found: list[ast.AST] = []

        def visit(node: ast.AST) -> None:
            if isinstance(node, kinds):
                found.append(node)
            for child in ast.iter_child_nodes(node):
                visit(child)

        visit(self._node)
        return found
