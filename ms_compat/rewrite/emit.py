"""From nodes to the text of a module, and the objects that its names stand for.

A class whose name ends in "Opt" is generated for each Cell with nodes. Names outside the moved functions are bound to
the objects that they mean today: by an import where there is one, and else by the loader (`load.py`).
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.homes import is_of_the_package, written_in
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import source
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.flatten import Names
from ms_compat.rewrite.imports import imports_of
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
        self._generated: set[str] = set()
        self._parts: list[str] = []
        self._lines: set[str] = set()
        self._names = Names()
        self._made: set[str] = set()
        self._classes: dict[Any, str] = {}
        package = "mindspore" if "mindspore" in sys.modules else "ms_compat"
        import ms_compat
        from ms_compat.ops import functional

        self._head = _HEAD.format(package=package)
        self.objects: dict[str, Any] = {"nn": ms_compat.nn, "Cell": Cell, "F": functional, "sys": sys}
        self._collect(tree, set())
        self._named: dict[int, str] = {}  # the class of each tree
        self._name(tree)
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

    def _name(self, tree: Tree) -> None:
        """Give a tree and those below it their classes: what was built alike and not changed shares one."""
        self._named[id(tree)] = self._classes.setdefault(_likeness(tree), tree.class_name)
        for subtree in _subtrees(tree):
            self._name(subtree)

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
        return lines

    def _imports(self, kind: type) -> list[str]:
        """The imports of a class's module that bind `nn`, or that `try`, if no other module means something else."""
        module = sys.modules.get(kind.__module__)
        if module is None:
            return []
        imports = imports_of(module)
        lines = []
        for line, names in [(imports.lines.get("nn", ""), ["nn"]), *imports.attempts]:
            values = {name: vars(module).get(name, MISSING) for name in names}
            if line and all(self.objects.get(name, value) is value for name, value in values.items()):
                self.objects.update(values)
                lines.append(line)
        return lines

    def _with_lines(self, lines: list[str], text: str) -> None:
        """Add a text and, before it, the lines that bind its names, each once in the module."""
        new = [line for line in dict.fromkeys(lines) if line not in self._lines]
        self._lines.update(new)
        self._parts.append("\n".join([*new, *[""][: bool(new)], text, "#"]))

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
        """Add the class of a tree, unless it is there, and return its name."""
        class_name = self._named[id(tree)]
        if class_name in self._made:
            return class_name
        self._made.add(class_name)
        for function in tree.functions:
            definition = _definition(function)
            lines = [*self._aliases(tree, definition), *self._bind(definition, function.function)]
            self._with_lines(lines, ast.unparse(ast.fix_missing_locations(definition)))
        kind = type(tree.network)
        bases = self._bases(kind)
        # The class of a changed call comes last, where a Cell is called more than once.
        wraps = [self._wrap(path, sub) for path, sub in sorted(_paths(tree), key=lambda pair: _is_changed(pair[1]))]
        inserted = [self._inserted(node) for node in tree.inserted if not _in_container(node)]
        edits = [line for block in reversed(tree.containers.values()) for line in self._edits(block)]
        own = self._bound(kind.__name__, kind)
        lines = [*self._imports(kind), _line_for(own, kind, kind.__name__, None)]
        methods = []
        for block in sorted((b for b in (*tree.methods.values(), tree.root) if b.definition), key=_line):
            definition = _definition(block)
            owner = next(c for c in kind.__mro__ if definition.name in vars(c))
            lines += self._aliases(tree, definition) + self._bind(definition, block.function, owner)
            methods.append(definition)
        for definition, function in _other_methods(tree):
            try:
                lines += self._bind(definition, function, kind)
            except UnsupportedError:  # for a name that clashes: the method is inherited as it is
                continue
            methods.append(definition)
        body = [f"class {class_name}({', '.join([own, *bases])}):", "", "    def __init__(self, obj):"]
        calls = [f"{base}.__init__(self)" for base in bases]
        body += ["        " + line for line in [*calls, "take_members(self, obj)", *wraps, *inserted, *edits]]
        text = "\n".join(body)
        for definition in methods:
            text += "\n\n" + _indented(ast.unparse(ast.fix_missing_locations(definition)))
        self._with_lines(lines, text)
        return class_name

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

    def _bases(self, kind: type) -> list[str]:
        """What a generated class derives from beside the class that it stands for: generated classes for its bases."""
        bases = ["nn.Cell" if base is Cell else self._base(base) for base in kind.__bases__]
        found = [base for base in bases if base is not None]
        if issubclass(kind, Cell) and not any(issubclass(self.objects.get(base, Cell), Cell) for base in found):
            found.insert(0, "nn.Cell")
        return found

    def _base(self, base: type) -> str | None:
        """The generated class for a class of the user's that the network derives from."""
        if base is object or is_of_the_package(written_in(base)) or base.__module__ in ("typing", "abc"):
            return None
        for name, value in self.objects.items():
            if value is base and name.startswith(f"{base.__name__}Opt"):
                return name
        self._names.used |= self._generated | set(self.objects)
        name = self._names.unique(f"{base.__name__}Opt")
        self.objects[name] = base
        self._generated.add(name)
        own, bases = self._bound(base.__name__, base), self._bases(base)
        lines = [f"class {name}({', '.join([own, *bases])}):", "", "    def __init__(self):"]
        lines += [f"        {parent}.__init__(self)" for parent in bases] or ["        pass"]
        self._with_lines([_line_for(own, base, base.__name__, None)], "\n".join(lines))
        return name

    def _wrap(self, path: str, subtree: Tree) -> str:
        own = "self" + path[path.index(".") :]
        return f"{own} = {self._tree(subtree)}({own})"

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
    """The trees of the called Cells: first what a block calls itself, then what its statements call inside."""
    found: list[Tree] = []
    seen: set[int] = set()

    def visit(block: Block) -> None:
        if id(block) in seen:
            return
        seen.add(id(block))
        found.extend(node.subtree for node in block.nodes if node.subtree is not None)
        for node in block.nodes:
            if node.inner is not None:
                visit(node.inner)

    visit(tree.root)
    return found


def _other_methods(tree: Tree) -> Iterator[tuple[Any, Any]]:
    """The methods of the Cell's class, and their definitions, whose statements are not nodes."""
    kind = type(tree.network)
    if not source.is_the_users(kind):
        return
    for name, function in vars(kind).items():
        if not isinstance(function, FunctionType) or name.startswith("__") or name in (*tree.methods, "construct"):
            continue
        definition = source.definition_of_method(kind, name)
        if definition is not None and not definition.decorator_list and not source.rebinds_names(definition):
            yield definition, function


def _paths(tree: Tree) -> list[tuple[str, Tree]]:
    """The paths of the Cells that the tree was built with and still calls, and their trees."""
    called = _subtrees(tree)
    return [(path, subtree) for path, subtree in tree.subtrees if subtree in called]


def _is_changed(tree: Tree) -> bool:
    return tree.is_modified or any(_is_changed(subtree) for subtree in _subtrees(tree))


def _likeness(tree: Tree) -> Any:
    """What is equal for trees that were built alike: their Cells have one class, and call Cells of the same classes."""
    if tree.is_modified:
        return id(tree)
    return type(tree.network), tuple([(path, _likeness(subtree)) for path, subtree in tree.subtrees])


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
    written = sys.modules.get(getattr(function, "__module__", None) or "")
    if new == name and written is not None and not is_of_the_package(written.__name__):
        line = imports_of(written).lines.get(name)
        if line is not None and vars(written).get(name) is value:
            return line
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
