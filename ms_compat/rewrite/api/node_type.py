"""`NodeType`, at MindSpore's path."""

from ms_compat.rewrite.node_type import NodeType as NodeType
