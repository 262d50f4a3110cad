"""The masked CRC32C of TFRecord and event files, by google-crc32c, which uses the processor's own instruction."""


def masked_crc(data: bytes) -> int:
    """The CRC32C as TFRecord files hold it: turned by 15 bits, plus a constant.

    >>> hex(masked_crc(bytes(8)))
    '0x7980329'
    """
    from google_crc32c import value  # here, because files are seldom read and this module is always imported

    crc = value(bytes(data))
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF
