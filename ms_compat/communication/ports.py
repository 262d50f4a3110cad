"""This machine's TCP ports: finds a free one, or the program that holds one."""

from __future__ import annotations

import errno
import os
import pathlib
import socket
import sys

HAS_UNIX_SOCKETS = os.name == "posix"  # of those that gRPC can use


class PortInUse(OSError):
    """Another program listens on a port. The text names the port, the address and, where it is known, the program."""


def free_port(host: str) -> int:
    """A free port at one of this machine's addresses.

    Raises:
        OSError: the address is not one of this machine's.
    """
    with _bound(host, 0) as probe:
        return probe.getsockname()[1]


def check_free(host: str, port: int) -> None:
    """Makes sure that a port is free.

    gRPC, which JAX's coordinator uses, shares a port with other listeners instead of failing.

    Raises:
        PortInUse: another program listens there.
        OSError: the address is not one of this machine's.
    """
    try:
        _bound(host, port).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        text = f"port {port} of {host or 'this machine'} is in use by {_holder(port)}"
        raise PortInUse(errno.EADDRINUSE, text) from error


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    probe = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would share the port; elsewhere it ignores connections that are closed
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(place)
    except BaseException:
        probe.close()
        raise
    return probe


def _holder(port: int) -> str:
    """The program that listens on a port, in words: on Linux its command, or the user if it is another user's."""
    users = {}
    for table in ("tcp", "tcp6"):
        try:
            lines = pathlib.Path("/proc/net", table).read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                users[f"socket:[{fields[9]}]"] = int(fields[7])
    for folder in pathlib.Path("/proc").glob("[0-9]*") if users else ():
        if any(_target(file) in users for file in _files(folder / "fd")):
            return f"process {folder.name} ({_command(folder)[:80]})"
    for user in users.values():
        return f"a process of the user {_name(user)}"
    return "another program"


def _files(folder: pathlib.Path) -> list[pathlib.Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # another user's process, or one that has ended
        return []


def _target(file: pathlib.Path) -> str:
    try:
        return os.readlink(file)
    except OSError:  # closed meanwhile
        return ""


def _command(folder: pathlib.Path) -> str:
    try:
        return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:  # ended meanwhile
        return "ended"


def _name(user: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
