"""`activate` makes `import mindspore` give ms_compat in every process of an environment, and leaves nothing behind."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest

from tests.cli.conftest import ROOT


@pytest.fixture
def environment(tmp_path):
    """A new environment, with this project and the libraries beside this Python in its path: run(arguments, input)."""
    folder = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=600)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = pathlib.Path(subprocess.check_output([str(python), "-c", asked], text=True).strip())
    (site / "beside.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*arguments, status=0, **more):
        done = subprocess.run(
            [str(python), *map(str, arguments)],
            cwd=tmp_path,
            env={**variables, "JAX_PLATFORMS": "cpu", **more},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    run.site, run.python, run.folder = site, python, tmp_path
    return run


def contents(site):
    return sorted(str(path.relative_to(site)) for path in site.rglob("*"))


SCRIPT = """
import importlib.metadata, sys

if __name__ == "__main__":
    print(importlib.metadata.version("mindspore"), "jax" in sys.modules, "ms_compat" in sys.modules)

import mindspore as ms
from mindspore.ops import operations as P
import mindspore.nn as nn


def work(results):
    import mindspore.ops

    results.put(mindspore.ops.__name__)


if __name__ == "__main__":
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=work, args=(results,))
    process.start()
    print(ms.__name__, nn.__name__, P.ReLU()(ms.Tensor([-1.0, 2.0])), results.get(timeout=600))
    process.join()
"""


def test_plain_python_and_spawned_workers_have_it_and_nothing_is_left(environment):
    before = contents(environment.site)
    assert json.loads(environment("-m", "ms_compat", "status", "--json", status=1).stdout)["mindspore"] == "none"
    environment("-m", "ms_compat", "activate")
    told = json.loads(environment("-m", "ms_compat", "status", "--json").stdout)
    assert told["active"] and told["folder"] == str(environment.site / "mindspore")
    (environment.folder / "script.py").write_text(SCRIPT)
    done = environment("script.py", PYTHONDONTWRITEBYTECODE="")
    assert done.stdout == "2.10.0 False False\nms_compat ms_compat.nn [0. 2.] ms_compat.ops\n", done.stderr
    environment("-m", "ms_compat", "activate")  # again is the same as once
    environment("-m", "ms_compat", "run", "script.py")
    assert "Removed" in environment("-m", "ms_compat", "deactivate").stdout
    assert contents(environment.site) == before
    assert "not active" in environment("-m", "ms_compat", "deactivate").stdout
    environment("-c", "import mindspore", status=1)


def test_an_interpreter_starts_no_later_and_knows_nothing_of_it_until_it_is_used(environment):
    environment("-m", "ms_compat", "activate")
    code = "import sys; print(sorted({'ms_compat', 'mindspore', 'jax', 'numpy'} & set(sys.modules)))"
    assert environment("-c", code).stdout == "[]\n"
    timed = environment("-X", "importtime", "-c", "import importlib.metadata")
    assert "mindspore" not in timed.stderr and "ms_compat" not in timed.stderr


def test_pip_lists_it_and_removes_it(environment):
    pip = importlib.util.find_spec("pip")
    if pip is None:
        pytest.skip("pip is not installed")
    before = contents(environment.site)
    environment("-m", "ms_compat", "activate")
    beside = environment.site / "beside.pth"
    text = beside.read_text()
    command = [sys.executable, "-m", "pip", "--python", str(environment.python), "--disable-pip-version-check"]
    beside.unlink()  # pip is to see this environment alone
    listed = subprocess.run([*command, "list", "--format=json"], capture_output=True, text=True, timeout=600)
    assert {"name": "mindspore", "version": "2.10.0"} in json.loads(listed.stdout)
    done = subprocess.run([*command, "uninstall", "-y", "mindspore"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    beside.write_text(text)
    assert contents(environment.site) == before


@pytest.mark.parametrize("pieces", [{"mindspore/__init__.py": "x = 1\n"}, {"mindspore/ops.py": ""}])
def test_beside_the_real_mindspore_it_is_refused(environment, pieces):
    for name, text in pieces.items():
        (environment.site / name).parent.mkdir(exist_ok=True)
        (environment.site / name).write_text(text)
    before = contents(environment.site)
    for command in ("activate", "deactivate"):
        done = environment("-m", "ms_compat", command, status=1)
        assert re.search("MindSpore itself|is in the way", done.stderr)
    assert json.loads(environment("-m", "ms_compat", "status", "--json", status=1).stdout)["mindspore"] == "real"
    assert contents(environment.site) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(environment):
    environment.site.chmod(0o555)
    try:
        assert "can't write to" in environment("-m", "ms_compat", "activate", status=1).stderr
    finally:
        environment.site.chmod(0o755)


def test_a_file_in_the_way_of_the_metadata_leaves_no_half(environment):
    (environment.site / "mindspore-2.10.0.dist-info").write_text("")
    done = environment("-m", "ms_compat", "activate", status=1)
    assert "is in the way" in done.stderr
    assert not (environment.site / "mindspore").exists()


def test_without_ms_compat_the_name_says_what_it_is(environment):
    environment("-m", "ms_compat", "activate")
    (environment.site / "beside.pth").unlink()
    last = environment("-c", "import mindspore", status=1).stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: No module named 'mindspore'") and "pip uninstall mindspore" in last


def test_a_kernel_answers_import_mindspore(tmp_path, command, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    command("kernel", "--user", check=0)
    assert json.loads(command("status", "--json").stdout)["kernels"] == [str(tmp_path / "data/kernels/ms_compat")]
    make = nbformat.v4.new_code_cell
    cells = [make("import mindspore as ms\nprint(ms.__name__, __name__)"), make("ms.Tensor([1.5])")]
    book = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(book, kernel_name="ms_compat", timeout=600).execute()
    assert book.cells[0].outputs[0].text == "ms_compat __main__\n"
    assert "1.5" in book.cells[1].outputs[0]["data"]["text/plain"]
    assert "Removed" in command("kernel", "--remove", check=0).stdout
    assert not (tmp_path / "data").exists()


def test_the_extension_of_ipython_installs_the_hook(program, command):
    pytest.importorskip("IPython")
    program(
        main="import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_line_magic('load_ext', 'ms_compat')\n"
        "import mindspore\n"
        "print(mindspore.__name__)\n"
        "shell.run_line_magic('unload_ext', 'ms_compat')\n"
        "print('mindspore' in sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "IPYTHONDIR": "ipython"}
    done = subprocess.run([sys.executable, "main.py"], capture_output=True, text=True, env=environment, timeout=600)
    assert done.stdout.splitlines() == ["ms_compat", "False"], done.stderr
