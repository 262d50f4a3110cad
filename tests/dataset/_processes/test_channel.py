"""Objects and arrays between two ends of a connection."""

import socket
import threading

import numpy as np
import pytest

from ms_compat.dataset._processes import channel


@pytest.fixture
def ends():
    made = [channel.Channel(end) for end in socket.socketpair()]
    yield made
    for end in made:
        end.close()


def test_large_arrays_arrive_in_shared_memory_and_small_ones_in_the_pickle(ends):
    near, far = ends
    large, small = np.arange(9000.0).reshape(90, 100), np.arange(3)
    sent = [large, {"t": large.T[::2], "s": (small, "text")}, np.array(["ab", "c" * 9000])]
    near.send(sent)
    got = far.receive()
    for a, b in ((large, got[0]), (large.T[::2], got[1]["t"]), (small, got[1]["s"][0]), (sent[2], got[2])):
        assert a.dtype == b.dtype and (a == b).all() and b.flags.writeable
    assert type(got[0].base).__name__ == "_Block" and type(got[1]["s"][0].base).__name__ != "_Block"
    assert got[0].ctypes.data % 64 == 0
    assert near.arena.in_use() >= large.nbytes * 1.5


def test_a_block_returns_when_the_last_view_of_its_array_is_collected(ends):
    near, far = ends
    near.send(np.zeros(100_000))
    array = far.receive()
    view = array[3:]
    del array
    far.send("first")
    near.receive()
    assert near.arena.in_use() > 0
    view[:] = 1
    del view
    far.send("second")
    assert near.receive() == "second" and near.arena.in_use() == 0


def test_memory_is_used_again(ends):
    near, far = ends
    for k in range(50):
        near.send(np.full(600_000, k, np.uint8))
        array = far.receive()
        assert (array == k).all()
        del array
        far.send(None)
        near.receive()
    assert len(near.arena.segments) == 1
    held = []
    for k in range(50):
        near.send(np.full(600_000, k, np.uint8))
        held.append(far.receive())
    assert [array[-1] for array in held] == list(range(50)) and len(near.arena.segments) < 5


def test_free_ranges_join():
    segment = channel._Segment(1 << 16)
    places = [segment.allocate(1 << 14) for _ in range(4)]
    assert places == [0, 1 << 14, 1 << 15, 3 << 14] and segment.allocate(1) is None
    for k in (2, 0, 3, 1):
        segment.release(places[k], 1 << 14)
    assert (segment.starts, segment.stops) == ([0], [1 << 16])


def test_excluded_arrays_take_no_shared_memory(ends):
    near, far = ends
    rows = [(np.zeros(100_000),), (np.ones(10_000), {"x": [np.ones(10_000)]})]
    assert channel.sized(rows[1]) == 160_000
    excluded = channel.above(rows, 200_000)
    assert excluded == {id(rows[0][0])}
    sender = threading.Thread(target=near.send, args=(rows, excluded))  # the socket takes less than the whole array
    sender.start()
    got = far.receive()
    sender.join()
    assert near.arena.in_use() < 200_000 and (got[0][0] == 0).all() and (got[1][1]["x"][0] == 1).all()


def test_a_closed_connection_is_an_end_of_file(ends):
    near, far = ends
    near.close()
    with pytest.raises(EOFError, match="closed"):
        far.receive()


def test_two_ends_that_send_at_once_do_not_wait_for_each_other():
    one, two = socket.socketpair()
    got = []
    near = channel.Channel(one, lambda: got.append(near.receive()))
    far = channel.Channel(two)
    message = bytes(5 << 20)
    answers = []
    other = threading.Thread(target=lambda: (far.send(message), answers.append(far.receive())))
    other.start()
    near.send(message)  # the other end reads it when it has sent its own
    other.join(60)
    assert got == answers == [message]
    near.close()
    far.close()
