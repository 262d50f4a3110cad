"""A keyword that a function does not take: the message has MindSpore's name for it."""

import sys

import pytest

import ms_compat as ms
from ms_compat import dataset, mint, nn, ops, train
from ms_compat._core.diagnostics import tracebacks
from ms_compat._core.dispatch import keywords

X = ms.Tensor([[1.0, 2.0]])
NET = nn.Dense(2, 2)
DATA = dataset.NumpySlicesDataset([1, 2], ["a"], shuffle=False)


@pytest.mark.parametrize("row", keywords._SAME)
def test_names_of_one_argument_lead_to_each_other(row):
    names = row.split()
    for name in names:
        for known in names:
            if name not in (known, "self") and known != "self":
                assert keywords.hint(name, ["first", known]) == f"It is called '{known}' here."


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: ops.concat((X, X), dim=0), "It is called 'axis' here."),
        (lambda: mint.cat((X, X), axis=0), "It is called 'dim' here."),
        (lambda: ops.tensor_split(X, 1, dim=0), "It is called 'axis' here."),
        (lambda: ms.tensor([1.0], requires_grad=True), "mindspore.grad"),
        (lambda: ms.Tensor([1.0], requires_grad=True), "mindspore.grad"),
        (lambda: ops.ones((2,), device="cuda"), "mindspore.set_device"),
        (lambda: DATA.batch(2, drop_last=True), "It is called 'drop_remainder' here."),
        (lambda: DATA.map(len, input_column=["a"]), "Did you mean 'input_columns'?"),
        (lambda: dataset.GeneratorDataset([1], columns_names=["a"]), "It is called 'column_names' here."),
        (lambda: train.Model(NET).train(epochs=1, train_dataset=DATA), "It is called 'epoch' here."),
        (lambda: train.ModelCheckpoint(colour=1), "It takes: prefix, directory, config."),
        (
            lambda: nn.BatchNorm2d(3, epsilon=1e-5),
            "BatchNorm2d.__init__() got an unexpected keyword argument 'epsilon'.",
        ),
        (lambda: X.max(colour=1), "colour"),
    ],
)
def test_an_uncaught_error_says_what_to_write(call, hint):
    with pytest.raises(TypeError) as error:
        call()
    with tracebacks.shown(error.value):
        assert hint in str(error.value)


@pytest.mark.parametrize("kind", [nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Dense, nn.Embedding, nn.LayerNorm, nn.GroupNorm])
def test_layers_name_what_they_take(kind):
    with pytest.raises(TypeError, match=rf"{kind.__name__}.__init__\(\) got an unexpected .* 'colour'. It takes: "):
        kind(colour=1)


def test_the_caught_error_keeps_pythons_message():
    with pytest.raises(TypeError) as error:
        ops.concat((X, X), dim=0)
    before = error.value.args
    with tracebacks.shown(error.value):
        assert error.value.args != before
    assert error.value.args == before


def test_functions_of_others_get_no_hint():
    def concat_of_mine(axis):
        return axis

    with pytest.raises(TypeError) as error:
        concat_of_mine(dim=1)
    assert keywords.completed(str(error.value)) is None
    assert keywords.completed("mine() got an unexpected keyword argument 'dim'") is None


def test_a_guess_of_python_makes_room_for_the_hint(monkeypatch):
    """Python 3.13 guesses by spelling alone."""
    monkeypatch.setitem(sys.modules, "ms_compat._test_of_keywords", type(sys)("ms_compat._test_of_keywords"))
    exec("def f(keep_dims, axis): pass", vars(sys.modules["ms_compat._test_of_keywords"]))
    message = "f() got an unexpected keyword argument 'keepdims'. Did you mean 'keep_dims'?"
    assert keywords.completed(message) == (
        "f() got an unexpected keyword argument 'keepdims'. It is called 'keep_dims' here."
    )


def test_functions_of_one_name_are_distinguished():
    """Python's message gives the name alone, and both are public."""
    assert mint.distributed.gather is not ops.gather
    message = keywords.completed("gather() got an unexpected keyword argument 'dim'")
    assert message is not None and "If it was 'mindspore.ops.gather': It is called 'axis' here." in message
