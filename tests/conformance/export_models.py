"""The models of `exports`: those of packages that `tests/ecosystem` makes, and networks that no package has."""

from __future__ import annotations

import importlib.util
import zlib

import numpy as np

# Of mindone: one family of Transformers for each way to attend, to place tokens and to mix experts, by its settings in
# `tests/ecosystem/mindone_families.json`.
FAMILIES = (
    "albert", "bart", "bert", "clip", "deit", "dinov2", "distilbert", "electra", "falcon", "gemma2", "gpt2", "gpt_neox",
    "llama", "mistral", "mixtral", "opt", "phi", "qwen2", "roberta", "swin", "t5", "whisper",
)  # fmt: skip
# Nets of mindcv that take pictures of any size, which are small here; the others have those of `mindcv_models`.
SMALL = 64
OF_ANY_SIZE = {
    "BiT_resnet50", "convnext_tiny", "convnextv2_atto", "densenet121", "dpn92", "efficientnet_b0", "efficientnet_v2_s",
    "ghostnet_050", "hrnet_w32", "mixnet_s", "mnasnet_050", "mobilenet_v1_025", "mobilenet_v2_035_96",
    "mobilenet_v3_small_075", "poolformer_s12", "regnet_x_200mf", "regnet_y_200mf", "repvgg_a0", "res2net50",
    "resnest14", "resnet18", "resnetv2_50", "resnext50_32x4d", "seresnet18", "shufflenet_v1_g3_05",
    "shufflenet_v2_x0_5", "skresnet18", "squeezenet1_0", "xception",
}  # fmt: skip


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def models() -> list[str]:
    """The names of the models, which begin with their package's."""
    found = list(_own())
    if _installed("mindcv"):
        from tests.ecosystem.mindcv_models import RECORDED

        found += [f"mindcv {name}" for name in RECORDED]
    if _installed("mindyolo"):
        from tests.ecosystem.mindyolo_models import VERSIONS

        found += [f"mindyolo {name}" for name in VERSIONS]
    if _installed("mindocr"):
        from tests.ecosystem.mindocr_nets import NETS

        found += [f"mindocr {name}" for name in NETS]
    if _installed("mindone") and _installed("transformers"):
        found += [f"mindone {name}" for name in FAMILIES]
    return found


def made(name: str):
    """A model in evaluation mode, and the arrays that it takes, whose first axis is the batch."""
    package, _, rest = name.partition(" ")
    makers = {"mindcv": _of_mindcv, "mindyolo": _of_mindyolo, "mindocr": _of_mindocr, "mindone": _of_mindone}
    net, inputs = makers[package](rest) if package in makers else _own()[name]()
    net.set_train(False)
    return net, inputs


def _of_mindcv(name: str):
    from tests.ecosystem import mindcv_models

    net, x = mindcv_models.made(name)
    pictures = x.asnumpy()
    return net, [pictures[..., :SMALL, :SMALL].copy() if name in OF_ANY_SIZE else pictures]


def _of_mindyolo(name: str):
    from tests.ecosystem import mindyolo_models

    return mindyolo_models.made(name), [mindyolo_models.given()[0]]


def _of_mindocr(name: str):
    from tests.ecosystem import mindocr_nets

    net, given = mindocr_nets.made(name)
    if name == "RobustScanner":  # takes its texts, widths and places in evaluation, too
        given = (*given, *mindocr_nets.asked(name))
    return net, [value.asnumpy() for value in given]


def _of_mindone(name: str):
    """A small model of a family with drawn weights, and inputs by position."""
    import mindspore as ms
    import transformers
    from mindone import transformers as families

    from tests.ecosystem import mindone_models

    config, model, settings, kind = mindone_models.FAMILIES[name]
    ms.set_seed(0)
    net = getattr(families, model)(getattr(transformers, config)(**settings, attn_implementation="eager"))
    for parameter in net.trainable_params():
        rng = np.random.RandomState(zlib.crc32(parameter.name.encode()) % 2**31)
        drawn = parameter.asnumpy() + 0.05 * rng.randn(*parameter.shape)
        parameter.set_data(ms.Tensor(drawn.astype(np.float32)))
    arrays = mindone_models.inputs(kind)
    inputs = [value.astype(np.int32) if value.dtype == np.int64 else value for value in arrays.values()]
    return _by_position(net, kind), inputs


def _by_position(net, kind: str):
    """A Cell that calls a model of Transformers, whose inputs have names, and returns what its loss is made of."""
    from mindspore import nn

    class Tokens(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.net = net

        def construct(self, input_ids, attention_mask):
            return self.net(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)[0]

    class TokensToTokens(Tokens):
        def construct(self, input_ids, attention_mask, decoder_input_ids):
            return self.net(
                input_ids=input_ids, attention_mask=attention_mask, decoder_input_ids=decoder_input_ids,
                return_dict=False,
            )[0]  # fmt: skip

    class Picture(Tokens):
        def construct(self, pixel_values):
            return self.net(pixel_values=pixel_values, return_dict=False)[0]

    class PictureAndTokens(Tokens):
        def construct(self, input_ids, attention_mask, pixel_values):
            return self.net(
                input_ids=input_ids, attention_mask=attention_mask, pixel_values=pixel_values, return_dict=False
            )[0]

    class SoundToTokens(Tokens):
        def construct(self, input_features, decoder_input_ids):
            return self.net(
                input_features=input_features, decoder_input_ids=decoder_input_ids, return_dict=False
            )[0]  # fmt: skip

    kinds = {"ids": Tokens, "s2s": TokensToTokens, "img": Picture, "img32": Picture, "clip": PictureAndTokens}
    return {**kinds, "audio": SoundToTokens}[kind]()


def looped(nn):
    """The class of a Cell with a loop whose number of iterations depends on the input, from a module `nn`."""

    class Looped(nn.Cell):
        def construct(self, x):
            count = 0
            while x.sum() < 100 and count < 20:
                x = x * 1.5 + 1
                count += 1
            return x

    return Looped


def _own() -> dict:
    """Networks that no package has: recurrent ones, a generator, loops, a graph."""
    import mindspore as ms
    from mindspore import nn, ops

    def floats(*shape):
        return np.random.RandomState(0).randn(*shape).astype(np.float32)

    class Lstm(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True)

        def construct(self, x):
            return self.lstm(x)[0]

    class Gru(nn.Cell):
        def __init__(self):
            super().__init__()
            self.gru = nn.GRU(8, 16, batch_first=True)

        def construct(self, x, lengths):
            return self.gru(x, None, lengths)[0]

    class Generator(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(16, 64 * 4 * 4)
            self.layers = nn.SequentialCell(
                nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2dTranspose(64, 32, 4, 2, pad_mode="pad", padding=1),
                nn.BatchNorm2d(32), nn.LeakyReLU(0.2), nn.Conv2dTranspose(32, 3, 4, 2), nn.Tanh(),
            )  # fmt: skip

        def construct(self, z):
            return self.layers(self.dense(z).view(-1, 64, 4, 4))

    class Graph(nn.Cell):
        """Nodes and edges are the batch."""

        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(8, 8)

        def construct(self, x, source, target):
            messages = ops.gather(self.dense(x), source, 0)
            return ops.relu(ops.tensor_scatter_add(ops.zeros_like(x), target.reshape(-1, 1), messages))

    ms.set_seed(1)
    places = np.zeros(4, np.int64)
    return {
        "LSTM of two layers, both ways": lambda: (Lstm(), [floats(2, 7, 8)]),
        "GRU with seq_length": lambda: (Gru(), [floats(2, 7, 8), np.asarray([7, 3], np.int32)]),
        "generator of a GAN": lambda: (Generator(), [floats(2, 16)]),
        "while loop": lambda: (looped(nn)(), [floats(2, 3)]),
        "graph net with scatter": lambda: (Graph(), [floats(4, 8), places, places[::-1].copy()]),
        "Transformer encoder": lambda: (
            nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2), [floats(2, 9, 32)]
        ),
    }  # fmt: skip
