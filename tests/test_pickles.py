"""Pickles of earlier versions load, with the values that they had: modules may move, the paths in pickles stay."""

import json
import subprocess
import sys

import pytest

from tests import pickles

ENTRIES = pickles.recorded()
# Made with the import hook, these name their classes by MindSpore's modules, so they load only where it is installed,
# as they would under MindSpore. All else loads in both cases, whether it was made with the hook or without.
NAMED_BY_MINDSPORE = {
    "tensor with an initializer",
    "primitive",
    "primitive with arguments",
    "cell",
    "sequential cell",
    "cell list",
    "optimizer of mint",
    "experimental optimizer",
}


@pytest.fixture(scope="module")
def loaded():
    """What two new processes loaded, which run at one time: {whether the hook is installed: [shown]}."""
    command = [sys.executable, "-m", "tests.pickles", "load"]
    running = {
        hook: subprocess.Popen([*command, *["hook"] * hook], cwd=pickles.ROOT, stdout=subprocess.PIPE, text=True)
        for hook in (False, True)
    }
    outputs = {hook: process.communicate(timeout=600)[0] for hook, process in running.items()}
    assert [process.returncode for process in running.values()] == [0, 0]
    return {hook: json.loads(output) for hook, output in outputs.items()}


def label(entry):
    return f"{entry['name']}, version {entry['version']}, protocol {entry['protocol']}, hook {entry['hook']}"


def test_pickles_of_all_kinds_are_recorded():
    kinds = [(entry["name"], entry["protocol"], entry["hook"]) for entry in ENTRIES if entry["version"] == "0.1.0"]
    assert sorted(kinds) == sorted((n, p, hook) for n in pickles.MAKERS for p in (2, 5) for hook in (False, True))
    assert NAMED_BY_MINDSPORE < set(pickles.MAKERS)


def test_all_load_where_import_mindspore_gives_this_package(loaded):
    pairs = zip(ENTRIES, loaded[True], strict=True)
    assert {label(entry): shown for entry, shown in pairs if shown != entry["shown"]} == {}


def test_without_the_hook_all_load_that_name_no_class_by_mindspores_modules(loaded):
    wrong = {}
    for entry, shown in zip(ENTRIES, loaded[False], strict=True):
        if entry["hook"] and entry["name"] in NAMED_BY_MINDSPORE:
            if not str(shown).startswith("ModuleNotFoundError: No module named 'mindspore'"):
                wrong[label(entry)] = shown
        elif shown != entry["shown"]:
            wrong[label(entry)] = shown
    assert wrong == {}
