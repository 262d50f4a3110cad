"""The benchmark of data pipelines measures both sides in turn; here a short one of each kind."""

import sys

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import bench


@pytest.mark.parametrize(
    "name",
    ["arrays in memory", "light generator", *(name for name in bench.CASES if "JPEG" in name)],
)
def test_pipelines_of_the_benchmark_have_rows(name, tmp_path):
    data, rows = bench.CASES[name](ds, str(tmp_path))
    item = next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert len(item[0]) == rows and isinstance(item[0], np.ndarray)


def test_the_sides_take_turns_and_the_best_round_counts(monkeypatch, capsys):
    runs = []

    def run(side, interpreter, name, folder):
        runs.append(side)
        return {"ours": 3000.0, "MindSpore": 1000.0}[side] + len(runs)

    monkeypatch.setattr(bench, "_run", run)
    bench.main(["--mindspore", sys.executable, "--only", "light", "--rounds", "2"])
    assert runs == ["ours", "MindSpore"] * 2
    assert capsys.readouterr().out.splitlines()[1].split() == ["light", "generator", "3,003", "1,004", "2.99"]
