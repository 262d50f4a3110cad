"""Docstrings of Tensor's methods, and how many public names have an executed example."""

import doctest
import inspect

import pytest

from ms_compat import Tensor, mint, numpy, ops
from ms_compat._core.faces import find

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# The least number of names of each space whose docstring has an example; raise it when more have one.
EXAMPLES = {"ops": 581, "Tensor": 252, "mint": 168, "numpy": 122}


def docstrings(space):
    owner = {"ops": ops, "Tensor": Tensor, "mint": mint, "numpy": numpy}[space]
    return {name: inspect.getdoc(getattr(owner, name)) or "" for name in find(space) if not name.startswith("_")}


@pytest.mark.parametrize("space", EXAMPLES)
def test_examples_only_become_more(space):
    count = sum(">>>" in text for text in docstrings(space).values())
    assert count >= EXAMPLES[space], count


def test_the_examples_of_methods_that_functions_make_hold(capsys):
    """`test_doctests.py` finds what stands in a module; methods in place and casts are made by functions."""
    runner, parser = doctest.DocTestRunner(optionflags=FLAGS), doctest.DocTestParser()
    made = [name for name, face in find("Tensor").items() if face.kind == "in_place"]
    for name in [*made, "max", "min", "div", "divide", "new_zeros", "new_ones", "half", "float", "int", "bool"]:
        runner.run(parser.get_doctest(getattr(Tensor, name).__doc__, {}, f"Tensor.{name}", None, None))
    assert runner.failures == 0, capsys.readouterr().out
    assert runner.tries > 50


def test_a_method_in_place_says_so_and_names_the_arguments():
    text = Tensor.masked_fill_.__doc__
    assert (
        text.startswith("`masked_fill` in place; returns the tensor") and "mask" in text and "x.masked_fill_(" in text
    )
