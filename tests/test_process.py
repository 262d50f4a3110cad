"""What importing and installing the package change in the process: what `notebooks/guide/process.md` lists."""

import json
import os
import pathlib
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat  # noqa: F401  (64-bit types)

ROOT = pathlib.Path(__file__).parents[1]
PAGE = ROOT / "notebooks" / "guide" / "process.md"
SNAPSHOT = """
import builtins, gc, json, logging, os, signal, sys, threading, warnings
import jax, numpy
import jax._src.interpreters.mlir as mlir, jax._src.export.shape_poly as shape_poly, jax._src.pjit as pjit
from jax._src import compilation_cache

def state():
    return {
        **{f"jax.config.{name}": value for name, value in jax.config.values.items()},
        "recursion limit": sys.getrecursionlimit(),
        "environment": dict(os.environ),
        "warning filters": list(warnings.filters),
        "signals": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "threads": threading.enumerate(),
        "logging": (logging.root.handlers[:], logging.root.level),
        "garbage collection": (gc.callbacks[:], gc.get_threshold()),
        "builtins": dict(vars(builtins)),
        "numpy": (set(dir(numpy)), numpy.get_printoptions()["legacy"]),
        "threading.excepthook": threading.excepthook,
        **{f"sys.{name}": getattr(sys, name) for name in "excepthook unraisablehook displayhook".split()},
        **{f"sys.{name}": list(getattr(sys, name)) for name in "meta_path path path_hooks".split()},
        "functions of JAX": (dict(mlir.ir_type_handlers), dict(vars(shape_poly)), dict(vars(pjit))),
        "symbolic sizes": dict(vars(shape_poly._DimExpr)),
        "program cache": type(compilation_cache._cache).__name__,
    }

states = [state()]
def changed():
    states.append(state())
    before, after = states[-2:]
    return sorted(name for name in after if after[name] != before[name])
"""
BY_IMPORT = {
    "jax.config.jax_enable_x64",
    "jax.config.jax_persistent_cache_min_compile_time_secs",
    "program cache",
    "recursion limit",
    "sys.unraisablehook",
}
BY_INSTALLING = {
    "jax.config.jax_traceback_filtering",
    "sys.excepthook",
    "sys.meta_path",
    "sys.path",
    "threading.excepthook",
    *({"numpy"} if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else ()),
}


def changes(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", SNAPSHOT + program],
        cwd=ROOT,
        env={**os.environ, "MS_COMPAT_CACHE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return [set(json.loads(line)) for line in done.stdout.splitlines()]


def test_importing_installing_and_uninstalling_change_what_the_page_lists(tmp_path):
    program = """
import ms_compat
print(json.dumps(changed()))
ms_compat.install()
print(json.dumps(changed()))
ms_compat.install()
print(json.dumps(changed()))
ms_compat.uninstall()
print(json.dumps(changed()))
states[-2] = states[1]
before, after = states[1], states[-1]
print(json.dumps([name for name in after if after[name] != before[name]]))
"""
    by_import, by_installing, again, by_uninstalling, left = changes(program, XDG_CACHE_HOME=str(tmp_path))
    assert by_import == BY_IMPORT
    assert by_installing == BY_INSTALLING
    assert again == set()
    assert by_uninstalling == BY_INSTALLING
    assert left == set()


def test_the_environment_turns_the_program_cache_and_the_hooks_off(tmp_path):
    program = """
import ms_compat
print(json.dumps(changed()))
ms_compat.install()
print(json.dumps(changed()))
"""
    cache = {"jax.config.jax_persistent_cache_min_compile_time_secs", "program cache"}
    off = {"MS_COMPAT_CACHE": "0", "MS_COMPAT_TRACEBACK_FILTERING": "off"}
    by_import, by_installing = changes(program, **off)
    assert by_import == BY_IMPORT - cache
    assert by_installing == BY_INSTALLING - {"sys.excepthook", "threading.excepthook"}
    own = {"JAX_COMPILATION_CACHE_DIR": str(tmp_path), "JAX_TRACEBACK_FILTERING": "auto"}
    assert changes("import ms_compat\nprint(json.dumps(changed()))", **own) == [BY_IMPORT - cache]


def test_a_child_that_is_forked_is_the_only_other_change_of_the_page():
    rows = [line.split("|")[1].strip() for line in PAGE.read_text("utf-8").split("##")[1].splitlines() if "| " in line]
    named = ["jax_enable_x64", "recursion limit", "jax_persistent_cache_min_compile_time_secs", "sys.unraisablehook"]
    for name in (*named, "os.register_at_fork"):
        assert sum(name in row for row in rows) == 1, name
    assert len(rows) == len(named) + 3  # the heading and the line below it
    settings = {name.removeprefix("jax.config.") for name in BY_IMPORT}
    assert settings - {"program cache"} == set(named)


JAX_CODE = {
    "zeros": (lambda: jnp.zeros(3), "float"),
    "linspace": (lambda: jnp.linspace(0, 1, 3), "float"),
    "array(1.0)": (lambda: jnp.array(1.0), "float"),
    "arange": (lambda: jnp.arange(3), "int"),
    "array([1])": (lambda: jnp.array([1]), "int"),
    "argmax": (lambda: jnp.argmax(jnp.ones(3, "float32")), "int"),
    "asarray": (lambda: jnp.asarray(np.ones(2)), "float"),
    "sum": (lambda: jnp.ones(3, "int32").sum(), "int"),
    "normal": (lambda: jax.random.normal(jax.random.key(0), (2,)), "float"),
}


@pytest.mark.parametrize("name", JAX_CODE)
def test_jax_code_beside_the_package_has_64_bits_and_32_in_a_block(name):
    make, kind = JAX_CODE[name]
    assert make().dtype == f"{kind}64"
    with jax.enable_x64(False):
        assert make().dtype == f"{kind}32"
    assert (jnp.float32(1) * 2 + jnp.ones(3, "float32")).dtype == "float32"


def test_64_bits_cannot_be_scoped_to_calls():
    """What another part of the program would compute of a Tensor's array."""
    with jax.enable_x64(True):
        array = jnp.array([2**40])
    with jax.enable_x64(False), pytest.warns(UserWarning, match="truncated to dtype int32"):
        assert int(jnp.sum(array)) == 0
