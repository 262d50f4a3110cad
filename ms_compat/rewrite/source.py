"""The source of a class or function as a tree of `ast`, ready to be moved into another class or module.

The tree differs from the text in what would mean something else at the new place: annotations are left out, private
names (`self.__x`) are written in full, and `super()` names its class.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from types import FunctionType
from typing import Any

from ms_compat._core.homes import is_of_the_package, written_in

MISSING = object()


class Moved(ast.NodeTransformer):
    """Makes a function independent of the class in whose body it stands."""

    def __init__(self, owner: type, self_name: str):
        self._owner = owner.__name__
        self._self_name = self_name

    def _mangled(self, name: str) -> str:
        if name.startswith("__") and not name.endswith("__"):
            return f"_{self._owner.lstrip('_')}{name}"
        return name

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._owner if node.id == "__class__" else self._mangled(node.id)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.Name(self._owner, ast.Load()), ast.Name(self._self_name, ast.Load())]
        return node


def unwrapped(function: Any) -> FunctionType | None:
    """The function of Python below decorators, bound methods and static methods; None if there is none."""
    function = getattr(function, "__func__", function)
    try:
        function = inspect.unwrap(function)
    except ValueError:  # decorators that wrap each other in a circle
        return None
    return function if isinstance(function, FunctionType) else None


def first_parameter(definition: ast.FunctionDef) -> str:
    """The name of a method's first parameter: "self" by habit."""
    arguments = [*definition.args.posonlyargs, *definition.args.args]
    return arguments[0].arg if arguments else "self"


def rebinds_names(definition: ast.FunctionDef) -> bool:
    """Whether a function or one inside it has a `global` or `nonlocal` statement."""
    return any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(definition))


def is_static(definition: ast.FunctionDef) -> bool:
    """Whether a method is decorated by `staticmethod`."""
    return any(isinstance(name, ast.Name) and name.id == "staticmethod" for name in definition.decorator_list)


def without_annotations(definition: ast.FunctionDef) -> None:
    """Remove the annotations of a function's head."""
    arguments = definition.args
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra):
        argument.annotation = None
    definition.returns = None


def without_docstring(definition: ast.FunctionDef) -> None:
    """Remove the docstring of a function, which is not part of what it computes."""
    first = definition.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        definition.body = definition.body[1:] or [ast.Pass()]


def definition_of_method(owner: type, name: str) -> ast.FunctionDef | None:
    """The definition of a method in the body of its class; None if the body has it not, or more than once.

    Raises:
        OSError: Python does not find the source.
    """
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    assert isinstance(tree, ast.ClassDef)  # noqa: S101 - what getsource gives for a class
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(found) != 1:
        return None
    moved = Moved(owner, first_parameter(found[0])).visit(found[0])
    without_annotations(moved)
    without_docstring(moved)
    return moved


def definition_of_function(function: FunctionType) -> ast.FunctionDef | None:
    """The definition of a function outside classes; None if its source is not there or is not a `def`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):  # the second: a lambda inside an expression
        return None
    if not isinstance(tree, ast.FunctionDef) or tree.name != function.__name__:
        return None
    without_annotations(tree)
    without_docstring(tree)
    return tree


def is_movable(definition: ast.FunctionDef, function: FunctionType) -> bool:
    """Whether a copy of a function outside classes means the same in another module.

    It does not if the function rebinds names outside, reads a closure, calls itself, is decorated, or is a generator.
    As in MindSpore, functions that define others are left whole, too.
    """
    if function.__closure__ or definition.decorator_list:
        return False
    for node in ast.walk(definition):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(node, ast.Name) and node.id == function.__name__:
            return False
        if isinstance(node, ast.FunctionDef) and node is not definition:
            return False
    return True


def value_of(function: FunctionType, name: str) -> Any:
    """What a name outside a function means to it: from its closure, its module, or Python; MISSING if nothing."""
    names = function.__code__.co_freevars
    if name in names and function.__closure__:
        try:
            return function.__closure__[names.index(name)].cell_contents
        except ValueError:  # not bound yet
            return MISSING
    return function.__globals__.get(name, getattr(builtins, name, MISSING))


def bound_in(definition: ast.FunctionDef) -> set[str]:
    """The names that a function binds itself: parameters and assigned variables, also in inner functions."""
    names = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}


def is_the_users(value: Any) -> bool:
    """Whether a class or function was written by the user: not in this package, and with its source at hand."""
    module = written_in(value) if isinstance(value, type) else getattr(value, "__module__", None)
    return not is_of_the_package(module) and module != "builtins"


def has_source(owner: type) -> bool:
    """Whether Python finds the source of a class."""
    try:
        inspect.getsource(owner)
    except (OSError, TypeError):
        return False
    return True
