"""`ms-compat status`: where `import mindspore` leads in this environment."""

import argparse
import sys

from ms_compat.cli import _shim, kernel
from ms_compat.cli._output import print_json, print_table
from ms_compat.version import __compat_version__, __version__

NAME = "status"
HELP = "show where 'import mindspore' leads in this environment (status 0: to ms_compat, 1: elsewhere)"
EXAMPLES = """\
  ms-compat status --json
  ms-compat status >/dev/null || ms-compat activate
"""
_LEADS = {
    "none": "nowhere: 'ms-compat run' or 'ms-compat activate' makes it ms_compat",
    "shim": "to ms_compat",
    "real": "to MindSpore itself",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the state; returns 0 if `import mindspore` imports ms_compat, else 1."""
    place = _shim.look()
    kernels = kernel.installed()
    if args.json:
        print_json(
            {
                "active": place.kind == "shim",
                "mindspore": place.kind,
                "folder": place.folder and str(place.folder),
                "python": sys.executable,
                "ms_compat": __compat_version__,
                "api": __version__,
                "kernels": kernels,
            }
        )
    else:
        rows = [
            ("'import mindspore' leads", _LEADS[place.kind]),
            ("found in", place.folder or ""),
            ("Python", sys.executable),
            ("ms_compat", f"{__compat_version__} (serves the MindSpore {__version__} API)"),
            ("Jupyter kernels", ", ".join(kernels) or "none; 'ms-compat kernel' makes one"),
        ]
        print_table("ms-compat status", ("what", "value"), rows, prose=("value",))
    return 0 if place.kind == "shim" else 1
