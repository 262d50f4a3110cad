"""Checks of arguments that packages import."""

import pytest

from ms_compat._names.resolve import resolve


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_types_of_arguments_by_keyword_are_checked():
    """As MindSpore's: of a function with `**kwargs`, these alone."""

    @inner("_checkparam.args_type_check")(first=int, size=(int, float), name=str)
    def run(*args, **kwargs):
        return args, kwargs

    assert run(1, size=2.5, name=None, other=[]) == ((1,), {"size": 2.5, "name": None, "other": []})
    with pytest.raises(TypeError, match="name"):
        run(name=3)

    @inner("_checkparam.args_type_check")(first=int)
    def plain(first, second=None):
        return first, second

    assert plain(1, "x") == (1, "x")
    with pytest.raises(TypeError, match="first"):
        plain("x")
