"""What happens at `set_seed`, for modules that must not import JAX: the data pipeline runs in processes without it."""

from collections.abc import Callable

_listeners: list[Callable[[int], None]] = []
_readers: list[Callable[[], int | None]] = []


def on_set_seed(listener: Callable[[int], None]) -> None:
    """Calls `listener(seed)` at every `set_seed` (the data pipeline registers itself)."""
    _listeners.append(listener)


def announce(seed: int) -> None:
    """Calls the listeners."""
    for listener in _listeners:
        listener(seed)


def read_user_seed_from(reader: Callable[[], int | None]) -> None:
    """Makes `user_seed` return what `reader` returns."""
    _readers[:] = [reader]


def user_seed() -> int | None:
    """The seed that `set_seed` set; None without one, and in a worker process of the data pipeline.

    >>> import ms_compat as ms
    >>> ms.set_seed(1)
    >>> user_seed()
    1
    """
    return _readers[0]() if _readers else None
