"""Statements of a network and the blocks they stand in. The tree of `ast` in a statement is the only record of it.

Which statement gives an argument its value is not stored. It is looked up in the block: the last statement before that
assigns the name. So nothing has to be kept true when statements come and go.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ms_compat._core.dispatch.op import Op
from ms_compat._core.errors import value_error
from ms_compat.rewrite.local_prim import LocalPrim
from ms_compat.rewrite.node_handler import NodeHandler
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.scoped_value import ScopedValue, ValueType
from ms_compat.rewrite.values import to_expression, to_scoped


class Block:
    """Statements that follow each other in a function, a branch or a loop, or the Cells in a container."""

    def __init__(self, tree: Any, self_name: str = "self", owner: Statement | None = None):
        self.tree = tree
        self.self_name = self_name  # empty in a function outside the class
        self.nodes: list[Statement] = []
        self.definition: ast.FunctionDef | None = None  # of a function
        self.function: Any = None  # what reads the names outside
        self.path: str = ""  # of a container or a method: where the Cell has it
        self.container: Any = None
        self.edits: list[tuple[int, Statement | None]] = []  # of a container: what came to an index, or left it
        self.owner = owner  # the statement around it

    def place(self, node: Statement, at: int) -> None:
        """Put a statement into the block."""
        self.nodes.insert(at, node)
        node.block = self
        self.changed()

    def remove(self, node: Statement) -> None:
        """Take a statement out."""
        self.nodes.remove(node)
        node.block = None
        self.changed()

    def changed(self) -> None:
        """Mark the tree as modified, and update the body of the function's definition."""
        if not self.tree.is_built:
            return
        self.tree.is_modified = True
        block = self
        while block.owner is not None and block.owner.kind is NodeType.ControlFlow and block.owner.block is not None:
            block = block.owner.block
        if block.definition is not None:
            block.definition.body = statements(block)

    def add(self, node: Statement) -> None:
        """Put a statement at the end."""
        self.place(node, len(self.nodes))


class Statement(NodeHandler):
    """One node: a statement, a parameter of a function, or a Cell in a container.

    Args:
        kind: the type of node.
        name: its name in the tree.
        code: the statement, or an `ast.arg` for a parameter.
        instance: the Cell, primitive or function that it calls.
    """

    def __init__(self, kind: NodeType, name: str, code: ast.AST, instance: Any = None):
        self.kind = kind
        self.name = name
        self.code = code
        self.instance = instance
        self.block: Block | None = None
        self.inner: Block | None = None  # the statements inside
        self.head: Statement | None = None  # of an `else`: the `if` or loop that it belongs to
        self.subtree: Any = None  # the tree of the called Cell
        self.attribute: str = ""  # of an inserted call: the attribute that holds the Cell
        self.attributes: dict[str, Any] = {}

    # -- arguments -----------------------------------------------------------------------------------------------
    def _slots(self) -> tuple[list[tuple[Any, Any]], dict[str, tuple[Any, Any]]]:
        """Where arguments and keyword arguments stand in the code: pairs of an owner and a field or index."""
        # One case for each kind of statement and expression.
        code = self.code
        if self.kind is NodeType.Python or isinstance(code, ast.arg):
            return [], {}
        if isinstance(code, ast.Return):
            return ([(code, "value")] if code.value is not None else []), {}
        if isinstance(code, (ast.If, ast.While)):
            return [(code, "test")], {}
        if isinstance(code, ast.For):
            return [(code, "iter")], {}
        value: Any = code.value  # type: ignore[attr-defined] # of an assignment, or of a call without targets
        if isinstance(value, ast.Call):
            keywords = {word.arg: (word, "value") for word in value.keywords if word.arg is not None}
            return [(value.args, at) for at in range(len(value.args))], keywords
        if isinstance(value, ast.BinOp):
            return [(value, "left"), (value, "right")], {}
        if isinstance(value, ast.UnaryOp):
            return [(value, "operand")], {}
        if isinstance(value, ast.BoolOp):
            return [(value.values, at) for at in range(len(value.values))], {}
        if isinstance(value, ast.Compare):
            others = [(value.comparators, at) for at in range(len(value.comparators))]
            return [(value, "left"), *others], {}
        if isinstance(value, (ast.Tuple, ast.List)):
            return [(value.elts, at) for at in range(len(value.elts))], {}
        if isinstance(value, ast.Dict):
            keys = [str(to_scoped(key)) for key in value.keys if key is not None]
            return [], {key: (value.values, at) for at, key in enumerate(keys)}
        if self.kind is NodeType.CellContainer:
            return [], {}
        return [(code, "value")], {}

    def _read(self, slot: tuple[Any, Any]) -> ScopedValue:
        owner, field = slot
        expression = owner[field] if isinstance(owner, list) else getattr(owner, field)
        return to_scoped(expression)

    def arguments(self) -> list[ScopedValue]:
        """The arguments by position."""
        return [self._read(slot) for slot in self._slots()[0]]

    def keyword_arguments(self) -> dict[str, ScopedValue]:
        """The arguments by keyword."""
        return {name: self._read(slot) for name, slot in self._slots()[1].items()}

    def all_arguments(self) -> list[ScopedValue]:
        """All arguments, in the order in which providers are numbered."""
        return [*self.arguments(), *self.keyword_arguments().values()]

    def set_argument(self, index: int, value: ScopedValue, api: str = "Node.set_arg") -> None:
        """Replace an argument by position.

        Raises:
            ValueError: the argument does not exist.
        """
        slots = self._slots()[0]
        if not 0 <= index < len(slots):
            raise value_error(api, "index", f"in range of [0, {len(slots)})", index)
        owner, field = slots[index]
        if isinstance(owner, list):
            owner[field] = to_expression(value)
        else:
            setattr(owner, field, to_expression(value))
        self.mark_changed()

    def set_argument_by(self, index: int, other: Statement, out: int | None = None) -> None:
        """Replace an argument by what another statement assigns.

        Args:
            index: which argument.
            other: the other statement.
            out: which of its targets; it may be left out if there is only one.

        Raises:
            RuntimeError: the other assigns several values, and it is not said which.
            ValueError: an index is out of range.
        """
        api, targets = "Node.set_arg_by_node", other.targets()
        if out is None and len(targets) != 1:
            raise RuntimeError(f"For {api!r}, the 'out_idx' is needed: {other.name} has {len(targets)} outputs.")
        out = out or 0
        if not 0 <= out < len(targets):
            raise value_error(api, "out_idx", f"in range of [0, {len(targets)})", out)
        self.set_argument(index, targets[out], api)

    def mark_changed(self) -> None:
        """Mark the statement as modified."""
        if self.block is not None:
            self.block.changed()

    # -- targets -------------------------------------------------------------------------------------------------
    def targets(self) -> list[ScopedValue]:
        """The names that the statement assigns, with nested tuples taken apart."""
        code = self.code
        if isinstance(code, ast.arg):
            return [ScopedValue.create_naming_value(code.arg)] if self.kind is NodeType.Input else []
        if self.kind is NodeType.Python or not isinstance(code, ast.Assign):
            return []
        return list(self._leaves(code.targets[0]))

    def _leaves(self, target: ast.expr) -> Iterator[ScopedValue]:
        if isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                yield from self._leaves(element)
        elif isinstance(target, ast.Starred):
            yield from self._leaves(target.value)
        else:
            yield to_scoped(target)

    def set_target(self, index: int, value: ScopedValue) -> None:
        """Rename one of the names that the statement assigns.

        Raises:
            ValueError: there is no such target, or it stands in a nested tuple.
        """
        target: Any = self.code.targets[0] if isinstance(self.code, ast.Assign) else None
        places = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target][: target is not None]
        if not 0 <= index < len(places):
            raise value_error("SymbolTree.set_node_target", "index", f"in range of [0, {len(places)})", index)
        if isinstance(target, (ast.Tuple, ast.List)):
            target.elts[index] = to_expression(value, ast.Store())
        else:
            self.code.targets[0] = to_expression(value, ast.Store())  # type: ignore[attr-defined]
        self.mark_changed()

    # -- what it calls -------------------------------------------------------------------------------------------
    def instance_type(self) -> Any:
        """The type of what is called; a function itself, and NoneType if that is not known."""
        if isinstance(self.instance, LocalPrim):
            return self.instance.made_class
        return self.instance if isinstance(self.instance, (FunctionType, Op)) else type(self.instance)

    # -- neighbours ----------------------------------------------------------------------------------------------
    def providers(self) -> dict[int, tuple[Statement, int]]:
        """{index of an argument: (the statement that assigns it, which of its targets)} in the same block."""
        found: dict[int, tuple[Statement, int]] = {}
        if self.block is None:
            return found
        before = self.block.nodes[: self.block.nodes.index(self)]
        for index, argument in enumerate(self.all_arguments()):
            if argument.type is not ValueType.NamingValue:
                continue
            for node in reversed(before):
                targets = node.targets()
                if argument in targets:
                    found[index] = node, len(targets) - 1 - targets[::-1].index(argument)
                    break
        return found

    def users(self) -> dict[int, list[tuple[Statement, int]]]:
        """{index of a target: [(a statement that reads it, which of its arguments)]} in the same block."""
        found: dict[int, list[tuple[Statement, int]]] = {}
        if self.block is None:
            return found
        after = self.block.nodes[self.block.nodes.index(self) + 1 :]
        targets = self.targets()
        for node in after:
            for index, (provider, target) in node.providers().items():
                if provider is self:
                    found.setdefault(target, []).append((node, index))
        later = {target for node in after for target in node.targets()}
        for at, name in enumerate(targets):
            if name in later:
                found.setdefault(at, [])
        return dict(sorted(found.items()))

    def readers(self) -> list[Statement]:
        """The statements of the same block that read what this one assigns, in their order."""
        found = {id(node) for users in self.users().values() for node, _ in users}
        return [node for node in (self.block.nodes if self.block is not None else ()) if id(node) in found]

    # -- text ----------------------------------------------------------------------------------------------------
    def text(self) -> str:
        """The source of the statement alone; with its block, for control flow."""
        code = self.code
        if isinstance(code, ast.arg):
            return code.arg
        if self.kind is NodeType.ControlFlow and self.inner is not None:
            head = "else:" if self.head is not None else ast.unparse(with_body(code, [ast.Pass()])).rpartition("\n")[0]
            lines = "\n".join(ast.unparse(s) for s in self.inner_statements()).splitlines()
            return "\n".join([head, *["    " + line for line in lines]])
        return ast.unparse(ast.fix_missing_locations(code))

    def inner_statements(self) -> list[ast.stmt]:
        """The statements inside."""
        return statements(self.inner) if self.inner is not None else []


def with_body(code: Any, body: list[ast.stmt], orelse: list[ast.stmt] | None = None) -> Any:
    """A copy of a statement with blocks, with others."""
    fields = {name: value for name, value in ast.iter_fields(code)}
    return ast.fix_missing_locations(type(code)(**{**fields, "body": body, "orelse": orelse or []}))


def statements(block: Block, visit: Callable[[Statement], None] = lambda node: None) -> list[ast.stmt]:
    """The statements of a block as they stand now; `pass` for an empty one.

    Args:
        block: the block.
        visit: called with each node before its code is read.
    """
    out: list[Any] = []
    heads: dict[int, int] = {}
    for node in block.nodes:
        visit(node)
        if isinstance(node.code, ast.arg):
            continue
        if node.kind is not NodeType.ControlFlow or node.inner is None:
            out.append(node.code)
            continue
        inner = statements(node.inner, visit)
        if node.head is None:
            heads[id(node)] = len(out)
            out.append(with_body(node.code, inner))
        elif id(node.head) in heads:
            at = heads[id(node.head)]
            out[at] = with_body(out[at], out[at].body, inner)
        else:  # the branch before the `else` was erased
            out.append(with_body(node.code, [ast.Pass()], inner))
    return out or [ast.Pass()]
