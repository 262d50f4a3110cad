"""`TCPStore` between stores, threads and processes; errors and sums recorded from MindSpore 2.10.0 on CPU."""

import gc
import random
import resource
import socket
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest

from ms_compat import ops
from ms_compat.communication import store as stores
from ms_compat.mint.distributed import TCPStore

SHORT = timedelta(seconds=0.2)
LONG = timedelta(seconds=120)
HOST = "127.0.0.1"


@pytest.fixture
def master(monkeypatch):
    monkeypatch.setattr(stores, "_PATIENCE", 60.0)  # this process may stand still
    store = TCPStore(HOST, 0, is_master=True, timeout=LONG)
    yield store
    store.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "TCPStore"]


def impatient(master):
    """A store that has connected, and waits no longer than `SHORT` for a key."""
    store = TCPStore(HOST, master.port, timeout=LONG)
    store._seconds = SHORT.total_seconds()
    return store


def test_entries_are_shared(master):
    other = TCPStore(HOST, master.port, timeout=LONG)
    master.set("a", "ü")
    other.set("b", b"\x00\xff")
    assert (other.get("a"), master.get("b")) == (b"\xc3\xbc", b"\x00\xff")
    assert (other.delete_key("a"), master.delete_key("a")) == (True, False)
    master.set("empty", b"")
    assert other.get("empty") == b"" and other.delete_key("empty")
    large = bytes(3 << 20)
    other.set("large", large)
    assert master.get("large") == large
    assert (other.host, other.port) == (HOST, master.port)
    assert ops.TCPStore is TCPStore


@pytest.mark.parametrize(
    ("before", "amount", "total"),
    [(None, 5, 5), ("1", 2, 3), ("5", -7, -2), (None, True, 1), ("1.5", 1, 2), (" 12 ", 1, 13), ("12x", 1, 13),
     (str(2**63 - 1), 1, -(2**63))],
)  # fmt: skip
def test_sums_are_those_of_mindspore(master, before, amount, total):
    if before is not None:
        master.set("n", before)
    assert master.add("n", amount) == total
    assert master.get("n") == str(total).encode()


def test_what_is_no_number_cannot_be_added_to(master):
    master.set("n", b"\x00\xff")
    with pytest.raises(RuntimeError, match="must be a number"):
        master.add("n", 1)
    assert master.get("n") == b"\x00\xff"


def test_sums_of_many_threads_are_complete(master):
    def work():
        for _ in range(50):
            master.add("n", 1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert master.get("n") == b"400"


def test_a_waiting_get_lets_other_threads_of_its_store_write(master):
    timer = threading.Timer(0.1, master.set, ("late", "x"))
    timer.start()
    assert master.get("late") == b"x"
    timer.join()


def test_get_waits_as_long_as_it_was_told(master):
    other = impatient(master)
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match=r"no key 'nope' after 0\.2 seconds"):
        other.get("nope")
    assert 0.2 <= time.monotonic() - begin < LONG.total_seconds()
    other.set("nope", "1")
    assert other.get("nope") == b"1"


def test_no_master_is_an_error_in_time(master):
    master.close()
    with pytest.raises(RuntimeError, match=r"no connection to .* within 0\.2 seconds"):
        TCPStore(HOST, master.port, timeout=SHORT)


def test_a_master_that_ends_is_an_error(master):
    other = impatient(master)
    master.close()
    with pytest.raises(RuntimeError, match="does not answer"):
        other.set("a", "b")


def test_a_port_has_one_master(master):
    with pytest.raises(RuntimeError, match="cannot be served"):
        TCPStore(HOST, master.port, is_master=True, timeout=SHORT)


def test_the_master_waits_for_the_others(caplog):
    TCPStore(HOST, 0, 2, True, SHORT).close()
    assert "fewer than 2 stores" in caplog.text
    TCPStore(HOST, 0, 2, True, SHORT, wait_for_workers=False).close()
    assert caplog.text.count("fewer") == 1


def test_a_store_that_is_forgotten_ends_its_threads():
    store = TCPStore(HOST, 0, is_master=True)
    store.set("a", "b")
    del store
    gc.collect()
    assert settles(lambda: not serving())


def proven(port):
    """A connection that has given the proof, for requests that a store does not make."""
    connection = socket.create_connection((HOST, port), 60)
    connection.sendall(stores._proof(b"", stores._read(connection, 32)))
    assert connection.recv(1) == b"0"
    return connection


def serving():
    return [thread for thread in threading.enumerate() if thread.name == "TCPStore"]


def settles(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_lengths_are_checked_before_memory_is_taken(master):
    for request in (
        stores._REQUEST.pack(b"S", 1, 1 << 62),
        stores._REQUEST.pack(b"?", 1, 1) + b"kx",
        stores._REQUEST.pack(b"G", 1, 1) + b"kx",
    ):
        with proven(master.port) as stranger:
            stranger.sendall(request)
            assert stranger.recv(1) == b""  # hung up
    with proven(master.port) as stranger:
        stranger.sendall(stores._REQUEST.pack(b"A", 1, 1) + b"kx")
        assert stranger.recv(1) == b"2"
    master.set("n", "9" * 5000)
    with pytest.raises(RuntimeError, match="must be a number"):
        master.add("n", 1)
    master.set("a", "b")
    assert master.get("a") == b"b"
    with pytest.raises(ValueError, match="at most"):
        master.set("k" * (1 << 21), "v")


def test_who_does_not_know_the_token_is_refused(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_TOKEN", "secret")
    master = TCPStore(HOST, 0, is_master=True, timeout=LONG)
    assert TCPStore(HOST, master.port, timeout=LONG).add("n", 1) == 1
    monkeypatch.setenv("MS_COMPAT_TOKEN", "guessed")
    with pytest.raises(RuntimeError, match="another token than MS_COMPAT_TOKEN"):
        TCPStore(HOST, master.port, timeout=LONG)
    with socket.create_connection((HOST, master.port), 60) as stranger:
        stranger.sendall(stores._REQUEST.pack(b"S", 1, 1) + b"kx" + bytes(32))
        stores._read(stranger, 32)
        assert stranger.recv(1) == b"2"
    master.close()


def test_strangers_leave_nothing(master):
    """A thousand that hang up, send nonsense, or leave in the middle of a request with times that no clock knows."""
    random.seed(0)
    threads = len(serving())
    waits = [b"1e9", b"1e300", b"inf", b"nan", b"-1", b"x"]
    for number in range(1000):
        if number % 2:
            with socket.create_connection((HOST, master.port), 60) as stranger:
                stranger.sendall(random.randbytes(random.choice([0, 10, 200])))
        else:
            with proven(master.port) as stranger:
                wait = waits[number // 2 % len(waits)]
                stranger.sendall(stores._REQUEST.pack(b"G", 1, len(wait)) + b"x" + wait)
    assert settles(lambda: len(serving()) <= threads), len(serving())
    master.set("a", "b")
    assert master.get("a") == b"b"


def test_who_says_nothing_is_sent_away(master, monkeypatch):
    monkeypatch.setattr(stores, "_PATIENCE", 0.2)
    threads = len(serving())
    held = [socket.create_connection((HOST, master.port), 60) for _ in range(300)]
    assert settles(lambda: len(serving()) <= threads), len(serving())
    assert TCPStore(HOST, master.port, timeout=LONG).add("n", 1) == 1
    [connection.close() for connection in held]


def test_the_master_lives_on_when_there_were_no_descriptors(master):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = []
    free = socket.socket()
    resource.setrlimit(resource.RLIMIT_NOFILE, (free.fileno() + 1, hard))
    free.close()
    try:
        with pytest.raises(OSError):
            while True:
                held.append(socket.create_connection((HOST, master.port), 60))
        time.sleep(0.2)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        [connection.close() for connection in held]
    assert TCPStore(HOST, master.port, timeout=LONG).add("n", 1) == 1


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1, 2), TypeError),
        ((HOST, "1"), TypeError),
        ((HOST, 1.0), TypeError),
        ((HOST, 1, "a"), TypeError),
        ((HOST, 1, 1, 1), TypeError),
        ((HOST, 1, 1, True, 5), TypeError),
        ((HOST, 1, 1, True, SHORT, 1), TypeError),
        ((HOST, -1), ValueError),
        ((HOST, 70000), ValueError),
        ((HOST, 1, 0), ValueError),
    ],
)
def test_wrong_arguments(arguments, error):
    with pytest.raises(error, match="For 'TCPStore'"):
        TCPStore(*arguments)


def test_wrong_arguments_of_requests(master):
    for call in (
        lambda: master.set(1, "a"),
        lambda: master.set("a", 1),
        lambda: master.add("a", "1"),
        lambda: master.add("a", 1.0),
        lambda: master.get(b"a"),
        lambda: master.delete_key(1),
    ):
        with pytest.raises(TypeError, match=r"For 'TCPStore\."):
            call()


OTHER = """
import sys
from datetime import timedelta
from ms_compat.communication.store import TCPStore
store = TCPStore("127.0.0.1", int(sys.argv[1]), timeout=timedelta(seconds=300))
store.set("to master", "hello")
assert store.get("to worker") == b"answer"
store.add("done", 1)
"""


def test_two_processes(master):
    root = Path(__file__).parents[2]
    job = subprocess.Popen([sys.executable, "-c", OTHER, str(master.port)], cwd=root)
    try:
        store = TCPStore(HOST, master.port, timeout=timedelta(seconds=300))
        assert store.get("to master") == b"hello"
        store.set("to worker", "answer")
        assert job.wait(600) == 0
        assert store.get("done") == b"1"
    finally:
        job.kill()
        job.wait()
