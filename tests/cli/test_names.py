"""The reader of source files: which names of MindSpore are used where, and whether a run is bound to come there."""

import ast
import textwrap

import pytest

from ms_compat.cli._names import Local, Visitor


def uses(source, kinds=("use", "mention", "name", "module")):
    visitor = Visitor()
    visitor.visit(ast.parse(textwrap.dedent(source)))
    return [(use.dotted.removeprefix("mindspore"), use.line, use.needed) for use in visitor.uses if use.kind in kinds]


def names(source):
    return [dotted for dotted, _, _ in uses(source, ("use", "mention"))]


BINDINGS = {
    "import mindspore\nmindspore.nn.Dense(1, 2)": [".nn.Dense"],
    "import mindspore as ms\nms.nn.Dense(1, 2)": [".nn.Dense"],
    "import mindspore.nn\nmindspore.nn.Dense(1, 2)": [".nn.Dense"],
    "import mindspore.nn as layers\nlayers.Dense(1, 2)": [".nn.Dense"],
    "from mindspore import nn, Tensor as T\nnn.Dense(T(1))": [".nn.Dense", ".Tensor"],
    "from mindspore.ops import operations as P\nP.ReLU()(x)": [".ops.operations.ReLU"],
    "import mindspore as ms\nP = ms.ops\nP.relu(x)": [".ops", ".ops.relu"],
    "import mindspore as ms\nx = [ms.float32, ms.nn.ReLU]": [".float32", ".nn.ReLU"],
    "import mindspore as ms\nf(x, key=ms.int8)": [".int8"],
    "import mindspore_lite as lite\nlite.Model()": [],
    "import torch.nn as nn\nnn.Linear(1, 2)": [],
}


@pytest.mark.parametrize(("source", "expected"), BINDINGS.items())
def test_what_a_name_stands_for(source, expected):
    assert names(source) == expected


SHADOWED = {
    "parameter": "from mindspore import nn\ndef f(nn):\n    return nn.Dense",
    "assignment": "from mindspore import ops\ndef f():\n    ops = make()\n    return ops.relu",
    "loop": "from mindspore import ops\ndef f():\n    for ops in x:\n        ops.relu()",
    "module level": "from mindspore import ops\nops = make()\nops.relu()",
    "lambda": "from mindspore import ops\nlambda ops: ops.relu",
    "a local import": "from mindspore import nn\ndef f():\n    import torch.nn as nn2\n    return nn2.Dense",
}


@pytest.mark.parametrize("source", SHADOWED.values(), ids=SHADOWED)
def test_an_inner_name_hides_an_outer_one(source):
    assert names(source) == []


def test_a_class_body_does_not_hide_names_from_its_methods():
    source = "from mindspore import ops\nclass A:\n    ops = 3\n    def f(self):\n        return ops.relu(1)\n"
    assert names(source) == [".ops.relu"]


def test_what_is_bound_to_be_reached():
    source = """
        import mindspore as ms
        from mindspore import nn
        try:
            import mindspore.boost
        except ImportError:
            pass
        class Net(nn.Cell):
            size = ms.a
            def construct(self, x: ms.Tensor, y=ms.b) -> ms.c:
                return ms.d(x)
        if flag:
            ms.e()
        with ms.f():
            ms.g()
        for x in y:
            ms.h()
        @ms.jit
        def g():
            ms.i()
        if __name__ == "__main__":
            ms.j()
        else:
            ms.k()
    """
    reached = {dotted: needed for dotted, _, needed in uses(source) if dotted}
    assert {name for name, needed in reached.items() if needed} == {
        ".nn", ".nn.Cell", ".a", ".b", ".f", ".g", ".jit", ".j",
    }  # fmt: skip
    assert {name for name, needed in reached.items() if not needed} == {
        ".boost", ".Tensor", ".c", ".d", ".e", ".h", ".i", ".k",
    }  # fmt: skip


def test_lines_are_the_source_s():
    assert uses("import mindspore as ms\n\n\nms.x()\n", ("use",)) == [(".x", 4, True)]


def test_uses_are_told_from_mentions():
    source = "import mindspore as ms\nclass A(ms.a): pass\n@ms.b\ndef f(): pass\nms.c()\nms.d\n[ms.e]\n"
    assert [dotted for dotted, _, _ in uses(source, ("use",))] == [".a", ".b", ".c"]
    assert [dotted for dotted, _, _ in uses(source, ("mention",))] == [".d", ".e"]


def test_other_imports_are_candidates_for_local_modules():
    visitor = Visitor()
    visitor.visit(ast.parse("import a.b\nfrom .c import d, e\ndef f():\n    import g\n"))
    assert visitor.locals == [
        Local("a.b", (), 0, True),
        Local("c", ("d", "e"), 1, True),
        Local("g", (), 0, False),
    ]
