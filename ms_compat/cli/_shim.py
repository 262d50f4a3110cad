"""The distribution `mindspore` that `activate` puts into an environment: a package of one file, and its metadata.

Nothing runs when an interpreter starts. `import mindspore` finds the package, which installs the import hook and gives
way to `ms_compat`; `importlib.metadata` reads the version without importing anything. It consists of a wheel's files,
with a RECORD, so that `pip list` shows it and `pip uninstall mindspore` removes it, too.
"""

import base64
import hashlib
import importlib
import importlib.machinery
import os
import pathlib
import shutil
import site
import sys
import sysconfig
from typing import NamedTuple

from ms_compat.version import __compat_version__, __version__

INSTALLER = "ms-compat"
_PACKAGE = "mindspore"
_INFO = f"{_PACKAGE}-{__version__}.dist-info"
_CODE = '''\
"""What `import mindspore` finds after `ms-compat activate`: it installs ms_compat's import hook, and gives way."""

import importlib
import sys

if __name__ == "mindspore":
    try:
        _hook = importlib.import_module("ms_compat.install")
    except ModuleNotFoundError as error:
        if error.name != "ms_compat":
            raise
        raise ModuleNotFoundError(
            "No module named 'mindspore': 'ms-compat activate' made it stand for ms_compat, which is not installed any "
            "more. 'pip uninstall mindspore' removes what is left.",
            name="mindspore",
        ) from None
    del sys.modules[__name__]
    _hook.install()
    importlib.import_module(__name__)
'''
_METADATA = f"""\
Metadata-Version: 2.1
Name: {_PACKAGE}
Version: {__version__}
Summary: Not MindSpore: 'ms-compat activate' made this name stand for ms_compat. 'ms-compat deactivate' removes it.
"""
_WHEEL = f"Wheel-Version: 1.0\nGenerator: {INSTALLER} {__compat_version__}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


class Refused(Exception):  # it is raised and caught by the commands
    """The request is not carried out; the text says why and what to do."""


class Place(NamedTuple):
    """What the name `mindspore` resolves to in this environment.

    Attributes:
        kind: "none", "shim" or "real".
        folder: the package's folder, if there is one.
    """

    kind: str
    folder: pathlib.Path | None


def site_folder(user: bool = False) -> pathlib.Path:
    """The folder for pure Python packages: the environment's, or the user's own."""
    return pathlib.Path(site.getusersitepackages() if user else sysconfig.get_path("purelib"))


def look() -> Place:
    """Searches the installed packages' folders: not the current folder, and not the one `install` adds for workers."""
    spawned = pathlib.Path(__file__).parents[1] / "_spawned"
    installed = {os.path.realpath(path) for path in (*site.getsitepackages(), sysconfig.get_path("purelib"))}
    if site.ENABLE_USER_SITE:
        installed.add(os.path.realpath(site.getusersitepackages()))
    ahead = 0 if sys.flags.safe_path else 1  # the first entry is the program's own folder
    paths = [path for path in sys.path[ahead:] if path and os.path.realpath(path) != str(spawned)]
    paths += sorted(installed - set(map(os.path.realpath, paths)))
    spec = importlib.machinery.PathFinder.find_spec(_PACKAGE, paths)
    if spec is None:
        return Place("none", None)
    places = spec.submodule_search_locations or ()
    folder = pathlib.Path(spec.origin).parent if spec.origin else pathlib.Path(*places)
    return Place("shim" if _is_ours(folder) else "real", folder)


def _infos(folder: pathlib.Path) -> list[pathlib.Path]:
    """The metadata of all shim versions beside its package."""
    return [
        info
        for info in folder.parent.glob(f"{_PACKAGE}-*.dist-info")
        if (info / "INSTALLER").is_file() and (info / "INSTALLER").read_text("utf-8").strip() == INSTALLER
    ]


def _is_ours(folder: pathlib.Path) -> bool:
    code = folder / "__init__.py"
    return bool(_infos(folder)) and code.is_file() and "ms_compat.install" in code.read_text("utf-8", "replace")


def activate(user: bool = False) -> pathlib.Path:
    """Writes the shim, also over an earlier one.

    Args:
        user: whether to write into the user's own packages instead of the environment's.

    Returns:
        The package's folder.

    Raises:
        Refused: MindSpore itself is installed, or nothing may be written there.
    """
    found = look()
    if found.kind == "real":
        raise Refused(
            f"MindSpore itself is installed in this environment ({found.folder}). Uninstall it, or use another "
            "environment; 'ms-compat run' needs neither."
        )
    base = site_folder(user)
    marker = pathlib.Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED"
    if sys.prefix == sys.base_prefix and marker.is_file():
        raise Refused(
            f"this Python belongs to the system's package manager ({marker}). Make an environment: python -m venv .venv"
        )
    if found.folder is not None:
        deactivate()
    package, info = base / _PACKAGE, base / _INFO
    for folder in (package, info):
        if folder.exists():  # not found by Python, so no package: leftovers of somebody else's
            raise Refused(f"'{folder}' is in the way: remove it first")
    files = {
        f"{_PACKAGE}/__init__.py": _CODE,
        f"{_INFO}/METADATA": _METADATA,
        f"{_INFO}/WHEEL": _WHEEL,
        f"{_INFO}/INSTALLER": INSTALLER + "\n",
        f"{_INFO}/top_level.txt": _PACKAGE + "\n",
    }
    record = "".join(f"{name},{_digest(text)},{len(text.encode())}\n" for name, text in files.items())
    try:
        package.mkdir(parents=True)
        info.mkdir()
        for name, text in {**files, f"{_INFO}/RECORD": f"{record}{_INFO}/RECORD,,\n"}.items():
            (base / name).write_bytes(text.encode())
    except OSError as error:
        for folder in (package, info):
            shutil.rmtree(folder, ignore_errors=True)
        hint = "" if user else " Use an environment of your own (python -m venv .venv), or --user."
        raise Refused(f"can't write to '{base}': {error.strerror}.{hint}") from error
    importlib.invalidate_caches()
    return package


def _digest(text: str) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def deactivate() -> pathlib.Path | None:
    """Removes the shim and the files that Python made from it.

    Returns:
        The folder that was removed; None if there was none.

    Raises:
        Refused: the package is not the shim, or may not be removed.
    """
    found = look()
    if found.kind == "real":
        raise Refused(f"'{found.folder}' is MindSpore itself, which pip uninstalls")
    if found.folder is None:
        return None
    try:
        infos = _infos(found.folder)
        shutil.rmtree(found.folder)
        for info in infos:
            shutil.rmtree(info)
    except OSError as error:
        raise Refused(f"can't remove '{error.filename}': {error.strerror}") from error
    importlib.invalidate_caches()
    return found.folder
