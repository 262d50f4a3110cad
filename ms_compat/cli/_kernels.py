"""Jupyter kernels in which `import mindspore` gives ms_compat: files `kernel.json` in folders that Jupyter searches."""

import json
import os
import pathlib
import sys

NAME = "ms_compat"
_FILE = "kernel.json"


def spec() -> dict[str, object]:
    """What Jupyter reads: how to start the kernel, and what it is called."""
    return {
        "argv": [
            *(sys.executable, "-m", "ms_compat", "run", "--no-check"),
            *("-m", "ipykernel_launcher", "-f", "{connection_file}"),
        ],
        "display_name": "Python 3 (ms_compat)",
        "language": "python",
        "metadata": {"debugger": True},
    }


def folders() -> dict[str, pathlib.Path]:
    """Where kernels stand: for this environment, and for the user."""
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
    return {"environment": shared / "kernels" / NAME, "user": pathlib.Path(user) / "kernels" / NAME}


def installed() -> list[str]:
    """The kernels' folders that are there."""
    return [str(folder) for folder in folders().values() if (folder / _FILE).is_file()]


def install(user: bool) -> pathlib.Path:
    """Writes the kernel's file; returns its folder."""
    folder = folders()["user" if user else "environment"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_text(json.dumps(spec(), indent=1) + "\n", encoding="utf-8")
    return folder


def remove() -> list[str]:
    """Removes the kernels' files, and the folders that are empty then; returns what was removed."""
    removed = installed()
    for folder in map(pathlib.Path, removed):
        (folder / _FILE).unlink()
        for above in (folder, folder.parent, folder.parent.parent):
            if any(above.iterdir()):
                break
            above.rmdir()
    return removed
