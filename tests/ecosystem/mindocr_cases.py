"""mindocr's nets that find, read and understand text: outputs, and a step under mindocr's own losses.

Under MindSpore 2.10 mindocr imports with a stand-in for `mindspore.parallel._transformer` alone, which ABINet computes
with and the others do not; ABINet is therefore not tried. What MindSpore does not compute is not recorded either:
TableMaster in GRAPH_MODE, whose lambdas it does not take; DBNet's step in GRAPH_MODE, where it adds gradients of two
shapes; SVTR's of PP-OCRv3, which calls `ops.transpose` by a name that is gone; YOLOv8's, which takes `max` of an axis
for a Tensor in PYNATIVE_MODE, and in GRAPH_MODE asks for `MaxPoolGradGrad`.
"""

import functools

try:
    from tests.ecosystem import cells, mindocr_nets, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import mindocr_nets
    import recorded

# These compute a part in Float16: a unit in the last place is 1e-3.
HALF = {"TableMaster", "LayoutXLM relations"}
# In these the step hangs on rounding: of the numbers before ReLU some are nearer to 0 than it is. On one picture CRNN's
# gradient is 5e-3 of its length from that in Float64, MindSpore's 1.7e-2; 58 gates of VisionLAN are not MindSpore's.
KINKS = {"CRNN ResNet34", "VisionLAN", "SVTR"}


def itself(loss):
    """A loss as it is."""
    return loss


def net(name: str, mode: str) -> dict:
    """A net's outputs."""
    model, inputs = mindocr_nets.made(name)
    if name == "RobustScanner":
        inputs = (*inputs, *mindocr_nets.asked(name))
    return cells.forward(model, inputs, mode)


def trained(name: str, mode: str) -> dict:
    """A step of a net under its loss."""
    from mindocr.losses import build_loss
    from mindspore import nn

    model, inputs = mindocr_nets.made(name)
    kind, arguments = mindocr_nets.NETS[name][2]
    loss, labels = build_loss(kind, **arguments), mindocr_nets.labels(name)

    class WithLoss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.model, self.loss = model, loss

        def construct(self, *inputs):
            return self.loss(self.model(*inputs), *labels)

    return cells.step(WithLoss(), (*inputs, *mindocr_nets.asked(name)), mode, itself)


CASES = {
    f"{what.__name__} {name} {mode}": functools.partial(what, name, mode)
    for name, (_, _, loss) in mindocr_nets.NETS.items()
    for what in (net, trained)[: 1 + (loss is not None)]
    for mode in cells.MODES
}


def limit(case: str) -> float:
    """How far a case may be off."""
    name = CASES[case].args[0]
    return 1e-3 if name in HALF or (name in KINKS and CASES[case].func is trained) else 1e-4


if __name__ == "__main__":
    recorded.main("mindocr_cases", CASES)
