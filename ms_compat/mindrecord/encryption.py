"""Encrypted MindRecord files: `set_enc_key`, `set_enc_mode`, `set_dec_mode`.

An encrypted file is a series of blocks, each an i32 length (big endian) and at most 64 MiB of the plain file encrypted
with AES-GCM as in checkpoints, then a length of 0, the mode's name in seven bytes and "ENCRYPT". The index is
encrypted in the same way. A file is decrypted into a temporary folder that only the user can read, and that is removed
when its reader is; `cryptography` is imported when the first key is used.
"""

import io
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from typing import Any, BinaryIO

from ms_compat._core.faces import faces

_MARK = b"ENCRYPT"
_AES, _CUSTOM = "AES-GCM", "UDF-ENC"
_LENGTH = 4
_KEY_LENGTHS = (16, 24, 32)

Mode = str | Callable[..., Any] | None


class _Settings:
    """What the functions below set, for this process."""

    key: str | None = None
    enc_mode: Mode = _AES
    dec_mode: Mode = None


_settings = _Settings()


@faces("mindrecord")
def set_enc_key(enc_key: str | None) -> None:
    """Set the key with which `FileWriter` encrypts, and with which files are read.

    Args:
        enc_key: 16, 24 or 32 characters; None reads and writes plain files.

    Raises:
        ValueError: for another type or length.

    >>> set_enc_key("0123456789abcdef")
    >>> set_enc_key(None)
    """
    if enc_key is not None and (not isinstance(enc_key, str) or len(enc_key) not in _KEY_LENGTHS):
        given = f"{len(enc_key)} characters" if isinstance(enc_key, str) else type(enc_key).__name__
        raise ValueError(
            f"For 'set_enc_key', the 'enc_key' must be None or a str of 16, 24 or 32 characters, but got {given}."
        )
    _settings.key = enc_key


@faces("mindrecord")
def set_enc_mode(enc_mode: Mode = _AES) -> None:
    """Set how files are encrypted.

    Args:
        enc_mode: "AES-GCM", or a function `(plain_file, plain_size, encrypted_file, key)` that reads the first open
            file and writes the second; then `set_dec_mode` needs a function, too.

    Raises:
        ValueError: for anything else.

    >>> set_enc_mode("AES-GCM")
    """
    _settings.enc_mode = _checked("set_enc_mode", "enc_mode", enc_mode)


@faces("mindrecord")
def set_dec_mode(dec_mode: Mode = _AES) -> None:
    """Set how files are decrypted.

    Args:
        dec_mode: "AES-GCM", or a function `(encrypted_file, encrypted_size, plain_file, key)` that reads the first open
            file and writes the second; None takes `set_enc_mode`'s.

    Raises:
        ValueError: for anything else.

    >>> set_dec_mode(None)
    """
    _settings.dec_mode = None if dec_mode is None else _checked("set_dec_mode", "dec_mode", dec_mode)


def _checked(api: str, argument: str, mode: Any) -> Any:
    if not callable(mode) and not (isinstance(mode, str) and mode == _AES):
        raise ValueError(f"For '{api}', the '{argument}' must be {_AES!r} or a function, but got {mode!r}.")
    return mode


def _name(mode: Mode) -> bytes:
    return (_CUSTOM if callable(mode) else _AES).encode()


def encrypt_file(path: str) -> None:
    """Encrypts a finished file in its place, if a key is set."""
    if _settings.key is None:
        return
    part, mode = path + ".encrypt", _settings.enc_mode
    try:
        with open(path, "rb") as plain, open(part, "wb", opener=_private) as encrypted:
            if callable(mode):
                mode(plain, os.path.getsize(path), encrypted, _settings.key)
            else:
                _encrypt_blocks(plain, encrypted, _settings.key)
            encrypted.write(bytes(_LENGTH) + _name(mode) + _MARK)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def _encrypt_blocks(plain: BinaryIO, encrypted: BinaryIO, key: str) -> None:
    from ms_compat._formats import crypto

    while block := plain.read(crypto.BLOCK_BYTES):
        made = io.BytesIO()
        with crypto.Encryptor(made, key.encode(), _AES, api="FileWriter") as sink:
            sink.write(block)
        encrypted.write(made.tell().to_bytes(_LENGTH, "big") + made.getbuffer())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class PlainFile:
    """A MindRecord file that can be read: the file itself, or what it decrypts to.

    Args:
        api: the API to name in errors.
        path: the file.

    Raises:
        RuntimeError: if a key is set and the file is plain; if the file is encrypted and the key is missing, or another
            key or mode.
    """

    def __init__(self, api: str, path: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - len(_MARK) - 7, 0))
            tail = file.read()
        encrypted = tail.endswith(_MARK)
        if _settings.key is None and encrypted:
            raise RuntimeError(
                f"For '{api}', the file {path!r} is encrypted: call 'mindspore.mindrecord.set_enc_key' with its key."
            )
        if _settings.key is None:
            return
        if not encrypted:
            raise RuntimeError(
                f"For '{api}', the file {path!r} is not encrypted: call 'mindspore.mindrecord.set_enc_key(None)'."
            )
        folder = tempfile.mkdtemp(prefix="ms_compat_mindrecord_")
        weakref.finalize(self, shutil.rmtree, folder)
        self.path = os.path.join(folder, os.path.basename(path))
        for name, target in ((path, self.path), (path + ".db", self.path + ".db")):
            if os.path.exists(name):
                _decrypt(api, name, target, _settings.key)


def _decrypt(api: str, path: str, target: str, key: str) -> None:
    mode = _settings.enc_mode if _settings.dec_mode is None else _settings.dec_mode
    if _settings.dec_mode is None and callable(mode):
        raise RuntimeError(f"For '{api}', a function given to 'set_enc_mode' needs one given to 'set_dec_mode'.")
    size = os.path.getsize(path) - len(_MARK)
    with open(path, "rb") as encrypted, open(target, "wb", opener=_private) as plain:
        encrypted.seek(max(size - len(_CUSTOM), 0))
        found = encrypted.read()
        encrypted.seek(0)
        if found != _name(mode) + _MARK:
            raise RuntimeError(
                f"For '{api}', the file {path!r} must be encrypted with {_name(mode).decode()}, but it ends with "
                f"{found!r}; 'mindspore.mindrecord.set_dec_mode' sets the mode."
            )
        if callable(mode):
            mode(encrypted, size, plain, key)
            return
        try:
            _decrypt_blocks(api, path, encrypted, size - len(_CUSTOM), plain, key)
        except ValueError as error:
            raise RuntimeError(
                f"For '{api}', the file {path!r} cannot be decrypted: check 'set_enc_key' and 'set_dec_mode'. {error}"
            ) from error


def _decrypt_blocks(api: str, path: str, encrypted: BinaryIO, end: int, plain: BinaryIO, key: str) -> None:
    """Decrypts the blocks of a file, which end at `end`."""
    from ms_compat._formats import crypto

    while length := int.from_bytes(encrypted.read(_LENGTH), "big"):
        if length > end - encrypted.tell():
            raise ValueError(f"A block has {length} bytes, but {end - encrypted.tell()} are left.")
        block = io.BytesIO(encrypted.read(length))
        made = crypto.decrypt_file(block, _AES, key.encode(), _AES, api=api, path=path)
        plain.write(made.getbuffer())
    if encrypted.tell() != end:
        raise ValueError(f"It has {end - encrypted.tell()} bytes after the last block.")
