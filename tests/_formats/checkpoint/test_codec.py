"""The bytes of `.ckpt` and `.safetensors`: equal to MindSpore's both ways, bad files refused before they cost.

By hand, with MindSpore 2.10.0 (CPU) as the reader: it loads our files of all its types, with 0-size arrays, strings,
CRC and each cipher; a 671 MB parameter that we cut in two slices loads, and saved again by MindSpore the file has
our bytes.
"""

import functools
import json
import os
import pathlib
import random
import stat
import tracemalloc

import ml_dtypes
import numpy as np
import pytest

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.checkpoint import codec, safetensors_file
from ms_compat._formats.protobuf import wire
from tests._formats.reading import load

RECORDED = json.loads(
    (pathlib.Path(__file__).parents[2] / "conformance" / "data" / "checkpoint_files.json").read_text()
)
GOLDEN = bytes.fromhex(
    "0a140a0173120f1207466c6f617433321a04000060400a220a0177121d08041207466c6f617433321a10"
    "000000000000803f0000004000004040"
)
GOLDEN_ITEMS = {"s": np.float32(3.5), "w": np.arange(4, dtype=np.float32)}
PLAIN = {k: v for k, v in RECORDED["ckpt"].items() if not k.endswith(("GCM", "CBC"))}


def field(number, payload):
    """A protobuf field: bytes become a length-delimited one, an int a varint."""
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 0x7F:
        out += bytes((value & 0x7F | 0x80,))
        value >>= 7
    return out + bytes((value,))


def record(name, dims, kind, content, extra=b""):
    tensor = b"".join(field(1, d) for d in dims) + field(2, kind) + field(3, content) + extra
    return field(1, field(1, name) + field(2, tensor))


load_safetensors = functools.partial(load, reader=safetensors_file.SafetensorsReader, name="f.safetensors")


def check(value, want):
    if isinstance(want, str):
        assert value == want
        return
    assert wire.NAMES[value.dtype] == want["dtype"]
    assert list(value.shape) == want["shape"]
    wide = value.astype(np.float64) if value.dtype.kind == "V" else value
    assert wide.ravel().tolist() == want["data"]


@pytest.mark.parametrize("label", PLAIN)
def test_a_file_of_mindspore_reads_and_writes_back_to_its_bytes(label, tmp_path):
    case = RECORDED["ckpt"][label]
    raw = bytes.fromhex(case["hex"])
    found = load(raw, tmp_path, crc_check=label == "crc")
    if "values" in case:
        assert list(found) == list(case["values"])
        for name, want in case["values"].items():
            check(found[name], want)
    else:  # MindSpore writes these types and cannot load them
        assert wire.NAMES[found["p"].dtype] == case["dtype"]
        assert found["p"].astype(np.complex64).tolist() == [[1, 0, 3], [0, 1, 2]]
    codec.write(str(tmp_path / "again.ckpt"), found.items(), crc_check=label == "crc")
    assert (tmp_path / "again.ckpt").read_bytes() == raw


@pytest.mark.parametrize("label", RECORDED["safetensors"])
def test_a_safetensors_file_of_mindspore_reads_and_writes_back(label, tmp_path):
    case = RECORDED["safetensors"][label]
    raw = bytes.fromhex(case["hex"])
    found = load_safetensors(raw, tmp_path, crc_check=label == "crc")
    for name, want in case.get("values", {}).items():
        check(found[name], want)
    assert list(found) == sorted(found)
    options = {"remove_redundancy": False} if label == "redundancy" else {}
    safetensors_file.write(str(tmp_path / "again.safetensors"), found.items(), crc_check=label == "crc", **options)
    assert parsed(raw) == parsed((tmp_path / "again.safetensors").read_bytes())


def parsed(raw):
    """Header and contents: the library does not fix the order of the metadata's keys."""
    end = 8 + int.from_bytes(raw[:8], "little")
    return json.loads(raw[8:end]), raw[end:]


def test_the_golden_file(tmp_path):
    codec.write(str(tmp_path / "g.ckpt"), GOLDEN_ITEMS.items())
    assert (tmp_path / "g.ckpt").read_bytes() == GOLDEN
    codec.write(str(tmp_path / "g.ckpt"), GOLDEN_ITEMS.items(), crc_check=True)
    assert (tmp_path / "g.ckpt").read_bytes() == GOLDEN + bytes.fromhex("6372635f6e756d0000000000005791e23e")
    found = load(GOLDEN, tmp_path)
    assert found["s"].shape == () and found["s"] == np.float32(3.5)
    assert found["w"].dtype == np.float32 and found["w"].tolist() == [0, 1, 2, 3]


def test_every_cut_of_the_golden_file_is_refused(tmp_path):
    boundary = 22  # between the two records: a file cut there is a shorter file; only a CRC could tell
    for end in range(1, len(GOLDEN)):
        if end == boundary:
            assert list(load(GOLDEN[:end], tmp_path)) == ["s"]
            continue
        with pytest.raises(ValueError, match="f.ckpt.* at byte .*: expected .*, received"):
            load(GOLDEN[:end], tmp_path)
    assert load(b"", tmp_path) == {}


def test_every_cut_and_every_changed_byte_of_a_safetensors_file_is_an_error_or_a_value(tmp_path):
    raw = bytes.fromhex(RECORDED["safetensors"]["crc"]["hex"])
    for end in range(len(raw)):
        with pytest.raises(ValueError, match="load_checkpoint"):
            load_safetensors(raw[:end], tmp_path)
    for at in range(len(raw)):
        changed = bytearray(raw)
        changed[at] ^= 0x11
        try:
            load_safetensors(bytes(changed), tmp_path)
        except (ValueError, UnsupportedError):
            pass


BAD = {
    "50000 x 50000 from 4 bytes": (record(b"a", [50000, 50000], b"Float32", b"1234"), "10000000000 bytes"),
    "content too long": (record(b"a", [1], b"Float32", b"12345678"), "expected 4 bytes"),
    "content too short": (record(b"a", [2], b"Float32", b"1234"), "expected 8 bytes"),
    "negative dimension": (record(b"a", [-2], b"Float32", b"12345678"), "received -2"),
    "product beyond 64 bits": (record(b"a", [1 << 40, 1 << 40], b"Float32", b"1234"), "less than 2\\*\\*63"),
    "huge, but zero": (record(b"a", [0, 1 << 62, 4], b"Float32", b""), "less than 2\\*\\*63"),
    "too many dimensions": (record(b"a", [1] * 33, b"Float32", b"1234"), "at most 32"),
    "unknown type": (record(b"a", [1], b"Foo", b"1234"), "'Foo'"),
    "long type": (record(b"a", [1], b"F" * 65, b"1234"), "tensor type"),
    "long name": (record(b"a" * 70000, [1], b"Float32", b"1234"), "parameter name"),
    "name not UTF-8": (record(b"\xff\xfe", [1], b"Float32", b"1234"), "UTF-8"),
    "string of odd length": (record(b"a", [0], b"str", b"12345"), "multiple of 4"),
    "string not UTF-32": (record(b"a", [0], b"str", b"\xff\xff\xff\xff"), "UTF-32"),
    "no name": (field(1, field(2, field(2, b"Float32") + field(3, b"1234"))), "without a name"),
    "no tensor": (field(1, field(1, b"a")), "tensor_type"),
    "no content": (field(1, field(1, b"a") + field(2, field(2, b"Float32"))), "tensor_content"),
    "varint without end": (b"\x0a" + b"\xff" * 12, "at most 10 bytes"),
    "length beyond the file": (b"\x0a\xff\xff\xff\xff\x7f", "at most 0 bytes"),
    "length near 2**64": (b"\x0a" + b"\xff" * 9 + b"\x01", "at most 0 bytes"),
    "inner length beyond the record": (field(1, b"\x0a\x05a"), "at most 1 bytes"),
    "text": (b"hello world this is", "wire type"),
    "field number 0": (b"\x02\x00", "field number"),
    "slices of two shapes": (
        record(b"a", [2], b"Float32", b"1234") + record(b"a", [3], b"Float32", b"1234"),
        "do not fit together",
    ),
    "the same whole record twice": (record(b"a", [1], b"Float32", b"1234") * 2, "2 piece"),
}


@pytest.mark.parametrize("label", BAD)
def test_a_bad_file_is_refused_without_taking_memory(label, tmp_path):
    raw, message = BAD[label]
    load(GOLDEN, tmp_path)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=message) as caught:
            load(raw, tmp_path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert type(caught.value) is ValueError
    assert "load_checkpoint" in str(caught.value) and str(tmp_path / "f.ckpt") in str(caught.value)


def test_changed_bytes_never_do_more_than_raise(tmp_path, caplog):
    caplog.set_level("ERROR", "ms_compat")
    source = random.Random(20260)
    files = [bytes.fromhex(RECORDED["ckpt"][label]["hex"]) for label in ("golden", "append", "crc", "bfloat16")]
    tracemalloc.start()
    try:
        for _ in range(3000):
            raw = bytearray(source.choice(files))
            for _ in range(source.randint(1, 4)):
                at = source.randrange(len(raw))
                if source.random() < 0.3:
                    raw[at : at + source.randint(1, 4)] = source.randbytes(source.randint(0, 6))
                else:
                    raw[at] = source.choice((0, 1, 0x7F, 0x80, 0xFF, source.randrange(256)))
            try:
                load(bytes(raw), tmp_path, crc_check=source.random() < 0.5)
            except (ValueError, UnsupportedError):
                pass
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_fields_in_another_order_packed_dims_and_unknown_fields_are_read(tmp_path):
    content = np.arange(6, dtype="<i2").tobytes()
    packed = field(1, b"".join(map(varint, (2, 3))))
    tensor = field(3, content) + field(9, 77) + field(2, b"Int16") + varint(4 << 3 | 5) + b"abcd" + packed
    raw = field(7, b"later") + field(1, field(2, tensor) + varint(5 << 3 | 1) + b"abcdefgh" + field(1, b"a"))
    assert load(raw, tmp_path)["a"].tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_old_scalar_with_dims_0_is_a_scalar_and_an_empty_array_is_empty(tmp_path):
    assert load(record(b"a", [0], b"Float32", b"\0\0\x60\x40"), tmp_path)["a"].shape == ()
    assert load(record(b"a", [0], b"Float32", b""), tmp_path)["a"].shape == (0,)
    codec.write(str(tmp_path / "e.ckpt"), [("e", np.zeros((0, 3), np.float32))])
    assert load((tmp_path / "e.ckpt").read_bytes(), tmp_path)["e"].shape == (0, 3)


def test_of_a_name_that_comes_back_later_the_last_counts(tmp_path):
    raw = record(b"a", [1], b"Int8", b"1") + record(b"b", [1], b"Int8", b"2") + record(b"a", [], b"UInt8", b"3")
    found = load(raw, tmp_path)
    assert list(found) == ["a", "b"]
    assert found["a"].shape == () and found["a"].dtype == np.uint8 and found["a"] == ord("3")


def test_large_parameters_are_cut_in_slices_and_joined(tmp_path, monkeypatch):
    monkeypatch.setattr(wire, "SLICE_BYTES", 10)
    value = np.arange(7, dtype=np.float32)
    codec.write(str(tmp_path / "s.ckpt"), [("a", value), ("b", np.int8(1))], crc_check=True)
    with codec.CkptReader(str(tmp_path / "s.ckpt"), crc_check=True) as reader:
        assert [length for _, length in reader.records["a"].pieces] == [10, 10, 8]
        assert reader.records["a"].dims == (7,)
        assert reader.read("a").tolist() == value.tolist() and reader.read("b") == 1


def test_a_map_parameter_is_unsupported_and_the_rest_can_be_read(tmp_path):
    (tmp_path / "m.ckpt").write_bytes(field(1, field(1, b"m") + field(3, b"")) + GOLDEN)
    with codec.CkptReader(str(tmp_path / "m.ckpt")) as reader:
        assert reader.read("s") == np.float32(3.5)
        with pytest.raises(UnsupportedError, match="MapParameter"):
            reader.read("m")


def test_packed_pairs_of_int4_are_unsupported_not_halved(tmp_path):
    with pytest.raises(UnsupportedError, match="packed pairs"):
        load(record(b"q", [1], b"Int4", b"\x21"), tmp_path)


def test_a_bool_byte_other_than_0_and_1_reads_as_true(tmp_path):
    assert load(record(b"q", [2], b"Bool", b"\x02\x00"), tmp_path)["q"].view(np.uint8).tolist() == [1, 0]


def test_a_wrong_crc_is_an_error_only_if_asked_for(tmp_path, caplog):
    raw = bytearray.fromhex(RECORDED["ckpt"]["crc"]["hex"])
    raw[20] ^= 1
    assert list(load(bytes(raw), tmp_path)) == ["s", "w"]
    with pytest.raises(ValueError, match="CRC-32.*expected 0x5791e23e, received 0x"):
        load(bytes(raw), tmp_path, crc_check=True)
    load(GOLDEN, tmp_path, crc_check=True)
    assert "holds no CRC" in caplog.text
    raw = bytearray.fromhex(RECORDED["safetensors"]["crc"]["hex"])
    raw[-1] ^= 1
    assert list(load_safetensors(bytes(raw), tmp_path)) == ["s", "w"]
    with pytest.raises(ValueError, match="CRC-32"):
        load_safetensors(bytes(raw), tmp_path, crc_check=True)


def test_arrays_in_any_layout_are_written_in_c_order_little_endian(tmp_path):
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    forms = {"t": value.T, "f": np.asfortranarray(value), "big": value.astype(">f4"), "strided": value[:, ::2]}
    for module, read in ((codec, load), (safetensors_file, load_safetensors)):
        path = tmp_path / "forms"
        module.write(str(path), forms.items())
        found = read(path.read_bytes(), tmp_path)
        for name, array in forms.items():
            assert found[name].dtype == np.float32 and found[name].tolist() == array.tolist(), name


@pytest.mark.parametrize("module", [codec, safetensors_file])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(module, tmp_path):
    path = tmp_path / "w"
    module.write(str(path), GOLDEN_ITEMS.items())
    before = path.read_bytes()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o400

    def failing():
        yield from GOLDEN_ITEMS.items()
        raise RuntimeError("the device is gone")

    with pytest.raises(RuntimeError, match="gone"):
        module.write(str(path), failing())
    with pytest.raises(TypeError, match="'x'.*datetime64"):
        module.write(str(path), [("x", np.zeros(2, "datetime64[s]"))])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["w"]
    module.write(str(path), [("other", np.zeros(2))])
    assert path.read_bytes() != before and stat.S_IMODE(os.stat(path).st_mode) == 0o400


def test_safetensors_has_no_strings_and_no_complex128(tmp_path):
    for value in ("text", np.zeros(2, np.complex128)):
        with pytest.raises(TypeError, match="cannot hold the parameter 'x'.*Format 'ckpt' can"):
            safetensors_file.write(str(tmp_path / "x"), [("x", value)])
    assert os.listdir(tmp_path) == []


def test_the_8_bit_floats_read_back(tmp_path):
    items = {t.__name__: np.array([0.5, 2], t) for t in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)}
    safetensors_file.write(str(tmp_path / "x"), items.items())
    found = load_safetensors((tmp_path / "x").read_bytes(), tmp_path)
    assert {k: (v.dtype, v.tolist()) for k, v in found.items()} == {k: (v.dtype, v.tolist()) for k, v in items.items()}


@pytest.mark.parametrize("module", [codec, safetensors_file])
def test_reading_takes_the_memory_of_the_parameters_and_little_more(module, tmp_path):
    size = 8 << 20
    value = np.ones(size // 4, np.float32)
    module.write(str(tmp_path / "x"), ((f"p{i}", value) for i in range(4)))
    reader = codec.CkptReader if module is codec else safetensors_file.SafetensorsReader
    tracemalloc.start()
    try:
        with reader(str(tmp_path / "x")) as opened:
            found = {name: opened.read(name) for name in opened.names}
        assert tracemalloc.get_traced_memory()[1] < 4 * size * 1.02
    finally:
        tracemalloc.stop()
    assert all(v.ctypes.data % 64 == 0 for v in found.values())  # so that JAX takes them over without a copy
