"""Primitives of sparse tensors and of segments."""

from __future__ import annotations

from ms_compat._core.faces import table_faces
from ms_compat.ops.function.reduction import segment
from ms_compat.ops.primitive import Row, make_primitives

_SEGMENT = ("input_x", "segment_ids")

_TABLE = {
    "SegmentMax": Row(segment.segment_max, _SEGMENT),
    "SegmentMean": Row(segment.segment_mean, _SEGMENT),
    "SegmentMin": Row(segment.segment_min, _SEGMENT),
    "SegmentProd": Row(segment.segment_prod, _SEGMENT),
    "SegmentSum": Row(segment.segment_sum, _SEGMENT),
}

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
