"""`mindspore.ops.signature`: descriptions of a primitive's inputs, as user primitives declare them.

`__mindspore_signature__ = (sig.make_sig("x", sig.sig_rw.RW_WRITE), ...)` tells MindSpore's compiler which inputs are
written and which share a type. Here a call passes its arguments on unchanged; the description is only stored.
"""

from __future__ import annotations

import enum
from typing import Any, NamedTuple


class sig_rw(enum.Enum):  # MindSpore's name
    """Whether an input is read, written, or passed on."""

    RW_READ = 0
    RW_WRITE = 1
    RW_REF = 2
    RW_EMPTY_DEFAULT_VALUE = 3


class sig_kind(enum.Enum):
    """How an input may be passed."""

    KIND_POSITIONAL_KEYWORD = 0
    KIND_VAR_POSITIONAL = 1
    KIND_KEYWORD_ONLY = 2
    KIND_VAR_KEYWARD = 3
    KIND_EMPTY_DEFAULT_VALUE = 4


sig_dtype = enum.Enum("sig_dtype", "T T1 T2 T3 T4 T5 T6 T7 T8 T9 T_EMPTY_DEFAULT_VALUE", start=0)


class Signature(NamedTuple):
    """One input of a primitive."""

    name: str
    rw: sig_rw
    kind: sig_kind
    default: Any
    dtype: Any


def make_sig(
    name: str = "var",
    rw: sig_rw = sig_rw.RW_READ,
    kind: sig_kind = sig_kind.KIND_POSITIONAL_KEYWORD,
    default: Any = sig_kind.KIND_EMPTY_DEFAULT_VALUE,
    dtype: Any = sig_dtype["T_EMPTY_DEFAULT_VALUE"],
) -> Signature:
    """Describe one input.

    Args:
        name (str): its name.
        rw (sig_rw): whether it is read or written.
        kind (sig_kind): how it may be passed.
        default: its default value.
        dtype (sig_dtype): inputs of the same letter share a type.

    >>> from ms_compat.ops import signature as sig
    >>> sig.make_sig("x", sig.sig_rw.RW_WRITE).rw.name
    'RW_WRITE'
    """
    return Signature(name, rw, kind, default, dtype)
