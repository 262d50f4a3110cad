"""The command line: `python -m ms_compat COMMAND ...`, also installed as `ms-compat`.

Each file of `ms_compat/cli` without a leading underscore is a command of that name, with `NAME`, `HELP`, `EXAMPLES`,
`add_arguments(parser)` and `run(args) -> int`, and maybe `spelled(argv)`, which writes arguments otherwise. Only the
requested command is imported.
"""

import argparse
import difflib
import importlib
import os
import pathlib
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TextIO

from ms_compat._core import interrupts
from ms_compat.version import __compat_version__, __version__

INTERRUPTED = 130  # the exit status of a shell's command after Ctrl-C
# Commands that run a program in this process, whose output is its own.
_PROGRAMS = ("run", "plan")
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)")


class Parser(argparse.ArgumentParser):
    """A parser that names the nearest option that exists.

    Attributes:
        arguments: what `add_argument` made.
        commands: the parsers of commands, by their names.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.arguments: list[argparse.Action] = []
        self.commands: dict[str, Parser] = {}
        super().__init__(*args, **kwargs)

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        action = super().add_argument(*args, **kwargs)
        self.arguments.append(action)
        return action

    @property
    def options(self) -> list[str]:
        """All options."""
        return [option for action in self.arguments for option in action.option_strings]

    @property
    def takes_program(self) -> bool:
        """Whether a program follows, with options of its own."""
        return any(action.nargs == argparse.REMAINDER for action in self.arguments)

    def error(self, message: str) -> NoReturn:
        if (found := _INVALID_CHOICE.search(message)) is not None:
            message += suggestion(found[1], re.findall(r"[\w.-]+", found[2]))
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {message}\n")

    def refuse_unknown(self, words: Sequence[str]) -> NoReturn:
        """Ends the process because of arguments that this command does not take."""
        word = next((word for word in words if word.startswith("-")), words[0])
        if not word.startswith("-"):
            self.error(f"'{word}' is one argument too many")
        option = word.partition("=")[0]
        own = "; the options of a script follow its name" if self.takes_program else ""
        self.error(f"there is no option '{option}'{suggestion(option, self.options) or own}")

    def unknown_option(self, argv: Iterable[str]) -> str | None:
        """The first option in a command's arguments that it does not have, unless a program's own may follow."""
        if self.takes_program:
            return None
        for word in argv:
            if word == "--":
                break
            option = word.partition("=")[0]
            if option.startswith("--") and not any(name.startswith(option) for name in self.options):
                return word
        return None


def suggestion(word: str, known: Iterable[str]) -> str:
    """What to add to a message about an unknown word.

    >>> suggestion("chekc", ["check", "convert"]), suggestion("xyz", ["check"])
    ("; did you mean 'check'?", '')
    """
    close = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def commands() -> list[str]:
    """Returns the names of the commands, found by their files."""
    folder = pathlib.Path(__file__).with_name("cli")
    return sorted(file.stem for file in folder.glob("*.py") if not file.stem.startswith("_"))


def build_parser(names: Sequence[str]) -> Parser:
    """Makes the parser for some of the commands."""
    parser = Parser(
        prog="ms-compat",
        usage="ms-compat [-h] [--version] COMMAND ...",
        description="Run MindSpore programs on JAX.",
        epilog="'ms-compat COMMAND --help' has examples. Exit status: 0 all is well, 1 it is not, 2 wrong arguments or "
        "files that cannot be read or written, 130 interrupted by Ctrl-C.",
    )
    told = f"ms-compat {__compat_version__} (MindSpore API {__version__}, Python {sys.version.split()[0]})"
    parser.add_argument("--version", action="version", version=told)
    subparsers = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", prog="ms-compat", parser_class=Parser
    )
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
        parser.commands[name] = subparser
    return parser


def _parsed(argv: list[str]) -> argparse.Namespace:
    """The arguments as a command's `run` takes them; the process ends where they make no sense."""
    names = commands()
    if not argv:
        build_parser(names).print_help()
        raise SystemExit(0)
    name = argv[0]
    if name not in names:
        parser = build_parser(names if name.startswith("-") else [])
        if name.startswith("-"):
            if parser.unknown_option(argv[:1]) is None:
                parser.parse_args(argv)  # --help and --version end here
            parser.refuse_unknown([name])
        program, hint = pathlib.Path(name), "; 'ms-compat --help' lists them"
        if program.suffix in (".py", ".ipynb"):
            parser.error(f"there is no command '{name}'; did you mean 'ms-compat run {name}'?")
        parser.error(f"there is no command '{name}'{suggestion(name, names) or hint}")
    parser = build_parser([name])
    spelled = getattr(importlib.import_module(f"ms_compat.cli.{name}"), "spelled", None)
    argv = [name, *spelled(argv[1:])] if spelled else argv
    subparser = parser.commands[name]
    if (word := subparser.unknown_option(argv[1:])) is not None:  # before what is missing because of it
        subparser.refuse_unknown([word])
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        subparser.refuse_unknown(unknown)
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        argv: the arguments; the process's own if `None`.

    Returns:
        The exit status: 0 if all went well, 1 if not, 2 if the arguments make no sense, 130 after Ctrl-C.
    """
    args = _parsed(sys.argv[1:] if argv is None else list(argv))
    interrupts.started()
    if args.command not in _PROGRAMS:
        for stream in (sys.stdout, sys.stderr):
            _escape_unprintable(stream)
    try:
        return args.run(args)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt as error:
        if getattr(error, "reported", False):  # the program's traceback was printed
            raise
        print(f"ms-compat {args.command}: interrupted", file=sys.stderr)
        return INTERRUPTED


def _escape_unprintable(stream: TextIO) -> None:
    """Lets names in letters that a console does not have be printed as escapes, instead of an error."""
    reconfigure = getattr(stream, "reconfigure", None)  # a notebook's stream has none, and takes all letters
    if reconfigure is not None and stream.errors == "strict":
        reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
