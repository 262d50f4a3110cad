"""The scan follows a program's own modules and says which missing names are bound to stop it."""

import pytest

from ms_compat.cli._scan import scan


def found(path):
    return [(item.file, item.line, item.name, item.stops) for item in scan(path)]


def test_served_names_are_not_reported(program):
    folder = program(
        main="import mindspore as ms\nfrom mindspore import context\ncontext.set_context(mode=ms.context.GRAPH_MODE)\n"
    )
    assert scan(folder / "main.py") == []


def test_inner_modules_count_as_their_public_one(program):
    folder = program(main="from mindspore.common import api\nfrom mindspore.common.api import context\napi.context\n")
    assert scan(folder / "main.py") == []


def test_a_known_name_may_be_imported_and_mentioned_but_not_used(program, missing):
    folder = program(
        main=f"from mindspore.ops import {missing}\nx = [{missing}]\ndef f():\n    {missing}()\n{missing}()\n"
    )
    name = f"mindspore.ops.{missing}"
    assert found(folder / "main.py") == [
        ("main.py", 1, name, False),
        ("main.py", 2, name, False),
        ("main.py", 4, name, False),
        ("main.py", 5, name, True),
    ]


def test_an_unknown_name_or_module_stops_at_its_import(program):
    folder = program(main="from mindspore.context import nope\nimport mindspore.nope\n")
    assert found(folder / "main.py") == [
        ("main.py", 1, "mindspore.context.nope", True),
        ("main.py", 2, "mindspore.nope", True),
    ]


def test_an_optional_import_does_not(program):
    folder = program(main="try:\n    import mindspore.nope as x\nexcept ImportError:\n    x = None\n")
    assert found(folder / "main.py") == [("main.py", 2, "mindspore.nope", False)]


def test_the_nearest_name_is_told(program):
    folder = program(main="import mindspore as ms\nms.context.set_contxt()\n")
    (item,) = scan(folder / "main.py")
    assert item.nearest == "mindspore.context.set_context"
    assert str(item) == (
        "main.py:2: MindSpore 2.10 has no name mindspore.context.set_contxt; "
        "the nearest is mindspore.context.set_context"
    )


@pytest.mark.parametrize(
    "statement",
    [
        "import pkg.sub",
        "from pkg import sub",
        "from pkg.sub import x",
        "import pkg.sub as s",
    ],
)
def test_local_modules_are_followed(program, statement):
    folder = program(main=f"{statement}\n", pkg____init__="", pkg__sub="from . import low\n", pkg__low="")
    (folder / "pkg" / "low.py").write_text("from mindspore.context import nope\n")
    assert found(folder / "main.py") == [("pkg/low.py", 1, "mindspore.context.nope", True)]


def test_a_module_imported_inside_a_function_may_never_be_reached(program):
    folder = program(main="def f():\n    import late\n", late="from mindspore.context import nope\n")
    assert found(folder / "main.py") == [("late.py", 1, "mindspore.context.nope", False)]


def test_a_module_that_is_reached_twice_counts_as_needed(program):
    folder = program(main="def f():\n    import late\nimport late\n", late="from mindspore.context import nope\n")
    assert found(folder / "main.py") == [("late.py", 1, "mindspore.context.nope", True)]


def test_modules_that_import_each_other_and_broken_ones_end_the_search(program):
    folder = program(main="import a\nimport broken\n", a="import main\nimport a\n", broken="def (:\n")
    assert scan(folder / "main.py") == []


def test_names_of_inner_modules_are_served_under_their_own_path(program):
    folder = program(
        main="from mindspore.ops.auto_generate.gen_ops_prim import SumExt\n"
        "from mindspore.ops.operations._grad_ops import ReluGrad\n"
        "from mindspore.common.initializer import _assignment\n"
        "from mindspore.train._utils import _make_directory\nSumExt(), ReluGrad(), _assignment, _make_directory\n"
    )
    assert scan(folder / "main.py") == []
