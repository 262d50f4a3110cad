"""Which names of MindSpore a source file uses, by reading its syntax tree; nothing is executed.

The visitor follows what each local name stands for: `import mindspore as ms`, `from mindspore import nn`,
`P = ms.ops.operations`. A parameter or variable of the same name in an inner scope hides it. Every chain that begins at
such a name is reported with its whole path: `ms.nn.Dense(3, 4)` uses "mindspore.nn.Dense".
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

ROOT = "mindspore"


class Use(NamedTuple):
    """One use of a MindSpore name.

    Attributes:
        dotted: the whole path, such as "mindspore.nn.Dense".
        line: the line, from 1.
        needed: whether running the file from its top always reaches this place.
        kind: "module" for an imported module, "name" for a name imported from one, "use" where it is called, subclassed
            or a decorator, "mention" elsewhere.
    """

    dotted: str
    line: int
    needed: bool
    kind: str


class Local(NamedTuple):
    """An import that may be one of the program's own modules.

    Attributes:
        module: the dotted path, without the leading dots of a relative import.
        names: what is imported from it, if anything.
        level: the number of leading dots.
        needed: as in `Use`.
    """

    module: str
    names: tuple[str, ...]
    level: int
    needed: bool


_CLASS = "class"  # a key that marks the scope of a class body, which the functions inside do not see
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_CONDITIONAL = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.Match, ast.IfExp, ast.BoolOp)


def _targets(node: ast.AST) -> Iterator[str]:
    """The names that a function's own body binds, including its parameters, without imports and inner scopes."""
    if isinstance(node, _FUNCTIONS):
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            yield argument.arg
        for star in (arguments.vararg, arguments.kwarg):
            if star is not None:
                yield star.arg
    pending = list(ast.iter_child_nodes(node))
    while pending:
        child = pending.pop()
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        elif isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            if not isinstance(child, ast.Lambda):
                yield child.name
            continue
        pending.extend(ast.iter_child_nodes(child))


def _is_main_guard(test: ast.expr) -> bool:
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and test.left.id == "__name__"
        and isinstance(test.ops[0], ast.Eq)
    )


class Visitor(ast.NodeVisitor):
    """Collects the uses of one file.

    Args:
        needed: whether the file itself always runs.
    """

    def __init__(self, needed: bool = True) -> None:
        self.uses: list[Use] = []
        self.locals: list[Local] = []
        self._scopes: list[dict[str, str | None]] = [{}]
        self._needed = needed

    def _meaning(self, name: str) -> str | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def _chain(self, node: ast.expr) -> str | None:
        """The path that an attribute chain stands for, if it begins at a MindSpore name."""
        if isinstance(node, ast.Name):
            return self._meaning(node.id)
        if isinstance(node, ast.Attribute):
            base = self._chain(node.value)
            return None if base is None else f"{base}.{node.attr}"
        return None

    def _report(self, dotted: str, line: int, kind: str) -> None:
        self.uses.append(Use(dotted, line, self._needed, kind))

    def _used(self, node: ast.expr) -> None:
        """Visits an expression that is called, subclassed or used as a decorator."""
        dotted = self._chain(node)
        if dotted is None:
            self.visit(node)
        else:
            self._report(dotted, node.lineno, "use")

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name.partition(".")[0] != ROOT:
                self.locals.append(Local(alias.name, (), 0, self._needed))
                continue
            self._report(alias.name, node.lineno, "module")
            self._scopes[-1][alias.asname or ROOT] = alias.name if alias.asname else ROOT

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        names = tuple(alias.name for alias in node.names)
        if node.level or module.partition(".")[0] != ROOT:
            self.locals.append(Local(module, names, node.level, self._needed))
            return
        self._report(module, node.lineno, "module")
        for alias in node.names:
            if alias.name != "*":
                self._report(f"{module}.{alias.name}", node.lineno, "name")
                self._scopes[-1][alias.asname or alias.name] = f"{module}.{alias.name}"

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._scopes[-1][target.id] = self._chain(node.value)
            else:
                self.visit(target)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = self._chain(node)
        if dotted is None:
            self.visit(node.value)
        else:
            self._report(dotted, node.lineno, "mention")

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._scopes[-1][node.id] = None
            return
        dotted = self._meaning(node.id)
        if dotted is not None:
            self._report(dotted, node.lineno, "mention")

    def visit_Call(self, node: ast.Call) -> None:
        self._used(node.func)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self.visit(argument)

    def visit_If(self, node: ast.If) -> None:
        if _is_main_guard(node.test):
            for statement in node.body:
                self.visit(statement)
            self._maybe(node.orelse)
        else:
            self.visit(node.test)
            self._maybe([*node.body, *node.orelse])

    def _maybe(self, nodes: list[ast.stmt]) -> None:
        """Visits code that may never run."""
        needed, self._needed = self._needed, False
        for node in nodes:
            self.visit(node)
        self._needed = needed

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        arguments = node.args
        for expression in (*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)):
            self.visit(expression)
        if not isinstance(node, ast.Lambda):
            for decorator in node.decorator_list:
                self._used(decorator)
            self._scopes[-1][node.name] = None
        needed, self._needed = self._needed, False
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if argument.annotation is not None:  # a mention, which a placeholder stands
                self.visit(argument.annotation)
        if not isinstance(node, ast.Lambda) and node.returns is not None:
            self.visit(node.returns)
        scopes = self._scopes
        self._scopes = [scope for scope in scopes if _CLASS not in scope] + [dict.fromkeys(_targets(node))]
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self._scopes = scopes
        self._needed = needed

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for expression in (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)):
            self._used(expression)
        self._scopes[-1][node.name] = None
        self._scopes.append({_CLASS: None})
        for statement in node.body:
            self.visit(statement)
        self._scopes.pop()

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _CONDITIONAL):
            needed, self._needed = self._needed, False
            super().generic_visit(node)
            self._needed = needed
        else:
            super().generic_visit(node)
