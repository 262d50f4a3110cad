"""`mindspore.scipy`: linear algebra, cosine transforms and optimization with SciPy's names."""

from __future__ import annotations

from ms_compat._names.resolve import unsupported_getattr

__getattr__ = unsupported_getattr(__name__)
