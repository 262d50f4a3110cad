"""Each primitive class has a docstring, made from its row (`ops/_documentation`)."""

import subprocess
import sys

import pytest

from ms_compat import ops
from ms_compat.ops import primitive
from ms_compat.ops._documentation import examples, texts

CLASSES = {name: getattr(ops, name) for name in dir(ops) if name[0].isupper()}
TABLES = {
    name: made
    for name, made in CLASSES.items()
    if isinstance(vars(made).get("__doc__") if isinstance(made, type) else None, primitive._Documentation)
}


def test_no_primitive_is_without_a_docstring():
    made = {name for name, found in CLASSES.items() if isinstance(found, type)}
    assert len(made) > 500
    assert len(TABLES) > 500
    assert not {name for name in made if not (CLASSES[name].__doc__ or "").strip()}


def test_a_docstring_names_the_arguments_of_the_constructor_and_of_the_call():
    for name, made in TABLES.items():
        text, row = made.__doc__, made._row
        summary, _, rest = text.partition("\n\n")
        assert summary.endswith((".", ")")) and len(summary) > 12, name
        assert f"{name}(" in rest, name
        settings, _, inputs = rest.partition("Inputs:\n")
        inputs = inputs if row.inputs else ""
        said = [line.strip() for line in settings.splitlines()]
        for key in row.parameters:
            assert any(line.startswith((f"{key}:", f"{key} (")) for line in said), (name, key)
        for key in row.inputs:
            assert f"\n    {key if isinstance(key, str) else key[0]}: " in f"\n{inputs}", (name, key)
        assert ": a setting." not in text and ": an input." not in text, name


def test_what_stands_in_the_tables_belongs_to_a_primitive():
    for name in {**texts.FUNCTIONS, **texts.SUMMARIES, **examples.EXAMPLES}:
        assert name in TABLES, name
    for name in texts.FUNCTIONS.values():
        assert callable(getattr(ops, name))


@pytest.mark.parametrize("name", ["Concat", "Softmax"])
def test_an_example_ends_the_docstring(name):
    assert getattr(ops, name).__doc__.endswith(f"{examples.example(name)}\n")


def test_texts_are_made_when_they_are_read():
    code = (
        "import sys; from ms_compat import ops; ops.ReduceSum, ops.ReLU;"
        "made = [n for n in sys.modules if n.startswith('ms_compat.ops._documentation')];"
        "assert not made, made; assert 'The sum over' in ops.ReduceSum.__doc__"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_sharded_primitive_keeps_its_class_s_docstring():
    assert type(ops.ReLU().shard(((1, 1),))).__doc__ == ops.ReLU.__doc__
