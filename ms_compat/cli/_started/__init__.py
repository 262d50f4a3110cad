"""The programs that commands start in processes of their own, by their paths: `entry.py`, `guard.py`, `probe.py`."""

import pathlib
import sys

_FOLDER = pathlib.Path(__file__).parent


def entry() -> list[str]:
    """The command line that begins a `ms-compat` command in a new process."""
    safe = ["-P"] if sys.flags.safe_path else []
    return [sys.executable, *safe, str(_FOLDER / "entry.py"), str(_FOLDER.parents[2])]


def guard() -> list[str]:
    """The command line of the process that ends its process group when its standard input is closed."""
    return [sys.executable, "-I", "-S", str(_FOLDER / "guard.py")]
