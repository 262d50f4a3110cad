"""Names in a tree of `ast` that are replaced, and come back."""

from __future__ import annotations

import ast

_FIELDS: dict[type, str] = {ast.Name: "id", ast.ClassDef: "name"}  # where the name stands


class AstReplacer:
    """Renames variables, and the classes that are defined, in a tree.

    Args:
        node (ast.AST): the tree, which is changed.

    >>> import ast
    >>> from ms_compat.rewrite.ast_helpers import AstReplacer
    >>> tree = ast.parse("y = a + a.b")
    >>> replacer = AstReplacer(tree)
    >>> replacer.replace_all("a", "c")
    >>> print(ast.unparse(tree))
    y = c + c.b
    >>> replacer.undo_all()
    >>> print(ast.unparse(tree))
    y = a + a.b
    """

    def __init__(self, node: ast.AST):
        self._node = node
        self._former: list[tuple[ast.AST, str, str]] = []  # a node, its field, and the name that it had

    def replace_all(self, src: str, dst: str) -> None:
        """Replace a name wherever it stands.

        Args:
            src: the name.
            dst: the new one.
        """
        for node in ast.walk(self._node):
            field = _FIELDS.get(type(node))
            if field is not None and getattr(node, field) == src:
                self._former.append((node, field, src))
                setattr(node, field, dst)

    def undo_all(self) -> None:
        """Take back all that was replaced."""
        for node, field, name in reversed(self._former):
            setattr(node, field, name)
        self._former.clear()
