"""`ms-compat doctor`: what this installation is made of, and whether it computes."""

import argparse
import importlib.metadata
import platform
import sys
import time

from ms_compat.cli._output import counted, print_json, print_table

NAME = "doctor"
HELP = "show versions and devices, and compute something on each kind of device"
EXAMPLES = """\
  ms-compat doctor
  ms-compat doctor --json
"""

_PACKAGES = (
    "jax",
    "jaxlib",
    "numpy",
    "flax",
    "optax",
    "ml_dtypes",
    "safetensors",
    "pillow",
    "opencv-python-headless",
    "simplejpeg",
    "diastatic-malt",
    "libcst",
    "rich",
    "cryptography",
    "onednn-cpu-gomp",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the report; returns 1 if a check fails."""
    import jax

    from ms_compat import version
    from ms_compat._core import jax_compat
    from ms_compat._core.settings import allocation, context, device

    jax_compat.enable_x64()
    devices = jax.local_devices()
    rows: list[tuple[str, object]] = [
        ("Python", f"{platform.python_version()} on {platform.platform()}"),
        ("ms_compat", f"{version.__compat_version__} (serves the MindSpore {version.__version__} API)"),
        *((name, _package_version(name)) for name in _PACKAGES),
        ("devices", ", ".join(f"{found.platform}:{found.id} {found.device_kind}" for found in devices)),
        ("device_target", f"{context.get_context('device_target')} -> {device.current()}"),
        ("64-bit types", jax.config.jax_enable_x64),  # type: ignore[attr-defined]
        ("compilation cache", _cache()),
        ("products and convolutions on CPU", _kernels()),
        ("huge pages", allocation.described(allocation.HUGE_PAGES)),
        ("one heap", allocation.described(allocation.ONE_HEAP)),
        ("features that JAX lacks", ", ".join(jax_compat.missing_features()) or "none"),
    ]
    failures = 0
    for found in [devices[0]] if devices[0].platform == "cpu" else [devices[0], *jax.local_devices(backend="cpu")[:1]]:
        problem, seconds = _multiply(found)
        failures += problem is not None
        rows.append((f"matrix product on {found.platform}", problem or f"correct ({seconds * 1e3:.1f} ms)"))
    if args.json:
        plain = (bool, int, str)
        print_json({"healthy": not failures, **{k: v if isinstance(v, plain) else str(v) for k, v in rows}})
    else:
        print_table("ms-compat doctor", ("what", "value"), rows, prose=("value",))
    if failures:
        print("ms-compat doctor: a computation failed", file=sys.stderr)
    return 1 if failures else 0


def _kernels() -> str:
    """Whose kernels compute products and convolutions on processors."""
    from ms_compat._core.onednn import calls, library

    if why := calls.why_not():
        return f"XLA ({why})"
    if library.library() is None:
        return "XLA (oneDNN is installed, but cannot be loaded: it needs libgomp)"
    return f"oneDNN ({library.path()})"


def _cache() -> str:
    from ms_compat._core.settings import program_cache

    if folder := program_cache.users_own_folder():
        return folder
    used = program_cache.current()
    if used is None:
        return "in memory only"
    files = program_cache.contents(used.base)
    size = sum(size for _, size, _ in files) / (1 << 20)
    return f"{used.base} ({counted(len(files), 'program')}, {size:.1f} of {program_cache.limit_bytes() >> 20} MiB)"


def _package_version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _multiply(device: object) -> tuple[str | None, float]:
    """Multiplies matrices with a known product twice; returns the error, if any, and the second product's time."""
    import jax
    import jax.numpy as jnp

    size = 256
    try:
        with jax.default_device(device):
            rows = jnp.arange(size, dtype=jnp.float32)[:, None] % 7 @ jnp.ones((1, size), jnp.float32)
            multiply = jax.jit(lambda left, right: left @ right)
            multiply(rows, rows).block_until_ready()
            start = time.perf_counter()
            product = multiply(rows, rows).block_until_ready()
            seconds = time.perf_counter() - start
            total = sum(number % 7 for number in range(size))
            wrong = int((product != rows * total).sum())
    except Exception as error:  # drivers may raise anything; the report shows it
        return f"{type(error).__name__}: {error}", 0.0
    return (f"{wrong} wrong elements" if wrong else None), seconds
