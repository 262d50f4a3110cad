"""Small files that are made to cost much: each with the reader that is given it.

A maker gets the path and writes a file of some 100 kB (`SIZE`), whose content repeats what is cheap to write and dear
to read: empty messages, packed zeros, ranges that overlap, places that refer to the same bytes.
"""

import gzip
import json
import re
import sqlite3
import struct
import zlib

import numpy as np

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat._core.crc32c import masked_crc
from ms_compat._formats.mindir.schema import ModelProto
from ms_compat._formats.protobuf import wire
from ms_compat.dataset import vision
from tests.conformance import dataset_archives as archives
from tests.conformance.dataset_tfrecord import tfrecord
from tests.fuzz import damage
from tests.fuzz.readers import mind, picture, rows

SIZE = 200_000


def message(field, content):
    return wire.varint(field << 3 | 2) + wire.varint(len(content)) + content


def slices(path):
    """A parameter in slices of one byte."""
    one = wire.header("w", "UInt8", (SIZE // 40,), 1) + b"x"
    path.write_bytes(one * (SIZE // len(one)))


def maps(path):
    path.write_bytes(message(1, message(1, b"w") + message(3, b"")) * (SIZE // 7))


def records(path):
    """Records with empty arrays."""
    many = [wire.header(f"{i:x}", "Int8", (0,), 0) for i in range(SIZE // 20)]
    path.write_bytes(b"".join(many))


def empty_messages(fields):
    """Empty messages of a field of a graph."""

    def make(path):
        content = message(fields[-1], b"") * (SIZE // 2)
        for field in fields[:-1][::-1]:
            content = message(field, content)
        path.write_bytes(message(1, b"1") + content)

    return make


def nested(path):
    content = b""
    while len(content) < SIZE // 1000:
        content = message(5, content)
    path.write_bytes(message(1, b"1") + content * 1000)


def shared_parameters(path):
    """Parameters that all refer to the same bytes of a file beside the graph."""
    size = SIZE // 2
    model = ModelProto(ir_version="0.1.0", mind_ir_version=1)
    model.graph.name = "g"
    for number in range(SIZE // 100):
        parameter = model.graph.parameter.add(name=f"p{number}", data_type=3, dims=[size])
        parameter.external_data.location = "data"
        parameter.external_data.offset, parameter.external_data.length = 1, size
    model.graph.output.add(name="p0")
    model.little_endian = True
    path.with_name("data").write_bytes(b"\1" + bytes(size))
    path.write_bytes(model.SerializeToString())


def bomb(pack, levels=1):
    def make(path):
        head = struct.pack("<Q", 60 << 20)
        data = head + struct.pack("<I", masked_crc(head)) + bytes((60 << 20) + 4)
        for _ in range(levels):
            data = pack(data)
        path.write_bytes(data)

    return make


def padded(path):
    """Texts of which one is long: a column of bytes has the width of the longest."""
    path.write_bytes(tfrecord([{"a": [b"x" * (SIZE // 2)] + [b""] * (SIZE // 4)}]))


def many_features(path):
    path.write_bytes(tfrecord([{f"{i:x}": [1] for i in range(SIZE // 18)}]))


def mindrecord_header(path, change):
    """A file with another header, and with pages of zeros."""
    made = mind(path.parent)
    data = made.read_bytes()
    header = json.loads(damage.split_header(data)[0].rstrip(b"\0"))
    change(header)
    text = json.dumps(header).encode()
    extra = len(text) + 8
    header["header_size"] = -(-extra // 1024) * 1024 + 1024
    text = json.dumps(header).encode()
    path.write_bytes((struct.pack("<Q", len(text)) + text).ljust(header["header_size"], b"\0") + bytes(1 << 16))


def overlapping_pages(path):
    """Pages that are the same bytes, each with many parts of no length."""

    def change(header):
        page = dict(next(page for page in header["page"] if page["page_type"] == "RAW_DATA"), page_size=1 << 15)
        header["page"] = [dict(page) for _ in range(SIZE // 200)] + [dict(page, page_type="BLOB_DATA")]

    mindrecord_header(path, change)
    path.with_name(path.name + ".db").unlink(missing_ok=True)


def overlapping_rows(path):
    """An index whose rows are all the whole file."""
    mind(path.parent)
    with sqlite3.connect(f"{path}.db") as index:
        index.execute("UPDATE INDEXES SET PAGE_OFFSET_RAW = 0, PAGE_OFFSET_RAW_END = 32768, PAGE_ID_RAW = 0")
        columns = [row[1] for row in index.execute("PRAGMA table_info(INDEXES)")]
        row = list(index.execute("SELECT * FROM INDEXES LIMIT 1").fetchone())
        at = columns.index("ROW_ID")
        many = [tuple(row[:at] + [number] + row[at + 1 :]) for number in range(10, 4000)]
        index.executemany(f"INSERT INTO INDEXES VALUES({','.join('?' * len(row))})", many)
    index.close()
    data = path.read_bytes()
    path.write_bytes(data)


def png(width, height):
    """An image that announces more pixels than it has."""

    def make(path):
        content = zlib.compress(bytes(1 + width * 3))
        out = b"\x89PNG\r\n\x1a\n"
        for kind, part in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", content)):
            out += struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part))
        path.write_bytes(out + struct.pack(">I", 0) + b"IEND" + struct.pack(">I", zlib.crc32(b"IEND")))

    return make


def long_chunk(path):
    """A PNG whose first chunk of pixels says that it has 4 GB."""
    png(6, 5)(path)
    data = path.read_bytes()
    at = data.index(b"IDAT")
    path.write_bytes(data[: at - 4] + b"\xff\0\0\0" + data[at:])


def announcing(format):
    """A picture of 5 x 6 pixels whose head announces 64 million."""

    def make(path):
        picture(format)(path.parent).rename(path)
        data = bytearray(path.read_bytes())
        if format == "BMP":
            data[18:26] = struct.pack("<ii", 8000, 8000)
        elif format == "JPEG":
            at = data.index(b"\xff\xc0") + 5
            data[at : at + 4] = struct.pack(">HH", 8000, 8000)
        else:  # TIFF: the entries of its width and height
            for tag in (256, 257):
                [at] = [m.start() for m in re.finditer(struct.pack("<H", tag) + b"[\3\4]\0\1\0\0\0", data)]
                data[at : at + 12] = struct.pack("<HHII", tag, 4, 1, 8000)
        path.write_bytes(data)

    return make


def mat(path):
    """MATLAB's file with packed zeros."""
    from scipy.io import savemat

    values = {"X": np.zeros((32, 32, 3, 15_000), np.uint8), "y": np.ones((15_000, 1), np.uint8)}
    savemat(path, values, do_compression=True)


def mnist(path):
    count = 40_000
    for part in ("train", "t10k"):
        images = struct.pack(">IIII", 2051, count, 28, 28) + bytes(count * 784)
        path.with_name(f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
        labels = struct.pack(">II", 2049, count) + bytes(count)
        path.with_name(f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))


def entities(path):
    """Entities of an XML text that hold each other."""
    path.parent.joinpath("VOC").mkdir()
    names = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    for place, data in archives.FILES["voc"]().items():
        target = path.parent / "VOC" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if place.endswith(".xml"):
            data = (
                f'<!DOCTYPE a [<!ENTITY e0 "{"x" * 100}">{names}]>'
                "<annotation><object><name>&e9;</name></object></annotation>"
            ).encode()
        target.write_bytes(data)


def voc(path):
    return rows(ds.VOCDataset(str(path.with_name("VOC")), "Detection", "train", shuffle=False))


def decode(path):
    return vision.Decode()(np.fromfile(path, np.uint8)).shape


def records_of(**options):
    return lambda path: rows(ds.TFRecordDataset(str(path), shuffle=False, **options))


# name: (file, maker, reader)
CASES = {
    "slices": ("a.ckpt", slices, lambda p: ms.load_checkpoint(str(p))),
    "maps": ("a.ckpt", maps, lambda p: ms.load_checkpoint(str(p))),
    "records": ("a.ckpt", records, lambda p: ms.load_checkpoint(str(p))),
    "nodes": ("a.mindir", empty_messages([7, 1]), lambda p: ms.load(str(p))),
    "functions": ("a.mindir", empty_messages([8]), lambda p: ms.load(str(p))),
    "attributes": ("a.mindir", empty_messages([7, 1, 5]), lambda p: ms.load(str(p))),
    "nested": ("a.mindir", nested, lambda p: ms.load(str(p))),
    "load_mindir": ("a.mindir", empty_messages([7, 1]), lambda p: ms.load_mindir(str(p))),
    "parameters": ("a.mindir", shared_parameters, lambda p: ms.load(str(p))),
    "ZLIB": ("a.tfrecord", bomb(zlib.compress), records_of(compression_type="ZLIB")),
    "GZIP": ("a.tfrecord", bomb(gzip.compress), records_of(compression_type="GZIP")),
    "padded": ("a.tfrecord", padded, records_of()),
    "features": ("a.tfrecord", many_features, records_of()),
    "pages": ("a.mindrecord", overlapping_pages, lambda p: rows(ds.MindDataset(str(p), shuffle=False))),
    "rows": ("a.mindrecord", overlapping_rows, lambda p: rows(ds.MindDataset(str(p), shuffle=False))),
    "huge image": ("a.png", png(20000, 9000), decode),
    "empty image": ("a.png", png(12000, 12000), decode),
    "long chunk": ("a.png", long_chunk, decode),
    **{f"large {format}": (f"b.{format}", announcing(format), decode) for format in ("BMP", "JPEG", "TIFF")},
    "MATLAB": ("train_32x32.mat", mat, lambda p: ds.SVHNDataset(str(p.parent), "train")._load()),
    "MnistToMR": ("x", mnist, lambda p: mindrecord.MnistToMR(str(p.parent), f"{p}.out").transform()),
    "entities": ("x", entities, voc),
}
