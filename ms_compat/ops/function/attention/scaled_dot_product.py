"""Scaled dot-product attention as MindSpore's fused Ascend operations define it, in plain JAX.

`attend` is the formula on [B, N, S, D] with Float32 sums; the public operations differ in layouts, in where a position
encoding enters, and in what says which keys a query sees (`visible`). True in a mask means: not seen. A query that sees
no key at all gets zeros. XLA fuses the softmax with its neighbours. Short sequences hold all scores, S1 * S2 for each
head; long ones hold some queries' scores at a time, forward and backward, so that memory grows with S1 + S2. Values
for query-key pairs (masks, encodings, dropout) come as an array or as a function of a query range.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_dtype, check_same_dtype
from ms_compat._core.errors import UnsupportedError, check_number, check_one_of, check_type, value_error
from ms_compat._core.jax_compat import is_above
from ms_compat._core.settings import device
from ms_compat.ops.function.nn.checks import FLOATS, integer, tensor

LAYOUTS = ("BSH", "BNSD", "SBH", "BSND", "TND")
EVERYTHING = 2147483647
_LONG = 2**20  # all scores of a head are held up to this number
_SCORES = 2**24  # scores held at once beyond it: 64 MiB of Float32
_FEWEST = 8  # queries at once


class Result(NamedTuple):
    """What `attend` computes: the output [B, N, S1, D] in Float32, and the softmax's maxima and sums [B, N, S1, 1]."""

    out: Any
    high: Any
    total: Any


def split_heads(api: str, x: Any, layout: str, heads: int) -> Any:
    """[B, N, S, D] from any layout; TND becomes a batch of one.

    Raises:
        ValueError: another rank, or a hidden size that the heads do not divide.
    """
    if layout in ("BSH", "SBH"):
        if x.ndim != 3 or x.shape[2] % heads:
            raise ValueError(f"For '{api}', a {layout} tensor of {heads} heads was expected, but got shape {x.shape}.")
        x = x.reshape(*x.shape[:2], heads, -1)
        return x.transpose(0, 2, 1, 3) if layout == "BSH" else x.transpose(1, 2, 0, 3)
    if layout == "TND":
        if x.ndim != 3 or x.shape[1] != heads:
            raise ValueError(f"For '{api}', a TND tensor of {heads} heads was expected, but got shape {x.shape}.")
        return x.transpose(1, 0, 2)[None]
    x = x.transpose(0, 2, 1, 3) if layout == "BSND" and x.ndim == 4 else x
    if x.ndim != 4 or x.shape[1] != heads:
        raise ValueError(f"For '{api}', a {layout} tensor of {heads} heads was expected, but got shape {x.shape}.")
    return x


def join_heads(x: Any, layout: str) -> Any:
    """The layout from [B, N, S, D]."""
    if layout == "BNSD":
        return x
    if layout == "TND":
        return x[0].transpose(1, 0, 2)
    if layout == "BSND":
        return x.transpose(0, 2, 1, 3)
    out = x.transpose(0, 2, 1, 3) if layout == "BSH" else x.transpose(2, 0, 1, 3)
    return out.reshape(*out.shape[:2], -1)


def key_heads(api: str, key: Any, layout: str, size: int, heads: int) -> int:
    """How many heads keys have, from their layout and the size of a head.

    Raises:
        RuntimeError: it does not divide the queries' heads.
    """
    axis = 1 if layout in ("BNSD", "TND") else 2
    count = key.shape[2] // size if layout in ("BSH", "SBH") else key.shape[axis]
    if not count or heads % count:
        raise RuntimeError(f"For '{api}', the queries' {heads} heads must be a multiple of the keys' {count} heads.")
    return count


def check_inputs(api: str, query: Any, key: Any, value: Any, heads: int, layout: str, layouts: tuple) -> None:
    """Refuses inputs of other or different types, an unknown layout, no heads.

    Raises:
        TypeError: types that are not floating or differ.
        ValueError: another layout.
        RuntimeError: `heads` is not positive.
    """
    for name, x in (("query", query), ("key", key), ("value", value)):
        if tensor(api, name, x).dtype not in FLOATS:
            raise TypeError(f"For '{api}', the '{name}' must be floating, but got {mstype.np_dtype_to_ms(x.dtype)}.")
        check_same_dtype(api, **{"query": query, name: x})
    check_type(api, "input_layout", layout, str)
    check_one_of(api, "input_layout", layout, layouts)
    if integer(api, "head_num", heads) <= 0:
        raise RuntimeError(f"For '{api}', the number of heads must be positive, but got {heads}.")


def hidden_by(api: str, mask: Any) -> Any:
    """A mask as Bool, True for what is not seen.

    Raises:
        TypeError: it is neither Bool nor of 8-bit integers nor Float16.
    """
    if mask is None:
        return None
    check_dtype(api, "attn_mask", tensor(api, "attn_mask", mask), np.bool_, np.uint8, np.int8, np.float16)
    return mask.astype(bool)


class Places(NamedTuple):
    """Positions of queries and keys: arrays that broadcast to [B, 1, S1, S2]; `shift` moves the diagonal to the end.

    `same` tells which belong together: Bool, or sequence numbers for the queries [S1, 1] and the keys [S2].
    """

    query: Any
    key: Any
    shift: Any
    same: Any = None

    def together(self) -> Any:
        """`same` as Bool; None where all belong together."""
        return self.same[0] == self.same[1] if isinstance(self.same, tuple) else self.same

    def of_queries(self, start: Any, count: int) -> Places:
        """The places of some queries and all keys."""
        same: Any = self.same
        same = (rows_of(same[0], start, count), same[1]) if isinstance(same, tuple) else rows_of(same, start, count)
        return Places(rows_of(self.query, start, count), self.key, rows_of(self.shift, start, count), same)


def rows_of(x: Any, start: Any, count: int) -> Any:
    """The part for queries `start` to `start + count` of an array [..., S1 or 1, S2 or 1] or a function of both."""
    if callable(x):
        return x(start, count)
    if getattr(x, "ndim", 0) < 2 or x.shape[-2] in (1, count):
        return x
    return lax.dynamic_slice_in_dim(x, start, count, -2)


def plain_places(queries: int, keys: int) -> Places:
    """Places of queries and keys that begin together."""
    return Places(jnp.arange(queries)[:, None], jnp.arange(keys), keys - queries)


def packed_places(api: str, query_ends: Any, key_ends: Any, queries: int, keys: int) -> Places:
    """Places in concatenated sequences (TND), from the sums of their lengths.

    Raises:
        ValueError: there are no lengths.
    """
    if query_ends is None or key_ends is None:
        raise ValueError(f"For '{api}', the layout TND needs 'actual_seq_qlen' and 'actual_seq_kvlen'.")
    ends = [jnp.asarray(e).reshape(-1).astype(np.int32) for e in (query_ends, key_ends)]
    if ends[0].shape != ends[1].shape:
        raise ValueError(f"For '{api}', there must be as many query lengths as key lengths, but got {query_ends} "
                         f"and {key_ends}.")  # fmt: skip
    starts = [jnp.concatenate([jnp.zeros(1, np.int32), e[:-1]]) for e in ends]
    at = [jnp.arange(n, dtype=np.int32) for n in (queries, keys)]
    part = [jnp.minimum(jnp.searchsorted(e, a, side="right"), e.shape[0] - 1) for e, a in zip(ends, at, strict=True)]
    local = [a - s[p] for a, s, p in zip(at, starts, part, strict=True)]
    shift = ((ends[1] - starts[1]) - (ends[0] - starts[0]))[part[0]]
    # what follows the last sequence belongs to none
    parts = [jnp.where(a < e[-1], p, none) for a, e, p, none in zip(at, ends, part, (-1, -2), strict=True)]
    return Places(local[0][:, None], local[1], shift[:, None], (parts[0][:, None], parts[1]))


def visible(api: str, places: Places, mask: Any, mode: int, before: int, behind: int, prefix: Any = None) -> Any:
    """Which keys each query sees: Bool that broadcasts to [B, N, S1, S2], or None for all.

    Args:
        api: what error messages call it.
        places: of queries and keys.
        mask: True for what is not seen. The modes 2 to 4 have their own triangle, whatever compressed mask is given.
        mode: 0: the mask within a band; 1: the mask; 2: keys up to the query's place; 3: the same, counted from the
            ends; 4: a band counted from the ends; 5: as 3, and the first `prefix` keys.
        before: how far back the band reaches.
        behind: how far ahead.
        prefix: [B], for the mode 5.

    Raises:
        RuntimeError: there is no such mode, or a mask is missing or does not fit.
        UnsupportedError: the modes 6 to 8, which MindSpore has reserved.
    """
    # A table of modes in the form of code: each says which keys are seen, and which of `mask` and `prefix` it needs.
    integer(api, "sparse_mode", mode)
    if mode in (6, 7, 8):
        raise UnsupportedError(f"For '{api}', the 'sparse_mode' {mode} is not there in MindSpore either.")
    if mode not in range(6):
        raise RuntimeError(f"For '{api}', the 'sparse_mode' must be in [0, 5], but got {mode}.")
    rows, columns = places.query, places.key
    if mode == 0 and mask is not None and (before < EVERYTHING or behind < EVERYTHING):
        seen = (rows - columns <= before) & (columns - rows <= behind)
    elif mode == 2:
        seen = columns <= rows
    elif mode in (3, 5):
        seen = columns <= rows + places.shift
        if mode == 5:
            if prefix is None:
                raise RuntimeError(f"For '{api}', the 'sparse_mode' 5 needs a 'prefix'.")
            seen = seen | (columns < jnp.asarray(prefix).reshape(-1, 1, 1, 1))
    elif mode == 4:
        ahead = columns - rows - places.shift
        seen = (ahead <= behind) & (-ahead <= before)
    else:
        seen = None
    if mode == 1 and mask is None:
        raise RuntimeError(f"For '{api}', the 'sparse_mode' 1 needs an 'attn_mask'.")
    if mask is not None and mode in (0, 1, 5):
        seen = ~mask if seen is None else seen & ~mask
    same = places.together()
    if same is not None:
        seen = same if seen is None else seen & same
    return seen


def grown(api: str, mask: Any, sizes: tuple[int, int]) -> Any:
    """A mask [S1, S2], [B, S1, S2] or [B, N, S1, S2] with four dimensions.

    Raises:
        RuntimeError: its last sizes differ from the numbers of queries and keys.
    """
    if mask is None:
        return None
    if mask.ndim not in (2, 3, 4) or any(have not in (1, want) for have, want in zip(mask.shape[-2:], sizes)):  # noqa: B905
        raise RuntimeError(f"For '{api}', the 'attn_mask' must end with the sizes {sizes}, but got shape {mask.shape}.")
    return mask[:, None] if mask.ndim == 3 else mask


def attend(query, key, value, scale, seen=None, early=None, late=None, keep=None, keep_prob=1.0) -> Result:
    """Softmax(scale * (Q K^T + early) + late) V over what is seen.

    Each of `seen`, `early`, `late` and `keep` is None, an array, or a function `(start, count)` that gives the rows of
    such an array for these queries; see `rows_of`.

    Args:
        query: [B, N1, S1, D].
        key, value: [B, N2, S2, D]; N2 divides N1.
        scale: a float.
        seen: Bool that broadcasts to [B, N1, S1, S2].
        early, late: position encodings [B or 1, N1, S1, S2], before and after the scaling.
        keep: Bool [B, N1, S1, S2], which weights a dropout keeps.
        keep_prob: the share of them.
    """
    batch, heads, rows, size = query.shape
    count = _at_once(batch * heads, rows, key.shape[2])
    pairs = (seen, early, late, keep)
    if count == rows:
        return _attend_rows(query, key, value, scale, [rows_of(x, 0, rows) for x in pairs], keep_prob)
    # Arrays with a row per query enter the loop as slices, so that it can stack their gradients.
    sliced = [not callable(x) and getattr(x, "ndim", 0) >= 2 and x.shape[-2] == rows for x in pairs]
    whole = rows // count * count

    def blocks(x: Any) -> Any:
        x = x[..., :whole, :]
        return jnp.moveaxis(x.reshape(*x.shape[:-2], -1, count, x.shape[-1]), -3, 0)

    @functools.partial(jax.checkpoint, prevent_cse=False)  # the backward pass computes each block's scores again
    def block(start: Any, q: Any, own: list) -> Result:
        given = iter(own)
        found = [next(given) if cut else rows_of(x, start, count) for x, cut in zip(pairs, sliced, strict=True)]
        return _attend_rows(q, key, value, scale, found, keep_prob)

    own = [blocks(x) for x, cut in zip(pairs, sliced, strict=True) if cut]
    done = lax.map(lambda xs: block(*xs), (jnp.arange(0, whole, count), blocks(query), own))
    parts = [jnp.moveaxis(x, 0, 2).reshape(batch, heads, whole, -1) for x in done]
    if whole < rows:
        found = [rows_of(x, whole, rows - whole) for x in pairs]
        rest = _attend_rows(query[:, :, whole:], key, value, scale, found, keep_prob)
        parts = [jnp.concatenate([x, y], 2) for x, y in zip(parts, rest, strict=True)]
    return Result(*parts)


def is_long(rows: int, columns: int) -> bool:
    """Whether the scores of a head are too many to hold them all."""
    return is_above(rows * columns, _LONG)


def _at_once(heads: int, rows: int, columns: int) -> int:
    """How many queries' scores are held at once."""
    if not is_long(rows, columns) or heads * rows * columns <= _SCORES:
        return rows
    fitting = max(_SCORES // (heads * columns), _FEWEST)
    return min(rows, 2 ** (fitting.bit_length() - 1))


@jax.custom_jvp
def _softmax(scores: Any) -> tuple[Any, Any, Any]:
    """The softmax over the last axis, its maxima, and its sums of exponentials.

    Its gradient needs the result alone: by JAX's rules for each step it took 1.7 times as long on a CPU.
    """
    high = jnp.max(scores, -1, keepdims=True)
    weights = jnp.exp(scores - high)
    sums = weights.sum(-1, keepdims=True)
    return weights / sums, high, sums


@_softmax.defjvp
def _softmax_jvp(primals: tuple, tangents: tuple) -> tuple:
    (change,), (shares, high, sums) = tangents, _softmax(*primals)
    mean = (shares * change).sum(-1, keepdims=True)
    return (shares, high, sums), (shares * (change - mean), jnp.zeros_like(high), sums * mean)


def _attend_rows(query, key, value, scale, pairs, keep_prob) -> Result:
    """`attend` with all scores in memory."""
    seen, early, late, keep = pairs
    batch, heads, rows, size = query.shape
    groups = key.shape[1]
    total = np.promote_types(query.dtype, np.float32) if query.dtype == np.float64 else np.dtype(np.float32)
    share = () if groups == heads else (heads // groups,)  # an axis of one would cost a CPU a fifth of the gradient
    split, g = (batch, groups, *share), "g" if share else ""
    q = query.reshape(*split, rows, size)
    wide = (lambda x: x.astype(total)) if device.platform() == "cpu" else (lambda x: x)
    scores = jnp.einsum(f"bn{g}sd,bntd->bn{g}st", wide(q), wide(key), preferred_element_type=total)
    scores = scores.reshape(batch, heads, rows, -1)
    if early is not None:
        scores = scores + early.astype(total)
    scores = scores * scale
    if late is not None:
        scores = scores + late.astype(total)
    least = jnp.finfo(total).min  # -inf - -inf would be NaN
    if early is not None or late is not None:
        scores = jnp.maximum(scores, least)
    if seen is not None:
        scores = jnp.where(seen, scores, least)
    shares, high, sums = _softmax(scores)
    if keep is not None:
        shares = jnp.where(keep, shares / keep_prob, 0)
    shares = shares.reshape(*split, rows, -1)
    shares = shares if device.platform() == "cpu" else shares.astype(value.dtype)
    out = jnp.einsum(f"bn{g}st,bntd->bn{g}sd", shares, wide(value), preferred_element_type=total)
    out = out.reshape(batch, heads, rows, -1)
    if early is late is seen is None:
        return Result(out, high, sums)
    # Which queries see a key. A second use of the maxima costs a CPU a quarter of a short sequence's forward pass.
    some = seen.any(-1, keepdims=True) if early is late is None else high > least
    return Result(*[jnp.where(some, x, 0) for x in (out, high, sums)])


def kept_bits(api: str, mask: Any, shape: tuple) -> Callable:
    """A dropout mask with one bit for each weight [B, N, S1, S2], the lowest bit first: Bool for a query range.

    Raises:
        ValueError: too few bits.
    """
    columns = shape[-1]
    count = int(np.prod(shape))
    mask = mask.reshape(-1)
    if mask.shape[0] * 8 < count:
        raise ValueError(f"For '{api}', the 'drop_mask' must have {count} bits, but got {mask.shape[0] * 8}.")
    if columns % 8:  # rows do not begin with a byte
        whole = jnp.unpackbits(mask, bitorder="little")[:count].reshape(shape).astype(bool)
        return lambda start, count: rows_of(whole, start, count)
    packed = mask[: count // 8].reshape(*shape[:-1], columns // 8)
    return lambda start, count: jnp.unpackbits(rows_of(packed, start, count), axis=-1, bitorder="little").astype(bool)


def drawn_bits(key: Any, keep_prob: float, shape: tuple) -> Callable:
    """As `kept_bits`, drawn; each query range has its own key, so that a gradient redraws it."""

    def bits(start: Any, count: int) -> Any:
        own = key if count == shape[2] else jax.random.fold_in(key, start)
        return jax.random.bernoulli(own, keep_prob, (*shape[:2], count, shape[3]))

    return bits


def check_keep_prob(api: str, keep_prob: float) -> None:
    """Refuses a share that is not in (0, 1]."""
    check_number(api, "keep_prob", keep_prob)
    if not 0 < keep_prob <= 1:
        raise value_error(api, "keep_prob", "in (0, 1]", keep_prob)
