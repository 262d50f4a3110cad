"""The coverage table that ships with the package is the one that the tests give, and hides nothing."""

import collections

import pytest

import ms_compat as ms
from ms_compat._names import api_index
from ms_compat._names.resolve import resolve
from tests.conformance import departures
from tests.coverage import evidence, table, traced


def test_the_shipped_table_is_up_to_date():
    """The status of every name; of reasons, that there is one. Their words may be newer where a test states them."""
    made = {(module, name, kind, bool(reason)) for module, name, kind, reason in table.rows()}
    rows = api_index.coverage()
    shipped = {(m, name, row.status, bool(row.reason)) for m, names in rows.items() for name, row in names.items()}
    assert sorted(shipped ^ made) == [], "run: python -m tests.coverage.table"


def test_nothing_is_served_untested():
    assert [f"{module}.{name}" for module, name, kind, _ in table.rows() if kind == "untested"] == []


def test_the_table_has_every_public_name():
    shipped = api_index.coverage()
    assert {module: set(names) for module, names in shipped.items()} == {
        module: set(names) for module, names in api_index.modules().items()
    }
    counts = collections.Counter(found.status for names in shipped.values() for found in names.values())
    assert set(counts) == {"works", "differs", "accepted", "absent"}
    assert counts["absent"] < 0.1 * counts.total()


def test_a_row_says_why():
    assert all(
        found.reason for names in api_index.coverage().values() for found in names.values() if found.status == "differs"
    )


@pytest.mark.parametrize("dotted", ["mindspore.ops.GetNext", "mindspore.nn.GetNextSingleOp"])
def test_an_absent_name_raises_when_it_is_used(dotted):
    module, _, name = dotted.rpartition(".")
    assert api_index.coverage()[module][name].status == "absent"
    with pytest.raises(ms.UnsupportedError):
        resolve(dotted)()


def test_mentions_follow_imports_and_strings(tmp_path):
    path = tmp_path / "test_some.py"
    path.write_text(
        "from ms_compat import ops as o\nfrom ms_compat.nn import Dense\nTABLE = 'nn.ReLU()(x).sum()'\n"
        "def test(name):\n    o.relu(1), Dense, getattr(o, name)\n"
    )
    found = {name for text, aliases in evidence.module_text(path) for name, _, _ in evidence.mentions(text, aliases)}
    assert {"mindspore.ops.relu", "mindspore.nn.Dense", "mindspore.nn.ReLU", ".sum"} <= found
    assert "mindspore.ops.gelu" not in found


def test_stated_differences_are_found_with_their_reasons(tmp_path):
    path = tmp_path / "test_some.py"
    path.write_text(
        'WHY = "so "\nDIFFERENT = {"ops.relu(x)": WHY + "it is", "nn.ReLU()": "likewise"}\nOTHER = {"a": "b"}\n'
    )
    assert list(table.stated(path)) == [("ops.relu(x)", "so it is"), ("nn.ReLU()", "so it is")]


@pytest.mark.parametrize(
    "part, names",
    [
        ("T.OneHot(3,0.1)(np.array([1,2]).astype(np.int32))", {"mindspore.dataset.transforms.OneHot"}),
        ("RowTensor([0], Tensor([1, 2]), (3, 2))", {"mindspore.RowTensor"}),
        ("msd.HalfNormal().prob(v)", {"mindspore.nn.probability.distribution.HalfNormal"}),
        ("Top5CategoricalAccuracy()/np.concatenate([a, b])", {"mindspore.nn.Top5CategoricalAccuracy"}),
        ("x.astype(ms.uint8)", {".astype", "mindspore.uint8"}),
    ],
)
def test_a_recorded_expression_stands_for_names(part, names):
    assert table._named(part) == names


def test_every_difference_of_a_dataset_reaches_the_table():
    tables = departures.DATASET | departures.AUDIO
    rows = {f"{module}.{name}": kind for module, name, kind, _ in table.rows()}
    own = {name for part in tables for name in table._named(part) if name.startswith("mindspore.dataset.")}
    assert {name for name in own & set(rows) if rows[name] != "differs"} == {"mindspore.dataset.audio.WindowType"}
    assert len(own & set(rows)) > 15


def test_what_runs_is_noted():
    recorder = traced.Recorder()
    recorder.start()
    x = ms.Tensor([1.0, -2.0])
    ms.ops.relu(x), ms.nn.ReLU()(x), x.abs(), x.T, ms.numpy.sin(x), ms.jit(lambda x: ms.ops.tanh(x))(x)
    recorder.stop()
    names = recorder.names()
    called = "ops.relu nn.ReLU Tensor.abs Tensor.T numpy.sin ops.tanh mint.tanh jit nn.Cell"
    assert {f"mindspore.{name}" for name in called.split()} <= names
    others = "ops.gelu nn.GELU Tensor.mH Tensor.tanh_ numpy.cos nn.Dense ops.ReLU"
    assert names.isdisjoint(f"mindspore.{name}" for name in others.split())
    assert traced.can_be_traced(ms.ops.gelu) and not traced.can_be_traced(ms.float32)


def test_the_recorded_run_decides_where_there_is_one(tmp_path, monkeypatch):
    path = tmp_path / "traced.txt"
    run = traced.Run(frozenset({"mindspore.ops.relu", "mindspore.nn.ReLU"}), frozenset({"mindspore.ops.gelu"}))
    path.write_text(traced.text(run))
    assert traced.read(path) == run
    monkeypatch.setattr(traced, "read", lambda: run)
    assert table.status("mindspore.ops", "relu")[0] == "works"
    assert table.status("mindspore.ops", "gelu")[0] == "untested"
    assert table.status("mindspore.ops", "tanh")[0] == "works"  # in neither: it came after the run, and is mentioned
    assert table.status("mindspore", "float32")[0] == "works"  # nothing of it can be called


def test_a_run_knows_what_it_did_not_call():
    run = traced.of({"mindspore.ops.relu", "mindspore.float32"})
    assert run.called == {"mindspore.ops.relu"} and "mindspore.ops.gelu" in run.not_called
    assert not any("float32" in name for name in run.not_called)


def test_a_reason_that_the_table_has_not_is_told(tmp_path):
    path = tmp_path / "test_some.py"
    path.write_text('DIFFERENT = {"ops.relu(x)": "a reason that was never written"}\n')
    assert table.unwritten([path, table.TABLE]) == [path]
    path.write_text("DIFFERENT = {}\n")
    assert table.unwritten([path]) == []


def test_an_enumeration_lacks_no_reason():
    """As its row has none: an expression names it for one of its members."""
    assert not table._lacks("vision.Inter.LINEAR", "a reason that no row has")
    assert table._lacks("vision.Resize((3, 3), vision.Inter.LINEAR)", "a reason that no row has")
