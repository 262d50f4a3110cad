"""One-device kernels in multi-device programs, and the dimensions along which XLA may cut their arrays.

XLA cannot look into a kernel. Left alone it refuses some layouts (cuDNN's attention: sequences that are cut), or gives
each device a program that is wrong (Pallas). Here each dimension of an array has a letter: "b" for samples, "n" for
heads and "k" for heads of keys may be cut, "n" and "k" alike; along "s", "t" (query and key places) and "."
each device gets all. Where a sequence is cut, heads are cut instead during the kernel: devices exchange pieces.

The GPU compiler queries array layouts (`custom_partitioning`); the TPU compiler does not, so there the first array's
layout has to be known beforehand, and the pieces are a `shard_map`'s.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import NamedSharding, PartitionSpec

from ms_compat._core.parallel.sharding import named_axes

_WITH = {"b": "b", "n": "n", "k": "n", "s": ".", "t": ".", ".": "."}  # what is cut like what


def by_pieces(
    function: Callable, inputs: Sequence[str], results: Sequence[str], *arrays: Any, lying: NamedSharding | None = None
) -> Any:
    """Apply a function of arrays: several devices compute it on pieces of them, one device as it is.

    Args:
        function: of arrays; gives a tuple of arrays. Pieces give pieces, and further samples give their own results.
        inputs, results: the letters of each array; all have a "b".
        arrays: the inputs.
        lying: the first array's layout; None where the compiler knows it in time.

    Returns:
        list of its results.
    """
    if lying is not None:
        given, found = _cut(inputs, results, lying.mesh, _known(arrays, lying))
        specs = [tuple([sharding.spec for sharding in every]) for every in (given, found)]
        return list(jax.shard_map(
            function, mesh=lying.mesh, in_specs=specs[0], out_specs=specs[1], check_vma=False
        )(*arrays))  # fmt: skip
    function = jax.jit(function)  # whose constants are its own; the partitioner takes none

    @jax.custom_batching.custom_vmap
    def run(*args: Any) -> Any:
        cut = custom_partitioning(function)
        cut.def_partition(
            partition=functools.partial(_partition, function, inputs, results),
            infer_sharding_from_operands=lambda mesh, args, outs: _cut(inputs, results, mesh, args)[1],
            sharding_rule=_rule(inputs, results),
        )
        return cut(*args)

    @run.def_vmap
    def mapped(count: int, is_mapped: Sequence[bool], *args: Any) -> Any:
        each = (x if yes else jnp.broadcast_to(x, (count, *x.shape)) for x, yes in zip(args, is_mapped, strict=True))
        joined = [_join(x, letters.index("b")) for x, letters in zip(each, inputs, strict=True)]
        found = by_pieces(function, inputs, results, *joined)
        out = tuple([_part(x, letters.index("b"), count) for x, letters in zip(found, results, strict=True)])
        return out, (True,) * len(out)

    return list(run(*arrays))


def _known(arrays: Sequence[Any], lying: NamedSharding) -> list[jax.ShapeDtypeStruct]:
    layouts = [lying, *[None] * (len(arrays) - 1)]
    return [jax.ShapeDtypeStruct(x.shape, x.dtype, sharding=how) for x, how in zip(arrays, layouts, strict=True)]


def shapes_of_pieces(inputs: Sequence[str], lying: NamedSharding, *arrays: Any) -> list[jax.ShapeDtypeStruct] | None:
    """Each device's part of the inputs; None if there would be fewer pieces than the first array has.

    Args:
        inputs: see `by_pieces`.
        lying: likewise.
        arrays: the inputs.
    """
    given, _ = _cut(inputs, (), lying.mesh, _known(arrays, lying))
    pieces = [math.prod(lying.mesh.shape[a] for axes in s.spec for a in named_axes(axes)) for s in (lying, given[0])]
    if pieces[0] != pieces[1]:
        return None
    return [jax.ShapeDtypeStruct(s.shard_shape(x.shape), x.dtype) for x, s in zip(arrays, given, strict=True)]


def _join(x: Any, at: int) -> Any:
    x = jnp.moveaxis(x, 0, at)
    return x.reshape(*x.shape[:at], -1, *x.shape[at + 2 :])


def _part(x: Any, at: int, count: int) -> Any:
    return jnp.moveaxis(x.reshape(*x.shape[:at], count, -1, *x.shape[at + 1 :]), at, 0)


def _rule(inputs: Sequence[str], results: Sequence[str]) -> str:
    """How layouts propagate from array to array, in the partitioner's form."""
    alone = itertools.count()

    def named(letters: str) -> str:
        return " ".join(f"w{next(alone)}" if letter == "." else letter for letter in letters)

    return " -> ".join(", ".join(map(named, words)) for words in (inputs, results))


def _cut(inputs: Sequence[str], results: Sequence[str], mesh: Any, args: Any) -> tuple[tuple, tuple]:
    """The layouts of inputs and results: as the first of the inputs that is cut so that all can be."""
    sizes: dict[str, set[int]] = {"b": set(), "n": set()}
    asked: dict[str, list[tuple]] = {"b": [], "n": [], ".": []}
    for letters, x in zip(inputs, args, strict=True):
        spec = () if x.sharding is None else x.sharding.spec
        for letter, size, axes in zip(letters, x.shape, (*spec, *[None] * (len(x.shape) - len(spec))), strict=True):
            sizes.get(_WITH[letter], set()).add(size)
            if axes is not None:
                asked[_WITH[letter]].append(named_axes(axes))
    chosen: dict[str, tuple] = {"b": (), "n": ()}

    def choose(letter: str, axes: tuple) -> bool:
        every = (*chosen[letter], *axes)
        pieces = math.prod(mesh.shape[a] for a in every)
        free = not {*axes} & {*chosen["b"], *chosen["n"]} and all(size % pieces == 0 for size in sizes[letter])
        chosen[letter] = every if free else chosen[letter]
        return free

    for letter in sizes:
        any(choose(letter, axes) for axes in asked[letter])
    for axes in asked["."]:  # an exchange of pieces moves less than if each device gets all
        any(choose(letter, axes) for letter in ("n", "b"))

    def layout(letters: str) -> NamedSharding:
        return NamedSharding(mesh, PartitionSpec(*[chosen.get(_WITH[letter]) or None for letter in letters]))

    return tuple(map(layout, inputs)), tuple(map(layout, results))


def _partition(function: Callable, inputs: Sequence[str], results: Sequence[str], mesh: Any, args: Any, _: Any) -> Any:
    given, found = _cut(inputs, results, mesh, args)
    return mesh, function, found, given
