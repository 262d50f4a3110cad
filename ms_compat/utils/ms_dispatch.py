"""`MsDispatchMode`: a block of code whose operations a method of the program runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from ms_compat._core.dispatch import interception


class MsDispatchMode(contextlib.ContextDecorator):
    """A context manager, or decorator, in which `__ms_dispatch__` is called in place of each operation.

    Subclasses override that method. The innermost block of a thread counts. Operations that the method calls are not
    seen, nor are those in compiled functions and the backward pass. They have the names of MindSpore's primitives;
    where one operation here is several there (`nn.Dense`: "MatMul" and "BiasAdd"), there is one call, with a name like
    the function's.

    >>> from ms_compat import Tensor, ops, utils
    >>> class Log(utils.MsDispatchMode):
    ...     def __ms_dispatch__(self, func, args, kwargs=None):
    ...         print(func.name, [arg.shape for arg in args])
    ...         return func(*args)
    >>> with Log():
    ...     x = ops.relu(Tensor([1.0, -2.0]))
    ReLU [(2,)]
    """

    returns_what_it_computes = False  # otherwise its results need no check

    def __enter__(self) -> MsDispatchMode:
        interception.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        interception.leave(self)

    def __ms_dispatch__(self, func: Callable, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Any:
        """Run an operation.

        Args:
            func: computes it; `func.name` is its primitive's name.
            args: the inputs.
            kwargs: further inputs by name, or None.

        Returns:
            The result in the operation's place, a Tensor or Tensors.

        Raises:
            RuntimeError: for an operation, the result is something else.
        """
        return func(*args, **(kwargs or {}))
