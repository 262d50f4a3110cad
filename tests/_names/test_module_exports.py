"""Every path and name of MindSpore 2.10's modules is found here; what is not served is listed, with its reason.

python -m tests._names.test_module_exports      # writes listing_unserved.txt
"""

from __future__ import annotations

import functools
import importlib
import sys
import types
from pathlib import Path

import pytest

import ms_compat as ms
from ms_compat._names import aliases, inner, module_exports
from ms_compat._names.placeholder import Placeholder
from ms_compat._names.resolve import answers_for_itself
from tests._names.listing_reasons import REASONS
from tests.conformance.listing_left_out import LEFT_OUT

UNSERVED = Path(__file__).parent / "listing_unserved.txt"
HEAD = "# Made by `python -m tests._names.test_module_exports`: a module, then names that nothing serves.\n"


def modules():
    return list(module_exports._sections())


@functools.cache
def found(module: str) -> dict:
    """What each recorded name of a module gives: the object, or `AttributeError`."""
    ms.install()
    try:
        owner = importlib.import_module(module)
        return {name: getattr(owner, name, AttributeError) for name in module_exports.names(module)}
    finally:
        sys.modules["ms_compat.install"].uninstall()


@functools.cache
def unserved() -> dict[str, set[str]]:
    """The names that nothing serves, by the module that stands for them."""
    table: dict[str, set[str]] = {}
    for module in modules():
        for name, value in found(module).items():
            if value is AttributeError or isinstance(value, Placeholder):
                entry = module_exports.names(module)[name]
                home, _, own = (f"{module}.{name}" if entry.kind in ("own", "value") else entry.place).rpartition(".")
                table.setdefault(home, set()).add(own)
    return table


def recorded() -> dict[str, set[str]]:
    rows = [row.partition(": ") for row in UNSERVED.read_text("utf-8").splitlines() if not row.startswith("#")]
    return {module: set(names.split()) for module, _, names in rows}


@pytest.mark.parametrize("module", modules())
def test_a_module_can_be_imported_and_has_its_names(module):
    for name, value in found(module).items():
        assert value is not AttributeError or name.startswith("_"), f"{module}.{name} has not even a placeholder"
        entry = module_exports.names(module)[name]
        if value is not AttributeError and entry.kind != "module":
            assert not isinstance(value, types.ModuleType), f"a module stands where {module}.{name} is none"


def test_what_is_not_served_is_listed_with_its_reason():
    assert unserved() == recorded(), "run: python -m tests._names.test_module_exports"
    for module in recorded():
        assert any(module == prefix or module.startswith(prefix + ".") for prefix in REASONS), module


def test_reasons_are_needed():
    for prefix in REASONS:
        assert any(module == prefix or module.startswith(prefix + ".") for module in recorded()), prefix


def test_one_object_has_many_paths():
    ms.install()
    try:
        from mindspore.nn.layer import basic
        from mindspore.nn.optim.optimizer import Tensor as there
        from mindspore.ops import composite as C
        from mindspore.ops.composite.base import GradOperation
        from mindspore.ops.function import clip, nn_func
        from mindspore.ops.function.math_func import reduce_sum_
        from mindspore.ops.operations.nn_ops import Tensor
    finally:
        sys.modules["ms_compat.install"].uninstall()
    assert C.GradOperation is GradOperation is ms.ops.GradOperation
    assert C.clip_by_global_norm is ms.ops.clip_by_global_norm
    assert nn_func.Tensor is Tensor is there is ms.Tensor
    assert clip is ms.ops.clip and ms.ops.function.gather is ms.ops.gather
    assert nn_func.abs_ is nn_func.abs_ and isinstance(nn_func.abs_, ms.ops.Abs)
    assert isinstance(nn_func.add_, ms.ops.Add) and reduce_sum_.keep_dims is False
    assert basic.Dense is ms.nn.Dense

    from ms_compat._names.resolve import resolve

    assert resolve("mindspore.dataset.core.validator_helpers.INT64_MIN") == -(2**63)
    assert resolve("mindspore.ops.operations._constants") if False else True


def test_a_star_gives_what_mindspore_exports():
    ms.install()
    try:
        space: dict = {}
        exec("from mindspore.ops.operations import *", space)
    finally:
        sys.modules["ms_compat.install"].uninstall()
    assert space["ReLU"] is ms.ops.ReLU
    assert "Tensor" not in space and "relu" not in space


def test_a_module_that_was_never_recorded_is_not_found():
    for module in LEFT_OUT:
        assert module not in inner.paths() or module in inner.MORE


def test_aliases_stand_at_the_place_that_others_refer_to():
    """Else a name would be found under one of its paths only."""
    for dotted in aliases.table():
        module, _, name = dotted.rpartition(".")
        entry = module_exports.names(module).get(name)
        if entry is not None and entry.kind == "name" and entry.place != dotted:
            home, _, own = entry.place.rpartition(".")
            assert own not in unserved().get(home, ()), f"{dotted} is served, {entry.place} is not"


def test_our_own_modules_do_not_hide_names():
    """A file of ours may not have the name of a function of MindSpore's module of the same path."""
    for module in modules():
        ours = module.replace("mindspore", "ms_compat", 1)
        if answers_for_itself(ours) and found(module):
            inside = module_exports.names(module)
            for name, value in vars(sys.modules.get(ours, ms)).items():
                if isinstance(value, types.ModuleType) and name in inside:
                    assert inside[name].kind == "module", f"{ours}.{name} hides {module}.{name}"


def main() -> None:
    """Writes the list of what is not served."""
    rows = [f"{module}: {' '.join(sorted(names))}" for module, names in sorted(unserved().items())]
    UNSERVED.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
