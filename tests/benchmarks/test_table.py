"""The table's command: its text, what it replaces in the documents, and one short measurement."""

import os
import re

import numpy as np
import pytest

from tests.benchmarks import networks, table, worker
from tests.benchmarks.table import Figures

ROWS = {"graph": 0.209, "by_hand": 0.352, "mindspore graph": 0.292, "torch": 0.149}
FOUND = {"gpt": {row: Figures(first=2.1, wall=wall, cpu=wall) for row, wall in ROWS.items()}}


def test_rows_have_milliseconds_first_seconds_and_ratios():
    assert table.markdown(FOUND).splitlines() == [
        "| | GPT of 4 layers, 8 x 128 tokens |",
        "| --- | --- |",
        "| `GRAPH_MODE` | 209 (2.1) |",
        "| by hand in JAX | 352 (2.1) |",
        "| MindSpore, `GRAPH_MODE` | 292 (2.1) |",
        "| PyTorch, not compiled | 149 (2.1) |",
        "| `GRAPH_MODE` / JAX by hand | 0.59 |",
        "| `GRAPH_MODE` / PyTorch | 1.4 |",
        "| `GRAPH_MODE` / MindSpore | 0.72 |",
    ]


def test_a_missing_program_is_shown_as_not_measured():
    found = {**FOUND, "lstm": {"graph": Figures(0.1, 0.0087, 0.0087)}}
    assert "| PyTorch, not compiled | 149 (2.1) | not measured |" in table.markdown(found)
    assert "| `GRAPH_MODE` | 209 (2.1) | 8.7 (0.1) |" in table.markdown(found)


def test_ratios_are_those_of_the_same_rounds():
    graph, torch = (Figures(0.1, rounds=rounds) for rounds in ([2.2, 2.0, 1.0], [2.0, 2.0, 0.8]))
    assert table.by_rounds(graph, torch) == "1.1 (1 to 1.25)"


def test_memory_has_rows_where_it_was_measured():
    figures = Figures(0.1, memory={"step": 1.5e7, "peak": 2.04e8})
    found = {"gpt": {"graph": figures, "torch": Figures(0.1)}, "lstm": {"torch": figures}}
    assert table.memory_markdown(found).splitlines() == [
        "| peak MB | GPT of 4 layers, 8 x 128 tokens | LSTM, 16 x 64 tokens |",
        "| --- | --- | --- |",
        "| `GRAPH_MODE` | 15 (204) | not measured |",
        "| PyTorch, not compiled | not measured | 15 (204) |",
    ]


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="the system does not count this")
def test_a_step_s_memory_has_what_it_holds_at_once_and_what_it_keeps():
    kept = []

    def step() -> float:
        both = np.ones(1 << 23), np.ones(1 << 23)  # 64 MiB each, of which none is left after the step
        kept[:] = [np.ones(1 << 22)]  # 32 MiB
        return float(both[0][0])

    step()
    found = worker.memory(step, before=0)
    # The second step makes its last array while it holds the first step's.
    assert found["step"] == pytest.approx(160 << 20, abs=8 << 20)
    assert found["peak"] > found["step"] + (32 << 20)  # all that the process has


def test_the_guide_s_first_table_and_the_readme_s_sentence_are_replaced():
    before = table.GUIDE.read_text("utf-8")
    after = table.rewritten_guide(before, table.markdown(FOUND), table.sentence({"JAX": "0.10.2"}))
    kept = before[before.index("With the extra `onednn`") :]
    assert after.startswith("# Performance\n\n## Figures\n\nEach number is") and after.endswith("\n" + kept)
    assert table.markdown(FOUND) in after and "JAX 0.10.2\non " in after
    assert "| MindSpore, `PYNATIVE_MODE` |" not in after
    readme = table.rewritten_readme(table.README.read_text("utf-8"), FOUND["gpt"])
    assert "takes 209 ms on two CPU cores (JAX by hand 352, MindSpore 292)" in readme


def test_both_sizes_have_the_same_networks_as_pytorch():
    torch_steps = pytest.importorskip(
        "tests.benchmarks.torch_steps", reason="PyTorch is not installed", exc_type=ImportError
    )
    assert set(torch_steps.CASES) == set(networks.programs(networks.FULL)) == set(table.TITLES)
    for name, program in networks.programs(networks.FULL).items():
        theirs = sum(weight.numel() for weight in torch_steps.CASES[name][0]().parameters())
        ours = sum(weight.size for weight in program.net(networks.FULL).trainable_params())
        assert ours == theirs


@pytest.mark.benchmark
def test_a_short_measurement(tmp_path, monkeypatch, capsys):
    picture = tmp_path / "figures.png"
    words = ["table", "--cases", "lenet", "--rows", "graph", "by_hand", "--rounds", "1", "--steps", "2"]
    monkeypatch.setattr("sys.argv", [*words, "--plot", str(picture)])
    table.main()
    printed = capsys.readouterr()
    assert re.search(r"^\| `GRAPH_MODE` \| [\d.]+ \([\d.]+\) \|$", printed.out, re.M)
    assert picture.stat().st_size > 1000
