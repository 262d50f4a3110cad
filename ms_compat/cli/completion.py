"""`ms-compat completion`: what a shell needs to complete commands, options and files after TAB."""

import argparse
import pathlib
import sys

from ms_compat.cli._output import missing_extra

NAME = "completion"
HELP = "print what a shell needs to complete the commands and their options"
EXAMPLES = """\
  ms-compat completion bash > ~/.local/share/bash-completion/completions/ms-compat
  ms-compat completion zsh > "${fpath[1]}/_ms-compat"
  ms-compat completion tcsh > ~/.ms-compat.tcsh    then 'source' it in ~/.tcshrc
"""
# Arguments that name files, by the name under which `run` finds them.
_FILES = ("file", "files", "script", "scripts", "source", "target", "task_script", "oracle")
_FOLDERS = ("log_dir", "trace", "cache")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell")


def run(args: argparse.Namespace) -> int:
    """Prints the shell's script; returns 2 without shtab, which makes it."""
    try:
        import shtab
    except ModuleNotFoundError:
        print(f"ms-compat completion: {missing_extra('shtab', 'completion')}", file=sys.stderr)
        return 2
    from ms_compat.__main__ import build_parser, commands

    parser = build_parser(commands())
    for command in parser.commands.values():
        for action in command.arguments:
            if action.dest in _FILES or action.type is pathlib.Path:
                action.complete = shtab.DIRECTORY if action.dest in _FOLDERS else shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, args.shell))
    return 0
