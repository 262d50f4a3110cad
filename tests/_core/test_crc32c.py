"""CRC32C: known remainders, and long messages against the definition."""

import numpy as np
import pytest

from ms_compat._core.crc32c import crc32c, masked_crc


def slowly(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x82F63B78 if crc & 1 else crc >> 1
    return crc ^ 0xFFFFFFFF


# RFC 3720, B.4.
KNOWN = {bytes(32): 0x8A9136AA, b"\xff" * 32: 0x62A8AB43, bytes(range(32)): 0x46DD794E, b"": 0}


@pytest.mark.parametrize("data", KNOWN)
def test_known_messages(data):
    assert crc32c(data) == KNOWN[data]


@pytest.mark.parametrize("size", [1, 2047, 2048, 2049, 4096, 5000, 65536 + 7])
def test_any_length(size):
    data = (np.arange(size, dtype=np.int64) ** 2 % 251).astype(np.uint8).tobytes()
    assert crc32c(data) == slowly(data)


def test_the_mask():
    assert masked_crc(bytes(8)) == 0x07980329
