"""The kinds of nodes in a SymbolTree."""

from enum import Enum


class NodeType(Enum):
    """What a node's statement does.

    * `CallCell`, `CallPrimitive`, `CallFunction`: it calls a Cell of MindSpore, a primitive, a function or method.
    * `Tree`: it calls a Cell of the user's, which has a SymbolTree of its own.
    * `CellContainer`: it uses a `SequentialCell` or `CellList`, whose Cells are nodes, too.
    * `CallMethod`: it makes a tuple, list or dict, reads an item, or copies a value to another name.
    * `MathOps`: it computes with an operator of Python.
    * `ControlFlow`: it is the head of an `if`, `else`, `for` or `while`, with the nodes of the block inside.
    * `Input`, `Output`: a parameter of `construct`, and a `return`.
    * `Python`: any other statement. Its arguments cannot be changed.

    >>> from ms_compat.rewrite import NodeType
    >>> NodeType.CallCell
    <NodeType.CallCell: 1>
    """

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12
