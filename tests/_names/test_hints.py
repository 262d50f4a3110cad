"""Every row of the ways out belongs to a name that is known and not served, and reaches the message."""

import importlib
import sys

import pytest

import ms_compat as ms
from ms_compat._names import api_index, hints
from ms_compat._names.placeholder import Placeholder
from ms_compat._names.resolve import InnerModule, resolve

# Modules of which a part is served, an object of which a part is, and a function that says more than its row.
PARTLY = {
    "mindspore.common.api._cell_graph_executor", "mindspore.export_split_mindir", "mindspore.graph",
    "mindspore.rewrite", "mindspore.train.export_split_mindir",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in hints.TABLE if name not in PARTLY])
def test_a_row_is_of_a_name_that_is_not_served(name):
    try:
        found = resolve(name)
    except (AttributeError, NotImplementedError):
        found = None
    if isinstance(found, InnerModule):
        assert not dir(found)  # what a module serves is listed
    else:
        assert found is None or isinstance(found, Placeholder)
    assert api_index.known(name) or "._" in name or "Primitive" in name


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: ms.nn.GetNextSingleOp([], [], "a"), "Iterate over the dataset"),
        (lambda: ms.ops.J, "vjp"),
    ],
)
def test_the_message_tells_it(use, text):
    with pytest.raises(ms.UnsupportedError, match=text):
        made = use()
        made()


def test_a_missing_module_tells_it():
    ms.install()
    try:
        with pytest.raises(ModuleNotFoundError, match="SymbolTree"):
            importlib.import_module("mindspore.rewrite.parsers")
    finally:
        sys.modules["ms_compat.install"].uninstall()
