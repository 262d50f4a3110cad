"""Primitives for recurrent networks, the CTC and other losses, boxes and regions, and image patches.

`_CHECKS` holds MindSpore's checks in such a primitive's constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._core.checks import check_choice, check_rank, check_shape, check_tensors
from ms_compat._core.errors import (
    check_bool,
    check_number,
    check_type,
    type_error,
    unsupported_argument,
    value_error,
)
from ms_compat._core.faces import table_faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.detection import boxes, distorted_bounding_box, roi
from ms_compat.ops.function.image import extract_patches
from ms_compat.ops.function.loss import ctc, ctc_decode, margins
from ms_compat.ops.function.nn import conv, deformable
from ms_compat.ops.function.nn.checks import integer, sizes
from ms_compat.ops.function.pooling import fractional_lists
from ms_compat.ops.function.random.draws import draw
from ms_compat.ops.function.rnn import fused
from ms_compat.ops.function.shape import space_to_batch
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _ints(api: str, name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """One int per axis from an int, or a tuple or list of one or `count` ints."""
    check_type(api, name, value, (int, tuple, list))
    if isinstance(value, (tuple, list)) and len(value) == 1:
        value = value[0]
    return sizes(api, name, tuple(value) if isinstance(value, list) else value, count, least, keep=True)


def _floats(api: str, **values: Any) -> None:
    for name, value in values.items():
        check_type(api, name, value, float)


# -- recurrent networks ----------------------------------------------------------------------------------------------
_WAY_OUT = "Use nn.LSTM or nn.GRU, which differentiate and take lengths."


def _dynamic_rnn(x, w, b, seq_length, init_h, init_c, *settings):
    fused.no_lengths("DynamicRNN", seq_length)
    return fused.dynamic_rnn(x, w, b, init_h, init_c, settings[9], settings[5])


def _check_dynamic_rnn(
    cell_type, direction, cell_depth, use_peephole, keep_prob, cell_clip, num_proj, time_major, activation, forget_bias,
    is_training,
):  # fmt: skip
    api = "DynamicRNN"
    check_choice(api, "cell_type", cell_type, ("LSTM",))
    _check_dynamic(api, direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation, is_training)
    check_bool(api, "use_peephole", use_peephole)
    _floats(api, forget_bias=forget_bias)
    fused.only(api, _WAY_OUT, use_peephole=(use_peephole, False))


def _check_dynamic(api, direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation, is_training):
    integer(api, "cell_depth", cell_depth), integer(api, "num_proj", num_proj)
    _floats(api, keep_prob=keep_prob, cell_clip=cell_clip)
    check_bool(api, "time_major", time_major), check_bool(api, "is_training", is_training)
    if not time_major:
        raise value_error(api, "time_major", "True", time_major)
    check_choice(api, "direction", direction, ("UNIDIRECTIONAL",))
    check_choice(api, "activation", activation, ("tanh",))
    fused.only(
        api, _WAY_OUT, cell_depth=(cell_depth, 1), num_proj=(num_proj, 0), keep_prob=(keep_prob, 1.0)
    )  # fmt: skip


def _dynamic_gru(x, weight_input, weight_hidden, bias_input, bias_hidden, seq_length, init_h, *settings):
    fused.no_lengths("DynamicGRUV2", seq_length)
    weights = (weight_input, weight_hidden, bias_input, bias_hidden)
    return fused.dynamic_gru(x, *weights, init_h, settings[7], settings[8])


def _check_dynamic_gru(
    direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation, gate_order, reset_after, is_training
):
    api = "DynamicGRUV2"
    _check_dynamic(api, direction, cell_depth, keep_prob, cell_clip, num_proj, time_major, activation, is_training)
    check_choice(api, "gate_order", gate_order, ("zrh", "rzh")), check_bool(api, "reset_after", reset_after)
    if cell_clip > 0:
        fused.only(api, _WAY_OUT, cell_clip=(cell_clip, -1.0))


def _check_lstm(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size):
    api = "LSTM"
    for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
        integer(api, name, value, 1)
    check_bool(api, "has_bias", has_bias), check_bool(api, "bidirectional", bidirectional)
    _floats(api, dropout=dropout)
    if not 0 <= dropout <= 1:
        raise value_error(api, "dropout", "in range of [0, 1]", dropout)
    if not 0 <= integer(api, "proj_size", proj_size) < hidden_size:
        raise value_error(api, "proj_size", f"in range of [0, {hidden_size})", proj_size)


def _basic_lstm(x, h, c, w, b, keep_prob, forget_bias, state_is_tuple, activation):
    return fused.basic_lstm_cell(x, h, c, w, b, forget_bias)


def _check_basic_lstm(keep_prob, forget_bias, state_is_tuple, activation):
    api = "BasicLSTMCell"
    _floats(api, keep_prob=keep_prob, forget_bias=forget_bias)
    check_bool(api, "state_is_tuple", state_is_tuple), check_choice(api, "activation", activation, ("tanh",))
    if not 0 <= keep_prob <= 1:
        raise value_error(api, "keep_prob", "in range of [0, 1]", keep_prob)
    fused.only(api, "Apply nn.Dropout.", keep_prob=(keep_prob, 1.0), state_is_tuple=(state_is_tuple, True))


# -- losses ----------------------------------------------------------------------------------------------------------
_REDUCTIONS = ("none", "sum", "mean")


def _ctc(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity):
    lengths = (input_lengths, target_lengths)
    return ctc.ctc_loss(log_probs, targets, *lengths, blank, reduction, zero_infinity, "CTCLossV2")


def _check_ctc(blank, reduction, zero_infinity):
    integer("CTCLossV2", "blank", blank), check_choice("CTCLossV2", "reduction", reduction, ("none",))
    check_bool("CTCLossV2", "zero_infinity", zero_infinity)


def _greedy(inputs, sequence_length, merge_repeated):
    check_type("CTCGreedyDecoder", "inputs", inputs, Tensor)
    check_type("CTCGreedyDecoder", "sequence_length", sequence_length, Tensor)
    if inputs.dtype._label not in ("Float32", "Float64"):
        raise TypeError(f"For 'CTCGreedyDecoder', 'inputs' must be Float32 or Float64, but got {inputs.dtype}.")
    return ctc_decode.ctc_greedy_decoder(inputs, sequence_length, merge_repeated)


def _multi_margin(inputs, target, weight, p, margin, reduction):
    return margins.margin_of_classes(inputs, target, weight, p, float(margin), reduction)


def _check_multi_margin(p, margin, reduction):
    if integer("MultiMarginLoss", "p", p) not in (1, 2):
        raise value_error("MultiMarginLoss", "p", "in {1, 2}", p)
    check_number("MultiMarginLoss", "margin", margin)
    check_choice("MultiMarginLoss", "reduction", reduction, _REDUCTIONS)


def _multilabel(x, target, reduction):
    return margins.multilabel_margin_loss(x, target, reduction), margins.true_labels(x, target)


def _triplet(x, positive, negative, margin, p, swap, eps, reduction):
    return margins.triplet_margin(x, positive, negative, margin, p, eps, swap, reduction)


def _check_triplet(p, swap, eps, reduction):
    integer("TripletMarginLoss", "p", p), check_bool("TripletMarginLoss", "swap", swap)
    _floats("TripletMarginLoss", eps=eps)
    check_choice("TripletMarginLoss", "reduction", reduction, _REDUCTIONS)


# -- patches and blocks ----------------------------------------------------------------------------------------------
def _pair(api: str, name: str, value: Any) -> tuple[int, int]:
    """Two ints from an int, a pair, or four ints whose middle or last two are meant."""
    if isinstance(value, (tuple, list)) and len(value) == 4:
        value = value[2:] if tuple(value[:2]) == (1, 1) else value[1:3]
    if isinstance(value, bool) or not isinstance(value, (int, tuple, list)):
        raise type_error(api, name, "int or tuple of ints", value)
    if isinstance(value, int):
        value = (value, value)
    if len(value) != 2 or any(isinstance(v, bool) or not isinstance(v, int) or v < 1 for v in value):
        raise value_error(api, name, "a positive int or a tuple of two or four", value)
    return tuple(value)


def _dilation(x, filter, stride, dilation, pad_mode, data_format):
    spread = _pair("Dilation2D", "dilation", dilation)
    return extract_patches.dilation2d(x, filter, _pair("Dilation2D", "stride", stride), spread, pad_mode)


def _check_dilation(stride, dilation, pad_mode, data_format):
    _pair("Dilation2D", "stride", stride), _pair("Dilation2D", "dilation", dilation)
    check_choice("Dilation2D", "pad_mode", pad_mode, ("VALID", "SAME", "valid", "same"))
    check_choice("Dilation2D", "data_format", data_format, ("NCHW",))


def _image_patches(input_x, ksizes, strides, rates, padding):
    api = "ExtractImagePatches"
    how = (_pair(api, name, value) for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)))
    return extract_patches.extract_patches(input_x, *how, padding, api)


def _check_image_patches(ksizes, strides, rates, padding):
    for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        _pair("ExtractImagePatches", name, value)
    check_choice("ExtractImagePatches", "padding", padding, ("VALID", "SAME", "valid", "same"))


def _triple(name: str, value: Any) -> tuple[int, ...]:
    api = "ExtractVolumePatches"
    if isinstance(value, (tuple, list)) and len(value) == 5:
        value = value[2:] if tuple(value[:2]) == (1, 1) else ()
    if isinstance(value, (tuple, list)) and len(value) != 3:
        raise value_error(api, name, "a positive int, a tuple of three, or (1, 1) and three more", value)
    return _ints(api, name, value, 3)


def _volume_patches(input_x, kernel_size, strides, padding):
    how = _triple("kernel_size", kernel_size), _triple("strides", strides)
    return extract_patches.extract_patches(input_x, *how, (1, 1, 1), padding, "ExtractVolumePatches")


def _check_volume_patches(kernel_size, strides, padding):
    _triple("kernel_size", kernel_size), _triple("strides", strides)
    check_choice("ExtractVolumePatches", "padding", str(padding).upper(), ("VALID", "SAME"))


def _im2col(x, ksizes, strides, dilations, pads):
    how = [_ints("Im2Col", n, v, 2) for n, v in (("ksizes", ksizes), ("strides", strides), ("dilations", dilations))]
    return extract_patches.im2col(x, *how, _ints("Im2Col", "pads", pads, 2, 0))


def _check_im2col(ksizes, strides, dilations, pads):
    for name, value, least in (("ksizes", ksizes, 1), ("strides", strides, 1), ("dilations", dilations, 1),
                               ("pads", pads, 0)):  # fmt: skip
        _ints("Im2Col", name, value, 2, least)


def _col2im(x, output_size, kernel_size, dilation, padding, stride):
    check_tensors("Col2Im", input_x=x)
    pairs = [_ints("Col2Im", "kernel_size", kernel_size, 2), _ints("Col2Im", "dilation", dilation, 2),
             _ints("Col2Im", "padding", padding, 2, 0), _ints("Col2Im", "stride", stride, 2)]  # fmt: skip
    if len(x.shape) == 4 and x.shape[2] != pairs[0][0] * pairs[0][1]:
        raise ValueError(
            f"For 'Col2Im', the third size must equal the size of the kernel {pairs[0]}, but got {x.shape}."
        )
    return space_to_batch.col2im(x, output_size, *pairs)


def _check_col2im(kernel_size, dilation, padding, stride):
    for name, value, least in (("kernel_size", kernel_size, 1), ("dilation", dilation, 1), ("padding", padding, 0),
                               ("stride", stride, 1)):  # fmt: skip
        _ints("Col2Im", name, value, 2, least)


def _check_block(api: str, name: str, block: Any, pads_name: str, pads: Any) -> None:
    check_type(api, name, block, (int, tuple, list))
    check_type(api, pads_name, pads, (tuple, list))
    count = len(pads) if isinstance(block, int) else len(block)
    for size in (block,) if isinstance(block, int) else block:
        integer(api, name, size, 1)
    if len(pads) != count or any(not isinstance(p, (tuple, list)) or len(p) != 2 for p in pads):
        raise ValueError(f"For '{api}', the '{pads_name}' must be {count} pairs, but got {pads}.")
    for pair in pads:
        for value in pair:
            integer(api, f"{pads_name} element", value, 0)


def _check_two_blocks(api: str, block_size: Any, pads_name: str, pads: Any) -> None:
    integer(api, "block_size", block_size, 2)
    _check_block(api, "block_size", (block_size, block_size), pads_name, pads)


def _to_space(input_x, block_shape, crops):
    if isinstance(block_shape, Tensor):
        block_shape = tuple(block_shape.asnumpy().tolist())
    return space_to_batch.batch_to_space_nd(input_x, block_shape, crops)


def _four(api: str, rank: int) -> Callable:
    def check(x):
        return check_rank(api, "input_x", x, rank)

    return check


def _batch_to_space(input_x, block_size, crops):
    return space_to_batch.batch_to_space_nd(_four("BatchToSpace", 4)(input_x), block_size, crops)


def _space_to_batch(input_x, block_size, paddings):
    return space_to_batch.space_to_batch_nd(_four("SpaceToBatch", 4)(input_x), block_size, paddings)


def _fractional(api: str, kind: str) -> Callable:
    return lambda x, *settings: fractional_lists.fractional_pool(api, kind, x, *settings)


def _check_fractional(api: str) -> Callable:
    def check(pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2):
        check_type(api, "pooling_ratio", pooling_ratio, list)
        _floats(api, **{f"pooling_ratio[{i}]": v for i, v in enumerate(pooling_ratio)})
        for name, value in (
            ("pseudo_random", pseudo_random), ("overlapping", overlapping), ("deterministic", deterministic),
        ):  # fmt: skip
            check_bool(api, name, value)
        integer(api, "seed", seed), integer(api, "seed2", seed2)

    return check


def _depthwise(x, weight, channel_multiplier, kernel_size, mode, pad_mode, pad, stride, dilation, group):
    """Convolve each channel with its own kernel; the weight is [1, C, KH, KW]."""
    api = "DepthwiseConv2dNative"
    check_tensors(api, x=x, weight=weight)
    if len(x.shape) != 4 or len(weight.shape) != 4 or x.shape[1] != weight.shape[1]:
        raise ValueError(
            f"For '{api}', the shapes must be [N, C, H, W] and [1, C, KH, KW], but got {x.shape} and {weight.shape}."
        )
    kernel = _pair(api, "kernel_size", kernel_size)
    check_shape(api, "weight", weight, (1, x.shape[1], *kernel))
    if channel_multiplier != 1:
        unsupported_argument(api, "channel_multiplier", channel_multiplier, "Use nn.Conv2d with a group per channel.")
    no_effect(api, "every channel is a group of its own", group=None if group == 1 else group)
    step, spread = _pair(api, "stride", stride), _pair(api, "dilation", dilation)
    pads = conv.pad_pairs(api, pad_mode.lower(), pad, 2, "pad")
    pads = conv.paddings(x.shape[2:], kernel, step, spread, pad_mode.lower(), pads)
    kernels = weight.transpose(1, 0, 2, 3).reshape((-1, 1, *kernel))
    return conv.conv_pads(x, kernels, step, pads, spread, x.shape[1])


def _check_depthwise(channel_multiplier, kernel_size, mode, pad_mode, pad, stride, dilation, group):
    api = "DepthwiseConv2dNative"
    for name, value in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
        _pair(api, name, value)
    integer(api, "channel_multiplier", channel_multiplier, 1), integer(api, "group", group, 1)
    if integer(api, "mode", mode) != 3:
        raise value_error(api, "mode", "3", mode)
    check_type(api, "pad_mode", pad_mode, str)
    check_choice(api, "pad_mode", pad_mode.lower(), ("valid", "same", "pad"))


def _offsets(x, offsets, strides, pads, ksize, dilations, data_format, deformable_groups, modulated):
    return deformable.deformable_offsets(x, offsets, strides, pads, ksize, dilations, deformable_groups)


def _check_offsets(strides, pads, ksize, dilations, data_format, deformable_groups, modulated):
    api = "DeformableOffsets"
    for name, value, count in (("strides", strides, 4), ("pads", pads, 4), ("ksize", ksize, 2),
                               ("dilations", dilations, 4)):  # fmt: skip
        check_type(api, name, value, tuple)
        if len(value) != count:
            raise value_error(api, name, f"a tuple of {count} ints", value)
    check_choice(api, "data_format", data_format, ("NCHW",)), integer(api, "deformable_groups", deformable_groups, 1)
    if modulated is not True:
        raise value_error(api, "modulated", "True", modulated)


def _distorted(image_size, bounding_boxes, min_object_covered, seed, seed2, aspect, area, attempts, use_image):
    values = (image_size, bounding_boxes, min_object_covered)
    number = (seed * 31 + seed2) & 0x7FFFFFFF
    return distorted_bounding_box.sample_distorted_bounding_box(
        draw, *values, number, aspect, area, attempts, use_image
    )


def _check_formats(src_format, dst_format):
    for name, value in (("src_format", src_format), ("dst_format", dst_format)):
        check_choice("DataFormatDimMap", name, value, ("NHWC", "NCHW"))


def _glimpse(x, size, offsets, *settings):
    return roi.extract_glimpse(x, size, offsets, *settings)


def _crop(x, crop_boxes, box_index, crop_size, method, extrapolation_value):
    return boxes.crop_and_resize(x, crop_boxes, box_index, crop_size, method, extrapolation_value)


def _check_crop(method, extrapolation_value):
    check_choice("CropAndResize", "method", method, ("bilinear", "nearest", "bilinear_v2"))
    _floats("CropAndResize", extrapolation_value=extrapolation_value)


_SEEDS = {"seed": 0, "seed2": 0}
_FRACTIONAL = {
    "pooling_ratio": REQUIRED,
    "pseudo_random": False,
    "overlapping": False,
    "deterministic": False,
    **_SEEDS,
}
_DYNAMIC = {"direction": "UNIDIRECTIONAL", "cell_depth": 1}

_TABLE = {
    "DynamicRNN": Row(_dynamic_rnn, ("x", "w", "b", "seq_length", "init_h", "init_c"), {
        "cell_type": "LSTM", **_DYNAMIC, "use_peephole": False, "keep_prob": 1.0, "cell_clip": -1.0, "num_proj": 0,
        "time_major": True, "activation": "tanh", "forget_bias": 0.0, "is_training": True,
    }),
    "DynamicGRUV2": Row(
        _dynamic_gru,
        ("x", "weight_input", "weight_hidden", "bias_input", "bias_hidden", "seq_length", "init_h"),
        {**_DYNAMIC, "keep_prob": 1.0, "cell_clip": -1.0, "num_proj": 0, "time_major": True, "activation": "tanh",
         "gate_order": "rzh", "reset_after": True, "is_training": True},
    ),
    "LSTM": Row(fused.lstm, ("input", "h", "c", "w"), {
        "input_size": REQUIRED, "hidden_size": REQUIRED, "num_layers": REQUIRED, "has_bias": REQUIRED,
        "bidirectional": REQUIRED, "dropout": REQUIRED, "proj_size": 0,
    }),
    "BasicLSTMCell": Row(_basic_lstm, ("x", "h", "c", "w", "b"), {
        "keep_prob": 1.0, "forget_bias": 1.0, "state_is_tuple": True, "activation": "tanh",
    }),
    "CTCLossV2": Row(_ctc, ("log_probs", "targets", "input_lengths", "target_lengths"),
                     {"blank": 0, "reduction": "none", "zero_infinity": False}),
    "CTCGreedyDecoder": Row(_greedy, ("inputs", "sequence_length"), {"merge_repeated": True},
                            {"merge_repeated": (bool,)}),
    "MultiMarginLoss": Row(_multi_margin, ("inputs", "target", ("weight", None)),
                           {"p": 1, "margin": 1.0, "reduction": "mean"}),
    "MultilabelMarginLoss": Row(_multilabel, ("x", "target"), {"reduction": "mean"}),
    "TripletMarginLoss": Row(_triplet, ("x", "positive", "negative", "margin"),
                             {"p": 2, "swap": False, "eps": 1e-6, "reduction": "mean"}),
    "ROIAlign": Row(roi.roi_align, ("features", "rois"), {
        "pooled_height": REQUIRED, "pooled_width": REQUIRED, "spatial_scale": REQUIRED, "sample_num": 2,
        "roi_end_mode": 1,
    }),
    "ExtractGlimpse": Row(_glimpse, ("x", "size", "offsets"), {
        "centered": True, "normalized": True, "uniform_noise": True, "noise": "uniform",
    }),
    "CropAndResize": Row(_crop, ("x", "boxes", "box_index", "crop_size"),
                         {"method": "bilinear", "extrapolation_value": 0.0}),
    "SampleDistortedBoundingBoxV2": Row(_distorted, ("image_size", "bounding_boxes", "min_object_covered"), {
        **_SEEDS, "aspect_ratio_range": (0.75, 1.33), "area_range": (0.05, 1.0), "max_attempts": 100,
        "use_image_if_no_bounding_boxes": False,
    }),
    "DeformableOffsets": Row(_offsets, ("x", "offsets"), {
        "strides": REQUIRED, "pads": REQUIRED, "ksize": REQUIRED, "dilations": (1, 1, 1, 1), "data_format": "NCHW",
        "deformable_groups": 1, "modulated": True,
    }),
    "DepthwiseConv2dNative": Row(_depthwise, ("x", "weight"), {
        "channel_multiplier": REQUIRED, "kernel_size": REQUIRED, "mode": 3, "pad_mode": "valid", "pad": 0, "stride": 1,
        "dilation": 1, "group": 1,
    }),
    "Dilation2D": Row(_dilation, ("x", "filter"),
                      {"stride": REQUIRED, "dilation": REQUIRED, "pad_mode": "SAME", "data_format": "NCHW"}),
    "ExtractImagePatches": Row(_image_patches, ("input_x",), {
        "ksizes": REQUIRED, "strides": REQUIRED, "rates": REQUIRED, "padding": "VALID",
    }),
    "ExtractVolumePatches": Row(_volume_patches, ("input_x",),
                                {"kernel_size": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}),
    "Im2Col": Row(_im2col, ("x",), {"ksizes": REQUIRED, "strides": 1, "dilations": 1, "pads": 0}),
    "Col2Im": Row(_col2im, ("x", "output_size"), {"kernel_size": REQUIRED, "dilation": 1, "padding": 0, "stride": 1}),
    "BatchToSpace": Row(_batch_to_space, ("input_x",), {"block_size": REQUIRED, "crops": REQUIRED}),
    "BatchToSpaceND": Row(_to_space, ("input_x",), {"block_shape": REQUIRED, "crops": REQUIRED}),
    "BatchToSpaceNDV2": Row(_to_space, ("input_x", "block_shape", "crops")),
    "SpaceToBatch": Row(_space_to_batch, ("input_x",), {"block_size": REQUIRED, "paddings": REQUIRED}),
    "SpaceToBatchND": Row(space_to_batch.space_to_batch_nd, ("input_x",),
                          {"block_shape": REQUIRED, "paddings": REQUIRED}),
    "FractionalMaxPool": Row(_fractional("FractionalMaxPool", "max"), ("x",), _FRACTIONAL),
    "FractionalAvgPool": Row(_fractional("FractionalAvgPool", "mean"), ("x",), _FRACTIONAL),
    "DataFormatDimMap": Row(extract_patches.data_format_dim_map, ("input_x",),
                            {"src_format": "NHWC", "dst_format": "NCHW"}),
}  # fmt: skip

_CHECKS: dict[str, Callable] = {
    "DynamicRNN": _check_dynamic_rnn,
    "DynamicGRUV2": _check_dynamic_gru,
    "LSTM": _check_lstm,
    "BasicLSTMCell": _check_basic_lstm,
    "CTCLossV2": _check_ctc,
    "MultiMarginLoss": _check_multi_margin,
    "MultilabelMarginLoss": lambda reduction: check_choice("MultilabelMarginLoss", "reduction", reduction, _REDUCTIONS),
    "TripletMarginLoss": _check_triplet,
    "ROIAlign": roi.check_roi_align,
    "ExtractGlimpse": roi.check_glimpse,
    "CropAndResize": _check_crop,
    "SampleDistortedBoundingBoxV2": distorted_bounding_box.check_settings,
    "DeformableOffsets": _check_offsets,
    "DepthwiseConv2dNative": _check_depthwise,
    "Dilation2D": _check_dilation,
    "ExtractImagePatches": _check_image_patches,
    "ExtractVolumePatches": _check_volume_patches,
    "Im2Col": _check_im2col,
    "Col2Im": _check_col2im,
    "BatchToSpace": lambda block, crops: _check_two_blocks("BatchToSpace", block, "crops", crops),
    "BatchToSpaceND": lambda block, crops: _check_block("BatchToSpaceND", "block_shape", block, "crops", crops),
    "SpaceToBatch": lambda block, pads: _check_two_blocks("SpaceToBatch", block, "paddings", pads),
    "SpaceToBatchND": lambda block, pads: _check_block("SpaceToBatchND", "block_shape", block, "paddings", pads),
    "FractionalMaxPool": _check_fractional("FractionalMaxPool"),
    "FractionalAvgPool": _check_fractional("FractionalAvgPool"),
    "DataFormatDimMap": _check_formats,
}


PRIMITIVES = make_primitives({name: row._replace(check=_CHECKS.get(name)) for name, row in _TABLE.items()}, __name__)
globals().update(PRIMITIVES)
__all__ = list(PRIMITIVES)
table_faces(__name__, __all__, "ops")
