"""Where JAX stores compiled programs."""

from __future__ import annotations

from typing import Any

from ms_compat._core.jax_compat.capabilities import HAS_PROGRAM_CACHE_HOOK, compilation_cache


def set_program_cache(cache: Any) -> bool:
    """Let JAX keep compiled programs in an object with `get(key)` and `put(key, value)`; False if it takes none.

    None gives JAX its own cache back, which it makes from its configuration.
    """
    if not HAS_PROGRAM_CACHE_HOOK:
        return False
    compilation_cache.reset_cache()
    if cache is not None:
        with compilation_cache._cache_initialized_mutex:
            compilation_cache._cache = cache
            compilation_cache._cache_initialized = True
    return True


def _users_cache() -> Any:
    """JAX's own cache in the folder of its configuration."""
    compilation_cache._initialize_cache()
    return compilation_cache._cache


def program_of_users_cache(key: str) -> Any:
    """The entry for a key in the folder that JAX's configuration names."""
    cache = _users_cache()
    return None if cache is None else cache.get(key)


def keep_in_users_cache(key: str, value: bytes) -> None:
    """Store a program in the folder that JAX's configuration names."""
    cache = _users_cache()
    if cache is not None:
        cache.put(key, value)
