"""`mindspore.dataset.debug`: hooks between the operations of a `map`, for `config.set_debug_mode`."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

Operation = Callable[..., Any]


class DebugHook:
    """The base of hooks: a subclass defines `compute`, which sees the data between two operations.

    A hook may also stand in the list of a `map`'s operations itself.

    Args:
        prev_op_name: the operation before it; `config.set_debug_mode` sets it.

    >>> class Shapes(DebugHook):
    ...     def compute(self, *args):
    ...         print([column.shape for column in args[0]])
    """

    def __init__(self, prev_op_name: str | None = None) -> None:
        self.prev_op_name = prev_op_name
        self.is_first_op: bool | None = None

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        if self.prev_op_name:
            side = "INPUT" if self.is_first_op else "OUTPUT"
            print(f"[Dataset debugger] Print the [{side}] of the operation [{self.prev_op_name}].", flush=True)
        self.compute(args)
        return args

    def compute(self, *args: Any) -> Any:
        """Sees the data.

        Args:
            args: one tuple, with an entry for each column, as MindSpore passes it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define 'compute'.")


class PrintMetaDataHook(DebugHook):
    """Prints dtype and shape of each column; debug mode's default hook."""

    def compute(self, *args: Any) -> None:
        for k, item in enumerate(args[0]):
            facts = [f"The {name} is [{getattr(item, name)}]." for name in ("dtype", "shape") if hasattr(item, name)]
            print(f"Column {k}. {' '.join(facts)}", flush=True)


def hooked(operations: Sequence[Operation], hooks: Sequence[DebugHook], name: Callable[[Any], str]) -> list[Operation]:
    """The operations with hooks before the first and after each.

    Args:
        operations: what a `map` calls.
        hooks: the hooks; copies of them are put in. None given, `PrintMetaDataHook`.
        name: the name of an operation.
    """
    made: list[Operation] = []
    for k, operation in enumerate(operations):
        made += [] if k else _copies(hooks, name(operation), True)
        made += [operation, *_copies(hooks, name(operation), False)]
    return made


def _copies(hooks: Sequence[DebugHook], name: str, first: bool) -> list[Operation]:
    copies = [copy.copy(hook) for hook in hooks or [PrintMetaDataHook()]]
    for hook in copies:
        hook.prev_op_name, hook.is_first_op = name, first
    return list(copies)
