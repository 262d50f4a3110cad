"""MindSpore's inner `Node`, and the primitives that `construct` makes itself. Re-exports only."""

from ms_compat.rewrite.local_prim import LocalPrim as LocalPrim
from ms_compat.rewrite.nodes import Statement as Node

__all__ = ["LocalPrim", "Node"]
