"""Targets: how they are written, and what is said where a compiler is missing."""

import importlib.util
import os
import subprocess
import sys

import pytest

import ms_compat as ms
from ms_compat._targets import target


@pytest.mark.parametrize(
    ("text", "name", "count", "written"),
    [
        ("v5e", "v5e", 1, "v5e"),
        ("V5E:4x4", "v5e", 16, "v5e:4x4"),
        ("v5p:2x2x4", "v5p", 16, "v5p:2x2x4"),
        ("h100", "h100", 1, "h100"),
        ("h100:8", "h100", 8, "h100:8"),
        ("h200:1", "h200", 1, "h200"),
    ],
)
def test_targets_are_parsed(text, name, count, written):
    found = target.parse(text)
    assert (found.chip.name, found.count, str(found)) == (name, count, written)


@pytest.mark.parametrize(
    "text", ["", "v9", "a100", "h100:0", "h100:2x4", "v5e:8", "v5e:4x4x4", "v5p:4x4", "v5e:99x99", "h100:-1"]
)
def test_other_texts_are_refused(text):
    with pytest.raises(target.TargetError):
        target.parse(text)


@pytest.mark.parametrize(("text", "wheel"), [("v5e", "libtpu"), ("h100", "jax_plugins.xla_cuda12")])
def test_a_compiler_that_is_missing_is_named(monkeypatch, text, wheel):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == wheel else find(name))
    target._devices.cache_clear()
    with pytest.raises(ms.UnsupportedError, match=rf"{wheel}.*ms-compat\[aot\]"):
        target.parse(text).devices()


def test_bytes_for_people():
    from ms_compat._targets.advice import readable

    assert [readable(n) for n in (0, 1023, 1024, 1 << 40)] == ["0 B", "1023 B", "1.00 KiB", "1024.00 GiB"]


@pytest.mark.accelerators
@pytest.mark.skipif(importlib.util.find_spec("libtpu") is None, reason="the compiler is not installed")
def test_two_processes_plan_for_tpus_at_one_time():
    code = "from ms_compat._targets.target import parse; print(len(parse('v5e:2x2').devices()), flush=True); input()"
    variables = {name: value for name, value in os.environ.items() if name != "ALLOW_MULTIPLE_LIBTPU_LOAD"}
    started = []
    try:
        for _ in range(2):
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            started.append(subprocess.Popen([sys.executable, "-c", code], env=variables, **pipes))
            assert started[-1].stdout.readline() == b"4\n"
    finally:
        for one in started:
            one.communicate(b"\n")
