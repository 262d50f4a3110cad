"""Damage to files, random but seeded: of their bytes, or of what their checksums cover, with the checksums repaired.

A reader that compares a checksum never sees most of what random damage does behind it. So a file can be taken apart
into the pieces that its format has (`PARTS`), some are damaged, and the file is put together again with the checksums
and lengths that the new pieces have.
"""

import copy
import gzip
import io
import json
import math
import re
import struct
import tempfile
import zipfile
import zlib

from ms_compat._core.crc32c import masked_crc
from ms_compat._formats import crypto
from ms_compat._formats.checkpoint.codec import CRC_BYTES, CRC_MARK

WORDS = [
    b"NaN", b"Infinity", b"-1", b"1e999", b"[" * 3000, b"9" * 5000, b'"', b"\xff\xfe", b"\x00", b"{}", b"null",
    b"4294967295", b"9223372036854775807", b"1099511627776", b"0", b"[]", b"../x",
]  # fmt: skip
NUMBERS = [
    0,
    1,
    127,
    128,
    255,
    1 << 15,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    (1 << 63) - 1,
    1 << 63,
]
KEY = b"0123456789abcdef"


def damaged(data, chance):
    """The bytes with one to three kinds of damage."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at, count = chance.randrange(len(data) + 1), chance.choice([1, 1, 2, 8, 40])
        kind = chance.randrange(10)
        if kind == 0:
            data[at : at + count] = chance.randbytes(len(data[at : at + count]))
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at : at + count]
        elif kind == 3:
            data[at:at] = data[at : at + count]
        elif kind == 4:
            data[at : at + chance.choice([0, 1])] = chance.choice(WORDS)
        elif kind == 5:
            width = chance.choice([2, 4, 8])
            number = chance.choice(NUMBERS) & (1 << 8 * width) - 1
            data[at : at + width] = number.to_bytes(width, chance.choice(["little", "big"]))
        elif kind == 6:
            data[at : at + 1] = varint(chance.choice(NUMBERS))
        elif kind == 7 and (found := list(re.finditer(rb"\d+", data))):
            number = chance.choice(found)
            data[number.start() : number.end()] = chance.choice(WORDS)
        elif kind == 8:
            other = chance.randrange(len(data) + 1)
            data[at : at + count] = data[other : other + count]
        elif data:
            data[at % len(data)] = chance.choice([0, 1, 127, 128, 255])
    return bytes(data)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


# A format's pieces: `split` gives them as a list of bytes, `join` makes the file of them.


def split_zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        return [held.read(name) for name in held.namelist()]


def join_zip(data, pieces, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        names = held.namelist()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, piece in zip(names, pieces, strict=True):
            made.writestr(name, piece)
    return out.getvalue()


def split_directory(data):
    """What `zipfile` believes: the directory alone."""
    at = data.index(b"PK\1\2")
    return [data[at:]]


def join_directory(data, pieces):
    return data[: data.index(b"PK\1\2")] + pieces[0]


def split_records(data):
    pieces, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 8], "little")
        pieces.append(data[at + 12 : at + 12 + size])
        at += 16 + size
    return pieces


def join_records(data, pieces):
    out = b""
    for piece in pieces:
        head = struct.pack("<Q", len(piece))
        out += head + struct.pack("<I", masked_crc(head)) + piece + struct.pack("<I", masked_crc(piece))
    return out


def split_lengths(data):
    """The heads of the records: their checksums are repaired, and the lengths are wrong."""
    return [data[:8]]


def join_lengths(data, pieces):
    head = pieces[0][:8].ljust(8, b"\0")
    return head + struct.pack("<I", masked_crc(head)) + data[12:]


def split_header(data):
    """A length of eight bytes and a JSON text of that length: safetensors, MindRecord."""
    size = int.from_bytes(data[:8], "little")
    return [data[8 : 8 + size], data[8 + size :]]


def join_safetensors(data, pieces):
    header, body = pieces
    try:
        found = json.loads(header)
        crc = 0
        for name in sorted(name for name in found if name != "__metadata__"):
            start, stop = found[name]["data_offsets"]
            crc = zlib.crc32(body[start:stop], zlib.crc32(name.encode(), crc))
        header = re.sub(rb'"crc_num":"\d+"', b'"crc_num":"%d"' % crc, header)
    except (ValueError, KeyError, TypeError, AttributeError, UnicodeEncodeError, RecursionError):
        pass  # nothing that a checksum could be made of
    return struct.pack("<Q", len(header)) + header + body


def join_mindrecord(data, pieces):
    """The header stays as long as it was, with blanks at its end, so that the pages stay where they are."""
    header, body = pieces
    size = int.from_bytes(data[:8], "little")
    return struct.pack("<Q", min(len(header), size)) + header[:size].ljust(size) + body


def split_crc(data):
    return [data[:-CRC_BYTES]]


def join_crc(data, pieces):
    return pieces[0] + CRC_MARK + zlib.crc32(pieces[0]).to_bytes(10, "big")


def split_encrypted(data):
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        return [crypto.decrypt_file(file, "AES-GCM", KEY, "AES-GCM", api="fuzz", path="").getvalue()]


def join_encrypted(data, pieces):
    out = io.BytesIO()
    with crypto.Encryptor(out, KEY, "AES-GCM") as sink:
        sink.write(pieces[0])
    return out.getvalue()


def split_png(data):
    pieces, at = [], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        pieces.append(kind + (zlib.decompress(content) if kind == b"IDAT" else content))
        at += 12 + size
    return pieces


def join_png(data, pieces):
    out = data[:8]
    for piece in pieces:
        kind, content = piece[:4], piece[4:]
        content = zlib.compress(content) if kind == b"IDAT" else content
        out += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    return out


def packed(pack, unpack):
    return lambda data: [unpack(data)], lambda data, pieces: pack(pieces[0])


def split_pickle(data):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        return [next(held.read(name) for name in held.namelist() if name.endswith("data.pkl"))]


def join_pickle(data, pieces):
    parts = split_zip(data)
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        parts[next(i for i, name in enumerate(held.namelist()) if name.endswith("data.pkl"))] = pieces[0]
    return join_zip(data, parts)


def split_state(data):
    """The JSON text in a checkpoint of which a training goes on."""
    at = data.index(b'{"version"')
    return [data[at : at + json.JSONDecoder().raw_decode(data[at:].decode("latin1"))[1]]]


def join_state(data, pieces):
    """The text keeps its length, since lengths are in the bytes before it."""
    (old,) = split_state(data)
    body = data.replace(old, pieces[0][: len(old)].ljust(len(old)))
    return join_crc(body, [body[:-CRC_BYTES]]) if body[-CRC_BYTES:].startswith(CRC_MARK) else body


ODD = [
    None, True, 0, -1, 3, 1.5, 1e300, 1 << 31, 1 << 63, 10**40, "", "a", "\0", "é", "../x", "float32", [], {}, [[]],
    [3], {"a": 1}, [None], "9" * 5000, math.nan, math.inf,
]  # fmt: skip


def odd_json(data, chance):
    """JSON, or lines of JSON, in which a value is of another kind, or a key is missing or new."""
    lines = data.rstrip(b"\0 ").split(b"\n")
    at = chance.randrange(len(lines)) if all(line[:1] == b"{" or not line for line in lines) else None
    try:
        held = json.loads(data.rstrip(b"\0 ") if at is None else lines[at])
    except ValueError:
        return damaged(data, chance)
    for _ in range(chance.choice([1, 1, 2])):
        places = []
        _places(held, places)
        if not places:
            break
        container, key = chance.choice(places)
        kind = chance.randrange(6)
        if kind == 0:
            del container[key]
        elif kind == 1 and isinstance(container, dict):
            container["new"] = container[key]
        elif kind == 2:
            container[key] = [container[key]]
        elif kind == 3:
            other, where = chance.choice(places)
            container[key] = json.loads(json.dumps(other[where]))
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    text = json.dumps(held).encode()
    return text if at is None else b"\n".join([*lines[:at], text, *lines[at + 1 :]])


def _places(held, places):
    items = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for key, value in items:
        places.append((held, key))
        _places(value, places)


def opcodes(data, chance):
    """Put opcodes between others, up to some thousand times: containers that hold each other, and calls."""
    known = [
        b"}", b"]", b")", b"(", b"N", b"K\x01", b"J\xff\xff\xff\x7f", b"\x8a\x06\0\0\0\0\0\x01", b"t", b"a",
        b"e", b"s", b"u", b"R", b"b", b"Q", b"\x81", b"\x85", b"\x86", b"\x87", b"\x94", b"0",
        b"ccollections\nOrderedDict\n", b"ctorch._utils\n_rebuild_tensor_v2\n", b"X\x01\0\0\0w",
        *[kind + bytes([i]) for i in range(4) for kind in (b"q", b"h")],
    ]  # fmt: skip
    at, count = chance.randrange(len(data)), chance.choice([1, 3, 10])
    loop = b"".join(chance.choice(known) for _ in range(count))
    return data[:at] + loop * chance.choice([1, 2, 100, 2000]) + data[at + chance.choice([0, count]) :]


ZIP, ZIP_DIRECTORY = (split_zip, join_zip), (split_directory, join_directory)
ZIP_PACKED = (split_zip, lambda data, pieces: join_zip(data, pieces, zipfile.ZIP_DEFLATED))
GZIP, ZLIB = packed(gzip.compress, gzip.decompress), packed(zlib.compress, zlib.decompress)
RECORDS, LENGTHS = (split_records, join_records), (split_lengths, join_lengths)
SAFETENSORS, MINDRECORD = (split_header, join_safetensors), (split_header, join_mindrecord)
SAFETENSORS_JSON, MINDRECORD_JSON = (*SAFETENSORS, odd_json), (*MINDRECORD, odd_json)
STATE, STATE_JSON = (split_state, join_state), (split_state, join_state, odd_json)
JSON = (lambda data: [data], lambda data, pieces: pieces[0], odd_json)
PICKLE = (split_pickle, join_pickle, opcodes)
CKPT_CRC, ENCRYPTED, PNG = (split_crc, join_crc), (split_encrypted, join_encrypted), (split_png, join_png)


def within(outer, inner):
    """The pieces of a file that is packed in another."""
    split, join = outer[:2]

    def inner_split(data):
        (plain,) = split(data)
        return inner[0](plain)

    return inner_split, lambda data, pieces: join(data, [inner[1](split(data)[0], pieces)]), *inner[2:]


def variant(whole, parts, chance):
    """A damaged file: of its bytes, or of one of its pieces with everything around them repaired.

    Args:
        whole: the sound file.
        parts: tuples of `split` and `join`, and of what damages a piece if that is not `damaged`.
        chance: the source of randomness.
    """
    choice = chance.randrange(len(parts) + 1) if parts else 0
    if choice == 0:
        return damaged(whole, chance)
    split, join, *own = parts[choice - 1]
    damage = own[0] if own else damaged
    pieces = split(whole)
    for _ in range(chance.choice([1, 1, 2])):
        at = chance.randrange(len(pieces))
        pieces[at] = damage(pieces[at], chance)
    return join(whole, pieces)
