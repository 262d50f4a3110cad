"""Every notebook runs from top to bottom without an error, prints what it should, and is kept without outputs."""

import base64
import io
import json
import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests import fast_compile

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_without_outputs(path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [(cell["outputs"], cell["execution_count"]) for cell in cells] == [([], None)] * len(cells)


@pytest.fixture(scope="module")
def run():
    """Run code in one kernel for all notebooks, which import the same packages.

    Returns what was shown, by MIME type; what was printed has the type "stream".
    """
    with warnings.catch_warnings():
        # Jupyter's own packages warn about each other while they are imported; that is not ours to mend.
        warnings.simplefilter("ignore")
        for package in ("jupyter_client", "ipykernel", "matplotlib", "sklearn"):
            pytest.importorskip(package, reason=f"{package} is not installed: notebooks cannot be run")
        from jupyter_client.manager import start_new_kernel

        inline = "module://matplotlib_inline.backend_inline"
        settings = {"PYTHONPATH": str(ROOT), "MPLBACKEND": inline, "MS_COMPAT_PROGRESS": "0"}
        settings |= fast_compile.environment()
        manager, client = start_new_kernel(env={**os.environ, **settings}, cwd=str(ROOT / "notebooks"))

        def executed(code):
            messages = []
            done = client.execute_interactive(code, allow_stdin=False, timeout=600, output_hook=messages.append)
            assert done["content"]["status"] == "ok", "\n".join(done["content"].get("traceback", ["stopped"]))
            contents = [message["content"] for message in messages]
            return [
                content.get("data") or {"stream": content["text"]}
                for content in contents
                if "data" in content or content.get("name") == "stdout"
            ]

        yield executed
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


# Lines that a notebook has to print, as regular expressions; differences between the modes are of the last bits.
SMALL = r"(?:0\.0e\+00|\d\.\de-0[789])"
LINES = {
    "porting": (
        r"All MindSpore names are served\.",
        r"4 names rewritten",
        r".*old\.py:6  mindspore\.train\.model\.Model +mindspore\.train\.Model",
        rf"first +Dense +\S*new\.py:22 +{SMALL} +{SMALL}",
        rf"second +Dense +\S*new\.py:22 +{SMALL} +{SMALL}",
        rf"\(the net\) +Net +{SMALL} +{SMALL}",
        r"3 Cells agree\.",
        r"\{'accuracy': 0\.9\d+\}",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_its_pictures_show_something(path, run):
    run("%reset -f")  # the names of the notebook before
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    shown = [data for cell in cells for data in run("".join(cell["source"]))]
    for picture in [base64.b64decode(data["image/png"]) for data in shown if "image/png" in data]:
        assert np.asarray(Image.open(io.BytesIO(picture)).convert("L")).std() > 5  # not an empty sheet
    assert sum("stream" not in data for data in shown) >= 2
    lines = [line for data in shown for line in (data.get("stream") or data.get("text/plain", "")).splitlines()]
    for pattern in LINES.get(path.stem, ()):
        assert any(re.fullmatch(pattern, line.rstrip()) for line in lines), (pattern, lines)


def test_there_are_those_that_newcomers_need():
    names = {path.stem for path in NOTEBOOKS}
    assert names == {"quickstart", "porting", "gradients", "vision", "gpt", "jax_citizens"}
