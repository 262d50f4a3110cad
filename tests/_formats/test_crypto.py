"""Encrypted checkpoints: files of MindSpore decrypt, ours decrypt again, and whatever does not fit is named."""

import json
import os
import pathlib
import random
import struct
import sys

import numpy as np
import pytest

from ms_compat._formats import crypto
from ms_compat._formats.checkpoint import codec
from tests._formats.reading import load

RECORDED = json.loads(
    (pathlib.Path(__file__).parent.parent / "conformance" / "data" / "checkpoint_files.json").read_text()
)["ckpt"]
KEY = b"0123456789ABCDEF"
OTHER = {"AES-GCM": "AES-CBC", "AES-CBC": "SM4-CBC", "SM4-CBC": "AES-GCM"}

needs_cryptography = pytest.mark.skipif(
    __import__("importlib.util").util.find_spec("cryptography") is None,
    reason="the optional package 'cryptography' (extra 'crypto') is not installed",
)


@needs_cryptography
@pytest.mark.parametrize("mode", crypto.MODES)
def test_a_file_of_mindspore_decrypts(mode, tmp_path):
    found = load(bytes.fromhex(RECORDED[mode]["hex"]), tmp_path, dec_key=KEY, dec_mode=mode)
    assert found["s"] == np.float32(3.5) and found["w"].tolist() == [0, 1, 2, 3]


@needs_cryptography
def test_the_nonce_of_earlier_versions_is_all_16_bytes_of_the_iv(tmp_path):
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    plain, iv = bytes.fromhex(RECORDED["golden"]["hex"]), bytes(range(16))
    sealed = AESGCM(KEY).encrypt(iv, plain, None)
    cipher, tag = sealed[:-16], sealed[-16:]
    raw = struct.pack("<I", 0x7F3A5ED8) + tag + struct.pack("<II", 24 + len(cipher), 16) + iv
    raw += struct.pack("<I", len(cipher)) + cipher
    assert list(load(raw, tmp_path, dec_key=KEY)) == ["s", "w"]


@needs_cryptography
@pytest.mark.parametrize("length", [16, 24, 32])
@pytest.mark.parametrize("mode", crypto.MODES)
def test_what_is_written_in_several_blocks_reads_back(mode, length, tmp_path, monkeypatch):
    monkeypatch.setattr(crypto, "BLOCK_BYTES", 100)
    key = KEY * 2
    items = {"a": np.arange(60, dtype=np.int64), "note": "text", "b": np.float32(1)}
    path = str(tmp_path / "e.ckpt")
    if mode == "SM4-CBC" and length != 16:
        with pytest.raises(ValueError, match="'enc_key' for SM4-CBC must have 16 bytes, but got"):
            codec.write(path, items.items(), enc_key=key[:length], enc_mode=mode)
        assert os.listdir(tmp_path) == []
        return
    codec.write(path, items.items(), enc_key=key[:length], enc_mode=mode)
    raw = pathlib.Path(path).read_bytes()
    assert raw.count(raw[:4]) == 6
    assert b"note" not in raw
    found = load(raw, tmp_path, dec_key=key[:length], dec_mode=mode)
    assert found["a"].tolist() == items["a"].tolist() and found["note"] == "text" and found["b"] == 1


@pytest.mark.parametrize("mode", crypto.MODES)
def test_an_encrypted_file_says_so_and_names_its_mode(mode, tmp_path):
    raw = bytes.fromhex(RECORDED[mode]["hex"])
    with pytest.raises(ValueError, match=f"is encrypted with {mode}.*dec_key=None.*dec_mode='{mode}'"):
        load(raw, tmp_path)
    with pytest.raises(ValueError, match=f"expected dec_mode='{mode}', received dec_mode='{OTHER[mode]}'"):
        load(raw, tmp_path, dec_key=KEY, dec_mode=OTHER[mode])
    with pytest.raises(ValueError, match="'dec_key' for .* must have 16"):
        load(raw, tmp_path, dec_key=b"123", dec_mode=mode)
    with pytest.raises(ValueError, match="'dec_mode' must be one of"):
        load(raw, tmp_path, dec_key=KEY, dec_mode="ROT13")


def test_a_key_for_a_plain_file_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="is not an encrypted checkpoint"):
        load(bytes.fromhex(RECORDED["golden"]["hex"]), tmp_path, dec_key=KEY)


def test_without_cryptography_the_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    with pytest.raises(ImportError, match="AES-GCM needs the optional package 'cryptography'"):
        load(bytes.fromhex(RECORDED["AES-GCM"]["hex"]), tmp_path, dec_key=KEY)
    (tmp_path / "f.ckpt").unlink()
    with pytest.raises(ImportError, match="For 'save_checkpoint'"):
        codec.write(str(tmp_path / "e.ckpt"), [("a", np.int8(1))], enc_key=KEY)
    assert os.listdir(tmp_path) == []


def test_a_crc_and_a_key_exclude_each_other(tmp_path):
    with pytest.raises(ValueError, match="exclude each other"):
        codec.write(str(tmp_path / "e.ckpt"), [], enc_key=KEY, crc_check=True)


@needs_cryptography
@pytest.mark.parametrize("mode", crypto.MODES)
def test_cut_changed_or_wrongly_opened_files_are_refused(mode, tmp_path):
    raw = bytes.fromhex(RECORDED[mode]["hex"])
    with pytest.raises(ValueError, match="f.ckpt"):
        load(raw, tmp_path, dec_key=b"1" + KEY[1:], dec_mode=mode)
    for end in range(len(raw)):
        with pytest.raises(ValueError, match="f.ckpt"):
            load(raw[:end], tmp_path, dec_key=KEY, dec_mode=mode)
    source = random.Random(7)
    for at in range(4, len(raw)):
        changed = bytearray(raw)
        changed[at] ^= source.randint(1, 255)
        if mode == "AES-GCM" and at not in range(40, 44):  # nobody reads the last 4 bytes of the iv
            with pytest.raises(ValueError, match="f.ckpt"):
                load(bytes(changed), tmp_path, dec_key=KEY, dec_mode=mode)
        else:  # CBC authenticates nothing: a changed byte can only be told by what it decrypts to
            try:
                load(bytes(changed), tmp_path, dec_key=KEY, dec_mode=mode)
            except ValueError as error:
                assert "f.ckpt" in str(error)
