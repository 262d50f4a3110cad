"""Every notebook runs from top to bottom without an error, and is kept without outputs."""

import json
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_without_outputs(path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [(cell["outputs"], cell["execution_count"]) for cell in cells] == [([], None)] * len(cells)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, monkeypatch):
    with warnings.catch_warnings():
        # Jupyter's own packages warn about each other while they are imported; that is not ours to mend.
        warnings.simplefilter("ignore")
        nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: notebooks cannot be read")
        nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: notebooks cannot be run")
        pytest.importorskip("ipykernel", reason="ipykernel is not installed: there is no kernel to run notebooks")
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: the notebooks draw with it")
        monkeypatch.setenv("MPLBACKEND", "Agg")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        notebook = nbformat.read(path, as_version=4)
        nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()
