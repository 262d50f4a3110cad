"""Nested expressions become statements; what may not be computed yet stays where it is."""

import ast

import pytest

from ms_compat.rewrite.flatten import Names, flatten, names_in


def flattened(text):
    tree = ast.parse(text)
    body = flatten(tree.body, Names(names_in(tree)).unique)
    return "; ".join(ast.unparse(ast.fix_missing_locations(statement)) for statement in body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = f(g(x))", "g_var = g(x); y = f(g_var)"),
        ("y = a(b(x), c(x))", "c_var = c(x); b_var = b(x); y = a(b_var, c_var)"),
        ("g_var = 1; y = f(g(x))", "g_var = 1; g_var_1 = g(x); y = f(g_var_1)"),
        ("y = f(x) and g(x)", "f_var = f(x); y = f_var and g(x)"),
        ("y = f(g(x)) if x else x", "y = f(g(x)) if x else x"),
        ("y = f(g(x) if x else x)", "y = f(g(x) if x else x)"),
        ("y = f((z := x), g(z))", "y = f((z := x), g(z))"),
        ("y = [g(t) for t in x]", "y = [g(t) for t in x]"),
        ("y = f(*g(x), **h(x))", "y = f(*g(x), **h(x))"),
        ("y = 0 < f(x) < g(x)", "f_var = f(x); y = 0 < f_var < g(x)"),
        ("x = y = f(x)", "y = f(x); x = y"),
        ("y = x.f().g()", "f_var = x.f(); y = f_var.g()"),
        ("while f(g(x)): pass", "while f(g(x)):\n    pass"),
    ],
)
def test_a_statement_for_each_expression(text, expected):
    assert flattened(text) == expected
