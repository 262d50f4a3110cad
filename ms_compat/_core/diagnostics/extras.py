"""Packages that only some formats need, and the extras of this package that bring them."""

from __future__ import annotations

import importlib
from types import ModuleType


def needed(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a package that may not be installed.

    Args:
        module: its name.
        extra: the extra that brings it.
        purpose: what it is needed for; the message begins with it.

    Raises:
        ImportError: it is not installed.

    >>> needed("json", "json", "Reading JSON files").__name__
    'json'
    >>> needed("no_such_package", "all", "Reading all files")
    Traceback (most recent call last):
    ImportError: Reading all files needs the package 'no_such_package': pip install 'ms-compat[all]'.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        text = f"{purpose} needs the package '{module}': pip install 'ms-compat[{extra}]'."
        raise ImportError(text, name=module) from error
