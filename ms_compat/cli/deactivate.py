"""`ms-compat deactivate`: takes back what `activate` did."""

import argparse
import sys

from ms_compat.cli import _shim

NAME = "deactivate"
HELP = "take back what 'ms-compat activate' did"
EXAMPLES = """\
  ms-compat deactivate
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments, of which there are none."""


def run(args: argparse.Namespace) -> int:
    """Removes the shim; returns 1 if what is there is not the shim."""
    try:
        folder = _shim.deactivate()
    except _shim.Refused as error:
        print(f"ms-compat deactivate: {error}", file=sys.stderr)
        return 1
    print("It was not active." if folder is None else f"Removed {folder}.")
    return 0
