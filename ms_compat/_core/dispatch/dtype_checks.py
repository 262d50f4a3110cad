"""Checks of an operation's tensor dtypes, and that flags are bools. Declared with the operation (`op`).

Both checks run when a signature is new, while the operation is traced, and cost nothing afterwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.jax_compat import is_weak

# name: (kinds of numpy dtypes, what a message calls them); bfloat16 counts as "f"
KINDS = {
    "any": ("biufcV", "any type"),
    "floating": ("f", "a floating type"),
    "inexact": ("fc", "a floating or complex type"),
    "integer": ("iu", "an integer type"),
    "real": ("fiu", "a real number type"),
    "number": ("fiuc", "a number type"),
    "ordered": ("fiub", "a real number type or Bool"),
}
# statics that are flags though they have no default
_FLAGS = frozenset(("keepdim", "keep_dims", "keepdims", "descending", "exclusive", "reverse"))
# those that MindSpore's pooling takes as numbers, too
_LOOSE = frozenset(("return_indices",))


def flags_of(names: Sequence[str], defaults: Sequence[Any], statics: Sequence[int]) -> tuple[int, ...]:
    """Which of an operation's static arguments must be bools."""
    return tuple(i for i in statics if names[i] not in _LOOSE and (isinstance(defaults[i], bool) or names[i] in _FLAGS))


def check_flag(api: str, name: str, value: Any) -> None:
    """Raise TypeError unless the value of a flag is a bool."""
    if not isinstance(value, bool) and not getattr(value, "stands_for_bool", False):
        raise TypeError(f"For 'ops.{api}', the '{name}' must be a bool, but got {value!r:.60}.")


def _kind(value: Any) -> str:
    return "f" if jnp.issubdtype(value.dtype, jnp.floating) else value.dtype.kind


def _tensor(api: str, name: str, value: Any) -> Any:
    if not hasattr(value, "dtype") or is_weak(value):
        kind = "a number" if hasattr(value, "dtype") else type(value).__name__
        raise TypeError(f"For 'ops.{api.lstrip('_')}', the '{name}' must be a Tensor, but got {kind}.")
    return value


def checked(
    fn: Callable, api: str, names: Sequence[str], takes: dict[str, str], alike: Sequence[str]
) -> Callable[..., Any]:
    """`fn` behind the checks of its tensors.

    Args:
        fn: a function of jax arrays.
        api: what messages call it.
        names: of its parameters.
        takes: by parameter the name of a kind in `KINDS`; None is taken, too.
        alike: the parameters whose dtypes must be one; None counts for nothing.
    """
    wanted = [(names.index(name), name, *KINDS[kind]) for name, kind in takes.items()]
    same = [names.index(name) for name in alike]

    @functools.wraps(fn)
    def behind_checks(*args):
        for at, name, kinds, text in wanted:
            if args[at] is not None and _kind(_tensor(api, name, args[at])) not in kinds:
                got = mstype.np_dtype_to_ms(args[at].dtype)
                raise TypeError(f"For 'ops.{api}', the '{name}' must be a Tensor of {text}, but got {got}.")
        found = {names[at]: _tensor(api, names[at], args[at]).dtype for at in same if args[at] is not None}
        if len(set(found.values())) > 1:
            dtypes = ", ".join(f"'{name}': {mstype.np_dtype_to_ms(dtype)}" for name, dtype in found.items())
            raise TypeError(f"For 'ops.{api}', the Tensors must have one dtype, but got {dtypes}.")
        return fn(*args)

    return behind_checks
