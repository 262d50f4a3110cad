"""From nodes to the text of a module, and the objects that its names stand for.

A class whose name ends in "Opt" is generated for each Cell with nodes. Names outside the moved functions are bound to
the objects that they mean today: by an import where there is one, and else by the loader (`load.py`).
"""

from __future__ import annotations

import ast
import symtable
import sys
from types import ModuleType
from typing import Any

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.homes import is_of_the_package, written_in
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.flatten import Names
from ms_compat.rewrite.nodes import Block, Statement, statements
from ms_compat.rewrite.source import MISSING
from ms_compat.rewrite.values import GENERATED, OBJECT, copied

_HEAD = """import sys
import {package}
from {package} import nn
from {package}.nn import Cell
from {package}.ops import functional as F
from ms_compat.rewrite.members import take_members
#
#"""


class Module:
    """The text of the module for a tree, and the objects that must be bound in it before it runs.

    Args:
        tree: the outermost tree.
    """

    def __init__(self, tree: Tree):
        self.objects: dict[str, Any] = {}
        self._generated: set[str] = set()
        self._parts: list[str] = []
        self._names = Names()
        self._classes: dict[str, str] = {}
        package = "mindspore" if "mindspore" in sys.modules else "ms_compat"
        import ms_compat
        from ms_compat.ops import functional

        self._head = _HEAD.format(package=package)
        self.objects = {"nn": ms_compat.nn, "Cell": Cell, "F": functional, "sys": sys}
        self._collect(tree, set())
        self.class_name = self._tree(tree)

    def text(self) -> str:
        """The source of the module."""
        return self._head + "\n" + "\n".join(self._parts)

    def _collect(self, tree: Tree, seen: set[int]) -> None:
        """Reserve the names of everything that will be defined."""
        if id(tree) in seen:
            return
        seen.add(id(tree))
        self._generated |= {tree.class_name, *(f.definition.name for f in tree.functions if f.definition is not None)}
        for subtree in _subtrees(tree):
            self._collect(subtree, seen)

    # -- names outside ---------------------------------------------------------------------------------------------
    def _bind(self, definition: Any, function: Any, owner: type | None = None) -> list[str]:
        """Bind the names outside a moved function; returns the import lines. Names that clash are renamed."""
        lines = []
        for node in ast.walk(definition):
            if isinstance(node, ast.Name) and hasattr(node, OBJECT):
                node.id = self._bound(node.id, getattr(node, OBJECT))
                lines.append(_line_for(node.id, getattr(node, OBJECT), node.id, None))
        kept = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and hasattr(node, GENERATED)}
        for name in sorted(_free_names(definition) - kept):
            value = source.value_of(function, name) if function is not None else MISSING
            if value is MISSING and owner is not None and name == owner.__name__:
                value = owner
            if value is MISSING or value is getattr(source.builtins, name, MISSING):
                continue
            new = self._bound(name, value)
            if new != name:
                _rename(definition, name, new)
            lines.append(_line_for(new, value, name, function))
        return [line for line in dict.fromkeys(lines) if line]

    def _bound(self, name: str, value: Any) -> str:
        if name not in self._generated and self.objects.get(name, value) is value:
            self.objects[name] = value
            return name
        for known, bound in self.objects.items():
            if bound is value and known.startswith(f"{name}_"):
                return known
        self._names.used |= self._generated | set(self.objects)
        new = self._names.unique(name)
        self.objects[new] = value
        return new

    # -- functions and classes -------------------------------------------------------------------------------------
    def _tree(self, tree: Tree) -> str:
        for function in tree.functions:
            definition = _definition(function)
            lines = [*self._aliases(tree, definition), *self._bind(definition, function.function)]
            self._part(lines, definition)
        kind = type(tree.network)
        made = [self._base(base) for base in kind.__bases__ if base is not Cell]
        bases = [base for base in made if base is not None]
        wraps = [line for path, sub in tree.subtrees.items() for line in self._wrap(tree, path, sub)]
        inserted = [self._inserted(node) for node in tree.inserted if not _in_container(node)]
        edits = [line for block in reversed(tree.containers.values()) for line in self._edits(block)]
        own = self._bound(kind.__name__, kind)
        lines = [_line_for(own, kind, kind.__name__, None)]
        methods = []
        for block in sorted((b for b in (*tree.methods.values(), tree.root) if b.definition), key=_line):
            definition = _definition(block)
            owner = next(c for c in kind.__mro__ if definition.name in vars(c))
            lines += self._aliases(tree, definition) + self._bind(definition, block.function, owner)
            methods.append(definition)
        parents = ", ".join([own, *(bases or ["nn.Cell"])])
        body = [f"class {tree.class_name}({parents}):", "", "    def __init__(self, obj):"]
        calls = [f"{base}.__init__(self)" for base in bases]
        if not any(issubclass(self.objects.get(base, Cell), Cell) for base in bases):
            calls.insert(0, "nn.Cell.__init__(self)")
        body += ["        " + line for line in [*calls, "take_members(self, obj)", *wraps, *inserted, *edits]]
        text = "\n".join(body)
        for definition in methods:
            text += "\n\n" + _indented(ast.unparse(ast.fix_missing_locations(definition)))
        key = "\n".join([own, text.partition("(self, obj):")[2]])
        if key in self._classes:
            return self._classes[key]
        self._classes[key] = tree.class_name
        self._parts.append("\n".join([*dict.fromkeys(line for line in lines if line), "", text, "#"]))
        return tree.class_name

    def _part(self, lines: list[str], definition: ast.FunctionDef) -> None:
        self._parts.append("\n".join([*lines, "", ast.unparse(ast.fix_missing_locations(definition)), "#"]))

    def _aliases(self, tree: Tree, definition: ast.FunctionDef) -> list[str]:
        """Bind the functions of MindSpore that the definition calls by their new names."""
        called = {node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and hasattr(node, GENERATED)}
        lines = []
        for name in sorted(called & set(tree.aliases)):
            value = tree.aliases[name]
            new = self._bound(name, value)
            if new != name:
                _rename(definition, name, new)
            lines.append(_line_for(new, value, name, None))
        return lines

    def _base(self, base: type) -> str | None:
        """The generated class for a class of the user's that the network derives from."""
        if base is object or is_of_the_package(written_in(base)) or base.__module__ in ("typing", "abc"):
            return None
        name = f"{base.__name__}Opt"
        if name in self.objects:
            return name
        own = self._bound(base.__name__, base)
        is_cell = issubclass(base, Cell)
        lines = [f"class {name}({own}{', nn.Cell' if is_cell else ''}):", "", "    def __init__(self):"]
        lines += ["        nn.Cell.__init__(self)"] if is_cell else ["        pass"]
        self._parts.append("\n".join([_line_for(own, base, base.__name__, None), "", *lines, "#"]))
        self.objects[name] = base
        self._generated.add(name)
        return name

    def _wrap(self, tree: Tree, path: str, subtree: Tree) -> list[str]:
        name = self._tree(subtree)
        own = "self" + path[path.index(".") :]
        return [f"{own} = {name}({own})"]

    def _inserted(self, node: Statement) -> str:
        if node.subtree is None:
            return f"self.{node.attribute} = obj.{node.attribute}"
        return f"self.{node.attribute} = {self._tree(node.subtree)}(obj.{node.attribute})"

    def _edits(self, block: Block) -> list[str]:
        path = "self" + block.path[block.path.index(".") :]
        insert = "insert" if hasattr(block.container, "insert") else "_insert"
        lines = []
        for at, node in block.edits:
            if node is None:
                lines.append(f"del {path}[{at}]")
                continue
            made = f"self.{node.attribute}"
            if node.subtree is not None:
                made = f"{self._tree(node.subtree)}({made})"
            lines.append(f"{path}.{insert}({at}, {made})")
        return lines


def _line(block: Block) -> int:
    return block.definition.lineno if block.definition is not None else 0


def _in_container(node: Statement) -> bool:
    return node.block is not None and node.block.container is not None


def _subtrees(tree: Tree) -> list[Tree]:
    return [*tree.subtrees.values(), *(node.subtree for node in tree.inserted if node.subtree is not None)]


def _definition(block: Block) -> Any:
    """The definition of a function as its statements stand now."""
    definition = block.definition
    assert definition is not None  # noqa: S101 - blocks of functions have one
    fields = {**dict(ast.iter_fields(definition)), "body": statements(block)}
    return ast.fix_missing_locations(copied(type(definition)(**fields)))


def _indented(text: str) -> str:
    return "\n".join("    " + line if line else line for line in text.splitlines())


def _free_names(definition: ast.FunctionDef) -> set[str]:
    """The names of a function that its module or Python must know."""
    table = symtable.symtable(ast.unparse(ast.fix_missing_locations(definition)), "<rewrite>", "exec")
    found: set[str] = set()
    waiting = list(table.get_children())
    while waiting:
        scope = waiting.pop()
        found |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global()}
        waiting += scope.get_children()
    return found | {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}


def _rename(definition: ast.FunctionDef, name: str, new: str) -> None:
    """Rename a name outside a function where the function reads it.

    Raises:
        UnsupportedError: an inner function binds the same name.
    """
    for node in ast.walk(definition):
        if isinstance(node, ast.arg) and node.arg == name:
            raise UnsupportedError(
                f"{definition.name} reads the name {name!r} outside and has a parameter of that name; another function "
                "of the network uses it for something else. Rename one of them."
            )
        if isinstance(node, ast.Name) and node.id == name:
            node.id = new


def _line_for(new: str, value: Any, name: str, function: Any) -> str:
    """The line that binds a name when the module is read, or a comment where no import can."""
    if isinstance(value, ModuleType):
        parent, _, last = value.__name__.rpartition(".")
        if parent and last == new and getattr(sys.modules.get(parent), last, None) is value:
            return f"from {parent} import {new}"
        return f"import {new}" if value.__name__ == new else f"import {value.__name__} as {new}"
    home, own = getattr(value, "__module__", None), getattr(value, "__qualname__", None) or name
    places = [(getattr(function, "__module__", None), name), (home, own)]
    if is_of_the_package(home):
        package = "mindspore" if "mindspore" in sys.modules else "ms_compat"
        places = [(f"{package}{room}", own) for room in ("", ".ops", ".nn", ".mint")] + places
    for module, attribute in places:
        if not isinstance(module, str) or getattr(sys.modules.get(module), attribute, MISSING) is not value:
            continue
        if module == "__main__":
            return f"{new} = getattr(sys.modules['__main__'], '{attribute}')"
        if attribute.isidentifier():
            return f"from {module} import {attribute}" + (f" as {new}" if new != attribute else "")
    return f"# {new} is bound by SymbolTree.get_network."
