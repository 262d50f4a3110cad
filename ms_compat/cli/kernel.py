"""`ms-compat kernel`: a Jupyter kernel in which `import mindspore` gives ms_compat."""

import argparse
import importlib.util
import sys

from ms_compat.cli import _kernels

NAME = "kernel"
HELP = "make a Jupyter kernel in which 'import mindspore' gives ms_compat"
EXAMPLES = """\
  ms-compat kernel                          for the Jupyter of this environment
  ms-compat kernel --user                   for a Jupyter that is installed elsewhere
  ms-compat kernel --remove
  jupyter lab                               then choose 'Python 3 (ms_compat)'
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--user", action="store_true", help="for all of the user's Jupyters")
    parser.add_argument("--remove", action="store_true", help="remove the kernels again")


def run(args: argparse.Namespace) -> int:
    """Writes or removes the kernel's file; returns 1 if that fails or ipykernel, which it starts, is not installed."""
    try:
        if args.remove:
            removed = _kernels.remove()
            print("\n".join(f"Removed {folder}." for folder in removed) or "There is no kernel of ms_compat.")
            return 0
        if importlib.util.find_spec("ipykernel") is None:
            print("ms-compat kernel: it needs ipykernel: pip install 'ms-compat[notebooks]'", file=sys.stderr)
            return 1
        print(f"Wrote {_kernels.install(args.user)}.")
    except OSError as error:
        print(f"ms-compat kernel: can't write '{error.filename}': {error.strerror}", file=sys.stderr)
        return 1
    return 0
