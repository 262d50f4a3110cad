"""Objects between processes: what travels, what is refused, and bytes that nobody encoded."""

import datetime
import pickle
import random
from collections import OrderedDict, namedtuple

import ml_dtypes
import msgpack
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, communication, mint
from ms_compat.communication.encoding import decode, encode

HELD = [
    None, True, -3, 2**63, -(2**20000), 1.5, float("inf"), 1 + 2j, "é\ud800", b"\x00", bytearray(b"a"), [], (),
    (1, [2, (3,)]), {"a": 1, (1, "b"): {2: [3]}, None: b""}, {1, (2, 3)}, frozenset("ab"), range(1, 9, 2),
    slice(None, 3), ms.float16, ms.bool_,
    OrderedDict(b=1, a=(2,)),
]  # fmt: skip
ARRAYS = [
    np.arange(6, dtype=np.int16).reshape(2, 3).T, np.float32(2.5), np.array(3 + 1j), np.zeros((0, 4), ">f8"),
    np.array(["ab", ""]), np.array([b"x"]), np.ones(3, ml_dtypes.bfloat16), np.array(["2026-01-02"], "M8[D]"),
    np.bool_(True),
]  # fmt: skip


@pytest.mark.parametrize("value", HELD, ids=range(len(HELD)))
def test_python_values_come_back(value):
    found = decode("f", encode("f", value))
    assert type(found) is type(value) and found == value


@pytest.mark.parametrize("value", ARRAYS, ids=range(len(ARRAYS)))
def test_arrays_come_back(value):
    found = decode("f", encode("f", [value]))[0]
    assert type(found) is type(value) and found.dtype == value.dtype and found.shape == value.shape
    np.testing.assert_array_equal(found, value)
    if isinstance(value, np.ndarray):
        found[...] = value  # it can be written to


@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.bool_, ms.int8, ms.complex64])
def test_tensors_and_parameters_come_back(dtype):
    x = Tensor([[1, 0, 3]], dtype)
    p = Parameter(x, name="w", requires_grad=False)
    found, parameter = decode("f", encode("f", (x, p)))
    assert type(found) is Tensor and found.dtype == dtype and (found == x).all()
    assert type(parameter) is Parameter and (parameter.name, parameter.requires_grad) == ("w", False)
    assert parameter.dtype == dtype and (parameter == x).all()


def test_strings_in_a_tensor_come_back():
    assert decode("f", encode("f", Tensor(np.array(["a", "bc"])))).asnumpy().tolist() == ["a", "bc"]


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value", [object(), Point(1, 2), datetime.date(2026, 1, 1), print, np.array([{}]), [{"a": {1: Point}}]]
)
def test_other_objects_are_refused_by_name(value):
    communication.init()
    with pytest.raises(TypeError, match="For 'all_gather_object', objects go to other processes as data.*but not"):
        mint.distributed.all_gather_object([None], value)


def test_what_has_no_end_is_refused():
    held = []
    held.append(held)
    with pytest.raises(ValueError, match="nested too deeply"):
        encode("f", held)


def test_a_pickle_is_not_called(tmp_path):
    class Call:
        def __reduce__(self):
            return (open, (str(tmp_path / "touched"), "w"))

    with pytest.raises(ValueError, match="an object of another process"):
        decode("f", pickle.dumps(Call()))
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xdd\xff\xff\xff\xff",  # a list of 2**32 items
        msgpack.packb([99, 1]),
        msgpack.packb([[], 1]),
        msgpack.packb([2, [0]]),  # a set of a list
        msgpack.packb([6, 1 << 40]),  # a bytearray of a length
        msgpack.packb([11, "|O8", b"A" * 8, 1]),
        msgpack.packb([11, "|S0", b"", 1 << 40]),
        msgpack.packb([11, "<f4", b"AAAA", -1, -1]),
        msgpack.packb([11, "<f4", "AAAA", 1]),
        msgpack.packb([13, "String", b"A", 1]),
        msgpack.packb([15, "Nothing"]),
        b"\x91" * 300 + b"\xc0",
        b"\x92\x00" * 100000 + b"\xc0",
    ],
    ids=range(14),
)
def test_bytes_of_something_else_are_refused(data):
    with pytest.raises(ValueError, match="an object of another process"):
        decode("f", data)


def test_damaged_bytes_raise_value_error():
    random.seed(5)
    whole = encode("f", [HELD[5:], ARRAYS, Tensor([1.0, 2.0])])
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] = random.randrange(256)
        try:
            decode("f", bytes(data[: random.randint(0, len(data))] if random.random() < 0.3 else data))
        except ValueError:
            pass
