"""`ms-compat run`: a MindSpore program as `python` would run it, with ms_compat in MindSpore's place."""

import argparse
import errno
import importlib.machinery
import io
import os
import pathlib
import sys
from collections.abc import Callable

from ms_compat.cli import _programs
from ms_compat.cli._programs import NotStarted

NAME = "run"
HELP = "run a MindSpore script, module or notebook on JAX, unchanged"
EXAMPLES = """\
  ms-compat run train.py --epochs 3         what follows the script is the script's
  ms-compat run -m mypackage.train          as python -m does; also -c CODE, and - for standard input
  ms-compat run tutorial.ipynb              a notebook, cell by cell
  ms-compat run --profile train.py          where the time went: compilation, and the program's functions
  ms-compat run --profile out train.py      the same, and what the devices did, Cell by Cell: tensorboard --logdir out
  ms-compat run --explain-recompiles train.py
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--strict", action="store_true", help="do not start if any name is missing, even one never reached"
    )
    parser.add_argument("--no-check", action="store_true", help="start without reading the program first")
    parser.add_argument(
        "--profile",
        action="store_true",
        help="tell at the end where the time went: tracing, compiling, and the program's functions; with a folder, "
        "--profile DIR, also as --trace DIR",
    )
    parser.add_argument(
        "--trace",
        metavar="DIR",
        type=pathlib.Path,
        help="write what the devices did, Cell by Cell, for TensorBoard (XProf) or Perfetto",
    )
    parser.add_argument(
        "--explain-recompiles", action="store_true", help="say why a compiled function is compiled again"
    )
    parser.add_argument(
        "--cache", metavar="DIR", type=pathlib.Path, help="keep compiled programs in this folder ('off': nowhere)"
    )
    add_program(parser)
    parser.usage = "ms-compat run [options] (SCRIPT | NOTEBOOK.ipynb | -m MODULE | -c CODE | -) [arguments ...]"
    parser.set_defaults(refuse=parser.error)


def spelled(argv: list[str]) -> list[str]:
    """The arguments, with the folder of `--profile DIR` passed as `--trace` folder.

    The argument after `--profile` is the folder if it cannot be a program: there is no such file, and it is not a
    script's name.

    >>> spelled(["--profile", "out", "train.py", "--profile", "x"])
    ['--profile', '--trace', 'out', 'train.py', '--profile', 'x']
    >>> spelled(["--profile", "train.py"])
    ['--profile', 'train.py']
    """
    for at, word in enumerate(argv):
        option, equals, folder = word.partition("=")
        if option == "--profile" and equals:
            return [*argv[:at], "--profile", "--trace", folder, *argv[at + 1 :]]
        if word == "--profile" and argv[at + 1 :] and _is_folder(argv[at + 1]):
            return [*argv[:at], "--profile", "--trace", *argv[at + 1 :]]
        if not word.startswith("-") and argv[at - 1] not in ("--cache", "--trace") or word in ("-m", "-c", "-"):
            break
    return argv


def _is_folder(word: str) -> bool:
    path = pathlib.Path(word)
    return not word.startswith("-") and path.suffix not in (".py", ".ipynb") and not path.is_file()


def add_program(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments that name a program, its own among them."""
    parser.add_argument("-m", dest="module", metavar="MODULE", nargs=argparse.REMAINDER, help="run a module")
    parser.add_argument("-c", dest="code", metavar="CODE", nargs=argparse.REMAINDER, help="run this text")
    parser.add_argument("script", nargs="?", help="a script, a notebook (.ipynb), or - for standard input")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the program's own arguments")


def check_program(args: argparse.Namespace) -> None:
    """Ends the process if the arguments do not name a program."""
    for option, given in (("-m", args.module), ("-c", args.code)):
        if given == []:
            args.refuse(f"argument {option}: expected one argument")
    if not (args.module or args.code or args.script):
        args.refuse("name a script, a notebook, a module (-m), a text (-c), or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Runs the program; returns the exit status that `python` would return.

    Before the start it reads the program, and lists each MindSpore name that ms_compat does not serve. It starts the
    program anyway, unless the program always stops there: it may never need names that only a branch or function uses.
    It does not read code from `-c` or standard input.
    """
    check_program(args)
    _set_environment(args)
    try:
        return _started(args)
    except NotStarted as error:
        print(f"ms-compat run: {error}", file=sys.stderr)
        return error.status


def _set_environment(args: argparse.Namespace) -> None:
    """Sets the environment that `import ms_compat` reads; processes that the program starts inherit it."""
    if args.explain_recompiles:
        os.environ["MS_COMPAT_EXPLAIN_RECOMPILES"] = "1"
    if args.cache is None:
        return
    from ms_compat._core.settings import program_cache

    if program_cache.users_own_folder():
        args.refuse("argument --cache: JAX_COMPILATION_CACHE_DIR names another folder; unset it first")
    if str(args.cache) == "off":
        os.environ[program_cache.SWITCH] = "0"
    else:
        os.environ.pop(program_cache.SWITCH, None)
        os.environ.update(MS_COMPILER_CACHE_ENABLE="1", MS_COMPILER_CACHE_PATH=os.path.abspath(args.cache))
    program_cache.configure()


def _started(args: argparse.Namespace) -> int:
    from ms_compat.cli._watch import watched
    from ms_compat.install import install

    start = locate_program(args)
    if args.trace is not None:
        _make(args.trace)
    install()
    with watched(args.profile, args.trace):
        return start()


def _make(folder: pathlib.Path) -> None:
    """Makes the output folder early, before the program spends its time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotStarted(f"can't write to '{folder}': {error.strerror}", 2) from error
    if not os.access(folder, os.W_OK):
        raise NotStarted(f"can't write to '{folder}': {os.strerror(errno.EACCES)}", 2)


def locate_program(args: argparse.Namespace) -> Callable[[], int]:
    """The program as a function that runs it, checked."""
    if args.module:
        name, *arguments = args.module
        spec = _programs.find_module(name)
        if isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            _check(args, pathlib.Path(str(spec.origin)), pathlib.Path.cwd())
        return lambda: _programs.module(spec, arguments)
    if args.code:
        return lambda: _programs.code(args.code[0], args.code[1:])
    if args.script == "-":
        return lambda: _programs.standard_input(args.arguments)
    script = pathlib.Path(args.script)
    try:
        with io.open_code(str(script.absolute())) as file:
            source = file.read()
    except OSError as error:
        raise NotStarted(f"can't open file '{script}': {error.strerror}", 2) from error
    if script.suffix != ".ipynb":
        _programs.check_source(args.script, source)
    _check(args, script, None)
    if script.suffix == ".ipynb":
        return lambda: _programs.notebook(script, args.arguments)
    return lambda: _programs.script(args.script, source, args.arguments)


def _check(args: argparse.Namespace, script: pathlib.Path, root: pathlib.Path | None) -> None:
    if args.no_check:
        return
    from ms_compat.cli._scan import scan

    findings = scan(script, root)
    for finding in findings:
        print(f"ms-compat run: {finding}", file=sys.stderr)
    if any(finding.stops for finding in findings) or (args.strict and findings):
        raise NotStarted("not started; 'ms-compat run --no-check' starts it all the same", 1)
