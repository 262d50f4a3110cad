"""Every row of the ways out belongs to a name that is known and not served, and reaches the message."""

import importlib
import sys

import pytest

import ms_compat as ms
from ms_compat._core.absent import is_served
from ms_compat._legacy import census, ways_out


@pytest.mark.parametrize("name", [n for n in ways_out.TABLE if n not in ("mindspore.graph", "mindspore.boost")])
def test_a_row_is_of_a_name_that_is_not_served(name):
    assert not is_served(name)
    assert census.known(name) or "._" in name or "Primitive" in name


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: ms.train.SummaryLandscape("a"), "Compute the losses"),
        (lambda: ms.graph.register_custom_pass, "XLA compiles"),
        (lambda: ms.boost.LessBN(None), "mindspore.amp"),
    ],
)
def test_the_message_tells_it(use, text):
    with pytest.raises(ms.UnsupportedError, match=text):
        made = use()
        made()


def test_a_missing_module_tells_it():
    ms.install()
    try:
        with pytest.raises(ModuleNotFoundError, match="derive a class"):
            importlib.import_module("mindspore.rewrite")
    finally:
        sys.modules["ms_compat.install"].uninstall()
