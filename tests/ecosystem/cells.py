"""What a net of any package gives: outputs, and loss, gradients and a step of training, in either mode."""

import numpy as np

try:
    from tests.ecosystem import mindcv_models
except ImportError:  # under MindSpore the file runs alone
    import mindcv_models

MODES = ("PYNATIVE_MODE", "GRAPH_MODE")


def flat(value) -> list:
    """The Tensors of nested sequences and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [item for part in value for item in flat(part)]
    return [value] if hasattr(value, "asnumpy") else []


def fixed(net):
    """The net with weights that are drawn from the names of its Parameters."""
    import mindspore as ms

    for parameter in net.get_parameters():
        values = mindcv_models.drawn(parameter)
        if values is not None:
            parameter.set_data(ms.Tensor(np.asarray(values, np.float32)))
    return net


def without_dropout(net):
    """The net in training, but for layers that drop at random."""
    net.set_train(True)
    for _, cell in net.cells_and_names():
        if "drop" in type(cell).__name__.lower():
            cell.set_train(False)
    return net


def shown(tensors) -> dict:
    """Norms of Tensors, and some of their numbers."""
    values = [tensor.asnumpy().astype(np.float64) for tensor in tensors]
    return {
        "sizes": [np.linalg.norm(value) for value in values],
        "some": [x for value in values for x in value.reshape(-1)[:: max(1, value.size // 5)][:5]],
    }


def forward(net, inputs, mode: str) -> dict:
    """Outputs of the net as it is after training."""
    import mindspore as ms

    ms.set_context(mode=getattr(ms, mode))
    return shown(flat(fixed(net).set_train(False)(*inputs)))


def mixed(outputs):
    """A loss that hangs on every output."""
    total = 0.0
    for tensor in outputs if isinstance(outputs, (tuple, list)) else (outputs,):
        total = total + (tensor.float() * (tensor.float() + 0.5).tanh()).mean()
    return total


def step(net, inputs, mode: str, loss=mixed) -> dict:
    """Loss, gradients and one step of SGD, of a loss of the net's outputs."""
    import mindspore as ms
    from mindspore import nn

    ms.set_context(mode=getattr(ms, mode))
    without_dropout(fixed(net))

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.net = net

        def construct(self, *inputs):
            return loss(self.net(*inputs))

    trained = net.trainable_params()
    before = [p.asnumpy().astype(np.float64) for p in trained]
    value, gradients = ms.value_and_grad(Loss(), None, trained)(*inputs)
    nn.SGD(trained, 0.1)(gradients)
    sizes = [np.linalg.norm(g.asnumpy().astype(np.float64)) for g in gradients]
    moved = [p.asnumpy().astype(np.float64) - old for p, old in zip(trained, before, strict=True)]
    return {
        "loss": [value.asnumpy()],
        "gradient": [np.linalg.norm(sizes)],
        "gradients": sizes[:: max(1, len(sizes) // 16)],
        "step": [np.sqrt(sum((m**2).sum() for m in moved))],
    }
