"""A primitive that `construct` makes itself, as `square = ops.Square()`: known by its class before it is made."""

from __future__ import annotations

from ms_compat.ops.primitive import Primitive


class LocalPrim(Primitive):
    """Stands for a primitive that is made when the network runs.

    Args:
        made_class: the class of the primitive.

    >>> from ms_compat import ops
    >>> from ms_compat.rewrite.local_prim import LocalPrim
    >>> LocalPrim(ops.Square).made_class.__name__
    'Square'
    """

    def __init__(self, made_class: type):
        super().__init__(made_class.__name__)
        self.made_class = made_class
