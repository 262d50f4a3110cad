"""Exceptions of a worker process, which the pool raises again with the worker's traceback."""

import traceback
from typing import Any

import cloudpickle


class WorkerTraceback(Exception):
    """The traceback of a worker process; the cause of the exception that the pool raises."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


def described(error: BaseException) -> list[tuple[bytes, str]]:
    """An exception and its causes, each pickled and with its traceback as text."""
    chain: list[tuple[bytes, str]] = []
    following: BaseException | None = error
    while following is not None:
        text = "".join(traceback.format_exception(type(following), following, following.__traceback__, chain=False))
        chain.append((_dumped(following), text))
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)
    return chain


def _dumped(error: BaseException) -> bytes:
    """The pickled exception, or a RuntimeError with its class and text if it cannot be pickled and read again."""
    try:
        data = cloudpickle.dumps(error)
        if isinstance(cloudpickle.loads(data), BaseException):
            return data
    except Exception as problem:  # of any kind: it comes from the exception's own methods
        return cloudpickle.dumps(RuntimeError(f"{type(error).__name__}: {error} (cannot be pickled: {problem})"))
    return cloudpickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))


def restored(chain: list[tuple[bytes, str]]) -> BaseException:
    """The exception that `described` was given, with the last traceback as its last cause.

    >>> restored(described(KeyError("a")))
    KeyError('a')
    """
    errors: list[Any] = [cloudpickle.loads(data) for data, _ in chain]
    causes = [*errors[1:], WorkerTraceback(chain[-1][1])]
    for error, cause in zip(errors, causes, strict=True):
        error.__cause__ = cause
    return errors[0]
