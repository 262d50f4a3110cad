"""What newcomers write wrongly ends in MindSpore's class, a message that helps, and the user's line; in both modes."""

import json
import linecache
import pathlib
import sys
import traceback

import pytest

import ms_compat as ms
from ms_compat._core.diagnostics import tracebacks
from tests.messages import habit_mistakes
from tests.messages.mistakes import IN_GRAPH_MODE, MISTAKES, prelude, program

CLASSES = json.loads((pathlib.Path(__file__).parents[1] / "conformance/data/mistakes.json").read_text())["classes"]
PYTHONS = "what Python raises for a call that does not fit, in both modes; the compiler there has a class of its own"
DEPARTURES = {
    "gather_without_an_axis": ("TypeError", PYTHONS),
    "one_hot_without_depth": ("TypeError", PYTHONS),
    "full_without_a_value": ("TypeError", PYTHONS),
    "shape_called": ("TypeError", PYTHONS),
    "size_called": ("TypeError", PYTHONS),
    "dim_of_softmax": ("TypeError", PYTHONS),
    "dim_of_mean": ("TypeError", PYTHONS),
    "keepdim_of_sum": ("TypeError", PYTHONS),
    "vmap_of_numpy": ("TypeError", "MindSpore cannot put its call of Python into a vmap; here it is a graph break"),
    "vmap_with_a_format": ("TypeError", "MindSpore's vmap runs no Python, so that the text is never made"),
    "weights_as_text": ("TypeError", "an argument of a wrong type"),
    "construct_with_a_keyword_of_pytorch": ("TypeError", PYTHONS),
    "einsum_sizes": ("ValueError", "MindSpore's own message is not UTF-8: a UnicodeDecodeError"),
    "list_that_outlives_vmap": ("RuntimeError", "MindSpore's vmap runs no Python: its list stays empty"),
    "whole_graph_with_numpy": ("TypeError", "`fullgraph` refuses every graph break with one class"),
    "binary_labels_of_integers": ("TypeError", "an argument of a wrong type"),
}
DEPARTURES |= {name: ("TypeError", PYTHONS) for name, (code, _) in habit_mistakes.KEYWORDS.items() if code[:2] == "= "}
# what a message must not say: the words of JAX, and the classes of values under a trace
JAX_WORDS = ("jax has removed", "docs.jax.dev", "tracer", "jaxpr", "inplaceop", "object at 0x")


@pytest.fixture(autouse=True, scope="module")
def mindspore():
    ms.install.install()
    yield
    ms.uninstall()


def raised(name, mode):
    """The error of a mistake, and the name of the file it was made in; None if there was none."""
    text = program(MISTAKES[name][0])
    file = f"mistake_{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    run = (lambda f, *inputs: f(*inputs)) if mode == ms.PYNATIVE_MODE else (lambda f, *inputs: ms.jit(f)(*inputs))
    try:
        exec(compile(text, file, "exec"), prelude(name, run))
    except Exception as error:
        return error
    finally:
        del linecache.cache[file], sys.modules[f"mistake_{name}"]
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake(name, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wanted = IN_GRAPH_MODE.get(name, MISTAKES[name][1]) if mode == ms.GRAPH_MODE else MISTAKES[name][1]
    error = raised(name, mode)
    if wanted is None:
        assert error is None
        return
    assert error is not None
    recorded = CLASSES[name][mode == ms.GRAPH_MODE]
    classes = [kind.__name__ for kind in type(error).__mro__]
    assert recorded in classes or name in DEPARTURES and DEPARTURES[name][0] in classes, (recorded, classes)
    with tracebacks.shown(error):
        message = "".join(traceback.format_exception_only(error)).strip()
        shown = traceback.extract_tb(error.__traceback__)
    for word in wanted.replace("(", "|(").replace(")", ")|").split("|"):
        for part in [word] if word.startswith("(") else word.split():
            assert part in message
    assert not [word for word in JAX_WORDS if word in message.lower()], message
    assert not getattr(error, "__notes__", [])
    assert shown[-1].filename == f"mistake_{name}.py"


def test_there_are_many():
    assert len(MISTAKES) > 400
    assert set(CLASSES) == set(MISTAKES)
    assert set(DEPARTURES) <= set(MISTAKES)
