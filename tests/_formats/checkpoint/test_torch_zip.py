"""PyTorch's zip files that claim what is not there: refused at once, in memory bounded by the file."""

import pickle
import time
import tracemalloc
import zipfile

import numpy as np
import pytest

from ms_compat import __main__ as cli
from ms_compat._formats.checkpoint.torch_zip import TorchReader
from tests._formats.torch_files import claiming, large, pickled, tensor, text, torch_file

TENSOR = ("FloatStorage", "a", 4, 0, (2, 2), (2, 1))


def one_tensor(path, *parts):
    return torch_file(path, pickled(b"}", text("w"), tensor(*parts), b"s"), a=np.arange(4, dtype=np.float32))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({2: 5}, "16 bytes for 5 elements"),
        ({1: "z"}, "is missing"),
        ({3: 1}, "exceeds its storage"),
        ({4: (2, 1 << 30)}, "exceeds its storage"),
        ({4: (2, -2)}, "the shape"),
        ({5: (2,)}, "the strides"),
        ({0: "QInt8Storage"}, "'QInt8Storage'"),
        ({4: (1 << 29,), 5: (0,)}, "Tensor.contiguous"),
        ({4: (large(1 << 40),), 5: (0,)}, "Tensor.contiguous"),
        ({4: (large(1 << 40), large(1 << 40)), 5: (0, 0)}, "impossible shape"),
        ({4: (1,) * 33, 5: (0,) * 33}, "33 dimensions"),
        ({4: (0, large(1 << 40), large(1 << 40)), 5: (0, 0, 0)}, "impossible shape"),
    ],
)
def test_tensors_that_lie_are_refused(tmp_path, capsys, changed, message):
    path = one_tensor(tmp_path / "x.pt", *[changed.get(i, part) for i, part in enumerate(TENSOR)])
    assert cli.main(["inspect", str(path)]) == 2
    assert message in capsys.readouterr().err
    assert cli.main(["convert", str(path), str(tmp_path / "x.ckpt"), "--from", "torch"]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "x.ckpt").exists()


@pytest.mark.parametrize("claim", [4000, 1 << 30])
@pytest.mark.parametrize("name", ["x.pt", "x.ckpt"])
def test_a_directory_that_claims_more_than_there_is_gives_no_memory_of_the_process(tmp_path, capsys, claim, name):
    path = one_tensor(tmp_path / name, "FloatStorage", "a", claim // 4, 0, (claim // 4,), (1,))
    claiming(path, "archive/data/a", claim)
    assert cli.main(["inspect", str(path)]) == 2
    assert f"has 16 bytes and not {claim}" in capsys.readouterr().err


def test_expanded_and_tied_tensors_of_a_small_size_are_read(tmp_path):
    shared = tensor("FloatStorage", "a", 4, 1, (3, 2), (0, 1))
    data = pickled(b"}(", text("u") + shared, text("v") + b"q\x01", text("w") + shared, b"u")
    data = data.replace(text("v") + b"q\x01", b"")
    torch_file(tmp_path / "x.pt", data, a=np.arange(4, dtype=np.float32))
    with TorchReader(str(tmp_path / "x.pt")) as reader:
        assert reader.read("u").tolist() == reader.read("w").tolist() == [[1, 2]] * 3


def test_an_element_that_changed_is_found(tmp_path):
    path = one_tensor(tmp_path / "x.pt", *TENSOR)
    path.write_bytes(path.read_bytes().replace(np.float32(3).tobytes(), np.float32(2).tobytes()))
    with TorchReader(str(path)) as reader, pytest.raises(ValueError, match="CRC-32 of its member 'archive/data/a'"):
        reader.read("w")


def recalled(number):
    return b"h" + bytes([number])


DOUBLING = b"]q\x00" + b"".join(b"](" + 2 * recalled(i) + b"eq" + bytes([i + 1]) for i in range(60))
NESTED_SHAPE = (
    b"K\x01q\x00" + b"".join(2 * recalled(i) + b"\x86q" + bytes([i + 1]) for i in range(60)) + b"0" * 60
    + tensor("FloatStorage", "a", 4, 0, (1,), (1,)).replace(b"(J\x01\0\0\0t", b"h\x3c", 1)
)  # fmt: skip


def keys(step, count=10_000):
    """Multiples of a number, with None for each, as a pickle puts them into a dict; those of 2**61 - 1 hash to 0."""
    numbers = [(number * step).to_bytes(10, "little", signed=True) for number in range(count)]
    return b"".join(b"\x8a\x0a" + number + b"N" for number in numbers)


HARMFUL = {
    "doubling": (DOUBLING, "more than 6"),
    "wide": (b"]q\x00(" + b"K\x01" * 2000 + b"e]q\x01(" + recalled(0) * 3000 + b"e", "values"),
    "chains": (
        b"".join(b"]q" + bytes([i]) + (recalled(i - 1) + b"a" if i else b"") for i in range(60))
        + b"](" + recalled(59) * 3000 + b"e",
        "more than",
    ),
    "nested shape": (NESTED_SHAPE, "has the shape"),
    "long names": (text("k" * 3000) + b"q\x01]q\x00(" + b"N" * 20_000 + b"e0}" + recalled(1) + recalled(0) + b"s",
                   "names have more"),
    "very long names": (b"}" + text("k" * 100_000) + b"Ns", "a name of more"),
    "empty lists": (b"(" + b"]" * 500_000 + b"l", "need more memory"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HARMFUL)
def test_small_pickles_cost_little_time_and_memory(tmp_path, kind):
    data, message = HARMFUL[kind]
    path = torch_file(tmp_path / "x.pt", pickled(data), a=np.zeros(4, np.float32))
    tracemalloc.start()
    begin = time.process_time()
    try:
        with pytest.raises(ValueError, match=message):
            TorchReader(str(path))
        seconds, (_, peak) = time.process_time() - begin, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seconds < 60  # of the processor; 3 at most, which are 0.3 without tracemalloc
    assert peak < 10 * path.stat().st_size + (50 << 20)


def test_numbers_of_one_hash_are_no_slower_than_others(tmp_path):
    seconds = []
    for step in (2**61 + 1, 2**61 - 1):
        path = torch_file(tmp_path / "x.pt", pickled(b"}(" + keys(step) + b"u"))
        begin = time.process_time()
        with TorchReader(str(path)) as reader:
            assert reader.names == []
        seconds.append(time.process_time() - begin)
    assert seconds[1] < 8 * seconds[0]  # some 20 times if the numbers were the keys


def test_what_is_compressed_is_not_unpacked(tmp_path, capsys):
    path = tmp_path / "x.pt"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("archive/data.pkl", pickled(b"}"))
        held.writestr("archive/byteorder", b"l" * (1 << 24))
    assert cli.main(["inspect", str(path)]) == 2
    assert "'archive/byteorder' has 16777216 bytes" in capsys.readouterr().err
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as held:
        held.writestr("archive/data.pkl", pickle.dumps({}, 2))
    assert cli.main(["inspect", str(path)]) == 2
    assert "compressed" in capsys.readouterr().err


def test_members_that_share_their_bytes_are_refused(tmp_path):
    path = torch_file(tmp_path / "x.pt", pickled(b"}"), **{f"s{i}": np.zeros(100) for i in range(9)})
    for i in range(9):
        claiming(path, f"archive/data/s{i}", 4000, packed=4000)
    with pytest.raises(ValueError, match="members have 36"):
        TorchReader(str(path))
