"""What people write who come from PyTorch: MindSpore lacks it, and the sentence names what is there."""

import re

import pytest

import ms_compat as ms
from ms_compat import nn
from ms_compat._names import habits
from ms_compat._names.resolve import is_served

CELL = nn.Dense(2, 3)
OPTIMIZER = nn.Adam(CELL.trainable_params())
SENTENCES = [*habits.TENSOR.values(), *habits.CELL.values(), *habits.NAMES.values()]


@pytest.mark.parametrize("name", habits.TENSOR)
def test_members_of_tensor(name):
    tensor = ms.Tensor([1.0])
    with pytest.raises(AttributeError, match=re.escape(habits.TENSOR[name])):
        getattr(tensor, name)
    assert not hasattr(ms.Tensor, name)
    assert name not in dir(tensor)
    assert name not in dir(ms.Tensor)


@pytest.mark.parametrize("name", habits.CELL)
def test_members_of_a_cell(name):
    with pytest.raises(AttributeError, match=re.escape(habits.CELL[name])):
        getattr(CELL, name)


@pytest.mark.parametrize("name", habits.NAMES)
def test_names_of_modules(name):
    assert not is_served(name)
    with pytest.raises((AttributeError, NotImplementedError), match=re.escape(habits.NAMES[name])):
        found = ms
        for part in name.split(".")[1:]:
            found = getattr(found, part)


def test_what_the_sentences_name_is_there():
    for sentence in SENTENCES:
        for name in re.findall(r"mindspore(?:\.\w+)+", sentence):
            assert is_served(name), name
    for sentence in habits.CELL.values():
        for name in re.findall(r"'(\w+)\(", sentence):
            assert hasattr(OPTIMIZER, name) or name == "optimizer", name


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: nn.Dense(2, 3, bias=False), "argument 'bias'. It is called 'has_bias' here."),
        (lambda: nn.Conv2d(2, 3, 3, bias=False), "It is called 'has_bias' here."),
        (lambda: nn.SGD(CELL.trainable_params(), lr=0.1), "It is called 'learning_rate' here."),
        (lambda: nn.Dense(in_features=2, out_channels=3), "It is called 'in_channels' here."),
        (lambda: nn.Embedding(num_embeddings=2, embedding_size=3), "It is called 'vocab_size' here."),
        (lambda: nn.Dense(2, 3, device="cuda"), "mindspore.set_device"),
        (lambda: nn.ReLU(inplace=True), "MindSpore has no 'inplace' here; leave it out."),
    ],
)
def test_arguments_of_constructors(make, text):
    with pytest.raises(TypeError, match=re.escape(text)):
        make()


def test_a_class_of_the_users_has_arguments_of_any_name():
    class Net(nn.Cell):
        def __init__(self, lr, bias):
            super().__init__()
            self.given = (lr, bias)

    assert Net(lr=1, bias=2).given == (1, 2)
