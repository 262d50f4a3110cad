"""`Node`: one statement of a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import BuiltinFunctionType, FunctionType
from typing import Any

from ms_compat._core.dispatch.op import Op
from ms_compat._core.errors import check_bool, check_int, check_type, type_error
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive
from ms_compat.rewrite import create
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Statement
from ms_compat.rewrite.scoped_value import ScopedValue, check_each
from ms_compat.rewrite.values import as_scoped, naming

_TARGET = (ScopedValue, str)
_FUNCTION = (FunctionType, type, BuiltinFunctionType, Op)


def _check_call(
    api: str, targets: Any, args: Sequence[ScopedValue] | None, kwargs: Mapping[str, ScopedValue] | None
) -> None:
    check_each(api, "targets", targets, _TARGET)
    if args is not None:
        check_each(api, "args", args, ScopedValue)
    if kwargs is not None:
        check_type(api, "kwargs", kwargs, dict)
        check_each(api, "kwargs", list(kwargs), str)
        check_each(api, "kwargs", list(kwargs.values()), ScopedValue)


class Node:
    """A statement, a parameter of `construct`, or a Cell in a container.

    A node that was just created belongs to no SymbolTree until `SymbolTree.insert` or `replace` takes it.

    Args:
        node: what `Node.get_handler` of another one returns. Use `create_call_cell` or `create_call_function`.

    >>> from ms_compat import nn
    >>> from ms_compat.rewrite import Node, ScopedValue
    >>> x = ScopedValue.create_naming_value("x")
    >>> node = Node.create_call_cell(nn.ReLU(), ["y"], [x], name="act")
    >>> node.get_name(), node.get_args(), node.get_targets()
    ('act', [x], [y])
    """

    def __init__(self, node: Statement):
        self._node = check_type("Node", "node", node, Statement)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Node) and self._node is other._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return f"<Node {self._node.name}: {self._node.text()}>"

    # -- new nodes -------------------------------------------------------------------------------------------------
    @staticmethod
    def create_call_cell(
        cell: Cell,
        targets: Sequence[ScopedValue | str],
        args: Sequence[ScopedValue] | None = None,
        kwargs: Mapping[str, ScopedValue] | None = None,
        name: str = "",
        is_sub_net: bool = False,
    ) -> Node:
        """Returns a node `targets = self.name(*args, **kwargs)` for a Cell or a primitive.

        Args:
            cell: what is called. The network gets it as an attribute.
            targets: the names that get the outputs.
            args: the arguments by position.
            kwargs: the arguments by keyword.
            name: the attribute's name; the class's by default. `insert` numbers it if it is taken.
            is_sub_net: whether the Cell's own statements become nodes of a SymbolTree.

        Raises:
            TypeError: an argument has another type.
            RuntimeError: the Cell's `construct` does not take `args` and `kwargs`.

        >>> from ms_compat import nn
        >>> from ms_compat.rewrite import Node, NodeType, ScopedValue
        >>> node = Node.create_call_cell(nn.ReLU(), ["x"], [ScopedValue.create_naming_value("x")])
        >>> node.get_node_type()
        <NodeType.CallCell: 1>
        """
        api = "Node.create_call_cell"
        check_type(api, "cell", cell, (Cell, Primitive))
        _check_call(api, targets, args, kwargs)
        check_type(api, "name", name, str)
        check_bool(api, "is_sub_net", is_sub_net)
        return Node(create.call_of_cell(cell, targets, args, kwargs, name, is_sub_net))

    @staticmethod
    def create_call_function(
        function: Any,
        targets: Sequence[ScopedValue | str],
        args: Sequence[ScopedValue] | None = None,
        kwargs: Mapping[str, ScopedValue] | None = None,
    ) -> Node:
        """Returns a node `targets = function(*args, **kwargs)`; the function's statements do not become nodes.

        Raises:
            TypeError: an argument has another type; `function` must be a function or a class.

        >>> from ms_compat import ops
        >>> from ms_compat.rewrite import Node, ScopedValue
        >>> node = Node.create_call_function(ops.abs, ["x"], [ScopedValue.create_naming_value("x")])
        >>> node.get_node_type()
        <NodeType.CallFunction: 4>
        """
        api = "Node.create_call_function"
        if not isinstance(function, _FUNCTION) or isinstance(function, Primitive):
            raise type_error(api, "function", "a function or a class", function)
        _check_call(api, targets, args, kwargs)
        return Node(create.call_of_function(function, targets, args, kwargs))

    @staticmethod
    def create_input(param_name: str, default: ScopedValue | None = None) -> Node:
        """Returns a node for a new parameter of `construct`.

        Raises:
            TypeError: an argument has another type.

        >>> from ms_compat.rewrite import Node, NodeType
        >>> Node.create_input("mask").get_node_type()
        <NodeType.Input: 7>
        """
        check_type("Node.create_input", "param_name", param_name, str)
        if default is not None:
            check_type("Node.create_input", "default", default, ScopedValue)
        naming(param_name)
        return Node(create.parameter(param_name, default))

    # -- what it is ------------------------------------------------------------------------------------------------
    def get_handler(self) -> Statement:
        """Returns the statement that the Node stands for."""
        return self._node

    def get_name(self) -> str:
        """Returns the name, which is unique in the SymbolTree."""
        return self._node.name

    def get_node_type(self) -> NodeType:
        """Returns the NodeType."""
        return self._node.kind

    def get_instance_type(self) -> Any:
        """Returns the type of the Cell or primitive that is called, or the function; NoneType if it is not known."""
        return self._node.instance_type()

    def get_instance(self) -> Any:
        """Returns the Cell, primitive or function that is called; None if it is not known."""
        return self._node.instance

    def get_args(self) -> list[ScopedValue]:
        """Returns the arguments by position."""
        return self._node.arguments()

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """Returns the arguments by keyword."""
        return self._node.keyword_arguments()

    def get_targets(self) -> list[ScopedValue]:
        """Returns the names that the statement assigns."""
        return self._node.targets()

    def set_attribute(self, key: str, value: Any) -> None:
        """Note a value under a name at this node.

        Raises:
            TypeError: `key` is not a str.
        """
        self._node.attributes[check_type("Node.set_attribute", "key", key, str)] = value

    def get_attribute(self, key: str) -> Any:
        """Returns the value noted by `set_attribute`; None if there is none.

        Raises:
            TypeError: `key` is not a str.
        """
        return self._node.attributes.get(check_type("Node.get_attribute", "key", key, str))

    def get_attributes(self) -> dict[str, Any]:
        """Returns the values noted by `set_attribute`."""
        return self._node.attributes

    # -- its neighbours --------------------------------------------------------------------------------------------
    def get_inputs(self) -> list[Node]:
        """Returns the nodes that assign this node's arguments, in their order. Control flow hides its statements."""
        return [Node(node) for node, _ in self._node.providers().values()]

    def get_users(self) -> list[Node]:
        """Returns the nodes that read what this node assigns."""
        return [Node(node) for node in self._node.readers()]

    def get_arg_providers(self) -> dict[int, tuple[Node, int]]:
        """Returns {index of an argument: (the node that assigns it, which of its targets)}."""
        return {index: (Node(node), out) for index, (node, out) in self._node.providers().items()}

    def get_target_users(self, index: int = -1) -> Any:
        """Returns [(a node that reads a target, which argument)], by default for each target in a dict.

        Raises:
            TypeError: `index` is not an int.
        """
        check_int("Node.get_target_users", "index", index)
        found = {at: [(Node(node), arg) for node, arg in users] for at, users in self._node.users().items()}
        return found if index == -1 else found.get(index, [])

    def get_symbol_tree(self) -> Any:
        """Returns the SymbolTree that has this node; None for a node that was not inserted."""
        return None if self._node.block is None else self._node.block.tree.public(self._node.block.tree)

    def get_sub_tree(self) -> Any:
        """Returns the SymbolTree of the Cell that a node of type `NodeType.Tree` calls.

        Raises:
            TypeError: the node has another type.
        """
        if self._node.kind is not NodeType.Tree:
            raise TypeError(
                f"For 'Node.get_sub_tree', the node must be of type NodeType.Tree, but {self._node.name} is of "
                f"{self._node.kind}."
            )
        return self._node.subtree.public(self._node.subtree)

    # -- changes ---------------------------------------------------------------------------------------------------
    def set_arg(self, index: int, arg: ScopedValue | str) -> None:
        """Replace an argument by position.

        Args:
            index: which argument.
            arg: the new one; a str is a name.

        Raises:
            TypeError: an argument has another type.
            ValueError: the argument does not exist.
        """
        check_int("Node.set_arg", "index", index)
        check_type("Node.set_arg", "arg", arg, _TARGET)
        self._node.set_argument(index, as_scoped(arg))

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> None:
        """Replace an argument by what another node assigns.

        Args:
            arg_idx: which argument.
            src_node: the other node.
            out_idx: which of its targets; it may be left out if there is only one.

        Raises:
            TypeError: an argument has another type.
            ValueError: an index is out of range.
            RuntimeError: `out_idx` is left out and there are several targets.
        """
        check_int("Node.set_arg_by_node", "arg_idx", arg_idx)
        check_type("Node.set_arg_by_node", "src_node", src_node, Node)
        if out_idx is not None:
            check_int("Node.set_arg_by_node", "out_idx", out_idx)
        self._node.set_argument_by(arg_idx, src_node._node, out_idx)
