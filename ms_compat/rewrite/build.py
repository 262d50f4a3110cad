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
from ms_compat.rewrite.local_prim import LocalPrim
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Block, Statement
from ms_compat.rewrite.source import MISSING
from ms_compat.rewrite.tree_handler import TreeHandler
from ms_compat.rewrite.values import GENERATED, copied, dotted
from ms_compat.rewrite.wrappers import Wrapper, wrapper

CONTAINERS = (SequentialCell, CellList)
# Classes and functions of all trees stand in modules of their own, but MindSpore numbers them through the process.
CLASS_NAMES = Names()
FUNCTION_NAMES = Names()


def is_container(value: Any) -> bool:
    """Whether a value is a container of Cells: MindSpore's, or a list that has nothing else."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, Cell) for item in value)
    return isinstance(value, CONTAINERS)


class Tree(TreeHandler):
    """The nodes of one Cell.

    Args:
        network: the Cell.
        parents: the Cells whose trees are being built around this one.

    Raises:
        OSError: Python does not find the source of the Cell's class.
    """

    public: Any = None  # `SymbolTree`, which enters itself here: Node makes some, and is imported by it

    def __init__(self, network: Cell, parents: tuple[Any, ...] = ()):
        self._start(network)
        Builder(self, (*parents, network)).build()
        self.is_built = True

    def _start(self, network: Cell) -> None:
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
        self.subtrees: list[tuple[str, Tree]] = []  # with the paths of the Cells
        self.file_name = "./network_define.py"
        self.is_built = self.is_modified = False

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
        inspect.getsource(type(cell))  # raises OSError now: methods of the class may be moved, too
        definition = source.definition_of_method(owner, "construct")
        function = source.unwrapped(vars(owner)["construct"])
        if definition is None or function is None:
            return
        if source.rebinds_names(definition):
            raise SyntaxError(
                f"For 'SymbolTree.create', the construct of {owner.__name__} must not rebind names outside by 'global' "
                "or 'nonlocal': its copy stands in another module. Use an attribute of the Cell."
            )
        names = Names(names_in(definition))
        self._function(block, definition, function, names)

    # -- functions -----------------------------------------------------------------------------------------------
    def _function(self, block: Block, definition: ast.FunctionDef, function: FunctionType, names: Names) -> None:
        block.definition, block.function = definition, function
        is_method = block is self._tree.root or (bool(block.path) and not source.is_static(definition))
        block.self_name = source.first_parameter(definition) if is_method else ""
        self._parameters(block, definition, is_method)
        outer_names = {name.id for name in ast.walk(definition) if isinstance(name, ast.Name)}
        stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self._tree.names.used |= outer_names & stored
        scope = Scope(function, source.bound_in(definition), is_method, block)
        self._statements(block, self._flattened(definition.body, scope, names), scope)

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
    def _flattened(self, body: list[ast.stmt], scope: Scope, names: Names) -> list[ast.stmt]:
        body = [simple for statement in body for simple in self._containers_apart(statement, scope, names)]
        return flatten(body, names.unique)

    def _statements(self, block: Block, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(block, statement, scope)

    def _containers_apart(self, statement: ast.stmt, scope: Scope, names: Names) -> list[ast.stmt]:
        """`for cell in self.cells` as two statements, so that the container has a node."""
        if not isinstance(statement, ast.For):
            return [statement]
        text = dotted(statement.iter)
        if text is None or not is_container(self._value(text, scope)):
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
        # All parts before the calls in any of them: so the variables are numbered as in MindSpore.
        parts = [(name, self._flattened(body, scope, self._tree.names)) for name, body in heads]
        for name, body in parts:
            node = self._add(block, NodeType.ControlFlow, name, statement)
            node.head, head = head, node
            node.inner = Block(self._tree, block.self_name, node)
            node.inner.function, node.inner.definition = block.function, block.definition
            self._statements(node.inner, body, scope)

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
            if is_container(container) and text is not None:
                node = self._add(block, NodeType.CellContainer, text, statement, container)
                node.inner = self._container(text, container, node, ())
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
        # One case for each kind of what may be called.
        text = dotted(call.func)
        if text is None and isinstance(call.func, ast.Attribute):
            self._add(block, NodeType.CallFunction, call.func.attr, statement)
            return
        if text is None:
            self._add(block, NodeType.Python, "Assign", statement)
            return
        value, name = self._value(text, scope), text.rpartition(".")[2]
        if value is MISSING:
            value = self._made_here(block, text, scope)
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
            taken_apart = wrapper(value)
            if taken_apart is not None:
                self._wrapper(block, statement, call, taken_apart, value)
                return
            if "." in text:
                name = self._alias(name, value)
                call.func = ast.Name(name, ast.Load())
                setattr(call.func, GENERATED, True)
            self._add(block, NodeType.CallFunction, name, statement, value)
        else:
            self._add(block, NodeType.CallFunction, name, statement)

    def _made_here(self, block: Block, name: str, scope: Scope) -> Any:
        """What a local name means: a primitive that an earlier statement makes; MISSING for anything else."""
        around: Block | None = block
        while around is not None:
            for node in reversed(around.nodes):
                if name not in [str(target) for target in node.targets()]:
                    continue
                call = getattr(node.code, "value", None)
                text = dotted(call.func) if isinstance(call, ast.Call) else None
                made = MISSING if text is None else self._value(text, scope)
                return LocalPrim(made) if isinstance(made, type) and issubclass(made, Primitive) else MISSING
            owner = around.owner
            around = owner.block if owner is not None and owner.kind is NodeType.ControlFlow else None
        return MISSING

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
            node.inner = self._container(text, cell, node, arguments)
            return
        subtree = self._subtree(text, cell)
        kind = NodeType.CallCell if subtree is None else NodeType.Tree
        self._add(block, kind, name, statement, cell).subtree = subtree

    def _subtree(self, path: str, cell: Cell) -> Tree | None:
        """A tree for a Cell that the user wrote, one for each statement that calls it."""
        if not source.is_the_users(type(cell)) or not source.has_source(type(cell)):
            return None
        if any(cell is parent for parent in self._parents):
            return None
        subtree = Tree(cell, self._parents)
        self._tree.subtrees.append((path, subtree))
        return subtree

    def _container(self, path: str, container: Any, owner: Statement, arguments: tuple[ast.expr, ...]) -> Block:
        """The block of a container, the same one for all statements that use it."""
        if id(container) in self._tree.containers:
            return self._tree.containers[id(container)]
        inner = self._tree.containers[id(container)] = Block(self._tree, owner=owner)
        inner.path, inner.container = path, container
        targets = owner.code.targets  # type: ignore[attr-defined] # of an assignment
        for index, cell in enumerate(container):
            name, place = type(cell).__name__, f"{path}[{index}]"
            call = ast.Assign(copied(targets), ast.Call(ast.Name(name, ast.Load()), copied([*arguments]), []))
            if isinstance(cell, CONTAINERS) and is_of_the_package(source.written_in(type(cell))):
                node = self._add(inner, NodeType.CellContainer, name, call, cell)
                node.inner = self._container(place, cell, node, arguments)
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
        function = source.unwrapped(raw) if isinstance(raw, (FunctionType, staticmethod)) else None
        if function is None or not source.is_the_users(kind) or name == "construct":
            return
        definition = source.definition_of_method(kind, name)
        kept = (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom)
        if definition is None or any(isinstance(part, kept) for part in ast.walk(definition)):
            return
        inner = self._tree.methods[name] = node.inner = Block(self._tree, owner=node)
        inner.path = name
        self._tree.names.used |= names_in(definition) - {"self"}
        self._function(inner, definition, function, self._tree.names)

    def _wrapper(self, block: Block, statement: ast.Assign, call: ast.Call, parts: Wrapper, value: Any) -> None:
        """Call a copy of a MindSpore function that calls a primitive. The copy calls the function itself."""
        definition = self._named(call, parts.definition)
        node = self._add(block, NodeType.CallFunction, definition.name, statement, value)
        inner = node.inner = Block(self._tree, owner=node)
        inner.definition, inner.function, inner.self_name = definition, parts.function, ""
        self._parameters(inner, definition, False)
        variable = self._tree.names.unique(f"{parts.called}_var")
        returned = definition.body[0]
        assert isinstance(returned, ast.Return) and returned.value is not None  # noqa: S101 - the wrapper's only line
        made = ast.Assign([ast.Name(variable, ast.Store())], returned.value)
        self._add(inner, NodeType.CallPrimitive, parts.called, made, parts.primitive)
        self._add(inner, NodeType.Output, "return", ast.Return(ast.Name(variable, ast.Load())))
        self._tree.functions.append(inner)

    @staticmethod
    def _named(call: ast.Call, definition: ast.FunctionDef) -> ast.FunctionDef:
        """Give the copy of a function a name that no other copy has, and let the call call it."""
        same = isinstance(call.func, ast.Name) and call.func.id == definition.name
        definition.name = FUNCTION_NAMES.unique(definition.name if same else f"{definition.name}_opt")
        call.func = ast.Name(definition.name, ast.Load())
        setattr(call.func, GENERATED, True)
        return definition

    def _outside(self, block: Block, statement: ast.Assign, call: ast.Call, function: FunctionType) -> None:
        """A call of a function outside the class: of a copy, whose statements are nodes, if it can be moved."""
        definition = source.definition_of_function(function)
        if definition is None or not source.is_movable(definition, function) or function in self._expanding:
            name = dotted(call.func) or function.__name__
            self._add(block, NodeType.CallFunction, name.rpartition(".")[2], statement, function)
            return
        self._named(call, definition)
        node = self._add(block, NodeType.CallFunction, definition.name, statement, function)
        inner = node.inner = Block(self._tree, owner=node)
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
