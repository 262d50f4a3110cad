"""A model of mindcv: its outputs, and loss and length of one step of SGD, as JSON.

`mindcv.json` holds what MindSpore 2.10 gives on a CPU: `python mindcv_models.py record NAME` under it prints the same.
Weights are drawn from the names of the Parameters, so that both begin alike; layers that drop at random do not.

Families that MindSpore does not compute are left out: HaloNet takes patches by a kernel that it has for accelerators
alone, and calls `ops.pad` by a name that is gone; VOLO pads by pairs, which `ops.pad` no longer takes. Of ReXNet,
which does not build, and PVT it refuses a part that `without` leaves out on either side.
"""

import contextlib
import json
import pathlib
import sys
import zlib

import numpy as np

RECORDED = json.loads(pathlib.Path(__file__).with_name("mindcv.json").read_text(encoding="utf-8"))
SIZES = {
    "mobilenet_v2_035_96": 96,
    "BiT_resnet50": 128,
    "cmt_tiny": 160,
    "crossvit_9": 240,
    "densenet121": 128,
    "dpn92": 128,
    "efficientnet_b0": 128,
    "efficientnet_v2_s": 128,
    "hrnet_w32": 128,
    "inception_v3": 299,
    "inception_v4": 160,
    "mixnet_s": 128,
    "mobilevit_xx_small": 256,
    "nasnet_a_4x1056": 160,
    "pnasnet": 160,
    "poolformer_s12": 128,
    "regnet_y_200mf": 128,
    "repvgg_a0": 128,
    "res2net50": 128,
    "resnest14": 128,
    "resnet18": 128,
    "resnetv2_50": 128,
    "resnext50_32x4d": 128,
    "seresnet18": 128,
    "swinv2_tiny_window8": 256,
    "skresnet18": 128,
    "xception": 160,
    "shufflenet_v1_g3_05": 128,
    "rexnet_09": 64,
}
# ReXNet normalises one number a picture, which two pictures would make a matter of their last digits.
BATCHES = {"rexnet_09": 16}
# These are held to GRAPH_MODE's numbers as well.
BOTH = {"vgg11", "rexnet_09", "pvt_tiny"}
# XCiT takes the softmax of products over all places, which drawn weights of this size would make a matter of rounding.
QUIET = {"xcit_tiny_12_p16_224": 0.2}
# In these a step hangs on rounding: some of the numbers before ReLU are nearer to 0 than it is, BatchNorm divides by
# what is left of near numbers. Smooth, with the moments of before, it is the same where that was tried and recorded.
_KINKS = "the step hangs on rounding: units at the kink of ReLU fall to either side"
_FEW = "as the others, and the loss hangs on BatchNorm over few numbers"
FAULTS = {
    **dict.fromkeys(
        (
            "mnasnet_050",
            "BiT_resnet50",
            "densenet121",
            "dpn92",
            "nasnet_a_4x1056",
            "resnest14",
            "resnext50_32x4d",
            "skresnet18",
        ),
        ({"step"}, _KINKS),
    ),
    **dict.fromkeys(("hrnet_w32", "inception_v3", "inception_v4", "pnasnet", "res2net50"), ({"loss", "step"}, _FEW)),
}

# Its step moves by 5e-4 if pictures change by 1e-7 of themselves: units at the kink of ReLU6. Smooth, it moves by 1e-8.
LIMITS = {"mobilenet_v2_035_96": {"step": 1e-3}}


def drawn(parameter) -> np.ndarray | None:
    """Numbers for a Parameter, like those that training would leave; None for tables of positions and the like."""
    name, shape = parameter.name, parameter.shape
    rng = np.random.RandomState(zlib.crc32(name.encode()) % 2**31)
    if name.endswith("moving_variance"):
        return 1 + 0.1 * rng.rand(*shape)
    if name.endswith("moving_mean"):
        return 0.1 * rng.randn(*shape)
    if str(parameter.dtype) != "Float32" or not parameter.requires_grad:
        return None
    if len(shape) <= 1:
        return ("gamma" in name) + 0.05 * rng.randn(*shape)
    return rng.randn(*shape) / np.sqrt(max(1, np.prod(shape[1:])))


def first(outputs):
    """The first of several outputs."""
    return outputs[0] if isinstance(outputs, (tuple, list)) else outputs


@contextlib.contextmanager
def smooth():
    """Activations without a kink."""
    from unittest import mock

    from mindspore import nn, ops

    with contextlib.ExitStack() as stack:
        for kind in (nn.ReLU, nn.ReLU6):
            stack.enter_context(mock.patch.object(kind, "construct", lambda self, x: x * ops.sigmoid(x)))
        yield


def without(name: str) -> None:
    """Leaves out what MindSpore does not take, where it makes no difference."""
    if name == "rexnet_09":
        # first values that have no data yet; drawn ones take their place
        from mindcv.models.rexnet import ReXNetV1

        ReXNetV1._initialize_weights = lambda self: None
    if name == "pvt_tiny":
        # `ops.ResizeBilinear`, which is gone, of positions that have their size already
        from mindcv.models.pvt import PyramidVisionTransformer

        PyramidVisionTransformer._get_pos_embed = placed


def placed(self, positions, height, width, to_height, to_width):
    """Positions that have their size."""
    return positions


def made(name: str, mode: str = "PYNATIVE_MODE"):
    """The model with fixed weights, and pictures for it."""
    import mindspore as ms
    from mindcv.models import create_model

    ms.set_context(mode=getattr(ms, mode))
    without(name)
    net = create_model(name, num_classes=10)
    for parameter in net.get_parameters():
        values = drawn(parameter)
        if values is not None:
            quiet = QUIET.get(name, 1) if "qkv" in parameter.name else 1
            parameter.set_data(ms.Tensor(np.asarray(quiet * values, np.float32)))
    size = SIZES.get(name, 224)
    return net, ms.Tensor(np.random.RandomState(0).randn(BATCHES.get(name, 2), 3, size, size).astype(np.float32))


def trained(net, x, shape, still=("drop",)) -> dict:
    """Loss and length of a step of SGD, without what cells do in training whose names contain a word of `still`."""
    import mindspore as ms
    from mindspore import nn

    weights = ms.Tensor(np.random.RandomState(1).randn(*shape).astype(np.float32))

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, x):
            return (first(self.net(x)) * weights).mean()

    net.set_train(True)
    for _, cell in net.cells_and_names():
        if any(word in type(cell).__name__.lower() for word in still):
            cell.set_train(False)
    parameters = net.trainable_params()
    before = [p.asnumpy().copy() for p in parameters]
    loss = float(nn.TrainOneStepCell(Loss(), nn.SGD(parameters, 0.1))(x).asnumpy())
    moved = [p.asnumpy().astype(np.float64) - old for p, old in zip(parameters, before, strict=True)]
    return {"loss": loss, "step": float(np.sqrt(sum((m**2).sum() for m in moved)))}


def computed(name: str) -> dict:
    """What the model gives."""
    net, x = made(name)
    outputs = first(net.set_train(False)(x)).asnumpy()
    found = {"outputs": outputs.tolist(), **trained(net, x, outputs.shape)}
    if name in FAULTS or name in LIMITS:
        with smooth():
            told = trained(*made(name), outputs.shape, ("drop", "batchnorm"))
        found |= {f"smooth {what}": value for what, value in told.items()}
    if name in BOTH:
        net, x = made(name, "GRAPH_MODE")
        graph = first(net.set_train(False)(x)).asnumpy()
        told = {"outputs": graph.tolist(), **trained(net, x, graph.shape)}
        found |= {f"graph {what}": value for what, value in told.items()}
    return found


def compare(name: str) -> dict[str, float]:
    """The differences from what was recorded, relative to the largest number."""
    ours, recorded = computed(name), RECORDED[name]
    return {
        what: float(np.abs(np.subtract(ours[what], recorded[what])).max() / np.abs(recorded[what]).max())
        for what in recorded
    }


if __name__ == "__main__":
    name = sys.argv[-1]
    print(json.dumps({name: computed(name)} if sys.argv[1] == "record" else compare(name)))
