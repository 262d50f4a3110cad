"""The docstrings that `numpy/_docstrings.py` makes: their examples hold, and they name the arguments."""

import doctest
import inspect

import pytest

from ms_compat import numpy
from ms_compat._core.faces import find

MADE = sorted(name for name, face in find("numpy").items() if face.kind)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_arguments_are_named():
    for name in MADE:
        function = getattr(numpy, name)
        for key in inspect.signature(function).parameters:
            assert f"\n    {key}: " in function.__doc__, (name, key)


def test_the_examples_hold(capsys):
    runner, parser = doctest.DocTestRunner(optionflags=FLAGS), doctest.DocTestParser()
    for name in MADE:
        runner.run(parser.get_doctest(getattr(numpy, name).__doc__, {}, f"numpy.{name}", None, None))
    assert runner.failures == 0, capsys.readouterr().out
    assert runner.tries > 100


@pytest.mark.parametrize(("name", "said"), [("sin", "Float16"), ("maximum", "The larger"), ("sqrt", "numpy.sqrt(x)")])
def test_a_docstring_says_what_differs_from_the_operation(name, said):
    assert said in getattr(numpy, name).__doc__
