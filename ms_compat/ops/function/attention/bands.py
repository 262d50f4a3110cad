"""Which keys each query sees, where this depends only on the distance of their places."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp

from ms_compat.ops.function.attention import scaled_dot_product as core


class Band(NamedTuple):
    """Which keys each query sees: from its place + `shift` - `before` to its place + `shift` + `behind`.

    None is not a limit.
    """

    shift: int = 0
    before: int | None = None
    behind: int | None = None

    def rows(self, start: Any, count: int, keys: int) -> Any:
        """Bool [count, keys] of some queries; None for all."""
        if self.before is None and self.behind is None:
            return None
        ahead = jnp.arange(keys) - (start + jnp.arange(count))[:, None] - self.shift
        seen = None if self.behind is None else ahead <= self.behind
        if self.before is not None:
            seen = -ahead <= self.before if seen is None else seen & (-ahead <= self.before)
        return seen

    def sees_some(self, queries: int, keys: int) -> bool:
        """Whether every query sees a key; the kernels give no zeros to queries that see none."""
        first = self.behind is None or self.shift + self.behind >= 0
        last = self.before is None or queries - 1 + self.shift - self.before <= keys - 1
        both = self.before is None or self.behind is None or self.before + self.behind >= 0
        return first and last and both


def band_of(mode: int, mask: Any, before: int, behind: int, sizes: tuple[int, int]) -> Band | None:
    """The band of a `sparse_mode`, as `scaled_dot_product.visible` has it; None where more than a band counts."""
    if mode == 0 and mask is None:
        return Band()
    if mode == 2:
        return Band(0, None, 0)
    shift = sizes[1] - sizes[0]
    if mode == 3:
        return Band(shift, None, 0)
    if mode == 4:
        limits = [None if limit >= core.EVERYTHING else limit for limit in (before, behind)]
        return Band(shift, *limits)
    return None
