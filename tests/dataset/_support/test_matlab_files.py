"""MATLAB's files: SciPy's values for sound ones, an error for damaged ones, some of which end SciPy's process."""

import io
import zlib

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from ms_compat.dataset._support.matlab_files import read_variables

VALUES = {
    "real": np.arange(6.0).reshape(2, 3),
    "complex": np.array([[1 + 2j, 3]]),
    "bytes": np.arange(5, dtype=np.uint8),
    "text": "some text",
    "sparse": sparse.csc_array(np.array([[0, 2.0, 0], [1, 0, 0]])),
    "struct": {"a": np.ones((2, 2)), "b": {"c": "d"}},
    "cell": np.array([[1.0], "x", np.zeros((0, 0))], dtype=object),
    "empty": np.zeros((0, 3)),
}


def written(values, **options):
    out = io.BytesIO()
    savemat(out, values, **options)
    return out.getvalue()


def read(tmp_path, data, *names):
    path = tmp_path / "a.mat"
    path.write_bytes(data)
    return read_variables("A", str(path), names)


@pytest.mark.parametrize("packed", [False, True])
def test_the_values_are_scipys(tmp_path, packed):
    found = read(tmp_path, written(VALUES, do_compression=packed), *VALUES)
    np.testing.assert_array_equal(found["real"], VALUES["real"])
    np.testing.assert_array_equal(found["complex"], VALUES["complex"])
    assert found["bytes"].dtype == np.uint8 and found["text"][0] == "some text"
    np.testing.assert_array_equal(found["sparse"].toarray(), VALUES["sparse"].toarray())
    assert found["struct"]["b"][0, 0]["c"][0, 0][0] == "d"
    assert found["cell"][0, 1][0] == "x" and found["empty"].shape == (0, 3)


def test_large_arrays_are_checked_by_their_first_bytes(tmp_path):
    values = {"x": np.random.RandomState(0).randn(40_000)}
    for packed in (False, True):
        np.testing.assert_array_equal(read(tmp_path, written(values, do_compression=packed), "x")["x"][0], values["x"])


def words(*numbers):
    return np.array(numbers, "<i4").tobytes()


def changed(value, old, new, **options):
    """A file with x, in which some 32-bit words are others."""
    data = written({"x": value}, **options)
    assert data.count(words(*old)) == 1
    return data.replace(words(*old), words(*new))


SPARSE = VALUES["sparse"]
DAMAGED = {
    "no MATLAB file": (b"123", "version 5"),
    "version 7.3": (b" " * 124 + b"\0\2IM" + b"\0" * 64, "version 5"),
    "version 4": (written({"x": np.ones(3)}, format="4"), "version 5"),
    "cut": (written({"x": np.ones(30)})[:-100], "ends within"),
    "a row behind the sparse matrix": (changed(SPARSE, (5, 8, 1, 0), (5, 8, 1, 9)), "places outside"),
    "a negative row": (changed(SPARSE, (5, 8, 1, 0), (5, 8, 1, -9)), "places outside"),
    "a large sparse matrix": (changed(SPARSE, (5, 8, 2, 3), (5, 8, 2**30, 2**30)), "places outside"),
    "a field of numbers": (changed({"a": np.ones(4)}, (14, 80), (5, 80)), "a cell has type 5"),
    "no length of the names": (changed({"a": 1.0}, (5 | 4 << 16, 2), (5 | 4 << 16, 0)), "no length"),
    "more numbers than bytes": (changed(np.ones((2, 3)), (5, 8, 2, 3), (5, 8, 2, 900)), "of 1800 numbers has 6"),
    "an object": (changed(np.ones(3), (6, 8, 6), (6, 8, 17)), "class 17"),
    "unpacks to too much": (written({"x": np.zeros(4_000_000)}, do_compression=True), "unpacks to more"),
    "cut while packed": (written({"x": np.arange(99.0)}, do_compression=True)[:-20], "ends within"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_a_runtime_error(name, tmp_path):
    data, why = DAMAGED[name]
    with pytest.raises(RuntimeError, match=rf"For 'A', the file .*a\.mat'.*{why}"):
        read(tmp_path, data, "x")


def test_arrays_are_nested_to_a_limit(tmp_path):
    value = np.ones(1)
    for _ in range(30):
        cell = np.empty(1, object)
        cell[0], value = value, cell
    with pytest.raises(RuntimeError, match="nested more than 20 times"):
        read(tmp_path, written({"x": value}), "x")


def test_a_name_that_is_not_there(tmp_path):
    with pytest.raises(RuntimeError, match="a.mat"):
        read(tmp_path, written({"x": np.ones(3)}), "y")


def test_a_missing_file_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_variables("A", str(tmp_path / "none.mat"), ["x"])


def test_big_endian_files_are_read(tmp_path):
    def element(kind, data):
        return kind.to_bytes(4, "big") + len(data).to_bytes(4, "big") + data + b"\0" * (-len(data) % 8)

    parts = element(6, bytes([0, 0, 0, 6, 0, 0, 0, 0])) + element(5, bytes([0, 0, 0, 1, 0, 0, 0, 2]))
    parts += element(1, b"x") + element(9, np.array([1.5, 2.5], ">f8").tobytes())
    header = b"MATLAB".ljust(124) + b"\1\0MI"
    for data in (element(14, parts), (15).to_bytes(4, "big") + self_sized(zlib.compress(element(14, parts)))):
        np.testing.assert_array_equal(read(tmp_path, header + data, "x")["x"], [[1.5, 2.5]])


def self_sized(data):
    return len(data).to_bytes(4, "big") + data
