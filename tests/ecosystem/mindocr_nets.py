"""mindocr's nets, put together small of its own parts, and what they and their losses are given."""

import copy
from unittest import mock

import numpy as np

MOBILE = {"name": "det_mobilenet_v3", "architecture": "large", "alpha": 0.5, "out_stages": [5, 8, 14, 20]}
MOBILE |= {"bottleneck_params": {"se_version": "SqueezeExciteV2", "always_expand": True}, "pretrained": False}
DEEP = {"name": "det_resnet18", "pretrained": False}
VGG = {"name": "rec_vgg7", "pretrained": False}
CLASSIFIER = {"name": "cls_mobilenet_v3_small_100", "pretrained": False}
SVTR = {"name": "SVTRNet", "pretrained": False, "img_size": [32, 100], "out_channels": 24, "patch_merging": "Conv"}
SVTR |= {"embed_dim": [16, 24, 32], "depth": [1, 1, 1], "num_heads": [2, 2, 4], "mixer": ["Local", "Local", "Global"]}
SVTR |= {"local_mixer": [[7, 11]] * 3, "last_stage": True, "prenorm": False}
BEND = {"name": "STN_ON", "in_channels": 3, "tps_inputsize": [32, 64], "tps_outputsize": [32, 100]}
BEND |= {"num_control_points": 20, "tps_margins": [0.05, 0.05], "stn_activation": "none"}
LIGHT = {"name": "mobilenet_v1_enhance", "scale": 0.25, "last_conv_stride": [1, 2], "last_pool_type": "avg"}
LIGHT |= {"last_pool_kernel_size": [2, 2], "pretrained": False}
YOLO = {"name": "yolov8_backbone", "depth_multiple": 0.33, "width_multiple": 0.125, "max_channels": 512, "nc": 5}
YOLO |= {"stride": [8, 16, 32, 64], "reg_max": 16, "sync_bn": False, "out_channels": [32, 64, 64, 64]}
CONTEXT = {"ratio": 0.0625, "headers": 1, "att_scale": False, "fusion_type": "channel_add"}
TABLE = {"name": "table_resnet_extra", "layers": [1, 1, 1, 1]}
TABLE |= {"gcb_config": {**CONTEXT, "layers": [False, True, True, True]}}
CHANNELS = [8, 16, 16, 32, 32, 48, 48]
NARROW = {"name": "rec_resnet31", "pretrained": False, "layers": [1, 1, 1, 1], "channels": CHANNELS}
BINARY = {"name": "DBHead", "k": 50, "bias": False, "adaptive": True}
FUSED = {"name": "DBFPN", "out_channels": 16, "bias": False}
SEQUENCE = {"name": "RNNEncoder", "hidden_size": 16}
BOTH = {
    "name": "MultiHead",
    "out_channels_list": [{"CTCLabelDecode": 12}, {"SARLabelDecode": 12}],
    "head_list": [
        {"CTCHead": {"Neck": {"name": "svtr"}, "Head": {}}},
        {"SARHead": {"enc_dim": 16, "d_k": 16, "max_text_length": 6}},
    ],
}
SCAN = {"name": "RobustScannerHead", "out_channels": 13, "enc_outchannles": 16, "start_idx": 11, "padding_idx": 12}
ATTENTION = ("AttentionLoss", {})
# Of each net: what it is put together of, the size of its picture, and its loss if MindSpore trains it.
NETS = {
    "DBNet": ({"backbone": MOBILE, "neck": FUSED, "head": BINARY}, (64, 64), ("DBLoss", {})),
    "DBNet++": (
        {"backbone": DEEP, "neck": {**FUSED, "use_asf": True, "channel_attention": True}, "head": BINARY},
        (64, 64),
        ("DBLoss", {}),
    ),
    "DBNet PP-OCRv3": (
        {
            "backbone": MOBILE,
            "neck": {"name": "RSEFPN", "out_channels": 16, "shortcut": True},
            "head": {**BINARY, "name": "DBHeadEnhance"},
        },
        (64, 64),
        ("DBLoss", {}),
    ),
    "EAST": (
        {"backbone": MOBILE, "neck": {"name": "EASTFPN", "out_channels": 16}, "head": {"name": "EASTHead"}},
        (64, 64),
        ("EASTLoss", {}),
    ),
    "PSENet": (
        {
            "backbone": MOBILE,
            "neck": {"name": "PSEFPN", "out_channels": 16},
            "head": {"name": "PSEHead", "hidden_size": 16, "out_channels": 7},
        },
        (64, 64),
        ("PSEDiceLoss", {}),
    ),
    "CRNN": (
        {"backbone": VGG, "neck": SEQUENCE, "head": {"name": "CTCHead", "out_channels": 11}},
        (32, 48),
        ("CTCLoss", {"pred_seq_len": 11, "max_label_len": 4, "batch_size": 2}),
    ),
    "CRNN ResNet34": (
        {
            "backbone": {"name": "rec_resnet34", "pretrained": False},
            "neck": SEQUENCE,
            "head": {"name": "CTCHead", "out_channels": 11},
        },
        (32, 64),
        ("CTCLoss", {"pred_seq_len": 16, "max_label_len": 4, "batch_size": 2}),
    ),
    "RARE": (
        {
            "backbone": VGG,
            "neck": SEQUENCE,
            "head": {"name": "AttentionHead", "hidden_size": 16, "out_channels": 12, "batch_max_length": 5},
        },
        (32, 48),
        ATTENTION,
    ),
    "Master": (
        {
            "backbone": VGG,
            "neck": {"name": "MasterEncoder", "with_encoder": False, "stacks": 1},
            "head": {
                "name": "MasterDecoder",
                "out_channels": 12,
                "batch_max_length": 5,
                "stacks": 1,
                "feed_forward_size": 32,
            },
        },
        (32, 48),
        ATTENTION,
    ),
    "TableMaster": (
        {
            "backbone": TABLE,
            "head": {
                "name": "TableMasterHead",
                "out_channels": 12,
                "headers": 8,
                "d_ff": 32,
                "max_text_length": 4,
                "loc_reg_num": 4,
                "stacks": 1,
            },
        },
        (32, 32),
        ("TableMasterLoss", {"ignore_index": 11}),
    ),
    "RobustScanner": (
        {"backbone": NARROW, "head": {**SCAN, "max_seq_len": 7}},
        (32, 48),
        ("SARLoss", {"ignore_index": 12}),
    ),
    "VisionLAN": (
        {
            "backbone": {"name": "rec_resnet45", "pretrained": False, "strides": [2, 2, 2, 1, 1]},
            "head": {"name": "VisionLANHead", "out_channels": 11, "n_layers": 1, "max_text_length": 6},
        },
        (64, 256),
        ("VisionLANLoss", {"mode": "LA"}),
    ),
    "SVTR": (
        {
            "transform": BEND,
            "backbone": SVTR,
            "neck": {"name": "Img2Seq"},
            "head": {"name": "CTCHead", "out_channels": 11},
        },
        (64, 128),
        ("CTCLoss", {"pred_seq_len": 25, "max_label_len": 4, "batch_size": 8}),
    ),
    "SVTR PP-OCRv3": (
        {"backbone": LIGHT, "head": BOTH},
        (48, 96),
        None,
    ),
    "classifier": (
        {"backbone": CLASSIFIER, "head": {"name": "MobileNetV3Head", "hidden_channels": 32, "num_classes": 2}},
        (48, 96),
        ("CrossEntropySmooth", {"smoothing": 0.1}),
    ),
    "YOLOv8": (
        {
            "backbone": YOLO,
            "neck": {"name": "YOLOv8Neck", "index": [20, 23, 26, 29]},
            "head": {"name": "YOLOv8Head", "nc": 5, "reg_max": 16, "stride": [8, 16, 32, 64], "sync_bn": False},
        },
        (128, 128),
        None,
    ),
    "LayoutXLM tokens": (None, None, ("VQASerTokenLayoutLMLoss", {})),
    "LayoutXLM relations": (None, None, ("VQAReTokenLayoutLMLoss", {})),
    "LayoutLMv3": (None, None, ("VQASerTokenLayoutLMLoss", {})),
}
READ = [[0, 3, 4, 5, 1, 2, 0], [0, 7, 2, 1, 5, 1, 0]]
# Which picture. With the first, a number before a ReLU of DBNet++'s head is 1.3e-5, less than the rounding of the
# layers before: MindSpore has it negative, and so its gradient leaves a term out that Float64 has.
PICTURES = {"DBNet++": 1, "CRNN ResNet34": 1, "SVTR": 2}
# SVTR normalises rows of a batch, which two rows would make a matter of their last digits.
BATCHES = {"SVTR": 8}


def given(*shape, seed=0):
    """A Tensor of fixed numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def some(*shape, seed=0, part=0.4):
    """A Tensor of zeros, and of ones in a part of it."""
    import mindspore as ms

    return ms.Tensor((np.random.RandomState(seed).rand(*shape) > 1 - part).astype(np.float32))


def whole(values):
    """A Tensor of Int32."""
    import mindspore as ms

    return ms.Tensor(np.asarray(values, np.int32))


def between(*shape, seed=0):
    """A Tensor of fixed numbers from 0 to 1."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(seed).rand(*shape).astype(np.float32))


def asked(name: str) -> list:
    """What a net in training takes besides its picture."""
    if name in ("RARE", "Master"):
        return [whole(READ)]
    if name == "TableMaster":
        return [whole([[9, 3, 4, 5, 1, 10], [9, 7, 2, 1, 10, 11]])]
    if name == "RobustScanner":
        seen = [[[1] * 12], [[1] * 8 + [0] * 4]]
        return [whole(READ), whole(seen), whole([list(range(7))] * 2)]
    if name == "VisionLAN":
        return [whole([1, 3])]
    return []


def labels(name: str) -> list:
    """What the loss of a net takes besides its outputs."""
    loss, _ = NETS[name][2]
    if loss == "DBLoss":
        return [some(2, 1, 64, 64), some(2, 64, 64, seed=1), between(2, 64, 64, seed=3), some(2, 64, 64, seed=2)]
    if loss == "EASTLoss":
        return [some(2, 1, 16, 16), given(2, 5, 16, 16).abs(), some(2, 1, 16, 16, seed=1)]
    if loss == "PSEDiceLoss":
        # the loss counts its hardest pixels from behind the last one if there is text
        return [some(2, 64, 64, part=0), some(2, 6, 64, 64, seed=1, part=0.1), some(2, 64, 64, seed=2)]
    if loss == "CTCLoss":
        return [whole([[1, 2, 3, 4], [5, 6, 1, 2]] * (BATCHES.get(name, 2) // 2))]
    if loss == "CrossEntropySmooth":
        return [whole([1, 0])]
    if loss == "TableMasterLoss":
        return [*asked(name), between(2, 6, 4), some(2, 6, 1, seed=2, part=0.7)]
    if loss == "VisionLANLoss":
        left = [[3, 5, 1, 2, 0, 0, 0], [7, 2, 5, 1, 0, 0, 0]]
        hidden = [[4, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]
        return [whole([row[1:] + [0] for row in READ]), whole(left), whole(hidden), whole([5, 5])]
    if name == "LayoutXLM relations":
        return [None, whole([[1, 0, 1], [0, 0, 1]])]
    if loss == "VQASerTokenLayoutLMLoss":
        return [None, whole([[1, 0, 2, 3, 1, 0]] * 2)]
    return asked(name)[:1]


def made(name: str):
    """A net, and its picture or what else it begins with."""
    from mindocr.models import build_model

    parts, size, _ = NETS[name]
    if parts is None:
        return layout(name)
    pictures = given(BATCHES.get(name, 2), 3, *size, seed=PICTURES.get(name, 0))
    with mock.patch.object(np, "log", log):
        return build_model(copy.deepcopy(parts)), (pictures,)


def log(x, *rest, computed=np.log, **options):
    """`np.log` with zeros where it is not asked for.

    SVTR's transformer leaves there what memory holds, and multiplies it by 0; now and then that is NaN.
    """
    if "where" in options:
        options.setdefault("out", np.zeros(np.shape(x)))
    return computed(x, *rest, **options)


def layout(name: str):
    """A small LayoutXLM without pictures, or LayoutLMv3, and a head on its tokens."""
    import mindspore as ms
    from mindocr.models.backbones.layoutlmv3.configuration import LayoutLMv3PretrainedConfig
    from mindocr.models.backbones.layoutlmv3.layoutlmv3 import LayoutLMv3Model
    from mindocr.models.backbones.layoutxlm.configuration import LayoutXLMPretrainedConfig
    from mindocr.models.backbones.layoutxlm.layoutxlm import LayoutXLMModel
    from mindocr.models.heads.kie_relationextraction_head import REDecoder, RelationExtractionHead
    from mindocr.models.heads.kie_tokenclassification_head import TokenClassificationHead
    from mindspore import nn

    third = name == "LayoutLMv3"
    config = LayoutLMv3PretrainedConfig() if third else LayoutXLMPretrainedConfig(use_visual_backbone=False)
    sizes = {"hidden_size": 24, "coordinate_size": 4, "shape_size": 4, "intermediate_size": 32, "vocab_size": 30}
    sizes |= {"num_attention_heads": 2, "num_hidden_layers": 2, "max_position_embeddings": 20, "input_size": 32}
    sizes |= {"has_relative_attention_bias": True, "has_spatial_attention_bias": True}
    sizes |= {"image_feature_pool_shape": [2, 2, 256]}
    for setting, value in sizes.items():
        setattr(config, setting, value)
    if name == "LayoutXLM relations":
        head = RelationExtractionHead(use_visual_backbone=False)
        head.extractor = REDecoder(24, 0.0, use_float16=False)
    else:
        head = TokenClassificationHead(use_visual_backbone=False)
        head.classifier = nn.Dense(24, 7)
    backbone = (LayoutLMv3Model if third else LayoutXLMModel)(config)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.backbone, self.head = backbone, head

        def construct(self, tokens, boxes, mask, kinds, *rest):
            return self.head(self.backbone(tokens, boxes, mask, kinds), tokens, *rest)

    rng = np.random.RandomState(0)
    # distances by tens are never at an edge of the groups that the nets make of their logarithms
    corners = 10 * np.sort(rng.randint(0, 100, (2, 6, 2, 2)), 2).reshape(2, 6, 4)
    inputs = [rng.randint(2, 30, (2, 6)), corners, np.asarray([[1] * 6, [1] * 4 + [0] * 2]), np.zeros((2, 6))]
    if name == "LayoutXLM relations":
        inputs += [[[0, 2, 4], [1, 2, 3]], [[1, 1, 2], [1, 2, 1]], [[1, 3, 5], [0, 3, 2]], [[2, 2, 1], [2, 1, 2]]]
    return Net(), tuple(ms.Tensor(np.asarray(value, np.int64)) for value in inputs)
