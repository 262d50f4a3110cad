"""What programs read about the installed package `mindspore`, and what else its import provides.

Libraries look for `importlib.metadata.version("mindspore")` before they import it (`transformers` and all that copies
its way to find backends), and use `PIL.Image` after `import PIL`, since the real MindSpore has loaded it.
"""

import importlib
import importlib.metadata
import os
import re
import sys
from typing import Any

from ms_compat.version import __version__

NAME = "mindspore"


class Answering(importlib.metadata.Distribution):
    """The distribution "mindspore", in the version whose API is served. It has no files."""

    def read_text(self, filename: str) -> str | None:
        """The text of a metadata file; there is `METADATA` alone."""
        return f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {__version__}\n" if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        """Where a file of the distribution would be."""
        import ms_compat

        return os.path.join(os.path.dirname(os.path.dirname(ms_compat.__file__)), path)


def asked_for(name: str | None) -> bool:
    """Whether a search for this name, or for all (None), finds "mindspore"; case and `-_.` do not count."""
    return name is None or re.sub(r"[-_.]+", "-", name).lower() == NAME


def _submodule(name: str) -> Any:
    if name == "Image":
        return importlib.import_module("PIL.Image")
    raise AttributeError(f"module 'PIL' has no attribute {name!r}")


def serve_pillow() -> None:
    """Let `import PIL` suffice for `PIL.Image`. It is loaded at the first use: that takes longer than our import."""
    try:
        import PIL
    except ModuleNotFoundError:
        return
    vars(PIL).setdefault("__getattr__", _submodule)


def take_pillow_away() -> None:
    """Undo `serve_pillow`."""
    package = sys.modules.get("PIL")
    if package is not None and vars(package).get("__getattr__") is _submodule:
        del package.__getattr__
