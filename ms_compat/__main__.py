"""The command line: `python -m ms_compat COMMAND ...`, also installed as `ms-compat`.

Each file of `ms_compat/cli` without a leading underscore is a command of that name, with `NAME`, `HELP`, `EXAMPLES`,
`add_arguments(parser)` and `run(args) -> int`, and maybe `spelled(argv)`, which writes arguments otherwise. Only the
command that was asked for is imported.
"""

import argparse
import importlib
import os
import pathlib
import sys
from collections.abc import Sequence

from ms_compat.version import __compat_version__, __version__


def commands() -> list[str]:
    """Returns the names of the commands, found by their files."""
    folder = pathlib.Path(__file__).with_name("cli")
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Makes the parser for some of the commands."""
    parser = argparse.ArgumentParser(
        prog="ms-compat",
        description="Run MindSpore programs on JAX.",
        epilog="'ms-compat COMMAND --help' has examples. Exit status: 0 all is well, 1 it is not, 2 wrong arguments or "
        "files that cannot be read.",
    )
    told = f"ms-compat {__compat_version__} (MindSpore API {__version__}, Python {sys.version.split()[0]})"
    parser.add_argument("--version", action="version", version=told)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in names:
        command = importlib.import_module(f"ms_compat.cli.{name}")
        subparser = subparsers.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.HELP,
            epilog=f"examples:\n{command.EXAMPLES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        argv: the arguments; those of the process if `None`.

    Returns:
        The exit status: 0 if all went well, 1 if not, 2 if the arguments make no sense.
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    names = commands()
    chosen = [name for name in names if argv[:1] == [name]]
    parser = build_parser(chosen or names)
    if chosen:
        spelled = getattr(importlib.import_module(f"ms_compat.cli.{chosen[0]}"), "spelled", None)
        argv = [*argv[:1], *spelled(argv[1:])] if spelled else argv
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
