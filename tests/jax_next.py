"""Run a part of the suite on another JAX, in a virtual environment of its own.

    python -m tests.jax_next                              # the newest JAX, pre-releases included
    python -m tests.jax_next --jax 0.10.0 --python python3.11
    python -m tests.jax_next -- tests/nn -k conv          # other tests: what follows goes to pytest

The newest JAX is what the package index has for the interpreter: the newest Python on the PATH, or `--python`. JAX may
give up older ones before this package does. The environment stays in the user's cache folder, or in `--folder`, so that
a second run only looks for newer versions. The part that runs by default uses every feature of
`ms_compat/_core/jax_compat`; with all tests (`-- tests`) this takes as long as the suite.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[1]
PART = (
    "tests/_core/jax_compat",
    "tests/_core/compiled",
    "tests/_core/diagnostics",
    "tests/_core/index",
    "tests/_core/settings/test_program_cache.py",
    "tests/_core/tape",
    "tests/_compile/padded",
    "tests/_compile/test_control_flow.py",
    "tests/_compile/test_first_calls.py",
    "tests/_compile/test_function.py",
    "tests/_autograd",
    "tests/_formats/mindir",
    "tests/interop",
)
# What the tests of that part import besides the package's own dependencies.
TEST_PACKAGES = ("pytest>=8.3", "pytest-xdist>=3.6", "cryptography>=42", "scikit-learn>=1.5")
PYTHONS = ("python3.15", "python3.14", "python3.13", "python3.12", "python3.11")
REPORT = """
import jax, platform
from ms_compat._core.jax_compat import missing_features
lacking = ", ".join(missing_features()) or "nothing"
print(f"Python {platform.python_version()}, JAX {jax.__version__}; of what ms_compat can use it lacks {lacking}")
"""


def newest_python() -> str:
    """The newest interpreter on the PATH that can make virtual environments."""
    for name in PYTHONS:
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0:
            return path
    return sys.executable


def requirements() -> list[str]:
    """What the environment needs besides JAX."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [*(line for line in project["dependencies"] if not line.startswith("jax")), *TEST_PACKAGES]


def default_folder(python: str, jax: str | None) -> pathlib.Path:
    """Where the environment for an interpreter and a version of JAX stays."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    version = subprocess.check_output([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], text=True)
    return pathlib.Path(cache, "ms_compat", "jax_next", f"python{version.strip()}-jax-{jax or 'newest'}")


def commands(python: str, folder: pathlib.Path, jax: str | None, tests: list[str]) -> list[list[str]]:
    """What is run, in this order."""
    inside = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = [f"{name}=={jax}" for name in ("jax", "jaxlib")] if jax else ["--upgrade", "--pre", "jax", "jaxlib"]
    return [
        *([] if os.path.exists(inside) else [[python, "-m", "venv", str(folder)]]),
        [*pip, *requirements()],
        [*pip, *wanted],  # last, since flax and optax take any JAX along
        [inside, "-c", REPORT],
        [inside, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *(tests or PART)],
    ]


def main(arguments: list[str] | None = None) -> int:
    """Make the environment and run the tests; returns pytest's exit status, or that of the step that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.jax_next", description=__doc__.partition("\n")[0])
    parser.add_argument("--jax", help="a version, such as 0.10.0; otherwise the newest one, pre-releases included")
    parser.add_argument("--python", help="an interpreter; otherwise the newest one on the PATH")
    parser.add_argument("--folder", type=pathlib.Path, help="where the environment stays")
    parser.add_argument("tests", nargs="*", help="arguments of pytest, after --")
    options = parser.parse_args(arguments)
    python = options.python or newest_python()
    folder = options.folder or default_folder(python, options.jax)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for command in commands(python, folder, options.jax, options.tests):
        status = subprocess.run(command, cwd=ROOT, env=environment).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
