"""The settings of MindSpore's compiler: `mindspore._extends.parse.compile_config`. They are kept and change nothing."""

from __future__ import annotations

__all__: list[str] = []


def module_attribute(name: str) -> str | None:
    """Returns the default of a setting, an empty text; `None` for a name that cannot be one.

    >>> module_attribute("CHECK_BPROP"), module_attribute("check")
    ('', None)
    """
    return "" if name.isupper() else None
