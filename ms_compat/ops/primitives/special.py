"""Primitives of special functions, windows, spectra, matrices in parts, packing, and searching."""

from __future__ import annotations

from ms_compat._core.dtype import float32, int32
from ms_compat._core.faces import table_faces
from ms_compat.ops.function.detection import boxes
from ms_compat.ops.function.elementwise import bessel
from ms_compat.ops.function.linalg import decompositions
from ms_compat.ops.function.shape import packing
from ms_compat.ops.function.spectral import window
from ms_compat.ops.primitive import Row, make_primitives

_WINDOW = {"periodic": True, "dtype": float32}
_BOUND = {"out_type": int32}


def _bartlett(window_length, periodic, dtype):
    return window.bartlett_window(window_length, periodic, dtype=dtype)


def _blackman(window_length, periodic, dtype):
    return window.blackman_window(window_length, periodic, dtype=dtype)


def _hamming(length, periodic, alpha, beta, dtype):
    return window.hamming_window(int(length), periodic, alpha, beta, dtype=dtype)


def _lstsq(x, a, fast, l2_regularizer):
    if fast is not True or l2_regularizer != 0.0:
        raise TypeError("For 'Lstsq', the 'fast' must be True and the 'l2_regularizer' 0.0.")
    return decompositions.lstsq(x, a)


_TABLE = {
    **{
        f"Bessel{kind}": Row(getattr(bessel, f"bessel_{kind.lower()}"), ("x",))
        for kind in ("J0", "J1", "Y0", "Y1", "K0", "K0e", "K1", "K1e")
    },
    "BartlettWindow": Row(_bartlett, ("window_length",), _WINDOW),
    "BlackmanWindow": Row(_blackman, ("window_length",), _WINDOW),
    "HammingWindow": Row(
        _hamming, ("length",), {"periodic": True, "alpha": 0.54, "beta": 0.46, "dtype": float32}
    ),
    "LuUnpack": Row(
        # MindSpore's kernel always returns all three
        lambda lu, pivots, data, which: decompositions.lu_unpack(lu, pivots),
        ("LU_data", "LU_pivots"), {"unpack_data": True, "unpack_pivots": True}
    ),
    "Lstsq": Row(_lstsq, ("x", "a"), {"fast": True, "l2_regularizer": 0.0}),
    "LogSpace": Row(packing.log_space, ("start", "end"), {"steps": 10, "base": 10, "dtype": float32}),
    "LowerBound": Row(lambda x, v, out_type: packing.sorted_bound(x, v, out_type, False), ("sorted_x", "values"),
                      _BOUND),
    "UpperBound": Row(lambda x, v, out_type: packing.sorted_bound(x, v, out_type, True), ("sorted_x", "values"),
                      _BOUND),
    "ListDiff": Row(packing.list_diff, ("x", "y"), {"out_idx": int32}),
    "IOU": Row(boxes.iou, ("anchor_boxes", "gt_boxes"), {"mode": "iou"}, check=boxes.check_mode),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
