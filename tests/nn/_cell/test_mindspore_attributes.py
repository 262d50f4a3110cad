"""What MindSpore's Cells, callbacks and samplers have for subclasses, compared with recorded attributes.

python -m tests.nn._cell.test_mindspore_attributes      # writes mindspore_attributes_left_out.txt
"""

import copy
import functools
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat.nn.layer.rnn_cells import RNNCellBase
from tests.nn._cell import mindspore_attribute_samples

RECORDED = json.loads((Path(__file__).parents[2] / "conformance/data/held_attributes.json").read_text("utf-8"))
LEFT_OUT = Path(__file__).parent / "mindspore_attributes_left_out.txt"
HEAD = (
    "# Made by `python -m tests.nn._cell.test_mindspore_attributes`: attributes that are absent, or with ~ are "
    "something else here.\n"
)
CLASSES = RECORDED["classes"]
X = Tensor(np.random.RandomState(0).randn(2, 3, 8, 8).astype(np.float32))
ROWS = X[:, :, 0, 0]


def departures(expr):
    """The attributes of an instance that are not what was recorded."""
    try:
        cell = mindspore_attribute_samples.make(expr, ms)
    except ms.UnsupportedError:
        return ["~"]
    found = []
    for name, wanted in CLASSES[expr].items():
        if not hasattr(cell, name):
            found.append(name)
        elif "time" not in name and mindspore_attribute_samples.told(getattr(cell, name)) != wanted:
            found.append("~" + name)
    return found


@functools.cache
def left_out():
    rows = [row.partition(": ") for row in LEFT_OUT.read_text("utf-8").splitlines() if not row.startswith("#")]
    return {expr: names.split() for expr, _, names in rows}


@pytest.mark.parametrize("expr", CLASSES)
def test_attributes(expr):
    assert departures(expr) == left_out().get(expr, []), "run: python -m tests.nn._cell.test_mindspore_attributes"


@pytest.mark.parametrize(
    ("cell", "own"),
    [
        (nn.Dense(3, 4), lambda c: (c.bias_add(c.matmul(ROWS, c.weight), c.bias), c(ROWS))),
        (nn.Conv2d(3, 4, 3, has_bias=True), lambda c: (c.bias_add(c.conv2d(X, c.weight), c.bias), c(X))),
        (
            nn.Conv2d(3, 6, 3, stride=2, pad_mode="pad", padding=1, group=3),
            lambda c: (c.conv2d(X, c.weight), c(X)),
        ),
        (nn.Conv2dTranspose(3, 4, 3), lambda c: (c.conv2d_transpose(X, c.weight, (2, 4, 8, 8)), c(X))),
        (nn.LayerNorm((8,), epsilon=1e-5), lambda c: (c.layer_norm(X, c.gamma, c.beta)[0], c(X))),
        (nn.MaxPool2d(2, 2), lambda c: (c.max_pool(X), c(X))),
        (nn.AvgPool2d(3, 2, "same"), lambda c: (c.avg_pool(X), c(X))),
        (nn.Softmax(), lambda c: (c.softmax(ROWS), c(ROWS))),
        (
            nn.BatchNorm2d(3),
            lambda c: (
                c.bn_infer(X, c.gamma, c.beta, c.moving_mean, c.moving_variance)[0],
                c.set_train(False)(X),
            ),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_subclass_computes_with_the_primitive(cell, own):
    with_primitive, result = own(cell)
    np.testing.assert_allclose(with_primitive.asnumpy(), result.asnumpy(), rtol=1e-6, atol=1e-6)


def test_a_child_may_have_the_name_of_a_primitive():
    class Net(nn.Conv2d):
        def __init__(self):
            super().__init__(3, 4, 3)
            self.conv2d = nn.Conv2d(3, 4, 1)

    assert [p.name for p in Net().get_parameters()] == ["weight", "conv2d.weight"]


def test_primitives_are_kept_and_copied():
    cell = nn.Dense(2, 3)
    assert cell.matmul is cell.matmul
    assert copy.deepcopy(cell).matmul.transpose_b and pickle.loads(pickle.dumps(cell.matmul)).transpose_b
    assert not hasattr(cell, "layer_norm")


def test_a_training_step_of_a_subclass_fills_with_its_sensitivity():
    class Step(nn.TrainOneStepCell):
        def construct(self, x):
            loss = self.network(x)
            sens = ops.fill(loss.dtype, loss.shape, self.sens)
            grads = self.grad(self.network, self.weights)(x, sens)
            self.optimizer(self.grad_reducer(grads))
            return loss

    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    step = Step(net, nn.SGD(net.trainable_params(), 0.5))
    step(Tensor([[1.0, 2.0]]))
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.5, 0.0]])


def test_an_optimizer_maps_over_its_parameters():
    class Halving(nn.Optimizer):
        def construct(self, gradients):
            return self.hyper_map(lambda p, g: ops.assign(p, p - g / 2), self._parameters, gradients)

    weight = Parameter(Tensor([3.0]), name="w")
    Halving(0.1, [weight])((Tensor([2.0]),))
    assert weight.asnumpy() == [2.0]


def write():
    rows = {expr: departures(expr) for expr in CLASSES}
    LEFT_OUT.write_text(HEAD + "".join(f"{e}: {' '.join(n)}\n" for e, n in rows.items() if n), encoding="utf-8")


if __name__ == "__main__":
    write()


def test_a_recurrent_cell_of_a_program_takes_the_parameters():
    class Plain(RNNCellBase):
        def __init__(self):
            super().__init__(2, 3, has_bias=True, num_chunks=1)

        def construct(self, x, h):
            return ops.tanh(ops.dense(x, self.weight_ih, self.bias_ih) + ops.dense(h, self.weight_hh, self.bias_hh))

    cell, given = Plain(), nn.RNNCell(2, 3)
    assert [p.name for p in cell.get_parameters()] == ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    before = cell.weight_hh.asnumpy()
    cell.reset_parameters()
    assert (before != cell.weight_hh.asnumpy()).any()
    ms.load_param_into_net(given, cell.parameters_dict())
    x, h = ROWS[:, :2], ROWS
    np.testing.assert_allclose(cell(x, h).asnumpy(), given(x, h).asnumpy(), rtol=1e-5)
