"""Writes TFRecord files of `tf.train.Example` messages, for the recorder and the tests."""

import struct

_TABLE = []
for _n in range(256):
    for _ in range(8):
        _n = (_n >> 1) ^ 0x82F63B78 if _n & 1 else _n >> 1
    _TABLE.append(_n)


def _masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def _varint(number):
    number &= 2**64 - 1
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def _field(number, body):
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _feature(values):
    if isinstance(values[0], bytes):
        return _field(1, b"".join(_field(1, value) for value in values))
    if isinstance(values[0], float):
        return _field(2, _field(1, struct.pack(f"<{len(values)}f", *values)))
    return _field(3, _field(1, b"".join(_varint(value) for value in values)))


def tfrecord(rows):
    """The bytes of a file; a row is a dict, name to a list of bytes, floats or ints."""
    out = b""
    for row in rows:
        entries = [_field(1, _field(1, name.encode()) + _field(2, _feature(values))) for name, values in row.items()]
        data = _field(1, b"".join(entries))
        size = struct.pack("<Q", len(data))
        out += size + _masked_crc(size) + data + _masked_crc(data)
    return out
