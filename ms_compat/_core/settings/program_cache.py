"""The disk cache: compiled programs are kept between runs, in the user's cache folder.

JAX calls `get` and `put` of a cache object for each program that it is about to compile. JAX's own cache writes in
place, needs another package for a size bound, and warns at every run about an entry that a killed process left half
written. This cache replaces whole files, checks a digest when it reads, drops the least recently read entries, and
is silent after any file system error: the logger gets a debug line, and programs compile as if there was no folder.

The folder has a subfolder for each machine type and JAX release, since code for one CPU may not run on another.
JAX's key holds the rest: the program, its options, the flags of XLA, the devices. Entries are machine code, so a
default folder that others own or can write to is not used.

At import JAX only gets the object; the folder is first read when the first program compiles.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pathlib
import platform
import secrets
import stat
import sys
import threading
import time

import jax

from ms_compat._core import jax_compat

logger = logging.getLogger("ms_compat")

SWITCH = "MS_COMPAT_CACHE"  # "0" turns it off
LIMIT = "MS_COMPAT_CACHE_MIB"  # the bound of the whole folder, other machines' subfolders included
DEFAULT_LIMIT_MIB = 1024
SUFFIX = ".program"
# The smallest operations compile in 40 ms, when an entry is read in 2 to 9 and written in 1.6 (28 operations, CPU): no
# program is too small. The step of a small convolutional network compiles for 8.6 s at first, for 0.35 in the next run.
_MIN_COMPILE_SECONDS = 0.0
_MIN_COMPILE_OPTION = "jax_persistent_cache_min_compile_time_secs"
_MAGIC = b"MSC1"
_HEAD = len(_MAGIC) + hashlib.sha256().digest_size
_FRESH_SECONDS = 3600  # how old the time of an entry's last use may be before a use writes it again
_CPU_INFO = "/proc/cpuinfo"
_CPU_LINES = (
    "vendor_id", "cpu family", "model", "model name", "stepping", "flags",  # x86
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features",  # ARM
    "cpu", "isa", "uarch", "machine", "features", "processor 0",  # POWER, RISC-V, System z
)  # fmt: skip


def user_folder() -> str | None:
    """The default folder, made or not: of XDG's specification; None for a user without a home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # XDG: relative paths are invalid and to be ignored
        base = os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else os.path.expanduser("~/.cache")
    return os.path.join(base, "ms_compat", "programs") if os.path.isabs(base) else None


def machine() -> str:
    """A name for all machines that may share compiled programs: the same CPU with the same features, the same JAX."""
    parts = [jax.__version__, jax_compat.JAXLIB_VERSION, sys.platform, platform.machine(), str(os.cpu_count())]
    try:
        with open(_CPU_INFO, encoding="utf-8", errors="replace") as file:
            for line in file:
                if not line.strip():
                    break  # the other cores are like the first
                name, _, value = line.partition(":")
                if name.strip() in _CPU_LINES:
                    parts.append(value.strip())
    except OSError:  # not Linux: the host name replaces the CPU features
        parts += [platform.processor(), platform.node()]
    return f"{platform.machine() or 'machine'}-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def limit_bytes() -> int:
    """The bound of the folder's size."""
    text = os.environ.get(LIMIT, "")
    try:
        return (int(text) if text else DEFAULT_LIMIT_MIB) << 20
    except ValueError:
        logger.debug("%s must be a number of MiB, got %r; using %d", LIMIT, text, DEFAULT_LIMIT_MIB)
        return DEFAULT_LIMIT_MIB << 20


class ProgramCache:
    """Compiled programs in a folder, by JAX's key.

    Args:
        base: the folder, which is made when the first program is stored.
        private: whether the folder must be the user's own; one that the program named itself may be shared.
    """

    def __init__(self, base: str, private: bool = False):
        self.base = base
        self._private = private
        self._lock = threading.Lock()
        self._folder: str | None = None
        self._readable = self._writable = True
        self._unswept: int | None = None  # bytes written since the folder was bounded; None before the first time

    @property
    def _path(self) -> pathlib.Path:  # JAX's log says it where the cache is reset
        return pathlib.Path(self.base)

    @property
    def folder(self) -> str:
        """The subfolder of this machine."""
        if self._folder is None:
            self._folder = os.path.join(self.base, machine())
        return self._folder

    def _file(self, key: str) -> str:
        return os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest() + SUFFIX)

    def get(self, key: str) -> bytes | None:
        """The program of a key; None if there is none that is whole."""
        if _users_own():
            return jax_compat.program_of_users_cache(key)
        if not self._readable:
            return None
        path = self._file(key)
        try:
            with open(path, "rb") as file:
                about = os.fstat(file.fileno())
                if self._private and not _is_own(os.stat(self.folder)):
                    self._stop(f"others own {self.folder} or can write to it")
                    return None
                entry = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._stop(error)
            return None
        value = entry[_HEAD:]
        if entry[:_HEAD] != _MAGIC + _digest(key, value):
            logger.debug("the compiled program %s is damaged and compiled again", path)
            with contextlib.suppress(OSError):
                os.unlink(path)
            return None
        if time.time() - about.st_mtime > _FRESH_SECONDS:
            with contextlib.suppress(OSError):  # a folder that is read-only has no order of use
                os.utime(path)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep a program; a reader finds it whole or not at all."""
        if _users_own():
            jax_compat.keep_in_users_cache(key, value)
            return
        size = _HEAD + len(value)
        limit = limit_bytes()
        if not self._writable or size > limit:
            return
        path = self._file(key)
        temporary = f"{path}.{os.getpid()}.{secrets.token_hex(4)}"
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            if self._private and not _is_own(os.stat(self.folder)):
                self._stop(f"others own {self.folder} or can write to it")
                return
            try:
                with open(temporary, "xb") as file:
                    file.write(_MAGIC + _digest(key, value))
                    file.write(value)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError as error:
            self._stop(error, reading=False)
            return
        with self._lock:
            self._unswept = None if self._unswept is None else self._unswept + size
            due = self._unswept is None or self._unswept > limit // 16
            if due:
                self._unswept = 0
        if due:
            sweep(self.base, limit)

    def _stop(self, reason: object, reading: bool = True) -> None:
        """After the first trouble say so once, and let the folder be."""
        if self._writable:
            logger.debug("compiled programs are not kept on disk from here on: %s", reason)
        self._writable = False
        if reading:
            self._readable = False


def _digest(key: str, value: bytes) -> bytes:
    digest = hashlib.sha256(key.encode() + b"\0")
    digest.update(value)
    return digest.digest()


def _is_own(about: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):  # on Windows the user's profile has its own access control
        return True
    return about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def contents(base: str) -> list[tuple[float, int, str]]:
    """Time of the last use, bytes and path of each file below a folder that is an entry, or was to become one."""
    found = []
    with contextlib.suppress(OSError), os.scandir(base) as folders:
        for folder in folders:
            with contextlib.suppress(OSError), os.scandir(folder.path) as files:
                for file in files:
                    if SUFFIX in file.name:
                        with contextlib.suppress(OSError):  # another process may have removed it
                            about = file.stat(follow_symlinks=False)
                            found.append((about.st_mtime, about.st_size, file.path))
    return found


def sweep(base: str, limit: int) -> None:
    """Remove the entries that were not used for longest until the rest takes less than the bound by a tenth.

    Partial entries that killed processes left are removed, too, an hour later.
    """
    files = sorted(contents(base))
    total = sum(size for _, size, _ in files)
    aim = limit if total <= limit else limit - limit // 10
    now = time.time()
    for used, size, path in files:
        if total > aim or not path.endswith(SUFFIX) and now - used > _FRESH_SECONDS:
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size


def users_own_folder() -> str | None:
    """The folder in JAX's configuration, if the user named one."""
    return jax.config.jax_compilation_cache_dir  # type: ignore[attr-defined]


def _users_own() -> bool:
    """Whether the user's own folder of JAX's, named after this was installed, takes over."""
    if not users_own_folder():
        return False
    switch_off()
    return True


_former_minimum: float | None = None
_installed: ProgramCache | None = None


def current() -> ProgramCache | None:
    """The cache in use; None where JAX's own or none is."""
    return _installed


def use(cache: ProgramCache) -> None:
    """Let JAX keep its compiled programs there from now on."""
    global _installed, _former_minimum
    if not jax_compat.set_program_cache(cache):
        logger.debug("compiled programs are not kept on disk: this JAX takes no cache from outside")
        return
    _installed = cache
    if _former_minimum is None and _MIN_COMPILE_OPTION.upper() not in os.environ:
        _former_minimum = getattr(jax.config, _MIN_COMPILE_OPTION)
        jax.config.update(_MIN_COMPILE_OPTION, _MIN_COMPILE_SECONDS)


def switch_off() -> None:
    """Give JAX back the state in which it was found."""
    global _installed, _former_minimum
    if _installed is None:
        return
    jax_compat.set_program_cache(None)
    _installed = None
    if _former_minimum is not None:
        jax.config.update(_MIN_COMPILE_OPTION, _former_minimum)
        _former_minimum = None


def configure(enabled: bool | None = None, folder: str = "") -> None:
    """Choose the folder: JAX's own setting wins, then the switch, then the program's wish, then the user's cache.

    Args:
        enabled: what the program requests by `set_context`; if None, MindSpore's environment variable decides.
        folder: the one it named, for `enabled`.
    """
    if users_own_folder():
        if enabled is not None:
            logger.debug("JAX's own compilation cache %s stays in use", users_own_folder())
        return
    if enabled is None:
        enabled = {"1": True, "0": False}.get(os.environ.get("MS_COMPILER_CACHE_ENABLE", ""))
    if os.environ.get(SWITCH) == "0" or enabled is False:
        switch_off()
        return
    if enabled:
        base = os.path.abspath(folder or os.environ.get("MS_COMPILER_CACHE_PATH") or "compile_cache")
    else:
        base = user_folder() or ""
        if not base:
            logger.debug("compiled programs are not kept on disk: the user has no home folder")
            return
    if _installed is None or _installed.base != base:
        use(ProgramCache(base, private=not enabled))
