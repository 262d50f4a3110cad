"""The reader of pickles: real files of every protocol, and files made to harm."""

import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

from ms_compat.mindrecord.pickles import read_arrays

HELD = {
    b"labels": [3, 300, 70000, -1],
    b"name": "é",
    b"data": np.arange(12, dtype=np.uint8).reshape(3, 4),
    b"x": (1.5, None),
}

# `cPickle.dumps(..., 2)` of Python 2 with NumPy 1, as CIFAR's files are written
PYTHON2 = (
    b"\x80\x02}q\x01(U\x06labelsq\x02]q\x03(K\x06K\te"
    b"U\x04dataq\x04cnumpy.core.multiarray\n_reconstruct\nq\x05cnumpy\nndarray\nq\x06K\x00\x85U\x01b\x87Rq\x07"
    b"(K\x01K\x02K\x03\x86cnumpy\ndtype\nq\x08U\x02u1K\x00K\x01\x87Rq\t(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89U\x06abcdeftbu."
)


class Called:
    """Pickled as a call of a function with arguments."""

    def __init__(self, function, *arguments):
        self.made = (function, arguments)

    def __reduce__(self):
        return self.made


class State:
    """Pickled as a call and a state for what it returns."""

    def __init__(self, function, arguments, state):
        self.made = (function, arguments, state)

    def __reduce__(self):
        return self.made


OBJECTS = State(np.dtype, ("O8", False, True), (3, "|", None, None, None, -1, -1, 0))
FIELDS = State(np.dtype, ("V8", False, True), (3, "|", None, ("a",), {"a": (np.dtype("O"), 0)}, 8, 1, 0))
RECONSTRUCT = np.zeros(1).__reduce__()[0]


def array_of(dtype, shape=(4,), data=b"A" * 32):
    return State(RECONSTRUCT, (np.ndarray, (0,), b"b"), (1, shape, dtype, False, data))


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("array", [HELD[b"data"], HELD[b"data"].T, np.arange(3.0).astype(">f8"), np.array([True])])
def test_what_python_writes(protocol, array):
    found = read_arrays(pickle.dumps(HELD | {b"data": array}, protocol))
    assert found["labels"] == HELD[b"labels"] and found["name"] == "é" and found["x"] == (1.5, None)
    assert found["data"].dtype == array.dtype and np.array_equal(found["data"], array)


def test_what_python_2_wrote():
    found = read_arrays(PYTHON2)
    assert found["labels"] == [6, 9]
    assert found["data"].dtype == np.uint8 and found["data"].tolist() == [[97, 98, 99], [100, 101, 102]]


@pytest.mark.parametrize(
    "dtype", [OBJECTS, FIELDS, np.dtype("U4"), np.dtype("M8[s]"), "f8"], ids=lambda d: type(d).__name__
)
def test_arrays_of_anything_but_numbers_are_refused(dtype):
    with pytest.raises(ValueError):
        read_arrays(pickle.dumps({b"data": array_of(dtype)}, 2))


def test_an_array_of_addresses_ends_no_process():
    crafted = pickle.dumps({b"data": array_of(OBJECTS)}, 2)
    program = f"from ms_compat.mindrecord.pickles import read_arrays\nprint(read_arrays({crafted!r}))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "ValueError: it has an array of dtype 'O8'" in ended.stderr


@pytest.mark.parametrize(
    "value",
    [
        array_of(np.dtype("u1"), (33,)),
        array_of(np.dtype("u1"), (-1,)),
        array_of(np.dtype("u1"), (1 << 40, 1 << 40)),
        array_of(np.dtype("u1"), [32]),
        array_of(np.dtype("u1"), data=[1] * 32),
        State(RECONSTRUCT, (np.ndarray, (0,), b"b"), (1, (4,))),
        Called(RECONSTRUCT, np.ndarray, (1 << 40,), b"b"),
        Called(print, "called"),
        {(1, 2): 3},
    ],
    ids=range(9),
)
def test_other_states_are_refused(value, capsys):
    with pytest.raises(ValueError):
        read_arrays(pickle.dumps({b"data": value}, 2))
    assert not capsys.readouterr().out


def test_a_value_that_doubles_costs_no_time():
    nested = [()]
    for _ in range(80):
        nested = [(nested[0], nested[0])]
    with pytest.raises(ValueError, match="dtype by"):
        read_arrays(pickle.dumps({b"data": State(np.dtype, ("u1", 0, 1), nested[0])}, 2))


def test_a_string_encoded_again_and_again_is_refused():
    head = (
        b"\x80\x02}(X"
        + (1 << 16).to_bytes(4, "little")
        + b"a" * (1 << 16)
        + b"q\x00c_codecs\nencode\nq\x01X\x06\x00\x00\x00latin1q\x02]"
    )
    with pytest.raises(ValueError, match="longer than itself"):
        read_arrays(head + b"(" + b"h\x01h\x00h\x02\x86R" * 40000 + b"etu.")


def test_damaged_files_raise_value_error():
    random.seed(3)
    for whole in (PYTHON2, pickle.dumps(HELD, 2), pickle.dumps(HELD, 4), pickle.dumps(HELD, 5)):
        for _ in range(1500):
            data = bytearray(whole)
            for _ in range(random.randint(1, 3)):
                data[random.randrange(len(data))] = random.randrange(256)
            try:
                read_arrays(bytes(data[: random.randint(1, len(data))] if random.random() < 0.3 else data))
            except ValueError:
                pass
