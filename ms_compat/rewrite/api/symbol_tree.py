"""`SymbolTree`: the statements of a network, to be read and changed."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence

from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat.nn.cell import Cell
from ms_compat.rewrite import branches, edit, load, tabulate
from ms_compat.rewrite.api.node import Node
from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.edit import Position
from ms_compat.rewrite.emit import Module
from ms_compat.rewrite.nodes import Statement
from ms_compat.rewrite.scoped_value import check_each


class SymbolTree:
    """The statements of a Cell's `construct` as nodes, and the statements inside its functions, blocks and Cells.

    Nested expressions become a node each. Statements can be inserted, erased and replaced, and `get_network` makes the
    network that the changed statements describe. What a statement calls is known where the Cell's attributes say it.

    Args:
        handler: what `SymbolTree.get_handler` of another one returns. Use `SymbolTree.create`.

    Raises:
        TypeError: `handler` is something else.
    """

    def __init__(self, handler: Tree):
        self._symbol_tree = check_type("SymbolTree", "handler", handler, Tree)

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """Returns the SymbolTree of a network.

        Args:
            network: the Cell. Python must find the source of its class.

        Raises:
            TypeError: `network` is not a Cell.
            OSError: Python does not find the source, as for a class typed into the interpreter.
        """
        return cls(Tree(check_type("SymbolTree.create", "network", network, Cell)))

    def get_handler(self) -> Tree:
        """Returns what the SymbolTree stands for."""
        return self._symbol_tree

    def get_origin_network(self) -> Cell:
        """Returns the network from which the SymbolTree was made."""
        return self._symbol_tree.network

    # -- nodes -----------------------------------------------------------------------------------------------------
    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """Returns an iterator over the nodes in their order.

        Args:
            all_nodes: also the nodes inside functions, blocks, containers and Cells.

        Raises:
            TypeError: `all_nodes` is not a bool.
        """
        check_bool("SymbolTree.nodes", "all_nodes", all_nodes)
        return iter([Node(node) for node in edit.all_nodes(self._symbol_tree, all_nodes, all_nodes)])

    def all_nodes(self, subtree_nodes: bool = True) -> list[Node]:
        """Returns the nodes, and the nodes inside functions, blocks and containers.

        Args:
            subtree_nodes: also the nodes inside Cells that have a SymbolTree.

        Raises:
            TypeError: `subtree_nodes` is not a bool.
        """
        check_bool("SymbolTree.all_nodes", "subtree_nodes", subtree_nodes)
        return [Node(node) for node in edit.all_nodes(self._symbol_tree, True, subtree_nodes)]

    def get_node(self, node_name: str) -> Node | None:
        """Returns the node that has a name, in `construct` or inside one of its nodes; None if there is none.

        Raises:
            TypeError: `node_name` is not a str.
        """
        check_type("SymbolTree.get_node", "node_name", node_name, str)
        found = edit.by_name(self._symbol_tree, node_name)
        return None if found is None else Node(found)

    def get_inputs(self) -> list[Node]:
        """Returns the nodes of the parameters."""
        return [Node(node) for node in self._symbol_tree.root.nodes if node.kind.name == "Input"]

    # -- changes ---------------------------------------------------------------------------------------------------
    def before(self, node: Node | str) -> Position:
        """Returns the place before a node, for `insert`.

        Raises:
            TypeError: `node` is not a Node or a str.
            RuntimeError: the SymbolTree has no such node.
        """
        return self._position("before", node)

    def after(self, node: Node | str) -> Position:
        """Returns the place after a node, for `insert`.

        Raises:
            TypeError: `node` is not a Node or a str.
            RuntimeError: the SymbolTree has no such node.
        """
        return self._position("after", node)

    def _position(self, method: str, node: Node | str) -> Position:
        block = node.get_handler().block if isinstance(node, Node) else None
        if isinstance(node, Node) and block is not None:
            return Position(block.tree, node.get_handler(), method == "before")
        return Position(self._symbol_tree, self._found(method, node), method == "before")

    def _found(self, method: str, node: Node | str) -> Statement:
        check_type(f"SymbolTree.{method}", "node", node, (Node, str))
        return edit.find(self._symbol_tree, node.get_handler() if isinstance(node, Node) else node)

    def insert(self, position: Position, node: Node) -> Node:
        """Put a node into the SymbolTree, and number its name if it is taken.

        Args:
            position: what `before` or `after` returned.
            node: a node that is in no SymbolTree.

        Returns:
            The node.

        Raises:
            TypeError: an argument has another type.
            ValueError: the position is in another SymbolTree, or the node is in one already.
            RuntimeError: the position is among the parameters.
        """
        check_type("SymbolTree.insert", "position", position, Position)
        check_type("SymbolTree.insert", "node", node, Node)
        return Node(edit.insert(self._symbol_tree, position, node.get_handler()))

    def erase(self, node: Node | str) -> Node:
        """Take a node out, and return it.

        Raises:
            TypeError: `node` is not a Node or a str.
            RuntimeError: the SymbolTree has no such node, or it is a parameter.
        """
        return Node(edit.erase(self._symbol_tree, self._found("erase", node)))

    def replace(self, old_node: Node, new_nodes: Sequence[Node]) -> Node:
        """Put one node or several into the place of another.

        Returns:
            The last of the new nodes.

        Raises:
            TypeError: an argument has another type.
            IndexError: `new_nodes` is empty.
            RuntimeError: the SymbolTree has no such node.
        """
        check_type("SymbolTree.replace", "old_node", old_node, Node)
        check_each("SymbolTree.replace", "new_nodes", new_nodes, Node)
        new = [node.get_handler() for node in new_nodes]
        return Node(edit.replace(self._symbol_tree, old_node.get_handler(), new))

    def set_output(self, index: int, return_value: str) -> Node:
        """Let the last `return` return another variable, and return its node.

        Raises:
            TypeError: an argument has another type.
            ValueError: there is no such output.
        """
        check_int("SymbolTree.set_output", "index", index)
        check_type("SymbolTree.set_output", "return_value", return_value, str)
        return Node(edit.set_output(self._symbol_tree, index, return_value))

    def unique_name(self, name: str = "output") -> str:
        """Returns a name for a variable that is not in use: `name`, or with a number behind it.

        Raises:
            TypeError: `name` is not a str.
        """
        return self._symbol_tree.names.unique(check_type("SymbolTree.unique_name", "name", name, str))

    def flatten_nodes(self, node: Node, erase_nodes_after_return: bool = False) -> None:
        """Put the statements of a branch or loop behind it, and take it out.

        Args:
            node: a node of type `NodeType.ControlFlow`.
            erase_nodes_after_return: also take out the other branch, and what stands behind a `return` among the
                statements. By default the other branch stays.

        Raises:
            TypeError: an argument has another type.
            ValueError: the node has another type.
        """
        check_type("SymbolTree.flatten_nodes", "node", node, Node)
        erases = check_bool("SymbolTree.flatten_nodes", "erase_nodes_after_return", erase_nodes_after_return)
        branches.flatten_node(self._symbol_tree, node.get_handler(), erases, erases)

    def flatten_static_if_control_flow(self) -> None:
        """Replace each `if` that the Cell's attributes decide by the branch that is taken."""
        branches.flatten_static(self._symbol_tree)

    # -- results ---------------------------------------------------------------------------------------------------
    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print a table of the nodes: type, name, source, and which nodes its arguments and targets belong to.

        Args:
            all_nodes: also tables of functions, blocks, containers and Cells inside.

        Raises:
            TypeError: `all_nodes` is not a bool.
        """
        check_bool("SymbolTree.print_node_tabulate", "all_nodes", all_nodes)
        print(tabulate.tables(self._symbol_tree, all_nodes))

    def get_code(self) -> str:
        """Returns the source of the module with the changed network."""
        return Module(self._symbol_tree).text()

    def get_network(self) -> Cell:
        """Returns the changed network, with the Parameters of the one that the SymbolTree was made from.

        Its source is written to the folder `rewritten_network` in the working directory. The first network stays as it
        is, but training either trains both.
        """
        return load.network_of(self._symbol_tree)

    def set_saved_file_name(self, file_name: str) -> None:
        """Set the file for `save_network_to_file`; ".py" is added if it is missing.

        Raises:
            TypeError: `file_name` is not a str.
        """
        check_type("SymbolTree.set_saved_file_name", "file_name", file_name, str)
        self._symbol_tree.file_name = file_name if file_name.endswith(".py") else f"{file_name}.py"

    def get_saved_file_name(self) -> str:
        """Returns the file for `save_network_to_file`."""
        return self._symbol_tree.file_name

    def save_network_to_file(self) -> None:
        """Write `get_code()` to the file of `set_saved_file_name`."""
        path = pathlib.Path(self._symbol_tree.file_name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.get_code(), "utf-8")


Tree.public = SymbolTree
