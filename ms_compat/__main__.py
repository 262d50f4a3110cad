"""The command line: `python -m ms_compat COMMAND ...`, also installed as `ms-compat`.

Each file of `ms_compat/cli` without a leading underscore is a command of that name, with `NAME`, `HELP`,
`add_arguments(parser)` and `run(args) -> int`. Only the command that was asked for is imported.
"""

import argparse
import importlib
import pathlib
import sys
from collections.abc import Sequence


def commands() -> list[str]:
    """Returns the names of the commands, found by their files."""
    folder = pathlib.Path(__file__).with_name("cli")
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Makes the parser for some of the commands."""
    parser = argparse.ArgumentParser(prog="ms-compat", description="Run MindSpore programs on JAX.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in names:
        command = importlib.import_module(f"ms_compat.cli.{name}")
        subparser = subparsers.add_parser(command.NAME, help=command.HELP, description=command.HELP)
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
    args = build_parser(chosen or names).parse_args(argv)
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
