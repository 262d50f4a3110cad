"""`mindspore.nn.probability`: distributions and bijectors as Cells."""

from __future__ import annotations

from ms_compat._names.resolve import unsupported_getattr

__getattr__ = unsupported_getattr(__name__)
