"""Calls of the functions that transformations return: compiled in GRAPH_MODE, else run."""

from __future__ import annotations

from typing import Any

from ms_compat._compile.function import CompiledFunction
from ms_compat._core.settings import context
from ms_compat._core.trace import scopes


def compiled_or_run(owner: Any, args: tuple, kwargs: dict) -> Any:
    """Call `owner._run`, in GRAPH_MODE as one program, kept in `owner._compiled`."""
    if context.state.mode == context.GRAPH_MODE and not (scopes.tracing and scopes.current_scope() is not None):
        if owner._compiled is None:
            owner._compiled = CompiledFunction(_Reaching(owner), None, owner.__qualname__)
        return owner._compiled(*args, **kwargs)
    return owner._run(*args, **kwargs)


class _Reaching:
    """What the program of a transformation is traced from; knows what it reaches.

    It is not the owner, which would compile again where what cannot be compiled is run in Python.
    """

    def __init__(self, owner: Any):
        self.owner = owner
        self.__qualname__ = owner.__qualname__
        self.__module__ = owner.__module__

    def __call__(self, *args, **kwargs):
        return self.owner._run(*args, **kwargs)

    def reachable(self) -> list[Any]:
        return self.owner.reachable()
