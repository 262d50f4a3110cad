"""From the source of a Cell to nodes: what each statement calls is looked up in the Cell itself."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType, ModuleType
from typing import Any

from ms_compat._core.dispatch.op import Op
from ms_compat._core.homes import is_of_the_package
from ms_compat.nn.cell import Cell
from ms_compat.nn.container import CellList, SequentialCell
from ms_compat.ops.primitive import Primitive
from ms_compat.rewrite import source
from ms_compat.rewrite.flatten import Names, flatten, names_in, operator_name
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement
from ms_compat.rewrite.source import MISSING
from ms_compat.rewrite.values import GENERATED, copied, dotted

CONTAINERS = (SequentialCell, CellList)
# Classes and functions of all trees stand in modules of their own, but MindSpore numbers them through the process.
CLASS_NAMES = Names()
FUNCTION_NAMES = Names()


class Tree:
    """The nodes of one Cell.

    Args:
        network: the Cell.
        parents: the Cells whose trees are being built around this one.

    Raises:
        OSError: Python does not find the source of the Cell's class.
    """

    public: Any = None  # `SymbolTree`, which enters itself here: Node makes some, and is imported by it

    def __init__(self, network: Cell, parents: tuple[Any, ...] = ()):
        self.network = network
        self.class_name = CLASS_NAMES.unique(f"{type(network).__name__}Opt")
        self.names = Names()  # variables
        self.node_names = Names()
        self.root = Block(self)
        self.inserted: list[Statement] = []
        self.functions: list[Block] = []  # copies of functions outside the class
        self.aliases: dict[str, Any] = {}  # other functions that are called by a path
        self.methods: dict[str, Block] = {}
        self.containers: dict[int, Block] = {}
        self.subtrees: dict[str, Tree] = {}
        self.file_name = "./network_define.py"
        Builder(self, (*parents, network)).build()

    def unique_attribute(self, name: str) -> str:
        """A free name for an inserted Cell."""
        return self.node_names.unique(name, lambda found: hasattr(self.network, found))


class Builder:
    """Builds the nodes of a tree."""

    def __init__(self, tree: Tree, parents: tuple[Any, ...]):
        self._tree = tree
        self._parents = parents
        self._expanding: list[Any] = []

    def build(self) -> None:
        """Parse the `construct` of the tree's Cell, which may be inherited."""
        cell = self._tree.network
        owner = next(kind for kind in type(cell).__mro__ if "construct" in vars(kind))
        block = self._tree.root
        if is_of_the_package(source.written_in(owner)):
            return
        inspect.getsource(type(cell))
        definition = source.definition_of_method(owner, "construct")
        function = source.unwrapped(vars(owner)["construct"])
        if definition is None or function is None:
            return
        if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(definition)):
            raise SyntaxError(
                f"For 'SymbolTree.create', the construct of {owner.__name__} must not rebind names outside by 'global' "
                "or 'nonlocal': its copy stands in another module. Use an attribute of the Cell."
            )
        names = Names(names_in(definition))
        self._function(block, definition, function, names)

    # -- functions -----------------------------------------------------------------------------------------------
    def _function(self, block: Block, definition: ast.FunctionDef, function: FunctionType, names: Names) -> None:
        block.definition, block.function = definition, function
        is_method = block is self._tree.root or bool(block.path)
        block.self_name = source.first_parameter(definition) if is_method else ""
        self._parameters(block, definition, is_method)
        outer_names = {name.id for name in ast.walk(definition) if isinstance(name, ast.Name)}
        stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        parameters = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
        self._tree.names.used |= outer_names & stored
        self._statements(block, definition.body, Scope(function, stored | parameters, is_method, block), names)

    def _parameters(self, block: Block, definition: ast.FunctionDef, is_method: bool) -> None:
        arguments = definition.args
        first = [*arguments.posonlyargs, *arguments.args]
        for parameter in first[1:] if is_method else first:
            self._add(block, NodeType.Input, f"input_{parameter.arg}", parameter)
        if arguments.vararg is not None:
            self._add(block, NodeType.Python, "arg", arguments.vararg)
        if arguments.kwonlyargs:
            names = ast.arg(", ".join(parameter.arg for parameter in arguments.kwonlyargs))
            self._add(block, NodeType.Python, "list", names)
        if arguments.kwarg is not None:
            self._add(block, NodeType.Python, "arg", arguments.kwarg)

    def _add(self, block: Block, kind: NodeType, name: str, code: ast.AST, instance: Any = None) -> Statement:
        node = Statement(kind, self._tree.node_names.unique(name), code, instance)
        block.add(node)
        self._tree.names.used |= {str(target) for target in node.targets()}
        return node

    # -- statements ----------------------------------------------------------------------------------------------
    def _statements(self, block: Block, body: list[ast.stmt], scope: Scope, names: Names) -> None:
        body = [simple for statement in body for simple in self._containers_apart(statement, scope, names)]
        for statement in flatten(body, names.unique):
            self._statement(block, statement, scope)

    def _containers_apart(self, statement: ast.stmt, scope: Scope, names: Names) -> list[ast.stmt]:
        """`for cell in self.cells` as two statements, so that the container has a node."""
        if not isinstance(statement, ast.For):
            return [statement]
        text = dotted(statement.iter)
        if text is None or not isinstance(self._value(text, scope), CONTAINERS):
            return [statement]
        name = names.unique(text.replace(".", "_"))
        first = ast.Assign([ast.Name(name, ast.Store())], statement.iter)
        statement.iter = ast.Name(name, ast.Load())
        return [first, statement]

    def _statement(self, block: Block, statement: ast.stmt, scope: Scope) -> None:
        if isinstance(statement, ast.Return):
            self._add(block, NodeType.Output, "return", statement)
        elif isinstance(statement, (ast.If, ast.For, ast.While)):
            self._control_flow(block, statement, scope)
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            self._assignment(block, statement, scope)
        else:
            self._add(block, NodeType.Python, type(statement).__name__, statement)

    def _control_flow(self, block: Block, statement: Any, scope: Scope) -> None:
        word = type(statement).__name__.lower()
        heads = [(f"{word}_node", statement.body)]
        if statement.orelse:
            heads.append(("else_node" if word == "if" else f"{word}_else_node", statement.orelse))
        head: Statement | None = None
        for name, body in heads:
            node = self._add(block, NodeType.ControlFlow, name, statement)
            node.head, head = head, node
            node.inner = Block(self._tree, block.self_name)
            node.inner.function, node.inner.definition = block.function, block.definition
            self._statements(node.inner, body, scope, self._tree.names)

    def _assignment(self, block: Block, statement: ast.Assign, scope: Scope) -> None:
        # One case for each kind of expression, by which MindSpore names the node.
        value = statement.value
        if isinstance(value, ast.Call):
            self._call(block, statement, value, scope)
        elif isinstance(value, ast.BinOp):
            self._add(block, NodeType.MathOps, f"binop_{operator_name(value.op)}", statement)
        elif isinstance(value, ast.UnaryOp):
            self._add(block, NodeType.MathOps, f"unaryop_{operator_name(value.op)}", statement)
        elif isinstance(value, ast.BoolOp):
            self._add(block, NodeType.MathOps, f"boolop_{operator_name(value.op)}", statement)
        elif isinstance(value, ast.Compare):
            words = [operator_name(operator) for operator in value.ops]
            self._add(block, NodeType.MathOps, "_".join(["compare", *words]), statement)
        elif isinstance(value, (ast.Tuple, ast.List)):
            self._add(block, NodeType.CallMethod, type(value).__name__.lower(), statement)
        elif isinstance(value, ast.Dict) and all(isinstance(key, ast.Constant) for key in value.keys):
            self._add(block, NodeType.CallMethod, "dict", statement)
        elif isinstance(value, ast.Subscript):
            self._add(block, NodeType.CallMethod, "subscript_var", statement)
        elif isinstance(value, ast.Attribute):
            text = dotted(value)
            container = self._value(text, scope) if text is not None else None
            if isinstance(container, CONTAINERS) and text is not None:
                node = self._add(block, NodeType.CellContainer, text, statement, container)
                node.inner = self._container(text, container, statement, ())
            else:
                self._add(block, NodeType.CallMethod, "attribute_assign", statement)
        elif isinstance(value, ast.Name):
            self._add(block, NodeType.CallMethod, "name_assign", statement)
        elif isinstance(value, ast.Constant):
            self._add(block, NodeType.CallMethod, "constant_assign", statement)
        else:
            self._add(block, NodeType.Python, "Assign", statement)

    # -- calls ---------------------------------------------------------------------------------------------------
    def _value(self, text: str, scope: Scope) -> Any:
        """What a path means: a member of the Cell, or a name outside the function; MISSING if it is not known yet."""
        first, *rest = text.split(".")
        if scope.is_method and first == scope.block.self_name:
            value: Any = self._tree.network
            for name in rest:
                value = getattr(value, name, MISSING)
            return value
        if first in scope.local_names:
            return MISSING
        value = source.value_of(scope.function, first)
        for name in rest:
            value = getattr(value, name, MISSING) if isinstance(value, (ModuleType, type)) else MISSING
        return value

    def _call(self, block: Block, statement: ast.Assign, call: ast.Call, scope: Scope) -> None:
        text = dotted(call.func)
        if text is None and isinstance(call.func, ast.Attribute):
            self._add(block, NodeType.CallFunction, call.func.attr, statement)
            return
        if text is None:
            self._add(block, NodeType.Python, "Assign", statement)
            return
        value, name = self._value(text, scope), text.rpartition(".")[2]
        is_own = scope.is_method and text.startswith(scope.block.self_name + ".")
        if isinstance(value, Cell) and is_own:
            self._cell(block, statement, text, value)
        elif isinstance(value, Primitive):
            self._add(block, NodeType.CallPrimitive, name, statement, value)
        elif is_own and text.count(".") == 1:
            self._method(block, statement, name, value)
        elif isinstance(value, FunctionType) and source.is_the_users(value):
            self._outside(block, statement, call, value)
        elif isinstance(value, (FunctionType, Op)):
            if "." in text:
                name = self._alias(name, value)
                call.func = ast.Name(name, ast.Load())
                setattr(call.func, GENERATED, True)
            self._add(block, NodeType.CallFunction, name, statement, value)
        else:
            self._add(block, NodeType.CallFunction, name, statement)

    def _alias(self, name: str, function: Any) -> str:
        """A name in the generated module for a function of MindSpore that is called by a path, as there."""
        for alias, known in self._tree.aliases.items():
            if known is function:
                return alias
        alias = f"{name}_opt"
        while self._tree.aliases.get(alias, function) is not function:
            alias += "_1"
        self._tree.aliases[alias] = function
        return alias

    def _cell(self, block: Block, statement: ast.Assign, text: str, cell: Cell) -> None:
        name = text.rpartition(".")[2]
        if isinstance(cell, CONTAINERS) and is_of_the_package(source.written_in(type(cell))):
            node = self._add(block, NodeType.CellContainer, name, statement, cell)
            arguments = tuple(statement.value.args) if isinstance(statement.value, ast.Call) else ()
            node.inner = self._container(text, cell, statement, arguments)
            return
        subtree = self._subtree(text, cell)
        kind = NodeType.CallCell if subtree is None else NodeType.Tree
        self._add(block, kind, name, statement, cell).subtree = subtree

    def _subtree(self, path: str, cell: Cell) -> Tree | None:
        """The tree for a Cell that the user wrote, one for each path to it."""
        if not source.is_the_users(type(cell)) or not source.has_source(type(cell)):
            return None
        if any(cell is parent for parent in self._parents):
            return None
        if path not in self._tree.subtrees:
            self._tree.subtrees[path] = Tree(cell, self._parents)
        return self._tree.subtrees[path]

    def _container(self, path: str, container: Any, statement: ast.Assign, arguments: tuple[ast.expr, ...]) -> Block:
        """The block of a container, the same one for all statements that use it."""
        if id(container) in self._tree.containers:
            return self._tree.containers[id(container)]
        inner = self._tree.containers[id(container)] = Block(self._tree)
        inner.path, inner.container = path, container
        for index, cell in enumerate(container):
            name, place = type(cell).__name__, f"{path}[{index}]"
            call = ast.Assign(copied(statement.targets), ast.Call(ast.Name(name, ast.Load()), copied([*arguments]), []))
            if isinstance(cell, CONTAINERS) and is_of_the_package(source.written_in(type(cell))):
                node = self._add(inner, NodeType.CellContainer, name, call, cell)
                node.inner = self._container(place, cell, call, arguments)
                continue
            subtree = self._subtree(place, cell)
            kind = NodeType.CallCell if subtree is None else NodeType.Tree
            self._add(inner, kind, name, call, cell).subtree = subtree
        return inner

    def _method(self, block: Block, statement: ast.Assign, name: str, value: Any) -> None:
        """A call of the Cell's own method; the statements of it are nodes if its class defines it here."""
        known = value if value is not MISSING and callable(value) else None
        node = self._add(block, NodeType.CallFunction, name, statement, known)
        kind = type(self._tree.network)
        if name in self._tree.methods:
            node.inner = self._tree.methods[name]
            return
        raw = vars(kind).get(name)
        function = source.unwrapped(raw) if isinstance(raw, FunctionType) else None
        if function is None or not source.is_the_users(kind) or name == "construct":
            return
        definition = source.definition_of_method(kind, name)
        kept = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom)
        if definition is None or any(isinstance(part, kept) for part in ast.walk(definition)):
            return
        inner = self._tree.methods[name] = node.inner = Block(self._tree)
        inner.path = name
        self._tree.names.used |= names_in(definition) - {"self"}
        self._function(inner, definition, function, self._tree.names)

    def _outside(self, block: Block, statement: ast.Assign, call: ast.Call, function: FunctionType) -> None:
        """A call of a function outside the class: of a copy, whose statements are nodes, if it can be moved."""
        definition = source.definition_of_function(function)
        if definition is None or not source.is_movable(definition, function) or function in self._expanding:
            name = dotted(call.func) or function.__name__
            self._add(block, NodeType.CallFunction, name.rpartition(".")[2], statement, function)
            return
        same = isinstance(call.func, ast.Name) and call.func.id == function.__name__
        definition.name = FUNCTION_NAMES.unique(function.__name__ if same else f"{function.__name__}_opt")
        call.func = ast.Name(definition.name, ast.Load())
        setattr(call.func, GENERATED, True)
        node = self._add(block, NodeType.CallFunction, definition.name, statement, function)
        inner = node.inner = Block(self._tree)
        self._expanding.append(function)
        self._tree.names.used |= names_in(definition)
        self._function(inner, definition, function, self._tree.names)
        self._expanding.pop()
        self._tree.functions.append(inner)


class Scope:
    """Which names mean what in a function: those that it binds itself are not known before it runs."""

    def __init__(self, function: FunctionType, local_names: set[str], is_method: bool, block: Block):
        self.function = function
        self.local_names = local_names
        self.is_method = is_method
        self.block = block
