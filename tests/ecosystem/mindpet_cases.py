"""mindpet's layers for adapting nets, its loss, activations, freezing, and the checkpoint of what is trained.

LowRankAdapterLayer and LowRankAdapterDense are built, but compute neither here nor under MindSpore 2.10: they use an
attribute `cast` that their Cell does not set. PrefixLayer computes while it is built, of weights drawn at random.
"""

import functools
import pathlib
import tempfile

import numpy as np

try:
    from tests.ecosystem import cells, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import recorded

LAYERS = {
    "LoRADense": ((8, 6, 2, 4), {}),
    "LoRADense of ReLU": ((8, 6, 2, 4.0, 0.3), {"activation": "relu", "has_bias": False}),
    "AdapterDense": ((8, 6), {"bottleneck_size": 3}),
    "AdapterDense of tanh": ((8, 6), {"bottleneck_size": 3, "activation": "tanh", "non_linearity": "leakyrelu"}),
    "AdapterLayer": ((8,), {"bottleneck_size": 3, "non_linearity": "silu"}),
}
WIDTHS = ("float32", "float16")
# without those that draw at random: rrelu
ACTIVATIONS = {
    **dict.fromkeys(("softmin", "softmax", "softmax2d", "logsoftmax", "relu", "relu6", "silu", "tanh", "tanhshrink")),
    **dict.fromkeys(("hardtanh", "gelu", "fast_gelu", "elu", "sigmoid", "softsign", "prelu", "leakyrelu", "hswish")),
    **dict.fromkeys(("hsigmoid", "logsigmoid", "softshrink", "hshrink", "mish")),
}
DELTAS = ("LoRADense", "AdapterDense", "AdapterLayer", "PrefixEncoder", "RDropLoss")
FROZEN = {
    "lora": {"mode": "lora"},
    "bitfit": {"mode": "bitfit"},
    "lora and a head": {"mode": "lora", "exclude": ["*head*"]},
    "adapter": {"mode": "adapter"},
}


def limit(case: str) -> float:
    """How far numbers may be apart: one unit in the last place of Float16 is 1e-3."""
    return 1e-3 if "float16" in case else 1e-4


def given(*shape):
    """A Tensor of fixed numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))


def layer(name: str, width: str, mode: str) -> dict:
    """A layer's outputs and a step of it."""
    import mindspore as ms
    from mindpet import delta

    positional, named = LAYERS[name]
    made = lambda: getattr(delta, name.split()[0])(*positional, compute_dtype=getattr(ms, width), **named)  # noqa: E731
    x = given(2, 5, 8)
    return {**cells.forward(made(), (x,), mode), **cells.step(made(), (x,), mode)}


def activation(name: str, mode: str) -> dict:
    """An activation, and the gradient of its input."""
    import mindspore as ms
    from mindpet.layers.activation import get_activation

    ms.set_context(mode=getattr(ms, mode))
    cell, x = get_activation(name), given(2, 3, 4, 5) * 3

    def total(x):
        return (cell(x) * x).sum()

    value, gradient = ms.value_and_grad(total, 0)(x)
    return cells.shown([cell(x), value, gradient])


def prefix(projected: bool, mode: str) -> dict:
    """The prefixes of p-tuning for three layers, and a step of them."""
    import mindspore as ms
    from mindpet.delta import PrefixEncoder
    from mindspore import nn

    class Prefix(nn.Cell):
        def __init__(self):
            super().__init__()
            self.encoder = PrefixEncoder(4, 3, 2, 5, projected, 6, 0.2)

        def construct(self):
            return self.encoder(2, ms.float32)

    return {**cells.forward(Prefix(), (), mode), **cells.step(Prefix(), (), mode)}


def r_drop(mode: str) -> dict:
    """The loss of a batch whose rows stand twice, and a step of the net before it."""
    import mindspore as ms
    from mindpet.delta import RDropLoss, rdrop_repeat
    from mindspore import nn

    ms.set_context(mode=getattr(ms, mode))
    x, labels = map(ms.Tensor, rdrop_repeat(given(3, 8).asnumpy(), np.asarray([1, 0, 2], np.int32)))

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.loss = nn.Dense(8, 4), RDropLoss()

        def construct(self, x, labels):
            return self.loss(self.dense(x) + x[:, :4] * x[:, 4:], labels)

    return {**cells.shown([x, labels]), **cells.step(Net(), (x, labels), mode)}


def frozen_net():
    """A net with a LoRA layer, an adapter and a head."""
    import mindspore as ms
    from mindpet.delta import AdapterLayer, LoRADense
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = LoRADense(8, 6, 2, 4, compute_dtype=ms.float32)
            self.second = AdapterLayer(6, 3, compute_dtype=ms.float32)
            self.head = nn.Dense(6, 3)

        def construct(self, x):
            return self.head(self.second(self.first(x)))

    return cells.fixed(Net())


def freeze(name: str, mode: str) -> dict:
    """Two epochs in which what is not frozen is trained, and the checkpoint of it."""
    import mindspore as ms
    from mindpet.graph import TrainableParamsCheckPoint, freeze_delta
    from mindspore import nn, train

    ms.set_context(mode=getattr(ms, mode))
    net, rng = frozen_net(), np.random.RandomState(1)
    freeze_delta(net, **FROZEN[name])
    x, y = rng.randn(12, 8).astype(np.float32), rng.randint(0, 3, 12).astype(np.int32)
    data = ms.dataset.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(4)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = train.Model(net, loss, nn.Adam(net.trainable_params(), 0.05))
    with tempfile.TemporaryDirectory() as folder:
        keep = TrainableParamsCheckPoint(folder, "kept", train.CheckpointConfig(3, 1))
        model.train(2, data, [keep], dataset_sink_mode=False)
        files = sorted(pathlib.Path(folder).glob("*.ckpt"))
        kept = ms.load_checkpoint(str(files[-1]))
    return {
        "trained": [parameter.requires_grad for parameter in net.get_parameters()],
        "files": [len(files)],
        "kept": [np.linalg.norm(kept[key].asnumpy()) for key in sorted(kept)],
        **cells.shown(net.get_parameters()),
    }


CASES = {
    f"{' '.join(map(str, case))} {mode}": functools.partial(what, *case[1:], mode)
    for what, cases in {
        layer: [("layer", name, width) for name in LAYERS for width in WIDTHS],
        activation: [("activation", name) for name in ACTIVATIONS],
        prefix: [("prefix", False), ("prefix", True)],
        r_drop: [("r_drop",)],
        freeze: [("freeze", name) for name in FROZEN],
    }.items()
    for case in cases
    for mode in cells.MODES
}

if __name__ == "__main__":
    recorded.main("mindpet_cases", CASES)
