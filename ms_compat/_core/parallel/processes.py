"""Programs that run in several processes at once: the basis of collectives.

A MindSpore process drives one device, and all processes run the same script on data of their own. In JAX that is one
program over a mesh with one device of each process, whose axis `AXIS` the collectives name. The program takes a
process's own array as an array that is "replicated" over the mesh: inside `shard_map` each process sees its own, shapes
are local, and nothing is copied or reshaped on the way in or out. JAX does not check that replicas are equal
(`check_vma=False`), so they can differ.

`spread` turns a function into such a program; `ProcessEntry` puts one on the tape of PYNATIVE_MODE. In GRAPH_MODE a
collective raises `NeedsProcesses` where the function is not yet traced over processes; `_compile/function.py` catches
it and traces and compiles the whole function over the processes of that group.
"""

from __future__ import annotations

import functools
import itertools
import threading
import weakref
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ms_compat._core import tape
from ms_compat._core.dispatch.op import Op, rebuild, static_key
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import check_arrays_of_programs, uncommitted
from ms_compat._core.products import lowering as products
from ms_compat._core.settings import device
from ms_compat._core.trace import scopes

AXIS = "process"
_SMALL = 1 << 16  # bytes
_calls = itertools.count()


class _Bound(threading.local):
    ranks: tuple[int, ...] = ()


_bound = _Bound()


class bound:
    """The region in which a function is traced over the processes `ranks`; empty for none."""

    def __init__(self, ranks: tuple[int, ...]) -> None:
        self.ranks = ranks

    def __enter__(self) -> None:
        self.outer = _bound.ranks
        _bound.ranks = self.ranks

    def __exit__(self, *exc: object) -> None:
        _bound.ranks = self.outer


class NeedsProcesses(UnsupportedError):
    """A collective was met in a trace that is not over its processes.

    Args:
        name: the collective.
        ranks: its processes.
        hint: the way out.
    """

    def __init__(self, name: str, ranks: tuple[int, ...], hint: str) -> None:
        super().__init__(f"{name} over the processes {list(ranks)} inside this trace", hint)
        self.ranks = ranks


def _require_bound(name: str, ranks: tuple[int, ...]) -> None:
    """Make sure that a collective is in a trace over its processes.

    Raises:
        NeedsProcesses: the trace is over none.
        UnsupportedError: it is over others.
    """
    if _bound.ranks == ranks:
        return
    if _bound.ranks:
        raise UnsupportedError(
            f"For '{name}', a compiled function can only use one group of processes, but this one uses "
            f"{list(_bound.ranks)} and {list(ranks)}. Call the second collective outside of it, or in PYNATIVE_MODE."
        )
    hint = "Compile it with ms.jit or GRAPH_MODE, or call it outside of jax.jit, jvp and vmap."
    raise NeedsProcesses(name, ranks, hint)


class Launch:
    """The last program that this process has started over some processes.

    Attributes:
        name: the program's name.
        count: how many programs have been started over these processes, this one included.
    """

    __slots__ = ("_outputs", "count", "name")

    def __init__(self) -> None:
        self.name, self.count = "", 0
        self._outputs: list[Callable[[], Any]] | None = []  # each returns an array, or None if it is gone

    def start(self, name: str) -> None:
        """Note that a program starts."""
        self.name, self._outputs = name, None
        self.count += 1

    def returned(self, outputs: Any) -> None:
        """Note what it returned. All outputs are computed at once, so a small one, which takes no memory, suffices."""
        leaves = jax.tree.leaves(outputs)
        smallest = min(leaves, key=lambda leaf: leaf.nbytes, default=None)
        if smallest is not None and smallest.nbytes <= _SMALL:
            self._outputs = [lambda: smallest]
        else:
            self._outputs = [weakref.ref(leaf) for leaf in leaves]

    def is_finished(self) -> bool:
        """Whether nobody can wait for the program any more."""
        return self._outputs is not None and all(_is_computed(output()) for output in self._outputs)


def _is_computed(array: Any) -> bool:
    try:
        return array is None or array.is_deleted() or array.is_ready()
    except RuntimeError:  # it was donated in between
        return True


launches: dict[tuple[int, ...], Launch] = {}


def _launch(ranks: tuple[int, ...], name: str, call: Callable[[], Any]) -> Any:
    """Run a program over processes, and note it in `launches`."""
    launch = launches.setdefault(ranks, Launch())
    launch.start(name)
    outputs = None
    try:
        outputs = call()
        return outputs
    finally:
        launch.returned(outputs)


@functools.cache
def _mesh(ranks: tuple[int, ...], platform: str) -> Mesh:
    first: dict[int, jax.Device] = {}
    for found in jax.devices(platform):
        first.setdefault(found.process_index, found)
    return Mesh(np.array([first[rank] for rank in ranks]), (AXIS,))


def axis_env(ranks: tuple[int, ...]) -> list[tuple[str, int]]:
    """The axes that `jax.make_jaxpr` must know to trace a function over processes."""
    return [(AXIS, len(ranks))] if ranks else []


class spread:
    """A function as one program of several processes, each of which must call it, in the same order.

    Args:
        fn: a function of arrays (or trees of them), which may use collectives over `AXIS`.
        ranks: the processes.
        donate_argnums: as of `jax.jit`.
        name: what messages call it; None for the function's own name.
    """

    def __init__(
        self, fn: Callable, ranks: tuple[int, ...], donate_argnums: tuple[int, ...] = (), name: str | None = None
    ) -> None:
        self.fn = fn
        self.name = name or str(getattr(fn, "__name__", "a program"))
        self.ranks = ranks
        self.donate_argnums = donate_argnums
        self._jit: Any = None
        self._sharding: Any = None

    def _start(self) -> None:
        mesh = _mesh(self.ranks, device.current().platform)
        whole = PartitionSpec()
        mapped = jax.shard_map(self.fn, mesh=mesh, in_specs=whole, out_specs=whole, check_vma=False)
        self._sharding = NamedSharding(mesh, whole)
        self._device = mesh.local_devices[0]
        self._jit = jax.jit(mapped, donate_argnums=self.donate_argnums)

    def _enter(self, value: Any) -> Any:
        if isinstance(value, jax.ShapeDtypeStruct):
            return jax.ShapeDtypeStruct(value.shape, value.dtype, sharding=self._sharding)
        if not isinstance(value, jax.Array) or value.devices() != {self._device}:
            value = jax.device_put(value, self._device)
        return jax.make_array_from_single_device_arrays(value.shape, self._sharding, [value])

    def __call__(self, *args: Any) -> Any:
        if self._jit is None:
            self._start()
        return _launch(self.ranks, self.name, lambda: jax.tree.map(_leave, self._jit(*jax.tree.map(self._enter, args))))

    def lower(self, *args: Any) -> Any:
        """As `jax.jit(fn).lower`."""
        if self._jit is None:
            self._start()
        return self._jit.lower(*jax.tree.map(self._enter, args))


class whole:
    """A function as one program over all processes' devices. Each process must call it, in the same order.

    Inside, arrays span all processes. Inputs are the same in every process, except the first argument's rows: each
    process brings its own. Outputs are whole in every process, except outputs with as many rows as all processes
    brought together: each process gets its own rows.

    Args:
        fn: a function whose first argument is a list of arrays, and whose result a tuple of arrays that ends in a dict
            of output lists.
        rows: whether each process brings rows of its own.
        mesh: all devices.
        donate_argnums: as of `jax.jit`.
        name: what messages call it.
    """

    def __init__(
        self, fn: Callable, rows: bool, mesh: Mesh, donate_argnums: tuple[int, ...] = (), name: str = "a program"
    ) -> None:
        self._same = NamedSharding(mesh, PartitionSpec())
        self._rows = NamedSharding(mesh, PartitionSpec(mesh.axis_names)) if rows else self._same
        self._jit = jax.jit(fn, out_shardings=self._same, donate_argnums=donate_argnums)
        self._ranks = tuple(sorted({d.process_index for d in mesh.devices.flat}))
        self._name = name

    def shapes(self, avals: list[jax.ShapeDtypeStruct]) -> list[jax.ShapeDtypeStruct]:
        """The shapes of the first argument as the program sees them."""
        return [self._shape(a, self._rows) for a in avals]

    def _shape(self, aval: Any, sharding: NamedSharding) -> jax.ShapeDtypeStruct:
        shape = tuple(aval.shape)
        if shape and sharding is not self._same:
            shape = (shape[0] * jax.process_count(), *shape[1:])
        sharding = sharding if shape else self._same
        return jax.ShapeDtypeStruct(shape, aval.dtype, sharding=sharding, weak_type=getattr(aval, "weak_type", False))

    def _enter(self, value: Any, sharding: NamedSharding) -> Any:
        if isinstance(value, jax.ShapeDtypeStruct):
            return self._shape(value, sharding)
        made = self._shape(value := jax.numpy.asarray(value), sharding)
        devices = self._same.mesh.local_devices
        parts = [value] * len(devices)
        if made.sharding is not self._same:
            if made.shape[0] % self._same.mesh.devices.size:
                raise ValueError(
                    f"A batch of {made.shape[0]} rows can not be divided by {self._same.mesh.devices.size} devices."
                )
            parts = jax.numpy.split(value, len(devices))
        placed = [jax.device_put(part, d) for part, d in zip(parts, devices, strict=True)]
        return jax.make_array_from_single_device_arrays(made.shape, made.sharding, placed)

    def _inputs(self, leaves: list[Any], rest: tuple) -> tuple:
        return [self._enter(v, self._rows) for v in leaves], *jax.tree.map(lambda v: self._enter(v, self._same), rest)

    def __call__(self, leaves: list[Any], *rest: Any) -> Any:
        entered, *others = self._inputs(leaves, rest)
        counts = {v.shape[0] for v in entered if v.sharding is not self._same and v.shape}

        def call() -> Any:
            *changed, outputs = self._jit(entered, *others)
            own = {meta: [self._own(v, counts) for v in values] for meta, values in outputs.items()}
            return (*map(_leave, changed), own)

        return _launch(self._ranks, self._name, call)

    def _own(self, value: jax.Array, counts: set[int]) -> jax.Array:
        out = _leave(value)
        if value.ndim and value.shape[0] in counts:
            part = value.shape[0] // jax.process_count()
            out = out[jax.process_index() * part : (jax.process_index() + 1) * part]
        return out

    def lower(self, leaves: list[Any], *rest: Any) -> Any:
        """As `jax.jit(fn).lower`."""
        return self._jit.lower(*self._inputs(leaves, rest))


def _leave(value: jax.Array) -> jax.Array:
    return uncommitted(value.addressable_data(0))


def jit(fn: Callable, ranks: tuple[int, ...], donate_argnums: tuple[int, ...] = (), name: str | None = None) -> Any:
    """`jax.jit`, over processes where there are `ranks`, which see it under the name `name`."""
    check_arrays_of_programs()
    products.use()
    return spread(fn, ranks, donate_argnums, name) if ranks else jax.jit(fn, donate_argnums=donate_argnums)


def eval_shape(fn: Callable, ranks: tuple[int, ...], *args: Any) -> Any:
    """`jax.eval_shape`, over processes where there are `ranks`."""
    if not ranks:
        return jax.eval_shape(fn, *args)
    whole = PartitionSpec()
    mesh = _mesh(ranks, device.current().platform)
    return jax.eval_shape(jax.shard_map(fn, mesh=mesh, in_specs=whole, out_specs=whole, check_vma=False), *args)


def entry(fn: Callable, name: str, ranks: tuple[int, ...]) -> tape.CompiledOp:
    """A tape's entry, over processes where there are `ranks`."""
    return ProcessEntry(fn, name, ranks) if ranks else tape.CompiledOp(fn, name)


class ProcessEntry(tape.CompiledOp):
    """A tape's entry whose function, and whose pullbacks, run in several processes."""

    __slots__ = ("ranks", "raw")

    def __init__(self, fn: Callable, name: str, ranks: tuple[int, ...]) -> None:
        super().__init__(fn, name)
        self.raw = fn
        self.ranks = ranks
        self.jit = spread(fn, ranks, name=name)

        def inline(*args: Any) -> Any:
            _require_bound(name, ranks)
            return fn(*args)

        self.fn = inline

    def pullback(self, mask: tuple[int, ...], present: tuple[int, ...] | None = None) -> tape.CompiledOp:
        key = (mask, present)
        found = self._pullbacks.get(key)
        if found is None:
            fn = tape.make_pullback(self.raw, self.name, mask, present)
            found = self._pullbacks[key] = ProcessEntry(fn, f"{self.name}_grad", self.ranks)
        return found


def _opaque(values: Any) -> Any:
    """The same arrays, of which XLA does not know whether they are constants.

    XLA multiplies a constant by how many processes there are instead of adding it up. But each process compiles its
    own program, and a constant may be the process's own, such as its rank. So arrays seem to depend on the process's
    number, and their cotangents, which may be constants as well, do so, too. (XLA removes `optimization_barrier` before
    it looks for constants, depending on its settings.)

    The number that each call compares with is its own. Otherwise XLA may merge two equal sums in the program of one
    process that differ in the program of another, and the processes would no longer send the same messages.
    """
    unknown = lax.axis_index(AXIS) < -next(_calls)

    def opaque(value: Any) -> Any:
        if not isinstance(value, (jax.Array, np.ndarray)):
            return value
        return jnp.where(unknown, jnp.zeros_like(value), value)

    return jax.tree.map(opaque, values)


class ProcessOp(Op):
    """An operation with a static parameter `ranks`: the processes that compute it together; with one, a plain Op."""

    def _entry(self, args: tuple) -> tape.CompiledOp:
        ranks = args[self.names.index("ranks")]
        if len(ranks) == 1:
            return super()._entry(args)
        statics = tuple([args[i] for i in self.statics])
        key = static_key(statics)
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = ProcessEntry(self._with_constants(statics), self.name, ranks)
        return found

    def _with_constants(self, statics: tuple) -> Callable:
        def specialised(*dynamic: Any) -> Any:
            places = [*zip(self.statics, statics, strict=True), *zip(self.dynamics, _opaque(dynamic), strict=True)]
            return _opaque(self.fn(*[value for _, value in sorted(places, key=lambda place: place[0])]))

        return specialised

    def _layout_entry(self, entry: tape.CompiledOp, layout: tuple) -> tape.CompiledOp:
        if not isinstance(entry, ProcessEntry):
            return super()._layout_entry(entry, layout)
        key = (entry.raw, layout)
        found = self._layouts.get(key)
        if found is None:
            fn = entry.raw

            def gathered(*flat: Any) -> Any:
                leaves = iter(flat)
                return fn(*[rebuild(part, leaves) for part in layout])

            found = self._layouts[key] = ProcessEntry(gathered, self.name, entry.ranks)
        return found


def process_op(*static: str, name: str | None = None) -> Callable[[Callable], ProcessOp]:
    """Declare an operation over processes; see `op`. `ranks` is static beside the names given."""
    return lambda fn: ProcessOp(fn, ("ranks", *static), name)


def in_trace() -> bool:
    """Whether this thread traces a function now."""
    return scopes.current_scope() is not None
