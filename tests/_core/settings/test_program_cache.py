"""Compiled programs outlive the process: whole, bounded, for machines of one kind, and never in the way of a run."""

import errno
import logging
import os
import pathlib
import subprocess
import sys

import jax
import pytest

from ms_compat._core.settings import program_cache
from ms_compat._core.settings.program_cache import ProgramCache, contents, sweep

ROOT = pathlib.Path(__file__).parents[3]

# A training step in both modes; prints the loss, and how often a program was asked for and found on disk.
PROGRAM = """
import logging, os, sys
import jax.monitoring
counts = {}
jax.monitoring.register_event_listener(lambda name, **kw: counts.update({name: counts.get(name, 0) + 1}))
logging.basicConfig(format="%(name)s %(levelname)s %(message)s")
logging.getLogger("ms_compat").setLevel(os.environ.get("LEVEL", "WARNING"))
import numpy as np
import ms_compat as ms
from ms_compat import nn, ops
exec(os.environ.get("AFTER_IMPORT", ""))
ms.set_seed(1)
net = nn.SequentialCell(nn.Dense(4, 8, weight_init="ones"), nn.Tanh(), nn.Dense(8, 2, weight_init="ones"))
optimizer = nn.Adam(net.trainable_params())
step = ms.value_and_grad(lambda x: ops.square(net(x)).sum(), None, optimizer.parameters)
x = ms.Tensor(np.ones((3, 4), np.float32))
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    loss, grads = step(x)
    optimizer(grads)
cache = "/jax/compilation_cache/"
print(float(loss.asnumpy()), counts.get(cache + "compile_requests_use_cache", 0), counts.get(cache + "cache_hits", 0))
"""


def start(home, program=PROGRAM, **environment):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "MS_", "XDG_"))}
    variables = {
        **kept,
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "JAX_PLATFORMS": "cpu",
        "PYTHONWARNINGS": "error",
        "MS_COMPAT_COLD_TIER": "0",  # first calls compile
        **environment,
    }
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=variables,
        cwd=home,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ended(process):
    """Loss, requests, hits and the log of a run, which must have succeeded."""
    out, log = process.communicate(timeout=600)
    assert process.returncode == 0, log
    # JAX 0.10.0 takes LLVM's preferences, such as "+prefer-no-gather", for features that the machine lacks
    log = "".join([line for line in log.splitlines(keepends=True) if "Target machine feature +prefer-" not in line])
    loss, asked, found = out.split()
    return float(loss), int(asked), int(found), log


def run(home, **environment):
    return ended(start(home, **environment))


def entries(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


def test_the_second_run_compiles_nothing_and_damage_does_no_harm(tmp_path):
    loss, asked, found, log = run(tmp_path)
    assert asked > 0 and log == ""
    files = entries(tmp_path / ".cache" / "ms_compat" / "programs")
    # programs that the process met twice are asked for twice and stored once
    assert len(files) == asked - found
    assert all(file.suffix == program_cache.SUFFIX for file in files)
    assert files[0].parent.stat().st_mode & 0o777 == 0o700
    again = run(tmp_path)
    assert again == (loss, asked, asked, "")

    whole = files[0].read_bytes()
    files[0].write_bytes(whole[: len(whole) // 2])
    files[1].write_bytes(b"")
    files[2].write_bytes(files[2].read_bytes()[:-1] + b"\0")
    os.replace(files[3], files[4])  # another program's
    damaged = run(tmp_path, LEVEL="DEBUG")
    assert damaged[0] == loss
    assert damaged[3].count("is damaged and compiled again") == 4
    assert run(tmp_path)[1:3] == (asked, asked)


def test_two_processes_share_a_folder(tmp_path):
    both = [start(tmp_path) for _ in range(2)]
    (loss, asked, _, log), other = (ended(process) for process in both)
    assert other[:2] == (loss, asked) and log == other[3] == ""
    assert all(file.suffix == program_cache.SUFFIX for file in entries(tmp_path))
    assert run(tmp_path)[1:3] == (asked, asked)


def test_a_folder_of_jax_s_own_wins(tmp_path):
    own = tmp_path / "own"
    run(tmp_path, JAX_COMPILATION_CACHE_DIR=str(own), JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
        AFTER_IMPORT="ms.set_context(enable_compile_cache=True)")  # fmt: skip
    assert entries(own) and entries(tmp_path) == entries(own)


def test_a_folder_of_jax_s_own_named_later_wins_and_gets_jax_s_threshold(tmp_path):
    late = (
        "import jax; ops.relu(ms.Tensor([1.0])); jax.config.update('jax_compilation_cache_dir', 'late');"
        "ops.tanh(ms.Tensor([1.0])); assert jax.config.jax_persistent_cache_min_compile_time_secs == 1.0;"
        "jax.config.update('jax_persistent_cache_min_compile_time_secs', 0.0)"
    )
    _, asked, found, log = run(tmp_path, AFTER_IMPORT=late)
    assert log == ""
    before = len(entries(tmp_path / ".cache"))  # what compiled before the folder had a name: relu of a new Tensor
    after = len([file for file in entries(tmp_path / "late") if file.name.endswith("-cache")])
    later = asked - found - before
    assert before > 0 and after in (later - 1, later)  # of tanh only what took longer than JAX's second is kept


def test_the_switch_and_the_program_choose_the_folder(tmp_path):
    run(tmp_path, MS_COMPAT_CACHE="0", AFTER_IMPORT="ms.set_context(enable_compile_cache=True)")
    run(tmp_path, AFTER_IMPORT="ms.set_context(enable_compile_cache=False)")
    assert entries(tmp_path) == []
    named = tmp_path / "named"
    run(tmp_path, AFTER_IMPORT="ms.set_context(enable_compile_cache=True, compile_cache_path='named')")
    assert entries(tmp_path) == entries(named) != []


def test_a_home_that_cannot_be_written_is_passed_over_in_silence(tmp_path):
    (tmp_path / ".cache").write_text("no folder")
    assert run(tmp_path)[3] == ""
    log = run(tmp_path, LEVEL="DEBUG")[3]
    assert log.count("compiled programs are not kept on disk") == 1


# -- the folder itself


@pytest.fixture
def cache(tmp_path):
    return ProgramCache(str(tmp_path / "programs"))


def test_what_was_put_is_found_by_another_process_s_cache(cache):
    assert cache.get("a") is None
    cache.put("a", b"program")
    assert cache.get("a") == ProgramCache(cache.base).get("a") == b"program"
    assert cache.get("b") is None


@pytest.mark.parametrize("entry", [b"", b"MSC1", b"x" * 100, b"MSC1" + b"\0" * 32 + b"program"])
def test_a_damaged_entry_is_none_and_goes(cache, entry):
    cache.put("a", b"program")
    (file,) = entries(cache.base)
    file.write_bytes(entry)
    assert cache.get("a") is None
    assert entries(cache.base) == []


def test_the_bound_takes_what_was_not_read_for_longest(cache, monkeypatch):
    monkeypatch.setenv(program_cache.LIMIT, "1")
    value = bytes(200 << 10)
    for i in range(5):
        cache.put(str(i), value)
        os.utime(cache._file(str(i)), (i, i))
    assert cache.get("0") is not None  # makes it the newest
    cache.put("5", value)
    assert sum(size for _, size, _ in contents(cache.base)) <= 1 << 20
    assert [i for i in range(6) if cache.get(str(i)) is not None] == [0, 3, 4, 5]
    cache.put("large", bytes(2 << 20))
    assert cache.get("large") is None and cache.get("5") is not None


def test_the_bound_counts_other_machines_and_clears_what_was_left_half_written(cache):
    cache.put("a", b"program")
    other = pathlib.Path(cache.base) / "other"
    other.mkdir()
    old, left, fresh = other / "old.program", other / "a.program.1.ff", other / "b.program.2.ff"
    for path, age in ((old, 5), (left, 6), (fresh, None)):
        path.write_bytes(bytes(1000))
        if age:
            os.utime(path, (age, age))
    sweep(cache.base, 1 << 20)
    assert old.exists() and fresh.exists() and not left.exists()
    sweep(cache.base, 1500)
    assert not old.exists() and fresh.exists() and cache.get("a") == b"program"


def test_a_full_disk_is_said_once_and_what_is_there_stays_readable(cache, monkeypatch, caplog):
    cache.put("a", b"program")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        cache.put("b", b"program")
        cache.put("c", b"program")
    assert caplog.text.count("not kept on disk from here on") == 1
    assert len(entries(cache.base)) == 1 and cache.get("a") == b"program"


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_the_default_folder_must_be_the_user_s_own(tmp_path):
    private = ProgramCache(str(tmp_path), private=True)
    private.put("a", b"program")
    assert private.get("a") == b"program"
    os.chmod(private.folder, 0o777)
    assert ProgramCache(str(tmp_path), private=True).get("a") is None
    assert ProgramCache(str(tmp_path)).get("a") == b"program"  # named by the program: its own business
    distrustful = ProgramCache(str(tmp_path), private=True)
    distrustful.put("b", b"program")
    assert len(entries(tmp_path)) == 1


def test_the_folder_of_a_machine_has_its_cpu_s_features_in_its_name(tmp_path, monkeypatch):
    info = tmp_path / "cpuinfo"
    monkeypatch.setattr(program_cache, "_CPU_INFO", str(info))
    names = {}
    for name, flags, frequency in (("one", "avx2", 1), ("same", "avx2", 2), ("other", "avx2 avx512f", 1)):
        info.write_text(f"processor: 0\nmodel name: X\ncpu MHz: {frequency}\nflags: {flags}\n\nprocessor: 1\n")
        names[name] = program_cache.machine()
    assert names["one"] == names["same"] != names["other"]
    info.unlink()
    assert program_cache.machine() not in names.values()
    monkeypatch.setattr(jax, "__version__", "99")
    assert program_cache.machine() not in names.values()


def test_the_user_s_folder_is_xdg_s(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert program_cache.user_folder() == str(tmp_path / "ms_compat" / "programs")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert program_cache.user_folder() == str(tmp_path / ".cache" / "ms_compat" / "programs")
    monkeypatch.setenv("HOME", "nowhere")
    assert program_cache.user_folder() is None


def test_mindspore_s_environment_variables_choose_as_well(monkeypatch, tmp_path):
    monkeypatch.delenv(program_cache.SWITCH, raising=False)
    monkeypatch.setenv("MS_COMPILER_CACHE_ENABLE", "1")
    monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path))
    try:
        program_cache.configure()
        assert program_cache.current().base == str(tmp_path)
        monkeypatch.setenv("MS_COMPILER_CACHE_ENABLE", "0")
        program_cache.configure()
        assert program_cache.current() is None
    finally:
        program_cache.switch_off()


@pytest.mark.parametrize(("text", "mib"), [("", 1024), ("5", 5), ("many", 1024)])
def test_the_bound_is_read_from_the_environment(monkeypatch, text, mib):
    monkeypatch.setenv(program_cache.LIMIT, text)
    assert program_cache.limit_bytes() == mib << 20


def test_doctor_says_where_programs_are_kept(monkeypatch, tmp_path):
    from ms_compat.cli import doctor

    assert program_cache.current() is not None or doctor._cache() == "in memory only"
    cache = ProgramCache(str(tmp_path))
    cache.put("a", bytes(1 << 20))
    monkeypatch.setattr(program_cache, "_installed", cache)
    assert doctor._cache() == f"{tmp_path} (1 program, 1.0 of 1024 MiB)"
