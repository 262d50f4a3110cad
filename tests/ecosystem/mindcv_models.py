"""A model of mindcv: its outputs, and loss and length of one step of SGD, as JSON.

`mindcv.json` holds what MindSpore 2.10 gives on a CPU: `python mindcv_models.py NAME` under it prints the same. Weights
are drawn from the names of the Parameters, so that both begin alike; layers that drop at random do not.
"""

import json
import pathlib
import sys
import zlib

import numpy as np

RECORDED = json.loads(pathlib.Path(__file__).with_name("mindcv.json").read_text(encoding="utf-8"))
SIZES = {"mobilenet_v2_035_96": 96}
# Outputs and loss are the same to 1e-6; why the step is not is open, where the other nets with BatchNorm agree.
FAULTS = {"mnasnet_050": ({"step"}, "the length of the step differs by a five-hundredth")}


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


def computed(name: str) -> dict:
    """What the model gives."""
    import mindspore as ms
    from mindcv.models import create_model
    from mindspore import nn

    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = create_model(name, num_classes=10)
    for parameter in net.get_parameters():
        values = drawn(parameter)
        if values is not None:
            parameter.set_data(ms.Tensor(np.asarray(values, np.float32)))
    size = SIZES.get(name, 224)
    x = ms.Tensor(np.random.RandomState(0).randn(2, 3, size, size).astype(np.float32))
    net.set_train(False)
    outputs = first(net(x)).asnumpy()
    weights = ms.Tensor(np.random.RandomState(1).randn(*outputs.shape).astype(np.float32))

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = net

        def construct(self, x):
            return (first(self.net(x)) * weights).mean()

    net.set_train(True)
    for _, cell in net.cells_and_names():
        if "drop" in type(cell).__name__.lower():
            cell.set_train(False)
    trained = net.trainable_params()
    before = [p.asnumpy().copy() for p in trained]
    loss = float(nn.TrainOneStepCell(Loss(), nn.SGD(trained, 0.1))(x).asnumpy())
    moved = [p.asnumpy().astype(np.float64) - old for p, old in zip(trained, before, strict=True)]
    return {"outputs": outputs.tolist(), "loss": loss, "step": float(np.sqrt(sum((m**2).sum() for m in moved)))}


def compare(name: str) -> dict[str, float]:
    """The differences from what was recorded, relative to the largest number."""
    ours, recorded = computed(name), RECORDED[name]
    return {
        what: float(np.abs(np.subtract(ours[what], recorded[what])).max() / np.abs(recorded[what]).max())
        for what in recorded
    }


if __name__ == "__main__":
    print(json.dumps(compare(sys.argv[1])))
