"""Internals of MindSpore's compiler that scripts import: its executor, its settings, and names of its language."""

from __future__ import annotations

import enum
import functools
from typing import Any, NoReturn

from ms_compat._core.errors import UnsupportedError
from ms_compat._names import hints
from ms_compat.ops.composite import add_flags

__all__ = ["CreationType", "IO", "U", "_cell_graph_executor", "core", "enable_security"]

_EXECUTOR = "mindspore.common.api._cell_graph_executor"


class CellGraphExecutor:
    """`_cell_graph_executor`: compiles a Cell or a function ahead of its call; the rest of MindSpore's is absent."""

    def compile(self, obj: Any, *args: Any, phase: str = "predict", do_convert: bool = True,
                jit_config_dict: dict | None = None, **kwargs: Any) -> tuple[str, bool]:  # fmt: skip
        """Compile a Cell, or a function, for such inputs, in both modes.

        Args:
            obj (Cell, Function): what to compile.
            *args, **kwargs: its inputs.
            phase (str): a name that MindSpore gives to the compiled code.
            do_convert (bool): whether MindSpore lowers the code; XLA always does.
            jit_config_dict (dict): settings of MindSpore's compiler.

        Returns:
            A name, and whether there was something to compile.
        """
        from ms_compat import jit
        from ms_compat.nn.cell import Cell

        compiled = obj if isinstance(obj, Cell) else jit(obj)
        compiled.compile(*args, **kwargs)
        return f"{phase}.{id(obj)}", True

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Run a Cell compiled."""
        return obj.compile_and_run(*args)

    run = __call__

    def has_compiled(self, phase: str = "predict") -> bool:
        """Whether MindSpore holds compiled code of a name; it belongs to the Cell here."""
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"'{_EXECUTOR}' has no attribute {name!r}")
        raise UnsupportedError(f"{_EXECUTOR}.{name}", hints.find(_EXECUTOR) or "")


_cell_graph_executor = CellGraphExecutor()
cells_compile_cache: dict[int, Any] = {}  # compiled code belongs to the function or the Cell; nothing is kept here


class CreationType(enum.Enum):
    """How a view came to be, which decides on MindSpore whether it may be written into; all may be here."""

    DEFAULT = 0
    NO_GRAD_MODE = 1
    MULTI_OUTPUT = 2
    CUSTOM_BPROP = 3


class _Monad:
    """A value that puts effects in order in MindSpore's graphs, where a traced program keeps Python's order."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


U, IO = _Monad("U"), _Monad("IO")


# Decorator that sets flags for MindSpore's compiler on a function: `@core` or `@core(ignore_values=True)`.
core = functools.partial(add_flags, core=True)


def enable_security() -> bool:
    """Whether MindSpore was built without the functions that write the graphs of a program into files."""
    return False
