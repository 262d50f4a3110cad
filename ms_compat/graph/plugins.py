"""Plug-ins of MindSpore's compiler. XLA cannot load them, so registering one returns False, as a failure does there."""

from __future__ import annotations

import enum
import logging
import os

from ms_compat._core.errors import check_type

logger = logging.getLogger("ms_compat")


class CustomPassType(enum.Enum):
    """What a pass sees: the places that a pattern matches, or the whole graph."""

    PATTERN = 0
    FULL_GRAPH = 1


def register_custom_pass(
    pass_name: str, plugin_so_path: str, device: str = "all", pass_type: CustomPassType = CustomPassType.PATTERN
) -> bool:
    """Return False, and log why: a plug-in's pass changes MindSpore's graphs, which do not exist here.

    Change a network with `mindspore.rewrite`, or write a new operation with `ops.Custom`.

    Args:
        pass_name (str): the name of the pass.
        plugin_so_path (str): the shared library.
        device (str): "cpu", "gpu", "ascend" or "all".
        pass_type (CustomPassType): what the pass sees.

    Raises:
        TypeError: `pass_type` is not a CustomPassType.

    >>> from ms_compat import graph
    >>> graph.register_custom_pass("fuse", "/plugins/fuse.so")
    False
    """
    check_type("register_custom_pass", "pass_type", pass_type, CustomPassType)
    logger.error(
        "register_custom_pass: the pass '%s' of %s (%s) is not registered: XLA cannot load plug-ins of MindSpore's "
        "compiler. 'mindspore.rewrite' changes networks.", pass_name, plugin_so_path, device,
    )  # fmt: skip
    return False


def register_custom_backend(backend_name: str, backend_path: str) -> bool:
    """Return False, and log why: XLA is the only backend.

    Args:
        backend_name (str): the name of the backend.
        backend_path (str): the absolute path of the shared library.

    Raises:
        ValueError: an argument is None, the path is not absolute, or the shared library does not exist.

    >>> from ms_compat import graph
    >>> graph.register_custom_backend("mine", "/no/library.so")
    Traceback (most recent call last):
    ValueError: For 'register_custom_backend', the file '/no/library.so' does not exist or cannot be read.
    """
    if backend_name is None or backend_path is None:
        raise ValueError("For 'register_custom_backend', the 'backend_name' and 'backend_path' must not be None.")
    if not os.path.isabs(backend_path):
        raise ValueError(
            f"For 'register_custom_backend', the 'backend_path' must be an absolute path, but got '{backend_path}'."
        )
    if not os.path.isfile(backend_path) or not os.access(backend_path, os.R_OK):
        raise ValueError(f"For 'register_custom_backend', the file '{backend_path}' does not exist or cannot be read.")
    if not backend_path.endswith(".so"):
        raise ValueError(f"For 'register_custom_backend', the file '{backend_path}' must be a shared library (.so).")
    logger.error("register_custom_backend: '%s' is not registered: XLA is the only backend.", backend_name)
    return False
