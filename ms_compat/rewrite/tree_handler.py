"""The methods of MindSpore's inner `SymbolTree`, which `SymbolTree.get_handler` returns: a `Tree` has them.

They take and return statements where the public class has `Node`.
"""

from __future__ import annotations

from typing import Any

from ms_compat.rewrite import edit
from ms_compat.rewrite.node_handler import NodeHandler
from ms_compat.rewrite.scoped_value import ScopedValue
from ms_compat.rewrite.values import as_scoped


class TreeHandler:
    """Methods of a tree."""

    # -- statements ----------------------------------------------------------------------------------------------
    def nodes(self: Any) -> list[Any]:
        """Returns the statements of `construct`."""
        return list(self.root.nodes)

    _nodes = property(lambda self: {node.name: node for node in self.nodes()})
    node_list = property(nodes)
    node_count = property(lambda self: len(self.nodes()))
    get_input_nodes = NodeHandler.get_input_nodes
    get_returns = NodeHandler.get_returns
    get_node = NodeHandler.get_node

    def all_nodes(self: Any, subtree_nodes: bool = True) -> list[Any]:
        """Returns the statements, and what stands inside them; with `subtree_nodes` also in called Cells."""
        return edit.all_nodes(self, True, subtree_nodes)

    def get_node_from_name(self: Any, node_name: str) -> Any:
        """Returns the statement of a name, here or inside; None if there is none."""
        return edit.by_name(self, node_name)

    def get_tree_nodes(self: Any) -> list[Any]:
        """Returns the statements that call Cells with a tree."""
        return [node for node in self.all_nodes(False) if node.subtree is not None]

    def get_node_inputs(self: Any, node: Any) -> list[Any]:
        """Returns the statements that assign the arguments of a statement."""
        return edit.find(self, node).get_inputs()

    def get_node_users(self: Any, node: Any) -> list[tuple[Any, int]]:
        """Returns [(a statement that reads what a statement assigns, which argument)]."""
        return [user for users in edit.find(self, node).users().values() for user in users]

    # -- the network ---------------------------------------------------------------------------------------------
    def get_origin_network(self: Any) -> Any:
        """Returns the Cell that the tree was made from."""
        return self.network

    def get_ori_cls_name(self: Any) -> str:
        """Returns the name of the Cell's class."""
        return type(self.network).__name__

    def get_opt_cls_name(self: Any) -> str:
        """Returns the name of the generated class."""
        return self.class_name

    @property
    def _root_ast(self: Any) -> Any:
        return self.root.definition

    get_ast_root = get_manager_ast = lambda self: self.root.definition

    # -- changes -------------------------------------------------------------------------------------------------
    def before(self: Any, node: Any) -> edit.Position:
        """Returns the place before a statement."""
        return edit.Position(self, edit.find(self, node), before=True)

    def after(self: Any, node: Any) -> edit.Position:
        """Returns the place after a statement."""
        return edit.Position(self, edit.find(self, node), before=False)

    def insert_node(self: Any, new_node: Any, base_node: Any, before_node: bool) -> Any:
        """Put a statement before or after another one, and return it.

        Raises:
            ValueError: the statement is in a tree already.
            RuntimeError: the place is among the parameters.
        """
        return edit.insert(self, edit.Position(self, edit.find(self, base_node), before_node), new_node)

    def erase_node(self: Any, node_or_name: Any) -> Any:
        """Take a statement out, and return it.

        Raises:
            RuntimeError: the tree has no such statement.
        """
        return edit.erase(self, node_or_name)

    def replace(self: Any, old_node: Any, new_nodes: Any) -> Any:
        """Put statements into the place of another one, and return the last.

        Raises:
            RuntimeError: the tree has no such statement.
        """
        return edit.replace(self, old_node, new_nodes)

    def set_node_arg(self: Any, node: Any, index: int, arg: ScopedValue | str) -> None:
        """Replace an argument of a statement.

        Raises:
            ValueError: the index is out of range.
        """
        edit.find(self, node).set_argument(index, as_scoped(arg))

    def set_node_arg_by_node(self: Any, dst_node: Any, arg_idx: int, src_node: Any, out_idx: int | None = None) -> None:
        """Replace an argument of a statement by what another one assigns.

        Raises:
            ValueError: an index is out of range.
        """
        edit.find(self, dst_node).set_argument_by(arg_idx, edit.find(self, src_node), out_idx)

    def set_node_target(self: Any, node: Any, index: int, target: ScopedValue | str) -> None:
        """Rename one of the names that a statement assigns.

        Raises:
            ValueError: the index is out of range.
        """
        edit.find(self, node).set_target(index, as_scoped(target))

    def unique_name(self: Any, name: str) -> str:
        """Returns a name for a variable that is not in use."""
        return self.names.unique(name)

    def flatten_static_if_control_flow(self: Any) -> None:
        """Replace each `if` that the Cell's attributes decide by the branch that is taken."""
        self.public(self).flatten_static_if_control_flow()

    # -- results -------------------------------------------------------------------------------------------------
    def get_code(self: Any) -> str:
        """Returns the source of the module with the changed network."""
        return self.public(self).get_code()

    def get_network(self: Any) -> Any:
        """Returns the changed network."""
        return self.public(self).get_network()

    def set_saved_file_name(self: Any, file_name: str) -> None:
        """Set the file for `save_network_to_file`."""
        self.public(self).set_saved_file_name(file_name)

    def get_saved_file_name(self: Any) -> str:
        """Returns the file for `save_network_to_file`."""
        return self.file_name

    def save_network_to_file(self: Any) -> None:
        """Write the source to the file of `set_saved_file_name`."""
        self.public(self).save_network_to_file()
