"""What MindSpore's C++ class keeps on a primitive and programs sometimes set: attributes, user data, marks."""

from __future__ import annotations

import logging
from typing import Any

logger = logging.getLogger("ms_compat")


class PrimitiveMetadata:
    """A primitive's dicts, which no computation here reads.

    >>> from ms_compat import ops
    >>> relu = ops.ReLU()
    >>> relu.add_attr("recomputed", True)
    >>> relu.get_attr_dict()
    {'recomputed': True}
    """

    def _kept(self, kind: str) -> dict[str, Any]:
        return self.__dict__.setdefault(kind, {})

    def add_attr(self, name: str, value: Any) -> None:
        """Keep an attribute for `get_attr_dict`; `add_prim_attr` changes the primitive itself."""
        self._kept("_graph_attrs")[name] = value

    def del_attr(self, name: str) -> None:
        """Take an attribute away; nothing happens if there is none."""
        self._kept("_graph_attrs").pop(name, None)

    def get_attr_dict(self) -> dict[str, Any]:
        """The attributes that `add_attr` set."""
        return dict(self._kept("_graph_attrs"))

    def set_user_data(self, key: str, value: Any) -> None:
        """Keep anything under a key."""
        self._kept("_user_data")[key] = value

    def get_user_data(self, key: str) -> Any:
        """What `set_user_data` kept.

        Raises:
            RuntimeError: nothing is kept under the key.
        """
        if key not in self._kept("_user_data"):
            raise RuntimeError(f"The primitive '{getattr(self, 'name', '')}' has no user data '{key}'.")
        return self._kept("_user_data")[key]

    def set_instance_name(self, name: str) -> None:
        """Set this primitive's name for messages."""
        self._kept("_graph_attrs")["instance_name"] = name

    def _mark(self, what: str, value: Any) -> None:
        logger.debug("%s(%s) has no effect: it tells MindSpore's compiler how to treat the primitive", what, value)

    def set_const_prim(self, is_const: bool) -> None:
        """Concerns MindSpore's compiler."""
        self._mark("set_const_prim", is_const)

    def set_const_input_indexes(self, indexes: list[int]) -> None:
        """Concerns MindSpore's compiler."""
        self._mark("set_const_input_indexes", indexes)

    def set_inplace_prim(self, is_inplace: bool) -> None:
        """Concerns MindSpore's compiler."""
        self._mark("set_inplace_prim", is_inplace)
