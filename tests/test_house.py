"""The layout and the language of the source tree do not get worse: bounds of the figures of `tests/house.py`."""

import pytest

from tests import house

# Lower a bound when its figure has fallen (`python -m tests.house` prints both). None is ever raised, but that of the
# mirrored tests, which is a least value and only rises.
BOUNDS = {
    "files in _core": 14,
    "files in dataset": 8,
    "files in _compile": 7,
    "files in any other folder": 24,
    "modules in circles": 0,
    "files and subfolders of a room in circles": 15,
    "rooms in circles": 10,
    "private JAX names outside jax_compat": 0,
    "private JAX imports without fallback": 3,
    "private JAX imports in functions without fallback": 1,
    "private JAX attributes without fallback": 0,
    "mirrored tests, %": 57,
    "prose: is no X": 0,
    "prose: is told": 0,
    "prose: lies": 6,
    "prose: that of": 0,
    "prose: so do": 0,
    "prose: asks for": 0,
    "prose: of ... of": 14,
    "prose: coined words": 0,
    "coined names": 0,
}


@pytest.mark.parametrize("name", BOUNDS)
def test_no_figure_gets_worse(name):
    figure, bound = house.figures()[name], BOUNDS[name]
    rises = name == house.RISING
    if figure.count < bound if rises else figure.count > bound:
        places = house.newest(figure.places)
        shown = [*places[:25], *([f"... `python -m tests.house '{name}'` prints all"] if len(places) > 25 else [])]
        limit = f"must be at {'least' if rises else 'most'} {bound}"
        pytest.fail(f"{name}: {figure.count}, {limit}. Files changed last come first:\n  " + "\n  ".join(shown))


def test_every_figure_has_a_bound():
    assert list(house.figures()) == list(BOUNDS)


# -- the figures themselves, of a small tree


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    files = {
        "ms_compat/__init__.py": "",
        "ms_compat/_core/__init__.py": "",
        "ms_compat/_core/jax_compat.py": """
            from jax._src import core as _core
            try:
                from jax._src.array import ArrayImpl
            except ImportError:
                from jaxlib._jax import ArrayImpl
            try:
                from jax.core import Tracer
            except ImportError as missing:
                raise ImportError("no Tracer") from missing
            has_time = hasattr(x, "_time")
            def f(x):
                from jax._src.export import shape_poly
                _core.one, _core.one, x._sorted_terms, getattr(x, "_committed", False), x._time
            """,
        "ms_compat/_core/op.py": """
            import jax
            if TYPE_CHECKING:
                from ms_compat.nn.cell import Cell
            class Entry:
                _own = 1
            def f(x):
                return x._own, x._evaluate, jax.core.Tracer
            """,
        "ms_compat/nn/__init__.py": "from ms_compat.nn.cell import Cell",
        "ms_compat/nn/cell.py": '''
            """What a Cell is.

            So do these, of the number of the Cell.

            >>> told = 1
            """
            from ms_compat._core import op
            from ms_compat.nn._cell import part

            # It is no Cell, and "# lies" is told
            # that there is no cell
            def f(x):
                raise TypeError(f"'{x}' is no " f"list, and lies as that of {x}" "#")  # asks for one of
                # a kind of comments
            ''',
        "ms_compat/nn/_cell/__init__.py": "",
        "ms_compat/nn/_cell/part.py": "import ms_compat.nn.cell",
        "ms_compat/nn/_late.py": "",
        "tests/nn/test_late.py": "",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        indented = text.startswith("\n")
        lines = text.splitlines()
        (root / name).write_text("\n".join(line[12:] if indented else line for line in lines))
    return house.figures(root)


def test_folders_are_counted_without_the_folders_in_them(figures):
    assert figures["files in _core"].count == 3
    assert figures["files in any other folder"].count == 3
    assert figures["files in any other folder"].places[0] == "ms_compat/nn: 3"


def test_circles_are_counted_by_modules_by_members_of_a_room_and_by_rooms(figures):
    """Imports that only type checkers read close circles, too; what an `__init__` hands on closes none of a room."""
    assert figures["modules in circles"] == house.Figure(3, ["_core.op nn._cell.part nn.cell"], "0")
    assert figures["files and subfolders of a room in circles"].places == ["nn._cell nn.cell"]
    assert figures["rooms in circles"].places == ["_core nn"]


def test_private_jax_names_are_imports_and_attributes(figures):
    outside = figures["private JAX names outside jax_compat"].places
    assert outside == ["ms_compat/_core/op.py:8: _evaluate", "ms_compat/_core/op.py:8: jax.core.Tracer"]
    door = "ms_compat/_core/jax_compat.py"
    heads = figures["private JAX imports without fallback"].places
    assert heads == [f"{door}:2: jax._src.core", f"{door}:8: jax.core.Tracer"]
    late = figures["private JAX imports in functions without fallback"].places
    assert late == [f"{door}:13: jax._src.export.shape_poly"]
    attributes = figures["private JAX attributes without fallback"].places  # each name once
    assert attributes == [f"{door}:14: _core.one", f"{door}:14: _sorted_terms", *outside]


def test_a_test_is_mirrored_at_the_path_of_its_module(figures):
    assert figures["mirrored tests, %"].places[0].startswith("1 of 5 modules")


@pytest.mark.parametrize(
    ("kind", "lines"),
    {
        "is no X": [14, 11],
        "is told": [11],
        "lies": [14, 11],
        "that of": [14],
        "so do": [2],
        "asks for": [14],
        "of ... of": [2],
        "coined words": [11],
    }.items(),
)
def test_prose_is_read_in_docstrings_messages_and_comments(figures, kind, lines):
    """Not in examples, nor across two comments; and "there is no" is good English."""
    assert [int(place.split(":")[1]) for place in figures[f"prose: {kind}"].places] == lines


def test_coined_names_are_those_of_definitions(figures):
    assert figures["coined names"].places == ["ms_compat/_core/op.py:5: Entry"]


def test_a_figure_that_got_worse_tells_the_places(monkeypatch):
    monkeypatch.setitem(BOUNDS, "rooms in circles", 1)
    monkeypatch.setattr(house, "figures", lambda: {"rooms in circles": house.Figure(2, ["_core nn"], "0")})
    with pytest.raises(pytest.fail.Exception, match=r"(?s)rooms in circles: 2, must be at most 1.*_core nn"):
        test_no_figure_gets_worse("rooms in circles")
