"""Reads files of summaries."""

import struct

from google.protobuf import empty_pb2, unknown_fields

from ms_compat.dataset.sources import tfrecord


def fields(data):
    """The fields of a message: number to a list of values; those of four and eight bytes as bytes."""
    found = {}
    for field in unknown_fields.UnknownFieldSet(empty_pb2.Empty.FromString(data)):
        fixed = {1: "<Q", 5: "<I"}.get(field.wire_type)
        found.setdefault(field.field_number, []).append(struct.pack(fixed, field.data) if fixed else field.data)
    return found


def number(value):
    return struct.unpack("<f", value[2][0])[0]


def events(folder):
    """(step, {tag: fields of its value}) of each event of the only file, whose records are checked by their CRC."""
    (path,) = [path for path in folder.iterdir() if path.is_file()]
    records = list(tfrecord.TFRecordDataset([str(path)], shuffle=False)._records(str(path)))
    first = fields(records[0])
    assert first[3] == [b"brain.Event:2"] and len(first[1]) == 1
    made = []
    for record in records[1:]:
        held = fields(record)
        values = [fields(value) for value in fields(held[5][0])[1]]
        made.append((held[2][0], {value[1][0].decode(): value for value in values}))
    return made
