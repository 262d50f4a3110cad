"""The messages of `.ckpt` files, by the names of MindSpore's generated module.

`load_checkpoint` reads files without them (`_formats/protobuf/wire.py`); they are for scripts that look into the file.
"""

from __future__ import annotations

from ms_compat._formats.protobuf.messages import INT64, RAW, TEXT, Field, Message


class TensorProto(Message):
    """Shape, element type and content of one parameter."""

    FIELDS = {
        1: Field("dims", INT64, "repeated"),
        2: Field("tensor_type", TEXT, "required"),
        3: Field("tensor_content", RAW, "required"),
    }


class Value(Message):
    """One parameter, by its name."""

    FIELDS = {1: Field("tag", TEXT, "required"), 2: Field("tensor", TensorProto)}


class Checkpoint(Message):
    """A file."""

    FIELDS = {1: Field("value", Value, "repeated")}
    Value = Value
