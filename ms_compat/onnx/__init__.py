"""`mindspore.onnx`: ONNX files of Cells."""

from ms_compat._formats.onnx.export import export as export
from ms_compat._names.resolve import unsupported_getattr

__all__ = ["export"]

__getattr__ = unsupported_getattr(__name__)
