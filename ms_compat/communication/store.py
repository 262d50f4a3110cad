"""`TCPStore`: a dictionary that several processes share over TCP.

One store, the master, holds the entries and answers; a thread accepts connections, and one thread answers each. A
request is an operation, a key and a value, with their lengths before them:

    operation (1 byte) | length of the key (4) | length of the value (8) | key | value

and an answer is a status, a length and a value. The store checks lengths before it allocates memory for them, and does
not interpret values. A store has one connection for each of its threads with an open request: a `get` that waits does
not block the `set` that it waits for.

A connection begins with a challenge: the master sends random bytes, the store answers their HMAC under the token in
`MS_COMPAT_TOKEN`, which `ms-compat msrun` gives to the processes that it starts. The master closes connections with a
wrong or late answer before it reads any request; without a token all stores share the empty one.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import os
import re
import select
import socket
import struct
import threading
import time
import weakref
from datetime import timedelta
from typing import Any

from ms_compat._core.no_op_arguments import no_effect

logger = logging.getLogger("ms_compat")

_REQUEST = struct.Struct("!cIQ")
_ANSWER = struct.Struct("!cQ")
_LONGEST_KEY, _LONGEST_VALUE = 1 << 20, 1 << 30
_JOIN, _SET, _GET, _ADD, _DELETE = b"J", b"S", b"G", b"A", b"D"
_DONE, _NOTHING, _WRONG = b"0", b"1", b"2"
_MARGIN = 5.0  # seconds that an answer may come late
_NONCE_SIZE, _HMAC_SIZE = 32, 32
_PATIENCE = 5.0  # seconds that a new connection has for its answer to the challenge
_MAX_UNAUTHENTICATED = 256  # the most connections with an open challenge; further clients have to try again
_PAUSE = 0.05  # seconds before trying again to connect, or to accept


def _read(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise ConnectionError("the connection was closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _number(value: bytes) -> int | None:
    """The integer that a value begins with, as C's `strtoll` reads it, but None if it has hundreds of digits."""
    found = re.match(rb"\s{0,99}[+-]?\d+", value)
    return int(found[0]) if found and len(found[0]) < 500 else None


def _token() -> bytes:
    return os.environ.get("MS_COMPAT_TOKEN", "").encode("utf-8", "surrogateescape")


def _proof(token: bytes, nonce: bytes) -> bytes:
    return hmac.digest(token, nonce, "sha256")


def _has_left(connection: socket.socket) -> bool:
    """Whether the other side closed; it sends nothing while it waits for an answer."""
    poll = select.poll()  # select() takes no descriptor above 1023
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


def _wrapped(number: int) -> int:
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


class _Server:
    """The entries, and the threads that answer for them until `close`."""

    def __init__(self, host: str, port: int) -> None:
        self._listener = socket.create_server((host, port), backlog=1024)
        self.port = self._listener.getsockname()[1]
        self._entries: dict[bytes, bytes] = {}
        self._changed = threading.Condition()
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._joined = self._unauthenticated = 0
        self._token = _token()
        self._closed = False
        self._acceptor = threading.Thread(target=self._accept, name="TCPStore", daemon=True)
        self._acceptor.start()

    def _accept(self) -> None:
        while not self._closed:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed, or there is no descriptor free now
                time.sleep(0 if self._closed else _PAUSE)
                continue
            thread = threading.Thread(target=self._serve, args=(connection,), name="TCPStore", daemon=True)
            with self._changed:
                if self._closed or self._unauthenticated >= _MAX_UNAUTHENTICATED:
                    connection.close()
                    continue
                self._connections[connection] = thread
                self._unauthenticated += 1
                try:
                    thread.start()
                except RuntimeError:  # no thread to be had now
                    self._forget(connection)
                    self._unauthenticated -= 1

    def _forget(self, connection: socket.socket) -> None:
        connection.close()
        self._connections.pop(connection, None)

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._knows(connection):
                self._answer_all(connection)
        except (OSError, ValueError):  # a client that leaves, or sends invalid data
            pass
        finally:
            with self._changed:
                self._forget(connection)

    def _knows(self, connection: socket.socket) -> bool:
        """Whether the client proves that it has the token."""
        try:
            connection.settimeout(_PATIENCE)
            nonce = os.urandom(_NONCE_SIZE)
            connection.sendall(nonce)
            end, given = time.monotonic() + _PATIENCE, b""
            while len(given) < _HMAC_SIZE and time.monotonic() < end:  # a byte now and then is not a proof
                part = connection.recv(_HMAC_SIZE - len(given))
                given += part
                if not part:
                    return False
            proven = hmac.compare_digest(given, _proof(self._token, nonce))
            connection.sendall(_DONE if proven else _WRONG)
            return proven
        finally:
            with self._changed:
                self._unauthenticated -= 1

    def _answer_all(self, connection: socket.socket) -> None:
        connection.settimeout(None)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # detects a machine that disappears
        while True:
            operation, key_size, value_size = _REQUEST.unpack(_read(connection, _REQUEST.size))
            if key_size > _LONGEST_KEY or value_size > _LONGEST_VALUE:
                return
            key, value = _read(connection, key_size), _read(connection, value_size)
            status, answer = self._answer(connection, operation, key, value)
            connection.sendall(_ANSWER.pack(status, len(answer)) + answer)

    def _wait(self, connection: socket.socket, key: bytes, seconds: float) -> bool:
        """Waits for an entry as long as the client does; whether there is one."""
        end = time.monotonic() + seconds
        while key not in self._entries and not self._closed and time.monotonic() < end:
            self._changed.wait(min(1.0, max(end - time.monotonic(), 0.0)))
            if _has_left(connection):
                raise ConnectionError("the client left")
        return key in self._entries and not self._closed

    def _answer(self, connection: socket.socket, operation: bytes, key: bytes, value: bytes) -> tuple[bytes, bytes]:
        with self._changed:
            if operation == _GET:
                return (_DONE, self._entries[key]) if self._wait(connection, key, float(value)) else (_NOTHING, b"")
            if operation == _DELETE:
                return (_DONE if self._entries.pop(key, None) is not None else _NOTHING), b""
            if operation == _JOIN:
                self._joined += 1
            elif operation == _SET:
                self._entries[key] = value
            elif operation == _ADD:
                before, amount = _number(self._entries.get(key, b"0")), _number(value)
                if before is None or amount is None:
                    return _WRONG, b""
                value = self._entries[key] = str(_wrapped(before + amount)).encode()
            else:
                raise ValueError(f"no operation {operation!r}")
            self._changed.notify_all()
            return _DONE, value if operation == _ADD else b""

    def wait_for(self, count: int, seconds: float) -> bool:
        """Whether as many stores have connected before the time-out."""
        with self._changed:
            return self._changed.wait_for(lambda: self._joined >= count, seconds)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            connections = dict(self._connections)
            self._changed.notify_all()
        for end in (self._listener, *connections):
            with contextlib.suppress(OSError):  # the other side was faster
                end.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in (self._acceptor, *connections.values()):
            if thread is not threading.current_thread():
                thread.join()


class _Client:
    """Connections to a server: a free one is used again."""

    def __init__(self, host: str, port: int, seconds: float) -> None:
        self._address = (host, port)
        self._seconds = seconds
        self._free: list[socket.socket] = []

    def _connection(self) -> socket.socket:
        with contextlib.suppress(IndexError):
            return self._free.pop()
        end = time.monotonic() + self._seconds
        while True:
            connection = None
            try:
                connection = socket.create_connection(self._address, max(end - time.monotonic(), 0.01))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.sendall(_proof(_token(), _read(connection, _NONCE_SIZE)))
                answer = _read(connection, 1)
            except OSError as error:
                if connection is not None:
                    connection.close()
                if time.monotonic() + _PAUSE > end:
                    host, port = self._address
                    raise RuntimeError(
                        f"For 'TCPStore', no connection to {host}:{port} within {self._seconds} seconds: {error}."
                    ) from error
                time.sleep(_PAUSE)  # the master may not have begun, or be busy with others
            else:
                if answer == _DONE:
                    return connection
                connection.close()
                host, port = self._address
                raise RuntimeError(f"For 'TCPStore', {host}:{port} has another token than MS_COMPAT_TOKEN here.")

    def ask(self, operation: bytes, key: str = "", value: bytes = b"") -> tuple[bytes, bytes]:
        """The status and the value that the server answers.

        Raises:
            ValueError: the key or the value is too long.
            RuntimeError: the server does not answer.
        """
        name = key.encode()
        if len(name) > _LONGEST_KEY or len(value) > _LONGEST_VALUE:
            raise ValueError("For 'TCPStore', a key must have at most 1 MiB and a value 1 GiB.")
        connection = self._connection()
        try:
            connection.settimeout(self._seconds + _MARGIN)
            connection.sendall(_REQUEST.pack(operation, len(name), len(value)) + name + value)
            status, size = _ANSWER.unpack(_read(connection, _ANSWER.size))
            if size > _LONGEST_VALUE:
                raise ConnectionError(f"it announces {size} bytes")
            answer = _read(connection, size)
        except OSError as error:
            connection.close()
            raise RuntimeError(f"For 'TCPStore', {self._address} does not answer: {error}.") from error
        self._free.append(connection)
        return status, answer

    def close(self) -> None:
        while self._free:
            self._free.pop().close()


def _close(client: _Client, server: _Server | None) -> None:
    client.close()
    if server is not None:
        server.close()


def _check(place: str, name: str, value: Any, *types: type) -> None:
    if not isinstance(value, types):
        expected = " or ".join(t.__name__ for t in types)
        raise TypeError(f"For '{place}', the argument '{name}' must be type of {expected}, but got {type(value)}.")


class TCPStore:
    """Bytes under names, shared by the processes that know the master's address; they end with the master's store.

    Args:
        host_name (str): the master's address.
        port (int): its port; 0 lets the master take a free one, which is its attribute `port` then.
        world_size (int): for the master, the number of stores with its own; None means 1.
        is_master (bool): whether this store holds the entries.
        timeout (timedelta): how long to wait for a connection, and `get` for a key.
        wait_for_workers (bool): whether the master waits, for `timeout` at most, until `world_size` stores have come.
        multi_tenant, master_listen_fd, use_libuv: accepted, as in MindSpore.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a `port` or `world_size` out of range.
        RuntimeError: the master's port is taken, or no connection within the time.

    >>> from ms_compat.mint.distributed import TCPStore
    >>> store = TCPStore("127.0.0.1", 0, is_master=True)
    >>> store.set("name", "value")
    >>> store.get("name"), store.add("count", 2), store.add("count", 3), store.delete_key("count")
    (b'value', 2, 5, True)
    """

    def __init__(
        self, host_name, port, world_size=None, is_master=False, timeout=timedelta(seconds=300), wait_for_workers=True,
        multi_tenant=False, master_listen_fd=None, use_libuv=True,
    ):  # fmt: skip
        if os.getenv("MS_ROLE") == "MS_SCHED":
            logger.warning("TCPStore: a scheduler has no store")
            return
        world_size = 1 if world_size is None else world_size
        _check("TCPStore", "host_name", host_name, str)
        _check("TCPStore", "port", port, int)
        _check("TCPStore", "is_master", is_master, bool)
        _check("TCPStore", "timeout", timeout, timedelta)
        _check("TCPStore", "wait_for_workers", wait_for_workers, bool)
        _check("TCPStore", "world_size", world_size, int)
        if not 0 <= port <= 65535:
            raise ValueError(f"For 'TCPStore', the argument 'port' must be legal, but got {port}.")
        if world_size <= 0:
            raise ValueError(f"For 'TCPStore', the argument 'world_size' must be legal, but got {world_size}.")
        libuv = None if use_libuv is True else str(use_libuv)
        given = {"multi_tenant": multi_tenant, "master_listen_fd": master_listen_fd, "use_libuv": libuv}
        no_effect("TCPStore", "there is one kind of server", **given)
        server = None
        if is_master:
            try:
                server = _Server(host_name, port)
            except OSError as error:
                raise RuntimeError(f"For 'TCPStore', {host_name}:{port} cannot be served: {error}.") from error
        self.host = host_name
        self.port = port if server is None else server.port
        self._seconds = timeout.total_seconds()
        self._client = _Client(host_name, self.port, self._seconds)
        self.close = weakref.finalize(self, _close, self._client, server)
        try:
            self._client.ask(_JOIN)
        except RuntimeError:
            self.close()
            raise
        if server is not None and wait_for_workers and not server.wait_for(world_size, self._seconds):
            logger.warning("TCPStore: fewer than %s stores came within %s", world_size, timeout)

    def set(self, key, value):
        """Write an entry.

        Args:
            key (str): its name.
            value (bytes, str): what is written; of a str its UTF-8 bytes.

        Raises:
            TypeError: an argument of another type.
            RuntimeError: the master does not answer.
        """
        _check("TCPStore.set", "key", key, str)
        _check("TCPStore.set", "value", value, str, bytes)
        self._client.ask(_SET, key, value.encode() if isinstance(value, str) else value)

    def get(self, key):
        """The bytes of an entry; waits for it as long as the store's `timeout`.

        Raises:
            TypeError: `key` is not a str.
            RuntimeError: there is no such entry, or the master does not answer.
        """
        _check("TCPStore.get", "key", key, str)
        status, value = self._client.ask(_GET, key, str(self._seconds).encode())
        if status != _DONE:
            raise RuntimeError(f"For 'TCPStore.get', there is no key {key!r:.80} after {self._seconds} seconds.")
        return value

    def add(self, key, amount):
        """Add to the number of an entry, which begins as 0; its sums are of 64 bits.

        Args:
            key (str): its name.
            amount (int): what is added.

        Returns:
            int, the sum.

        Raises:
            TypeError: an argument of another type.
            RuntimeError: the entry does not begin with a number, or the master does not answer.
        """
        _check("TCPStore.add", "key", key, str)
        _check("TCPStore.add", "amount", amount, int)
        status, value = self._client.ask(_ADD, key, str(int(amount)).encode())
        if status != _DONE:
            raise RuntimeError(f"For 'TCPStore.add', the value of {key!r:.80} must be a number.")
        return int(value)

    def delete_key(self, key):
        """Delete an entry; returns whether there was one.

        Raises:
            TypeError: `key` is not a str.
            RuntimeError: the master does not answer.
        """
        _check("TCPStore.delete_key", "key", key, str)
        return self._client.ask(_DELETE, key)[0] == _DONE
