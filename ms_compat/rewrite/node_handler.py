"""The methods of MindSpore's inner `Node`, which `Node.get_handler` returns: a `Statement` has them.

They return statements where the public class returns a `Node`, and some take their arguments in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ms_compat._core.errors import value_error
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive
from ms_compat.rewrite.calls import assignment
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.normalized import normalized
from ms_compat.rewrite.scoped_value import ScopedValue
from ms_compat.rewrite.values import as_scoped, to_expression


class NodeHandler:
    """Methods of a statement. Some, such as `nodes`, speak about the statements inside it."""

    # -- new ones ------------------------------------------------------------------------------------------------
    @classmethod
    def create_call_buildin_op(
        cls,
        op: Any,
        ast_node: ast.AST | None,
        targets: Any,
        func_name: ScopedValue | None = None,
        args: Any = None,
        kwargs: Any = None,
        node_name: str = "",
    ) -> Any:
        """Returns a statement that calls a Cell or primitive.

        Args:
            op: the Cell or primitive.
            ast_node: the statement; by default it is made of the other arguments.
            targets: what it assigns.
            func_name: the name of the attribute that holds the Cell, where `node_name` is empty.
            args: the arguments by position.
            kwargs: the arguments by keyword.
            node_name: the name of the node.

        Raises:
            ValueError: `op` is neither a Cell nor a primitive.
            RuntimeError: the Cell's `construct` does not take the arguments.
        """
        if not isinstance(op, (Cell, Primitive)):
            raise value_error("Node.create_call_buildin_op", "op", "a Cell or a primitive", type(op).__name__)
        in_order = normalized(op, args or (), kwargs or {})
        kwargs = {name: value for name, value in in_order.items() if name in (kwargs or ())}
        kind = NodeType.CallCell if isinstance(op, Cell) else NodeType.CallPrimitive
        if ast_node is not None:
            return cls(kind, node_name, ast_node, op)  # type: ignore[call-arg]
        attribute = node_name or (type(op).__name__ if func_name is None else str(func_name.value))
        function = ast.Attribute(ast.Name("self", ast.Load()), attribute, ast.Load())
        node: Any = cls(kind, node_name, assignment(function, targets, args, kwargs), op)  # type: ignore[call-arg]
        node.attribute = attribute
        return node

    @classmethod
    def create_output_node(cls, ast_node: ast.AST | None, return_value: Any = (), name: str = "return") -> Any:
        """Returns the statement of a `return`: the given one, or one that returns values."""
        if ast_node is None:
            values = [to_expression(value) for value in return_value]
            ast_node = ast.Return(values[0] if len(values) == 1 else ast.Tuple(values, ast.Load()))
        return cls(NodeType.Output, name, ast_node)  # type: ignore[call-arg]

    @classmethod
    def create_python_node(cls, ast_node: ast.AST, name: str = "", instance: Any = None) -> Any:
        """Returns a statement that is kept as it is."""
        return cls(NodeType.Python, name, ast_node, instance)  # type: ignore[call-arg]

    # -- what it is ----------------------------------------------------------------------------------------------
    def get_name(self: Any) -> str:
        """Returns the name."""
        return self.name

    def get_node_type(self: Any) -> NodeType:
        """Returns the NodeType."""
        return self.kind

    def get_instance(self: Any) -> Any:
        """Returns the Cell, primitive or function that is called."""
        return self.instance

    def get_instance_type(self: Any) -> Any:
        """Returns the type of what is called; a function itself."""
        return self.instance_type()

    def get_args(self: Any) -> list[ScopedValue]:
        """Returns the arguments by position."""
        return self.arguments()

    def get_kwargs(self: Any) -> dict[str, ScopedValue]:
        """Returns the arguments by keyword."""
        return self.keyword_arguments()

    def get_normalized_args(self: Any) -> dict[str, ScopedValue]:
        """Returns all arguments by the parameters of the called Cell's `construct`."""
        return normalized(self.instance, self.arguments(), self.keyword_arguments())

    _normalized_args = property(get_normalized_args)

    @property
    def _normalized_args_keys(self: Any) -> list[str]:
        return list(self.get_normalized_args())

    @property
    def _args_num(self: Any) -> int:
        return len(self.arguments())

    @property
    def _kwargs_num(self: Any) -> int:
        return len(self.keyword_arguments())

    def get_targets(self: Any) -> list[ScopedValue]:
        """Returns what the statement assigns."""
        return self.targets()

    def get_ast(self: Any) -> ast.AST:
        """Returns the statement as a tree of `ast`. The node has no other record, so what is changed there counts."""
        return self.code

    def update_ast_node(self: Any) -> ast.AST:
        """Returns the statement as a tree of `ast`, which is always up to date."""
        return self.code

    def get_source_code(self: Any) -> str:
        """Returns the statement as text."""
        return self.text()

    def set_attribute(self: Any, key: str, value: Any) -> None:
        """Note a value under a name."""
        self.attributes[key] = value

    def get_attribute(self: Any, key: str) -> Any:
        """Returns a value that was noted; None if there is none."""
        return self.attributes.get(key)

    def get_attributes(self: Any) -> dict[str, Any]:
        """Returns the values that were noted."""
        return self.attributes

    # -- its place -----------------------------------------------------------------------------------------------
    def get_belong_symbol_tree(self: Any) -> Any:
        """Returns the tree that has the statement; None for one that was not inserted."""
        return None if self.block is None else self.block.tree

    def get_node_manager(self: Any) -> Any:
        """Returns the statement around this one, or the tree if `construct` itself has it."""
        if self.block is None:
            return None
        return self.block.owner if self.block.owner is not None else self.block.tree

    @property
    def symbol_tree(self: Any) -> Any:
        """The tree of the Cell that is called; None if it has none."""
        return self.subtree

    def _beside(self: Any, step: int) -> Any:
        if self.block is None:
            return None
        at = self.block.nodes.index(self) + step
        return self.block.nodes[at] if 0 <= at < len(self.block.nodes) else None

    def get_prev(self: Any) -> Any:
        """Returns the statement before this one in its block; None for the first."""
        return self._beside(-1)

    def get_next(self: Any) -> Any:
        """Returns the statement after this one in its block; None for the last."""
        return self._beside(1)

    _prev = property(get_prev)
    _next = property(get_next)

    # -- its neighbours ------------------------------------------------------------------------------------------
    def get_inputs(self: Any) -> list[Any]:
        """Returns the statements that assign the arguments."""
        return [node for node, _ in self.providers().values()]

    def get_users(self: Any) -> list[Any]:
        """Returns the statements that read what this one assigns."""
        return self.readers()

    def get_arg_providers(self: Any) -> dict[int, tuple[Any, int]]:
        """Returns {index of an argument: (the statement that assigns it, which of its targets)}."""
        return self.providers()

    def get_target_users(self: Any, index: int = -1) -> Any:
        """Returns [(a statement that reads a target, which argument)], by default for each target in a dict."""
        found = self.users()
        return found if index == -1 else found.get(index, [])

    # -- changes -------------------------------------------------------------------------------------------------
    def set_arg(self: Any, arg: ScopedValue | str, index: int) -> tuple[ScopedValue, ScopedValue]:
        """Replace an argument; returns the old one and the new one.

        Raises:
            ValueError: the argument does not exist.
        """
        old, new = self.arguments(), as_scoped(arg)
        self.set_argument(index, new)
        return old[index], new

    def set_arg_by_node(self: Any, arg_idx: int, node: Any, out_idx: int | None = None) -> None:
        """Replace an argument by what another statement assigns.

        Raises:
            ValueError: an index is out of range.
            RuntimeError: `out_idx` is left out and there are several targets.
        """
        self.set_argument_by(arg_idx, node, out_idx)

    def append_kwarg(self: Any, kwarg: Mapping[str, ScopedValue]) -> None:
        """Add arguments by keyword to a call.

        Raises:
            ValueError: the statement calls nothing.
        """
        call = getattr(self.code, "value", None)
        if not isinstance(call, ast.Call):
            raise value_error("Node.append_kwarg", "node", "a statement that calls something", self.name)
        known = {word.arg: word for word in call.keywords}
        for name, value in kwarg.items():
            if name in known:
                known[name].value = to_expression(value)
            else:
                call.keywords.append(ast.keyword(name, to_expression(value)))
        self.mark_changed()

    # -- statements inside ---------------------------------------------------------------------------------------
    def nodes(self: Any) -> list[Any]:
        """Returns the statements inside, or the Cells of a container."""
        return [] if self.inner is None else list(self.inner.nodes)

    @property
    def node_list(self: Any) -> list[Any]:
        """The statements inside."""
        return self.nodes()

    @property
    def node_count(self: Any) -> int:
        """How many statements are inside."""
        return len(self.nodes())

    def get_node(self: Any, node_name: str) -> Any:
        """Returns the statement inside that has a name; None if there is none."""
        return next((node for node in self.nodes() if node.name == node_name), None)

    def get_input_nodes(self: Any) -> list[Any]:
        """Returns the parameters of a function."""
        return [node for node in self.nodes() if node.kind is NodeType.Input]

    def get_returns(self: Any) -> list[Any]:
        """Returns the `return` statements inside."""
        return [node for node in self.nodes() if node.kind is NodeType.Output]
