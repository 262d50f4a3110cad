"""Objects of classes derived from dict, as model libraries return them, keep their class across compiled calls."""

import collections
import dataclasses

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn


@dataclasses.dataclass
class Output(collections.OrderedDict):
    """A model's output: a field that is set is an item, too, and an item can be asked for by its number."""

    loss: Tensor | None = None
    logits: Tensor | None = None
    hidden: tuple | None = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) is not None:
                self[field.name] = getattr(self, field.name)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        object.__setattr__(self, key, value)

    def __getitem__(self, key):
        return dict(self.items())[key] if isinstance(key, str) else list(self.values())[key]

    def pop(self, *args):
        raise TypeError("an output stays as it is")


class Net(nn.Cell):
    def construct(self, x):
        out = Output(logits=x * 2, hidden=(x, x + 1))
        out.note = "kept"
        return out


class Attributes(dict):
    """Items without attributes of their own."""

    def __getattr__(self, name):
        return self[name]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_an_output_keeps_its_class(mode):
    ms.set_context(mode=mode)
    net = Net()
    for start in (1.0, 3.0):  # the second call is not traced
        out = net(Tensor([start]))
        assert type(out) is Output and list(out) == ["logits", "hidden"]
        assert out.logits is out["logits"] is out[0] and out.loss is None and out.note == "kept"
        assert out.logits.asnumpy().tolist() == [2 * start]
        assert out.hidden[1].asnumpy().tolist() == [start + 1]


def test_an_argument_keeps_its_class():
    @ms.jit(fullgraph=True)
    def total(given, options):
        return given.logits + given[1][0] * options.scale

    for start in (1.0, 3.0):
        given = Output(logits=Tensor([start]), hidden=(Tensor([5.0]),))
        assert total(given, Attributes(scale=2)).asnumpy().tolist() == [start + 10]
    assert total(given, Attributes(scale=3)).asnumpy().tolist() == [18.0]


def test_the_gradient_function_hands_an_output_on():
    def forward(x):
        out = Net()(x)
        return out.logits.sum(), out

    @ms.jit
    def step(x):
        return ms.value_and_grad(forward, has_aux=True)(x)

    (_, out), grad = step(Tensor([4.0]))
    assert type(out) is Output and out.hidden[1].asnumpy().tolist() == [5.0] and grad.asnumpy().tolist() == [2.0]


def test_an_ordered_dict_comes_back_as_a_dict():
    @ms.jit
    def made(x):
        return collections.OrderedDict(a=x)

    assert type(made(Tensor([1.0]))) is dict
