"""`import mindspore` gives ms_compat's own module objects, and says clearly what it cannot give."""

import importlib
import importlib.util
import inspect
import pathlib
import pickle
import subprocess
import sys
import threading
import types

import pytest

import ms_compat
import ms_compat.context
from ms_compat import install as hook


@pytest.fixture(autouse=True)
def _installed():
    hook.install()
    yield
    hook.uninstall()
    assert not [name for name in sys.modules if name.partition(".")[0] == "mindspore"]


def test_the_package_and_its_modules_are_the_same_objects():
    import mindspore
    import mindspore.context as direct
    from mindspore import context
    from mindspore.context import set_context

    assert mindspore is ms_compat
    assert direct is context is mindspore.context is ms_compat.context
    assert set_context is ms_compat.context.set_context
    assert sys.modules["mindspore.context"] is sys.modules["ms_compat.context"]


def test_a_module_keeps_its_own_name_and_spec():
    import mindspore.context

    assert mindspore.context.__name__ == "ms_compat.context"
    assert mindspore.context.__spec__.name == "ms_compat.context"
    assert ms_compat.__spec__.name == "ms_compat"
    assert inspect.getsourcefile(mindspore.context) == ms_compat.context.__file__


def test_private_modules_resolve_too():
    from mindspore._core.errors import UnsupportedError

    assert UnsupportedError is importlib.import_module("ms_compat._core.errors").UnsupportedError


def test_reload_reaches_both_names():
    import mindspore.context

    reloaded = importlib.reload(mindspore.context)
    assert reloaded is ms_compat.context is sys.modules["mindspore.context"]


def test_classes_pickle_under_mindspores_path():
    """As its own do, so that either reads the other's; Tensors keep ours, which a process without the hook reads."""
    from mindspore.context import ParallelMode

    assert pickle.loads(pickle.dumps(ParallelMode)) is ms_compat.context.ParallelMode
    assert b"mindspore.context" in pickle.dumps(ParallelMode)
    assert b"mindspore" not in pickle.dumps(ms_compat.Parameter(ms_compat.Tensor([1.0])))


def test_a_pickle_that_names_mindspore_is_read():
    text = pickle.dumps(ms_compat.context.ParallelMode, protocol=0).replace(
        b"ms_compat._core.settings.parallel_", b"mindspore."
    )
    assert b"cmindspore.context\n" in text
    assert pickle.loads(text) is ms_compat.context.ParallelMode


def test_a_missing_submodule_names_ms_compat_and_the_nearest():
    with pytest.raises(
        ModuleNotFoundError, match="2.10 has no such module .ms_compat answers .* nearest is 'mindspore.context'"
    ) as got:
        importlib.import_module("mindspore.contexts")
    assert got.value.name == "mindspore.contexts"


@pytest.mark.parametrize("name", ["nn.container", "ops.function.indexing", "dataset.sources.mnist", "hal.devices"])
def test_modules_of_ours_that_mindspore_lacks_are_not_found(name):
    importlib.import_module(f"ms_compat.{name}")
    with pytest.raises(ModuleNotFoundError, match="2.10 has no such module .ms_compat answers 'import mindspore' here"):
        importlib.import_module(f"mindspore.{name}")


def test_our_additions_are_found_beside_mindspores_modules():
    assert importlib.import_module("mindspore.interop.jax") is importlib.import_module("ms_compat.interop.jax")


def test_an_optional_import_falls_through():
    try:
        import mindspore.nothing_of_the_kind as optional
    except ImportError:
        optional = None
    assert optional is None


def test_inner_modules_forward_to_the_public_one():
    from mindspore.common import api

    assert isinstance(api, types.ModuleType)
    assert api.__name__ == "mindspore.common.api"
    assert importlib.import_module("mindspore.common.api") is api
    assert api.context is ms_compat.context
    with pytest.raises(AttributeError):
        api.__wrapped__  # noqa: B018


def test_inner_modules_never_hide_a_function(monkeypatch):
    marker = object()
    monkeypatch.setattr(ms_compat, "tensor", marker, raising=False)
    import mindspore.common.tensor
    import mindspore.ops.operations.nn_ops  # noqa: F401

    assert ms_compat.tensor is marker


def test_the_module_can_be_called():
    hook.uninstall()
    assert ms_compat.install() is None
    assert hook._finder in sys.meta_path


def test_uninstall_gives_the_name_back_and_install_is_idempotent():
    hook.install()
    import mindspore

    hook.uninstall()
    hook.uninstall()
    assert "mindspore" not in sys.modules
    assert mindspore is ms_compat
    assert not any(finder is hook._finder for finder in sys.meta_path)


def test_an_imported_real_mindspore_is_refused(monkeypatch):
    hook.uninstall()
    real = types.ModuleType("mindspore")
    real.__file__ = "site-packages/mindspore/__init__.py"
    monkeypatch.setitem(sys.modules, "mindspore", real)
    with pytest.raises(ImportError, match="real MindSpore is imported already .*before the first 'import mindspore'"):
        hook.install()
    assert sys.modules["mindspore"] is real


def test_other_packages_are_not_touched():
    assert hook._finder.find_spec("json") is None
    assert hook._finder.find_spec("mindspore_lite") is None
    assert importlib.util.find_spec("mindsporium") is None


def test_threads_get_the_same_modules():
    names = ["mindspore", "mindspore.context", "mindspore._core.errors", "mindspore._core.settings.context"] * 8
    barrier, found = threading.Barrier(len(names)), []

    def load(name):
        barrier.wait()
        found.append((name, importlib.import_module(name)))

    threads = [threading.Thread(target=load, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == len(names)
    for name, module in found:
        assert module is sys.modules[name.replace("mindspore", "ms_compat", 1)]
        assert module.__spec__.name == name.replace("mindspore", "ms_compat", 1)


def test_installing_imports_neither_jax_devices_nor_all_of_ms_compat():
    code = """
import sys
from ms_compat.install import install
before = set(sys.modules)
install()
print(sorted(name for name in set(sys.modules) - before if name.startswith("ms_compat")))
from ms_compat._core import jax_compat
print(jax_compat.backends_are_initialized())
"""
    root = str(pathlib.Path(ms_compat.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, timeout=600)
    assert done.stdout.split("\n")[:2] == ["[]", "False"], done.stderr


SPAWNING = """
import mindspore as ms
from mindspore import multiprocessing, ops


def work(x, results):
    import mindspore.nn

    results.put((ms.__name__, float(ops.log(x) + 1)))


if __name__ == "__main__":
    context = multiprocessing.get_context("{method}")
    results = context.Queue()
    process = context.Process(target=work, args=(ops.exp(ms.Tensor(2.0)), results))
    process.start()
    print(results.get(timeout=600))
    process.join()
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_that_are_spawned_have_the_hook(method, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SPAWNING.format(method=method), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ms_compat", "run", str(script)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout == "('ms_compat', 3.0)\n", done.stderr


def test_the_path_for_spawned_processes_goes_with_the_hook():
    script, spawned = sys.path[:2]
    assert spawned.endswith("_spawned") and script != spawned
    hook.uninstall()
    assert spawned not in sys.path


def test_importing_the_package_leaves_libraries_for_their_first_use():
    code = "import sys, ms_compat; print(sorted({'cv2', 'flax', 'google', 'optax', 'scipy'} & set(sys.modules)))"
    root = pathlib.Path(ms_compat.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"
