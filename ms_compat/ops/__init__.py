"""`mindspore.ops`: functions and primitives, found by what the files that write them declare (`_core/faces.py`)."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat.ops import function

del function  # the path means MindSpore's module, which is laid out otherwise: `_names/placeholder.py`


def _make(name: str, face: _faces.Face) -> object:
    value = _faces.load(face)
    if face.kind != "primitive":
        return value
    from ms_compat.ops.primitive import declared_primitive

    return declared_primitive(name)


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__), _make)
