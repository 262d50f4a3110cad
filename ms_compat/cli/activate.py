"""`ms-compat activate`: `import mindspore` gives ms_compat in every process of this environment."""

import argparse
import sys

from ms_compat.cli import _shim

NAME = "activate"
HELP = "make 'import mindspore' give ms_compat in this environment: in python, pytest, notebooks, and all they start"
EXAMPLES = """\
  ms-compat activate && python train.py     the script needs no 'ms-compat run'
  ms-compat activate --user                 where the environment is not yours to write
  ms-compat status; ms-compat deactivate    is it on? off again; nothing is left
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--user", action="store_true", help="into the user's packages instead of the environment's")


def run(args: argparse.Namespace) -> int:
    """Writes the shim; returns 1 where it is refused, as beside MindSpore itself."""
    try:
        folder = _shim.activate(args.user)
    except _shim.Refused as error:
        print(f"ms-compat activate: {error}", file=sys.stderr)
        return 1
    print(f"'import mindspore' gives ms_compat in this environment ({folder}).")
    print("'ms-compat deactivate' or 'pip uninstall mindspore' takes it back.")
    return 0
