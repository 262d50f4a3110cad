"""The distribution "mindspore" is found while `import mindspore` is answered, and `import PIL` suffices."""

import importlib.metadata
import subprocess
import sys

import pytest

import ms_compat
from ms_compat import install as hook


@pytest.fixture
def _installed():
    hook.install()
    yield
    hook.uninstall()


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("name", ["mindspore", "MindSpore"])
def test_the_version_is_that_of_the_api(name):
    assert importlib.metadata.version(name) == ms_compat.__version__


@pytest.mark.usefixtures("_installed")
def test_the_distribution_is_listed_and_has_no_files():
    found = [d for d in importlib.metadata.distributions() if d.metadata["Name"] == "mindspore"]
    assert [(d.version, d.requires, d.files) for d in found] == [(ms_compat.__version__, None, None)]
    assert importlib.metadata.distribution("mindspore").read_text("RECORD") is None
    assert importlib.metadata.distribution("mindspore").locate_file("mindspore").endswith("/mindspore")


@pytest.mark.usefixtures("_installed")
def test_other_distributions_are_found_as_ever():
    assert importlib.metadata.version("numpy")
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("mindspore-nope")


def test_uninstall_ends_it():
    hook.install()
    hook.uninstall()
    names = [
        d.metadata["Name"] for d in importlib.metadata.distributions() if type(d).__module__.startswith("ms_compat")
    ]
    assert not names


PILLOW = """
import ms_compat, sys
ms_compat.install()
import PIL
assert "PIL.Image" not in sys.modules
print(PIL.Image.new("L", (2, 3)).size)
try:
    PIL.nope
except AttributeError as error:
    print(error)
ms_compat.install.uninstall()
print("__getattr__" in vars(PIL))
"""


def test_pil_image_is_there_after_import_pil():
    pytest.importorskip("PIL")
    done = subprocess.run([sys.executable, "-c", PILLOW], capture_output=True, text=True, timeout=600)
    assert done.stdout.splitlines() == ["(2, 3)", "module 'PIL' has no attribute 'nope'", "False"], done.stderr
