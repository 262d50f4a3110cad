"""`a in b`, `a not in b` and `b.has_key(a)` in rewritten functions, in a pass of their own: malt leaves them.

In compiled code an element that is known at run time only equals another if all its values do, and the answer is known
at run time only.
"""

from __future__ import annotations

import ast
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._core.tensor import Tensor
from ms_compat._core.traced_number import TracedNumber, number


def _operator(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())


class _Memberships(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr != "has_key" or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(_operator("has_key"), [node.value], []), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return node
        name = "in_" if isinstance(node.ops[0], ast.In) else "not_in"
        return ast.copy_location(ast.Call(_operator(name), [node.left, *node.comparators], []), node)


def transform(node: ast.AST) -> ast.AST:
    """The tree of a function with its membership tests as calls of `in_` and `not_in`."""
    return ast.fix_missing_locations(_Memberships().visit(node))


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    if not isinstance(container, (tuple, list)) or not any(isinstance(v, Tensor) for v in (item, *container)):
        return item in container
    found: Any = False
    for element in container:
        equal = _equal(item, element)
        if equal is True:
            return True
        if equal is not False:
            found = equal if found is False else jnp.logical_or(found, equal)
    return found if found is False else number(found)


def has_key(container: Any) -> Any:
    """`container.has_key`, which dicts have in compiled functions of MindSpore."""
    return container.__contains__ if isinstance(container, dict) else container.has_key


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    found = in_(item, container)
    return number(jnp.logical_not(found._v)) if isinstance(found, TracedNumber) else not found


def _equal(a: Any, b: Any) -> Any:
    """Whether two values are equal: a bool, or a traced one."""
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        return a is b or bool(a == b)
    one, other = (v._v if isinstance(v, Tensor) else v for v in (a, b))
    if not all(isinstance(v, (int, float)) or hasattr(v, "dtype") for v in (one, other)):
        return False
    if np.shape(one) != np.shape(other):
        return False
    if is_traced(a) or is_traced(b):
        return jnp.all(jnp.equal(one, other))
    return bool(np.all(np.asarray(one) == np.asarray(other)))
