"""Patterns of calls in a SymbolTree: which node reads which other, by the types of what they call."""

from __future__ import annotations

import abc
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ms_compat._core.errors import check_type, type_error
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive
from ms_compat.rewrite.api.node import Node
from ms_compat.rewrite.api.symbol_tree import SymbolTree
from ms_compat.rewrite.node_type import NodeType
from ms_compat.rewrite.nodes import Statement
from ms_compat.rewrite.scoped_value import check_each

_MATCHED = (NodeType.CallCell, NodeType.CallPrimitive, NodeType.Input)


class PatternNode:
    """One call of a pattern.

    Args:
        pattern_node_name (str): its name, by which a `Replacement` finds the node of the tree.
        match_type (type): the class of the Cell or primitive that is called.
        inputs (list[PatternNode]): the calls whose results it takes. Without any, its arguments are not looked at.

    Raises:
        TypeError: an argument has another type.

    >>> from ms_compat import nn
    >>> from ms_compat.rewrite.api.pattern_engine import PatternNode
    >>> pattern = PatternNode("act", nn.ReLU, [PatternNode("conv", nn.Conv2d)])
    >>> pattern.name(), [node.type().__name__ for node in pattern.get_inputs()]
    ('act', ['Conv2d'])
    """

    def __init__(
        self, pattern_node_name: str, match_type: Any = type[None], inputs: Sequence[PatternNode] | None = None
    ):
        self._name = check_type("PatternNode", "pattern_node_name", pattern_node_name, str)
        self._type = match_type
        self._inputs: list[PatternNode] = []
        if inputs is not None:
            self.set_inputs(inputs)

    @staticmethod
    def create_pattern_from_list(type_list: list[type]) -> PatternNode:
        """Returns the last node of a pattern in which each call takes the result of the one before.

        Args:
            type_list: the classes in the order of the calls.

        Raises:
            TypeError: `type_list` is not a list.
        """
        node: Any = None
        for at, kind in enumerate(check_type("PatternNode", "type_list", type_list, list)):
            node = PatternNode(f"{at}-{kind}", kind, [] if node is None else [node])
        return node

    @staticmethod
    def from_node(node: Node) -> PatternNode:
        """Returns a pattern for a node alone, with the name of what it assigns first.

        Raises:
            TypeError: `node` is not a Node.
        """
        check_type("PatternNode.from_node", "node", node, Node)
        return PatternNode(str(node.get_targets()[0]), node.get_instance_type())

    @staticmethod
    def create_pattern_from_node(node: Node) -> PatternNode:
        """Returns a pattern for a node and all nodes that its arguments come from.

        Raises:
            TypeError: `node` is not a Node.
        """
        made = PatternNode.from_node(node)
        made.set_inputs([PatternNode.create_pattern_from_node(other) for other in node.get_inputs()])
        return made

    def add_input(self, node: PatternNode) -> None:
        """Add a call whose result is taken.

        Raises:
            TypeError: `node` is not a PatternNode.
        """
        self._inputs.append(check_type("PatternNode.add_input", "node", node, PatternNode))

    def set_inputs(self, inputs: Sequence[PatternNode]) -> None:
        """Set the calls whose results are taken.

        Raises:
            TypeError: `inputs` is not a list or tuple of PatternNodes.
        """
        check_each("PatternNode", "inputs", inputs, PatternNode)
        self._inputs = list(inputs)

    def match(self, node: Node) -> bool:
        """Whether a node calls what this one stands for.

        Raises:
            TypeError: `node` is not a Node.
        """
        return self._type == check_type("PatternNode.match", "node", node, Node).get_instance_type()

    def get_inputs(self) -> list[PatternNode]:
        """Returns the calls whose results are taken."""
        return self._inputs

    def name(self) -> str:
        """Returns the name."""
        return self._name

    def type(self) -> Any:
        """Returns the class of the Cell or primitive."""
        return self._type


class VarNode(PatternNode):
    """A place of a pattern that any node fits; it is not part of what is replaced.

    >>> from ms_compat.rewrite.api.pattern_engine import VarNode
    >>> VarNode().name()
    'placeholder'
    """

    def __init__(self) -> None:
        super().__init__("placeholder", Cell, [])

    def match(self, node: Node) -> bool:
        """Whether there is a node at all."""
        return node is not None


class Replacement(abc.ABC):
    """Makes the nodes that come into the place of what a pattern found: derive from it and write `build`.

    >>> from ms_compat import nn
    >>> from ms_compat.rewrite import Node
    >>> from ms_compat.rewrite.api.pattern_engine import Replacement
    >>> class ByTanh(Replacement):
    ...     def build(self, pattern, is_chain_pattern, matched):
    ...         old = matched.get(pattern.name())
    ...         return [Node.create_call_cell(nn.Tanh(), old.get_targets(), old.get_args())]
    >>> ByTanh() is not None
    True
    """

    @abc.abstractmethod
    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]) -> list[Node]:
        """Returns the new nodes, in their order; none leaves the old ones in place.

        Args:
            pattern: the last node of the pattern.
            is_chain_pattern: whether the pattern was given as a list of classes.
            matched: the nodes that were found, by the names of the pattern's nodes.
        """

    def __call__(self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]) -> list[Node]:
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Finds a pattern in a SymbolTree and replaces what it finds.

    Args:
        pattern (Union[PatternNode, list[type]]): the last node, or the classes that are called one after the other.
        replacement (Replacement): makes the new nodes.

    Raises:
        TypeError: an argument has another type, or a class in the list is not of a Cell or primitive.

    >>> import pathlib, sys
    >>> _ = pathlib.Path("pair.py").write_text('''
    ... from ms_compat import nn
    ... class Pair(nn.Cell):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.first, self.second = nn.Sigmoid(), nn.ReLU()
    ...     def construct(self, x):
    ...         return self.second(self.first(x))
    ... ''')
    >>> sys.path.insert(0, ".")
    >>> import pair
    >>> from ms_compat import nn
    >>> from ms_compat.rewrite import Node, SymbolTree
    >>> from ms_compat.rewrite.api.pattern_engine import PatternEngine, Replacement
    >>> class ByTanh(Replacement):
    ...     def build(self, pattern, is_chain_pattern, matched):
    ...         first, last = matched.values()
    ...         return [Node.create_call_cell(nn.Tanh(), last.get_targets(), first.get_args(), name="tanh")]
    >>> tree = SymbolTree.create(pair.Pair())
    >>> PatternEngine([nn.Sigmoid, nn.ReLU], ByTanh()).apply(tree)
    True
    >>> [node.get_name() for node in tree.nodes()]
    ['input_x', 'tanh', 'return']
    """

    def __init__(self, pattern: PatternNode | list[type], replacement: Replacement | None = None):
        self._replacement = check_type("PatternEngine", "replacement", replacement, Replacement)
        self._is_chain = isinstance(pattern, list)
        if isinstance(pattern, list):
            for kind in pattern:
                if not isinstance(kind, type) or not issubclass(kind, (Cell, Primitive)):
                    raise type_error("PatternEngine", "pattern", "classes of Cells or primitives", kind)
            self._pattern = PatternNode.create_pattern_from_list(pattern)
        else:
            self._pattern = check_type("PatternEngine", "pattern", pattern, PatternNode)

    def pattern(self) -> PatternNode:
        """Returns the last node of the pattern."""
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace whatever fits the pattern in a SymbolTree, in the Cells that it calls, and in containers.

        What the nodes of the pattern compute, but the last one, must not be read by other nodes. The nodes are visited
        from the parameters on, each after one that it reads.

        Args:
            stree: the SymbolTree.

        Returns:
            Whether something was replaced in the SymbolTree itself.

        Raises:
            TypeError: `stree` is not a SymbolTree.
        """
        check_type("PatternEngine.apply", "stree", stree, SymbolTree)
        changed = False
        waiting, visited = stree.get_inputs(), set[Node]()
        while waiting:
            node = waiting.pop(0)
            if node in visited or node.get_symbol_tree() is None:
                continue
            visited.add(node)
            if node.get_node_type() is NodeType.Tree:
                self.apply(node.get_sub_tree())
            elif node.get_node_type() is NodeType.CellContainer:
                self._apply_to_container(stree, node.get_handler())
            new = self._replaced(stree, node)
            changed = changed or new is not None
            waiting += node.get_users() if new is None else [new]
        return changed

    def _apply_to_container(self, stree: SymbolTree, container: Statement) -> None:
        for cell in container.nodes():
            if cell.subtree is not None:
                self.apply(SymbolTree(cell.subtree))
            elif cell.kind is NodeType.CellContainer:
                self._apply_to_container(stree, cell)
            elif cell.block is not None:
                self._replaced(stree, Node(cell))

    def _replaced(self, stree: SymbolTree, last: Node) -> Node | None:
        """Replace what the pattern finds from its last node; returns the last of the new nodes."""
        matched = self._matched(self._pattern, last)
        if matched is None or self._is_read_outside(matched, last):
            return None
        new = self._replacement(self._pattern, self._is_chain, matched)
        if not new:
            return None
        made = stree.replace(last, new)
        for node in reversed(matched.values()):
            if node != last:
                stree.erase(node)
        return made

    def _matched(self, pattern: PatternNode, node: Node) -> OrderedDict[str, Node] | None:
        """The nodes that fit a pattern whose last node is given; None if it does not fit."""
        if node.get_node_type() not in _MATCHED or not pattern.match(node):
            return None
        found: OrderedDict[str, Node] = OrderedDict()
        if isinstance(pattern, VarNode):
            return found
        inputs = node.get_inputs() if pattern.get_inputs() else []
        if len(inputs) != len(pattern.get_inputs()):
            return None
        for below, other in zip(pattern.get_inputs(), inputs, strict=True):
            part = self._matched(below, other)
            if part is None:
                return None
            found.update(part)
        found[pattern.name()] = node
        return found

    @staticmethod
    def _is_read_outside(matched: OrderedDict[str, Node], last: Node) -> bool:
        inside = list(matched.values())
        return any(user not in inside for node in inside if node != last for user in node.get_users())
