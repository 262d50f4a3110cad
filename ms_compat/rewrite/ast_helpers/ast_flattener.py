"""Functions in a tree of `ast` whose nested expressions become statements, as for the nodes of a SymbolTree."""

from __future__ import annotations

import ast

from ms_compat.rewrite.flatten import Names, flatten, names_in


class AstFlattener:
    """Flattens the functions in a tree.

    >>> import ast
    >>> from ms_compat.rewrite.ast_helpers import AstFlattener
    >>> tree = ast.parse("def f(x): return abs(x + 1)")
    >>> print(ast.unparse(AstFlattener().transform(tree)))
    def f(x):
        add_var = x + 1
        abs_var = abs(add_var)
        return abs_var
    """

    def transform(self, ast_root: ast.AST) -> ast.AST:
        """Give each nested expression of the functions a statement of its own; what stands in branches stays.

        Args:
            ast_root: the tree, which is changed.

        Returns:
            The tree.
        """
        for function in ast.walk(ast_root):
            if isinstance(function, ast.FunctionDef):
                function.body = flatten(function.body, Names(names_in(function)).unique)
        return ast.fix_missing_locations(ast_root)
