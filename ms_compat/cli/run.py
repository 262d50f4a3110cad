"""`ms-compat run`: a MindSpore script as `python` would run it, with ms_compat in MindSpore's place."""

import argparse
import builtins
import importlib.machinery
import io
import os
import pathlib
import sys
import types

NAME = "run"
HELP = "run a MindSpore script on JAX, unchanged"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--strict", action="store_true", help="do not start if any name is missing, even one never reached"
    )
    parser.add_argument("--no-check", action="store_true", help="start without reading the script first")
    parser.add_argument("script", type=pathlib.Path, help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the script's own arguments")


def run(args: argparse.Namespace) -> int:
    """Runs the script; returns what `python script` would.

    Before the start the script is read, and each MindSpore name that is not served is listed. The script starts all the
    same unless it is bound to stop there: names that only some branch or function uses may never be needed.
    """
    script: pathlib.Path = args.script
    try:
        with io.open_code(str(script.absolute())) as file:
            source = file.read()
    except OSError as error:
        print(f"ms-compat run: can't open file '{script}': {error.strerror}", file=sys.stderr)
        return 2
    if not args.no_check:
        from ms_compat.cli._scan import scan

        findings = scan(script)
        for finding in findings:
            print(f"ms-compat run: {finding}", file=sys.stderr)
        if any(finding.stops for finding in findings) or (args.strict and findings):
            print("ms-compat run: not started; 'ms-compat run --no-check' starts it all the same", file=sys.stderr)
            return 1
    from ms_compat.install import install

    install()
    return _execute(script, source, args.arguments)


def _execute(script: pathlib.Path, source: bytes, arguments: list[str]) -> int:
    """Runs a source as `__main__`, the way `python` does: a fresh module, `sys.argv`, and the script's folder first."""
    path = str(script)
    main = types.ModuleType("__main__")
    vars(main).update(
        __builtins__=builtins,
        __file__=os.path.abspath(path),
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
    )
    sys.argv[:] = [path, *arguments]
    if not sys.flags.safe_path:  # under -P the first entry is not the program's folder
        sys.path[0] = str(script.absolute().parent)
    sys.modules["__main__"] = main
    try:
        exec(compile(source, path, "exec", dont_inherit=True), vars(main))
    except Exception as error:
        # The traceback begins where the script does, as if `python` had started it.
        trace = error.__traceback__.tb_next if error.__traceback__ is not None else None
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1
    return 0
