"""Strategies of primitives: `ops.MatMul().shard(((2, 1), (1, 4)))` as sharding constraints on inputs and outputs.

A strategy says into how many pieces each dimension of each input is cut. Dimensions that are one and the same in the
operation (both operands' rows in an addition, one factor's columns and the other's rows in a product) are cut over
the same axes of the mesh, all others over different ones: so 8 devices are 2 x 4 to the product above, and each holds
a half of the rows and a quarter of the columns. That is MindSpore's device matrix.

Strategies count in compiled programs of the modes "semi_auto_parallel" and "auto_parallel", and of `AutoParallel`; as
in MindSpore they are attributes elsewhere.
"""

from __future__ import annotations

import functools
from typing import Any

from jax.sharding import NamedSharding, PartitionSpec

from ms_compat._autograd.recomputed import recomputed
from ms_compat._core.errors import value_and_type
from ms_compat._core.parallel import spmd
from ms_compat._core.parallel.layout import Layout
from ms_compat._core.parallel.sharding import laid_out, mesh, sharding_of, take_axes
from ms_compat._core.settings import device
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes

_PRODUCTS = {"MatMul": ("transpose_a", "transpose_b"), "BatchMatMul": ("transpose_a", "transpose_b")}
# Operations in which each input has its own dimensions.
_TABLES = frozenset("Gather GatherV2 SparseGatherV2 EmbeddingLookup GatherNd".split())
_OWN = _TABLES | {"UnsortedSegmentSum", "ScatterUpdate"}


def check(name: str, in_strategy: Any, out_strategy: Any) -> None:
    """Refuse what MindSpore refuses when a strategy is given.

    Raises:
        TypeError: neither a tuple of int tuples nor a tuple of Layouts.
        ValueError: outputs without inputs, or one as tuples and the other as Layouts.
    """
    if out_strategy is not None and in_strategy is None:
        raise ValueError(f"For '{name}', the 'out_strategy' {out_strategy} needs an 'in_strategy', too.")
    kinds = []
    for argument, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
        if strategy is None:
            continue
        if not isinstance(strategy, tuple):
            raise TypeError(f"For '{name}', the '{argument}' must be a tuple, but got {value_and_type(strategy)}.")
        _check_items(name, argument, strategy)
        kinds.append(any(isinstance(item, Layout) for item in strategy))
    if len(set(kinds)) > 1:
        raise ValueError(f"For '{name}', 'in_strategy' and 'out_strategy' must both be tuples or both be Layouts.")


def _check_items(name: str, argument: str, strategy: tuple) -> None:
    layouts = any(isinstance(item, Layout) for item in strategy)
    for item in strategy:
        if not isinstance(item, Layout if layouts else tuple):
            wanted = "Layouts" if layouts else "tuples of int, or Layouts"
            raise TypeError(
                f"For '{name}', the items of '{argument}' must be {wanted}, but got {value_and_type(item)}."
            )
        if isinstance(item, tuple) and item and all(isinstance(part, tuple) for part in item):
            _check_items(name, argument, item)  # of an input that is a sequence
            continue
        for cut in item if isinstance(item, tuple) else ():
            if isinstance(cut, bool) or not isinstance(cut, int):
                raise TypeError(f"For '{name}', the cuts in '{argument}' must be int, but got {value_and_type(cut)}.")


def follow(primitive: Any) -> None:
    """Let a primitive's calls follow its strategies and its recomputation mark; other primitives stay fast."""
    owner: Any = type(primitive)
    if not hasattr(owner, "_follows"):
        primitive.__class__ = _following(owner)


@functools.cache
def _following(cls: Any) -> Any:
    """A primitive class whose calls follow the settings of each instance."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        def compute(*args: Any, **kwargs: Any) -> Any:
            if self.__dict__.get("recompute") is True:
                return recomputed(functools.partial(cls.__call__, self), args, kwargs)
            return cls.__call__(self, *args, **kwargs)

        asked = spmd.settings() if scopes.current_scope() is not None else None
        if asked is None or not asked.strategies or "_strategies" not in self.__dict__:
            return compute(*args, **kwargs)
        inputs, outputs = self.__dict__["_strategies"]
        args, axes = _inputs_cut(self, args, inputs)
        return _outputs_cut(self, compute(*args, **kwargs), outputs, axes)

    def reduce(self: Any) -> tuple:
        return _again, (cls, self.__dict__)

    body = {
        "__call__": call,
        "__reduce__": reduce,
        "__doc__": cls.__dict__.get("__doc__"),
        "__module__": cls.__module__,
    }
    return type(cls.__name__, (cls,), {**body, "__qualname__": cls.__qualname__, "_follows": True})


def _again(cls: type, attributes: dict[str, Any]) -> Any:
    made: Any = object.__new__(_following(cls))
    made.__dict__.update(attributes)
    return made


def _labels(primitive: Any, ranks: list[int], layouts: list[tuple[int, ...]]) -> list[list[Any]]:
    """A name for each dimension of each input; those that are one and the same have one name."""
    name = primitive.name
    if name in _PRODUCTS and len(ranks) >= 2:
        first, second = ("rk", "kc")
        flags = [getattr(primitive, flag, False) for flag in _PRODUCTS[name]]
        ends = [part[::-1] if flag else part for part, flag in zip((first, second), flags, strict=True)]
        return [[*range(2 - rank, 0), *end] for rank, end in zip(ranks, ends, strict=False)]
    own = [[(at, i) for i in range(rank)] for at, rank in enumerate(ranks)]
    if name in _OWN:
        return own
    if name == "BiasAdd" and ranks[1:] == [1]:
        return [["channel" if i == 1 else i for i in range(ranks[0])], ["channel"]]
    aligned = [list(range(-rank, 0)) for rank in ranks]
    cuts: dict[Any, set[int]] = {}
    for names, layout in zip(aligned, layouts, strict=True):
        for dimension, count in zip(names, layout, strict=True):
            cuts.setdefault(dimension, {1}).add(count)
    return own if any(len(counts) > 2 for counts in cuts.values()) else aligned


def _leaves(value: Any, layout: Any) -> list[tuple[Tensor, Any]]:
    """The Tensors of an argument with their layouts."""
    if isinstance(value, Tensor):
        return [(value, layout)]
    if isinstance(value, (tuple, list)) and layout and isinstance(layout[0], tuple):
        return [pair for part, own in zip(value, layout, strict=False) for pair in _leaves(part, own)]
    return []


def sharding_of_first(primitive: Any, args: tuple) -> NamedSharding | None:
    """The layout of a call's first input; None where its primitive has no strategies that count.

    Args:
        primitive: with strategies or not.
        args: Tensors, in the order of the strategies.
    """
    asked = spmd.settings() if scopes.current_scope() is not None else None
    if asked is None or not asked.strategies or "_strategies" not in primitive.__dict__ or device.several_processes():
        return None
    found, _ = _shardings(primitive, args, primitive.__dict__["_strategies"][0])
    return found[0][1] if found else None


def _shardings(primitive: Any, args: tuple, strategy: Any) -> tuple[list[tuple[Tensor, Any]], dict[Any, tuple]]:
    """The Tensors among the arguments with their shardings, and the axes that cut each dimension by its name."""
    tensors = [a for a in args if isinstance(a, (Tensor, tuple, list))]
    pairs = [pair for value, layout in zip(tensors, strategy, strict=False) for pair in _leaves(value, layout)]
    # raises where one does not fit
    given = [(t, sharding_of(layout, t.shape, "an input", primitive.name)) for t, layout in pairs]
    if any(isinstance(layout, Layout) for _, layout in pairs):
        return given, {}
    labels = _labels(primitive, [t.ndim for t, _ in pairs], [layout for _, layout in pairs])
    order = slice(None, None, -1 if primitive.name in _TABLES else 1)  # samples first, as in products
    axes = _axes(labels[order], [layout for _, layout in pairs][order])
    found = []
    for (tensor, layout), names in zip(pairs, labels, strict=True):
        spec = [axes[name] if cut > 1 else None for name, cut in zip(names, layout, strict=True)]
        found.append((tensor, NamedSharding(mesh(), PartitionSpec(*[part or None for part in spec]))))
    return found, axes


def _inputs_cut(primitive: Any, args: tuple, strategy: Any) -> tuple[tuple, dict[Any, tuple]]:
    """The arguments under their constraints, and the axes that cut each dimension by its name."""
    found, axes = _shardings(primitive, args, strategy)
    new = {id(tensor): laid_out(tensor, sharding) for tensor, sharding in found}

    def replaced(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)([replaced(item) for item in value])
        return new.get(id(value), value)

    return tuple([replaced(a) for a in args]), axes


def _axes(labels: list[list[Any]], layouts: list[tuple[int, ...]]) -> dict[Any, tuple]:
    """The axes of the mesh for each name of a dimension.

    Raises:
        ValueError: there are not enough.
    """
    cuts: dict[Any, int] = {}
    for names, layout in zip(labels, layouts, strict=True):
        for name, cut in zip(names, layout, strict=True):
            cuts[name] = max(cut, cuts.get(name, 1))
    free = dict(mesh().shape)
    found = {}
    for name, cut in cuts.items():
        axes = take_axes(free, cut)
        if axes is None:
            raise ValueError(f"The strategy {tuple(layouts)} needs more than the {mesh().devices.size} devices.")
        found[name] = axes
    return found


def _outputs_cut(primitive: Any, out: Any, strategy: Any, axes: dict[Any, tuple]) -> Any:
    if strategy is None:
        return out
    if isinstance(out, (tuple, list)):
        parts = [_outputs_cut(primitive, part, (own,), axes) for part, own in zip(out, strategy, strict=False)]
        return type(out)([*parts, *out[len(parts) :]])
    [layout, *_] = strategy
    checked = sharding_of(layout, out.shape, "an output", primitive.name)
    if isinstance(layout, Layout):
        return laid_out(out, checked)
    product = primitive.name in _PRODUCTS
    names = [*range(2 - out.ndim, 0), "r", "c"] if product else list(range(-out.ndim, 0))
    free = dict(mesh().shape)
    own = [axes.get(name, ()) for name in names]
    for part in own:
        for axis in part:
            free.pop(axis, None)
    spec = []
    for cut, part in zip(layout, own, strict=True):
        wanted = _fitting(part, cut, free)
        if wanted is None:  # over other axes than the inputs
            return laid_out(out, checked)
        spec.append(wanted or None)
    return laid_out(out, NamedSharding(mesh(), PartitionSpec(*spec)))


def _fitting(part: tuple, cut: int, free: dict[str, int]) -> tuple | None:
    """Axes for an output's dimension: the inputs' axes, and further ones for what was added up over them."""
    size = 1
    for axis in part:
        size *= mesh().shape[axis]
    if cut == 1:
        return ()
    if cut % size:
        return None
    more = take_axes(free, cut // size)
    return None if more is None else (*part, *more)
