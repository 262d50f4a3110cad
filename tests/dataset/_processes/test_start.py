"""The interpreter of worker processes, which has no JAX until a function wants it."""

import pathlib
import subprocess
import sys

import pytest

from ms_compat.dataset._processes import start

REPOSITORY = pathlib.Path(__file__).parents[3]
PREPARED = f"""
import importlib.util, pkgutil, sys
spec = importlib.util.spec_from_file_location("start", {start.__file__!r})
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
start.postpone("ms_compat", {str(REPOSITORY)!r})
start.postpone("ms_compat.dataset", {str(REPOSITORY / "ms_compat")!r})
sys.meta_path.insert(0, start._Gate())
"""


def output(text):
    done = subprocess.run([sys.executable, "-c", PREPARED + text], capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_data_pipeline_is_imported_without_jax():
    # `WaitedDSCallback` is also a callback of `train.Model`, and notebooks show Tensors; `start` is the program itself.
    found = output(
        """
import ms_compat.dataset
for module in pkgutil.walk_packages(ms_compat.dataset.__path__, "ms_compat.dataset."):
    if module.name.rpartition(".")[2] not in ("_sync_callback", "notebook_html", "start"):
        importlib.import_module(module.name)
        if "jax" in sys.modules:
            print(module.name)
            break
print("end", len([name for name in sys.modules if name.startswith("ms_compat.dataset")]) > 100)
"""
    )
    assert found == ["end", "True"]


@pytest.mark.parametrize("text", ["import ms_compat.nn as nn", "from ms_compat import nn", "import ms_compat.nn.layer"])
def test_names_outside_the_data_pipeline_bring_jax_with_its_settings(text):
    shown = "print(jax.config.jax_enable_x64, ms_compat.Tensor(2.0).dtype)"
    assert output(f"{text}\nimport jax, ms_compat\n{shown}") == ["True", "Float32"]
