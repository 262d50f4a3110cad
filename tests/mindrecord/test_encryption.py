"""Encrypted MindRecord files; MindSpore 2.10 was seen to read what this writer makes, and the other way round."""

import os

import pytest

import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat.mindrecord import FileReader, FileWriter, MindPage

pytest.importorskip("cryptography")
KEY = "0123456789abcdef"
ROWS = [{"label": k} for k in range(5)]


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    mindrecord.set_enc_key(None)
    mindrecord.set_enc_mode("AES-GCM")
    mindrecord.set_dec_mode(None)


def written(shards=1, small=True):
    writer = FileWriter("f", shards)
    if small:  # else 50 MB are encrypted
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
    writer.add_schema({"label": {"type": "int64"}})
    writer.write_raw_data(ROWS)
    writer.commit()


def read(name="f"):
    return list(FileReader(name).get_next())


def flipped(data, key):
    return data.translate(bytes(byte ^ ord(key[0]) for byte in range(256)))


@pytest.mark.parametrize("length", [16, 24, 32])
@pytest.mark.parametrize("shards", [1, 2])
def test_encrypted_files_are_read_with_their_key(length, shards):
    mindrecord.set_enc_key("k" * length)
    written(shards, small=length > 16)
    names = ["f"] if shards == 1 else ["f0", "f1"]
    assert sorted(os.listdir()) == sorted([*names, *[name + ".db" for name in names]])
    for name in names:
        for path in (name, name + ".db"):
            with open(path, "rb") as file:
                data = file.read()
            assert data.endswith(bytes(4) + b"AES-GCMENCRYPT") and b"label" not in data and b"SQLite" not in data
    assert read(names[0]) == ROWS
    data = ds.MindDataset(names[0], shuffle=False)
    assert [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [0, 1, 2, 3, 4]
    page = MindPage(names[0])
    page.category_field = "label"
    assert page.read_at_page_by_name("3", 0, 1) == [{"label": 3}]


def test_decrypted_files_are_private_and_removed_with_their_reader(monkeypatch, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    mindrecord.set_enc_key(KEY)
    written()
    reader = FileReader("f")
    (made,) = folder.iterdir()
    assert made.stat().st_mode & 0o77 == 0 and {path.stat().st_mode & 0o77 for path in made.iterdir()} == {0}
    assert len(list(reader.get_next())) == 5
    del reader
    assert not list(folder.iterdir())


def test_rows_are_added_to_encrypted_files():
    mindrecord.set_enc_key(KEY)
    written()
    writer = FileWriter.open_for_append("f")
    writer.write_raw_data([{"label": 9}])
    writer.commit()
    assert read() == [*ROWS, {"label": 9}]


def test_keys_that_do_not_fit_are_errors():
    mindrecord.set_enc_key(KEY)
    written()
    mindrecord.set_enc_key(KEY[::-1])
    with pytest.raises(RuntimeError, match="cannot be decrypted: check 'set_enc_key'"):
        read()
    mindrecord.set_enc_key(None)
    with pytest.raises(RuntimeError, match="is encrypted: call 'mindspore.mindrecord.set_enc_key'"):
        read()
    os.remove("f")
    os.remove("f.db")
    written()
    mindrecord.set_enc_key(KEY)
    with pytest.raises(RuntimeError, match=r"is not encrypted: call 'mindspore.mindrecord.set_enc_key\(None\)'"):
        read()


@pytest.mark.parametrize("at", [0, 3, 4, 40, 200, -16])
def test_changed_files_are_errors(at):
    mindrecord.set_enc_key(KEY)
    written()
    with open("f", "r+b") as file:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        byte = file.read(1)
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(RuntimeError, match="'f'"):
        read()


def test_functions_encrypt_and_decrypt():
    mindrecord.set_enc_key(KEY)
    mindrecord.set_enc_mode(lambda plain, size, out, key: out.write(flipped(plain.read(size), key)))
    written()
    with open("f", "rb") as file:
        assert file.read().endswith(bytes(4) + b"UDF-ENCENCRYPT")
    with pytest.raises(RuntimeError, match="needs one given to 'set_dec_mode'"):
        read()
    mindrecord.set_dec_mode(lambda data, size, out, key: out.write(flipped(data.read(size - 11), key)))
    assert read() == ROWS
    mindrecord.set_dec_mode("AES-GCM")
    with pytest.raises(RuntimeError, match="must be encrypted with AES-GCM, but it ends with b'UDF-ENCENCRYPT'"):
        read()


def test_a_function_that_fails_leaves_no_part_of_a_file():
    def failing(plain, size, out, key):
        raise OSError("full")

    mindrecord.set_enc_key(KEY)
    mindrecord.set_enc_mode(failing)
    with pytest.raises(OSError, match="full"):
        written()
    assert not os.path.exists("f.encrypt")


@pytest.mark.parametrize("given", [3, "short", b"0123456789abcdef"])
def test_keys_are_checked(given):
    with pytest.raises(ValueError, match="must be None or a str of 16, 24 or 32 characters"):
        mindrecord.set_enc_key(given)


@pytest.mark.parametrize("function", [mindrecord.set_enc_mode, mindrecord.set_dec_mode])
@pytest.mark.parametrize("given", [3, "AES-CBC"])
def test_modes_are_checked(function, given):
    with pytest.raises(ValueError, match="must be 'AES-GCM' or a function"):
        function(given)
