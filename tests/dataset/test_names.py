"""Module paths of MindSpore 1, and the names that are not served."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat.dataset._support import placeholders
from ms_compat.dataset.transforms import _legacy


@pytest.mark.parametrize("module", _legacy.TABLE)
def test_old_modules_forward_to_todays_names(module):
    old, today = importlib.import_module(module), importlib.import_module(_legacy.TABLE[module][0])
    renamed = _legacy.TABLE[module][1]
    for name in old.__all__:
        if name in renamed:
            assert issubclass(getattr(old, name), getattr(today, renamed[name][0]))
        else:
            assert getattr(old, name) is getattr(today, name)
    with pytest.raises(AttributeError):
        old.NoSuchTransform  # noqa: B018


def test_the_old_python_transforms_work_on_chw():
    from ms_compat.dataset.vision import py_transforms

    image = np.ones((3, 4, 5), np.float32)
    assert np.allclose(py_transforms.Normalize([0.5] * 3, [0.25] * 3)(image), 2.0)
    assert py_transforms.Decode().to_pil


@pytest.mark.parametrize("package", ["transforms", "vision"])
def test_the_old_modules_hold_the_base_class(package):
    module = importlib.import_module(f"ms_compat.dataset.{package}.py_transforms")

    class Doubled(module.PyTensorOperation):
        def __call__(self, x):
            return 2 * x

    data = ms.dataset.NumpySlicesDataset([1, 2], shuffle=False).map([Doubled()])
    assert [int(x.asnumpy()) for (x,) in data] == [2, 4]


@pytest.mark.parametrize(
    "module, name", [(module, name) for module in placeholders.HINTS for name in placeholders.HINTS[module]]
)
def test_what_is_absent_can_be_imported_and_says_so_when_used(module, name):
    thing = getattr(importlib.import_module(module), name)
    with pytest.raises(ms.UnsupportedError) as caught:
        thing("x")
    assert f"{module.replace('ms_compat', 'mindspore', 1)}.{name}" in str(caught.value)
    assert placeholders.HINTS[module][name] in str(caught.value)


def test_unknown_names_are_attribute_errors():
    for module in (ds, ds.vision, ds.transforms):
        with pytest.raises(AttributeError):
            module.NoSuchThing  # noqa: B018


def test_what_a_pipeline_cannot_do_is_refused():
    data = ds.NumpySlicesDataset([1])
    with pytest.raises(ms.UnsupportedError):
        data.to_device()


def test_the_rows_are_made_without_jax():
    # The package itself imports jax; the modules of this folder must not, so that workers stay free of it.
    code = "import ast, pathlib, sys; " + (
        "bad = [str(p) for p in pathlib.Path(sys.argv[1]).rglob('*.py') for n in ast.walk(ast.parse(p.read_text())) "
        "if isinstance(n, ast.Import) and any(a.name.split('.')[0] == 'jax' for a in n.names) "
        "or isinstance(n, ast.ImportFrom) and (n.module or '').split('.')[0] == 'jax']; "
        "sys.exit(str(bad) if bad else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code, ds.__path__[0]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
