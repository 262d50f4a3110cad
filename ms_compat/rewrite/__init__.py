"""`mindspore.rewrite`: read and change the source of a network's `construct`. Re-exports only; see README.md."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.rewrite.api.node import Node as Node
from ms_compat.rewrite.api.pattern_engine import PatternEngine as PatternEngine
from ms_compat.rewrite.api.pattern_engine import PatternNode as PatternNode
from ms_compat.rewrite.api.pattern_engine import Replacement as Replacement
from ms_compat.rewrite.api.pattern_engine import VarNode as VarNode
from ms_compat.rewrite.api.symbol_tree import SymbolTree as SymbolTree
from ms_compat.rewrite.node_type import NodeType as NodeType
from ms_compat.rewrite.scoped_value import ScopedValue as ScopedValue
from ms_compat.rewrite.scoped_value import ValueType as ValueType

__getattr__ = unsupported_getattr(__name__)
