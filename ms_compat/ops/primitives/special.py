"""Primitives of special functions, windows, spectra, matrices in parts, packing, and searching."""

from __future__ import annotations

from ms_compat._core.dtype import float32, int32
from ms_compat._core.faces import table_faces
from ms_compat.ops.function.detection import boxes, nms
from ms_compat.ops.function.elementwise import bessel
from ms_compat.ops.function.image import resampling
from ms_compat.ops.function.linalg import decompositions
from ms_compat.ops.function.shape import packing, space_to_batch
from ms_compat.ops.function.spectral import primitives, window
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives

_ALIGN = {"align": "RIGHT_LEFT"}
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
    "Betainc": Row(packing.betainc, ("a", "b", "x")),
    "BartlettWindow": Row(_bartlett, ("window_length",), _WINDOW),
    "BlackmanWindow": Row(_blackman, ("window_length",), _WINDOW),
    "HammingWindow": Row(
        _hamming, ("length",), {"periodic": True, "alpha": 0.54, "beta": 0.46, "dtype": float32}
    ),
    "FFTWithSize": Row(
        primitives.fft_with_size,
        ("x",),
        {"signal_ndim": REQUIRED, "inverse": REQUIRED, "real": REQUIRED, "norm": "backward", "onesided": True,
         "signal_sizes": ()},
    ),
    "STFT": Row(
        primitives.stft_frames,
        ("x", "window"),
        {key: REQUIRED for key in ("n_fft", "hop_length", "win_length", "normalized", "onesided", "return_complex")},
    ),
    "MatrixDiagV3": Row(decompositions.matrix_diag, ("x", "k", "num_rows", "num_cols", "padding_value"), _ALIGN),
    "MatrixDiagPartV3": Row(decompositions.matrix_diag_part, ("x", "k", "padding_value"), _ALIGN),
    "MatrixSetDiagV3": Row(decompositions.matrix_set_diag, ("x", "diagonal", "k"), _ALIGN),
    "LuSolve": Row(decompositions.lu_solve, ("x", "lu_data", "lu_pivots")),
    "LuUnpack": Row(
        # MindSpore's kernel always returns all three
        lambda lu, pivots, data, which: decompositions.lu_unpack(lu, pivots),
        ("LU_data", "LU_pivots"), {"unpack_data": True, "unpack_pivots": True}
    ),
    "Lstsq": Row(_lstsq, ("x", "a"), {"fast": True, "l2_regularizer": 0.0}),
    "Orgqr": Row(decompositions.orgqr, ("x", "tau")),
    "Geqrf": Row(decompositions.geqrf, ("x",)),
    "Pdist": Row(decompositions.pdist, ("x",), {"p": 2.0}),
    "ConjugateTranspose": Row(packing.conjugate_transpose, ("x", "perm")),
    "CumulativeLogsumexp": Row(
        packing.cumulative_logsumexp, ("x", "axis"), {"exclusive": False, "reverse": False}
    ),
    "LogSpace": Row(packing.log_space, ("start", "end"), {"steps": 10, "base": 10, "dtype": float32}),
    "LowerBound": Row(lambda x, v, out_type: packing.sorted_bound(x, v, out_type, False), ("sorted_x", "values"),
                      _BOUND),
    "UpperBound": Row(lambda x, v, out_type: packing.sorted_bound(x, v, out_type, True), ("sorted_x", "values"),
                      _BOUND),
    "DepthToSpace": Row(packing.depth_to_space, ("x",), {"block_size": REQUIRED}),
    "SpaceToDepth": Row(packing.space_to_depth, ("x",), {"block_size": REQUIRED}),
    "Padding": Row(space_to_batch.padding, ("x",), {"pad_dim_size": 8}),
    "ReverseSequence": Row(
        lambda x, lengths, seq_dim, batch_dim: space_to_batch.reverse_sequence(x, lengths, seq_dim, batch_dim),
        ("x", "seq_lengths"),
        {"seq_dim": REQUIRED, "batch_dim": 0},
    ),
    "CompareAndBitpack": Row(packing.compare_and_bitpack, ("x", "threshold")),
    "DataFormatVecPermute": Row(
        packing.data_format_vec_permute, ("input_x",), {"src_format": "NHWC", "dst_format": "NCHW"}
    ),
    "InvertPermutation": Row(packing.invert_permutation, ("input_x",)),
    "EqualCount": Row(packing.equal_count, ("x", "y")),
    "ListDiff": Row(packing.list_diff, ("x", "y"), {"out_idx": int32}),
    "SubAndFilter": Row(packing.sub_and_filter, ("input_x", "max_num", "offset")),
    "IndexPut": Row(packing.index_put, ("x1", "x2", "indices"), {"accumulate": 0}),
    "InplaceIndexAdd": Row(space_to_batch.inplace_index_add, ("var", "indices", "updates"), {"axis": REQUIRED}),
    "ScatterAddWithAxis": Row(packing.scatter_add_with_axis, ("input_x", "indices", "updates"), {"axis": 0}),
    "NoRepeatNGram": Row(packing.no_repeat_ngram, ("state_seq", "log_probs"), {"ngram_size": 1}),
    "IOU": Row(boxes.iou, ("anchor_boxes", "gt_boxes"), {"mode": "iou"}, check=boxes.check_mode),
    "CheckValid": Row(boxes.check_valid, ("bboxes", "img_metas")),
    "BoundingBoxEncode": Row(
        boxes.bounding_box_encode, ("anchor_box", "groundtruth_box"), {"means": (0.0,) * 4, "stds": (1.0,) * 4}
    ),
    "BoundingBoxDecode": Row(
        boxes.bounding_box_decode,
        ("anchor_box", "deltas"),
        {"max_shape": REQUIRED, "means": (0.0,) * 4, "stds": (1.0,) * 4, "wh_ratio_clip": 0.016},
    ),
    "NMSWithMask": Row(nms.nms_with_mask, ("bboxes",), {"iou_threshold": 0.5}),
    "HSVToRGB": Row(resampling.hsv_to_rgb, ("x",)),
    "RGBToHSV": Row(resampling.rgb_to_hsv, ("images",)),
    "AdjustHue": Row(resampling.adjust_hue, ("images", "delta")),
    "AdjustSaturation": Row(resampling.adjust_saturation, ("images", "scale")),
    "ResizeArea": Row(resampling.resize_area, ("images", "size"), {"align_corners": False}),
    "ResizeLinear1D": Row(
        resampling.resize_linear_1d, ("x", "size"), {"coordinate_transformation_mode": "align_corners"}
    ),
    "ScaleAndTranslate": Row(
        resampling.scale_and_translate,
        ("images", "size", "scale", "translation"),
        {"kernel_type": "lanczos3", "antialias": True},
    ),
    "UpsampleNearest3D": Row(resampling.upsample_nearest_3d, ("x", ("output_size", None), ("scales", None))),
    "UpsampleTrilinear3D": Row(
        resampling.upsample_trilinear_3d, ("x", ("output_size", None), ("scales", None)), {"align_corners": False}
    ),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
