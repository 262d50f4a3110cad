"""Encrypted checkpoints: AES-GCM, AES-CBC and SM4-CBC, in MindSpore's layout.

The plain stream is cut into blocks of at most 64 MiB and each is written as

    magic u32 | tag 16 bytes (GCM only) | block size u32 | iv length u32 | iv | cipher length u32 | cipher

(little-endian; block size counts everything after itself). CBC pads as PKCS#7. MindSpore 2.10 gives GCM the first 12
of the 16 iv bytes as its nonce, earlier versions all 16: the tag shows which. The ciphers come from the optional
package `cryptography`, which is imported when the first key is used; the magic numbers are recognised without it.
"""

from __future__ import annotations

import io
import os
import struct
from typing import Any, BinaryIO

from ms_compat._core.checks import check_choice
from ms_compat._formats.protobuf.wire import bad_file

MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")
BLOCK_BYTES = 64 * 1024 * 1024
_MAGIC = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
_MODE_OF = {struct.pack("<I", magic): mode for mode, magic in _MAGIC.items()}
_KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
_IV_BYTES = 16
_TAG_BYTES = 16
_GCM_NONCE_BYTES = 12


def detect(head: bytes) -> str | None:
    """The mode whose magic number the first four bytes of a file are, or None for a plain file."""
    return _MODE_OF.get(bytes(head[:4]))


def check_key(key: bytes, mode: str, *, api: str, key_argument: str, mode_argument: str) -> None:
    """Raise ValueError unless `mode` is known and `key` has a length that it takes."""
    check_choice(api, mode_argument, mode, MODES)
    if len(key) not in _KEY_BYTES[mode]:
        lengths = " or ".join(map(str, _KEY_BYTES[mode]))
        raise ValueError(f"For '{api}', the '{key_argument}' for {mode} must have {lengths} bytes, but got {len(key)}.")


def _cipher(mode: str, key: bytes, iv: bytes, tag: bytes | None, api: str) -> Any:
    try:
        from cryptography.hazmat.primitives import ciphers
        from cryptography.hazmat.primitives.ciphers import algorithms, modes
    except ImportError as error:
        raise ImportError(
            f"For '{api}', {mode} needs the optional package 'cryptography', which is not installed. "
            "Install it (pip install cryptography, or the extra 'crypto' of ms_compat)."
        ) from error
    algorithm = algorithms.SM4(key) if mode == "SM4-CBC" else algorithms.AES(key)
    return ciphers.Cipher(algorithm, modes.GCM(iv, tag) if mode == "AES-GCM" else modes.CBC(iv))


class Encryptor:
    """A sink that encrypts its input and writes it to `file`; the last block goes out when the context ends.

    Args:
        file: where to write.
        key: 16, 24 or 32 bytes (SM4: 16).
        mode: one of MODES.
        api: the API to name in errors.
    """

    def __init__(self, file: BinaryIO, key: bytes, mode: str, *, api: str = "save_checkpoint"):
        check_key(key, mode, api=api, key_argument="enc_key", mode_argument="enc_mode")
        self._file, self._key, self._mode, self._api = file, key, mode, api
        self._pending = bytearray()

    def write(self, data: bytes | memoryview) -> None:
        view = memoryview(data)
        while view:
            room = BLOCK_BYTES - len(self._pending)
            self._pending += view[:room]
            view = view[room:]
            if len(self._pending) == BLOCK_BYTES:
                self._flush()

    def _flush(self) -> None:
        iv = os.urandom(_IV_BYTES)
        gcm = self._mode == "AES-GCM"
        plain = bytes(self._pending) if gcm else _padded(self._pending)
        self._pending.clear()
        encryptor = _cipher(self._mode, self._key, iv[:_GCM_NONCE_BYTES] if gcm else iv, None, self._api).encryptor()
        cipher = encryptor.update(plain) + encryptor.finalize()
        self._file.write(struct.pack("<I", _MAGIC[self._mode]))
        if gcm:
            self._file.write(encryptor.tag)
        self._file.write(struct.pack("<II", 4 + _IV_BYTES + 4 + len(cipher), _IV_BYTES))
        self._file.write(iv)
        self._file.write(struct.pack("<I", len(cipher)))
        self._file.write(cipher)

    def __enter__(self) -> Encryptor:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and self._pending:
            self._flush()


def _padded(plain: bytearray) -> bytes:
    count = 16 - len(plain) % 16
    return bytes(plain) + bytes((count,)) * count


def decrypt_file(
    file: BinaryIO, mode: str | None, key: bytes | None, dec_mode: str, *, api: str, path: str
) -> io.BytesIO:
    """The plain stream of an encrypted file, one block in memory at a time beside the result.

    Args:
        file: the open file.
        mode: what `detect` said of it.
        key: the user's key, or None.
        dec_mode: the mode the user names.
        api: the API to name in errors.
        path: the file to name in errors.

    Raises:
        ValueError: if file, key and mode do not belong together, or the file was changed.
        ImportError: if `cryptography` is not installed.
    """
    if mode is None:
        raise ValueError(
            f"For '{api}', the file '{path}' is not an encrypted checkpoint: expected a file that starts with the mark "
            f"of {', '.join(MODES)}, received a plain or foreign one. Leave 'dec_key' out to load a plain checkpoint."
        )
    if key is None:
        raise ValueError(
            f"For '{api}', the checkpoint file '{path}' is encrypted with {mode}: expected its key, received "
            f"dec_key=None. Pass dec_key=<bytes> and dec_mode='{mode}'."
        )
    check_key(key, dec_mode, api=api, key_argument="dec_key", mode_argument="dec_mode")
    if mode != dec_mode:
        raise ValueError(
            f"For '{api}', the checkpoint file '{path}' is encrypted with {mode}: expected dec_mode='{mode}', received "
            f"dec_mode='{dec_mode}'."
        )
    plain = io.BytesIO()
    blocks = _Blocks(file, api, path)
    while blocks.left:
        blocks.decrypt_next(mode, key, plain)
    return plain


class _Blocks:
    """A cursor over the blocks that checks each length against what is left before it reads."""

    def __init__(self, file: BinaryIO, api: str, path: str):
        self.file, self.api, self.path = file, api, path
        self.left = file.seek(0, os.SEEK_END)
        file.seek(0)

    def fail(self, what: str, expected: object, received: object) -> ValueError:
        return bad_file(self.api, self.path, self.file.tell(), what, expected, received)

    def take(self, count: int, what: str) -> bytes:
        if count > self.left:
            raise self.fail("is cut short or damaged", f"{count} bytes of {what}", f"{self.left} bytes")
        data = b""
        while len(data) < count:
            more = self.file.read(count - len(data))
            if not more:
                raise self.fail("shrank", f"{count - len(data)} more bytes", "none")
            data = data + more if data else more
        self.left -= count
        return data

    def number(self, what: str) -> int:
        return struct.unpack("<I", self.take(4, what))[0]

    def decrypt_next(self, mode: str, key: bytes, into: BinaryIO) -> None:
        found = self.take(4, "block mark")
        if found != struct.pack("<I", _MAGIC[mode]):
            raise self.fail("has a bad block", f"the mark of {mode}", found.hex())
        tag = self.take(_TAG_BYTES, "tag") if mode == "AES-GCM" else None
        block_bytes = self.number("block size")
        iv_bytes = self.number("iv length")
        if iv_bytes != _IV_BYTES:
            raise self.fail("has a bad block", f"an iv of {_IV_BYTES} bytes", iv_bytes)
        iv = self.take(iv_bytes, "iv")
        cipher_bytes = self.number("cipher length")
        if block_bytes != 4 + iv_bytes + 4 + cipher_bytes:
            raise self.fail("has a bad block", f"a block of {4 + iv_bytes + 4 + cipher_bytes} bytes", block_bytes)
        cipher = self.take(cipher_bytes, "cipher text")
        plain = self._gcm(key, iv, tag, cipher) if tag is not None else self._cbc(mode, key, iv, cipher)
        if plain is None:
            raise self.fail(
                "cannot be decrypted", "the key it was saved with and unchanged content", f"ones that {mode} refuses"
            )
        into.write(plain)

    def _gcm(self, key: bytes, iv: bytes, tag: bytes, cipher: bytes) -> bytes | None:
        for nonce in (iv[:_GCM_NONCE_BYTES], iv):
            decryptor = _cipher("AES-GCM", key, nonce, tag, self.api).decryptor()
            plain = decryptor.update(cipher)
            try:
                return plain + decryptor.finalize()
            except Exception as error:
                if type(error).__name__ != "InvalidTag":  # its class is in the optional package
                    raise
        return None

    def _cbc(self, mode: str, key: bytes, iv: bytes, cipher: bytes) -> bytes | None:
        if not cipher or len(cipher) % 16:
            raise self.fail("has a bad block", "cipher text of whole 16-byte units", f"{len(cipher)} bytes")
        decryptor = _cipher(mode, key, iv, None, self.api).decryptor()
        plain = decryptor.update(cipher) + decryptor.finalize()
        count = plain[-1]
        if not 1 <= count <= 16 or plain[-count:] != bytes((count,)) * count:
            return None
        return plain[:-count]
