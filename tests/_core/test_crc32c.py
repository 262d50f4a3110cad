"""The masked CRC32C of TFRecord and event files, by known remainders."""

import pytest

from ms_compat._core.crc32c import masked_crc

# RFC 3720, B.4.
KNOWN = {bytes(32): 0x8A9136AA, b"\xff" * 32: 0x62A8AB43, bytes(range(32)): 0x46DD794E, b"": 0}


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
@pytest.mark.parametrize("data", KNOWN)
def test_known_messages(data, kind):
    crc = (masked_crc(kind(data)) - 0xA282EAD8) & 0xFFFFFFFF
    assert ((crc << 15) | (crc >> 17)) & 0xFFFFFFFF == KNOWN[data]


def test_the_mask():
    assert masked_crc(bytes(8)) == 0x07980329
