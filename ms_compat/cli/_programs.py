"""Programs as `python` starts them: a script, `-m module`, `-c code`, standard input; and a notebook, cell by cell.

Each becomes `__main__` with what Python gives it (`__file__`, `__spec__`, `sys.argv`, `sys.path[0]`), so that processes
which `multiprocessing` spawns find it again, and a traceback begins where the program does.
"""

import builtins
import importlib
import importlib.machinery
import importlib.util
import io
import linecache
import os
import pathlib
import sys
import tempfile
import tokenize
import types
from collections.abc import Callable
from typing import Any, NoReturn

from ms_compat.cli._output import missing_extra

_STORED = (".ckpt", ".safetensors", ".mindir", ".npz", ".npy", ".pt", ".pth")


class NotStarted(Exception):  # it is raised and caught by `run` alone
    """A program that is missing or cannot run; the text is Python's message, and `status` its exit status."""

    def __init__(self, text: str, status: int):
        super().__init__(text)
        self.status = status


def check_source(path: str, source: bytes) -> None:
    """Checks that a file can be a Python program, before any of it runs.

    Raises:
        NotStarted: it is a binary file.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        if b"\0" not in source:
            source.decode(encoding)
            return
    except (SyntaxError, UnicodeDecodeError):
        pass
    hint = "; 'ms-compat inspect' shows what a file of parameters holds" if pathlib.Path(path).suffix in _STORED else ""
    raise NotStarted(f"can't run '{path}': it is not a Python program{hint}", 2)


def script(path: str, source: bytes, arguments: list[str]) -> int:
    """Runs a file's content."""
    _enter(
        [path, *arguments],
        str(pathlib.Path(path).absolute().parent),
        __file__=os.path.abspath(path),
        __cached__=None,
        __loader__=importlib.machinery.SourceFileLoader("__main__", path),
    )
    return _execute(lambda: compile(source, path, "exec", dont_inherit=True))


def code(text: str, arguments: list[str]) -> int:
    """Runs the code after `-c`."""
    _enter(["-c", *arguments], "", __loader__=importlib.machinery.BuiltinImporter)
    return _execute(lambda: _shown(text, "<string>", sys.version_info >= (3, 13)))


def standard_input(arguments: list[str]) -> int:
    """Runs code from a pipe."""
    text = sys.stdin.read()
    _enter(["-", *arguments], "", __loader__=importlib.machinery.BuiltinImporter)
    return _execute(lambda: _shown(text, "<stdin>", False))


def _shown(text: str, name: str, with_lines: bool) -> types.CodeType:
    if with_lines:  # from 3.13 on Python's tracebacks show the lines of such code
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return compile(text, name, "exec", dont_inherit=True)


def find_module(name: str) -> importlib.machinery.ModuleSpec:
    """The module that `-m name` runs: for a package, its `__main__`.

    Raises:
        NotStarted: there is no module to run.
    """
    if not sys.flags.safe_path:
        sys.path[0] = os.getcwd()
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            package, spec = spec, importlib.util.find_spec(f"{name}.__main__")
            if spec is None:
                text = f"No module named {package.name}.__main__; '{name}' is a package and cannot be directly executed"
                raise NotStarted(text, 1)
    except (ImportError, ValueError) as error:
        reason = f"Error while finding module specification for '{name}' ({type(error).__name__}: {error})"
        raise NotStarted(reason, 1) from error
    if spec is None:
        raise NotStarted(f"No module named {name}", 1)
    if not hasattr(spec.loader, "get_code"):
        raise NotStarted(f"No code object available for {name}", 1)
    return spec


def module(spec: importlib.machinery.ModuleSpec, arguments: list[str]) -> int:
    """Runs a module that `find_module` found."""
    loader: Any = spec.loader
    _enter(
        [str(spec.origin), *arguments],
        None,
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=loader,
        __spec__=spec,
        __package__=spec.parent,
    )
    return _execute(lambda: loader.get_code(spec.name))


def notebook(path: pathlib.Path, arguments: list[str]) -> int:
    """Runs the cells of a notebook in this process, as IPython does, and prints what they show.

    Raises:
        NotStarted: IPython is not installed.
    """
    try:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config
    except ModuleNotFoundError as error:
        raise NotStarted(missing_extra(str(error.name), "notebooks"), 1) from error
    from ms_compat.cli._sources import Unreadable, cells

    try:
        codes = cells(path.read_bytes(), str(path))
    except Unreadable as error:
        raise NotStarted(str(error), 2) from error
    _enter([str(path), *arguments], str(path.absolute().parent), __file__=os.path.abspath(path))
    with tempfile.TemporaryDirectory() as folder:  # neither the user's profile nor their history is touched
        settings = Config(HistoryManager={"enabled": False})
        shell = InteractiveShell.instance(
            user_module=sys.modules["__main__"], ipython_dir=folder, config=settings, colors=_colours()
        )
        for text in codes:
            done = shell.run_cell(text, store_history=True)
            raised = done.error_before_exec or done.error_in_exec
            if isinstance(raised, SystemExit):
                raise raised
            if isinstance(raised, KeyboardInterrupt):
                raise_silently(raised)
            if raised is not None:
                return 1  # the shell has printed the traceback
    return 0


def _colours() -> str:
    return "neutral" if sys.stdout.isatty() else "nocolor"


def _enter(argv: list[str], folder: str | None, **names: Any) -> None:
    """Makes a fresh `__main__` with the arguments, and the folder where it looks for modules first."""
    main = types.ModuleType("__main__")
    vars(main).update(__builtins__=builtins, **names)
    sys.argv[:] = argv
    if folder is not None and not sys.flags.safe_path:  # under -P the first entry is not the program's folder
        sys.path[0] = folder
    sys.modules["__main__"] = main


def _execute(compiled: Callable[[], types.CodeType]) -> int:
    try:
        exec(compiled(), vars(sys.modules["__main__"]))
    except (Exception, KeyboardInterrupt) as error:
        trace = error.__traceback__  # begins where the program does, as if `python` had started it
        while trace is not None and trace.tb_frame.f_globals is globals():
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        if isinstance(error, KeyboardInterrupt):
            raise_silently(error)
        return 1
    return 0


def raise_silently(error: KeyboardInterrupt) -> NoReturn:
    """Raises the reported error again, so that Python ends by Ctrl-C's signal, which also ends a shell's loop."""
    sys.excepthook = lambda *_: None
    error.reported = True  # type: ignore[attr-defined]  # for `main`
    raise error
