"""`mindspore.train.checkpoint_pb2`: the messages of `_formats/checkpoint/schema.py`."""

from ms_compat._formats.checkpoint.schema import Checkpoint as Checkpoint
from ms_compat._formats.checkpoint.schema import TensorProto as TensorProto
from ms_compat._formats.checkpoint.schema import Value as Value
