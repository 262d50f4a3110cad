"""`ms-compat kernel`: a Jupyter kernel in which `import mindspore` gives ms_compat.

A kernel is a file `kernel.json` in a folder that Jupyter searches.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import sys

from ms_compat.cli import _started
from ms_compat.cli._output import missing_extra

NAME = "kernel"
HELP = "make a Jupyter kernel in which 'import mindspore' gives ms_compat"
EXAMPLES = """\
  ms-compat kernel                          for the Jupyter of this environment
  ms-compat kernel --user                   for a Jupyter that is installed elsewhere
  ms-compat kernel --remove
  jupyter lab                               then choose 'Python 3 (ms_compat)'
"""
FOLDER = "ms_compat"
_FILE = "kernel.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--user", action="store_true", help="for all of the user's Jupyters")
    parser.add_argument("--remove", action="store_true", help="remove the kernels again")


def run(args: argparse.Namespace) -> int:
    """Writes or removes the kernel's file; returns 1 if that fails or ipykernel, which it starts, is not installed."""
    try:
        if args.remove:
            removed = remove()
            print("\n".join(f"Removed {folder}." for folder in removed) or "There is no kernel of ms_compat.")
            return 0
        if importlib.util.find_spec("ipykernel") is None:
            print(f"ms-compat kernel: {missing_extra('ipykernel', 'notebooks')}", file=sys.stderr)
            return 1
        print(f"Wrote {install(args.user)}.")
    except OSError as error:
        print(f"ms-compat kernel: can't write '{error.filename}': {error.strerror}", file=sys.stderr)
        return 1
    return 0


def spec() -> dict[str, object]:
    """The kernel's description for Jupyter: its start command and its name."""
    return {
        "argv": [
            *(*_started.entry(), "run", "--no-check"),
            *("-m", "ipykernel_launcher", "-f", "{connection_file}"),
            "--IPKernelApp.extra_extensions=ms_compat",  # errors show the user's frames
        ],
        "display_name": "Python 3 (ms_compat)",
        "language": "python",
        "metadata": {"debugger": True},
    }


def folders() -> dict[str, pathlib.Path]:
    """The folders for kernels: the environment's, and the user's."""
    user = os.environ.get("JUPYTER_DATA_DIR")
    if user is None:
        home = pathlib.Path.home()
        if sys.platform == "darwin":
            user = str(home / "Library" / "Jupyter")
        elif os.name == "nt":
            user = os.path.join(os.environ.get("APPDATA", str(home)), "jupyter")
        else:
            user = os.path.join(os.environ.get("XDG_DATA_HOME") or str(home / ".local" / "share"), "jupyter")
    shared = pathlib.Path(sys.prefix, "share", "jupyter")
    return {"environment": shared / "kernels" / FOLDER, "user": pathlib.Path(user) / "kernels" / FOLDER}


def installed() -> list[str]:
    """The existing kernels' folders."""
    return [str(folder) for folder in folders().values() if (folder / _FILE).is_file()]


def install(user: bool) -> pathlib.Path:
    """Writes the kernel's file; returns its folder."""
    folder = folders()["user" if user else "environment"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_text(json.dumps(spec(), indent=1) + "\n", encoding="utf-8")
    return folder


def remove() -> list[str]:
    """Removes the kernels' files, and folders that become empty; returns the removed ones."""
    removed = installed()
    for folder in map(pathlib.Path, removed):
        (folder / _FILE).unlink()
        for above in (folder, folder.parent, folder.parent.parent):
            if any(above.iterdir()):
                break
            above.rmdir()
    return removed
