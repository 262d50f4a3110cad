"""The index of the faces says what the files declare, and the public modules answer by it.

python -m tests._core.test_faces      # writes ms_compat/_core/faces.txt
"""

from __future__ import annotations

import functools
import pickle
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import ms_compat as ms
from ms_compat._core import faces, homes
from ms_compat.ops.primitive import REQUIRED

HEAD = "# Made by `python -m tests._core.test_faces` from what the files declare (`faces.py`); not written by hand.\n"
ROOMS = "_autograd _core _formats _tensor communication dataset experimental mindrecord mint nn numpy ops train".split()
Rows = dict[str, dict[tuple[str, str], list[str]]]


OF_AN_EXTRA = "ms_compat._core.onednn.handler"  # it imports llvmlite, which is not there for every processor


def modules() -> list[str]:
    """Every module that may declare faces."""
    found = []
    for room in ROOMS:
        package = import_module(f"ms_compat.{room}")
        found += [package.__name__, *(m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))]
    return [name for name in found if name != OF_AN_EXTRA]


@functools.cache
def bound() -> dict[int, list[tuple[str, str]]]:
    """The places where each object stands, by its identity."""
    out: dict[int, list[tuple[str, str]]] = {}
    for module in modules():
        for name, value in vars(import_module(module)).items():
            out.setdefault(id(value), []).append((module, name))
    return out


def place(value: Any) -> tuple[str, str]:
    """The module and the name that an object was written under: not where it is imported."""
    module = homes.written_in(value) if isinstance(value, type) else getattr(value, "__module__", None)
    name = getattr(value, "__name__", None)
    places = bound()[id(value)]
    rooms = {f"ms_compat.{room}" for room in ROOMS}  # which keep what was asked of them
    at_home = [p for p in places if p[0] == module] or [p for p in places if p[0] not in rooms] or places
    assert len({module for module, _ in at_home}) == 1, f"{name} stands in {at_home}, and it does not say where"
    return next((p for p in at_home if p[1] == name), at_home[0])


def collected() -> Rows:
    """{space: {(module, kind): names}} as the files declare them."""
    bound()  # imports every file, so that all is declared
    written = [(*place(value), words) for value, words in faces.declared]
    written += [(m, name, words) for m, names, words in faces.declared_tables for name in names]
    rows: Rows = {space: {} for space in faces.SPACES}
    seen: dict[tuple[str, str], str] = {}
    for module, own, words in dict.fromkeys(written):
        for space, name, kind in faces.parsed(words, own):
            other = seen.setdefault((space, name), f"{module}.{own}")
            assert other == f"{module}.{own}", f"{space}.{name} is declared by {other} and by {module}.{own}"
            entry = name if name == own else f"{name}={own}"
            rows[space].setdefault((module.partition(".")[2], kind), []).append(entry)
    for name, (value, _) in faces.primitives.items():
        module, own = place(value)
        assert ("ops", name) not in seen, f"ops.{name} is declared by {seen['ops', name]} and by {module}.{own}"
        rows["ops"].setdefault((module.partition(".")[2], "primitive"), []).append(f"{name}={own}")
    return rows


def text() -> str:
    """The index: a row a module."""
    out = [HEAD]
    for space, rows in collected().items():
        out.append(f"[{space}]\n")
        for (module, kind), names in sorted(rows.items()):
            out.append(f"{module} {kind}".rstrip() + f": {' '.join(sorted(set(names)))}\n")
    return "".join(out)


def test_the_index_is_what_the_files_declare():
    assert text() == faces.INDEX.read_text("utf-8"), "run: python -m tests._core.test_faces"


def test_an_unknown_space_is_an_error():
    with pytest.raises(ValueError, match="nowhere.lerp"):
        faces.parsed("ops nowhere.lerp", "lerp")


@pytest.mark.parametrize("space", [space for space in faces.SPACES if space != "Tensor"])
def test_a_public_module_has_the_declared_functions(space):
    module = import_module(f"ms_compat.{space}")
    names = faces.find(space)
    assert names and set(names) <= set(dir(module))
    for name, face in names.items():
        found = getattr(module, name)
        declared = faces.load(face)
        checked = getattr(found, "__wrapped__", None)  # by numpy, which takes Tensors only
        assert face.kind or found is declared or checked is declared, name
        assert vars(module)[name] is found, name  # the next access asks nothing


@pytest.mark.parametrize(
    ("space", "names"),
    [
        ("mint", "distributed linalg nn optim special"),
        ("nn", "layer loss optim probability wrap"),
        ("dataset", "text transforms vision"),
        ("train", "callback metrics"),
    ],
)
def test_dir_lists_the_modules_before_they_are_imported(space, names):
    program = f"import ms_compat as ms; print(sorted(set({names.split()}) - set(dir(ms.{space}))))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    module = import_module(f"ms_compat.{space}")
    assert [getattr(module, name).__name__ for name in names.split()] == [
        f"ms_compat.{space}.{n}" for n in names.split()
    ]


def test_tensor_has_the_declared_methods():
    for name, face in faces.find("Tensor").items():
        found = getattr(ms.Tensor, name)
        declared = faces.load(face)
        checked = getattr(found, "__wrapped__", None)  # by numpy, which takes Tensors only
        assert face.kind or found is declared or checked is declared, name
        assert not type(vars(ms.Tensor)[name]).__module__.startswith("ms_compat._tensor"), f"{name} is still to be made"


def test_one_function_has_all_its_faces():
    lerp = import_module("ms_compat.ops.function.elementwise.arithmetic").lerp
    assert ms.ops.lerp is ms.mint.lerp is ms.Tensor.lerp is lerp
    assert ms.Tensor.mul_.__wrapped__ is ms.ops.mul is ms.ops.multiply


def test_a_primitive_is_its_declaration():
    """The arguments of the constructor with their types, and of the call with theirs."""
    row = ms.ops.ConfusionMatrix._row
    assert list(row.parameters.items()) == [("num_classes", REQUIRED), ("dtype", "int32")]
    assert row.types == {"num_classes": (int,), "dtype": (str,)}
    assert row.inputs == ("labels", "predictions", ("weights", None))
    assert ms.ops.Squeeze._row.types == {"axis": (int, tuple, list)} and ms.ops.Squeeze().axis == ()
    assert ms.ops.Exp._row.fn is ms.ops.exp and ms.ops.Exp._row.parameters == {}
    assert ms.ops.Exp is pickle.loads(pickle.dumps(ms.ops.Exp))
    assert repr(pickle.loads(pickle.dumps(ms.ops.Elu(0.5)))) == "Prim[Elu]<alpha=0.5>"


def in_a_new_process(code: str) -> str:
    root = Path(ms.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600, cwd=root
    )
    return done.stdout


def test_importing_the_package_imports_few_operations():
    """Those that Tensor's operators call; a list of names costs no import."""
    code = """
import sys, ms_compat, ms_compat.ops, ms_compat.mint, ms_compat.numpy
print(len(dir(ms_compat.ops)) > 1400, len(dir(ms_compat.mint)) > 200, len(dir(ms_compat.numpy)) > 240)
print(*sorted(m.partition("ops.")[2] for m in sys.modules if m.startswith("ms_compat.ops.") and m.count(".") > 3))
print(sorted(m for m in sys.modules if m.startswith(("ms_compat.ops.primitives", "ms_compat.communication"))))
ms_compat.ops.hann_window
print("ms_compat.ops.function.spectral.window" in sys.modules, "ms_compat.ops.function.spectral.fft" in sys.modules)
print([m for m in sys.modules if m.partition(".")[0] in ("malt", "libcst", "flax", "optax", "cv2", "PIL")])
"""
    listed, files, others, window, libraries = in_a_new_process(code).splitlines()
    assert listed == "True True True"
    assert files.split() == [
        "function.elementwise.arithmetic",
        "function.elementwise.compare",
        "function.elementwise.math",
        "function.elementwise.slopes",
        "function.linalg.basic",
        "function.linalg.svd",
        "function.nn.checks",
        "function.shape.diagonals",
    ]
    assert (others, window) == ("[]", "True False")
    assert libraries == "[]"  # malt alone takes 10 ms; only branches and loops of compiled functions need it


def test_properties_can_be_set_before_they_are_read():
    code = """
import ms_compat as ms
x = ms.Tensor([1.0, 2.0])
x.data = ms.Tensor([3.0, 4.0])
print(x)
try:
    x.T = x
except AttributeError:
    print("refused")
"""
    assert in_a_new_process(code).splitlines() == ["[3. 4.]", "refused"]


if __name__ == "__main__":
    faces.INDEX.write_text(text(), "utf-8")
